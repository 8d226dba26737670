/* SPDX-License-Identifier: BSD-2-Clause */
/* Short texts that few words tell to be in another script. */
#include <check.h>
#include <string.h>

#include "base/mem.h"
#include "recognize/signs.h"
#include "tests/unit/suite.h"

/* Lists of words of a few languages: what the first model's own language, others in Latin letters
 * and those in others have. */
static const char *const tags[] = {"en", "hr", "und", "und-Cyrl", "ru", "el"};
static const char *const lists[] = {
    "hotel\nexit\nhe\n",
    "kaca\n",
    NULL,
    NULL,
    "\u043a\u0430\u0441\u0430\n\u043a\u0430\u0441\u0441\u0430\n\u043d\u0435\n\u0431\u0430\u043d"
    "\u043a\n\u0433\u0443\u0431\u0430\n",
    "\u03c4\u03b9\u03bc\u03b7\n"};
static struct pl_language languages[PL_ARRAY_LEN(tags)];

static platen_status open_language(void *ctx, const char *tag, const struct pl_language **ret,
                                   struct platen_error *err)
{
    (void)err;
    *ret = NULL;
    for (size_t i = 0; i < PL_ARRAY_LEN(tags); i++)
        if (!strcmp(tags[i], tag) && languages[i].words)
            *ret = &languages[i];
    return ctx ? pl_fail(err, PLATEN_ERR_FORMAT, "a damaged model") : PLATEN_OK;
}

static struct pl_identifier identifier = {.s = {.n = PL_ARRAY_LEN(tags), .names = tags}};
static struct pl_language_models models = {.open = open_language};
static struct pl_decoder first = {.text = {.identifier = &identifier, .others = &models}};
static struct pl_arena arena;

static void setup(void)
{
    struct platen_error err;
    for (size_t i = 0; i < PL_ARRAY_LEN(tags); i++)
        if (lists[i])
            ck_assert(!pl_lexicon_parse(lists[i], strlen(lists[i]), &languages[i].words, &err));
    models.ctx = NULL;
    first.text.language = &languages[0];
    first.expected_scripts = 0;
    pl_arena_init(&arena);
}

static void teardown(void)
{
    for (size_t i = 0; i < PL_ARRAY_LEN(tags); i++)
        pl_lexicon_free(languages[i].words);
    memset(languages, 0, sizeof(languages));
    pl_arena_done(&arena);
}

/* A line of words, those behind the first `kept` doubted. */
static struct pl_line line_of(const char *text, float conf, size_t kept)
{
    struct pl_line line = {.text = text, .conf = conf, .words = PL_NEW(&arena, struct pl_word, 8)};
    for (size_t n; *text; text += n + (text[n] == ' ')) {
        n = strcspn(text, " ");
        line.words[line.n_words++] =
            (struct pl_word){.text = pl_arena_strndup(&arena, text, n), .conf = conf};
    }
    line.n_doubted = line.n_words - PL_MIN(kept, line.n_words);
    line.n_words -= line.n_doubted;
    return line;
}

/* Lines in which the first model is sure of Latin letters; what a further one reads with a
 * confidence, where a script is expected; and what they are then, NULL where they stay. */
static const struct {
    const char *read, *other;
    float conf;
    unsigned expected;
    const char *text;
    float becomes;
    bool kept;
} cases[] = {
    /* both models see the same letters, and only Russian has the word */
    {"KACCA", "\u041aAC\u0421\u0410", 0.5f, 0, "\u041a\u0410\u0421\u0421\u0410", 0.99f, true},
    /* Croatian has it, too */
    {"KACA", "\u041a\u0410\u0421\u0410", 0.99f, 0, NULL, 0, false},
    {"KACA", "\u041a\u0410\u0421\u0410", 0.5f, 2, "\u041a\u0410\u0421\u0410", 0.99f, true},
    {"KACA", "\u041a\u0410\u0421\u0410", 0.99f, 1, NULL, 0, false},
    {"KACA", "\u041a\u0410\u0421\u0410", 0.99f, 3, NULL, 0, false},
    /* no language has it */
    {"HOCA", "\u041d\u041e\u0421\u0410", 0.99f, 0, NULL, 0, false},
    /* the other model sees other letters, which Latin has */
    {"KOCCA", "\u041a\u0410\u0421\u0421\u0410", 0.99f, 0, NULL, 0, false},
    /* letters that Latin lacks: read surely, or known */
    {"CTO", "\u0421\u0422\u041e\u041f", 0.96f, 0, "\u0421\u0422\u041e\u041f", 0.96f, false},
    {"CTO", "\u0421\u0422\u041e\u041f", 0.9f, 0, NULL, 0, false},
    {"BAHK", "\u0411\u0410\u041d\u039a", 0.7f, 0, "\u0411\u0410\u041d\u041a", 0.7f, true},
    {"BAHK", "\u0411\u0410\u041d\u041a", 0.5f, 0, NULL, 0, false},
    {"BAHK", "\u0411\u0410\u041d\u041a", 0.7f, 2, "\u0411\u0410\u041d\u041a", 0.7f, true},
    {"BAHK", "\u0411\u0410\u041d\u041a", 0.5f, 2, NULL, 0, false},
    /* every word counts, but one letter by itself */
    {"HE KACCA", "HE \u041a\u0410\u0421\u0421\u0410", 0.5f, 0,
     "\u041d\u0415 \u041a\u0410\u0421\u0421\u0410", 0.99f, true},
    {"KACCA HOCA", "\u041a\u0410\u0421\u0421\u0410 HOCA", 0.5f, 0, NULL, 0, false},
    {"KACCA B", "\u041a\u0410\u0421\u0421\u0410 \u0412", 0.5f, 0,
     "\u041a\u0410\u0421\u0421\u0410 \u0412", 0.99f, true},
    {"HE", "\u041d\u0415", 0.99f, 0, NULL, 0, false},
    /* letters that the script lacks, and figures */
    {"KACCA R", "\u041a\u0410\u0421\u0421\u0410 R", 0.99f, 2, NULL, 0, false},
    {"HB-310", "\u041d\u0412-310", 0.99f, 2, NULL, 0, false},
    {"KACCA-310", "\u041a\u0410\u0421\u0421\u0410-310", 0.99f, 2, NULL, 0, false},
    /* Greek */
    {"TIMH", "\u03a4\u0399\u039c\u0397", 0.5f, 0, "\u03a4\u0399\u039c\u0397", 0.99f, true},
    {"TIMH", "\u03a4\u0399\u039c\u0397", 0.5f, 2, "\u0422\u0406\u041c\u041d", 0.99f, true},
};

START_TEST(words_tell_the_script)
{
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        struct platen_error err;
        const struct pl_line line = line_of(cases[i].read, 0.99f, 8);
        struct pl_line other = line_of(cases[i].other, cases[i].conf, 0);
        bool is;
        first.expected_scripts = cases[i].expected;
        ck_assert(!pl_sign_settle(&arena, &first, PL_SCRIPT_CYRILLIC | PL_SCRIPT_GREEK, &line,
                                  &other, &is, &err));
        ck_assert_msg(is == (cases[i].text != NULL), "case %zu", i);
        if (!is)
            continue;
        /* what both read alike is as the first model trusts it, and known words are trusted */
        const bool kept = other.n_words > 0;
        ck_assert(kept == cases[i].kept);
        ck_assert_str_eq(other.text, kept ? cases[i].text : "");
        ck_assert_str_eq(pl_words_join(&arena, other.words, other.n_words + other.n_doubted),
                         cases[i].text);
        ck_assert_float_eq_tol(other.conf, cases[i].becomes, 1e-6f);
    }
}
END_TEST

/* A model that adds no Cyrillic letters tells of none. */
START_TEST(other_scripts_are_left)
{
    struct platen_error err;
    const struct pl_line line = line_of("KACCA", 0.99f, 8);
    struct pl_line other = line_of("\u041a\u0410\u0421\u0421\u0410", 0.99f, 8);
    bool is;
    ck_assert(!pl_sign_settle(&arena, &first, PL_SCRIPT_GREEK, &line, &other, &is, &err));
    ck_assert(!is);
}
END_TEST

START_TEST(a_damaged_language_is_an_error)
{
    struct platen_error err;
    const struct pl_line line = line_of("KACCA", 0.99f, 8);
    struct pl_line other = line_of("\u041a\u0410\u0421\u0421\u0410", 0.99f, 8);
    bool is;
    models.ctx = &models;
    ck_assert(pl_sign_settle(&arena, &first, PL_SCRIPT_CYRILLIC, &line, &other, &is, &err) ==
              PLATEN_ERR_FORMAT);
    ck_assert(!is);
}
END_TEST

/* Words of the first model's own language, short ones, figures and codes are tried with no other
 * model. */
START_TEST(known_words_are_none)
{
    static const struct {
        const char *text;
        bool may;
    } texts[] = {{"HOTEL", false},      {"EXIT HOTEL", false}, {"METPO", true},
                 {"HOTEL METPO", true}, {"AK", false},         {"AB12", false},
                 {"TC 400", false},     {"BOK3AJ", true},      {"1,234.50", false}};
    for (size_t i = 0; i < PL_ARRAY_LEN(texts); i++) {
        const struct pl_line line = line_of(texts[i].text, 0.99f, i % 2);
        ck_assert_msg(pl_sign_may_be(&first, &line) == texts[i].may, "%s", texts[i].text);
    }
    const struct pl_line line = line_of("METPO", 0.99f, 8);
    first.text.language = NULL;
    ck_assert(!pl_sign_may_be(&first, &line));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("signs");
    TCase *c = tcase_create("signs");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, words_tell_the_script);
    tcase_add_test(c, other_scripts_are_left);
    tcase_add_test(c, a_damaged_language_is_an_error);
    tcase_add_test(c, known_words_are_none);
    suite_add_tcase(s, c);
    return run_suite(s);
}
