/* SPDX-License-Identifier: BSD-2-Clause */
/* Labels of fields of a form: what stands at the top of a field in smaller type than what was
 * filled in, or as a numbered sentence. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout/blocks.h"
#include "layout/line_words.h"
#include "layout/layout_tuning.def"

#define FIELD_FIGURES 3 /* of the number of a field at most */

long pl_line_field_number(const struct pl_line *l, size_t word)
{
    const char *text = l->n_words ? l->words[word].text : "";
    const size_t figures = strspn(text, "0123456789");
    return figures && figures <= FIELD_FIGURES && !strcmp(text + figures, ".")
               ? strtol(text, NULL, 10)
               : 0;
}

static size_t row_end(const struct pl_form_field *f, size_t i)
{
    while (++i < f->n && pl_same_row(&f->lines[i - 1], &f->lines[i]))
        continue;
    return i;
}

static double largest_px(const struct pl_form_field *f, size_t end)
{
    double px = 0;
    for (size_t i = 0; i < end; i++)
        px = PL_MAX(px, pl_line_small_px(&f->lines[i]));
    return px;
}

static double smallest_px(const struct pl_form_field *f, size_t first)
{
    double px = INFINITY;
    for (size_t i = first; i < f->n; i++)
        px = PL_MIN(px, pl_line_small_px(&f->lines[i]));
    return px;
}

/* Returns how many lines at the top are in smaller type than each line below them; 0 where no
 * LABEL_ROWS rows at most are. */
static size_t count_small(const struct pl_form_field *f)
{
    size_t end = 0;
    for (int row = 0; row < LABEL_ROWS && end < f->n; row++) {
        end = row_end(f, end);
        if (end < f->n && largest_px(f, end) <= LABEL_SMALL * smallest_px(f, end))
            return end;
    }
    return 0;
}

/* Returns whether the sentence of the first `end` lines is not at its end: a bracket is open, or
 * the last line ends in a comma. */
static bool is_open(const struct pl_form_field *f, size_t end)
{
    int depth = 0;
    char last = 0;
    for (size_t i = 0; i < end; i++)
        for (const char *s = f->lines[i].text ? f->lines[i].text : ""; *s; s++) {
            depth += (*s == '(') - (*s == ')');
            last = *s;
        }
    return depth > 0 || last == ',';
}

/* Returns whether line i goes on with the one before it, which is not at the end of its sentence or
 * was full: it begins with a small letter, and its first word would not have fitted there. */
static bool goes_on(const struct pl_form_field *f, size_t i)
{
    const struct pl_line *l = &f->lines[i];
    const char first = l->n_words ? *l->words->text : 0;
    const int margin = l->box.x0 - f->box.x0;
    return first >= 'a' && first <= 'z' &&
           (is_open(f, i) ||
            l[-1].box.x1 + BLANK_WIDTH * l->glyph_px + pl_rect_width(l->words->box) >
                f->box.x1 - margin);
}

/* Returns how many lines at the top are one sentence; 0 where it has more than LABEL_ROWS rows, as
 * prose has. */
static size_t count_sentence(const struct pl_form_field *f)
{
    size_t end = row_end(f, 0);
    for (int row = 1; end < f->n && goes_on(f, end); row++) {
        if (row == LABEL_ROWS)
            return 0;
        end = row_end(f, end);
    }
    return end;
}

/* Takes the labels of a row of fields by their type. Returns whether all have one; what has one row
 * of text, in the type of the labels, was left empty. */
static bool take_small(struct pl_form_field *fields, size_t n)
{
    double value_px = INFINITY, label_px = 0;
    for (size_t i = 0; i < n; i++) {
        fields[i].n_label = count_small(&fields[i]);
        if (!fields[i].n_label)
            continue;
        value_px = PL_MIN(value_px, smallest_px(&fields[i], fields[i].n_label));
        label_px = PL_MAX(label_px, largest_px(&fields[i], fields[i].n_label));
    }
    for (size_t i = 0; i < n; i++) {
        const double px = largest_px(&fields[i], fields[i].n);
        if (row_end(&fields[i], 0) == fields[i].n && px <= LABEL_SMALL * value_px &&
            LABEL_SMALL * px <= label_px)
            fields[i].n_label = fields[i].n;
    }
    for (size_t i = 0; i < n; i++)
        if (!fields[i].n_label)
            return false;
    return true;
}

/* Returns whether the first n lines have a number or a word: a mark by itself is dirt. */
static bool is_word(const struct pl_form_field *f, size_t n)
{
    int letters = 0;
    for (size_t i = 0; i < n; i++) {
        const char *s = f->lines[i].text;
        if (!s)
            return true;
        for (; *s; s++)
            letters += (*s >= 'A' && *s <= 'Z') || (*s >= 'a' && *s <= 'z') || *s & 0x80;
    }
    return letters > 1 || pl_line_field_number(f->lines, 0);
}

/* Takes the labels of a row of fields of which half are numbered: where one has no number, it may
 * be misread. */
static void take_sentences(struct pl_form_field *fields, size_t n)
{
    size_t numbered = 0;
    for (size_t i = 0; i < n; i++)
        numbered += pl_line_field_number(fields[i].lines, 0) > 0;
    for (size_t i = 0; i < n; i++)
        if (2 * numbered < n)
            fields[i].n_label = 0;
        else if (!fields[i].n_label &&
                 (pl_line_field_number(fields[i].lines, 0) || row_end(&fields[i], 0) < fields[i].n))
            fields[i].n_label = count_sentence(&fields[i]);
}

void pl_field_labels_tell(struct pl_form_field *fields, size_t n)
{
    if (!take_small(fields, n))
        take_sentences(fields, n);
    for (size_t i = 0; i < n; i++)
        if (!is_word(&fields[i], fields[i].n_label))
            fields[i].n_label = 0;
}
