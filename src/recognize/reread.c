/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/reread.h"

#include <math.h>
#include <string.h>

#include "recognize/amounts.h"
#include "recognize/batches.h"
#include "recognize/foreign.h"
#include "recognize/language/page_language.h"
#include "recognize/language/scripts.h"
#include "recognize/recognize_tuning.def"
#include "recognize/signs.h"
#include "recognize/words.h"

/* A line of a page, and the same as another model reads it. */
struct second {
    struct pl_line *line;
    struct pl_line other;
    float tells; /* of a trial: those that tell the most go first */
};

/* A page and its lines that another model reads: the trials at first, but where it is told. */
struct candidate_page {
    struct pl_reading *page;
    struct second *v;
    size_t n;
    const char *language, *misread; /* of its regions, before it is read in a mirror */
    bool told; /* the lines are in languages that the other model tells: what it reads stays */
    bool won;
};

struct rereading {
    const struct pl_reader *reader;
    size_t model;                   /* as in pl_batches */
    const struct pl_line_model *by; /* the same */
    unsigned scripts;               /* that it reads and the first one does not */
    bool mirrored;                  /* the first model reads them, as a mirror shows them */
};

static size_t chars_of(const struct pl_line *line)
{
    size_t n = 0;
    for (size_t i = 0; i < line->n_words + line->n_doubted; i++)
        n += line->words[i].n_chars;
    return n;
}

static bool is_unsure(const struct pl_line *line)
{
    return line->conf < REREAD_UNSURE;
}

/* Whether a word of a line may show through. */
static bool has_unsure_word(const struct pl_line *line)
{
    bool any = false;
    for (size_t i = 0; i < line->n_words; i++)
        any = any || line->words[i].conf < MIRROR_UNSURE;
    return any;
}

static void choose_line(struct candidate_page *c, struct pl_line *line)
{
    c->v[c->n++] = (struct second){.line = line, .other = *line};
}

/* The characters of words that were read with doubt. */
static size_t unsure_chars_of(const struct pl_line *line)
{
    size_t n = 0;
    for (size_t i = 0; i < line->n_words + line->n_doubted; i++)
        n += line->words[i].conf < REREAD_UNSURE ? line->words[i].n_chars : 0;
    return n;
}

/* Whether a line may tell that another model reads the page better: it is unsure, or some of its
 * words are, beside names that the first model reads. */
static bool may_be_tried(const struct pl_line *line)
{
    return (is_unsure(line) && chars_of(line) >= REREAD_CHARS) ||
           unsure_chars_of(line) >= REREAD_CHARS;
}

/* Whether a line may tell that the other side of the sheet shows through. */
static bool may_show_through(const struct pl_line *line)
{
    return line->conf < MIRROR_UNSURE && chars_of(line) >= MIRROR_CHARS;
}

/* How likely a line is in a script that the other model adds, wholly or where it was read with
 * doubt. */
static float misread_of(const struct rereading *r, const struct pl_line *line)
{
    const struct pl_decoder *d = r->reader->decoding->decoder;
    const struct pl_kernels *k = r->reader->env->k;
    const float part = pl_language_misread(d, k, line, REREAD_UNSURE, r->scripts);
    return is_unsure(line) ? PL_MAX(part, pl_language_misread(d, k, line, INFINITY, r->scripts))
                           : part;
}

/* Whether a page has too little text to tell its language or its script. */
static bool tells_nothing(const struct pl_regions *page)
{
    return !page->language && !page->misread;
}

/* Whether a line may be a sign in a script that the other model adds. */
static bool may_be_sign(const struct pl_reader *r, const struct pl_regions *page,
                        const struct pl_line *line)
{
    return tells_nothing(page) && pl_sign_may_be(r->decoding->decoder, line);
}

/* How much a line tells as a trial, above 0; 0 of one that is none. Of a mirror those that were
 * read less surely tell more; of another model those with more characters that may be misread, and
 * those least that may be signs. */
static float tells_of(const struct rereading *r, const struct pl_regions *page,
                      const struct pl_line *line)
{
    if (r->mirrored)
        return may_show_through(line) ? 1 - line->conf : 0;
    const float misread = !may_be_tried(line) ? 0 : r->scripts ? misread_of(r, line) : 1;
    if (misread >= REREAD_MISREAD)
        return misread * (float)chars_of(line);
    return r->scripts && may_be_sign(r->reader, page, line) ? REREAD_MISREAD * (float)chars_of(line)
                                                            : 0;
}

/* Puts a line among the trials, those that tell the most first. */
static void try_line(const struct rereading *r, struct candidate_page *c, struct pl_line *line,
                     float tells)
{
    const size_t trials = r->mirrored ? MIRROR_TRIALS : REREAD_TRIALS;
    size_t at = c->n;
    while (at > 0 && tells > c->v[at - 1].tells)
        at--;
    if (at == trials)
        return;
    c->n = PL_MIN(c->n + 1, trials);
    memmove(&c->v[at + 1], &c->v[at], (c->n - 1 - at) * sizeof(*c->v));
    c->v[at] = (struct second){.line = line, .other = *line, .tells = tells};
}

/* Whether a line is in a language that the first model does not tell. */
static bool is_foreign(const struct pl_reader *r, const struct pl_regions *page,
                       const struct pl_line *line)
{
    const char *tag = pl_line_language(page, line);
    return tag && !pl_line_model_tells(r->decoding->decoder->model, tag);
}

static void choose_trials(const struct rereading *r, struct candidate_page *c)
{
    const struct pl_regions *p = c->page->regions;
    for (size_t b = 0; b < p->n_blocks; b++)
        for (size_t i = 0; i < p->blocks[b].n_lines; i++) {
            struct pl_line *line = &p->blocks[b].lines[i];
            const float tells = tells_of(r, p, line);
            if (tells > 0)
                try_line(r, c, line, tells);
        }
}

/* All lines of a page that was won, else those that may be tried, or be signs; of a mirror those
 * with an unsure word.
 * The trials are among them once more: all lines together tell in what language they are. */
static void choose_after_trials(const struct rereading *r, struct candidate_page *c)
{
    const struct pl_regions *p = c->page->regions;
    c->n = 0;
    for (size_t b = 0; b < p->n_blocks; b++)
        for (size_t i = 0; i < p->blocks[b].n_lines; i++) {
            struct pl_line *line = &p->blocks[b].lines[i];
            if (c->won || is_unsure(line) ||
                (r->mirrored
                     ? has_unsure_word(line)
                     : may_be_tried(line) || (r->scripts && may_be_sign(r->reader, p, line))))
                choose_line(c, line);
        }
}

/* Whether what the first model made of a line may stand: it is sure of the line, and the other
 * model adds no script. */
static bool may_stand(const struct rereading *r, const struct pl_line *line)
{
    return !r->scripts && line->conf >= REREAD_SURE;
}

/* The lines in languages that the other model tells and the first one does not, less those that may
 * stand. */
static void choose_told(const struct rereading *r, struct candidate_page *c)
{
    const struct pl_regions *p = c->page->regions;
    for (size_t b = 0; b < p->n_blocks; b++)
        for (size_t i = 0; i < p->blocks[b].n_lines; i++) {
            struct pl_line *line = &p->blocks[b].lines[i];
            if (!may_stand(r, line) && is_foreign(r->reader, p, line) &&
                pl_line_model_tells(r->by, pl_line_language(p, line)))
                choose_line(c, line);
        }
    c->told = c->n > 0;
}

/* Whether a language is expected in a script that the other model adds. */
static bool is_expected(const struct rereading *r)
{
    return !r->mirrored && (r->reader->decoding->decoder->expected_scripts & r->scripts);
}

/* Whether a line may be in a script that is expected: not where it was surely read, with letters
 * that no other script has. */
static bool may_be_expected(const struct pl_line *line)
{
    const struct pl_script_count own = pl_script_count(line->text, PL_SCRIPT_LATIN);
    return chars_of(line) && !(line->conf >= REREAD_SURE && own.certain >= REREAD_LETTERS);
}

/* The lines that may be in a script that is expected and that the other model adds. */
static void choose_expected(struct candidate_page *c)
{
    const struct pl_regions *p = c->page->regions;
    for (size_t b = 0; b < p->n_blocks; b++)
        for (size_t i = 0; i < p->blocks[b].n_lines; i++)
            if (may_be_expected(&p->blocks[b].lines[i]))
                choose_line(c, &p->blocks[b].lines[i]);
}

static size_t lines_of(const struct pl_regions *regions)
{
    size_t n = 0;
    for (size_t b = 0; b < regions->n_blocks; b++)
        n += regions->blocks[b].n_lines;
    return n;
}

/* Whether lines of a page are tried: not with a model that has no script beyond the first one's and
 * tells languages, where those of lines are known, nor in a mirror where the page is one line,
 * which somebody cut out. */
static bool may_try(const struct rereading *r, const struct pl_regions *page)
{
    return r->mirrored
               ? lines_of(page) > 1
               : r->scripts || !*r->by->languages || !r->reader->decoding->decoder->text.identifier;
}

/* Whether what was read with `conf` is much surer than what was read with `other`. */
static bool is_much_surer(float conf, float other)
{
    return conf >= MIRROR_CONF && 1 - conf <= (1 - other) / MIRROR_DOUBT;
}

/* Returns the greatest confidence of the words, doubted ones too, that one of two readings of a
 * line has in the place of a word of the other one; 0 where there is none. */
static float conf_in_place(const struct pl_line *reading, const struct pl_word *word)
{
    const int sides = reading->box.x0 + reading->box.x1;
    float most = 0;
    for (size_t i = 0; i < reading->n_words + reading->n_doubted; i++) {
        const struct pl_word *w = &reading->words[i];
        if (sides - w->box.x1 < word->box.x1 && sides - w->box.x0 > word->box.x0)
            most = PL_MAX(most, w->conf);
    }
    return most;
}

/* Returns the characters of a word that do not look much the same in a mirror. */
static size_t telling_chars(const struct pl_word *word)
{
    size_t n = 0;
    for (const char *c = word->text; *c; c++)
        n += (*c & 0xc0) != 0x80 && !strchr("AHIMOTUVWXYilmovwxu018.,:;'\"!-_=+*|/\\()[]{}<>^", *c);
    return n;
}

/* Whether a mirror shows all of a line much more surely. */
static bool mirror_wins_line(const struct second *s)
{
    return is_much_surer(s->other.conf, s->line->conf);
}

/* Whether a mirror wins a line: all of it, or words with `least` characters that tell it, beside
 * which the page's own words may stand. */
static bool mirror_wins(const struct second *s, size_t least)
{
    size_t chars = 0;
    for (size_t i = 0; i < s->other.n_words; i++) {
        const struct pl_word *word = &s->other.words[i];
        const bool surer = is_much_surer(word->conf, conf_in_place(s->line, word));
        chars += surer ? telling_chars(word) : 0;
    }
    return chars >= least || mirror_wins_line(s);
}

/* Whether another model wins a line: it is surer of it, or, where it adds scripts, of its words in
 * these. On a page that it won it may be less sure by REREAD_SLACK of a line with any letter that
 * looks like none of the first one's scripts, and wins others by REREAD_MARGIN. */
static bool model_wins(const struct rereading *r, const struct second *s, bool won)
{
    const struct pl_line *line = s->line, *other = &s->other;
    const struct pl_foreign f = pl_foreign_compare(other, line, r->scripts);
    if (!won && !r->scripts)
        return other->conf >= REREAD_CONF && other->conf > line->conf;
    if (!won)
        return f.letters >= REREAD_LETTERS && f.conf >= REREAD_CONF && f.conf > f.other_conf;
    const bool foreign = f.letters > 0 && 2 * f.letters >= f.all;
    return other->conf >= REREAD_CONF_WON &&
           other->conf > line->conf + (foreign || f.certain ? -REREAD_SLACK : REREAD_MARGIN);
}

/* Whether a line is a sign in a script that the other model adds, which is in s->other then: on a
 * page that tells nothing by itself, or of which that script is expected. */
static bool is_sign(const struct rereading *r, struct pl_reading *page, struct second *s)
{
    const struct pl_decoder *d = r->reader->decoding->decoder;
    bool is = false;
    if (r->scripts && !page->status &&
        (d->expected_scripts ? d->expected_scripts & r->scripts : tells_nothing(page->regions)))
        page->status =
            pl_sign_settle(r->reader->arena, d, r->scripts, s->line, &s->other, &is, &page->err);
    return is;
}

/* Whether another model wins a line, as a sign or else by what it is surer of. Where its script is
 * expected names in other letters stand among its words, so that lines are signs last there. */
static bool wins(const struct rereading *r, struct pl_reading *page, struct second *s, bool won)
{
    return is_expected(r) ? model_wins(r, s, won) || is_sign(r, page, s)
                          : is_sign(r, page, s) || model_wins(r, s, won);
}

/* Whether a trial tells that the other reading is the better one. */
static bool wins_trial(const struct rereading *r, struct pl_reading *page, struct second *s)
{
    return r->mirrored ? mirror_wins(s, MIRROR_CHARS) : wins(r, page, s, false);
}

/* Whether it wins a line of a page of which trials told that: of what shows through one word is
 * enough. */
static bool wins_line(const struct rereading *r, struct pl_reading *page, struct second *s,
                      bool won)
{
    return r->mirrored ? mirror_wins(s, MIRROR_WORD) : wins(r, page, s, won);
}

/* Reads the chosen lines of all pages. Returns false when memory is short. */
static bool read_chosen(const struct rereading *r, struct candidate_page *c, size_t n)
{
    const struct pl_reader *with = r->reader;
    struct pl_batches b = {
        .team = with->team,
        .decoding = with->decoding,
        .model = r->model,
        .mirrored = r->mirrored,
        .lines = {.arena = with->arena, .min_conf = (float)with->args->min_conf}};
    size_t lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += c[i].n;
    if (!pl_batches_room(&b, lines))
        return false;
    for (size_t i = 0; i < n; i++) {
        c[i].page->failed = SIZE_MAX;
        for (size_t k = 0; k < c[i].n; k++)
            pl_batches_add(&b, c[i].page, &c[i].v[k].other);
    }
    pl_batches_run(&b, with->env);
    for (size_t i = 0; i < n && r->mirrored; i++) {
        c[i].page->regions->language = c[i].language;
        c[i].page->regions->misread = c[i].misread;
    }
    return true;
}

/* Tells whether the other model wins a trial, and sets c->won when it wins most of them. */
static bool judge_trials(const struct rereading *r, struct candidate_page *c)
{
    size_t won = 0;
    for (size_t i = 0; i < c->n; i++)
        won += wins_trial(r, c->page, &c->v[i]);
    c->won = 2 * won > c->n ||
             (is_expected(r) && r->reader->decoding->decoder->first_script & r->scripts);
    return won > 0;
}

/* Whether a word is the page's own in a line that the mirror wins: it is much surer than what the
 * mirror shows in its place, where all of the line was won, else only as sure, or sure by itself.
 */
static bool is_own_word(const struct second *s, const struct pl_word *word, bool won_line)
{
    const float mirrored = conf_in_place(&s->other, word);
    return won_line ? is_much_surer(word->conf, mirrored)
                    : word->conf >= MIRROR_UNSURE || word->conf >= mirrored;
}

/* Lets all words between the first and the last of those that stay stay, too: over print of the
 * page lies what shows through there, which makes its words unsure. */
static void keep_between(bool *stays, size_t n)
{
    size_t first = 0, end = n;
    while (first < n && !stays[first])
        first++;
    while (end > first && !stays[end - 1])
        end--;
    for (size_t i = first; i < end; i++)
        stays[i] = true;
}

/* What shows through is no text of the page, but what stands beside it in the line is, unless it is
 * of too few characters to tell it in a line that was won. */
static platen_status drop_mirrored(struct pl_arena *arena, const struct second *s,
                                   struct platen_error *err)
{
    struct pl_line *line = s->line;
    const bool won_line = mirror_wins_line(s);
    bool *stays = PL_NEW(arena, bool, line->n_words);
    if (!stays)
        return pl_fail_nomem(err, line->n_words, "the words of a line");
    for (size_t i = 0; i < line->n_words; i++)
        stays[i] = is_own_word(s, &line->words[i], won_line);
    if (!won_line)
        keep_between(stays, line->n_words);
    size_t chars = 0;
    for (size_t i = 0; i < line->n_words; i++)
        chars += stays[i] ? line->words[i].n_chars : 0;
    return chars < (won_line ? MIRROR_CHARS : 1) ? pl_words_refuse(arena, line, err)
                                                 : pl_words_keep(arena, stays, line, err);
}

/* Takes what the other model reads, but for words of the first one's scripts that that is surer of.
 */
static void take_other(const struct rereading *r, struct pl_reading *page, struct second *s)
{
    if (r->scripts)
        page->status =
            pl_foreign_take_own(r->reader->arena, r->scripts, s->line, &s->other, &page->err);
    *s->line = s->other;
}

/* Takes the readings that win into the page. */
static void settle(const struct rereading *r, struct candidate_page *c)
{
    struct pl_reading *page = c->page;
    for (size_t i = 0; i < c->n && !page->status; i++) {
        struct second *s = &c->v[i];
        if (!c->told && !wins_line(r, page, s, c->won))
            continue;
        if (r->mirrored)
            page->status = drop_mirrored(r->reader->arena, s, &page->err);
        else
            take_other(r, page, s);
    }
}

/* The pages on which there is something to try, with room for all lines that may follow; *ret_n is
 * SIZE_MAX when memory is short. */
static struct candidate_page *candidates(const struct rereading *r, struct pl_reading *const *pages,
                                         size_t n, size_t *ret_n)
{
    struct candidate_page *c = PL_NEW(r->reader->arena, struct candidate_page, n);
    *ret_n = c ? 0 : SIZE_MAX;
    for (size_t i = 0; i < n && c; i++) {
        struct candidate_page *one = &c[*ret_n];
        if (pages[i]->status)
            continue;
        *one = (struct candidate_page){.page = pages[i],
                                       .language = pages[i]->regions->language,
                                       .misread = pages[i]->regions->misread};
        one->v = PL_NEW(r->reader->arena, struct second,
                        lines_of(pages[i]->regions) +
                            PL_MAX((size_t)REREAD_TRIALS, (size_t)MIRROR_TRIALS));
        if (!one->v) {
            *ret_n = SIZE_MAX;
            return NULL;
        }
        if (!r->mirrored)
            choose_told(r, one);
        if (!one->told && is_expected(r))
            choose_expected(one);
        else if (!one->told && may_try(r, pages[i]->regions))
            choose_trials(r, one);
        *ret_n += one->n > 0;
    }
    return c;
}

/* Whether a page has a line that the other model may have to read, for what it is used. */
static bool is_open(const struct rereading *r, const struct pl_reading *page)
{
    const struct pl_regions *p = page->regions;
    const struct pl_decoder *d = r->reader->decoding->decoder;
    const unsigned uses = r->reader->decoding->further->uses[r->model - 1];
    const bool expected = d->expected_scripts & ~d->scripts;
    for (size_t b = 0; b < p->n_blocks && !page->status; b++)
        for (size_t i = 0; i < p->blocks[b].n_lines; i++) {
            const struct pl_line *line = &p->blocks[b].lines[i];
            if ((uses & PL_FURTHER_TRIAL &&
                 (expected ? chars_of(line) > 0
                           : may_be_tried(line) || may_be_sign(r->reader, p, line))) ||
                (uses & PL_FURTHER_LANGUAGE && is_foreign(r->reader, p, line)))
                return true;
        }
    return false;
}

/* Opens the model if a page may need it; if that fails, such pages have failed. Returns whether it
 * can read. */
static bool open_model(struct rereading *r, struct pl_reading *const *pages, size_t n)
{
    const struct pl_decoding *d = r->reader->decoding;
    struct pl_reading_model m;
    struct platen_error err;
    size_t first = 0;
    while (first < n && !is_open(r, pages[first]))
        first++;
    if (first == n)
        return false;
    const platen_status s = d->further->open(d->further->ctx, r->model - 1, &m, &err);
    for (size_t i = first; i < n && s; i++)
        if (is_open(r, pages[i])) {
            pages[i]->status = s;
            pages[i]->err = err;
        }
    if (s)
        return false;
    r->by = m.decoder->model;
    r->scripts = m.decoder->scripts & ~d->decoder->scripts;
    return true;
}

/* Reads with one further model, or with the first one in a mirror. Returns false when memory is
 * short. */
static bool reread_by(struct rereading *r, struct pl_reading *const *pages, size_t n)
{
    size_t all, kept = 0;
    if (!r->mirrored && !open_model(r, pages, n))
        return true;
    struct candidate_page *c = candidates(r, pages, n, &all);
    if (!c || !all)
        return c != NULL;
    if (!read_chosen(r, c, all))
        return false;
    for (size_t i = 0; i < all; i++) {
        if (c[i].page->status)
            continue;
        const bool any = !c[i].told && judge_trials(r, &c[i]);
        if (c[i].told || is_expected(r))
            settle(r, &c[i]);
        else if (any) {
            c[kept] = c[i];
            choose_after_trials(r, &c[kept++]);
        }
    }
    if (kept && !read_chosen(r, c, kept))
        return false;
    for (size_t i = 0; i < kept; i++)
        if (!c[i].page->status)
            settle(r, &c[i]);
    return true;
}

/* Settles what other words of the page tell, on the pages that were read: the script of letters
 * that look alike, the marks of amounts. */
static void settle_pages(const struct pl_reader *r, struct pl_reading *const *pages, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!pages[i]->status)
            pages[i]->status = pl_scripts_settle(r->arena, r->decoding->decoder->first_script,
                                                 pages[i]->regions, &pages[i]->err);
    for (size_t i = 0; i < n; i++)
        if (!pages[i]->status)
            pages[i]->status = pl_amounts_settle(r->arena, pages[i]->regions, &pages[i]->err);
}

void pl_reread(const struct pl_reader *r, struct pl_reading *const *pages, size_t n)
{
    const struct pl_further_models *further = r->decoding->further;
    const size_t models = further ? further->n : 0;
    const double min_conf = r->args->min_conf;
    bool room = true;
    for (size_t m = 0; m < models && room; m++)
        room = reread_by(&(struct rereading){.reader = r, .model = m + 1}, pages, n);
    if (room && (min_conf < 0 || min_conf > 0)) /* with 0 all that was read stays */
        room = reread_by(&(struct rereading){.reader = r, .mirrored = true}, pages, n);
    for (size_t i = 0; i < n && !room; i++)
        if (!pages[i]->status)
            pages[i]->status =
                pl_fail_nomem(&pages[i]->err, n * sizeof(struct second), "the lines of a page");
    settle_pages(r, pages, n);
}
