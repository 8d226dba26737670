/* SPDX-License-Identifier: BSD-2-Clause */
/* Streams of frames, whole and in pieces: frames lie in the bytes one behind the other, are the
 * same however the stream comes in, and what is refused has a reason. The first byte chooses the
 * kind of the stream and the size of the pieces. */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "files/frames/frame_picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define MAX_FRAMES 64
#define MAX_FILE_BYTES ((size_t)1 << 22)

/* What came of a stream: where its frames are, and whether it was refused. */
struct found {
    size_t at[MAX_FRAMES], bytes[MAX_FRAMES], n;
    platen_status status;
};

static void take_file(const struct pl_framing *f, const struct pl_frame_place *place)
{
    struct platen_error err;
    struct pl_map map;
    if (f->pixels != PL_FRAME_CODED && pl_framing_bytes(f) > MAX_FILE_BYTES)
        return;
    for (int gray = 0; gray < 2; gray++) {
        if (pl_frame_file(f, place->data, place->bytes, gray, &map, &err))
            abort();
        pl_map_close(&map);
    }
}

/* Reads the stream data[0..n), of which `piece` more bytes come whenever more are asked for. */
static void read_stream(const char *kind, const uint8_t *data, size_t n, size_t piece,
                        struct found *ret)
{
    struct pl_framing f;
    struct platen_error err = {0};
    struct pl_frame_place place;
    size_t at = 0, have = PL_MIN(piece, n);
    *ret = (struct found){0};
    if (pl_framing_parse(kind, &f, &err))
        abort();
    while (ret->n < MAX_FRAMES) {
        uint8_t *copy = malloc(have - at + 1); /* exactly what may be read */
        if (!copy)
            abort();
        memcpy(copy, data + at, have - at);
        copy[have - at] = 0;
        ret->status = pl_framing_next(&f, copy, have - at, have == n, &place, &err);
        if (ret->status && !err.text[0])
            abort();
        if (!ret->status && (place.used > have - at || (place.any && !place.used)))
            abort();
        if (!ret->status && place.any) {
            if (place.data < copy || place.bytes > place.used ||
                (size_t)(place.data - copy) + place.bytes > place.used)
                abort();
            take_file(&f, &place);
            ret->at[ret->n] = at + (size_t)(place.data - copy);
            ret->bytes[ret->n++] = place.bytes;
        }
        free(copy);
        if (ret->status || (!place.any && have == n))
            return;
        at += place.used;
        have = place.any ? have : PL_MIN(have + piece, n);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const kinds[] = {"auto", "gray:8x8", "rgb24:9x8@25", "yuv420p:9x11"};
    struct found whole, pieces;
    if (!n)
        return 0;
    const char *kind = kinds[data[0] & 3];
    const size_t piece = 1 + (data[0] >> 2);
    read_stream(kind, data + 1, n - 1, SIZE_MAX / 2, &whole);
    read_stream(kind, data + 1, n - 1, piece, &pieces);
    if (whole.n != pieces.n || !whole.status != !pieces.status ||
        memcmp(whole.at, pieces.at, sizeof(whole.at)) != 0 ||
        memcmp(whole.bytes, pieces.bytes, sizeof(whole.bytes)) != 0)
        abort();
    return 0;
}
