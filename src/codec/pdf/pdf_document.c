/* SPDX-License-Identifier: BSD-2-Clause */
/* Opening and closing documents, one of which may stay open from page to page. */
#include <stdio.h>
#include <string.h>

#include "codec/pdf/pdf.h"
#include "codec/pdf/pdf_document.h"

/* Of a process that reads one file, as pl_pdf_keep_open() tells. In others threads read files side
 * by side, and nothing but `wanted` is touched. */
static struct {
    bool wanted;
    bool must_close; /* the document that is open */
    qpdf_data pdf;
} kept;

void pl_pdf_keep_open(void)
{
    kept.wanted = true;
}

bool pl_pdf_stays_open(void)
{
    return kept.pdf;
}

void pl_pdf_must_close(void)
{
    if (kept.wanted)
        kept.must_close = true;
}

static bool is_of_memory(qpdf_data pdf, qpdf_error e)
{
    return strstr(pl_qpdf.get_error_message_detail(pdf, e), "bad_alloc");
}

/* Returns whether qpdf ran out of memory. It tells so by its error, or among its warnings. All of
 * them are taken from it here, so that the document may not stay open. */
static bool lacked_memory(qpdf_data pdf)
{
    bool lacked = pl_qpdf.has_error(pdf) && is_of_memory(pdf, pl_qpdf.get_error(pdf));
    while (pl_qpdf.more_warnings(pdf))
        lacked = is_of_memory(pdf, pl_qpdf.next_warning(pdf)) || lacked;
    pl_pdf_must_close();
    return lacked;
}

platen_status pl_pdf_fail(qpdf_data pdf, const char *what, struct platen_error *err)
{
    return lacked_memory(pdf)
               ? pl_fail(err, PLATEN_ERR_NOMEM, "out of memory: unpacked, %s takes too much", what)
               : pl_fail(err, PLATEN_ERR_FORMAT, "damaged pdf: %s", what);
}

/* Of documents behind each other qpdf, which looks for objects then, makes one: of pages of the
 * last one, or of several. */
static platen_status fail_several(qpdf_data pdf, struct platen_error *err)
{
    return lacked_memory(pdf)
               ? pl_fail(err, PLATEN_ERR_NOMEM, "out of memory for the pdf")
               : pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                         "the file holds several pdfs behind each other (on standard input all are "
                         "read)");
}

platen_status pl_pdf_open(const uint8_t *data, size_t n, qpdf_data *ret, struct platen_error *err)
{
    *ret = kept.wanted ? kept.pdf : NULL;
    if (*ret)
        return PLATEN_OK;
    platen_status s = pl_qpdf_load(err);
    if (s)
        return s;
    qpdf_data pdf = *ret = pl_qpdf.init();
    if (!pdf)
        return pl_fail_nomem(err, n, "a pdf");
    pl_qpdf.silence_errors(pdf);
    pl_qpdf.set_suppress_warnings(pdf, QPDF_TRUE);
    const bool read = !(pl_qpdf.read_memory(pdf, "", (const char *)data, n, "") & QPDF_ERRORS);
    if ((!read || pl_qpdf.more_warnings(pdf)) && pl_pdf_has_another(data, n))
        return fail_several(pdf, err);
    if (read) {
        /* what was mended here is the same whenever these bytes are opened */
        while (pl_qpdf.more_warnings(pdf))
            (void)pl_qpdf.next_warning(pdf);
        return PLATEN_OK;
    }
    qpdf_error e = pl_qpdf.get_error(pdf);
    if (pl_qpdf.get_error_code(pdf, e) == qpdf_e_password)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "the pdf needs a password; qpdf --password=... --decrypt makes one without");
    char why[sizeof(err->text)];
    snprintf(why, sizeof(why), "%s", pl_qpdf.get_error_message_detail(pdf, e));
    return is_of_memory(pdf, e) ? pl_fail(err, PLATEN_ERR_NOMEM, "out of memory for the pdf")
                                : pl_pdf_fail(pdf, why, err);
}

/* Keeps a document for the next page, where pages come to this process one after the other; NULL =
 * none. Returns whether there is one. */
static bool keep(qpdf_data pdf)
{
    if (!kept.wanted)
        return false;
    kept.pdf = kept.must_close ? NULL : pdf;
    kept.must_close = false;
    return kept.pdf;
}

void pl_pdf_close(qpdf_data pdf, bool may_stay)
{
    if (!pdf)
        return;
    if (pl_qpdf.has_error(pdf)) { /* qpdf prints an error that nobody asked for */
        (void)pl_qpdf.get_error(pdf);
        may_stay = false;
    }
    pl_qpdf.oh_release_all(pdf);
    if (!keep(may_stay && !pl_qpdf.more_warnings(pdf) ? pdf : NULL))
        pl_qpdf.cleanup(&pdf);
}
