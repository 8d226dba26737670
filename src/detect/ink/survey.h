/* SPDX-License-Identifier: BSD-2-Clause */
/* The scratch of stage two. A survey says what the ink of a page is made of and how large its text
 * is; what was found in it are groups, which become the lines of the result tree. A blob is a
 * connected component of ink. A group is a set of blobs that follow each other on one baseline:
 * first a run of glyphs, in the end a text line. */
#ifndef PL_DETECT_INK_SURVEY_H
#define PL_DETECT_INK_SURVEY_H

#include "base/arena.h"
#include "base/curve.h"
#include "image/bits.h"
#include "image/components.h"
#include "page/page_image.h"
#include "page/result.h"

enum pl_blob_kind {
    PL_BLOB_TEXT,    /* may be a glyph or a part of one */
    PL_BLOB_SPECK,   /* smaller than a full stop: belongs to a line or is dirt */
    PL_BLOB_RULE,    /* long and thin */
    PL_BLOB_GRAPHIC, /* too big for text, or a bar of a barcode */
    PL_BLOB_MARK,    /* a dash alone, level with no row */
    PL_BLOB_CIRCLE,  /* one to choose from, which belongs to the text beside it */
    PL_BLOB_TURNED,  /* in a line that runs up or down; this kind and those below are in lines */
    PL_BLOB_INITIAL, /* a big letter before several rows */
    PL_BLOB_DASH,    /* a dash alone in its row */
};

struct pl_blob {
    struct pl_rect box;
    uint32_t ink_px;
    uint32_t first_run, n_runs; /* in survey.comps.runs */
    int32_t group;              /* that it is in; -1 = none */
    uint8_t kind;               /* enum pl_blob_kind */
};

/* How the rows of a page bow: what is added to a straight row is a curve that changes evenly from
 * the top of the text to its end. */
struct pl_bow {
    struct pl_curve middle, below; /* of the row at y, and what rows `reach` px below that add */
    double y, reach;
};

/* Line of writing through a group. Its baseline is y = base + slope * x; where `bow` is not NULL,
 * that of the page's rows at `height` (pl_bow_height()) is added. */
struct pl_fit {
    double base, slope;
    const struct pl_bow *bow;
    double height;
    double size; /* median height of its glyphs, px */
    double xheight;
    double ascent, descent; /* of the farthest ink that belongs to it */
};

struct pl_group {
    struct pl_rect box;
    uint32_t first, n; /* in found.members */
    struct pl_fit fit;
};

/* Of a page's ink: the blobs, and the usual size, slope and bend of its text. */
struct pl_survey {
    /* given by the operation */
    const struct pl_env *env;
    struct pl_arena *arena;
    const struct pl_page_image *page; /* of which `lines` and its kin are asked; may be NULL */
    int min_height; /* smallest glyph that counts, and largest one that is in no row, px */
    int max_height;

    int width, height; /* of the page, px */
    bool turned; /* the page was turned clockwise by a quarter, with the blobs, but not the runs */
    struct pl_arena_mark start; /* of what is made of the present components */
    struct pl_components comps;
    struct pl_blob *blobs; /* sorted by box.x0 */
    uint32_t n_blobs;
    double size;  /* usual height of a glyph on this page, px; 0 = no text */
    double slope; /* usual slope of its lines */
    bool bowed;   /* its rows are not straight */
    struct pl_bow bow;

    /* taken out of the ink before the blobs were made, or too light for it */
    struct pl_bits walls;  /* upright rules, light ones too; may be empty */
    struct pl_bits floors; /* level ones */
    uint64_t erased_px;    /* ink of all rules */
    uint64_t cut_px;       /* ink by pl_touching_cut() */

    struct pl_square *squares; /* room for PL_MAX_SQUARES: first those that may be check boxes, */
    size_t n_squares;
    size_t n_frames; /* and behind them those that frame one letter each of a row */
};

/* What was found in the ink of a survey, which it holds. A function that takes the survey alone
 * may see that a blob is in a group, but not which others are. */
struct pl_found {
    struct pl_survey survey;
    struct pl_group *groups; /* sorted by box.x0 */
    uint32_t n_groups;
    uint32_t *members;      /* blobs of the groups, each group's from left to right */
    struct pl_line *others; /* lines that are no groups */
    uint32_t n_others;
};

/* Returns blob number i of the group, from the left. */
static inline const struct pl_blob *pl_group_blob(const struct pl_found *found,
                                                  const struct pl_group *g, uint32_t i)
{
    return &found->survey.blobs[found->members[g->first + i]];
}

/* Returns the column of the middle of the blob. */
static inline double pl_blob_x(const struct pl_blob *b)
{
    return 0.5 * (b->box.x0 + b->box.x1);
}

/* A zeroed array from the survey's arena; NULL when memory is short. */
#define PL_SURVEY_NEW(survey, type, n) PL_NEW((survey)->arena, type, (n))

/* Reports the memory that the survey's arena could not get: what a step that returned false or NULL
 * ran into. */
PL_MUST_USE platen_status pl_survey_nomem(const struct pl_survey *survey, struct platen_error *err);

/* Returns how far below the middle of the bowed text what is in r lies, as a share of its reach. */
static inline double pl_bow_height(const struct pl_bow *bow, struct pl_rect r)
{
    return (0.5 * (r.y0 + r.y1) - bow->y) / bow->reach;
}

/* Returns how far a row at that height lies below a straight one at column x. */
static inline double pl_bow_at(const struct pl_bow *bow, double x, double height)
{
    return pl_curve_at(&bow->middle, x) + height * pl_curve_at(&bow->below, x);
}

/* Returns the height of the baseline at column x. */
static inline double pl_fit_y(const struct pl_fit *f, double x)
{
    double y = f->base + f->slope * x;
    return f->bow ? y + pl_bow_at(f->bow, x, f->height) : y;
}

#endif
