/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "recognize/align.h"
#include "recognize/grow.h"
#include "recognize/recognize_tuning.def"

/* Hypotheses that are kept, and classes that a step is tried with. */
#define BEAM 8
#define CANDIDATES (PL_CTC_RIVALS + 1)
/* The lists of words that draw the search: the user's and the language's. */
enum { USERS, LANGUAGES, LISTS };

#define NONE UINT32_MAX
#define NEVER -1e30f

/* A text, told as a character behind another text. Node 0 is the empty text. */
struct node {
    uint32_t parent, class_id;
    uint32_t child, sibling; /* texts one longer; NONE where there is none */
};

/* A hypothesis: a text with its score up to the present step. */
struct hypothesis {
    uint32_t node;
    float blank, label; /* log of the share of the paths that end in blank, or in its last class */
    float gain;         /* by the language model and the lists of words, settled */
    float token;        /* by the language since the last blank: lost when a digit follows */
    float blank_gain;   /* of the last blank: none unless a character follows */
    float word[LISTS];  /* by lists of words: lost unless a word is completed */
    bool code;          /* the token holds a digit: the language model is silent */
    bool guessed;       /* `guess` is filled */
    struct pl_spelling spelling[LISTS];
    uint8_t history[PL_LANGUAGE_HISTORY];
    float guess[PL_LANGUAGE_MAX_SYMBOLS];
};

struct beam {
    struct hypothesis v[BEAM * (CANDIDATES + 1)];
    size_t n;
};

struct candidate {
    uint32_t class_id;
    float log_p;
};

struct pl_search {
    struct node *nodes;
    size_t n_nodes, nodes_cap;
    struct beam beams[2];
    uint32_t *run_at; /* of each step: the run of the best path that is there, or the next one */
    size_t run_at_cap;
    uint32_t *text; /* the classes of the best text */
    size_t text_cap;
    struct pl_align align;
};

/* What the functions of one search share. */
struct call {
    struct pl_search *s;
    const struct pl_decoder *d;
    const struct pl_language *language; /* or NULL */
    struct {
        const struct pl_lexicon *list; /* or NULL */
        float gain;                    /* for each character of a word */
    } words[LISTS];
    const struct pl_kernels *k;
    const struct pl_ctc_line *line;
    const struct pl_ctc_run *runs; /* the best path */
    size_t n_runs;
};

platen_status pl_search_new(struct pl_search **ret, struct platen_error *err)
{
    *ret = pl_alloc_zero(1, sizeof(**ret));
    return *ret ? PLATEN_OK : pl_fail_nomem(err, sizeof(**ret), "a search");
}

void pl_search_free(struct pl_search *s)
{
    if (!s)
        return;
    pl_free(s->nodes);
    pl_free(s->run_at);
    pl_free(s->text);
    pl_align_free(&s->align);
    pl_free(s);
}

/* Returns log(e^a + e^b). */
static float log_add(float a, float b)
{
    float hi = a > b ? a : b, lo = a > b ? b : a;
    return lo <= NEVER ? hi : hi + pl_logf(1 + pl_expf(lo - hi));
}

/* ---- which steps are sure ---- */

static bool is_sure_run(const struct call *c, size_t i, uint32_t class_id)
{
    return i < c->n_runs && c->runs[i].class_id == class_id && c->runs[i].conf >= SEARCH_SURE;
}

/* Returns whether class x at step t is only the edge of a sure character of the best path: the
 * blank beside it, or a neighbour that ends or begins there. */
static bool is_edge(const struct call *c, size_t t, uint32_t top, uint32_t x)
{
    size_t run = c->s->run_at[t], next = run + (top != 0);
    if (x == 0)
        return is_sure_run(c, run, top);
    return (run && c->runs[run - 1].end == t && is_sure_run(c, run - 1, x)) ||
           (next < c->n_runs && c->runs[next].first == t + 1 && is_sure_run(c, next, x));
}

/* Returns what a letter beyond ASCII gains in a language that has few of them, and this one among
 * them: the network has learnt many languages, and expects it less than a text in this one does. */
static float marked_gain(const struct call *c, uint32_t class_id)
{
    const struct pl_class *class = &c->d->classes[class_id];
    if (!c->language || !c->language->few_marked || class->kind != PL_CHAR_LETTER ||
        class->code_point < 128)
        return 0;
    const bool known = pl_language_symbol(c->language, class->code_point) + 1u < c->language->s.n;
    return known ? c->d->weight * MARKED_GAIN : 0;
}

/* The classes to try at step t with their log posteriors, the winner first; gives their number: 1
 * where the best path is sure, and the winner's share then counts as whole. */
static size_t find_candidates(const struct call *c, size_t t, struct candidate *ret)
{
    const struct pl_ctc_line *l = c->line;
    size_t n = 1;
    bool sure = true;
    ret[0] = (struct candidate){l->best[t], 0};
    for (uint32_t i = l->first[t]; i < l->first[t + 1]; i++) {
        sure = sure && is_edge(c, t, l->best[t], l->rivals[i].class_id);
        ret[n++] = (struct candidate){l->rivals[i].class_id, l->rivals[i].log_ratio};
    }
    if (sure)
        return 1;
    float all = pl_logf(l->share[t]);
    for (size_t i = 0; i < n; i++)
        ret[i].log_p += all + marked_gain(c, ret[i].class_id);
    return n;
}

/* Fills run_at[t] for all steps. */
static platen_status map_runs(struct call *c, struct platen_error *err)
{
    struct pl_search *s = c->s;
    if (!PL_GROW(s->run_at, s->run_at_cap, c->line->steps))
        return pl_fail_nomem(err, c->line->steps * sizeof(*s->run_at), "a search");
    uint32_t run = 0;
    for (uint32_t t = 0; t < c->line->steps; t++) {
        while (run < c->n_runs && c->runs[run].end <= t)
            run++;
        s->run_at[t] = run;
    }
    return PLATEN_OK;
}

/* ---- texts ---- */

static void add_node(struct pl_search *s, uint32_t parent, uint32_t class_id)
{
    assert(parent == NONE || parent < s->n_nodes);
    uint32_t id = (uint32_t)s->n_nodes++;
    s->nodes[id] = (struct node){parent, class_id, NONE, NONE};
    if (parent != NONE) {
        s->nodes[id].sibling = s->nodes[parent].child;
        s->nodes[parent].child = id;
    }
}

/* Returns the node of the text of `parent` and one class more. The caller made room for a new
 * node. */
static uint32_t child_of(struct pl_search *s, uint32_t parent, uint32_t class_id)
{
    assert(parent < s->n_nodes);
    for (uint32_t i = s->nodes[parent].child; i != NONE; i = s->nodes[i].sibling)
        if (s->nodes[i].class_id == class_id)
            return i;
    add_node(s, parent, class_id);
    return (uint32_t)s->n_nodes - 1;
}

/* Returns whether two texts agree in their last SEARCH_AGREE characters. */
static bool agree(const struct pl_search *s, uint32_t a, uint32_t b)
{
    for (int i = 0; i < SEARCH_AGREE && a != b; i++) {
        if (a == 0 || b == 0 || s->nodes[a].class_id != s->nodes[b].class_id)
            return false;
        a = s->nodes[a].parent;
        b = s->nodes[b].parent;
    }
    return true;
}

/* ---- gains ---- */

/* Returns what a hypothesis gains by a list of words when a word ends. Those of the language are
 * silent, as its model is, in a token that holds a digit. */
static float settled_word(const struct hypothesis *h, size_t list)
{
    return h->spelling[list].word && !(list == LANGUAGES && h->code) ? h->word[list] : 0;
}

/* The same by all lists. */
static float settled_words(const struct hypothesis *h)
{
    float sum = 0;
    for (size_t i = 0; i < LISTS; i++)
        sum += settled_word(h, i);
    return sum;
}

/* Returns what the words that are spelt just now may gain, if they are completed. */
static float open_words(const struct hypothesis *h)
{
    float sum = 0;
    for (size_t i = 0; i < LISTS; i++)
        sum += h->word[i];
    return sum;
}

/* Spells a character in list i. A word that both lists know gains by both. */
static void spell(const struct call *c, size_t i, struct hypothesis *h,
                  const struct pl_class *class)
{
    const float gain = c->words[i].gain;
    if (pl_lexicon_spell(c->words[i].list, &h->spelling[i], class->symbol)) {
        h->word[i] = fminf(h->word[i] + gain, gain * LEXICON_CHARS);
        return;
    }
    bool within = class->kind == PL_CHAR_LETTER || class->kind == PL_CHAR_DIGIT;
    const float settled = within ? 0 : settled_word(h, i);
    if (i == LANGUAGES)
        h->token += settled; /* which a digit takes back */
    else
        h->gain += settled;
    h->word[i] = 0;
    /* where no word begins so, wait for the next one */
    h->spelling[i] = within ? (struct pl_spelling){0} : pl_lexicon_start(c->words[i].list);
}

/* A character that the language model gives the probability P gains weight * ln((P +
 * LANGUAGE_FLOOR) / LANGUAGE_NEUTRAL): from -0.75 to 3.2 times the weight. So the model speaks for
 * what it expects, and hardly against a rare name. */
static float language_gain(const struct call *c, struct hypothesis *h, uint8_t symbol)
{
    const struct pl_language *l = c->language;
    if (symbol + 1u >= l->s.n)
        return c->d->weight * LANGUAGE_FOREIGN;
    if (!h->guessed)
        pl_language_guess(l, c->k, h->history, h->guess);
    h->guessed = true;
    return c->d->weight * pl_logf((pl_expf(h->guess[symbol]) + LANGUAGE_FLOOR) / LANGUAGE_NEUTRAL);
}

/* Makes a token with digits a row of '0' in the history of the language model, since its
 * spelling says nothing of what follows. */
static void blur_code(const struct pl_language *l, struct hypothesis *h)
{
    for (size_t i = PL_LANGUAGE_HISTORY - 1; i-- > 0 && h->history[i];)
        h->history[i] = l->symbol_of['0'];
}

/* Appends a character to h, whose text was that of `from`. The language model is asked where
 * `ask` is set. It takes an underscore for a blank: it parts the words of a name as this does. */
static void append(const struct call *c, struct hypothesis *h, struct hypothesis *from,
                   uint32_t class_id, bool ask)
{
    const struct pl_class *class = &c->d->classes[class_id];
    for (size_t i = 0; i < LISTS; i++)
        if (c->words[i].list)
            spell(c, i, h, class);
    if (!c->language)
        return;
    const bool underscore = class->code_point == '_';
    const uint8_t symbol = pl_language_symbol(c->language, underscore ? ' ' : class->code_point);
    h->guessed = false;
    memmove(h->history, h->history + 1, PL_LANGUAGE_HISTORY - 1);
    h->history[PL_LANGUAGE_HISTORY - 1] = symbol;
    if (class->kind == PL_CHAR_DIGIT) {
        h->code = true;
        h->token = 0;
    }
    float gain = ask && !h->code ? language_gain(c, from, symbol) : 0;
    if (class->kind == PL_CHAR_OTHER)
        gain = fmaxf(gain, 0); /* the rival of a mark is nothing at all: the ink knows better */
    if (class->kind != PL_CHAR_BLANK && !underscore) {
        h->gain += h->blank_gain;
        h->token += gain;
        h->blank_gain = 0;
        return;
    }
    if (h->code)
        blur_code(c->language, h);
    h->gain += h->token;
    h->token = 0;
    h->code = false;
    h->blank_gain = gain;
}

/* ---- the search ---- */

/* Returns the hypothesis of that text among the next ones, and makes it from h where there is
 * none. */
static struct hypothesis *next_of(struct beam *to, const struct hypothesis *h, uint32_t node,
                                  bool *ret_new)
{
    *ret_new = false;
    for (size_t i = 0; i < to->n; i++)
        if (to->v[i].node == node)
            return &to->v[i];
    struct hypothesis *x = &to->v[to->n++];
    *x = *h;
    x->node = node;
    x->blank = x->label = NEVER;
    *ret_new = true;
    return x;
}

static void extend(const struct call *c, struct hypothesis *h, const struct candidate *v, size_t n,
                   struct beam *to)
{
    float both = log_add(h->blank, h->label);
    uint32_t last = c->s->nodes[h->node].class_id;
    bool new;
    for (size_t i = 0; i < n; i++) {
        uint32_t x = v[i].class_id;
        if (x == 0 || x == last) {
            struct hypothesis *same = next_of(to, h, h->node, &new);
            if (x == 0)
                same->blank = log_add(same->blank, both + v[i].log_p);
            else
                same->label = log_add(same->label, h->label + v[i].log_p);
        }
        float before = x == last ? h->blank : both;
        if (x == 0 || before <= NEVER)
            continue;
        struct hypothesis *longer = next_of(to, h, child_of(c->s, h->node, x), &new);
        if (new)
            append(c, longer, h, x, true);
        longer->label = log_add(longer->label, before + v[i].log_p);
    }
}

static float score(const struct hypothesis *h)
{
    return log_add(h->blank, h->label) + h->gain + h->token + open_words(h);
}

/* Sorts the next hypotheses by score, the best first, and keeps those that may still win. */
static void prune(const struct pl_search *s, struct beam *b)
{
    size_t kept = 0;
    float scores[BEAM];
    for (size_t i = 0; i < b->n; i++) {
        struct hypothesis h = b->v[i];
        float x = score(&h);
        size_t at = kept;
        while (at > 0 && scores[at - 1] < x)
            at--;
        if (at == BEAM)
            continue;
        kept = PL_MIN(kept + 1, (size_t)BEAM);
        memmove(&b->v[at + 1], &b->v[at], (kept - 1 - at) * sizeof(h));
        memmove(&scores[at + 1], &scores[at], (kept - 1 - at) * sizeof(x));
        b->v[at] = h;
        scores[at] = x;
    }
    b->n = 0;
    for (size_t i = 0; i < kept && scores[i] > scores[0] - SEARCH_BEHIND; i++) {
        bool differs = true;
        for (size_t j = 0; j < b->n && differs; j++)
            differs = !agree(s, b->v[i].node, b->v[j].node);
        if (differs && b->n < i)
            b->v[b->n] = b->v[i];
        b->n += differs;
    }
}

/* Takes a sure step where there is one hypothesis only. */
static void go_on(const struct call *c, struct hypothesis *h, uint32_t class_id)
{
    float both = log_add(h->blank, h->label);
    bool same = class_id == 0 || (class_id == c->s->nodes[h->node].class_id && h->label > h->blank);
    if (!same) {
        h->node = child_of(c->s, h->node, class_id);
        append(c, h, h, class_id, false);
    }
    h->blank = class_id ? NEVER : both;
    h->label = class_id ? both : NEVER;
}

static platen_status search(struct call *c, const struct hypothesis **ret, struct platen_error *err)
{
    struct pl_search *s = c->s;
    struct beam *now = &s->beams[0], *next = &s->beams[1];
    struct candidate v[CANDIDATES];
    s->n_nodes = 0;
    for (size_t t = 0; t <= c->line->steps; t++) {
        if (!PL_GROW(s->nodes, s->nodes_cap, s->n_nodes + BEAM * CANDIDATES + 1))
            return pl_fail_nomem(err, s->n_nodes * sizeof(*s->nodes), "a search");
        if (t == 0) {
            add_node(s, NONE, 0);
            now->n = 1;
            now->v[0] = (struct hypothesis){.label = NEVER};
            for (size_t i = 0; i < LISTS; i++)
                if (c->words[i].list)
                    now->v[0].spelling[i] = pl_lexicon_start(c->words[i].list);
        }
        if (t == c->line->steps)
            break;
        size_t n = find_candidates(c, t, v);
        if (n == 1 && now->n == 1) {
            go_on(c, &now->v[0], v[0].class_id);
            continue;
        }
        next->n = 0;
        for (size_t i = 0; i < now->n; i++)
            extend(c, &now->v[i], v, n, next);
        prune(s, next);
        struct beam *swap = now;
        now = next;
        next = swap;
    }
    const struct hypothesis *best = &now->v[0];
    for (size_t i = 1; i < now->n; i++)
        if (score(&now->v[i]) - open_words(&now->v[i]) + settled_words(&now->v[i]) >
            score(best) - open_words(best) + settled_words(best))
            best = &now->v[i];
    *ret = best;
    return PLATEN_OK;
}

/* Writes the classes of a text to s->text. Returns their number. */
static platen_status spell_out(struct pl_search *s, uint32_t node, size_t *ret,
                               struct platen_error *err)
{
    assert(node < s->n_nodes);
    size_t n = 0, i;
    for (uint32_t x = node; x != 0; x = s->nodes[x].parent)
        n++;
    if (!PL_GROW(s->text, s->text_cap, n + 1))
        return pl_fail_nomem(err, n * sizeof(*s->text), "a text");
    i = n;
    for (uint32_t x = node; x != 0; x = s->nodes[x].parent)
        s->text[--i] = s->nodes[x].class_id;
    *ret = n;
    return PLATEN_OK;
}

platen_status pl_search_run(struct pl_search *s, const struct pl_decoder *d,
                            const struct pl_language *language, const struct pl_kernels *k,
                            const struct pl_ctc_line *line, struct pl_ctc_run *runs, size_t *n,
                            struct platen_error *err)
{
    struct call c = {.s = s,
                     .d = d,
                     .language = language,
                     .words[USERS] = {d->lexicon, LEXICON_GAIN},
                     .k = k,
                     .line = line,
                     .runs = runs,
                     .n_runs = *n};
    if (language) {
        c.words[LANGUAGES].list = language->words;
        c.words[LANGUAGES].gain = d->weight * language->word_gain;
    }
    const struct hypothesis *best = NULL;
    size_t length = 0;
    platen_status status = map_runs(&c, err);
    status = status ? status : search(&c, &best, err);
    status = status ? status : spell_out(s, best->node, &length, err);
    return status ? status : pl_align_text(&s->align, line, s->text, length, runs, n, err);
}
