/* The three facts that platen wants from EXIF (JEITA CP-3451): orientation and resolution of IFD 0.
 */
#include "image/decoders.h"

#include <string.h>

struct tiff {
    const uint8_t *p;
    size_t n;
    bool big_endian;
};

static uint32_t get(const struct tiff *t, size_t at, unsigned bytes)
{
    uint32_t v = 0;
    if (at > t->n || t->n - at < bytes)
        return 0;
    for (unsigned i = 0; i < bytes; i++)
        v |= (uint32_t)t->p[at + i] << 8 * (t->big_endian ? bytes - 1 - i : i);
    return v;
}

static float get_rational(const struct tiff *t, size_t at)
{
    uint32_t num = get(t, at, 4), den = get(t, at + 4, 4);
    return den ? (float)((double)num / den) : 0;
}

struct pl_exif pl_exif_parse(const uint8_t *data, size_t n)
{
    enum { ORIENTATION = 0x112, X_RESOLUTION = 0x11a, Y_RESOLUTION = 0x11b, UNIT = 0x128 };
    struct pl_exif e = {0};
    struct tiff t = {data, n, n >= 2 && !memcmp(data, "MM", 2)};
    if (n < 8 || (!t.big_endian && memcmp(data, "II", 2)) || get(&t, 2, 2) != 42)
        return e;
    size_t ifd = get(&t, 4, 4);
    float per_inch = 1;
    for (uint32_t i = 0, count = get(&t, ifd, 2); i < count; i++) {
        size_t entry = ifd + 2 + 12 * (size_t)i;
        if (entry + 12 > n)
            break;
        uint32_t v = get(&t, entry + 8, 2);
        switch (get(&t, entry, 2)) {
        case ORIENTATION:
            e.orientation = v >= 1 && v <= 8 ? (int)v : 0;
            break;
        case X_RESOLUTION:
            e.dpi_x = get_rational(&t, get(&t, entry + 8, 4));
            break;
        case Y_RESOLUTION:
            e.dpi_y = get_rational(&t, get(&t, entry + 8, 4));
            break;
        case UNIT:
            per_inch = v == 3 ? 2.54f : 1;
            break;
        default:
            break;
        }
    }
    e.dpi_x *= per_inch;
    e.dpi_y *= per_inch;
    return e;
}
