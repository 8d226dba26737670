/* SPDX-License-Identifier: BSD-2-Clause */
/* The picture of a page as the PDF stores it, where it can stand in another PDF with the same
 * bytes: a JPEG, JPEG 2000, fax or JBIG2 that is the page, in colours that need nothing else of the
 * document. */
#include <string.h>

#include "base/mem.h"
#include "codec/cell.h"
#include "codec/jpeg_marks.h"
#include "codec/pdf/pdf_color.h"
#include "codec/pdf/pdf_layout.h"
#include "codec/types.h"

/* Returns whether /Decode and the colour space leave each sample as it is, or turn each around. */
static bool is_straight(const struct pdf_image *m, bool *ret_inverted)
{
    *ret_inverted = m->curves[0][0] == 255;
    for (int c = 0; c < m->n_samples; c++)
        for (int i = 0; i < 256; i++)
            if (m->curves[c][i] != (*ret_inverted ? 255 - i : i))
                return false;
    return true;
}

/* Returns whether the two samples of a bit are black and white, of a palette too. */
static bool is_black_and_white(const struct pdf_image *m, bool *ret_inverted)
{
    uint8_t of[2][3];
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 3; c++)
            of[i][c] =
                m->samples == SAMPLES_INDEXED ? m->palette[4 * i + c] : m->curves[0][255 * i];
    *ret_inverted = of[0][0] == 255;
    const int first = *ret_inverted ? 255 : 0;
    for (int c = 0; c < 3; c++)
        if (of[0][c] != first || of[1][c] != 255 - first)
            return false;
    return m->n_samples == 1 && (m->samples != SAMPLES_INDEXED || m->n_palette > 1);
}

static bool has_color_space(const struct pdf_image *m)
{
    qpdf_oh cs = pl_qpdf.oh_get_key(m->pdf, m->dict, "/ColorSpace");
    return pl_qpdf.oh_is_name(m->pdf, cs) || pl_qpdf.oh_is_array(m->pdf, cs);
}

/* Inks of print mean what a device makes of them: those of a profile would be others. */
static bool is_device_color(const struct pdf_image *m)
{
    return m->samples == SAMPLES_GRAY || m->samples == SAMPLES_RGB ||
           (m->samples == SAMPLES_CMYK &&
            pl_qpdf.oh_is_name(m->pdf, pl_qpdf.oh_get_key(m->pdf, m->dict, "/ColorSpace")));
}

static bool take_jpeg(const struct pdf_image *m, struct pl_stored *ret)
{
    const struct pl_jpeg_marks marks = pl_jpeg_all_marks(ret->data, ret->n);
    ret->form = PL_STORED_JPEG;
    ret->bits = 8;
    ret->color_transform = PL_CLAMP(pl_pdf_int(m->pdf, m->parms, "/ColorTransform", -1), -1, 1) + 1;
    return marks.end && !marks.arithmetic && marks.width == m->info.width &&
           marks.height == m->info.height && marks.components == m->n_samples &&
           has_color_space(m) && is_device_color(m) && is_straight(m, &ret->inverted);
}

/* Readers of PDF pass over /Decode here. */
static bool take_jp2(const struct pdf_image *m, struct pl_stored *ret)
{
    const struct pl_source file = {.data = ret->data, .n = ret->n};
    bool inverted;
    return pl_jp2_stored(&file, ret) && ret->width == m->info.width &&
           ret->height == m->info.height && !pl_pdf_int(m->pdf, m->dict, "/SMaskInData", 0) &&
           (!has_color_space(m) || (ret->channels == m->n_samples && is_device_color(m))) &&
           is_straight(m, &inverted) && !inverted;
}

static bool take_fax(const struct pdf_image *m, struct pl_stored *ret)
{
    ret->form = PL_STORED_FAX;
    ret->bits = 1;
    ret->k = pl_pdf_int(m->pdf, m->parms, "/K", 0);
    ret->aligned = pl_pdf_is_true(m->pdf, m->parms, "/EncodedByteAlign");
    ret->ends_told = pl_pdf_is_true(m->pdf, m->parms, "/EndOfLine");
    ret->black_is_1 = pl_pdf_is_true(m->pdf, m->parms, "/BlackIs1");
    return is_black_and_white(m, &ret->inverted);
}

/* Puts what pictures share behind the picture, in one block of memory. */
static bool take_jbig2(const struct pdf_image *m, struct pl_stored *ret)
{
    uint8_t *shared = NULL;
    ret->form = PL_STORED_JBIG2;
    ret->bits = 1;
    if (!is_black_and_white(m, &ret->inverted) ||
        pl_pdf_image_shared(m, &shared, &ret->n_shared, NULL))
        return false;
    uint8_t *both = ret->n_shared ? pl_realloc(ret->own, ret->n + ret->n_shared, 1) : ret->own;
    if (both) {
        ret->data = ret->own = both;
        ret->shared = ret->n_shared ? both + ret->n : NULL;
        if (ret->n_shared)
            memcpy(both + ret->n, shared, ret->n_shared);
    }
    pl_free(shared);
    return both;
}

static bool take_form(struct pdf_image *m, struct pl_stored *ret)
{
    if (pl_pdf_image_bytes(m, &ret->own, &ret->n, NULL))
        return false;
    ret->data = ret->own;
    ret->bytes = ret->n;
    ret->width = m->info.width;
    ret->height = m->info.height;
    ret->channels = m->n_samples;
    if (pl_pdf_last_filter_is(m, "/DCTDecode"))
        return take_jpeg(m, ret);
    if (pl_pdf_last_filter_is(m, "/JPXDecode"))
        return take_jp2(m, ret);
    return pl_pdf_last_filter_is(m, "/CCITTFaxDecode") ? take_fax(m, ret) : take_jbig2(m, ret);
}

static bool is_of_a_form(const struct pdf_image *m)
{
    static const char *const filters[] = {"/DCTDecode", "/JPXDecode", "/CCITTFaxDecode",
                                          "/JBIG2Decode"};
    bool any = false;
    for (size_t i = 0; i < PL_ARRAY_LEN(filters); i++)
        any = any || pl_pdf_last_filter_is(m, filters[i]);
    return any;
}

/* What hides parts of the picture would be lost, be it a mask or a colour. */
static bool take_page(qpdf_data pdf, const struct pdf_page_layout *l, struct pl_stored *ret)
{
    struct pdf_image m;
    if (!pl_pdf_is_alone(l) || !l->v[0].opaque ||
        pl_pdf_image_open(pdf, l->v[0].paint->image, &m, NULL) || !is_of_a_form(&m))
        return false;
    struct pl_stored found = {.turn = l->v[0].turn};
    const bool taken = take_form(&m, &found);
    if (taken)
        *ret = found;
    else
        pl_free(found.own);
    return taken;
}

/* A page whose text is not read becomes white, and has no picture. */
bool pl_pdf_stored(const struct pl_source *src, struct pl_stored *ret)
{
    if (pl_cells_take(true))
        return pl_cells_stored(src, ret);
    qpdf_data pdf = NULL;
    qpdf_oh page;
    struct pdf_page_layout l = {0};
    const enum platen_pdf_text text = src->opt ? src->opt->pdf_text : PLATEN_PDF_TEXT_KEEP;
    const bool found = !pl_pdf_open(src->data, src->n, &pdf, NULL) &&
                       !pl_pdf_find_page(pdf, src->opt, &page, NULL) &&
                       !pl_pdf_layout_read(pdf, page, PL_PDF_AS_SEEN, &l, NULL) &&
                       !(text == PLATEN_PDF_TEXT_SKIP && (l.text || l.hidden_text)) &&
                       take_page(pdf, &l, ret);
    pl_pdf_layout_done(&l);
    pl_pdf_close(pdf, src->opt && src->opt->page_at);
    return found;
}
