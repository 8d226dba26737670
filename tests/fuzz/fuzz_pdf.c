/* SPDX-License-Identifier: BSD-2-Clause */
/* PDF: the bytes as one picture, as the first pages of several, and as a document that gets a
 * layer, or gives what it has to a new one. */
#include <math.h>
#include <string.h>

#include "codec/pdf/update.h"
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Reads what a new document carries over: texts that end, and bookmarks that are whole. */
static void check_carried(const uint8_t *data, size_t n, uint64_t page_at, int page)
{
    const struct pl_pdf_update_source src = {
        .data = data, .n = n, .page = page, .page_at = page_at, .carried = true};
    struct pl_pdf_update u;
    struct pl_pdf_carried_mark mark;
    const struct pl_str *info = &u.text[PL_PDF_CARRIED_INFO],
                        *marks = &u.text[PL_PDF_CARRIED_MARKS];
    const bool read = !pl_pdf_read_update(&src, &u, NULL);
    require(!read || !info->len || !info->s[info->len - 1]);
    for (size_t at = 0; read && at < marks->len; at += sizeof(mark) + mark.title_bytes) {
        require(marks->len - at >= sizeof(mark));
        memcpy(&mark, marks->s + at, sizeof(mark));
        require(mark.order >= 1 && mark.title_bytes <= marks->len - at - sizeof(mark));
        require(isfinite(mark.at.x) && isfinite(mark.at.y));
    }
    pl_pdf_update_done(&u);
}

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
        const struct pl_pdf_update_source src = {.data = data,
                                                 .n = n,
                                                 .page = 1,
                                                 .page_at = pages.at ? pages.at[0] : 0,
                                                 .pdf_text = texts[i],
                                                 .width = 100,
                                                 .height = 100};
        if (!pl_pdf_read_update(&src, &update, NULL))
            require(update.place.object >= 1 && update.place.xref_at < n);
        pl_pdf_update_done(&update);
    }
    check_carried(data, n, pages.at ? pages.at[pages.n - 1] : 0, pages.n);
    pl_pages_done(&pages);
    return 0;
}
