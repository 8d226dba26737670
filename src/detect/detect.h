/* Stage two: page picture to regions. */
#ifndef PL_DETECT_DETECT_H
#define PL_DETECT_DETECT_H

#include "base/arena.h"
#include "detect/detector.h"
#include "detect/region.h"
#include "preprocess/op.h"

/* Finds the regions of page->image (bilevel, or grey: then binarised for its own use). Results lie
 * in `arena`. A blank page gives no blocks and PLATEN_OK. `d` is NULL for operations without a
 * network. */
typedef platen_status pl_detect_fn(struct pl_detector *d, const struct pl_env *env,
                                   struct pl_arena *arena, const struct pl_page_image *page,
                                   const struct pl_arg *args, struct pl_regions *ret,
                                   struct platen_error *err);

struct pl_detect_op {
    struct pl_op_info info;
    int model; /* the parameter that names its network; 0 = it has none */
    pl_detect_fn *run;
};

extern const struct pl_detect_op *const pl_detect_ops[]; /* NULL-terminated */
const struct pl_detect_op *pl_detect_find(const char *name, size_t n);

#endif
