/* SPDX-License-Identifier: BSD-2-Clause */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "detect/detect.h"
#include "codec/codec.h"
#include "recognize/ctc.h"
#include "layout/steps.h"
#include "recognize/language/language.h"
#include "recognize/line_net.h"
#include "recognize/recognize.h"
#include "recognize/spaces.h"
#include "recognize/strip.h"
#include "page/bidi.h"
#include "recognize/words.h"
#include "tests/unit/suite.h"

static const struct pl_line_model model = {.height = 32,
                                           .stride = 4,
                                           .pad_left = 8,
                                           .pad_right = 8,
                                           .input_scale = 1.0f / 160,
                                           .input_zero = 48};

/* ---- ctc */

#define CLASSES 4 /* blank, a, b, space */

static size_t greedy(const float *logits, size_t steps, struct pl_ctc_run *ret)
{
    struct pl_kernels k;
    uint32_t best[100];
    float share[100];
    pl_kernels_init(&k, pl_isa_best());
    k.softmax_top(best, share, logits, steps, CLASSES);
    return pl_ctc_greedy(&(struct pl_ctc_line){.steps = steps, .best = best, .share = share}, ret);
}

/* Logits whose winners are the letters of `path`: '-' blank, 'a', 'b', '_' space. The winner of
 * step t leads by lead[t % 3]. */
static size_t decode(const char *path, struct pl_ctc_run *ret)
{
    static const float lead[] = {1, 3, 2};
    static float logits[100 * CLASSES];
    size_t n = strlen(path);
    for (size_t t = 0; t < n; t++)
        for (size_t c = 0; c < CLASSES; c++)
            logits[t * CLASSES + c] = -5 + ("-ab_"[c] == path[t] ? lead[t % 3] : 0);
    return greedy(logits, n, ret);
}

static void check_path(const char *path, const char *want)
{
    struct pl_ctc_run runs[100];
    size_t n = decode(path, runs);
    ck_assert_uint_eq(n, strlen(want));
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq("-ab_"[runs[i].class_id], want[i]);
}

START_TEST(ctc_joins_repeats_and_drops_blanks)
{
    check_path("", "");
    check_path("-----", "");
    check_path("a", "a");
    check_path("aaaa", "a");
    check_path("aa-aa", "aa");
    check_path("ab", "ab");
    check_path("-a--bb_b-", "ab_b");
    check_path("_a_", "_a_");
    check_path("a_-_b", "a__b");
}
END_TEST

START_TEST(ctc_gives_steps_and_posteriors)
{
    struct pl_ctc_run runs[100];
    ck_assert_uint_eq(decode("-aaa-b", runs), 2);
    ck_assert_uint_eq(runs[0].first, 1);
    ck_assert_uint_eq(runs[0].end, 4);
    ck_assert_uint_eq(runs[1].first, 5);
    ck_assert_uint_eq(runs[1].end, 6);
    ck_assert_double_eq_tol((double)runs[0].conf, exp(3) / (exp(3) + 3),
                            1e-6); /* the best step's lead */
    ck_assert_double_eq_tol((double)runs[1].conf, exp(2) / (exp(2) + 3), 1e-6);
    const float huge[] = {-1e30f, 1e30f, 0, 0, 5, 5, 5, 5};
    ck_assert_uint_eq(greedy(huge, 2, runs), 1); /* all equal: blank wins */
    ck_assert_float_eq(runs[0].conf, 1);
}
END_TEST

/* Steps with a winner and, maybe, a rival: the rest of the posterior is all that is left to it. */
static float sureness(const char *path, const float *share, const char *rival)
{
    uint32_t best[8], first[9] = {0};
    struct pl_ctc_rival rivals[8];
    struct pl_ctc_run runs[8];
    struct pl_ctc_line l = {strlen(path), best, share, first, rivals};
    for (size_t t = 0; t < l.steps; t++) {
        best[t] = (uint32_t)(strchr("-ab_", path[t]) - "-ab_");
        first[t + 1] = first[t] + (rival[t] != ' ');
        if (rival[t] != ' ')
            rivals[first[t]] = (struct pl_ctc_rival){(uint32_t)(strchr("-ab_", rival[t]) - "-ab_"),
                                                     logf((1 - share[t]) / share[t])};
    }
    const size_t n = pl_ctc_greedy(&l, runs);
    return pl_ctc_sureness(&l, runs, n);
}

START_TEST(ctc_tells_how_sure_the_text_is)
{
    static const struct {
        const char *path, *rival;
        float share[6], want;
    } cases[] = {
        {"-a-b-", "     ", {1, 1, 1, 1, 1}, 1},
        {"", "", {0}, 1},
        {"aa-b", "bb  ", {.6f, .9f, 1, .8f}, .8f},           /* the best step of a run counts */
        {"-a-", "b  ", {.75f, 1, 1}, .75f},                  /* a b that may stand before it */
        {"-a-b-", "a a b", {.6f, 1, .6f, 1, .6f}, 1},        /* these may begin or end later */
        {"-a-b-", "b   a", {.75f, 1, 1, 1, .5f}, .5f},       /* but not beyond the other */
        {"--a---", "bb b  ", {.9f, .7f, 1, .8f, 1, 1}, .7f}, /* once for each stretch */
        {"a", "-", {.7f}, .7f},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        const float got = sureness(cases[i].path, cases[i].share, cases[i].rival);
        ck_assert_msg(fabsf(got - cases[i].want) < 1e-5f, "case %zu: %g", i, (double)got);
    }
}
END_TEST

/* ---- words */

struct reading {
    struct pl_arena arena;
    struct pl_str scratch;
    struct pl_line line;
};

static void reading_init(struct reading *r, const struct pl_rect *gaps, size_t n_gaps)
{
    *r = (struct reading){.line = {.box = {10, 100, 210, 140},
                                   .base_y = 130,
                                   .ascent_px = 30,
                                   .descent_px = 10,
                                   .gaps = gaps,
                                   .n_gaps = n_gaps}};
    pl_arena_init(&r->arena);
}

static void reading_done(struct reading *r)
{
    pl_str_done(&r->scratch);
    pl_arena_done(&r->arena);
}

static void build(struct reading *r, struct pl_read_char *chars, size_t n)
{
    struct platen_error err;
    ck_assert_int_eq(pl_words_build(&r->arena, &r->scratch, NULL, chars, n, &r->line, &err),
                     PLATEN_OK);
}

static void check_rect(struct pl_rect got, struct pl_rect want)
{
    ck_assert_msg(!memcmp(&got, &want, sizeof(got)), "(%d %d %d %d) is not (%d %d %d %d)", got.x0,
                  got.y0, got.x1, got.y1, want.x0, want.y0, want.x1, want.y1);
}

/* The text that is left of a line of the characters in `symbols`, one of them a byte, each read
 * with `conf`. */
static void check_doubt(const char *symbols, float conf, float min_conf, const char *want)
{
    struct reading r;
    struct platen_error err;
    struct pl_read_char chars[16];
    char text[16][2];
    size_t n = strlen(symbols);
    for (size_t i = 0; i < n; i++) {
        memcpy(text[i], (char[2]){symbols[i], 0}, 2);
        double x = 20 + 10 * (double)i;
        chars[i] = (struct pl_read_char){text[i], x, x + 5, symbols[i] == ' ' ? 1 : conf};
    }
    reading_init(&r, NULL, 0);
    build(&r, chars, n);
    float before = r.line.conf;
    ck_assert_int_eq(pl_words_doubt(&r.arena, &r.scratch, min_conf, &r.line, &err), PLATEN_OK);
    ck_assert_str_eq(r.line.text, want);
    ck_assert(r.line.conf == before);
    reading_done(&r);
}

START_TEST(patterns_must_be_read_surely)
{
    check_doubt("- ;", .94f, .7f, "");
    check_doubt("- ;", .96f, .7f, "- ;");
    check_doubt("-a;", .88f, .7f, "-a;");
    check_doubt("A a a AA a aaaa", .88f, .7f, "");
    check_doubt("A a a AA a aaaa", .96f, .7f, "A a a AA a aaaa");
    check_doubt("Aba b cda bAa ba", .88f, .7f, "Aba b cda bAa ba");
    check_doubt("-0;", .88f, .7f, "-0;");
    check_doubt("-a;", .68f, .7f, "");
    check_doubt("- ;", .02f, 0, "- ;");
}
END_TEST

/* A line of characters, bars 6 px wide and 3 px apart, words 12 px apart; where the text has | or _
 * the gap is `gap` px wide, and was read without a blank or with one. A rule stands under the
 * first `rule` px. */
static struct pl_image bars(const struct pl_env *env, const char *text, int gap, size_t rule,
                            struct pl_read_char *chars, size_t *n)
{
    static const char known[] = "ab;\"";
    static const char *const symbols[] = {"a", "b", ";", "\xE2\x80\x9C"};
    struct pl_image im = {0};
    struct platen_error err;
    int x = 10;
    ck_assert(!pl_image_init(env, 240, 40, PL_GRAY8, &im, &err));
    for (int y = 0; y < 40; y++)
        memset(pl_image_row(&im, y), 240, 240);
    *n = 0;
    for (const char *p = text; *p; p++) {
        if (*p == ' ' || *p == '_')
            chars[(*n)++] = (struct pl_read_char){" ", x + 2, x + 4, .99f};
        if (strchr(" |_", *p)) {
            x += *p == ' ' ? 9 : gap - 3;
            continue;
        }
        for (int y = 10; y < 30 + (*p == 'b'); y++)
            memset(pl_image_row(&im, y) + x, 30, 6);
        const char *symbol = symbols[strchr(known, *p) - known];
        chars[(*n)++] = (struct pl_read_char){symbol, x + 2, x + 4, .99f};
        x += 9;
    }
    memset(pl_image_row(&im, 31) + 10, 30, rule);
    memset(pl_image_row(&im, 32) + 10, 30, rule);
    return im;
}

static void check_bars(const char *text, int gap, size_t rule, const char *want)
{
    struct pl_kernels k;
    struct platen_error err;
    struct pl_read_char chars[64];
    struct pl_line_ink ink = {0};
    struct reading r;
    size_t n;
    pl_kernels_init(&k, PL_ISA_SCALAR);
    struct pl_env env = {.k = &k, .bufs = pl_bufpool_new()};
    struct pl_image im = bars(&env, text, gap, rule, chars, &n);
    reading_init(&r, NULL, 0);
    r.line =
        (struct pl_line){.box = {10, 10, 220, 31}, .base_y = 30, .ascent_px = 20, .descent_px = 1};
    ck_assert_int_eq(pl_line_ink_measure(&ink, &env, &im, &r.line, &err), PLATEN_OK);
    n = pl_spaces_settle(&ink, chars, n);
    ck_assert_int_eq(pl_words_build(&r.arena, &r.scratch, &ink, chars, n, &r.line, &err),
                     PLATEN_OK);
    ck_assert_str_eq(r.line.text, want);
    if (!rule)
        check_rect(r.line.words[1].box, (struct pl_rect){55, 10, 97, 31}); /* to the pixel */
    reading_done(&r);
    pl_line_ink_done(&ink);
    pl_image_done(&im);
    pl_bufpool_free(env.bufs);
}

START_TEST(wide_gaps_part_words)
{
    static const char text[] = "abab ababa abab|abaa ab";
    check_bars(text, 12, 0, "abab ababa abab abaa ab"); /* as wide as the others */
    check_bars(text, 9, 0, "abab ababa abababaa ab");
    check_bars(text, 3, 0, "abab ababa abababaa ab");
}
END_TEST

START_TEST(underlined_words_part_no_letters)
{
    check_bars("abab ababa abab abaaba", 0, 186, "abab ababa abab abaaba"); /* but for the last */
}
END_TEST

START_TEST(narrow_blanks_beside_marks_go)
{
    check_bars("abab ababa abab_; abaa ab", 9, 0, "abab ababa abab; abaa ab");
    check_bars("abab ababa abab_; abaa ab", 10, 0, "abab ababa abab ; abaa ab");
    check_bars("abab ababa \"_abab abaa ab", 9, 0,
               "abab ababa \xE2\x80\x9C"
               "abab abaa ab");
    check_bars("abab ababa abab_abaa ab", 9, 0, "abab ababa abab abaa ab"); /* between letters */
}
END_TEST

/* A line at a pitch of 10 px, of three letters one `off` px before its place and one as far
 * behind it. Blanks were read with confidence `conf`; one that the text has as _ has no place.
 * Without `want` all stay. */
static void check_pitch(const char *text, double off, float conf, const char *want)
{
    char symbols[64][2] = {{0}};
    struct pl_read_char chars[128];
    struct pl_line_ink ink = {0}; /* its gaps tell nothing */
    struct reading r;
    struct platen_error err;
    size_t n = 0;
    double x = 100;
    for (const char *p = text; *p; p++, n++) {
        const double middle = *p == '_' ? x - 5 : x + off * ((int)(n % 3) - 1);
        symbols[n][0] = *p == '_' ? ' ' : *p;
        chars[n] = (struct pl_read_char){symbols[n], (float)middle - 2, (float)middle + 2,
                                         symbols[n][0] == ' ' ? conf : .99f};
        x += *p == '_' ? 0 : 10;
    }
    n = pl_spaces_settle(&ink, chars, n);
    reading_init(&r, NULL, 0);
    r.line.box = (struct pl_rect){90, 10, 700, 30};
    ck_assert_int_eq(pl_words_build(&r.arena, &r.scratch, &ink, chars, n, &r.line, &err),
                     PLATEN_OK);
    for (size_t i = 0; text[i] && !want; i++)
        ck_assert_int_eq(r.line.text[i], text[i] == '_' ? ' ' : text[i]);
    if (want)
        ck_assert_str_eq(r.line.text, want);
    reading_done(&r);
}

START_TEST(letters_of_one_pitch_have_no_blank_between_them)
{
    check_pitch("const fs = require(_'fs/promises.js')", 1, .49f,
                "const fs = require('fs/promises.js')");
    check_pitch("const fs = require(_'fs/promises.js')", 1, .5f, NULL);
    check_pitch("const fs = require(_'fs/promises.js')", 2, .49f, NULL); /* no pitch */
    check_pitch("mkfifo a.org.f_ifo tango.dk._fifo", 1, .1f, "mkfifo a.org.fifo tango.dk.fifo");
    check_pitch("twenty_four letters tell it all", 1, .1f, "twentyfour letters tell it all");
    check_pitch("twenty_four letters tell it so", 1, .1f, NULL);      /* 19 pairs */
    check_pitch("first word._Second word,_third word", 1, .1f, NULL); /* a typist's habit */
    check_pitch("_first word second word third_", 1, .1f, "first word second word third");
}
END_TEST

START_TEST(an_apostrophe_of_two_shapes_is_one)
{
    static const struct pl_read_char read[] = {{"L", 0, 4, .9f},   {"\xE2\x80\x99", 5, 6, .6f},
                                               {"'", 6, 8, .7f},   {"s", 9, 12, .9f},
                                               {"'", 13, 14, .8f}, {"'", 15, 16, .8f}};
    struct pl_read_char chars[PL_ARRAY_LEN(read)];
    size_t n = 0;
    for (size_t i = 0; i < PL_ARRAY_LEN(read); i++)
        n = pl_read_char_push(chars, n, read[i]);
    ck_assert_uint_eq(n, 5); /* two of one shape are a quote of two strokes */
    ck_assert_str_eq(chars[1].symbol, "'");
    ck_assert_double_eq(chars[1].x0, 5);
    ck_assert_double_eq(chars[1].x1, 8);
    ck_assert_float_eq(chars[1].conf, .7f);
}
END_TEST

START_TEST(words_take_text_and_confidence)
{
    struct pl_read_char chars[] = {
        {" ", 8, 9, .1f},   {"H", 20, 24, .5f}, {"\xC3\xA9", 40, 44, .8f}, {" ", 60, 64, .9f},
        {" ", 66, 68, .9f}, {"x", 80, 84, 1},   {" ", 100, 110, .2f},
    };
    struct reading r;
    reading_init(&r, NULL, 0);
    build(&r, chars, PL_ARRAY_LEN(chars));
    ck_assert_uint_eq(r.line.n_words, 2);
    ck_assert_str_eq(r.line.text, "H\xC3\xA9 x");
    ck_assert_str_eq(r.line.words[0].text, "H\xC3\xA9");
    ck_assert_uint_eq(r.line.words[0].n_chars, 2);
    ck_assert_float_eq(r.line.words[0].char_conf[0], .5f);
    ck_assert_float_eq(r.line.words[0].char_conf[1], .8f);
    ck_assert_double_eq_tol((double)r.line.words[0].conf, sqrt(.5 * .8), 1e-6);
    ck_assert_double_eq_tol((double)r.line.conf, cbrt(.5 * .8 * 1), 1e-6); /* spaces do not count */
    build(&r, chars, 1);
    ck_assert_uint_eq(r.line.n_words, 0);
    ck_assert_str_eq(r.line.text, "");
    ck_assert_float_eq(r.line.conf, 0);
    build(&r, NULL, 0);
    ck_assert_str_eq(r.line.text, "");
    reading_done(&r);
}
END_TEST

/* What is not trusted follows what is. */
START_TEST(doubted_words_are_kept_behind)
{
    struct pl_read_char chars[] = {
        {"a", 20, 24, .3f}, {"b", 30, 34, .3f}, {" ", 40, 44, 1},   {"c", 50, 54, .99f},
        {"d", 60, 64, 1},   {" ", 70, 74, 1},   {"e", 80, 84, .3f}, {"f", 90, 94, .3f},
        {" ", 98, 99, 1},   {"g", 100, 104, 1}, {"h", 110, 114, 1},
    };
    struct reading r;
    struct platen_error err;
    reading_init(&r, NULL, 0);
    build(&r, chars, PL_ARRAY_LEN(chars));
    ck_assert_int_eq(pl_words_doubt(&r.arena, &r.scratch, .8f, &r.line, &err), PLATEN_OK);
    ck_assert_str_eq(r.line.text, "cd gh");
    ck_assert_uint_eq(r.line.n_words, 2);
    ck_assert_uint_eq(r.line.n_doubted, 2);
    ck_assert_str_eq(r.line.words[2].text, "ab");
    ck_assert_str_eq(r.line.words[3].text, "ef");
    reading_done(&r);
}
END_TEST

START_TEST(word_boxes_end_at_ink)
{
    static const struct pl_rect gaps[] = {
        {10, 102, 60, 131}, {75, 110, 120, 139}, {140, 100, 210, 130}};
    struct pl_read_char chars[] = {
        {"a", 18, 22, 1},   {"b", 46, 50, 1},   {" ", 64, 68, 1},   {"c", 84, 88, 1},
        {"d", 108, 112, 1}, {" ", 126, 130, 1}, {"e", 150, 154, 1}, {"f", 196, 200, 1},
    };
    struct reading r;
    reading_init(&r, gaps, 3);
    build(&r, chars, PL_ARRAY_LEN(chars));
    ck_assert_uint_eq(r.line.n_words, 3);
    for (size_t i = 0; i < 3; i++)
        check_rect(r.line.words[i].box, gaps[i]);
    reading_done(&r);
}
END_TEST

/* A word from the right, a number, and another word in parentheses: the boxes stay where they are.
 */
START_TEST(words_from_the_right_come_as_they_are_read)
{
    static const struct pl_rect gaps[] = {
        {10, 102, 60, 131}, {75, 110, 120, 139}, {140, 100, 210, 130}};
    struct pl_read_char chars[] = {
        {"(", 12, 14, 1},   {"\u05d2", 18, 22, .7f}, {")", 46, 50, 1},
        {" ", 64, 68, 1},   {"1", 84, 88, .8f},      {"2", 108, 112, .9f},
        {" ", 126, 130, 1}, {"\u05d1", 150, 154, 1}, {"\u05d0", 196, 200, .5f},
    };
    struct reading r;
    reading_init(&r, gaps, 3);
    build(&r, chars, PL_ARRAY_LEN(chars));
    ck_assert_uint_eq(r.line.n_words, 3);
    ck_assert(r.line.from_right == pl_bidi_built());
    if (!r.line.from_right) { /* a build without the library */
        ck_assert_str_eq(r.line.text, "(\u05d2) 12 \u05d1\u05d0");
    } else {
        ck_assert_str_eq(r.line.text, "\u05d0\u05d1 12 (\u05d2)");
        ck_assert_float_eq(r.line.words[0].char_conf[0], .5f);
        ck_assert_float_eq(r.line.words[1].char_conf[0], .8f);
        for (size_t i = 0; i < 3; i++)
            check_rect(r.line.words[i].box, gaps[2 - i]);
    }
    reading_done(&r);
}
END_TEST

START_TEST(words_that_share_ink_are_parted_at_the_space)
{
    static const struct pl_rect gaps[] = {{10, 102, 120, 139}};
    struct pl_read_char chars[] = {
        {"a", 18, 22, 1}, {"b", 46, 50, 1}, {" ", 62, 66, 1}, {"c", 80, 84, 1}, {"d", 108, 112, 1}};
    struct reading r;
    reading_init(&r, gaps, 1);
    build(&r, chars, PL_ARRAY_LEN(chars));
    ck_assert_uint_eq(r.line.n_words, 2);
    const struct pl_rect a = r.line.words[0].box, b = r.line.words[1].box;
    ck_assert_int_eq(a.x0, 10);
    ck_assert_int_eq(b.x1, 120);
    ck_assert(a.x1 >= 50 && a.x1 <= 64);
    ck_assert(b.x0 >= 64 && b.x0 <= 80);
    ck_assert_int_eq(a.y0, 102);
    ck_assert_int_eq(a.y1, 139);
    reading_done(&r);
}
END_TEST

START_TEST(word_rows_follow_the_baseline_without_ink_boxes)
{
    struct pl_read_char chars[] = {{"a", 20, 30, 1}, {" ", 60, 64, 1}, {"b", 180, 190, 1}};
    struct reading r;
    reading_init(&r, NULL, 0);
    r.line.box = (struct pl_rect){10, 100, 210, 160};
    r.line.slope = .1;
    build(&r, chars, PL_ARRAY_LEN(chars));
    double y = 130 + .1 * (185 - 10);
    ck_assert(abs(r.line.words[1].box.y0 - (int)(y - 30)) <= 1);
    ck_assert(abs(r.line.words[1].box.y1 - (int)(y + 10)) <= 1);
    ck_assert_int_lt(r.line.words[0].box.y0, r.line.words[1].box.y0);
    reading_done(&r);
}
END_TEST

/* ---- strips */

struct page {
    struct pl_env env;
    struct pl_kernels k;
    struct pl_image gray;
};

static void page_init(struct page *p, int width, int height)
{
    *p = (struct page){0};
    pl_kernels_init(&p->k, PL_ISA_SCALAR);
    p->env = (struct pl_env){.k = &p->k, .bufs = pl_bufpool_new()};
    ck_assert_int_eq(pl_image_init(&p->env, width, height, PL_GRAY8, &p->gray, NULL), PLATEN_OK);
    for (int y = 0; y < height; y++)
        memset(pl_image_row(&p->gray, y), 255, (size_t)width);
}

static void page_done(struct page *p)
{
    pl_image_done(&p->gray);
    pl_bufpool_free(p->env.bufs);
}

static int next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return (int)(*seed >> 16);
}

static int by_value(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

START_TEST(levels_are_those_of_the_sorted_pixels)
{
    uint32_t seed = 7;
    for (int round = 0; round < 60; round++) {
        static uint8_t px[5000];
        uint32_t hist[256] = {0};
        uint8_t lut[256];
        size_t n = 1 + (size_t)next_random(&seed) % sizeof(px);
        int base = next_random(&seed) % 200, spread = 1 + next_random(&seed) % 56;
        for (size_t i = 0; i < n; i++)
            hist[px[i] = (uint8_t)(base + next_random(&seed) % spread)]++;
        pl_strip_levels(&model, hist, n, lut);
        qsort(px, n, 1, by_value);
        double lo = px[n / 100], hi = px[PL_MIN(n - 1, n * 97 / 100)];
        if (hi - lo < 24) {
            lo = (px[n / 100] + px[PL_MIN(n - 1, n * 97 / 100)]) / 2.0 - 12;
            hi = lo + 24;
        }
        for (int g = 0; g < 256; g++) {
            double q = floor((hi - g) / (hi - lo) * 160 + .5) + 48;
            ck_assert_int_eq(lut[g], (int)fmin(fmax(q, 0), 255));
        }
    }
}
END_TEST

/* The strip of a line as 32 rows; gives its padded width. */
static int make(struct page *p, const struct pl_line *line, struct pl_strip_cut *cut, uint8_t *dst)
{
    struct platen_error err;
    ck_assert(pl_strip_next(line, p->gray.width, p->gray.height, &model, line->box.x0, cut));
    ck_assert_int_eq(pl_strip_make(&p->env, &p->gray, &model, cut, dst, &err), PLATEN_OK);
    return pl_strip_padded(&model, cut->columns);
}

/* 100 px of ink height with its margins are 116 rows, or 32 of the strip. */
START_TEST(a_level_line_keeps_its_rows)
{
    struct page p;
    page_init(&p, 700, 300);
    for (int y = 100; y < 200; y++) /* full height at the left, its upper half right of it */
        memset(pl_image_row(&p.gray, y) + 50, 0, y < 150 ? 400 : 200);
    struct pl_line line = {
        .box = {50, 100, 450, 200}, .base_y = 180, .ascent_px = 80, .descent_px = 20};
    struct pl_strip_cut cut;
    static uint8_t px[32 * 1000];
    int width = make(&p, &line, &cut, px);
    ck_assert_int_eq(cut.y0, 92);
    ck_assert_int_eq(cut.y1, 208);
    ck_assert_int_eq(cut.x0, 40);
    ck_assert_int_eq(cut.x1, 460);
    ck_assert_int_eq(cut.columns, 116); /* 420 * 32 / 116 = 115.86 */
    ck_assert_int_eq(width, 132);
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < width; x++) {
            double row = 92 + (y + .5) * 116 / 32, column = 40 + (x - 8 + .5) * 420 / 116;
            bool inside = row > 100 && row < 200 && column > 50 && column < (row < 150 ? 450 : 250);
            double edge = fmin(fabs(row - 100), fabs(row - 200));
            edge = fmin(edge, fmin(fabs(column - 50), fabs(column - 450)));
            edge = fmin(edge, column > 245 ? fmin(fabs(row - 150), fabs(column - 250)) : edge);
            if (edge > 4 || x < 8 || x >= 124)
                ck_assert_int_eq(px[y * width + x], inside ? 208 : 48);
        }
    page_done(&p);
}
END_TEST

static void check_becomes_level(double slope, double bend)
{
    struct page p;
    page_init(&p, 1000, 300);
    struct pl_line line = {.box = {100, 143, 900, 205},
                           .base_y = 200,
                           .slope = slope,
                           .bend = bend,
                           .ascent_px = 24,
                           .descent_px = 3.6};
    for (int x = 100; x < 900; x++) /* a bar of 8 rows that stands on the baseline */
        for (int y = 0; y < 8; y++)
            pl_image_row(&p.gray, (int)rint(pl_line_y(&line, x + .5)) - 8 + y)[x] = 0;
    struct pl_strip_cut cut;
    static uint8_t px[32 * 2000];
    int width = make(&p, &line, &cut, px);
    ck_assert_int_eq(cut.y1 - cut.y0, 32);           /* 27.6 * 1.16 */
    double base = pl_line_y(&line, cut.x0) - cut.y0; /* of the strip */
    for (int x = 60; x < width - 60; x++)
        for (int y = 0; y < 32; y++) {
            double above = base - (y + .5);
            if (above > 1.6 && above < 6.4)
                ck_assert_int_ge(px[y * width + x], 180);
            if (above < -1.6 || above > 9.6)
                ck_assert_int_le(px[y * width + x], 60);
        }
    page_done(&p);
}

START_TEST(a_tilted_or_bowed_line_becomes_level)
{
    check_becomes_level(-0.06, 0);
    check_becomes_level(-0.06, 0.00015); /* 24 px down in the middle */
    check_becomes_level(0, -0.0003);
}
END_TEST

/* The baseline stays where it is, whatever the box that tells it. */
START_TEST(a_line_gets_another_box)
{
    struct pl_line line = {
        .box = {100, 143, 900, 205}, .base_y = 200, .slope = -0.06, .bend = 0.00015};
    double y[] = {pl_line_y(&line, 300), pl_line_y(&line, 500), pl_line_y(&line, 800)};
    ck_assert_double_eq_tol(y[1], 200 - 24 - 24, 1e-9);
    pl_line_set_box(&line, (struct pl_rect){300, 140, 800, 200});
    ck_assert_double_eq_tol(line.base_y, y[0], 1e-9);
    ck_assert_double_eq_tol(pl_line_y(&line, 500), y[1], 1e-9);
    ck_assert_double_eq_tol(line.base_y + 500 * line.slope, y[2], 1e-9);
}
END_TEST

START_TEST(a_cut_ends_with_the_page)
{
    struct page p;
    page_init(&p, 60, 20);
    for (int y = 0; y < 20; y++)
        memset(pl_image_row(&p.gray, y), y % 5 ? 0 : 200, 60);
    struct pl_line line = {.box = {0, 0, 60, 20}, .base_y = 18, .ascent_px = 18, .descent_px = 2};
    struct pl_strip_cut cut;
    static uint8_t px[32 * 400];
    ck_assert_int_eq(make(&p, &line, &cut, px), 112);
    ck_assert(cut.x0 == 0 && cut.y0 == 0 && cut.x1 == 60 && cut.y1 == 20);
    line.slope = .2; /* rows outside the page read as paper */
    make(&p, &line, &cut, px);
    ck_assert(cut.slope != 0);
    line.slope = 0;
    line.base_y = 500; /* wholly outside */
    ck_assert(!pl_strip_next(&line, 60, 20, &model, 0, &cut));
    line = (struct pl_line){.box = {10, 5, 12, 6}}; /* no baseline known: the box */
    make(&p, &line, &cut, px);
    ck_assert(cut.y0 <= 5 && cut.y1 >= 6 && cut.columns >= 4);
    page_done(&p);
}
END_TEST

START_TEST(long_lines_fall_into_pieces)
{
    static struct pl_rect gaps[800];
    for (int i = 0; i < 800; i++)
        gaps[i] = (struct pl_rect){i * 100, 10, i * 100 + 80, 26};
    struct pl_line line = {.box = {0, 10, 79980, 26},
                           .base_y = 24,
                           .ascent_px = 14,
                           .descent_px = 2,
                           .gaps = gaps,
                           .n_gaps = 800};
    struct pl_strip_cut cut;
    int end = 0, pieces = 0;
    for (int from = 0; pl_strip_next(&line, 80000, 40, &model, from, &cut); from = cut.x1) {
        ck_assert_int_eq(cut.x0, end);
        ck_assert_int_gt(cut.x1, cut.x0);
        ck_assert_int_le(cut.columns, PL_STRIP_MAX_COLUMNS);
        ck_assert(cut.in_gap == (cut.x1 < 79980));
        if (cut.in_gap)
            ck_assert_int_eq(cut.x1 % 100, 90);
        end = cut.x1;
        pieces++;
    }
    ck_assert_int_ge(end, 79980);
    ck_assert_int_ge(pieces, 80000 * 32 / 19 / PL_STRIP_MAX_COLUMNS);
    line.n_gaps = 0; /* nowhere to break: still all of it, and no space is made up */
    end = 0;
    for (int from = 0; pl_strip_next(&line, 80000, 40, &model, from, &cut); from = cut.x1) {
        ck_assert_int_eq(cut.x0, end);
        ck_assert(!cut.in_gap);
        end = cut.x1;
    }
    ck_assert_int_ge(end, 79980);
}
END_TEST

/* ---- the whole way, with the shipped model and the project's own lines */

#define LINES PL_TEST_ROOT "/tests/data/lines/"
#define SHIPPED PL_TEST_ROOT "/models/eng.platen"
#define QUICK PL_TEST_ROOT "/models/eng.quick.platen"

static const char *const names[] = {
    "01-clean-serif", "02-clean-sans", "03-screen", "04-bold",    "05-typed", "06-italic",
    "07-caps",        "08-receipt",    "09-small",  "10-bilevel", "11-fax",   "12-old-print",
};
#define N_LINES PL_ARRAY_LEN(names)

struct reader {
    struct page page;
    struct pl_network *network, *quick; /* quick may be NULL */
    struct pl_line_model line;
    struct pl_decoder *decoder;
    struct pl_decoding decoding;
    struct pl_recognizer *recognizer;
    struct pl_arena arena;
    bool smeared; /* the pictures are made hard to read */
};

static void reader_init_with(struct reader *r, enum pl_isa isa, const char *path, const char *quick)
{
    struct platen_error err;
    *r = (struct reader){0};
    pl_kernels_init(&r->page.k, isa);
    r->page.env = (struct pl_env){.k = &r->page.k, .bufs = pl_bufpool_new()};
    pl_arena_init(&r->arena);
    ck_assert_msg(!pl_network_open(path, &r->network, &err), "%s", err.text);
    ck_assert_msg(!pl_line_model_read(r->network, &r->line, &err), "%s", err.text);
    if (quick) {
        ck_assert_msg(!pl_network_open(quick, &r->quick, &err), "%s", err.text);
        ck_assert_msg(!pl_line_model_add_quick(&r->line, r->quick, &err), "%s", err.text);
    }
    static const struct pl_decode_options plain = {0};
    ck_assert_int_eq(
        pl_decoder_new(&r->line, &(struct pl_text_models){0}, &plain, &r->decoder, &err),
        PLATEN_OK);
    r->decoding = (struct pl_decoding){.decoder = r->decoder};
    ck_assert_int_eq(
        pl_recognizer_new(r->network, &r->line, &r->page.k, NULL, 0, &r->recognizer, &err),
        PLATEN_OK);
}

static void reader_init(struct reader *r, enum pl_isa isa)
{
    reader_init_with(r, isa, SHIPPED, NULL);
}

static void reader_done(struct reader *r)
{
    pl_recognizer_free(r->recognizer);
    pl_decoder_free(r->decoder);
    pl_line_model_done(&r->line);
    pl_network_free(r->network);
    pl_network_free(r->quick);
    pl_arena_done(&r->arena);
    pl_bufpool_free(r->page.env.bufs);
}

static void load_line(struct reader *r, const char *name, struct pl_image *ret)
{
    char path[512];
    struct pl_map map;
    struct pl_load_options opt = {.gray = true, .max_pixels = 1 << 24};
    struct platen_error err;
    snprintf(path, sizeof(path), LINES "%s.png", name);
    ck_assert_int_eq(pl_map_open(path, 1 << 24, &map, &err), PLATEN_OK);
    ck_assert_int_eq(pl_image_load(&r->page.env, map.data, map.size, &opt, ret, &err), PLATEN_OK);
    pl_map_close(&map);
}

static void truth_of(const char *name, char text[256])
{
    char path[512];
    snprintf(path, sizeof(path), LINES "%s.gt.txt", name);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_nonnull(fgets(text, 256, f));
    text[strcspn(text, "\n")] = '\0';
    fclose(f);
}

/* Each pixel becomes the mean of those up to three to its left, so that the network is in doubt. */
static void smear(struct pl_image *im)
{
    for (int y = 0; y < im->height; y++) {
        uint8_t *row = pl_image_row(im, y);
        for (int x = im->width - 1; x >= 3; x--)
            row[x] = (uint8_t)((row[x] + row[x - 1] + row[x - 2] + row[x - 3]) / 4);
    }
}

/* Finds and reads the line of each picture. */
static void read_lines(struct reader *r, double min_conf, struct pl_line lines[N_LINES])
{
    const struct pl_recognize_args args = {.min_conf = min_conf, .lm = -1};
    struct platen_error err;
    for (size_t i = 0; i < N_LINES; i++) {
        struct pl_page_image page = {0};
        struct pl_regions regions = {0};
        load_line(r, names[i], &page.image);
        if (r->smeared)
            smear(&page.image);
        ck_assert_int_eq(pl_detect_op_of(pl_operation_find(pl_detect_ops, "line", 4))
                             ->run(NULL, &r->page.env, &r->arena, &page, NULL, &regions, &err),
                         PLATEN_OK);
        ck_assert_uint_eq(regions.n_blocks, 1);
        const struct pl_reader reader = {pl_recognize_op_of(pl_recognize_ops[0]),
                                         &args,
                                         &r->recognizer,
                                         &r->page.env,
                                         &r->arena,
                                         &r->decoding};
        ck_assert_int_eq(pl_recognize_page(&reader, &page.image, &regions, &err), PLATEN_OK);
        lines[i] = regions.blocks[0].lines[0];
        pl_image_done(&page.image);
    }
}

START_TEST(own_lines_are_read)
{
    struct reader r;
    struct pl_line lines[N_LINES];
    size_t wrong = 0, length = 0;
    reader_init(&r, pl_isa_best());
    read_lines(&r, 0, lines);
    for (size_t i = 0; i < N_LINES; i++) {
        char truth[256];
        truth_of(names[i], truth);
        wrong += pl_edit_distance(truth, strlen(truth), lines[i].text, strlen(lines[i].text));
        length += strlen(truth);
        for (size_t j = 0; j < lines[i].n_words; j++) { /* words stand apart, in order, in place */
            struct pl_rect box = lines[i].words[j].box;
            ck_assert(pl_rect_width(box) > 0 && pl_rect_height(box) > 0);
            ck_assert_int_ge(box.x0, j ? lines[i].words[j - 1].box.x1 - 1 : lines[i].box.x0 - 3);
            ck_assert_int_le(box.x1, lines[i].box.x1 + 3);
        }
    }
    ck_assert_msg(wrong * 40 <= length, "%zu of %zu characters are wrong", wrong, length);
    reader_done(&r);
}
END_TEST

/* `some` has those words of `all` that are read with at least `conf` and are no single characters.
 */
static void check_sure_words(const struct pl_line *some, const struct pl_line *all, double conf)
{
    char text[256] = "";
    size_t n = 0;
    for (size_t i = 0; i < all->n_words; i++) {
        const struct pl_word *w = &all->words[i];
        if (w->n_chars < 2 || (double)w->conf < conf)
            continue;
        strcat(strcat(text, n++ ? " " : ""), w->text);
    }
    ck_assert_str_eq(some->text, text);
    ck_assert_uint_eq(some->n_words, n);
}

/* Of a line that is read with less confidence only the words stay in which there is a third of the
 * doubt that lines may have. */
START_TEST(lines_below_the_confidence_keep_sure_words)
{
    struct reader r;
    struct pl_line all[N_LINES], some[N_LINES];
    reader_init(&r, pl_isa_best());
    read_lines(&r, 0, all);
    float least = 1, most = 0;
    for (size_t i = 0; i < N_LINES; i++) {
        least = PL_MIN(least, all[i].conf);
        most = PL_MAX(most, all[i].conf);
    }
    ck_assert((double)least > 0.3 && most > least && most <= 1);
    double wanted = ((double)least + (double)most) / 2;
    read_lines(&r, wanted, some);
    for (size_t i = 0; i < N_LINES; i++) {
        ck_assert(some[i].conf == all[i].conf);
        if ((double)all[i].conf < wanted)
            check_sure_words(&some[i], &all[i], 1 - (1 - wanted) / 3);
        else
            ck_assert_str_eq(some[i].text, all[i].text);
    }
    reader_done(&r);
}
END_TEST

static void check_same_line(const struct pl_line *a, const struct pl_line *b)
{
    ck_assert_str_eq(a->text, b->text);
    ck_assert(a->conf == b->conf && a->n_words == b->n_words);
    for (size_t i = 0; i < a->n_words; i++) {
        const struct pl_word *v = &a->words[i], *w = &b->words[i];
        check_rect(v->box, w->box);
        ck_assert(v->conf == w->conf && v->n_chars == w->n_chars);
        ck_assert_mem_eq(v->char_conf, w->char_conf, v->n_chars * sizeof(float));
    }
}

/* Reads line `name`, which stands upright in a picture that was turned clockwise: with the quarter
 * that sets it right, or described from the other side. */
static struct pl_line read_turned(struct reader *r, const char *name, bool other_side)
{
    const struct pl_recognize_args args = {.min_conf = 0, .lm = -1};
    struct platen_error err;
    struct pl_page_image page = {0};
    struct pl_regions regions = {0};
    load_line(r, name, &page.image);
    ck_assert_int_eq(pl_detect_op_of(pl_operation_find(pl_detect_ops, "line", 4))
                         ->run(NULL, &r->page.env, &r->arena, &page, NULL, &regions, &err),
                     PLATEN_OK);
    struct pl_line *line = &regions.blocks[0].lines[0];
    line->quarters = 3;
    if (other_side)
        ck_assert(pl_line_turn_over(&r->arena, line, page.image.width, page.image.height));
    ck_assert_int_eq(pl_image_turn(&r->page.env, &page.image, 6, &err), PLATEN_OK);
    const struct pl_reader reader = {pl_recognize_op_of(pl_recognize_ops[0]),
                                     &args,
                                     &r->recognizer,
                                     &r->page.env,
                                     &r->arena,
                                     &r->decoding};
    ck_assert_int_eq(pl_recognize_page(&reader, &page.image, &regions, &err), PLATEN_OK);
    pl_image_done(&page.image);
    return *line;
}

/* From whichever side a line that runs up or down is described, the surer one of its two readings
 * stays. */
START_TEST(the_surer_reading_of_a_turned_line_stays)
{
    struct reader r;
    struct pl_line upright[N_LINES];
    reader_init(&r, pl_isa_best());
    read_lines(&r, 0, upright);
    for (size_t i = 0; i < 3; i++)
        for (int other_side = 0; other_side < 2; other_side++) {
            struct pl_line line = read_turned(&r, names[i], other_side);
            ck_assert_str_eq(line.text, upright[i].text);
            ck_assert_int_eq(line.quarters, 3);
        }
    reader_done(&r);
}
END_TEST

/* A language model and a list of words each have their say without the other one. */
START_TEST(language_and_words_are_heard)
{
    char words[] = "/tmp/platen-words-XXXXXX";
    struct reader r;
    struct pl_line plain[N_LINES], other[N_LINES];
    struct pl_language *language = NULL;
    struct platen_error err;
    reader_init(&r, pl_isa_best());
    r.smeared = true;
    read_lines(&r, 0, plain);
    ck_assert_int_eq(pl_language_open(PL_TEST_ROOT "/models/eng.lm.platen", &language, &err), 0);
    const int fd = mkstemp(words);
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert_int_eq(pl_file_write(words, "zzz\n", 4, &err), PLATEN_OK);
    for (int turn = 0; turn < 2; turn++) {
        const struct pl_decode_options o = {.words = turn ? words : NULL, .language_weight = 4};
        const struct pl_text_models text = {.language = turn ? NULL : language};
        size_t changed = 0;
        pl_decoder_free(r.decoder);
        ck_assert_int_eq(pl_decoder_new(&r.line, &text, &o, &r.decoder, &err), 0);
        r.decoding.decoder = r.decoder;
        read_lines(&r, 0, other);
        for (size_t i = 0; i < N_LINES; i++)
            changed += strcmp(plain[i].text, other[i].text) || plain[i].conf != other[i].conf;
        ck_assert_uint_gt(changed, 0);
    }
    ck_assert_int_eq(unlink(words), 0);
    pl_language_free(language);
    reader_done(&r);
}
END_TEST

/* Copies `from` into a picture, its left upper corner at column x and row y. */
static void place(struct pl_image *to, const struct pl_image *from, int x, int y)
{
    for (int i = 0; i < from->height; i++)
        memcpy(pl_image_row(to, y + i) + x, pl_image_row(from, i), (size_t)from->width);
}

/* Large print, and behind it another line at half its height, most of it below the baseline. */
START_TEST(small_type_in_a_line_is_read)
{
    const struct pl_recognize_args args = {.min_conf = 0, .lm = -1};
    struct reader r;
    struct platen_error err;
    struct pl_image large = {0}, small = {0}, page = {0};
    reader_init(&r, pl_isa_best());
    load_line(&r, "04-bold", &large); /* 465 x 49, the baseline at row 38 */
    load_line(&r, "07-caps", &small); /* 121 x 18 */
    ck_assert_int_eq(pl_image_init(&r.page.env, 660, 80, PL_GRAY8, &page, &err), PLATEN_OK);
    for (int y = 0; y < page.height; y++)
        memset(pl_image_row(&page, y), 255, (size_t)page.width);
    place(&page, &large, 10, 10);
    place(&page, &small, 500, 47);
    struct pl_rect boxes[] = {{10, 10, 475, 59}, {500, 47, 621, 65}};
    struct pl_line line = {.box = {10, 10, 621, 59},
                           .base_y = 48,
                           .ascent_px = 35,
                           .descent_px = 10,
                           .gaps = boxes,
                           .n_gaps = 2};
    struct pl_block block = {.box = line.box, .lines = &line, .n_lines = 1};
    struct pl_regions regions = {
        .width = page.width, .height = page.height, .blocks = &block, .n_blocks = 1};
    const struct pl_reader reader = {pl_recognize_op_of(pl_recognize_ops[0]),
                                     &args,
                                     &r.recognizer,
                                     &r.page.env,
                                     &r.arena,
                                     &r.decoding};
    ck_assert_int_eq(pl_recognize_page(&reader, &page, &regions, &err), PLATEN_OK);
    ck_assert_str_eq(line.text, "Minutes of the Annual Meeting DATE OF BIRTH");
    ck_assert_int_eq(line.words[line.n_words - 1].box.y1, 65);
    ck_assert_int_lt(line.words[0].box.y1, 60);
    pl_image_done(&large);
    pl_image_done(&small);
    pl_image_done(&page);
    reader_done(&r);
}
END_TEST

START_TEST(every_isa_reads_the_same)
{
    struct reader scalar, other;
    struct pl_line want[N_LINES], got[N_LINES];
    reader_init(&scalar, PL_ISA_SCALAR);
    read_lines(&scalar, 0.7, want);
    for (int isa = PL_ISA_SCALAR + 1; isa < PL_ISA_COUNT; isa++) {
        if (!pl_isa_available((enum pl_isa)isa))
            continue;
        reader_init(&other, (enum pl_isa)isa);
        read_lines(&other, 0.7, got);
        for (size_t i = 0; i < N_LINES; i++)
            check_same_line(&got[i], &want[i]);
        reader_done(&other);
    }
    reader_done(&scalar);
}
END_TEST

/* All lines on one page, so that batches hold several: 40 copies of a picture below each other. */
START_TEST(lines_do_not_know_their_neighbours)
{
    enum { COPIES = 40 };
    struct reader r;
    struct pl_image one = {0}, page = {0};
    struct platen_error err;
    reader_init(&r, pl_isa_best());
    load_line(&r, names[0], &one);
    ck_assert_int_eq(
        pl_image_init(&r.page.env, one.width, one.height * COPIES, PL_GRAY8, &page, &err),
        PLATEN_OK);
    struct pl_line lines[COPIES];
    for (int i = 0; i < COPIES; i++) {
        int top = i * one.height, cut = i % 2 ? one.width / 2 : 0;
        for (int y = 0; y < one.height; y++)
            memcpy(pl_image_row(&page, top + y), pl_image_row(&one, y), (size_t)one.width);
        lines[i] = (struct pl_line){.box = {5, top + 5, one.width - 5 - cut, top + one.height - 5},
                                    .base_y = top + 0.75 * one.height,
                                    .ascent_px = 0.55 * one.height,
                                    .descent_px = 0.15 * one.height};
    }
    struct pl_block block = {.lines = lines, .n_lines = COPIES};
    struct pl_regions regions = {.blocks = &block, .n_blocks = 1};
    uint64_t allocations = 0;
    for (int round = 0; round < 3; round++) {
        pl_arena_reset(&r.arena);
        allocations = pl_mem_count();
        const struct pl_reader reader = {pl_recognize_op_of(pl_recognize_ops[0]),
                                         &(struct pl_recognize_args){0},
                                         &r.recognizer,
                                         &r.page.env,
                                         &r.arena,
                                         &r.decoding};
        ck_assert_int_eq(pl_recognize_page(&reader, &page, &regions, &err), PLATEN_OK);
        for (int i = 2; i < COPIES; i++) {
            ck_assert_str_eq(lines[i].text, lines[i % 2].text);
            ck_assert(lines[i].conf == lines[i % 2].conf);
        }
        ck_assert_uint_ge(lines[0].n_words, 3);
        ck_assert_uint_lt(lines[1].n_words, lines[0].n_words);
    }
    ck_assert_uint_eq(pl_mem_count(), allocations); /* a warm recognizer allocates nothing */
    pl_image_done(&one);
    pl_image_done(&page);
    reader_done(&r);
}
END_TEST

/* The pages of read_lines() in one call of the operation, each with its line `copies` times. */
static void read_together(struct reader *r, struct pl_line_calls *calls, struct pl_reading *pages,
                          size_t copies, struct pl_line lines[N_LINES])
{
    struct pl_page_image pictures[N_LINES] = {0};
    struct pl_regions regions[N_LINES] = {0};
    struct pl_reading *all[N_LINES];
    struct pl_recognizer *own = NULL;
    struct platen_error err;
    ck_assert_int_eq(pl_recognizer_new(r->network, &r->line, &r->page.k, calls, 0, &own, &err),
                     PLATEN_OK);
    for (size_t i = 0; i < N_LINES; i++) {
        load_line(r, names[i], &pictures[i].image);
        ck_assert_int_eq(
            pl_detect_op_of(pl_operation_find(pl_detect_ops, "line", 4))
                ->run(NULL, &r->page.env, &r->arena, &pictures[i], NULL, &regions[i], &err),
            PLATEN_OK);
        struct pl_block *block = &regions[i].blocks[0];
        struct pl_line *line = PL_NEW(&r->arena, struct pl_line, copies);
        ck_assert_ptr_nonnull(line);
        for (size_t k = 0; k < copies; k++)
            line[k] = block->lines[0];
        block->lines = line;
        block->n_lines = copies;
        pages[i].turned[0] = pl_image_ref(&pictures[i].image);
        pages[i].regions = &regions[i];
        all[i] = &pages[i];
    }
    const struct pl_recognize_op *op = pl_recognize_op_of(pl_recognize_ops[0]);
    const struct pl_reader reader = {op,        &(struct pl_recognize_args){.min_conf = 0.7},
                                     &own,      &r->page.env,
                                     &r->arena, &r->decoding};
    op->run(&reader, all, N_LINES);
    for (size_t i = 0; i < N_LINES; i++) {
        lines[i] = regions[i].blocks[0].lines[0];
        pl_reading_done(&pages[i]);
        pl_image_done(&pictures[i].image);
    }
    pl_recognizer_free(own);
}

START_TEST(pages_read_together_do_not_know_each_other)
{
    static const size_t most[] = {1, 2, 7, PL_LINE_MAX_STRIPS};
    unsigned long long before = 0;
    struct reader r;
    struct pl_line want[N_LINES], got[N_LINES];
    reader_init(&r, pl_isa_best());
    read_lines(&r, 0.7, want);
    for (size_t k = 0; k < PL_ARRAY_LEN(most); k++) {
        struct pl_reading pages[N_LINES] = {0};
        struct pl_line_calls calls = {.most = most[k]};
        read_together(&r, &calls, pages, 1, got);
        for (size_t i = 0; i < N_LINES; i++) {
            ck_assert_int_eq(pages[i].status, PLATEN_OK);
            check_same_line(&got[i], &want[i]);
        }
        ck_assert_uint_eq(calls.strips, N_LINES);
        ck_assert_uint_ge(calls.n, (N_LINES + most[k] - 1) / most[k]);
        ck_assert(!before || calls.n <= before);
        before = calls.n;
    }
    ck_assert_uint_lt(before, N_LINES);
    reader_done(&r);
}
END_TEST

/* Whether the line of a picture has to be enlarged for the network. */
static bool is_enlarged(struct reader *r, size_t i, const struct pl_line *line)
{
    struct pl_image im = {0};
    struct pl_strip_cut cut;
    load_line(r, names[i], &im);
    ck_assert(pl_strip_next(line, im.width, im.height, &r->line, line->box.x0, &cut));
    pl_image_done(&im);
    return cut.y1 - cut.y0 < r->line.height;
}

/* What the quick network reads surely enough stays, and the network itself reads the others, and
 * those that it does not look at: each line is as one of the two reads it alone, whatever lines are
 * read with it. */
START_TEST(a_quick_network_reads_what_it_is_sure_of)
{
    static const struct {
        float sure; /* the bound */
        bool all, some;
    } bounds[] = {{0, true, true}, {0.8f, false, true}, {1.1f, false, false}};
    struct pl_line whole[N_LINES], quick[N_LINES], got[N_LINES];
    struct reader w, q, both;
    size_t enlarged = 0;
    reader_init(&w, pl_isa_best());
    reader_init_with(&q, pl_isa_best(), QUICK, NULL);
    reader_init_with(&both, pl_isa_best(), SHIPPED, QUICK);
    ck_assert(both.line.sure > 0 && both.line.sure < 1);
    read_lines(&w, 0.7, whole);
    read_lines(&q, 0.7, quick);
    for (size_t i = 0; i < N_LINES; i++)
        enlarged += is_enlarged(&w, i, &whole[i]);
    ck_assert(enlarged > 0 && enlarged < N_LINES);
    for (size_t k = 0; k < PL_ARRAY_LEN(bounds); k++) {
        struct pl_reading pages[N_LINES] = {0};
        struct pl_line_calls calls = {.most = PL_LINE_MAX_STRIPS};
        size_t stayed = 0;
        both.line.sure = bounds[k].sure;
        read_together(&both, &calls, pages, 4, got);
        for (size_t i = 0; i < N_LINES; i++) {
            const bool is_quick = got[i].conf == quick[i].conf;
            ck_assert(quick[i].conf != whole[i].conf);
            ck_assert(!is_quick || !is_enlarged(&w, i, &whole[i]));
            check_same_line(&got[i], is_quick ? &quick[i] : &whole[i]);
            stayed += is_quick;
        }
        ck_assert_uint_eq(calls.strips, 4 * (2 * N_LINES - stayed - enlarged));
        ck_assert(bounds[k].all == (stayed == N_LINES - enlarged));
        ck_assert(bounds[k].some == (stayed > 0));
    }
    both.line.sure = 0;
    read_lines(&both, 0.7, got); /* pages of one line, which the quick network does not see */
    for (size_t i = 0; i < N_LINES; i++)
        check_same_line(&got[i], &whole[i]);
    reader_done(&w);
    reader_done(&q);
    reader_done(&both);
}
END_TEST

START_TEST(a_page_that_fails_leaves_the_others)
{
    const atomic_bool canceled = true;
    struct reader r;
    struct pl_line want[N_LINES], got[N_LINES];
    struct pl_reading pages[N_LINES] = {0};
    reader_init(&r, pl_isa_best());
    read_lines(&r, 0.7, want);
    pages[1].cancel = &canceled;
    read_together(&r, NULL, pages, 1, got);
    for (size_t i = 0; i < N_LINES; i++) {
        ck_assert_int_eq(pages[i].status, i == 1 ? PLATEN_ERR_CANCELED : PLATEN_OK);
        if (i != 1)
            check_same_line(&got[i], &want[i]);
    }
    reader_done(&r);
}
END_TEST

/* ---- initials */

static const float sure[] = {1, 1, 1, 1, 1, 1};

/* A line of one word, as it was read. */
static struct pl_line word_line(struct pl_rect box, const char *text, struct pl_word *word)
{
    *word = (struct pl_word){
        .box = box, .text = text, .conf = 1, .char_conf = sure, .n_chars = strlen(text)};
    return (struct pl_line){.box = box,
                            .base_y = 120,
                            .glyph_px = 14,
                            .words = word,
                            .n_words = 1,
                            .text = text,
                            .conf = 1};
}

/* Joins an initial read as `letter` to "omes"; the number of lines that are left. */
static size_t join_initial(struct pl_arena *arena, const char *letter, struct pl_line lines[2])
{
    static struct pl_word words[2];
    lines[0] = word_line((struct pl_rect){50, 100, 100, 200}, letter, &words[0]);
    lines[1] = word_line((struct pl_rect){110, 100, 180, 124}, "omes", &words[1]);
    lines[0].initial = true;
    struct pl_block block = {.lines = lines, .n_lines = 2};
    struct pl_regions regions = {.blocks = &block, .n_blocks = 1};
    ck_assert(pl_initials_join(arena, NULL, NULL, &regions));
    return block.n_lines;
}

START_TEST(initials_join_their_row)
{
    struct pl_line lines[2];
    struct pl_arena arena;
    pl_arena_init(&arena);
    ck_assert_uint_eq(join_initial(&arena, "c", lines), 1);
    ck_assert_str_eq(lines[0].text, "Comes");
    ck_assert_uint_eq(lines[0].n_words, 1);
    ck_assert_str_eq(lines[0].words[0].text, "Comes");
    ck_assert_uint_eq(lines[0].words[0].n_chars, 5);
    ck_assert_int_eq(lines[0].box.x0, 50);
    ck_assert_int_eq(lines[0].box.y1, 200);
    ck_assert_int_eq(lines[0].words[0].box.x0, 50);
    ck_assert_uint_eq(join_initial(&arena, "0", lines), 1);
    ck_assert_str_eq(lines[0].text, "Oomes");
    ck_assert_uint_eq(join_initial(&arena, "%", lines), 2); /* a picture */
    ck_assert_uint_eq(lines[0].n_words, 0);
    ck_assert_str_eq(lines[1].text, "omes");
    ck_assert_uint_eq(join_initial(&arena, "TH", lines), 2);
    pl_arena_done(&arena);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("recognize");
    tcase_add_test(tc, initials_join_their_row);
    tcase_add_test(tc, ctc_joins_repeats_and_drops_blanks);
    tcase_add_test(tc, ctc_gives_steps_and_posteriors);
    tcase_add_test(tc, ctc_tells_how_sure_the_text_is);
    tcase_add_test(tc, an_apostrophe_of_two_shapes_is_one);
    tcase_add_test(tc, words_take_text_and_confidence);
    tcase_add_test(tc, patterns_must_be_read_surely);
    tcase_add_test(tc, wide_gaps_part_words);
    tcase_add_test(tc, underlined_words_part_no_letters);
    tcase_add_test(tc, narrow_blanks_beside_marks_go);
    tcase_add_test(tc, letters_of_one_pitch_have_no_blank_between_them);
    tcase_add_test(tc, doubted_words_are_kept_behind);
    tcase_add_test(tc, word_boxes_end_at_ink);
    tcase_add_test(tc, words_from_the_right_come_as_they_are_read);
    tcase_add_test(tc, words_that_share_ink_are_parted_at_the_space);
    tcase_add_test(tc, word_rows_follow_the_baseline_without_ink_boxes);
    tcase_add_test(tc, levels_are_those_of_the_sorted_pixels);
    tcase_add_test(tc, a_level_line_keeps_its_rows);
    tcase_add_test(tc, a_tilted_or_bowed_line_becomes_level);
    tcase_add_test(tc, a_line_gets_another_box);
    tcase_add_test(tc, a_cut_ends_with_the_page);
    tcase_add_test(tc, long_lines_fall_into_pieces);
    tcase_add_test(tc, own_lines_are_read);
    tcase_add_test(tc, lines_below_the_confidence_keep_sure_words);
    tcase_add_test(tc, the_surer_reading_of_a_turned_line_stays);
    tcase_add_test(tc, language_and_words_are_heard);
    tcase_add_test(tc, small_type_in_a_line_is_read);
    tcase_add_test(tc, every_isa_reads_the_same);
    tcase_add_test(tc, lines_do_not_know_their_neighbours);
    tcase_add_test(tc, pages_read_together_do_not_know_each_other);
    tcase_add_test(tc, a_quick_network_reads_what_it_is_sure_of);
    tcase_add_test(tc, a_page_that_fails_leaves_the_others);
    Suite *s = suite_create("recognize");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
