/* SPDX-License-Identifier: BSD-2-Clause */
/* What the flow of lines goes by, beside hyphens: marks of items, and scripts without blanks. */
#ifndef PL_LAYOUT_FLOW_H
#define PL_LAYOUT_FLOW_H

#include <stdbool.h>
#include <stddef.h>

/* flow.c: the bytes of what marks an item: a bullet, a dash, "3.", "[3]" or "(b)", or the raised
 * figure of a note, before a blank or the end of the text; 0 = it begins otherwise. */
size_t pl_marker_bytes(const char *s);

/* unspaced.c: tells whether a text begins in a script that parts no words by blanks: a line of it
 * may break before any character. */
bool pl_unspaced_begins(const char *text);
/* Tells whether the text of a line goes on without a blank on the next one, since both are in such
 * a script at that place. */
bool pl_unspaced_joins(const char *before, const char *after);

#endif
