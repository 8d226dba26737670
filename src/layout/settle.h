/* Stage four: what is decided about a page once its lines have been read. */
#ifndef PL_LAYOUT_SETTLE_H
#define PL_LAYOUT_SETTLE_H

#include "page/result.h"
#include "recognize/recognize.h"

/* Brings the regions of a page to their final form: joins initials to their rows, lets the better
 * read of a turned and an upright line keep its text, takes lines without text out of the blocks,
 * puts the rest in order again, and names the blocks. `reader` is any of the recognizers that read
 * the lines; NULL means that nobody read them, and the blocks are named by their shapes alone.
 * Everything new lies in `arena`. Fails with PLATEN_ERR_NOMEM alone. */
PL_MUST_USE platen_status pl_layout_settle(struct pl_arena *arena, const struct pl_kernels *k,
                                           const struct pl_recognizer *reader,
                                           struct pl_regions *regions, struct platen_error *err);

#endif
