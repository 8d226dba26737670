/* SPDX-License-Identifier: BSD-2-Clause */
/* What the markers of a JPEG tell (ITU-T T.81, annex B), from its bytes alone. Nothing outside
 * src/codec includes this, but for web, which has no decoders. */
#ifndef PL_CODEC_JPEG_MARKS_H
#define PL_CODEC_JPEG_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pl_jpeg_marks {
    int width, height, components; /* of the frame; 0 where there is none */
    const uint8_t *exif;           /* the TIFF structure of the first EXIF block; or NULL */
    size_t exif_bytes;
    size_t frame;    /* where its marker is */
    bool baseline;   /* the frame is one of baseline */
    size_t scan;     /* where the coded data begin; 0 = they do not */
    int scans;       /* how many there are */
    size_t end;      /* behind the end mark; 0 = there is none */
    bool several;    /* further pictures are in the file (CIPA DC-007) */
    bool arithmetic; /* the code */
    bool restarts;   /* an interval of restarts is defined */
    int adobe; /* transform of Adobe's marker, plus one: 1 RGB, 2 YCbCr; 0 = it is not there */
};

/* The marks before the coded data: all but `end`. */
struct pl_jpeg_marks pl_jpeg_header_marks(const uint8_t *data, size_t n);
/* Those of the whole file; EXIF blocks behind the first scan do not count. */
struct pl_jpeg_marks pl_jpeg_all_marks(const uint8_t *data, size_t n);

#endif
