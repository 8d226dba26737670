/* SPDX-License-Identifier: BSD-2-Clause */
/* How lines go on: where paragraphs begin within blocks and cells, and which hyphens at the ends of
 * lines are there because a line was full. A line begins a paragraph where it is indented, begins
 * like an item of a list, or where its first word would have fitted into the line before. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "layout/blocks.h"
#include "layout/flow.h"
#include "layout/hyphens.h"
#include "layout/line_words.h"
#include "layout/steps.h"
#include "layout/layout_tuning.def"

/* Lines of a block, or of a cell, between two edges. */
struct line_flow {
    struct pl_hyphens hyphens;
    struct pl_line *lines;
    size_t n;
    double left, right; /* between which lines are full */
    bool apart;         /* no line goes on from another one */
    bool may_be_verses; /* beside verses */
    bool verses; /* each row begins a paragraph, but for those that begin with small letters */
};

static bool is_small(char c)
{
    return (c >= 'a' && c <= 'z') || c & 0x80;
}

/* Returns the bytes of the figures above the line, as before a footnote, with which the text
 * begins.
 */
static size_t raised_bytes(const char *s)
{
    size_t n = 0;
    for (;;) {
        if (!strncmp(s + n, "\xC2\xB9", 2) || !strncmp(s + n, "\xC2\xB2", 2) ||
            !strncmp(s + n, "\xC2\xB3", 2))
            n += 2;
        else if (!strncmp(s + n, "\xE2\x81", 2) && s[n + 2] >= '\xB0' && s[n + 2] <= '\xB9')
            n += 3;
        else
            return n;
    }
}

size_t pl_marker_bytes(const char *s)
{
    static const char *const bullets[] = {
        "\xE2\x80\xA2", "\xE2\x96\xA0", "\xE2\x80\x93", "\xE2\x80\x94", "\xC2\xB7", "-", "*"};
    const size_t n = strcspn(s, " "), raised = raised_bytes(s);
    for (size_t i = 0; i < PL_ARRAY_LEN(bullets); i++)
        if (n == strlen(bullets[i]) && !strncmp(s, bullets[i], n))
            return n;
    if (raised && raised == n)
        return n;
    if (n < 2 || n > ENUMERATOR || !strchr(".)]", s[n - 1]))
        return 0;
    const char *name = s + (*s == '(' || *s == '[');
    const size_t figures = strspn(name, "0123456789");
    return name + figures + 1 == s + n || (s[n - 1] == ')' && name + 2 == s + n) ? n : 0;
}

/* Returns whether the line begins like an item, or is the mark of one alone, before other lines of
 * its row; all lines end at `end`. */
static bool is_item(const struct pl_line *l, const struct pl_line *end)
{
    const size_t n = pl_marker_bytes(l->text);
    return n && (l->text[n] || (l + 1 < end && pl_same_row(l, l + 1)));
}

/* Returns whether a line stands in the middle, with as much white before it as behind it. */
static bool is_in_middle(const struct line_flow *f, const struct pl_line *l)
{
    const double before = l->box.x0 - f->left, behind = f->right - l->box.x1;
    return before > INDENT * l->glyph_px && fabs(before - behind) <= CENTRED * l->glyph_px;
}

/* Returns the white in the row of a line for further words: that behind it, and that before it
 * where it and `next` stand in the middle. A row of a sentence that `next` goes on with, which
 * begins with a small letter, stands there by chance. */
static double room_of(const struct line_flow *f, const struct pl_line *line,
                      const struct pl_line *next)
{
    const bool centred = is_in_middle(f, line) && is_in_middle(f, next) && !is_small(*next->text);
    return f->right - line->box.x1 + (centred ? line->box.x0 - f->left : 0);
}

/* Returns the width that the first word of `next` would take behind `line`, or the first character
 * in a script without blanks. Beyond measure where it has none. */
static double first_width(const struct pl_line *line, const struct pl_line *next)
{
    if (!next->n_words)
        return INFINITY;
    const double word = pl_rect_width(next->words[0].box);
    return pl_unspaced_begins(next->text) ? word / (double)next->words[0].n_chars
                                          : BLANK_WIDTH * line->glyph_px + word;
}

/* Returns whether what `next` begins with would have fitted into the row that `line` ends. */
static bool had_room(const struct line_flow *f, const struct pl_line *line,
                     const struct pl_line *next)
{
    return first_width(line, next) + LINE_SLACK * line->glyph_px < room_of(f, line, next);
}

/* Returns the first letter or figure of a text behind quotes, brackets and dashes; 0 = none. */
static uint32_t first_letter(const char *s)
{
    uint32_t c = 0;
    for (size_t n; *s && (n = pl_utf8_get(s, strlen(s), &c)); s += n)
        if ((c > 0x7F || isalnum((int)c)) && c != 0xA1 && c != 0xAB && c != 0xBB && c != 0xBF &&
            (c < 0x2010 || c > 0x203A))
            return c;
    return 0;
}

/* Returns whether a text begins with a small letter, in any script that has them. */
static bool begins_small(const char *text)
{
    const uint32_t c = first_letter(text);
    return (c >= 'a' && c <= 'z') || (c > 0x7F && pl_small_letter(c) == c);
}

static bool ends_in_hyphen(const char *text)
{
    const size_t n = strlen(text);
    return n && text[n - 1] == '-';
}

/* Returns the white for further words behind a line of a block, all lines of which stand in its
 * middle or none: the longest of its rows tells how long they may be. */
static double white_of(const struct line_flow *f, bool centred, const struct pl_line *line)
{
    return f->right - line->box.x1 + (centred ? line->box.x0 - f->left : 0);
}

/* Returns whether all lines of a block stand in its middle. */
static bool are_in_middle(const struct line_flow *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct pl_rect *box = &f->lines[i].box;
        if (fabs(box->x0 - f->left - (f->right - box->x1)) > 2 * CENTRED * f->lines[i].glyph_px)
            return false;
        n += is_in_middle(f, &f->lines[i]);
    }
    return n > 0;
}

/* Returns whether the word ends a sentence. */
static bool ends_sentence(const char *word)
{
    const size_t n = strlen(word);
    return n && strchr(".?!", word[n - 1]);
}

/* Returns whether the white between two words is as wide as between columns, `gap` sizes or more:
 * beyond the two blanks that typists leave behind a sentence, and beyond what stretches a row to
 * the width of its column, where the row goes on in a sentence. */
static bool is_wide(const struct pl_word *a, const struct pl_word *b, double gap, bool goes_on,
                    double glyph_px)
{
    if (ends_sentence(a->text))
        gap = SENTENCE_GAP;
    else if (goes_on)
        gap = STRETCHED_GAP;
    return PL_MAX(b->box.x0 - a->box.x1, a->box.x0 - b->box.x1) > gap * glyph_px;
}

/* Returns the line with which the row of line i begins. */
static size_t row_begin(const struct line_flow *f, size_t i)
{
    while (i && pl_same_row(&f->lines[i - 1], &f->lines[i]))
        i--;
    return i;
}

/* Returns whether the row that begins with line i has white in it as between columns. What stands
 * behind the bullet or the number of an item is none; what parts a row into lines is. */
static bool has_columns(const struct line_flow *f, size_t i, bool goes_on)
{
    const struct pl_word *last = NULL;
    size_t w = is_item(&f->lines[i], f->lines + f->n) ? 1 : 0;
    do {
        const struct pl_line *l = &f->lines[i];
        for (; w < l->n_words; last = &l->words[w++])
            if (last && is_wide(last, &l->words[w], w ? CELL_GAP : 0, goes_on, l->glyph_px))
                return true;
        w = 0;
    } while (++i < f->n && pl_same_row(&f->lines[i - 1], &f->lines[i]));
    return false;
}

/* Returns whether the row that begins with line `row` or the one that begins with line `next`,
 * below it, has columns. A small letter of ASCII tells that `next` goes on in a sentence. */
static bool are_of_columns(const struct line_flow *f, size_t row, size_t next)
{
    const char first = *f->lines[next].text;
    const bool goes_on = first >= 'a' && first <= 'z';
    return has_columns(f, row, goes_on) || has_columns(f, next, goes_on);
}

/* The paragraph that is being told, by the lines with which its first two rows begin. */
struct open_paragraph {
    size_t first, second; /* second is `first` where it has one row so far */
};

/* Returns whether line `next` is indented as a first line is. Below a full row with which a
 * paragraph begins it is not: an entry hangs there, as in a list of books. */
static bool is_indented(const struct line_flow *f, struct open_paragraph p, size_t row, size_t next)
{
    const struct pl_line *above = &f->lines[row], *below = &f->lines[next];
    const double edge = f->left + INDENT * below->glyph_px;
    const bool item = is_item(above, f->lines + f->n),
               hangs = p.first == row && !is_small(*above->text) && !is_in_middle(f, below);
    return below->box.x0 > edge && above->box.x0 <= edge && !item && !hangs;
}

/* Returns whether line `next`, behind the end of a sentence, stands where a paragraph whose rows
 * hang began, or before the bullet of an item. */
static bool is_back(const struct line_flow *f, struct open_paragraph p, size_t next)
{
    const struct pl_line *first = &f->lines[p.first], *second = &f->lines[p.second],
                         *back = &f->lines[next];
    const double indent = INDENT * back->glyph_px;
    const bool hung = second->box.x0 > first->box.x0 + indent &&
                      back->box.x0 <= first->box.x0 + indent,
               before = is_item(first, f->lines + f->n) && back->box.x0 < first->box.x0 - indent;
    return (hung || before) && !is_small(*back->text) && ends_sentence(back[-1].text);
}

/* What tells of the breaks of a block whether who wrote them meant them. */
struct verse_signs {
    size_t early;       /* though the next word would have fitted, as in no row that was filled */
    size_t stops;       /* of the others: those behind a mark, as between parts of a sentence */
    size_t ragged;      /* visibly before the end of the longest row */
    size_t small;       /* before a small letter */
    size_t small_early; /* of `early`: those before a small letter */
    bool letters;       /* its rows are not in capitals alone */
    bool apart;         /* a row much shorter than the longest stands before the last one */
    bool none;          /* a word or a row goes on, or the script has no words */
};

static void add_break(const struct line_flow *f, bool centred, const struct pl_line *line,
                      struct verse_signs *s)
{
    const struct pl_line *next = line + 1;
    const double white = white_of(f, centred, line), size = line->glyph_px;
    const bool early = first_width(line, next) + VERSE_SLACK * size < white,
               small = begins_small(next->text);
    s->none |= line->quarters || pl_unspaced_begins(next->text) || pl_same_row(line, next) ||
               (small && ends_in_hyphen(line->text));
    s->early += early;
    s->stops += !early && *line->text && strchr(".,;:?!", line->text[strlen(line->text) - 1]);
    s->ragged += white > VERSE_SLACK * size;
    s->small += small;
    s->small_early += small && early;
    s->letters |= strpbrk(line->text, "abcdefghijklmnopqrstuvwxyz") != NULL;
    s->apart |= pl_rect_width(line->box) <= SHORT_ROW * (f->right - f->left);
}

/* Tells whether the rows of a block are verses: most of them end early, or end early or behind a
 * mark, or none begins with a small letter and some are short. The longest does not count where it
 * cannot end early. Rows that begin with small letters go on as elsewhere where fewer than half of
 * all do, or none below one that ends early. Beside verses such a block may be one where half of
 * its rows end in one of these ways. */
static void tell_verses(struct line_flow *f)
{
    const bool centred = are_in_middle(f);
    struct verse_signs s = {0};
    for (size_t i = 1; i < f->n; i++)
        add_break(f, centred, &f->lines[i - 1], &s);
    if (s.none || f->n < 3)
        return;
    const size_t ends = s.early + s.stops, breaks = f->n - 1;
    f->may_be_verses = 2 * ends >= breaks;
    const bool most = s.early >= 2 && 2 * s.early > breaks - 1,
               marked = ends >= VERSE_LINES && (double)ends >= VERSE_ENDS * (double)breaks &&
                        2 * s.ragged >= breaks,
               capitals = f->n >= VERSE_LINES && !s.small && s.letters &&
                          (s.apart || (double)s.early >= VERSE_EARLY * (double)(breaks - 1));
    f->verses = most || marked || capitals;
    f->apart |= f->verses && 2 * s.small >= breaks && (s.small_early || !s.early);
}

/* Returns whether a paragraph begins with line `next`, below the row that begins with line `row`.
 */
static bool begins_paragraph(const struct line_flow *f, struct open_paragraph p, size_t row,
                             size_t next)
{
    const struct pl_line *line = &f->lines[next - 1], *below = &f->lines[next];
    if (line->quarters || below->quarters)
        return line->quarters != below->quarters;
    if (f->verses && !begins_small(below->text))
        return true;
    return is_item(below, f->lines + f->n) || had_room(f, line, below) ||
           is_indented(f, p, row, next) || is_back(f, p, next);
}

static void tell_lines(const struct line_flow *f)
{
    struct open_paragraph p = {0, 0};
    for (size_t i = 1; i < f->n; i++) {
        struct pl_line *line = &f->lines[i - 1], *next = line + 1;
        const size_t row = row_begin(f, i - 1);
        if (*line->text && *next->text && pl_same_row(line, next)) {
            next->join = PL_JOIN_BLANK;
            continue;
        }
        if (*line->text && *next->text && !f->apart && !begins_paragraph(f, p, row, i) &&
            !are_of_columns(f, row, i))
            next->join = pl_hyphens_join(&f->hyphens, line->text, next->text);
        if (next->join == PL_JOIN_NONE)
            p = (struct open_paragraph){i, i};
        else if (p.second == p.first)
            p.second = i;
    }
}

/* Tells the lines of a cell, whose white is as wide at its right as at its left. */
static void tell_cell(struct line_flow f, const struct pl_block *b, const struct pl_cell *c)
{
    double white = pl_rect_width(c->box);
    f.lines = b->lines + (c->lines - b->lines);
    f.n = c->n_lines;
    for (size_t i = 0; i < f.n; i++)
        white = PL_MIN(white, PL_MIN(f.lines[i].box.x0 - c->box.x0, c->box.x1 - f.lines[i].box.x1));
    f.left = c->box.x0;
    f.right = c->box.x1 - PL_MAX(white, 0);
    tell_lines(&f);
}

/* Returns whether the other block, no table, has more lines than b, which begin where those of b
 * do. */
static bool is_longer(const struct pl_block *other, const struct pl_block *b)
{
    const int apart = other->box.x0 - b->box.x0;
    return !other->table && other->n_lines > b->n_lines &&
           PL_MAX(apart, -apart) <= INDENT * b->lines->glyph_px;
}

/* Returns whether a few short lines of text are an address, or a name and a title: none begins with
 * a small letter, although they are not in capitals. Of more lines, one before the last is short.
 */
static bool are_names(const struct pl_regions *r, const struct pl_block *b)
{
    struct pl_rect text = b->box;
    bool small = false, ragged = b->n_lines <= SHORT_BLOCK;
    for (size_t i = 0; i < r->n_blocks; i++)
        text = pl_rect_union(text, r->blocks[i].box);
    for (size_t i = 0; i < b->n_lines; i++) {
        if (is_small(*b->lines[i].text))
            return false;
        small |= strpbrk(b->lines[i].text, "abcdefghijklmnopqrstuvwxyz") != NULL;
        ragged |= i + 1 < b->n_lines &&
                  pl_rect_width(b->lines[i].box) <= SHORT_ROW * pl_rect_width(b->box);
    }
    return small && ragged && b->n_lines <= ADDRESS_LINES && b->kind == PL_BLOCK_TEXT &&
           pl_rect_width(b->box) <= SHORT_ROW * pl_rect_width(text);
}

/* Returns whether the text begins with a figure or a fraction. */
static bool begins_with_number(const char *s)
{
    static const char quarter[] = "\xC2\xBC", three_quarters[] = "\xC2\xBE",
                      seventh[] = "\xE2\x85\x90", seven_eighths[] = "\xE2\x85\x9E";
    return (*s >= '0' && *s <= '9') ||
           (strncmp(s, quarter, 2) >= 0 && strncmp(s, three_quarters, 2) <= 0) ||
           (strncmp(s, seventh, 3) >= 0 && strncmp(s, seven_eighths, 3) <= 0);
}

/* Returns whether a block is a list of amounts, as of a recipe: all its rows begin with a number.
 */
static bool are_amounts(const struct pl_block *b)
{
    for (size_t i = 0; i < b->n_lines; i++)
        if (!begins_with_number(b->lines[i].text) &&
            (!i || !pl_same_row(&b->lines[i - 1], &b->lines[i])))
            return false;
    return b->n_lines >= TABLE_ROWS;
}

/* Returns whether at least half of the lines of a block tell how to reach somebody. */
static bool are_contacts(const struct pl_block *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n_lines; i++)
        n += pl_line_is_contact(&b->lines[i]);
    return 2 * n >= b->n_lines;
}

/* Tells the right end of full lines of a block: where it has a few lines only, that of a longer one
 * that begins where it does. Where there is none, a list of names is no paragraph. */
static void measure_block(const struct pl_regions *r, const struct pl_block *b,
                          struct line_flow *ret)
{
    ret->right = b->box.x1;
    ret->apart = are_names(r, b);
    for (size_t i = 0; i < r->n_blocks && b->n_lines <= SHORT_BLOCK; i++)
        if (is_longer(&r->blocks[i], b)) {
            ret->right = PL_MAX(ret->right, r->blocks[i].box.x1);
            ret->apart = false;
        }
    ret->apart |= are_amounts(b) || are_contacts(b);
}

static struct line_flow flow_of(const struct pl_regions *r, const struct pl_block *b)
{
    struct line_flow f = {.lines = b->lines, .n = b->n_lines, .left = b->box.x0};
    measure_block(r, b, &f);
    tell_verses(&f);
    return f;
}

/* Returns whether a block is a stanza of the same poem as the verses of another one: with as many
 * rows, about as long, which begin where those do or stand in the same middle. */
static bool is_stanza_of(const struct pl_regions *r, const struct pl_block *b,
                         const struct pl_block *other)
{
    const double left = b->box.x0 - other->box.x0, right = b->box.x1 - other->box.x1,
                 indent = INDENT * b->lines->glyph_px;
    return other->n_lines == b->n_lines && !other->table && !other->code &&
           (fabs(left) <= indent || fabs(left + right) <= 2 * indent) &&
           fabs(right) <= (1 - SHORT_ROW) * pl_rect_width(other->box) && flow_of(r, other).verses;
}

/* Returns whether the block before block i or the one behind it are verses of which it is a stanza.
 */
static bool is_stanza(const struct pl_regions *r, size_t i)
{
    const struct pl_block *b = &r->blocks[i];
    return (i && is_stanza_of(r, b, b - 1)) || (i + 1 < r->n_blocks && is_stanza_of(r, b, b + 1));
}

static bool is_prose(const struct pl_block *b)
{
    return b->kind == PL_BLOCK_TEXT && !b->n_label && b->n_lines && !b->lines->quarters;
}

/* Tells the first line of a block of text behind another one: a sentence goes on there, as at the
 * top of the next column, where it begins with a small letter below a full line that ends none. */
static void tell_first(const struct line_flow *f, const struct pl_block *b)
{
    const struct pl_line *last = &f->lines[f->n - 1];
    struct pl_line *first = b->lines;
    const double size = pl_line_small_px(last), own = pl_line_small_px(first);
    if (f->apart || !*last->text || last->quarters || ends_sentence(last->text) ||
        *first->text < 'a' || *first->text > 'z' || is_item(first, b->lines + b->n_lines) ||
        PL_MAX(size, own) > LEVEL_LARGER * PL_MIN(size, own) || had_room(f, last, first) ||
        has_columns(f, row_begin(f, f->n - 1), true))
        return;
    first->join = pl_hyphens_join(&f->hyphens, last->text, first->text);
}

void pl_flow_tell(const struct pl_kernels *k, const struct pl_language *language,
                  struct pl_regions *regions)
{
    for (size_t i = 0; i < regions->n_blocks; i++) {
        const struct pl_block *b = &regions->blocks[i];
        const struct pl_hyphens hyphens = {regions, k, language};
        struct line_flow f = {
            .hyphens = hyphens, .lines = b->lines, .n = b->n_lines, .left = b->box.x0};
        for (size_t c = 0; b->table && c < b->table->n_cells; c++)
            if (b->table->cells[c].n_lines)
                tell_cell(f, b, &b->table->cells[c]);
        if (b->table || b->code)
            continue;
        f = flow_of(regions, b);
        f.hyphens = hyphens;
        f.apart |= f.may_be_verses && !f.verses && is_stanza(regions, i);
        tell_lines(&f);
        if (b->n_label && b->n_label < b->n_lines)
            b->lines[b->n_label].join = PL_JOIN_NONE;
        if (is_prose(b) && i + 1 < regions->n_blocks && is_prose(b + 1))
            tell_first(&f, b + 1);
    }
}
