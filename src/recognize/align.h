/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the characters of a text lie in the steps of a line: the likeliest path of connectionist
 * temporal classification that spells it (forced alignment; Viterbi). */
#ifndef PL_RECOGNIZE_ALIGN_H
#define PL_RECOGNIZE_ALIGN_H

#include "base/status.h"
#include "recognize/ctc.h"

/* Scratch of one worker; all zero at first. */
struct pl_align {
    uint8_t *moves;
    size_t moves_cap;
    float *row;
    size_t row_cap;
    struct pl_ctc_run *fresh;
    size_t fresh_cap;
};

void pl_align_free(struct pl_align *a);

/* Turns the best path runs[0..*n) into the runs of text[0..length), classes that some path through
 * all steps spells. Runs that both begin and end with stay as they are, but for one on each side of
 * what differs. runs has room for all steps. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_align_text(struct pl_align *a, const struct pl_ctc_line *line,
                                        const uint32_t *text, size_t length,
                                        struct pl_ctc_run *runs, size_t *n,
                                        struct platen_error *err);

#endif
