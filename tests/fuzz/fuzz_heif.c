/* SPDX-License-Identifier: BSD-2-Clause */
/* HEIF: the bytes as one picture, and as the first pages of several. */
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
const char *__lsan_default_suppressions(void);

/* libdav1d 1.0.0 loses what it had begun of a damaged picture; in a cell that ends with the cell.
 */
const char *__lsan_default_suppressions(void)
{
    return "leak:libdav1d";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 8 || memcmp(data + 4, "ftyp", 4))
        return 0;
    check_pages(data, n);
    return 0;
}
