/* SPDX-License-Identifier: BSD-2-Clause */
/* Stage two: finds the lines of a page on its picture. */
#ifndef PL_DETECT_DETECT_H
#define PL_DETECT_DETECT_H

#include "base/arena.h"
#include "detect/net/db_net.h"
#include "detect/net/detector.h"
#include "page/result.h"
#include "op/op.h"

/* The network of an operation, one per worker: made for platen, or imported. */
struct pl_detect_net {
    struct pl_detector *own;
    struct pl_db_net *imported;
};

/* Finds the regions of page->image (bilevel, or grey: then binarised for its own use). Results lie
 * in `arena`. A blank page gives no blocks and PLATEN_OK. `net` may be NULL for operations without
 * a network, and has none for those that go without theirs. */
typedef platen_status pl_detect_fn(const struct pl_detect_net *net, const struct pl_env *env,
                                   struct pl_arena *arena, const struct pl_page_image *page,
                                   const void *args, struct pl_regions *ret,
                                   struct platen_error *err);

/* Makes the imported network of an operation ready to run. PLATEN_ERR_ARG when the network or an
 * argument does not fit, PLATEN_ERR_NOMEM. */
typedef platen_status pl_detect_open_fn(const struct pl_network *n, const struct pl_kernels *k,
                                        const void *args, struct pl_db_net **ret,
                                        struct platen_error *err);

struct pl_detect_op {
    struct pl_op_info info;
    pl_detect_open_fn *open; /* of an imported network; NULL = the network is platen's own */
    /* Whether it runs without its network where that is not installed; NULL = it does not. */
    bool (*goes_without)(const void *args);
    pl_detect_fn *run;
};

extern const struct pl_op_info *const pl_detect_ops[]; /* NULL-terminated */
/* Returns the operation whose first member is that entry of the list. */
static inline const struct pl_detect_op *pl_detect_op_of(const struct pl_op_info *info)
{
    return (const struct pl_detect_op *)info;
}

/* Arguments of `lines`. Zeros are no defaults: pl_args_init() sets these. */
struct pl_lines_args {
    int min_height_px;
    enum pl_columns { PL_COLUMNS_AUTO, PL_COLUMNS_SINGLE } columns;
};
extern const struct pl_detect_op pl_detect_lines; /* finds all lines of a page */

#endif
