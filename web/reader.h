/* SPDX-License-Identifier: BSD-2-Clause */
/* What the WebAssembly module exports. Its caller lays bytes into memory of pl_web_alloc(), and
 * reads texts where they lie; package/platen.js does that. Where a function fails,
 * pl_web_message() tells why. */
#ifndef PL_WEB_READER_H
#define PL_WEB_READER_H

#include <stddef.h>
#include <stdint.h>

#define PL_WEB_EXPORT __attribute__((visibility("default")))

struct pl_web_reader;

PL_WEB_EXPORT void *pl_web_alloc(size_t n); /* NULL = there is no memory */
PL_WEB_EXPORT void pl_web_free(void *p);
PL_WEB_EXPORT const char *pl_web_message(void);

/* The files of a reader: what reads lines, its language model, what tells languages apart, what
 * sees lines, and the smaller network that reads lines first. */
enum {
    PL_WEB_MODEL,
    PL_WEB_LANGUAGE,
    PL_WEB_IDENTIFIER,
    PL_WEB_DETECTOR,
    PL_WEB_QUICK,
    PL_WEB_MODELS
};

/* Makes a reader of the bytes of PL_WEB_MODELS files, each from pl_web_alloc(); all but the first
 * may be NULL. They belong to the reader, even on failure, which returns NULL. */
PL_WEB_EXPORT struct pl_web_reader *pl_web_open(void *const *models, const size_t *n_bytes);
PL_WEB_EXPORT void pl_web_close(struct pl_web_reader *r);

/* A picture of width x height pixels, four bytes each: red, green, blue, alpha; they are used up.
 * For documents it is there as a JPEG, too, which goes into them as it is. */
struct pl_web_page {
    double dpi; /* 0 = unknown */
    uint8_t *rgba;
    const uint8_t *jpeg; /* or NULL */
    size_t jpeg_bytes;
    int width, height;
};

/* Reads a picture; spec is a pipeline that makes one page of one. Returns 0 when pl_web_text() has
 * the result, until the next call. */
PL_WEB_EXPORT int pl_web_read(struct pl_web_reader *r, const struct pl_web_page *page,
                              const char *spec, const char *format);
PL_WEB_EXPORT const char *pl_web_text(const struct pl_web_reader *r);
PL_WEB_EXPORT size_t pl_web_text_bytes(const struct pl_web_reader *r);

#endif
