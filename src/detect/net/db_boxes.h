/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes boxes of the map of a network of the DB family. */
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
    double length, height; /* along (ux, uy) and across */
    double score;          /* mean probability inside, before it grew */
};

/* Gives the boxes of least area around the 8-connected parts of the map above the threshold, in
 * raster order of the parts; they lie in `arena`. Parts thinner than MAP_MIN_SIDE are left out.
 * PLATEN_ERR_NOMEM, _LIMIT, _CANCELED. */
PL_MUST_USE platen_status pl_db_boxes_find(const struct pl_env *env, struct pl_arena *arena,
                                           const struct pl_db_map *map,
                                           const struct pl_db_rules *rules,
                                           struct pl_text_box **ret, size_t *ret_n,
                                           struct platen_error *err);

/* Returns where a point lies in the box, whose sides are at -1 and 1 on both axes. */
struct pl_point pl_text_box_at(const struct pl_text_box *b, double x, double y);
/* Returns the smallest rectangle of whole pixels around b, inside width x height. */
struct pl_rect pl_text_box_bounds(const struct pl_text_box *b, int width, int height);

#endif
