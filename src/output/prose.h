/* SPDX-License-Identifier: BSD-2-Clause */
/* A page as text for reading, piece by piece: paragraphs are whole, whatever lines they are in. */
#ifndef PL_OUTPUT_PROSE_H
#define PL_OUTPUT_PROSE_H

#include "output/emit.h"

enum pl_piece_kind {
    PL_PIECE_PARAGRAPH,
    PL_PIECE_HEADING,
    PL_PIECE_ITEM,   /* of a list, with a bullet */
    PL_PIECE_NUMBER, /* of a list, with a number */
    PL_PIECE_TABLE,
    PL_PIECE_FIELD,  /* of a form */
    PL_PIECE_CODE,   /* program text, with its rows and indents */
    PL_PIECE_MARGIN, /* a running head or foot */
};

struct pl_piece {
    enum pl_piece_kind kind;
    const struct pl_block *block;
    const struct pl_line *lines; /* its lines in `block`; it may go on in blocks behind that */
    size_t n_lines;
    bool attached; /* a single line below one in the same block, as in an address */
    size_t at_block, next_block, next_line;
};

/* Moves to the next piece of the page; a zeroed one stands before the first. False behind the last.
 */
bool pl_piece_next(const struct pl_regions *r, struct pl_piece *piece);

/* Appends the text of lines that go on from one to the next, without the hyphens of full lines. */
void pl_prose_join(const struct pl_line *lines, size_t n, struct pl_str *out);
/* The same of a piece. */
void pl_piece_join(const struct pl_piece *piece, struct pl_str *out);
/* The same without the bullet of an item. */
void pl_piece_text(const struct pl_piece *piece, struct pl_str *out);
/* The same of a cell, its paragraphs parted by `apart`. */
void pl_prose_cell(const struct pl_cell *c, const char *apart, struct pl_str *out);
/* The label of a field. */
void pl_prose_label(const struct pl_block *field, struct pl_str *out);
/* What was filled into a field, its paragraphs parted by `apart`. */
void pl_prose_value(const struct pl_block *field, const char *apart, struct pl_str *out);
/* The rows of a block of program text, each ended by a line feed: its characters stand in their
 * columns, and empty rows between them are kept. */
void pl_prose_code(const struct pl_block *code, struct pl_str *out);
/* Returns whether no paragraph begins within the cell. */
bool pl_cell_is_joined(const struct pl_cell *c);

#endif
