/* SPDX-License-Identifier: BSD-2-Clause */
/* One emitter per format; every format is a view of the same result tree. */
#ifndef PL_OUTPUT_EMIT_H
#define PL_OUTPUT_EMIT_H

#include "base/text.h"
#include "codec/codec.h"
#include "page/result.h"
#include "output/pdf/pdf_write.h"
#include "op/op.h"

/* A page that is done, or failed. */
struct pl_page_result {
    const char *path;       /* the input as the user named it */
    const char *file;       /* its name below the directory that was read, or as `path`; or NULL */
    int page;               /* in the input, from 1 */
    int frame;              /* in the input, from 1, where that is a stream of frames; else 0 */
    double time_s;          /* of the frame, since the first one */
    const char *page_label; /* as the input names the page; NULL = it does not */
    uint64_t page_at;       /* of pl_load_options */
    int part;               /* 1 or 2 of a page that was made two; else 0 */
    size_t number;      /* in the output, from 1: `page` in a file of its own and where all pages
                           are of one file; else it rises along the stream */
    int width, height;  /* of the input picture, EXIF applied; 0 when it failed early */
    float dpi_x, dpi_y; /* 0 = unknown */
    platen_status status;
    const char *error; /* text of the failure; NULL when status is PLATEN_OK */
    const char *flaw;  /* what is wrong with the file, although it was read; or NULL */
    bool damaged;      /* rows of the picture may be missing (pl_flaw) */
    const double *ms; /* wall times of the PLATEN_STAGE_OUTPUT stages before the output; NULL = they
                         are left out, so that the bytes are the same for every run */
    bool slim;        /* leave out char_conf and quad of json and ndjson */
    bool join_lines;  /* the lines of a paragraph are one in txt */
    bool clean;       /* pdf has the picture of `image`, not that of the file */
    bool pdfa;        /* pdf is PDF/A-2b */
    const struct pl_pdf_sheet *sheet; /* of documents; NULL = pages are as large as pictures */
    size_t piece;      /* of an emitter with pieces: which, from 1; 0 = all of them */
    const char *model; /* name and version of what reads lines; NULL = it has none */
    const struct pl_page_image *image; /* NULL when it failed */
    const struct pl_regions *regions;  /* NULL when the pipeline has no detect stage */
    bool recognized;                   /* the pipeline has a recognize stage */
    bool update; /* the document that the page comes from stays, and gets its text (pdf) */
    enum platen_pdf_text pdf_text;   /* what becomes of the text that a page of a PDF has */
    const struct pl_page_told *told; /* of the page of a PDF; may be NULL */
    bool has_own_dpi;                /* dpi_x and dpi_y are those that the file tells */
    const uint8_t *source;           /* the bytes of the input file, for emitters that ask */
    size_t source_bytes;
    const struct pl_raster *raster; /* the picture, where it is in no file; or NULL */
    uint64_t
        max_pixels; /* of pl_load_options; a picture in the source may be cut down to the page */
};

/* Appends the page to `out`. */
typedef platen_status pl_emit_fn(const struct pl_env *env, const struct pl_page_result *page,
                                 struct pl_str *out, struct platen_error *err);

/* What has been written of one output: a file of one page, or a stream of many. */
struct pl_stream {
    const struct pl_emitter *emitter;
    bool any;          /* a page */
    uint64_t at;       /* bytes so far */
    struct pl_pdf pdf; /* of format pdf */
    /* Of format tiff: the last page, a file of its own until the next one comes, and where in it
     * the place of that is told. */
    struct pl_str held;
    size_t held_next;
};

struct pl_emitter {
    const char *name;      /* "txt", as in -f */
    const char *extension; /* "txt", of output files */
    const char *help;      /* one line */
    const char *media_type;
    const char *head;        /* before the first page; NULL = nothing */
    const char *separator;   /* between pages: "\f" for txt; NULL = nothing */
    const char *tail;        /* behind the last page; NULL = nothing */
    enum platen_stage needs; /* the last stage that the pipeline must have */
    bool binary;             /* refused on a terminal */
    bool single;             /* one page per file */
    bool source;             /* wants the bytes of the input file */
    bool document;           /* below a directory all pages of an input go into one file */
    bool failures; /* tells of a page that failed (json, ndjson); others leave such pages out */
    const char
        *piece; /* below a directory a page has a file for each such part: "table"; or NULL */
    size_t (*count_pieces)(const struct pl_page_result *page);
    pl_emit_fn *emit;
    /* Where pages are not simply written one after the other: takes what emit() appended and gives
     * the bytes that go into the stream; with page NULL, the end of the stream. Such an output is
     * none without a page. */
    platen_status (*join)(struct pl_stream *st, const struct pl_str *page, struct pl_str *out,
                          struct platen_error *err);
};

/* Makes a stream with nothing in it. */
void pl_stream_init(struct pl_stream *st, const struct pl_emitter *e);
void pl_stream_done(struct pl_stream *st);
/* Begins the stream behind n bytes that stand there already: a document that stays as it is. Only
 * of format pdf. */
void pl_stream_begin_behind(struct pl_stream *st, uint64_t n);
/* Appends to `out` what the stream grows by: head or separator, and the page that emit() made. */
PL_MUST_USE platen_status pl_stream_page(struct pl_stream *st, const struct pl_str *page,
                                         struct pl_str *out, struct platen_error *err);
/* The same for its end; a stream without pages has head and tail. */
PL_MUST_USE platen_status pl_stream_end(struct pl_stream *st, struct pl_str *out,
                                        struct platen_error *err);

extern const struct pl_emitter *const pl_emitters[]; /* NULL-terminated */
/* Returns the emitter called name[0..n), or NULL. */
const struct pl_emitter *pl_emitter_find(const char *name, size_t n);

#endif
