/* SPDX-License-Identifier: BSD-2-Clause */
/* Decoders in processes of their own. Each picture has one: a decoder that crashes, hangs or takes
 * all memory costs that picture, and one that a picture took over reaches no other. Pages of one
 * PDF may come to the same cell one after the other, since each would read the table of the whole
 * document again; a failure is believed only in a cell that read no page before.
 *
 * A helper process is forked before there are threads; the cells are forked from it. A cell gets
 * the bytes of the file in one shared mapping and leaves the pixels in another one, whose size this
 * process set; it can do nothing but compute. */
#ifndef PL_CODEC_CELL_H
#define PL_CODEC_CELL_H

#include "codec/decode.h"
#include "codec/pdf/update.h"
#include "codec/stored.h"

struct pl_cells_options {
    int n;              /* pictures at once */
    uint64_t max_bytes; /* of memory that a picture may take */
    bool unbounded;     /* only files that need one of PL_LIBRARIES_ALL, from the first one on */
    int time_ms;        /* that it may take, and a twelfth of that more for each megabyte of file */
    void (*before)(const uint8_t *data, size_t n); /* tests: runs in the cell before it decodes */
};

struct pl_cell_kit;
typedef void pl_cell_helper_fn(const struct pl_cell_kit *kit);

/* Forks the helper, which runs `helper`: pl_cell_helper(), so that what asks for pictures does not
 * depend on decoders. From now on pl_image_load() and its kind use cells. With o->unbounded the
 * first pl_cells_meet() forks it. Called once, before there are threads. PLATEN_ERR_INTERNAL,
 * _NOMEM. */
PL_MUST_USE platen_status pl_cells_start(const struct pl_cells_options *o,
                                         pl_cell_helper_fn *helper, struct platen_error *err);
/* Ends the helper and its cells. */
void pl_cells_stop(void);
/* To be called before there are threads where files may come that need the libraries of the set
 * `which`: a helper that has not loaded them is followed by one that has. */
PL_MUST_USE platen_status pl_cells_meet(unsigned which, struct platen_error *err);
/* Whether files go to cells: those that need one of PL_LIBRARIES_ALL, or all others, too. */
bool pl_cells_take(bool unbounded);

/* These do what their namesakes of codec.h and decode.h do, in a cell. `room` is what an image of
 * the picture takes at most (pl_image_most_bytes()), 0 when that is not known: with it the cell
 * leaves the pixels where this process reads them, and copies none. */
PL_MUST_USE platen_status pl_cells_decode(const struct pl_source *src, size_t room,
                                          struct pl_decoded *ret, struct platen_error *err);
PL_MUST_USE platen_status pl_cells_probe(const uint8_t *data, size_t n,
                                         const struct pl_load_options *opt,
                                         struct pl_image_info *ret, struct platen_error *err);
PL_MUST_USE platen_status pl_cells_pages(const uint8_t *data, size_t n, struct pl_pages *ret,
                                         struct platen_error *err);
PL_MUST_USE platen_status pl_cells_read_update(const struct pl_pdf_update_source *src,
                                               struct pl_pdf_update *ret, struct platen_error *err);
/* Of a page of a PDF; src->env may be NULL. */
bool pl_cells_stored(const struct pl_source *src, struct pl_stored *ret);

/* ---- between this process, the helper and the cells; one machine, one program ---- */

enum pl_cell_work { PL_CELL_LOAD, PL_CELL_PROBE, PL_CELL_PAGES, PL_CELL_UPDATE, PL_CELL_STORED };

struct pl_cell_request {
    enum pl_cell_work work;
    enum pl_isa isa;
    size_t n;    /* of the file, in the first mapping */
    size_t room; /* of the second mapping; 0 = its size is not known yet */
    struct pl_load_options opt;
    struct pl_pdf_update_source update; /* without its data */
};

/* What a cell answers; nothing in it is trusted. After a first reply for the places of pages, for
 * the texts of an update, for a picture as it is stored, or for one that is not in the second
 * mapping yet, the cell waits for the size of that, a uint64_t. It replies once more when the
 * mapping holds the rows, one behind the other, the places and labels, the texts, or the bytes of
 * the picture and behind them those that it shares. */
struct pl_cell_reply {
    int status, os_errno;
    char text[sizeof(((struct platen_error *)0)->text)];
    int width, height;
    int channels;              /* of a picture that was decoded: pl_format */
    uint64_t decode_bytes;     /* as pl_image_info has it */
    int number;                /* of pages */
    bool placed;               /* it knows where pages begin */
    uint64_t label_bytes;      /* of the labels of all pages, which follow their places */
    struct pl_pdf_place place; /* of an update */
    uint64_t text_bytes[PL_PDF_OLD_TEXTS];
    struct pl_stored stored; /* without its bytes */
    char format[12];
    bool bilevel; /* its rows are packed bits: 1 is ink */
    bool in_room; /* its rows are in the second mapping, each `step` bytes behind the one before */
    uint64_t at, step; /* the first of them there */
    int flaw;          /* of pl_cell_flaws; 0 = none */
    struct pl_damage damage;
    bool drawn, over; /* with a failure, as pl_decoded has it */
    double drawn_dpi; /* that the rendered page will have; 0 = not known */
    struct pl_page_told told;
    float dpi_x, dpi_y;
    bool stays; /* the cell waits for a further request, of the same file */
};

/* What may be wrong with a file that is read all the same. */
static const char *const pl_cell_flaws[] = {
    NULL,          PL_FLAW_NO_END, PL_FLAW_HAS_TEXT, PL_FLAW_SKIPPED, PL_FLAW_OVERDRAWN,
    PL_FLAW_TWICE, PL_FLAW_COVERED};

/* Bytes of a row in the second mapping. */
static inline size_t pl_cell_row_bytes(const struct pl_cell_reply *a)
{
    return a->bilevel ? ((size_t)a->width + 7) / 8 : (size_t)a->width * (size_t)a->channels;
}

/* An order to the helper: it ends the cell of that place, if there is one, and begins another where
 * `begin` is set. The helper answers how the old cell ended, and sends the channel of the new one.
 */
struct pl_cell_order {
    int place;
    bool begin;
};

struct pl_cell_end {
    int status;   /* of the old cell, as wait() has it */
    int os_errno; /* why no new one could be begun; 0 = there is one, or none was wanted */
};

/* A cell exits so where it could not have its descriptors. */
#define PL_CELL_NO_DESCRIPTORS 3

/* What the helper is given. in_fds and out_fds are the descriptors of the mappings, o->n of each.
 */
struct pl_cell_kit {
    const struct pl_cells_options *o;
    unsigned libraries; /* to load */
    int control;
    const int *in_fds, *out_fds;
};

/* Serves orders until the control channel closes, then ends the process. */
_Noreturn void pl_cell_helper(const struct pl_cell_kit *kit);

#endif
