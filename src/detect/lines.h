/* The operations of the stage, for its registry. */
#ifndef PL_DETECT_LINES_H
#define PL_DETECT_LINES_H

#include "detect/detect.h"

extern const struct pl_detect_op pl_detect_lines;   /* all lines of a page */
extern const struct pl_detect_op pl_detect_line;    /* the page is one line */
extern const struct pl_detect_op pl_detect_regions; /* lines where a network sees text */
extern const struct pl_detect_op pl_detect_db;      /* the same, an imported network */

#endif
