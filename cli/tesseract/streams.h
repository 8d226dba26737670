/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the formats of a request go: a file each, or all to standard output. */
#ifndef PLATEN_CLI_TESSERACT_STREAMS_H
#define PLATEN_CLI_TESSERACT_STREAMS_H

#include "cli/tesseract/request.h"
#include "platen.h"

struct tess_streams {
    const struct tess_request *request;
    int fd[TESS_FORMATS];
    bool begun[TESS_FORMATS];          /* what stood in the file is gone */
    enum tess_format of[TESS_FORMATS]; /* of format i of `formats` */
    char formats[64];                  /* as platen_options wants them */
};

/* Opens BASE.EXT of every format, before files can be opened no more; what stands in them stays
 * until something is written. False after a message; tess_streams_close() in any case. */
bool tess_streams_open(struct tess_streams *s, const struct tess_request *r);
/* BASE.osd, or standard output: its descriptor, or -1 after a message. */
int tess_open_osd(const struct tess_request *r);
/* For platen_options.write_format; the context is a struct tess_streams. */
platen_status tess_streams_write(void *ctx, size_t format, const void *data, size_t n,
                                 struct platen_error *err);
/* Files of which nothing was written are empty then; where the run `failed` they are as they were.
 * False after a message. */
bool tess_streams_close(struct tess_streams *s, bool failed);

#endif
