/* TIFF: the bytes as one picture, and as the first pages of several. */
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    int pages = 0;
    if (n < 4 || (memcmp(data, "II", 2) && memcmp(data, "MM", 2)))
        return 0;
    check_load(data, n, 0);
    if (!pl_image_pages(data, n, &pages, NULL))
        require(pages >= 1);
    for (int page = 1; page <= PL_MIN(pages, 3); page++)
        check_load(data, n, page);
    return 0;
}
