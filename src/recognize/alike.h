/* SPDX-License-Identifier: BSD-2-Clause */
/* Characters of different kinds that look alike: the others of their word say which one it is. */
#ifndef PL_RECOGNIZE_ALIKE_H
#define PL_RECOGNIZE_ALIKE_H

#include "recognize/ctc.h"
#include "recognize/decoder.h"

/* Settles o, O, l and I in runs[0..n), the text of `line`, where the network had the other one for
 * possible, too. A word here is letters and figures without a mark between them, and no word of the
 * dictionary. Where all other characters of a word are figures, l becomes 1 but at the end (5l), I
 * but at the ends (I95), o and O become 0 but at the beginning (O2). In capitals (A to Z) l becomes
 * I, but not at the ends. Where a stop, comma, colon or stroke stands between the word and a figure
 * (O8.10.2023, l2:30, O.5), a letter at an end, or alone (but I), is a figure; so is an O before a
 * unit (Omg). An o behind figures stays if `language`, a tag of BCP 47 or NULL, writes ordinals so
 * (1o, primero). What changes gets the confidence of both together; of 0, O or o that stands alone,
 * where nothing tells its height, the confidence becomes that of all three together. */
void pl_alike_settle(const struct pl_decoder *d, const char *language,
                     const struct pl_ctc_line *line, struct pl_ctc_run *runs, size_t n);

#endif
