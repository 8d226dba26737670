/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the frames of a stream of bytes are: YUV4MPEG2 (of the mjpegtools, as FFmpeg writes it),
 * raw pixels, the parts of multipart/x-mixed-replace (RFC 2046, of cameras), and pictures one
 * behind the other, such as Motion JPEG. */
#ifndef PL_FILES_FRAMING_H
#define PL_FILES_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* What the bytes of a frame are. */
enum pl_frame_pixels {
    PL_FRAME_CODED, /* a picture as a file has it */
    PL_FRAME_GRAY,
    PL_FRAME_RGB,
    PL_FRAME_YUV, /* a plane of brightness, and two of colour */
};

#define PL_BOUNDARY_BYTES 256 /* of the line between two parts at most, with its zero */

struct pl_framing {
    enum {
        PL_FRAMING_UNTOLD, /* its beginning will tell */
        PL_FRAMING_Y4M,
        PL_FRAMING_RAW,
        PL_FRAMING_PARTS,
        PL_FRAMING_PICTURES,
        PL_FRAMING_OVER /* behind the last part */
    } kind;
    enum pl_frame_pixels pixels;
    int width, height;      /* unless the frames are coded */
    int chroma_x, chroma_y; /* of YUV: pixels across and down that share a colour */
    bool full_range;        /* levels are 0 to 255, not 16 to 235 */
    double fps;             /* frames in a second; 0 = not told */
    char boundary[PL_BOUNDARY_BYTES];
    size_t seen; /* bytes of the present frame in which its end was looked for */
};

/* A frame within the bytes that were given. */
struct pl_frame_place {
    bool any;
    const uint8_t *data;
    size_t bytes;
    size_t used;   /* bytes up to the next frame; they count without a frame, too */
    size_t wanted; /* without a frame: bytes that are needed at least, as far as is known */
};

/* Reads "KIND" or "KIND@RATE", where KIND is "auto", or "gray", "rgb24" or "yuv420p" with ":WxH",
 * and RATE a number of frames in a second, as 25 or 30000/1001. PLATEN_ERR_ARG. */
PL_MUST_USE platen_status pl_framing_parse(const char *text, struct pl_framing *ret,
                                           struct platen_error *err);
/* Finds the first frame of data[0..n), which begins where the last frame ended. Without one more
 * bytes are needed; with `end` there are none, and what is left over is an error or, of pictures, a
 * frame that its decoder refuses. data[n] can be read. PLATEN_ERR_FORMAT, _UNSUPPORTED; *f is of no
 * use then. */
PL_MUST_USE platen_status pl_framing_next(struct pl_framing *f, const uint8_t *data, size_t n,
                                          bool end, struct pl_frame_place *ret,
                                          struct platen_error *err);
/* Bytes of a frame that is not coded. */
size_t pl_framing_bytes(const struct pl_framing *f);

#endif
