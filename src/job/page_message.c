/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/page_message.h"

#include <string.h>

#include "page/bidi.h"

/* A page is warned about when more than this share of the ink that looks like text lies in no line
 * (and it is in MIN_LEFTOVER boxes at least: less is no more than a blot), or more than MAX_UNREAD
 * was found but not read: of that there is more, signatures and drawings. */
#define MAX_LEFTOVER 0.03
#define MIN_LEFTOVER 3
#define MAX_UNREAD 0.2
/* The text of a page is doubted where the mean confidence of its letters is lower. Of 347 pages of
 * the evaluation sets the least sure one has .90 (a form of which 71 % of the words are right), of
 * 15 drawn ones with less than .88 the best has 83 % (bench/runs/2026-11-29-trial-7.md). */
#define MIN_CONF 0.88
#define FEW_WORDS 10 /* Fewer words tell too little of a page. */

/* Appends "'PATH'". */
static void put_name(struct pl_str *out, const char *path)
{
    pl_str_putc(out, '\'');
    pl_str_name(out, path, strlen(path), PL_NAME_SHOWN);
    pl_str_putc(out, '\'');
}

platen_status pl_page_fail(struct pl_page *page, platen_status s, const char *verb,
                           const char *path, const char *reason)
{
    page->verb = verb;
    page->culprit = path;
    page->reason = reason;
    return s;
}

void pl_page_tell_failure(struct pl_page_worker *w, const struct pl_page *page)
{
    pl_str_reset(&w->message);
    pl_str_printf(&w->message, "unable to %s ", page->verb);
    put_name(&w->message, page->culprit);
    pl_str_puts(&w->message, ": ");
    pl_str_puts(&w->message, page->reason);
}

/* A page has one warning: the first thing to tell begins it with the name of the page, and a
 * further one follows a semicolon. */
static void begin_warning(struct pl_page_worker *w, const struct pl_input *in)
{
    if (w->message.len) {
        pl_str_puts(&w->message, "; ");
        return;
    }
    put_name(&w->message, in->label);
    w->name_bytes = w->message.len;
    pl_str_puts(&w->message, ": ");
}

void pl_page_warn_of_flaw(struct pl_page_worker *w, const struct pl_page *page)
{
    if (!page->flaw.text[0])
        return;
    begin_warning(w, &page->in);
    pl_str_puts(&w->message, page->flaw.text);
}

/* The name of a script for people: its tag where there is none here. */
static const char *script_name(const char *tag)
{
    static const char *const names[][2] = {
        {"Arab", "Arabic"},   {"Armn", "Armenian"},   {"Beng", "Bengali"},
        {"Cyrl", "Cyrillic"}, {"Deva", "Devanagari"}, {"Ethi", "Ethiopic"},
        {"Geor", "Georgian"}, {"Grek", "Greek"},      {"Gujr", "Gujarati"},
        {"Guru", "Gurmukhi"}, {"Hang", "Korean"},     {"Hans", "Chinese or Japanese"},
        {"Hebr", "Hebrew"},   {"Khmr", "Khmer"},      {"Knda", "Kannada"},
        {"Latn", "Latin"},    {"Mlym", "Malayalam"},  {"Mymr", "Burmese"},
        {"Orya", "Odia"},     {"Sinh", "Sinhala"},    {"Taml", "Tamil"},
        {"Telu", "Telugu"},   {"Thai", "Thai"},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++)
        if (!strcmp(names[i][0], tag))
            return names[i][1];
    return tag;
}

static size_t count_words(const struct pl_regions *r)
{
    size_t n = 0;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            n += r->blocks[b].lines[i].n_words;
    return n;
}

void pl_page_warn_of_script(struct pl_page_worker *w, const struct pl_input *in,
                            const struct pl_regions *r)
{
    if (!r->misread)
        return;
    begin_warning(w, in);
    pl_str_printf(&w->message, "%s seems to be in %s letters, which the model does not read",
                  count_words(r) ? "part of the text" : "the text", script_name(r->misread));
}

void pl_page_warn_of_doubt(struct pl_page_worker *w, const struct pl_input *in,
                           const struct pl_regions *r)
{
    const double conf = pl_regions_conf(r);
    if (conf >= MIN_CONF || count_words(r) < FEW_WORDS)
        return;
    begin_warning(w, in);
    pl_str_printf(&w->message,
                  "the text was read with a mean confidence of %.2f: many words will be wrong",
                  conf);
}

static bool has_text_from_right(const struct pl_regions *r)
{
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const char *text = r->blocks[b].lines[i].text;
            if (text && pl_bidi_is_in(text))
                return true;
        }
    return false;
}

void pl_page_warn_of_order(struct pl_page_worker *w, const struct pl_input *in,
                           const struct pl_regions *r)
{
    if (pl_bidi_built() || !has_text_from_right(r))
        return;
    begin_warning(w, in);
    pl_str_puts(&w->message, "text from right to left stays in its order on paper, since this "
                             "build has no FriBidi");
}

/* Returns the share of letters that are in no line, since they are far larger or smaller than the
 * text. */
static double letters_left(const struct pl_regions *r)
{
    return (double)r->letters_left / (double)PL_MAX(r->letters + r->letters_left, 1);
}

/* Small print has little ink: of letters that no line has their number tells. */
static void warn_of_letters(struct pl_page_worker *w, const struct pl_input *in,
                            const struct pl_regions *r)
{
    if (letters_left(r) <= MAX_LEFTOVER)
        return;
    w->share = letters_left(r);
    begin_warning(w, in);
    pl_str_printf(&w->message, "of the letters %.0f %% lie in no line", 100 * w->share);
}

void pl_page_warn_of_leftover(struct pl_page_worker *w, const struct pl_input *in,
                              const struct pl_regions *r)
{
    double left = (double)r->unexplained_px,
           all = left + (double)r->ink_in_lines_px + (double)r->unread_px;
    bool outside = left > MAX_LEFTOVER * all && r->n_unexplained >= MIN_LEFTOVER,
         unread = (double)r->unread_px > MAX_UNREAD * all;
    if (w->share > 0)
        return;
    if (!outside && !unread) {
        warn_of_letters(w, in, r);
        return;
    }
    w->share = ((outside ? left : 0) + (unread ? (double)r->unread_px : 0)) / all;
    begin_warning(w, in);
    pl_str_puts(&w->message, "of the ink that looks like text ");
    if (outside)
        pl_str_printf(&w->message, "%.0f %% lies in no line", 100 * left / all);
    if (unread)
        pl_str_printf(&w->message, "%s%.0f %% was not read", outside ? ", " : "",
                      100 * (double)r->unread_px / all);
}
