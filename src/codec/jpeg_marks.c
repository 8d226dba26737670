/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/jpeg_marks.h"

#include <string.h>

#include "base/attr.h"
#include "base/byte_order.h"

enum {
    MARK_TEM = 0x01,
    MARK_SOF0 = 0xc0, /* to SOF15, but for the three that follow */
    MARK_DHT = 0xc4,
    MARK_JPG = 0xc8,
    MARK_SOF9 = 0xc9, /* from here on with the arithmetic code */
    MARK_DAC = 0xcc,
    MARK_SOF15 = 0xcf,
    MARK_RST0 = 0xd0,
    MARK_RST7 = 0xd7,
    MARK_EOI = 0xd9,
    MARK_SOS = 0xda,
    MARK_DRI = 0xdd,
    MARK_APP1 = 0xe1,
    MARK_APP2 = 0xe2,
    MARK_APP14 = 0xee,
};

static bool is_restart(uint8_t marker)
{
    return marker >= MARK_RST0 && marker <= MARK_RST7;
}

/* Returns where the next marker is behind the coded data that begin at `at`. */
static size_t skip_scan(const uint8_t *d, size_t n, size_t at)
{
    while (at < n) {
        const uint8_t *p = memchr(d + at, 0xff, n - at);
        if (!p || (size_t)(p - d) + 1 >= n)
            return n;
        at = (size_t)(p - d);
        bool coded = !p[1] || is_restart(p[1]);
        if (!coded && p[1] != 0xff)
            return at;
        at += coded ? 2 : 1;
    }
    return n;
}

/* Takes what a segment says; its n bytes begin with its length. */
static void read_segment(uint8_t marker, const uint8_t *d, size_t n, struct pl_jpeg_marks *m)
{
    static const char exif[6] = "Exif\0";
    if (marker >= MARK_SOF0 && marker <= MARK_SOF15 && marker != MARK_DHT && marker != MARK_JPG &&
        marker != MARK_DAC && n >= 8 && !m->components) {
        m->baseline = marker == MARK_SOF0;
        m->height = (int)pl_be16(d + 3);
        m->width = (int)pl_be16(d + 5);
        m->components = d[7];
    }
    m->arithmetic |= marker >= MARK_SOF9 && marker <= MARK_SOF15 && marker != MARK_DAC;
    m->restarts |= marker == MARK_DRI;
    if (marker == MARK_APP14 && n >= 14 && !memcmp(d + 2, "Adobe", 5))
        m->adobe = d[13] + 1;
    m->several |= marker == MARK_APP2 && n >= 6 && !memcmp(d + 2, "MPF", 4);
    if (marker == MARK_APP1 && !m->exif && !m->scan && n > 2 + sizeof(exif) &&
        !memcmp(d + 2, exif, sizeof(exif))) {
        m->exif = d + 2 + sizeof(exif);
        m->exif_bytes = n - 2 - sizeof(exif);
    }
}

static struct pl_jpeg_marks read_marks(const uint8_t *d, size_t n, bool header)
{
    struct pl_jpeg_marks m = {0};
    for (size_t at = 2; at + 2 <= n && d[at] == 0xff && !(header && m.scan);) {
        const uint8_t marker = d[at + 1];
        if (marker == MARK_EOI) {
            m.end = at + 2;
            break;
        }
        if (marker == 0xff || marker == MARK_TEM || is_restart(marker)) {
            at += marker == 0xff ? 1 : 2;
            continue;
        }
        /* The length of a segment counts its own two bytes. Where a comment or an application's
         * segment names less, libjpeg takes it for empty; it refuses any other. */
        const size_t bytes = n - at >= 4 ? PL_MAX((size_t)pl_be16(d + at + 2), (size_t)2) : 0;
        if (!bytes || bytes > n - at - 2)
            break;
        read_segment(marker, d + at + 2, bytes, &m);
        m.frame = m.frame || !m.components ? m.frame : at;
        at += bytes + 2;
        if (marker != MARK_SOS)
            continue;
        m.scan = m.scan ? m.scan : at;
        m.scans++;
        at = header ? at : skip_scan(d, n, at);
    }
    return m;
}

struct pl_jpeg_marks pl_jpeg_header_marks(const uint8_t *data, size_t n)
{
    return read_marks(data, n, true);
}

struct pl_jpeg_marks pl_jpeg_all_marks(const uint8_t *data, size_t n)
{
    return read_marks(data, n, false);
}
