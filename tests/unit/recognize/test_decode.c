/* SPDX-License-Identifier: BSD-2-Clause */
/* Decoding: the dictionary, sets of characters, the language model, the search. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_order.h"
#include "base/map.h"
#include "base/fmath.h"
#include "base/mem.h"
#include "base/text.h"
#include "recognize/search.h"
#include "tests/unit/suite.h"

/* ---- floats ---- */

START_TEST(exponential_and_logarithm_are_close)
{
    for (double x = -86.9; x < 87.9; x += 0.00731)
        ck_assert_double_lt(fabs((double)pl_expf((float)x) - exp((double)(float)x)),
                            2e-7 * exp((double)(float)x));
    for (double x = -80; x < 80; x += 0.00917) {
        float v = (float)exp(x);
        ck_assert_double_lt(fabs((double)pl_logf(v) - log((double)v)),
                            2e-7 * fmax(1, fabs(log((double)v))));
    }
    ck_assert_float_eq(pl_expf(0), 1);
    ck_assert_float_eq(pl_expf(-88), 0);
    ck_assert_float_eq(pl_expf(-1e30f), 0);
    ck_assert_float_eq(pl_expf(1e30f), pl_expf(88));
    ck_assert_float_eq(pl_logf(1), 0);
}
END_TEST

/* ---- the dictionary ---- */

static platen_status parse(const char *text, struct pl_lexicon **ret, struct platen_error *err)
{
    return pl_lexicon_parse(text, strlen(text), ret, err);
}

/* Spells the code points of `word`; false at the first that does not go on. */
static bool spell(const struct pl_lexicon *l, const char *word, bool *complete)
{
    struct pl_spelling s = pl_lexicon_start(l);
    for (const char *p = word; *p;) {
        uint32_t c;
        char symbol[5] = "";
        size_t n = pl_utf8_get(p, strlen(p), &c);
        memcpy(symbol, p, n);
        p += n;
        if (!pl_lexicon_spell(l, &s, symbol))
            return false;
    }
    *complete = s.word;
    return true;
}

START_TEST(dictionary_spells_its_words)
{
    struct pl_lexicon *l = NULL;
    struct platen_error err;
    bool complete;
    ck_assert_msg(
        !parse("  Kreuz\r\n\nKREUZBERG\nAB-1203\n\xC3\x89t\xC3\xA9\n\xC5\xB8l\n\tz", &l, &err),
        "%s", err.text);
    ck_assert(spell(l, "kreuz", &complete) && complete);
    ck_assert(spell(l, "Kreuzb", &complete) && !complete);
    ck_assert(spell(l, "kReUzBeRg", &complete) && complete);
    ck_assert(!spell(l, "kreuzbergs", &complete));
    ck_assert(spell(l, "AB-1203", &complete) && complete);
    ck_assert(!spell(l, "AB-1204", &complete));
    ck_assert(spell(l, "\xC3\xA9T\xC3\x89", &complete) && complete); /* é and É */
    ck_assert(!spell(l, "ete", &complete));
    ck_assert(spell(l, "\xC3\xBFl", &complete) && complete); /* ÿ is the small letter of Ÿ */
    ck_assert(spell(l, "z", &complete) && complete);
    ck_assert(!spell(l, "y", &complete));
    struct pl_spelling s = pl_lexicon_start(l);
    ck_assert(!s.word);
    pl_lexicon_free(l);
    ck_assert(!parse("\xEF\xBB\xBFKreuz", &l, &err) && spell(l, "kreuz", &complete) && complete);
    pl_lexicon_free(l);
    ck_assert(!parse("", &l, &err) && !spell(l, "a", &complete));
    pl_lexicon_free(l);
}
END_TEST

START_TEST(dictionary_names_the_wrong_line)
{
    static char huge[PL_LEXICON_MAX_WORD_BYTES + 2];
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"ok\nNew York\n", "line 2: not UTF-8, or a blank or control character within a word"},
        {"ok\nfine\nb\xFF\n", "line 3: not UTF-8, or a blank or control character within a word"},
        {"a\x01", "line 1: not UTF-8, or a blank or control character within a word"},
        {huge, "line 1: a word of more than 128 bytes"},
    };
    memset(huge, 'x', sizeof(huge) - 1);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct pl_lexicon *l = NULL;
        struct platen_error err;
        ck_assert(parse(wrong[i].text, &l, &err) != PLATEN_OK);
        ck_assert_str_eq(err.text, wrong[i].message);
    }
}
END_TEST

/* ---- classes ---- */

static const char *const letters[] = {"",  " ", "a", "b", "c", "0", "1", ".", "\xE2\x82\xAC",
                                      "O", "-"};
#define N_LETTERS (sizeof(letters) / sizeof(*letters))
static const struct pl_text_models no_models;

static const struct pl_line_model model = {.n_classes = N_LETTERS, .alphabet = letters};

static platen_status make_decoder(const struct pl_decode_options *o, struct pl_decoder **ret,
                                  struct platen_error *err)
{
    return pl_decoder_new(&model, &no_models, o, ret, err);
}

/* A model reads the scripts of which it has the letters; a few are signs of formulas. */
START_TEST(models_read_scripts)
{
    for (size_t greek = 14; greek <= 24; greek += 10) {
        char text[50][3];
        const char *alphabet[50] = {""};
        struct pl_decoder *d = NULL;
        struct platen_error err;
        size_t n = 1;
        for (uint32_t c = 'a'; c <= 'z'; c++, n++)
            text[n][pl_utf8_put(text[n], c)] = '\0';
        for (uint32_t c = 0x3b1; c < 0x3b1 + greek && n < 50; c++, n++)
            text[n][pl_utf8_put(text[n], c)] = '\0';
        for (size_t i = 1; i < n; i++)
            alphabet[i] = text[i];
        const struct pl_line_model m = {.n_classes = n, .alphabet = alphabet};
        ck_assert(!pl_decoder_new(&m, &no_models, &(struct pl_decode_options){0}, &d, &err));
        ck_assert_uint_eq(d->scripts, PL_SCRIPT_LATIN | (greek > 20 ? PL_SCRIPT_GREEK : 0u));
        pl_decoder_free(d);
    }
}
END_TEST

/* The symbols that `set` allows. */
static void check_set(const char *set, const char *want)
{
    struct pl_decoder *d = NULL;
    struct platen_error err;
    char got[64] = "";
    size_t kept = 0;
    struct pl_decode_options o = {.chars = set};
    ck_assert_msg(!make_decoder(&o, &d, &err), "%s", err.text);
    for (size_t i = 1; i < N_LETTERS; i++)
        if (!d->classes[i].forbidden)
            strcat(got, letters[i]);
    ck_assert_str_eq(got, want);
    ck_assert(d->restricted);
    for (const char *p = want; *p; p++)
        kept += strchr("abcO", *p) != NULL;
    ck_assert(d->lacks_letters == (kept < 2)); /* of four */
    pl_decoder_free(d);
}

START_TEST(sets_of_characters)
{
    check_set("abc", " abc");
    check_set("0-9.", " 01.");
    check_set("b-d\xE2\x82\xAC", " bc\xE2\x82\xAC");
    check_set("-1", " 1-");
    check_set("1-", " 1-");
    check_set("--", " -"); /* a '-' that begins, a '-' that ends */
    check_set("+--", " -");
    check_set("^a-c0", " 1.\xE2\x82\xACO-");
    static const struct {
        const char *set, *message;
    } wrong[] = {
        {"b-a", "the set of characters is malformed at 'b-a' (a-z means a to z)"},
        {"0\xFF", "the set of characters is malformed at '?' (a-z means a to z)"},
        {"^!-\xEF\xBF\xBD", "the model reads none of the characters '^!-\xEF\xBF\xBD'"},
        {"xyz", "the model reads none of the characters 'xyz'"},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct pl_decoder *d = NULL;
        struct platen_error err;
        struct pl_decode_options o = {.chars = wrong[i].set};
        ck_assert_int_eq(make_decoder(&o, &d, &err), PLATEN_ERR_ARG);
        if (wrong[i].set[0] != '0')
            ck_assert_str_eq(err.text, wrong[i].message);
    }
}
END_TEST

/* ---- the search ---- */

#define STEPS 5
#define SMALL 4 /* classes of the brute force: blank, ' ', a, b */

static const struct pl_line_model small = {.n_classes = SMALL, .alphabet = letters};

static float random_float(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (float)(*state >> 40) / (float)(1 << 24);
}

/* A text of at most STEPS classes as a number in base SMALL, its length above. */
static unsigned text_of_path(unsigned path, size_t steps)
{
    unsigned text = 0, n = 0, previous = 0;
    for (size_t t = 0; t < steps; t++, path /= SMALL) {
        unsigned c = path % SMALL;
        if (c && c != previous) {
            text = text * SMALL + c;
            n++;
        }
        previous = c;
    }
    return text + (n << 16);
}

/* The logits of a line, measured; valid until the next call. */
static struct pl_ctc_line line_of(const struct pl_kernels *k, const float *logits, size_t steps,
                                  size_t n_classes)
{
    static uint32_t best[128], first[129];
    static float share[128];
    static struct pl_ctc_rival rivals[128 * PL_CTC_RIVALS];
    const struct pl_ctc_line line = {steps, best, share, first, rivals};
    k->softmax_top(best, share, logits, steps, n_classes);
    pl_ctc_find_rivals(logits, n_classes, &line, first, rivals);
    return line;
}

static unsigned text_of_runs(const struct pl_ctc_run *runs, size_t n)
{
    unsigned text = 0;
    for (size_t i = 0; i < n; i++)
        text = text * SMALL + runs[i].class_id;
    return text + ((unsigned)n << 16);
}

/* The probability of each text, by all paths. */
static void brute_force(const float *logits, double *ret, size_t n)
{
    unsigned paths = 1;
    for (size_t t = 0; t < STEPS; t++)
        paths *= SMALL;
    memset(ret, 0, n * sizeof(*ret));
    for (unsigned path = 0; path < paths; path++) {
        double p = 1;
        unsigned rest = path;
        for (size_t t = 0; t < STEPS; t++, rest /= SMALL) {
            const float *v = logits + t * SMALL;
            double sum = 0;
            for (size_t c = 0; c < SMALL; c++)
                sum += exp((double)v[c]);
            p *= exp((double)v[rest % SMALL]) / sum;
        }
        unsigned text = text_of_path(path, STEPS);
        ret[(text >> 16) * 4096 + (text & 0xffff)] += p;
    }
}

/* Runs follow each other, lie within the steps and belong to the class with all their steps. */
static void check_runs(const struct pl_ctc_run *runs, size_t n, size_t steps)
{
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_lt(runs[i].first, runs[i].end);
        ck_assert_uint_le(runs[i].end, steps);
        ck_assert(runs[i].conf > 0 && runs[i].conf <= 1);
        if (i) {
            ck_assert_uint_ge(runs[i].first, runs[i - 1].end);
            if (runs[i].class_id == runs[i - 1].class_id) /* a blank parts them */
                ck_assert_uint_gt(runs[i].first, runs[i - 1].end);
        }
    }
}

/* Without anything to prefer, the search finds the text whose paths together are likeliest; but for
 * a few of these lines, on which every class is about as likely, for it keeps eight texts at a
 * time. */
START_TEST(search_finds_the_likeliest_text)
{
    static double p[(STEPS + 1) * 4096];
    static const struct pl_decode_options nothing = {0};
    struct pl_kernels k;
    struct pl_search *s = NULL;
    struct pl_decoder *d = NULL;
    struct platen_error err;
    uint64_t state = 7;
    int differs = 0, missed = 0;
    pl_kernels_init(&k, PL_ISA_SCALAR);
    ck_assert(!pl_search_new(&s, &err) && !pl_decoder_new(&small, &no_models, &nothing, &d, &err));
    for (int round = 0; round < 300; round++) {
        float logits[STEPS * SMALL];
        struct pl_ctc_run runs[STEPS];
        for (size_t i = 0; i < STEPS * SMALL; i++)
            logits[i] = 4.5f * random_float(&state);
        struct pl_ctc_line line = line_of(&k, logits, STEPS, SMALL);
        size_t n = pl_ctc_greedy(&line, runs);
        unsigned greedy = text_of_runs(runs, n);
        ck_assert_int_eq(pl_search_run(s, d, d->text.language, &k, &line, runs, &n, &err),
                         PLATEN_OK);
        check_runs(runs, n, STEPS);
        brute_force(logits, p, sizeof(p) / sizeof(*p));
        double best = 0;
        for (size_t i = 0; i < sizeof(p) / sizeof(*p); i++)
            best = fmax(best, p[i]);
        unsigned found = text_of_runs(runs, n);
        missed += p[(found >> 16) * 4096 + (found & 0xffff)] < best * (1 - 1e-4);
        differs += found != greedy;
    }
    ck_assert_int_le(missed, 15);
    ck_assert_int_gt(differs, 45); /* or the rounds prove nothing */
    pl_decoder_free(d);
    pl_search_free(s);
}
END_TEST

/* Logits of a text, one step a character and a blank behind each; `rival` stands in for the
 * character at place `at` with log odds `odds`. */
struct printed {
    float logits[64 * 512];
    size_t steps;
};

static size_t class_of(const struct pl_line_model *m, char c)
{
    for (size_t i = 1; i < m->n_classes; i++)
        if (m->alphabet[i][0] == c && !m->alphabet[i][1])
            return i;
    ck_abort_msg("no class '%c'", c);
    return 0;
}

static void print(const struct pl_line_model *m, const char *text, size_t at, char rival,
                  float odds, struct printed *ret)
{
    ret->steps = 2 * strlen(text);
    ck_assert_uint_le(ret->steps * m->n_classes, sizeof(ret->logits) / sizeof(*ret->logits));
    for (size_t i = 0; i < ret->steps * m->n_classes; i++)
        ret->logits[i] = -12;
    for (size_t i = 0; text[i]; i++) {
        float *v = ret->logits + 2 * i * m->n_classes;
        v[class_of(m, text[i])] = 5;
        if (i == at)
            v[class_of(m, rival)] = 5 + odds;
        v[m->n_classes] = 5; /* the blank of the next step */
    }
}

/* What is read of the printed text. Returns its characters, until the next call. */
static const struct pl_ctc_run *read_back(const struct pl_decoder *d, const struct printed *p,
                                          char *ret)
{
    static struct pl_ctc_run runs[64];
    struct pl_kernels k;
    struct pl_search *s = NULL;
    struct platen_error err;
    pl_kernels_init(&k, pl_isa_best());
    struct pl_ctc_line line = line_of(&k, p->logits, p->steps, d->model->n_classes);
    size_t n = pl_ctc_greedy(&line, runs);
    ck_assert(!pl_search_new(&s, &err));
    ck_assert_int_eq(pl_search_run(s, d, d->text.language, &k, &line, runs, &n, &err), PLATEN_OK);
    check_runs(runs, n, p->steps);
    ret[0] = '\0';
    for (size_t i = 0; i < n; i++)
        strcat(ret, d->model->alphabet[runs[i].class_id]);
    pl_search_free(s);
    return runs;
}

static void check_reading(const struct pl_decoder *d, const char *text, size_t at, char rival,
                          float odds, const char *want)
{
    static struct printed p;
    char got[128];
    print(d->model, text, at, rival, odds, &p);
    read_back(d, &p, got);
    ck_assert_msg(!strcmp(got, want), "'%s' with '%c' for letter %zu is read as '%s', not '%s'",
                  text, rival, at, got, want);
}

START_TEST(dictionary_draws_to_its_words)
{
    struct pl_decoder *d = NULL;
    struct platen_error err;
    static const struct pl_decode_options nothing = {0};
    ck_assert(!make_decoder(&nothing, &d, &err));
    ck_assert(!parse("abca\nb0-1\n", &d->own_lexicon, &err));
    d->lexicon = d->own_lexicon;
    check_reading(d, "abca", 1, 'c', 1, "abca");    /* 4 letters gain 2 */
    check_reading(d, "abca", 1, 'c', 2.5f, "acca"); /* not against clear ink */
    check_reading(d, "c abca b", 3, 'c', 1, "c abca b");
    check_reading(d, "abca.", 1, 'c', 1, "abca."); /* a word may end in a stop */
    check_reading(d, "abcac", 1, 'c', 1, "accac"); /* no word: nothing gained */
    check_reading(d, "abc", 1, 'c', 1, "acc");     /* nor for the beginning of one */
    check_reading(d, "b0-1", 1, 'O', 1, "b0-1");
    pl_decoder_free(d);
}
END_TEST

/* Of 'b' and 'c' the network has the logits 5 and 6: .2689 and .7311. */
START_TEST(what_is_chosen_is_believed)
{
    struct pl_decoder *d = NULL;
    struct platen_error err;
    static const struct pl_decode_options nothing = {0};
    static struct printed p;
    char got[128];
    ck_assert(!make_decoder(&nothing, &d, &err));
    print(d->model, "abca", 1, 'c', 1, &p);
    ck_assert_float_eq_tol(read_back(d, &p, got)[1].conf, 0.7311f, 1e-3f);
    ck_assert_str_eq(got, "acca");
    ck_assert(!parse("abca\n", &d->own_lexicon, &err));
    d->lexicon = d->own_lexicon;
    ck_assert_float_eq_tol(read_back(d, &p, got)[1].conf, 0.5f, 1e-3f); /* half of both */
    ck_assert_str_eq(got, "abca");
    ck_assert_float_eq_tol(read_back(d, &p, got)[2].conf, 1, 1e-3f);
    pl_decoder_free(d);
}
END_TEST

/* Equal nodes are stored once: words of one ending share it, and a list is no longer for twice the
 * same word. */
START_TEST(dictionary_is_minimal)
{
    static const struct {
        const char *text;
        size_t edges; /* and one that is none */
    } cases[] = {
        {"", 1},
        {"a", 2},
        {"ab\nb", 3 + 1},
        {"b\nb\nab\nAB", 3 + 1},
        {"taps\ntops", 5 + 1},
        {"tap\ntaps\ntop\ntops", 5 + 1},
        {"tap\ntaps\ntop", 6 + 1},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct pl_lexicon *l = NULL;
        struct platen_error err;
        ck_assert(!parse(cases[i].text, &l, &err));
        ck_assert_msg(pl_lexicon_edges(l) == cases[i].edges, "%s: %zu", cases[i].text,
                      pl_lexicon_edges(l));
        pl_lexicon_free(l);
    }
}
END_TEST

/* As many words as make the table of nodes grow, told from those that are none. */
START_TEST(dictionary_of_many_words)
{
    static char text[64 << 10];
    struct pl_lexicon *l = NULL;
    struct platen_error err;
    bool complete;
    size_t n = 0;
    for (unsigned i = 0; i < 6000; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%x\n", i * 2654435761u >> 8);
    ck_assert(!parse(text, &l, &err));
    for (unsigned i = 0; i < 6000; i++) {
        char word[16];
        snprintf(word, sizeof(word), "%x", i * 2654435761u >> 8);
        ck_assert_msg(spell(l, word, &complete) && complete, "%s", word);
        word[0] = 'g';
        ck_assert_msg(!spell(l, word, &complete), "%s", word);
    }
    pl_lexicon_free(l);
}
END_TEST

/* ---- the language model ---- */

struct shipped {
    struct pl_network *network;
    struct pl_line_model line;
    struct pl_language *language;
    struct pl_decoder *d;
};

/* Opens the network of English with the language model of that file. */
static void shipped_init_with(struct shipped *s, const char *language, float weight)
{
    struct platen_error err;
    struct pl_decode_options o = {.language_weight = weight};
    *s = (struct shipped){0};
    ck_assert_msg(!pl_network_open(PL_TEST_ROOT "/models/eng.platen", &s->network, &err), "%s",
                  err.text);
    ck_assert_msg(!pl_line_model_read(s->network, &s->line, &err), "%s", err.text);
    ck_assert_msg(!pl_language_open(language, &s->language, &err), "%s", err.text);
    ck_assert(!pl_decoder_new(&s->line, &(struct pl_text_models){.language = s->language}, &o,
                              &s->d, &err));
}

static void shipped_init(struct shipped *s, float weight)
{
    shipped_init_with(s, PL_TEST_ROOT "/models/eng.lm.platen", weight);
}

static void shipped_done(struct shipped *s)
{
    pl_decoder_free(s->d);
    pl_language_free(s->language);
    pl_line_model_done(&s->line);
    pl_network_free(s->network);
}

/* Of two readings that the model finds alike the words of its file choose, by its weight. */
START_TEST(words_of_the_language_are_preferred)
{
    struct shipped s;
    struct platen_error err;
    shipped_init(&s, 0.45f);
    check_reading(s.d, "xqvkz", 1, 'j', 1.5f, "xjvkz");
    pl_lexicon_free(s.language->words);
    ck_assert(!parse("qvk\nxqvkz\nhello\n", &s.language->words, &err));
    s.language->word_gain = 1.5f; /* 5 letters gain 3.4 */
    check_reading(s.d, "xqvkz", 1, 'j', 1.5f, "xqvkz");
    check_reading(s.d, "Xqvkz, xqvkz", 8, 'j', 1.5f, "Xqvkz, xqvkz");
    check_reading(s.d, "xqvkzz", 1, 'j', 1.5f, "xjvkzz"); /* no word */
    check_reading(s.d, "xqvkz", 1, 'j', 6, "xjvkz");      /* not against clear ink */
    shipped_done(&s);
}
END_TEST

START_TEST(language_model_prefers_words)
{
    struct shipped s;
    shipped_init(&s, 0.3f);
    check_reading(s.d, "provide appropriate relief to", 24, 'c', 0.5f,
                  "provide appropriate relief to");
    check_reading(s.d, "COMPOUND NAME", 12, 'C', 0.5f, "COMPOUND NAME");
    check_reading(s.d, "the will include", 7, ']', 0.5f, "the will include");
    check_reading(s.d, "the will include", 7, ']', 4,
                  "the wil] include"); /* not against clear ink */
    shipped_done(&s);
}
END_TEST

/* A line whose only letter is more likely nothing is empty; there is no text to align. */
START_TEST(language_model_may_leave_nothing)
{
    static struct printed p;
    struct shipped s;
    char got[128];
    shipped_init(&s, 2);
    print(s.d->model, "q", 0, 'q', 0, &p);
    p.logits[0] = 4.9f;
    read_back(s.d, &p, got);
    ck_assert_str_eq(got, "");
    shipped_done(&s);
}
END_TEST

static size_t class_of_symbol(const struct pl_line_model *m, const char *symbol)
{
    size_t i = 1;
    while (strcmp(m->alphabet[i], symbol) != 0)
        i++;
    return i;
}

/* An accent that may be a speck is none in English; one that is clear stays. */
START_TEST(language_model_doubts_foreign_letters)
{
    static const float odds[] = {4.5f, 6};
    static const char *const want[] = {"sponsor", "spons\xC3\xB3r"};
    static struct printed p;
    struct shipped s;
    char got[128];
    shipped_init(&s, 0.45f);
    const size_t accented = class_of_symbol(s.d->model, "\xC3\xB3");
    for (int i = 0; i < 2; i++) {
        print(s.d->model, "sponsor", 0, 's', 0, &p);
        p.logits[2 * 5 * s.d->model->n_classes + accented] = 5 + odds[i];
        read_back(s.d, &p, got);
        ck_assert_str_eq(got, want[i]);
    }
    shipped_done(&s);
}
END_TEST

/* A sign that the language has no symbol for is what the ink says. */
START_TEST(language_model_lets_signs_be)
{
    static struct printed p;
    struct shipped s;
    char got[128];
    shipped_init(&s, 0.45f);
    const size_t sign = class_of_symbol(s.d->model, "\xC2\xB1");
    print(s.d->model, "mean one +", 0, 'm', 0, &p);
    p.logits[2 * 9 * s.d->model->n_classes + sign] = 5.6f;
    read_back(s.d, &p, got);
    ck_assert_str_eq(got, "mean one \xC2\xB1");
    shipped_done(&s);
}
END_TEST

/* An accent of which the network sees little is one in a language that has few of them, if it is
 * one of its own; not in one that has many, nor where hardly anything is seen. */
START_TEST(accents_are_expected_in_their_language)
{
    static const struct {
        const char *language, *accented;
        float odds;
        const char *want;
    } tried[] = {
        {"es", "\xC3\xAD", -4.4f,
         "dec\xC3\xAD"
         "a"},
        {"es", "\xC3\xAD", -5, "decia"},
        {"es", "\xC3\xAE", -1, "decia"},
        {"cs", "\xC3\xAD", -0.5f, "decia"},
        {"eng", "\xC3\xAD", -3, "decia"},
    };
    static struct printed p;
    for (size_t i = 0; i < PL_ARRAY_LEN(tried); i++) {
        struct shipped s;
        char path[256], got[128];
        snprintf(path, sizeof(path), PL_TEST_ROOT "/models/%s.lm.platen", tried[i].language);
        shipped_init_with(&s, path, 0.45f);
        ck_assert(s.language->few_marked == !strcmp(tried[i].language, "es"));
        const size_t accented = class_of_symbol(s.d->model, tried[i].accented);
        print(s.d->model, "decia", 0, 'd', 0, &p);
        p.logits[2 * 3 * s.d->model->n_classes + accented] = 5 + tried[i].odds;
        read_back(s.d, &p, got);
        ck_assert_msg(!strcmp(got, tried[i].want), "case %zu: '%s'", i, got);
        shipped_done(&s);
    }
}
END_TEST

/* An underscore parts words as a blank does, so that the ink alone tells the two. */
START_TEST(language_model_takes_underscores_for_blanks)
{
    struct shipped s;
    shipped_init(&s, 0.45f);
    check_reading(s.d, "with_the part", 4, ' ', -0.5f, "with_the part");
    check_reading(s.d, "WORD_SIZE of", 4, ' ', -0.5f, "WORD_SIZE of");
    check_reading(s.d, "with_the part", 4, ' ', 0.5f, "with the part");
    /* figures say nothing of the words before */
    check_reading(s.d, "the_relief_25", 8, 'c', 0.5f, "the_relief_25");
    shipped_done(&s);
}
END_TEST

/* A blank that ends the line is not seen: it must not outweigh the mark behind it. */
START_TEST(language_model_keeps_marks_at_the_end)
{
    static struct printed p;
    struct shipped s;
    char got[128];
    shipped_init(&s, 0.6f);
    print(s.d->model, "Rounding :", 0, 'R', 0, &p);
    p.logits[2 * 9 * s.d->model->n_classes] = 4.8f; /* nothing is there, nearly as likely */
    read_back(s.d, &p, got);
    ck_assert_str_eq(got, "Rounding :");
    shipped_done(&s);
}
END_TEST

/* Where digits are, and in words that nobody knows, the ink alone decides. */
START_TEST(language_model_invents_nothing)
{
    static const struct {
        const char *text;
        size_t at;
        char rival;
    } lines[] = {
        {"RM 10.50", 4, 'O'},   {"B0-12", 1, 'O'},  {"no. 1O45-X", 5, '0'}, {"12S4", 2, '5'},
        {"total 5l7", 7, '1'},  {"0x1fe0", 0, 'O'}, {"GB82 WEST", 2, 'B'},  {"I-9", 0, '1'},
        {"17/I1/2026", 3, '1'}, {"wxqvz", 2, 'g'},  {"Zxqk Hvjt", 2, 'O'},
    };
    struct shipped s;
    shipped_init(&s, 0.3f);
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
        check_reading(s.d, lines[i].text, lines[i].at, lines[i].rival, -0.25f, lines[i].text);
    shipped_done(&s);
}
END_TEST

/* The probabilities as platen-model.5 has them, in doubles and from the bytes of the file. */
static double reference(const uint8_t *file, const char *before, char next)
{
    const uint8_t *embd = file + pl_le64(file + 64 + 2 * 32 + 8),
                  *outp = file + pl_le64(file + 64 + 3 * 32 + 8);
    const char *alph = (const char *)file + pl_le64(file + 64 + 32 + 8);
    uint32_t rows = pl_le32(outp), width = pl_le32(outp + 4), n = 0, want = 0, h, row[7], sym[64],
             len = 16;
    size_t alph_bytes = pl_le64(file + 64 + 32 + 16);
    uint32_t symbol[128] = {0}, small_of[128];
    for (size_t at = 0; at < alph_bytes; at += strlen(alph + at) + 1, n++)
        if ((unsigned char)alph[at] < 128)
            symbol[(unsigned char)alph[at]] = n;
    for (uint32_t i = 0; i < 128; i++)
        small_of[i] = i;
    for (int c = 'A'; c <= 'Z'; c++)
        small_of[symbol[c]] = symbol[c + 32];
    memset(sym, 0, sizeof(sym));
    for (const char *p = before; *p; p++)
        sym[len++] = symbol[*p >= '0' && *p <= '9' ? '0' : (unsigned char)*p];
    want = symbol[(unsigned char)next];
#define MIX(s) (h = (h + (s) + 1) * 0x9e3779b1u, h ^= h >> 15)
    for (uint32_t order = 1; order <= 6; order++) {
        h = 0;
        for (uint32_t i = 1; i <= order; i++)
            MIX(order > 3 ? small_of[sym[len - i]] : sym[len - i]);
        row[order - 1] = h + order;
    }
    h = 0;
    for (uint32_t i = 1;
         i <= 15 && small_of[sym[len - i]] >= symbol['a'] && small_of[sym[len - i]] <= symbol['z'];
         i++)
        MIX(small_of[sym[len - i]]);
    row[6] = h + 7;
    double sum[256] = {0}, total = 0, p = 0;
    for (int i = 0; i < 7; i++) {
        h = row[i];
        MIX(0);
        const uint8_t *r = embd + ((uint64_t)h * rows >> 32) * (width + 8);
        for (uint32_t d = 0; d < width; d++)
            sum[d] += r[d] * (double)pl_lef32(r + width) + (double)pl_lef32(r + width + 4);
    }
    for (uint32_t v = 0; v < n; v++) {
        double x = (double)pl_lef32(outp + 8 + 4 * v);
        for (uint32_t d = 0; d < width; d++)
            x += sum[d] * (double)pl_lef32(outp + 8 + 4 * n + 4 * (d * n + v));
        total += exp(x);
        p = v == want ? exp(x) : p;
    }
    return log(p / total);
}

START_TEST(language_model_computes_as_specified)
{
    static const struct {
        const char *before;
        char next;
    } cases[] = {{"", 'T'},          {"relie", 'f'}, {"Depa", 'r'},
                 {"INVOICE N", 'O'}, {"in 19", '8'}, {"the antidisestablishmentar", 'i'},
                 {"don'", 't'},      {"a ", ' '}};
    struct pl_map map;
    struct shipped s;
    struct platen_error err;
    shipped_init(&s, 0.3f);
    ck_assert(!pl_map_open(PL_TEST_ROOT "/models/eng.lm.platen", 1 << 22, &map, &err));
    const struct pl_language *l = s.language;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        for (int isa = 0; isa < PL_ISA_COUNT; isa++) {
            uint8_t history[PL_LANGUAGE_HISTORY] = {0};
            float guess[PL_LANGUAGE_MAX_SYMBOLS];
            struct pl_kernels k;
            if (!pl_isa_available((enum pl_isa)isa))
                continue;
            pl_kernels_init(&k, (enum pl_isa)isa);
            for (const char *p = cases[i].before; *p; p++) {
                memmove(history, history + 1, sizeof(history) - 1);
                history[sizeof(history) - 1] = pl_language_symbol(l, (unsigned char)*p);
            }
            pl_language_guess(l, &k, history, guess);
            double want =
                reference(map.data, cases[i].before, cases[i].next == '8' ? '0' : cases[i].next);
            ck_assert_double_eq_tol(
                (double)guess[pl_language_symbol(l, (unsigned char)cases[i].next)], want, 1e-4);
        }
    pl_map_close(&map);
    shipped_done(&s);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("decode");
    tcase_add_test(tc, exponential_and_logarithm_are_close);
    tcase_add_test(tc, dictionary_spells_its_words);
    tcase_add_test(tc, dictionary_is_minimal);
    tcase_add_test(tc, dictionary_of_many_words);
    tcase_add_test(tc, dictionary_names_the_wrong_line);
    tcase_add_test(tc, models_read_scripts);
    tcase_add_test(tc, sets_of_characters);
    tcase_add_test(tc, search_finds_the_likeliest_text);
    tcase_add_test(tc, dictionary_draws_to_its_words);
    tcase_add_test(tc, what_is_chosen_is_believed);
    tcase_add_test(tc, words_of_the_language_are_preferred);
    tcase_add_test(tc, language_model_prefers_words);
    tcase_add_test(tc, language_model_may_leave_nothing);
    tcase_add_test(tc, language_model_doubts_foreign_letters);
    tcase_add_test(tc, language_model_lets_signs_be);
    tcase_add_test(tc, accents_are_expected_in_their_language);
    tcase_add_test(tc, language_model_takes_underscores_for_blanks);
    tcase_add_test(tc, language_model_keeps_marks_at_the_end);
    tcase_add_test(tc, language_model_invents_nothing);
    tcase_add_test(tc, language_model_computes_as_specified);
    Suite *s = suite_create("decode");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
