/* SPDX-License-Identifier: BSD-2-Clause */
/* Scripts from right to left: between the order of characters on paper, left to right, and the
 * order in which they are read, by libfribidi's Unicode Bidirectional Algorithm (UAX #9). */
#ifndef PL_PAGE_BIDI_H
#define PL_PAGE_BIDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/text.h"

/* A character of a line on paper. */
struct pl_bidi_char {
    uint32_t code; /* of Unicode */
    size_t place;  /* its place in the order of reading */
};

/* Whether this build has libfribidi. Without it all lines are from left to right, as they stand. */
bool pl_bidi_built(void);

/* Whether a character is of a script from right to left. */
bool pl_bidi_is_from_right(uint32_t code);
/* Whether one of a text is. */
bool pl_bidi_is_in(const char *text);

/* Whether a line is read from its right end: at least half of its letters are of such scripts. */
bool pl_bidi_from_right(const struct pl_bidi_char *line, size_t n);

/* Sets the places of the characters of a line on paper in the order of reading. Brackets that are
 * read to the left become their mirror images. False = memory is short. */
PL_MUST_USE bool pl_bidi_read(struct pl_bidi_char *line, size_t n, bool from_right);

/* Adds a text, which is given as it is read, in its order on paper. Brackets are not mirrored: PDF
 * has text so, and its readers turn the order around and nothing else. */
void pl_bidi_show(struct pl_str *out, const char *text);

#endif
