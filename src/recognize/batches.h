/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines in batches, which the recognizers of all workers share. */
#ifndef PL_RECOGNIZE_BATCHES_H
#define PL_RECOGNIZE_BATCHES_H

#include "recognize/recognizer.h"

struct pl_batches {
    struct pl_recognizer *const *team; /* one for each worker */
    const struct pl_decoding *decoding;
    size_t model;                    /* 0 = the team's own, i = the i-th of the further ones */
    bool mirrored;                   /* lines are read as a mirror shows them */
    struct pl_reading_model further; /* the further one, once pl_batches_run() has opened it */
    /* The lines to be read. pl_batches_run() sets the decoder, and puts the network's own min_conf
     * in the place of one below 0. */
    struct pl_lines lines;
    size_t *first; /* batch i: lines first[i]..first[i + 1] - 1 */
    size_t n;
};

/* Makes room for so many lines, in lines.arena; there are none yet. Returns false when memory is
 * short. */
PL_MUST_USE bool pl_batches_room(struct pl_batches *b, size_t lines);
void pl_batches_add(struct pl_batches *b, struct pl_reading *page, struct pl_line *line);
/* Reads the lines that were added. What fails is noted in their pages. */
void pl_batches_run(struct pl_batches *b, const struct pl_env *env);

/* About how many columns a line's strip has. */
size_t pl_strip_columns(const struct pl_line *line, int height);

#endif
