/* The operations of the stage, for its registry. */
#ifndef PL_DETECT_LINES_H
#define PL_DETECT_LINES_H

#include "detect/detect.h"

extern const struct pl_detect_op pl_detect_line;    /* the page is one line */
extern const struct pl_detect_op pl_detect_regions; /* lines where a network sees text */
extern const struct pl_detect_op pl_detect_db;      /* the same, an imported network */

/* Arguments of `db`. */
struct pl_db_args {
    int min_height_px;
    enum pl_columns columns;
    const char *model;
    double threshold, score, unclip;
    int side_px;
    const char *mean, *std;
};

#endif
