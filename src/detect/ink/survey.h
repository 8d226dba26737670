/* SPDX-License-Identifier: BSD-2-Clause */
/* A page's ink on its way to lines: what was surveyed of it, and what was found in it. A blob is a
 * connected component of ink. A group is a set of blobs that follow each other on one baseline:
 * first a run of glyphs, in the end a text line. */
#ifndef PL_DETECT_INK_SURVEY_H
#define PL_DETECT_INK_SURVEY_H

#include "base/arena.h"
#include "detect/net/text_mask.h"
#include "image/components.h"
#include "page/result.h"

enum pl_blob_kind {
    PL_BLOB_TEXT,    /* may be a glyph or a part of one */
    PL_BLOB_SPECK,   /* smaller than a full stop: belongs to a line or is dirt */
    PL_BLOB_RULE,    /* long and thin */
    PL_BLOB_GRAPHIC, /* too big for text, or a bar of a barcode */
    PL_BLOB_MARK,    /* a dash alone, level with no row */
    PL_BLOB_TURNED,  /* of a line that runs up or down; this and the rest are in lines */
    PL_BLOB_INITIAL, /* a big letter before several rows */
    PL_BLOB_DASH,    /* alone in its row */
};

struct pl_blob {
    struct pl_rect box;
    uint32_t ink_px;
    uint32_t first_run, n_runs; /* in layout.comps.runs */
    int32_t group;              /* -1 = none */
    uint8_t kind;               /* enum pl_blob_kind */
};

/* Line of writing through a group. Its baseline is y = base + slope * x, bowed where `bend` is not
 * 0: by bend * (x - x0) * (x - x1). */
struct pl_fit {
    double base, slope;
    double bend, x0, x1;
    double size; /* median height of its glyphs, px */
    double xheight;
    double ascent, descent; /* of the farthest ink that belongs to it */
};

struct pl_group {
    struct pl_rect box;
    uint32_t first, n; /* in layout.members */
    struct pl_fit fit;
};

struct pl_layout {
    /* given */
    const struct pl_env *env;
    struct pl_arena *arena;
    int min_height; /* smallest and largest glyph that counts, px */
    int max_height;
    const struct pl_text_mask *text; /* where there may be text; NULL = anywhere */
    int width, height;
    struct pl_arena_mark start; /* of what is made of the present components */

    /* surveyed: the ink, and what most of its text has in common */
    struct pl_components comps;
    struct pl_blob *blobs; /* sorted by box.x0 */
    uint32_t n_blobs;
    double size;  /* usual height of a glyph on this page, px; 0 = no text */
    double slope; /* usual slope of its lines */
    double bend;  /* how most of them bow; 0 = they are straight */

    /* found: lines, and what is none */
    struct pl_group *groups; /* sorted by box.x0 */
    uint32_t n_groups;
    uint32_t *members;      /* blobs of the groups, each group's from left to right */
    struct pl_line *others; /* lines that are no groups */
    uint32_t n_others;
    struct pl_bits walls;   /* upright rules that pl_rules_erase() took out; may be empty */
    struct pl_bits floors;  /* level ones */
    struct pl_bits outside; /* the ink where there may be no text */
    uint64_t erased_px;     /* ink of all rules that were taken out */
    uint64_t cut_px;        /* ink that pl_touching_cut() took out */
};

/* A zeroed array from the layout's arena; NULL when memory is short. */
#define PL_LAYOUT_NEW(l, type, n) PL_NEW((l)->arena, type, (n))

/* Reports the memory that the layout's arena could not get: what a step that returned false or NULL
 * ran into. */
PL_MUST_USE platen_status pl_layout_nomem(const struct pl_layout *l, struct platen_error *err);

/* Baseline of g at x. */
static inline double pl_fit_y(const struct pl_fit *f, double x)
{
    return f->base + f->slope * x + f->bend * (x - f->x0) * (x - f->x1);
}

#endif
