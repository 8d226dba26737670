/* SPDX-License-Identifier: BSD-2-Clause */
/* The way of one picture through the four stages, in the order in which they run. It needs no file,
 * no thread and no clock: src/job takes the pages of a run this way, web/ those of a browser. */
#ifndef PL_STAGES_STAGES_H
#define PL_STAGES_STAGES_H

#include "detect/detect.h"
#include "layout/way_up.h"
#include "preprocess/ops.h"
#include "recognize/recognize.h"
#include "spec/spec.h"

/* One picture on its way: a page, or one of the two pages that `split` makes of one. */
struct pl_part {
    int number;   /* 1 or 2 of a page that was made two, else 0 */
    size_t steps; /* operations of stage one that it has behind it */
    struct pl_page_image image;
    struct pl_page_image standing; /* while `image` is turned left: as it stands */
    struct pl_doubt doubt;         /* about its way up, until it is read */
    struct pl_regions regions;     /* in the arena of the stages */
    struct pl_reading reading;     /* of its lines */
    struct pl_part *other; /* where an operation that makes two pages of one puts the second */
};

/* Gives back what a part holds. */
void pl_part_done(struct pl_part *part);

/* What parts are taken through the stages with. All is borrowed. */
struct pl_stages {
    const struct platen_pipeline *pipeline;
    const struct pl_env *env;
    struct pl_arena *arena;             /* of what is found and read */
    const struct pl_detect_net *net;    /* nothing when the pipeline detects without a network */
    struct pl_recognizer *const *team;  /* NULL where the pipeline does not recognize */
    const struct pl_decoding *decoding; /* NULL where the pipeline does not recognize */
    void *ctx;                          /* of the two below, each of which may be NULL */
    /* A stage begins. */
    void (*enter)(void *ctx, enum platen_stage stage);
    /* The picture of a part is as the operation `name` leaves it; at first as it came ("input"). */
    platen_status (*stepped)(void *ctx, const struct pl_part *part, const char *name,
                             struct platen_error *err);
};

/* Takes a part, of which the picture alone is there, to where its lines can be read. */
PL_MUST_USE platen_status pl_stages_begin(const struct pl_stages *st, struct pl_part *part,
                                          struct platen_error *err);
/* Reads the lines of n parts that share a pipeline. What fails is in their readings. */
void pl_stages_recognize(const struct pl_stages *st, struct pl_reading *const *readings, size_t n);
/* Takes a part whose lines have been read to its end. A page that is turned upright by what was
 * read goes through all stages again from where its way up was in doubt. */
PL_MUST_USE platen_status pl_stages_end(const struct pl_stages *st, struct pl_part *part,
                                        struct platen_error *err);
/* All three for one part. */
PL_MUST_USE platen_status pl_stages_run(const struct pl_stages *st, struct pl_part *part,
                                        struct platen_error *err);

#endif
