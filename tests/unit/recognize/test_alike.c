/* SPDX-License-Identifier: BSD-2-Clause */
/* o, O, l and I beside figures and capitals. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "recognize/alike.h"
#include "tests/unit/suite.h"

#define MOST 16

static const char *const symbols[] = {"",  " ", "0", "1", "2", "5", "9", "A", "C", "I", "M",
                                      "O", "g", "h", "l", "m", "o", ".", ":", "/", "-", "\xC3\x80"};
#define N_SYMBOLS (sizeof(symbols) / sizeof(*symbols))

static const struct pl_line_model model = {.n_classes = N_SYMBOLS, .alphabet = symbols};

/* What a network said of a line, a step for each character. */
struct said {
    uint32_t best[MOST], first[MOST + 1];
    float share[MOST];
    struct pl_ctc_rival rivals[MOST];
    struct pl_ctc_line line;
    struct pl_ctc_run runs[MOST];
};

static uint32_t class_of(char c)
{
    uint32_t i = 1;
    while (i < N_SYMBOLS && !(symbols[i][0] == c && !symbols[i][1]))
        i++;
    ck_assert_uint_lt(i, N_SYMBOLS);
    return i;
}

/* Each character with a posterior of 0.6 and beside it, but for '_', a rival with 0.3. */
static void say(struct said *s, const char *text, const char *rivals)
{
    const size_t n = strlen(text);
    size_t n_rivals = 0;
    ck_assert_uint_eq(n, strlen(rivals));
    for (uint32_t t = 0; t < n; t++) {
        s->best[t] = class_of(text[t]);
        s->share[t] = 0.6f;
        s->first[t] = (uint32_t)n_rivals;
        if (rivals[t] != '_')
            s->rivals[n_rivals++] = (struct pl_ctc_rival){class_of(rivals[t]), logf(0.5f)};
        s->runs[t] = (struct pl_ctc_run){s->best[t], t, t + 1, 0.6f};
    }
    s->first[n] = (uint32_t)n_rivals;
    s->line = (struct pl_ctc_line){n, s->best, s->share, s->first, s->rivals};
}

static struct pl_decoder *new_decoder(void)
{
    static const struct pl_text_models no_models;
    struct pl_decoder *d = NULL;
    struct platen_error err;
    ck_assert_msg(!pl_decoder_new(&model, &no_models, &(struct pl_decode_options){0}, &d, &err),
                  "%s", err.text);
    return d;
}

static void check_with(const struct pl_decoder *d, const char *language, const char *text,
                       const char *rivals, const char *want)
{
    struct said s;
    char got[MOST + 1] = "";
    say(&s, text, rivals);
    pl_alike_settle(d, language, &s.line, s.runs, s.line.steps);
    for (size_t i = 0; i < s.line.steps; i++) {
        strcat(got, symbols[s.runs[i].class_id]);
        ck_assert_float_eq_tol(s.runs[i].conf, s.runs[i].class_id == s.best[i] ? 0.6f : 0.9f,
                               1e-5f);
    }
    ck_assert_msg(!strcmp(got, want), "'%s' becomes '%s', not '%s'", text, got, want);
}

static void check(const char *text, const char *rivals, const char *want)
{
    struct pl_decoder *d = new_decoder();
    check_with(d, "en", text, rivals, want);
    pl_decoder_free(d);
}

START_TEST(figures_make_a_figure)
{
    check("52o", "__0", "520");
    check("5O2", "_0_", "502");
    check("l5", "1_", "15");
    check("2l5", "_1_", "215");
    check("2I5", "_1_", "215");
    check("5o", "_0", "50");
    check("1.52o", "____0", "1.520");
    check("A 52o.l2 h", "____0_1___", "A 520.12 h");
}
END_TEST

START_TEST(figures_of_numbers_and_dates)
{
    check("O2.10.1", "0______", "02.10.1");
    check("1.O5", "__0_", "1.05");
    check("O.5", "0__", "0.5");
    check("5.l", "__1", "5.1");
    check("l2:5O", "1___0", "12:50");
    check("1I:50", "_1___", "11:50");
    check("Omg", "0__", "0mg");
    check("Og", "0_", "0g");
    check("1/O2", "__0_", "1/02");
    check("1/O", "__0", "1/O"); /* for I/O */
    check("I.5", "1__", "I.5"); /* a section */
    check("O2-5", "0___", "O2-5");
    check("O2. 5", "0____", "O2. 5");
    check("Ogm", "0__", "Ogm");
    check("Om", "0_", "Om");
    check("og", "0_", "og");
    check("gO", "_0", "gO");
}
END_TEST

START_TEST(codes_and_units_stay)
{
    check("O2", "0_", "O2");
    check("o2", "0_", "o2");
    check("I95", "1__", "I95");
    check("5l", "_1", "5l");
    check("5I", "_1", "5I");
    check("Co2", "_0_", "Co2");
    check("2oo", "_00", "2oo");
    check("l", "1", "l");
    check("5h", "_1", "5h");
}
END_TEST

START_TEST(capitals_make_a_capital)
{
    check("AllM", "_II_", "AIIM");
    check("AlIM", "_I__", "AIIM");
    check("AlM.", "_I__", "AIM.");
    check("llMA", "II__", "llMA"); /* a small word before capitals */
    check("MAll", "__II", "MAll"); /* they may end in small letters */
    check("AloM", "_I__", "AloM");
    check("Al2M", "_I__", "Al2M");
    check("All", "_II", "All");
    check("hlM", "_I_", "hlM");
    check("AhM", "_I_", "AhM");
}
END_TEST

/* What the network was sure of is not doubted. */
START_TEST(what_was_not_possible_stays)
{
    check("52o", "___", "52o");
    check("52o", "__h", "52o");
    check("AllM", "_I__", "AIlM");
}
END_TEST

START_TEST(ordinals_stay)
{
    struct pl_decoder *d = new_decoder();
    static const char *const with[] = {"ca", "es", "fr", "it", "pt"};
    for (size_t i = 0; i < sizeof(with) / sizeof(*with); i++) {
        check_with(d, with[i], "52o", "__0", "52o");
        check_with(d, with[i], "5o2", "_0_", "502");
        check_with(d, with[i], "52O", "__0", "520");
    }
    check_with(d, "de", "52o", "__0", "520");
    check_with(d, NULL, "52o", "__0", "520");
    pl_decoder_free(d);
}
END_TEST

START_TEST(words_of_the_dictionary_stay)
{
    struct pl_decoder *d = new_decoder();
    struct platen_error err;
    ck_assert(!pl_lexicon_parse("2oz\nAllM\n52o\n", 13, &d->own_lexicon, &err));
    d->lexicon = d->own_lexicon;
    check_with(d, "en", "52o", "__0", "52o");
    check_with(d, "en", "AllM.", "_II__", "AllM.");
    check_with(d, "en", "2o", "_0", "20"); /* the beginning of one alone */
    check_with(d, "en", "552o", "___0", "5520");
    pl_decoder_free(d);
}
END_TEST

/* The search may take what no step has for the likeliest. */
START_TEST(winners_count_like_rivals)
{
    struct pl_decoder *d = new_decoder();
    struct said s;
    say(&s, "50", "_o");
    s.runs[1].class_id = class_of('o');
    s.runs[1].conf = 0.3f;
    pl_alike_settle(d, NULL, &s.line, s.runs, 2);
    ck_assert_uint_eq(s.runs[1].class_id, class_of('0'));
    ck_assert_float_eq_tol(s.runs[1].conf, 0.9f, 1e-5f);
    pl_decoder_free(d);
}
END_TEST

/* Nothing tells the height of a round character that stands alone: it is as sure as that one of the
 * three is there. Others, and those in words, are as sure as the one. */
START_TEST(lone_rounds_are_one)
{
    static const struct {
        const char *text, *rivals;
        float conf; /* of the first character */
    } tried[] = {{"0", "O", 0.9f},     {"O", "0", 0.9f},   {"o", "0", 0.9f},
                 {"0", "A", 0.6f},     {"1", "l", 0.6f},   {"0", "_", 0.6f},
                 {"o 5", "0__", 0.9f}, {"0M", "O_", 0.6f}, {"M", "0", 0.6f}};
    struct pl_decoder *d = new_decoder();
    for (size_t i = 0; i < PL_ARRAY_LEN(tried); i++) {
        struct said s;
        say(&s, tried[i].text, tried[i].rivals);
        pl_alike_settle(d, NULL, &s.line, s.runs, s.line.steps);
        ck_assert_uint_eq(s.runs[0].class_id, s.best[0]);
        ck_assert_float_eq_tol(s.runs[0].conf, tried[i].conf, 1e-5f);
    }
    pl_decoder_free(d);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("alike");
    tcase_add_test(tc, figures_make_a_figure);
    tcase_add_test(tc, figures_of_numbers_and_dates);
    tcase_add_test(tc, codes_and_units_stay);
    tcase_add_test(tc, capitals_make_a_capital);
    tcase_add_test(tc, what_was_not_possible_stays);
    tcase_add_test(tc, ordinals_stay);
    tcase_add_test(tc, words_of_the_dictionary_stay);
    tcase_add_test(tc, winners_count_like_rivals);
    tcase_add_test(tc, lone_rounds_are_one);
    Suite *s = suite_create("alike");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
