/* SPDX-License-Identifier: BSD-2-Clause */
/* One of the formats that are read without a library of their own: FORMAT is its name, as
 * pl_image_probe() gives it. */
#include "decode_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static bool begins(const uint8_t *data, size_t n)
{
    static const struct {
        const char *format, *start;
    } starts[] = {{"bmp", "BM"},   {"gif", "GIF8"}, {"hdr", "#?R"},
                  {"psd", "8BPS"}, {"pnm", "P"},    {"tga", ""}};
    for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
        if (!strcmp(starts[i].format, FORMAT))
            return n >= strlen(starts[i].start) &&
                   !memcmp(data, starts[i].start, strlen(starts[i].start));
    abort(); /* no such format */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct pl_image_info info;
    bool other = !pl_image_probe(data, n, NULL, &info, NULL) && strcmp(info.format, FORMAT);
    if (begins(data, n) && !other)
        check_load(data, n, 0);
    return 0;
}
