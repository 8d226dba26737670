/* Which way up a page is, by reading some of its lines. */
#ifndef PL_PIPELINE_UPRIGHT_H
#define PL_PIPELINE_UPRIGHT_H

#include "preprocess/op.h"
#include "recognize/recognize.h"

/* Whether so much of a page was read, and so surely, that it stands upright. */
PL_MUST_USE bool pl_upright_is_read(const struct pl_regions *regions);

/* For a page whose letters leave it in doubt (PL_UPRIGHT_DOUBTFUL): reads its longest lines as they
 * stand; where these are no text upside down, and those of the page on its side; turns the page to
 * where clearly more was read. `args` are those of the recognize operation `op`.
 * What is read lies in `arena`. */
PL_MUST_USE platen_status pl_upright_vote(struct pl_recognizer *const *team,
                                          const struct pl_env *env, struct pl_arena *arena,
                                          const struct pl_recognize_op *op,
                                          const struct pl_arg *args, struct pl_page_image *page,
                                          struct platen_error *err);

#endif
