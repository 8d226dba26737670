/* SPDX-License-Identifier: BSD-2-Clause */
/* PDF: the bytes as one picture, as the first pages of several, and as a document that gets a
 * layer. */
#include "codec/pdf/update.h"
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct pl_pages pages;
    if (n < 5 || memcmp(data, "%PDF-", 5))
        return 0;
    check_load(data, n, 0); /* the page of a document that has one */
    if (pl_image_pages(data, n, &pages, NULL))
        return 0;
    require(pages.n >= 1);
    for (int page = 1; pages.n > 1 && page <= PL_MIN(pages.n, 3); page++)
        check_load(data, n, page);
    static const enum platen_pdf_text texts[] = {PLATEN_PDF_TEXT_KEEP, PLATEN_PDF_TEXT_REDO};
    for (size_t i = 0; i < PL_ARRAY_LEN(texts); i++) {
        struct pl_pdf_update update;
        const struct pl_pdf_update_source src = {data,     n,   1,  pages.at ? pages.at[0] : 0,
                                                 texts[i], 100, 100};
        if (!pl_pdf_read_update(&src, &update, NULL))
            require(update.place.object >= 1 && update.place.xref_at < n);
        pl_pdf_update_done(&update);
    }
    pl_pages_done(&pages);
    return 0;
}
