/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/exif.h"

#include <stdbool.h>
#include <string.h>

enum {
    TAG_ORIENTATION = 0x112,
    TAG_X_RESOLUTION = 0x11a,
    TAG_Y_RESOLUTION = 0x11b,
    TAG_UNIT = 0x128
};
enum { TYPE_SHORT = 3, TYPE_RATIONAL = 5 };
enum { UNIT_INCH = 2, UNIT_CM = 3 };

struct exif_reader {
    const uint8_t *p;
    size_t n;
    bool big;
};

/* Returns the unsigned number of `size` bytes (2 or 4) at `at`; 0 beyond the end. */
static uint32_t get(const struct exif_reader *r, size_t at, size_t size)
{
    if (at > r->n || size > r->n - at)
        return 0;
    uint32_t v = 0;
    for (size_t i = 0; i < size; i++)
        v |= (uint32_t)r->p[at + i] << 8 * (r->big ? size - 1 - i : i);
    return v;
}

/* Returns the first value of the entry at `at`; 0 when it has another type or lies outside. */
static uint32_t get_short(const struct exif_reader *r, size_t at)
{
    return get(r, at + 2, 2) == TYPE_SHORT ? get(r, at + 8, 2) : 0;
}

static double get_rational(const struct exif_reader *r, size_t at)
{
    if (get(r, at + 2, 2) != TYPE_RATIONAL)
        return 0;
    size_t value = get(r, at + 8, 4);
    uint32_t num = get(r, value, 4), den = get(r, value + 4, 4);
    return den ? (double)num / den : 0;
}

struct pl_exif pl_exif_parse(const uint8_t *tiff, size_t n)
{
    struct pl_exif ret = {.orientation = 1};
    if (n < 8 || (memcmp(tiff, "II*\0", 4) != 0 && memcmp(tiff, "MM\0*", 4) != 0))
        return ret;
    struct exif_reader r = {.p = tiff, .n = n, .big = tiff[0] == 'M'};
    size_t ifd = get(&r, 4, 4);
    uint32_t entries = get(&r, ifd, 2), unit = UNIT_INCH;
    double x = 0, y = 0;
    for (size_t i = 0, at = ifd + 2; i < entries && at + 12 <= n; i++, at += 12) {
        uint32_t tag = get(&r, at, 2);
        if (tag == TAG_ORIENTATION && get_short(&r, at) >= 1 && get_short(&r, at) <= 8)
            ret.orientation = (int)get_short(&r, at);
        else if (tag == TAG_X_RESOLUTION)
            x = get_rational(&r, at);
        else if (tag == TAG_Y_RESOLUTION)
            y = get_rational(&r, at);
        else if (tag == TAG_UNIT)
            unit = get_short(&r, at);
    }
    if (unit == UNIT_INCH || unit == UNIT_CM) {
        double per_inch = unit == UNIT_CM ? 2.54 : 1;
        ret.dpi_x = (float)(x * per_inch);
        ret.dpi_y = (float)(y * per_inch);
    }
    return ret;
}
