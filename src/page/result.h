/* SPDX-License-Identifier: BSD-2-Clause */
/* The result tree of a page: blocks of lines of words, in reading order, all in the page's arena.
 * Detection fills boxes and geometry, recognition fills text and confidence, and layout settles the
 * order and the kinds of blocks. Coordinates are pixels of the page picture but for turned lines;
 * pl_page_image.to_input takes them to the input picture. README.md tells what else a page is. */
#ifndef PL_PAGE_RESULT_H
#define PL_PAGE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/curve.h"
#include "base/geom.h"

struct pl_word {
    struct pl_rect box;
    const char *text;       /* UTF-8, not empty */
    float conf;             /* 0..1 */
    const float *char_conf; /* one per character (code point) of text */
    size_t n_chars;
};

/* How a line goes on from the one before it in its block or, in a table, in its cell. */
enum pl_join {
    PL_JOIN_NONE,   /* it begins a paragraph */
    PL_JOIN_BLANK,  /* as the next word */
    PL_JOIN_WORD,   /* without a blank: the hyphen before it belongs to its word, or the script
                       has none between words */
    PL_JOIN_HYPHEN, /* within the word, whose hyphen is there since the line was full */
};

/* A line that runs up or down, or stands on its head, is described as it stands on the page picture
 * turned clockwise by `quarters` quarter turns: all its geometry and that of its words are in
 * pixels of that, and pl_line_to_page() takes them to the page picture. */
struct pl_line {
    int quarters; /* 0..3; 0 = upright */
    bool initial; /* a big letter, level with the row that it starts; joined to it by layout */
    struct pl_rect box; /* all ink of the line */
    /* The baseline goes from (box.x0, base_y) to box.x1 with this slope. Where the rows of the page
     * bow, `curve` is added to that, which is NULL elsewhere: pl_line_y(). */
    double base_y, slope;
    const struct pl_curve *curve;
    double ascent_px, descent_px; /* ink above and below the baseline (positive), robust extremes */
    double xheight_px;
    double glyph_px;            /* median height of its glyphs */
    const struct pl_rect *gaps; /* words as detect sees them: ink boxes left to right */
    size_t n_gaps;
    double stroke_px;      /* mean length of the level strokes of its ink; 0 = not known */
    uint64_t ink_px;       /* ink of the page's binary picture that is in this line alone */
    struct pl_word *words; /* by recognize; NULL before; in the order in which they are read */
    size_t n_words;
    bool from_right;  /* they are read from right to left */
    size_t n_doubted; /* words that were read but not trusted: they follow words[n_words - 1] */
    bool outdone;     /* another line in its place was read better */
    const char *text; /* words joined by single spaces; NULL before recognition */
    float conf;
    enum pl_join join;    /* by layout */
    const char *language; /* a tag of BCP 47 where it is surely not that of the page; else NULL */
};

enum pl_block_kind {
    PL_BLOCK_TEXT,
    PL_BLOCK_HEADING,
    PL_BLOCK_HEADER, /* running head and foot */
    PL_BLOCK_FOOTER,
    PL_BLOCK_CAPTION,
    PL_BLOCK_TABLE,
    PL_BLOCK_CODE, /* program text */
    PL_BLOCK_KINDS
};

/* A cell of a table, and a rectangle of its grid: rows `row` to row + n_rows - 1 of the columns
 * `column` to column + n_columns - 1. */
struct pl_cell {
    struct pl_rect box; /* on the page picture */
    int row, column, n_rows, n_columns;
    const struct pl_line *lines; /* in the lines of the block */
    size_t n_lines;              /* 0 = the cell is empty */
};

/* Each place of the grid is in one cell. Cells are sorted by row and then by column, and the lines
 * of the block by cells. */
struct pl_table {
    int n_rows, n_columns;
    int n_head; /* rows at the top that name the columns */
    struct pl_cell *cells;
    size_t n_cells;
};

/* Where the characters of program text stand: in columns as wide as a letter, the first of which
 * begins at the left edge of the block. */
struct pl_char_grid {
    double pitch_px; /* from a letter to the next one */
    double step_px;  /* from a row to the next one */
};

struct pl_block {
    enum pl_block_kind kind;
    int level;          /* of a heading, by layout: 1 = a title, to PL_MOST_LEVELS; else 0 */
    struct pl_rect box; /* on the page picture, however its lines are turned */
    struct pl_line *lines;
    size_t n_lines;
    const struct pl_table *table;    /* of the kind table, by layout; else NULL */
    const struct pl_char_grid *code; /* of the kind code, by layout; else NULL */
    /* By layout, of a field of a form: how many of its first lines are its label; the others were
     * filled in. Else 0. */
    size_t n_label;
    bool of_register; /* by layout: a list in the order of the alphabet goes on from it, or to it */
};

/* A straight stroke that is no part of a letter. */
struct pl_rule {
    struct pl_rect box;
    bool upright;
};

/* Ink of about the height of letters that may be a check box: it has four straight sides, or is one
 * of the circles, open or full, from which one is chosen. */
struct pl_square {
    struct pl_rect box; /* on the page picture */
    float sides;        /* least share of the length of a side that has ink; of a circle 1 */
    float mark; /* how much of its middle has ink: the share of the rows, in a circle that of
                   the directions from there; 0 = it is empty */
    bool round; /* it is a circle */
    bool plain; /* no letter: its sides are straight, and it is empty or crossed; or it is a circle
                   of a grid of such, with text close beside it or in it */
    bool holds_letter; /* an open circle around a letter, which is not its mark */
};

struct pl_regions {
    int width, height; /* of the page picture */
    struct pl_block *blocks;
    size_t n_blocks;
    /* By layout: lines in which nothing was read, or nothing that is trusted; they are in no block.
     * `unread_px` is their ink and that of doubted words. */
    struct pl_line *unread;
    size_t n_unread;
    uint64_t unread_px;
    /* All ink of the page's binary picture: that in lines, and the rest by what it was taken for;
     * `unexplained` looked like text. Nothing vanishes in silence. */
    uint64_t ink_px, ink_in_lines_px;
    uint64_t rules_px, graphics_px, specks_px, unexplained_px;
    size_t letters;      /* pieces of ink in lines */
    size_t letters_left; /* in rows far larger or smaller than the text that are in no line */
    /* Boxes of unexplained ink and of graphics that may be writing, one for those side by side;
     * where there are more than PL_MAX_UNEXPLAINED, those with the most ink. */
    const struct pl_rect *unexplained;
    size_t n_unexplained;
    /* Rules that were taken out of the ink or are too light for it; none where there were more than
     * PL_MAX_RULES, as in a drawing. */
    const struct pl_rule *rules;
    size_t n_rules;
    const struct pl_square *squares; /* none where there were more than PL_MAX_SQUARES */
    size_t n_squares;
    double text_height_px;   /* median x-height of the page's lines; 0 = no text */
    double glyph_px;         /* usual height of a glyph; 0 = no text */
    double slope;            /* usual slope of the lines */
    bool folded;             /* two pages face each other */
    struct pl_point fold[2]; /* the ends of the fold between them, the upper one first */
    bool single_column;      /* read across the page */
    /* By recognition, of text that outlives the page: */
    const char *language; /* of most of the text, a tag of BCP 47; NULL where nobody knows */
    const char *misread;  /* script of ISO 15924 that text is in and that was not read, or NULL */
};

#define PL_MOST_LEVELS 4
#define PL_MAX_UNEXPLAINED 64
#define PL_MAX_RULES 4096
#define PL_MAX_SQUARES 512

/* Returns the height of the baseline at column x. */
static inline double pl_line_y(const struct pl_line *l, double x)
{
    double y = l->base_y + (x - l->box.x0) * l->slope;
    return l->curve ? y + pl_curve_at(l->curve, x) : y;
}
/* Returns where the fold between two facing pages is at height y; r->folded is set. */
double pl_fold_x(const struct pl_regions *r, double y);
/* Returns whether two lines of a block that follow each other are in one row: both stand upright,
 * and side by side they share more than half of the lower one's height. */
bool pl_same_row(const struct pl_line *a, const struct pl_line *b);
/* Returns the texts of the words joined by single spaces; NULL when memory is short. */
const char *pl_words_join(struct pl_arena *arena, const struct pl_word *words, size_t n);
/* Returns the confidence of words read one after the other: the geometric mean over their
 * characters, as that of a line is; 0 of none. */
float pl_words_conf(const struct pl_word *words, size_t n);
/* Gives the line another box; the baseline stays where it is. */
void pl_line_set_box(struct pl_line *line, struct pl_rect box);

/* Returns the map from the pixels in which a line is described to those of the page picture. */
struct pl_affine pl_line_to_page(const struct pl_regions *r, const struct pl_line *line);
/* Returns the line's box on the page picture. */
struct pl_rect pl_line_page_box(const struct pl_regions *r, const struct pl_line *line);
/* Describes the same ink as a line that is read the other way round; width and height are those of
 * the picture in which it was described. Ascent and descent stay: the new baseline is a guess.
 * Returns false when memory is short. */
PL_MUST_USE bool pl_line_turn_over(struct pl_arena *arena, struct pl_line *line, int width,
                                   int height);
/* Describes what was found on a picture by that picture turned right, by a quarter turn. Returns
 * false when memory is short. */
PL_MUST_USE bool pl_regions_turn_right(struct pl_arena *arena, struct pl_regions *r);

/* Returns the mean of the words' confidences, 0 to 1, by characters; -1 without words. */
double pl_regions_conf(const struct pl_regions *r);

/* Returns the language of a line of the page, its own or that of the page; NULL where nobody knows.
 */
static inline const char *pl_line_language(const struct pl_regions *page,
                                           const struct pl_line *line)
{
    return line->language ? line->language : page->language;
}

#endif
