/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the ink of a line stands, on the page picture. */
#ifndef PL_RECOGNIZE_LINE_INK_H
#define PL_RECOGNIZE_LINE_INK_H

#include "page/result.h"
#include "image/image.h"

/* Scratch that is kept from line to line; zero-initialise. */
struct pl_line_ink {
    const struct pl_image *gray;
    const struct pl_line *line; /* its rows: pl_line_y() - above..+ below */
    double above, below;
    int x0, x1;     /* columns measured */
    uint8_t dark;   /* a pixel up to this grey is ink */
    uint16_t *rows; /* ink pixels of each column */
    size_t rows_cap;
};

/* Measures the columns of a line. Picture and line are borrowed until the next call.
 * PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_line_ink_measure(struct pl_line_ink *k, const struct pl_env *env,
                                              const struct pl_image *gray,
                                              const struct pl_line *line, struct platen_error *err);
void pl_line_ink_done(struct pl_line_ink *k);

/* Finds the widest run of columns without ink between from and to. Returns false where there is
 * none. */
bool pl_line_ink_gap(const struct pl_line_ink *k, double from, double to, int *ret_x0, int *ret_x1);

/* Shrinks or grows `box` to the ink of the line within its columns. Returns false, and leaves
 * the box as it was, where there is none. */
bool pl_line_ink_rows(const struct pl_line_ink *k, struct pl_rect *box);

#endif
