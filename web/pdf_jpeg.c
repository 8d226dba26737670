/* SPDX-License-Identifier: BSD-2-Clause */
/* Documents without libraries and decoders: the picture of a page is a JPEG that the caller made,
 * text stays as it is, and there are no archives. */
#include "codec/jpeg_marks.h"
#include "output/pdf/pdf_a.h"
#include "output/pdf/pdf_picture.h"
#include "output/pdf/pdf_stream.h"

platen_status pl_pdf_put_picture(const struct pl_env *env, const struct pl_page_result *page,
                                 struct pl_str *out, struct pl_pdf_picture *ret,
                                 struct platen_error *err)
{
    const struct pl_jpeg_marks m = pl_jpeg_all_marks(page->source, page->source_bytes);
    const size_t start = out->len;
    (void)env;
    if (!m.end || m.arithmetic || m.width != page->width || m.height != page->height)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "format pdf needs the picture as a JPEG of %d x %d pixels", page->width,
                       page->height);
    pl_str_printf(out,
                  "<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /Device%s "
                  "/BitsPerComponent 8 /Filter /DCTDecode ",
                  m.width, m.height, m.components == 1 ? "Gray" : "RGB");
    pl_pdf_put_stream(out, page->source, page->source_bytes);
    *ret = (struct pl_pdf_picture){.turn = 1, .bytes = out->len - start};
    return PLATEN_OK;
}

void pl_pdf_put_packed(struct pl_str *out, const struct pl_str *plain)
{
    out->failed = out->failed || plain->failed;
    pl_pdf_put_stream(out, plain->len ? plain->s : "", plain->len);
}

uint32_t pl_pdf_sum(uint32_t sum, const void *data, size_t n)
{
    (void)data, (void)n;
    return sum;
}

void pl_pdf_a_identifier(uint32_t sum, const uint64_t *places, size_t n, struct pl_str *out)
{
    (void)sum, (void)places, (void)n, (void)out;
}
