/* SPDX-License-Identifier: BSD-2-Clause */
/* From a map of text to boxes, as the DB family does it. */
#ifndef PL_DETECT_NET_DB_BOXES_H
#define PL_DETECT_NET_DB_BOXES_H

#include "base/arena.h"
#include "base/geom.h"
#include "detect/net/db_net.h"

/* A box that may lie askew, in px of the picture. (ux, uy) is the unit vector along the side that
 * is nearest to level, from left to right. */
struct pl_text_box {
    struct pl_point middle;
    double ux, uy;
    double length, height; /* along that and across */
    double score;          /* mean probability inside, before it grew */
};

struct pl_db_rules {
    double threshold; /* probability of a place that counts */
    double score;     /* least mean probability of a box */
    double unclip;    /* it grows on all sides by area / perimeter times this */
};

/* The boxes of least area around the 8-connected parts of the map above the threshold, in raster
 * order of these, in `arena`. Parts less than 3 places wide are left out. PLATEN_ERR_NOMEM,
 * _LIMIT, _CANCELED. */
PL_MUST_USE platen_status pl_db_boxes_find(const struct pl_env *env, struct pl_arena *arena,
                                           const struct pl_db_map *map,
                                           const struct pl_db_rules *rules,
                                           struct pl_text_box **ret, size_t *ret_n,
                                           struct platen_error *err);

/* Where a point lies in the box: the sides are -1 and 1 on both axes. */
struct pl_point pl_text_box_at(const struct pl_text_box *b, double x, double y);
/* Smallest rectangle of whole pixels around b, inside width x height. */
struct pl_rect pl_text_box_bounds(const struct pl_text_box *b, int width, int height);

#endif
