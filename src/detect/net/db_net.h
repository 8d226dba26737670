/* SPDX-License-Identifier: BSD-2-Clause */
/* An imported network that gives every place of a picture a probability of text, as those of the DB
 * family do (Liao, Wan, Yao, Chen, Bai: Real-time Scene Text Detection with Differentiable
 * Binarization, AAAI 2020). */
#ifndef PL_DETECT_NET_DB_NET_H
#define PL_DETECT_NET_DB_NET_H

#include "image/image.h"
#include "nn/graph_file.h"
#include "simd/kernels.h"

#define PL_DB_CHANNELS 3

/* How boxes are made of a map. */
struct pl_db_rules {
    double threshold; /* probability of a place that counts */
    double score;     /* least mean probability of a box */
    double unclip;    /* it grows on all sides by area / perimeter times this */
};

/* What the network expects of its input, and what is made of its output. */
struct pl_db_options {
    int side;                                        /* longest side of the picture, px */
    float mean[PL_DB_CHANNELS], std[PL_DB_CHANNELS]; /* of grey from 0 to 1 */
    struct pl_db_rules rules;
};

struct pl_db_net; /* one per worker: a session and its input */

/* What the network says of a picture. */
struct pl_db_map {
    const float *text; /* probability, row by row */
    int width, height;
    double scale_x, scale_y; /* px of the picture per place */
};

/* Network and kernels are borrowed and must outlive it. PLATEN_ERR_ARG when its input is no picture
 * (1x1xHxW or 1x3xHxW floats), PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_db_net_new(const struct pl_network *n, const struct pl_kernels *k,
                                        const struct pl_db_options *o, struct pl_db_net **ret,
                                        struct platen_error *err);
void pl_db_net_free(struct pl_db_net *d);
/* Returns the rules that it was made with. */
const struct pl_db_rules *pl_db_net_rules(const struct pl_db_net *d);
/* Gives the memory of a page back until the next one. NULL is no network. */
void pl_db_net_rest(struct pl_db_net *d);

/* Runs the network over a small blank picture; the map, whose scales mean nothing, is valid until
 * the next run. PLATEN_ERR_ARG when what comes out is no map of text. */
PL_MUST_USE platen_status pl_db_net_try(struct pl_db_net *d, struct pl_db_map *ret,
                                        struct platen_error *err);

/* Runs the network over `gray` in all channels, made smaller where a side is longer than the option
 * or the network's own size. Where a size may vary it is one of whole steps of 32, else paper fills
 * up. The map is valid until the next run. PLATEN_ERR_NOMEM, _LIMIT, and what the network's nodes
 * refuse. */
PL_MUST_USE platen_status pl_db_net_run(struct pl_db_net *d, const struct pl_env *env,
                                        const struct pl_image *gray, struct pl_db_map *ret,
                                        struct platen_error *err);

PL_DEFINE_AUTO(db_net)

#endif
