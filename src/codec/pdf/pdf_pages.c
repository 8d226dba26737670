/* SPDX-License-Identifier: BSD-2-Clause */
/* The pages of a document. */
#include "base/mem.h"
#include "codec/pdf/pdf.h"

/* qpdf, which mends what it can, found no page. */
static platen_status fail_empty(struct platen_error *err)
{
    return pl_fail(err, PLATEN_ERR_FORMAT, "the pdf has no pages: none was made, or none came");
}

platen_status pl_pdf_pages(const uint8_t *data, size_t n, struct pl_pages *ret,
                           struct platen_error *err)
{
    qpdf_data pdf = NULL;
    platen_status s = pl_pdf_open(data, n, &pdf, err);
    int count = s ? 0 : pl_qpdf.get_num_pages(pdf);
    if (!s && count < 1)
        s = fail_empty(err);
    uint64_t *at = s ? NULL : pl_alloc((size_t)count, sizeof(*at));
    if (!s && !at)
        s = pl_fail_nomem(err, (size_t)count * sizeof(*at), "the pages of a pdf");
    /* a page begins at its object: the tree of pages need not be walked again for each */
    for (int i = 0; !s && i < count; i++) {
        qpdf_oh page = pl_qpdf.get_page_n(pdf, (size_t)i);
        at[i] = (uint64_t)pl_qpdf.oh_get_object_id(pdf, page) << 16 |
                (uint64_t)(uint16_t)pl_qpdf.oh_get_generation(pdf, page);
        pl_qpdf.oh_release(pdf, page);
    }
    struct pl_str labels = {0};
    s = s ? s : pl_pdf_labels(pdf, count, &labels, err);
    pl_pdf_close(pdf, false); /* qpdf mends a tree of pages where it walks it */
    if (!s) {
        *ret = (struct pl_pages){count, at, labels.s, labels.len};
    } else {
        pl_free(at);
        pl_str_done(&labels);
    }
    return s;
}

platen_status pl_pdf_find_page(qpdf_data pdf, const struct pl_load_options *opt, qpdf_oh *ret,
                               struct platen_error *err)
{
    const int number = PL_MAX(opt ? opt->page : 0, 1);
    if (opt && opt->page_at) {
        *ret =
            pl_qpdf.get_object_by_id(pdf, (int)(opt->page_at >> 16), (int)(opt->page_at & 0xffff));
    }
    if (!opt || !opt->page_at || !pl_qpdf.oh_is_dictionary(pdf, *ret)) {
        pl_pdf_must_close(); /* what qpdf mends in the tree of pages becomes objects of its own */
        const int count = pl_qpdf.get_num_pages(pdf);
        if (opt && !opt->page && count > 1)
            return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "the pdf has %d pages", count);
        if (count < 1)
            return fail_empty(err);
        if (number > count)
            return pl_fail(err, PLATEN_ERR_FORMAT, "no page %d: the pdf has %d", number, count);
        *ret = pl_qpdf.get_page_n(pdf, (size_t)number - 1);
    }
    if (!pl_qpdf.oh_is_dictionary(pdf, *ret))
        return pl_fail(err, PLATEN_ERR_FORMAT, "damaged pdf: page %d is no page", number);
    return PLATEN_OK;
}

bool pl_pdf_is_copy(qpdf_data pdf, qpdf_oh page)
{
    qpdf_oh size = pl_qpdf.oh_get_key(pdf, pl_qpdf.get_trailer(pdf), "/Size");
    return pl_qpdf.oh_is_integer(pdf, size) &&
           pl_qpdf.oh_get_object_id(pdf, page) >= pl_qpdf.oh_get_int_value_as_int(pdf, size);
}
