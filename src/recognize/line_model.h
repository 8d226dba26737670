/* SPDX-License-Identifier: BSD-2-Clause */
/* What a network that reads lines tells of itself in its metadata (platen-model.5, LINE
 * RECOGNIZERS). */
#ifndef PL_RECOGNIZE_LINE_MODEL_H
#define PL_RECOGNIZE_LINE_MODEL_H

#include "base/arena.h"
#include "nn/graph_file.h"

struct pl_line_model {
    int height; /* of a line strip, px (32) */
    int stride; /* columns per step of the output (4) */
    int pad_left,
        pad_right; /* blank columns added to every line (8, 8), then up to a multiple of stride */
    float input_scale;  /* v = (q - input_zero) * input_scale, v = (hi - grey) / (hi - lo) */
    uint8_t input_zero; /* the byte of blank paper */
    size_t n_classes;   /* class 0 is the CTC blank */
    const char *const *alphabet; /* n_classes UTF-8 strings, [0] = "" */
    double min_conf;             /* of its lines, where nobody asks for another; below 0 = any */
    const char *languages; /* that it reads best: tags of BCP 47 parted by blanks; "" = not told */
    /* A smaller network, borrowed, which reads strips first; NULL = none. By
     * pl_line_model_add_quick(). */
    const struct pl_network *quick;
    float sure; /* what it reads at least so surely (pl_ctc_sureness()) stays */
    struct pl_arena arena;
};

/* PLATEN_ERR_ARG when the network has another input, or no alphabet: it reads no lines. _FORMAT for
 * metadata that cannot be, _NOMEM. */
PL_MUST_USE platen_status pl_line_model_read(const struct pl_network *n, struct pl_line_model *ret,
                                             struct platen_error *err);
/* Has `quick`, a smaller network of the same strips and classes, read strips before the network
 * itself, which then reads those of which the smaller one is not sure. Its file names the
 * bound. PLATEN_ERR_FORMAT when it takes other strips or has other classes, or when its metadata
 * cannot be; _ARG, _NOMEM. */
PL_MUST_USE platen_status pl_line_model_add_quick(struct pl_line_model *m,
                                                  const struct pl_network *quick,
                                                  struct platen_error *err);
/* Returns the least confidence of lines where `asked` is wanted, or, below 0, the network's own. */
float pl_line_model_min_conf(const struct pl_line_model *m, float asked);
/* Returns whether the model tells that it reads a language, a tag of BCP 47, best. */
bool pl_line_model_tells(const struct pl_line_model *m, const char *tag);
/* A model that is all zero is allowed. */
void pl_line_model_done(struct pl_line_model *m);

#endif
