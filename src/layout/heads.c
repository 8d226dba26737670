/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts beside each other in the head or foot of a letter: who sends it, how they are reached,
 * their bank. Their rows may be level with each other, as those of a table are; but those of one
 * text say what they are, each another thing ("Tel.", "Our ref:", an address of the net), and those
 * of another do not. */
#include <string.h>
#include <strings.h>

#include "layout/blocks.h"
#include "layout/letters.h"
#include "layout/layout_tuning.def"

/* What a line says that it is: n bytes of a text. */
struct head_label {
    const char *text;
    size_t n; /* 0 = it says nothing */
};

/* A text: piles of lines beside each other, of which all but the last one have names of the values
 * in the next one alone. */
struct head_text {
    const struct pl_line *const *v;
    size_t n, rows;                /* lines, and those that are no value of another one */
    size_t labels, kinds, letters; /* lines with labels, different ones, lines with letters */
    size_t amounts;
};

/* Returns the label of a line that is an address of the net or the number of a telephone, a telefax
 * or a bank account. */
static struct head_label contact_of(const char *text)
{
    static const char *const names[] = {"tel", "fax", "phone", "iban"};
    const char *at = strchr(text, '@'), *www = strstr(text, "www.");
    if (at && at > text && at[-1] != ' ' && at[1] && at[1] != ' ')
        return (struct head_label){at, 1};
    if (www && (www == text || www[-1] == ' ')) /* others are links to a page, as sources have */
        return (struct head_label){www, 4};
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++)
        if (!strncasecmp(text, names[i], strlen(names[i])) && strpbrk(text, "0123456789"))
            return (struct head_label){names[i], strlen(names[i])};
    return (struct head_label){NULL, 0};
}

bool pl_line_is_contact(const struct pl_line *l)
{
    return l->text && contact_of(l->text).n > 0;
}

static bool ends_in_colon(const struct pl_line *l)
{
    const size_t n = l->text ? strlen(l->text) : 0;
    return n > 1 && l->text[n - 1] == ':';
}

/* Returns whether line `value` of a row begins where the name of that row, line `name`, has ended.
 */
static bool is_value(const struct pl_line *value, const struct pl_line *name)
{
    return ends_in_colon(name) && value->box.x0 >= name->box.x1 && pl_same_row(name, value);
}

/* Returns the label of line i: a contact, or what ends in a colon before a value. */
static struct head_label label_of(const struct head_text *t, size_t i)
{
    const char *text = t->v[i]->text ? t->v[i]->text : "", *colon = strstr(text, ": ");
    if (colon)
        return (struct head_label){text, (size_t)(colon - text)};
    for (size_t k = 0; k < t->n; k++)
        if (is_value(t->v[k], t->v[i]))
            return (struct head_label){text, strlen(text) - 1};
    return contact_of(text);
}

static bool are_alike(struct head_label a, struct head_label b)
{
    return a.n == b.n && !strncasecmp(a.text, b.text, a.n);
}

/* Counts what the lines of a text say; `labels` has room for one of each line. */
static void count_labels(struct head_text *t, struct head_label *labels)
{
    for (size_t i = 0; i < t->n; i++) {
        labels[i] = label_of(t, i);
        bool first = labels[i].n, value = false;
        for (size_t k = 0; k < i; k++)
            first = first && !are_alike(labels[i], labels[k]);
        for (size_t k = 0; k < t->n; k++)
            value |= is_value(t->v[i], t->v[k]);
        t->labels += labels[i].n > 0;
        t->kinds += first;
        t->rows += !value;
        t->letters += t->v[i]->text && pl_has_letters(t->v[i]->text);
        t->amounts += t->v[i]->text && pl_is_amount(t->v[i]->text);
    }
}

/* Returns whether a pile has the names alone of what stands in the next one: single words that are
 * no contacts, or text that ends in a colon. */
static bool are_names(const struct pl_line *const *v, size_t n)
{
    size_t names = 0;
    for (size_t i = 0; i < n; i++)
        names += (v[i]->n_words == 1 && !pl_line_is_contact(v[i])) || ends_in_colon(v[i]);
    return 2 * names > n;
}

/* Fills `texts` with those that the piles are; returns how many. `labels` has room for one of each
 * line. */
static size_t find_texts(const struct pl_piles *p, struct head_text *texts,
                         struct head_label *labels)
{
    size_t n = 0;
    bool open = false;
    for (size_t i = 0; i < p->n; i++) {
        const struct pl_line *const *v = p->v + p->first[i];
        const size_t lines = p->first[i + 1] - p->first[i];
        if (!open)
            texts[n++] = (struct head_text){.v = v};
        texts[n - 1].n += lines;
        open = i + 1 < p->n && are_names(v, lines);
    }
    for (size_t i = 0; i < n; i++)
        count_labels(&texts[i], labels);
    return n;
}

/* Returns whether no line says what it is, and most have letters: there are no amounts. */
static bool is_silent(const struct head_text *t)
{
    return !t->labels && 2 * t->letters > t->n;
}

/* Returns whether the first text is an address, and all others are labels with their values. */
static bool are_references(const struct head_text *texts, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (texts[i].labels < texts[i].rows || texts[i].rows < TABLE_ROWS)
            return false;
    return is_silent(&texts[0]) && texts[0].rows >= TABLE_ROWS;
}

/* Returns whether the texts are those of a head: none has the same label in several lines, or a
 * list of amounts, as a column of a table does; and one tells how to reach somebody while another
 * says nothing, or they are an address and references. */
static bool are_head(const struct head_text *texts, size_t n)
{
    size_t most = 0;
    bool silent = false, contact = false;
    for (size_t i = 0; i < n; i++) {
        if ((texts[i].labels >= 2 && 2 * texts[i].kinds <= texts[i].labels) ||
            texts[i].amounts >= TABLE_ROWS)
            return false;
        most = PL_MAX(most, texts[i].rows);
        silent |= is_silent(&texts[i]);
        for (size_t k = 0; k < texts[i].n; k++)
            contact |= pl_line_is_contact(texts[i].v[k]);
    }
    return most >= TABLE_ROWS && most <= HEAD_TEXT_ROWS &&
           ((contact && silent) || are_references(texts, n));
}

bool pl_block_find_heads(struct pl_arena *arena, const struct pl_block *b, double glyph_px,
                         double *ret, size_t *ret_n)
{
    struct pl_piles p;
    *ret_n = 0;
    if (b->n_lines > 2 * HEAD_TEXT_ROWS * PL_MAX_SIDES)
        return true;
    if (!pl_piles_find(arena, b, glyph_px, &p))
        return false;
    if (p.n < 2)
        return true;
    struct head_text *texts = PL_NEW(arena, struct head_text, p.n);
    struct head_label *labels = PL_NEW(arena, struct head_label, b->n_lines);
    if (!texts || !labels)
        return false;
    const size_t n = find_texts(&p, texts, labels);
    for (size_t i = 1; i < n && n <= PL_MAX_SIDES && are_head(texts, n); i++)
        ret[(*ret_n)++] = texts[i].v[0]->box.x0;
    return true;
}
