/* SPDX-License-Identifier: BSD-2-Clause */
/* Prefix beam search over the steps of a line (Hannun et al., arXiv:1408.2873), where the best
 * path is not sure, with a language model and a dictionary. */
#ifndef PL_RECOGNIZE_SEARCH_H
#define PL_RECOGNIZE_SEARCH_H

#include "recognize/ctc.h"
#include "recognize/decoder.h"

struct pl_search; /* scratch of one worker */

PL_MUST_USE platen_status pl_search_new(struct pl_search **ret, struct platen_error *err);
void pl_search_free(struct pl_search *s);

/* Replaces the best path runs[0..*n) of a line by a likelier text, where there is one, by the words
 * of the decoder and by `language`, its language model or NULL; runs has room for all steps.
 * PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_search_run(struct pl_search *s, const struct pl_decoder *d,
                                        const struct pl_language *language,
                                        const struct pl_kernels *k, const struct pl_ctc_line *line,
                                        struct pl_ctc_run *runs, size_t *n,
                                        struct platen_error *err);

PL_DEFINE_AUTO(search)

#endif
