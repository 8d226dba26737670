/* Which way up a page is, by reading some of its lines. */
#ifndef PL_JOB_UPRIGHT_H
#define PL_JOB_UPRIGHT_H

#include "op/op.h"
#include "recognize/recognize.h"

/* What the reading of a page tells of its way up: PL_UPRIGHT_SURE, so much was read, and so surely,
 * that it stands; PL_UPRIGHT_DOUBTFUL, it is one line, too short for a vote; PL_UPRIGHT_UNASKED, it
 * takes a vote. `asked` is the picture of which a vote would ask. */
PL_MUST_USE enum pl_upright pl_upright_judge(const struct pl_regions *regions,
                                             const struct pl_image *asked);

/* For a page whose letters leave it in doubt (PL_UPRIGHT_DOUBTFUL): reads its longest lines as they
 * stand; where these are no text upside down, and those of the page on its side; turns the page to
 * where clearly more was read. A picture of one line is not asked for more than its two ways.
 * `args` are those of the recognize operation `op`. What is read lies in `arena`. */
PL_MUST_USE platen_status pl_upright_vote(struct pl_recognizer *const *team,
                                          const struct pl_env *env, struct pl_arena *arena,
                                          const struct pl_recognize_op *op,
                                          const struct pl_arg *args, struct pl_page_image *page,
                                          struct platen_error *err);

#endif
