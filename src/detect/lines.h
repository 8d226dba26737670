/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of the stage, for its registry, and the steps that they have in common. */
#ifndef PL_DETECT_LINES_H
#define PL_DETECT_LINES_H

#include "detect/detect.h"
#include "detect/ink/survey.h"

extern const struct pl_detect_op pl_detect_line;    /* the page is one line */
extern const struct pl_detect_op pl_detect_regions; /* lines where a network sees text */
/* Lines where an imported network of the DB family sees text. */
extern const struct pl_detect_op pl_detect_db;

/* Arguments of the operation `db`. Numbers below 0 and texts "auto" are what the network brings as
 * metadata, or the defaults of PP-OCR. */
struct pl_db_args {
    int min_height_px;
    enum pl_columns columns;
    const char *model;
    double threshold, score, unclip;
    int side_px;
    const char *mean, *std;
};

/* Settles what the arguments leave to the network. PLATEN_ERR_ARG for an argument that cannot be,
 * PLATEN_ERR_FORMAT for such metadata. */
PL_MUST_USE platen_status pl_db_settle(const struct pl_network *n, const struct pl_db_args *args,
                                       struct pl_db_options *ret, struct platen_error *err);

/* Returns a search for the lines of a page in which nothing was found yet, for letters of at least
 * that height; pl_found_end() is due. */
struct pl_found pl_found_begin(const struct pl_env *env, struct pl_arena *arena,
                               const struct pl_page_image *page, int min_height_px);
/* Ends a search that came to status s, which it returns: gives components and bits back, and
 * *regions to *ret if all went well. */
PL_MUST_USE platen_status pl_found_end(struct pl_found *found, platen_status s,
                                       const struct pl_regions *regions, struct pl_regions *ret);

/* Finds the groups of a picture that are its text lines; a grey picture is binarised for that. The
 * caller gives env, arena and both heights of the survey; pl_survey_done() is due whatever comes
 * back. PLATEN_ERR_NOMEM, _LIMIT, _CANCELED. */
platen_status pl_lines_find(struct pl_found *found, const struct pl_image *im, bool columns,
                            struct platen_error *err);

/* Gives components and bits back; what lies in the arena stays. */
void pl_survey_done(struct pl_survey *survey);

/* Gives the groups and the other lines in reading order; `columns` = false reads across the page.
 * Returns false when memory is short. */
bool pl_lines_emit(struct pl_found *found, bool columns, struct pl_regions *ret);

/* Parameters of every operation that finds lines; `type` is its struct of arguments. */
#define PL_LINES_MIN_HEIGHT(type)                                                                  \
    {                                                                                              \
        .name = "min-height", PL_PARAM(type, min_height_px), .min = 2, .max = 1000, .def = 4,      \
        .unit = "px", .help = "smallest height of a letter"                                        \
    }
#define PL_LINES_COLUMNS(type)                                                                     \
    {                                                                                              \
        .name = "columns", PL_PARAM(type, columns),                                                \
        .choices =                                                                                 \
            (const char *const[]){                                                                 \
                [PL_COLUMNS_AUTO] = "auto", [PL_COLUMNS_SINGLE] = "single", NULL},                 \
        .unit = "", .help = "split lines and order at columns, or read across the page"            \
    }

#endif
