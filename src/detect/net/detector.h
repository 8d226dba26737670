/* SPDX-License-Identifier: BSD-2-Clause */
/* A network that tells where a picture has text (platen-model.5, DETECTORS). */
#ifndef PL_DETECT_NET_DETECTOR_H
#define PL_DETECT_NET_DETECTOR_H

#include "image/image.h"
#include "nn/graph_file.h"
#include "simd/kernels.h"

enum { PL_CORE = 0, PL_WEAK = 128 }; /* of a part, in pl_text_maps.core */

struct pl_detector; /* one per worker: a session and a tile */

/* Network and kernels are borrowed and must outlive the detector. PLATEN_ERR_ARG when its input and
 * its maps are not those of platen's detector; PLATEN_ERR_FORMAT, _UNSUPPORTED, _NOMEM. */
PL_MUST_USE platen_status pl_detector_new(const struct pl_network *n, const struct pl_kernels *k,
                                          struct pl_detector **ret, struct platen_error *err);
void pl_detector_free(struct pl_detector *d);
/* Gives the memory of a page back until the next one. NULL is no detector. */
void pl_detector_rest(struct pl_detector *d);

/* Runs the network over the smallest tile. PLATEN_ERR_ARG when what comes out are not its maps. */
PL_MUST_USE platen_status pl_detector_try(struct pl_detector *d, struct platen_error *err);

/* Returns the x-height at which the network was trained, px of its picture. */
double pl_detector_xheight(const struct pl_detector *d);
/* Return the sides of a part, which one value of a map is about, and of a step, which one run of
 * the last layer makes; px of its picture. */
int pl_detector_part_width(const struct pl_detector *d);
int pl_detector_part_height(const struct pl_detector *d);
int pl_detector_step(const struct pl_detector *d);

/* What the network says of a picture. */
struct pl_text_maps {
    /* PL_CORE (ink) where the logit of a part is above the threshold, PL_WEAK where that is so but
     * for WEAK_ODDS, else 255 */
    struct pl_image core;
    int16_t *height;     /* 256 log2 (x-height / pl_detector_xheight()) of each step */
    int nx, ny;          /* steps */
    size_t height_bytes; /* of the buffer */
    struct pl_bufpool *bufs;
};

/* Runs the network over `gray`, tile by tile. The result depends on neither threads nor ISA. A part
 * counts as core where its logit is above `threshold`. PLATEN_ERR_NOMEM, PLATEN_ERR_LIMIT. */
PL_MUST_USE platen_status pl_detector_run(struct pl_detector *d, const struct pl_env *env,
                                          const struct pl_image *gray, float threshold,
                                          struct pl_text_maps *ret, struct platen_error *err);
/* Zeroed maps are fine. */
void pl_text_maps_done(struct pl_text_maps *m);

#define pl_auto_text_maps __attribute__((cleanup(pl_text_maps_done))) struct pl_text_maps

PL_DEFINE_AUTO(detector)

#endif
