/* SPDX-License-Identifier: BSD-2-Clause */
/* The way up of a page: what reading tells of it, and votes, with a recognizer that sees from a
 * mark whether the page stands. */
#include <check.h>
#include <string.h>

#include "base/mem.h"
#include "page/result.h"
#include "layout/settle.h"
#include "preprocess/ops.h"
#include "tests/unit/suite.h"

#define SIDE 400
#define ROW 50 /* height of a picture of one line */

static struct pl_kernels kernels;
static int read_lines;   /* by the recognizer so far */
static float conf_right; /* of lines the right way up */

/* Words of the lines are read surely where the mark lies in the top left corner, else badly; the
 * lines must lie on ink of the picture that comes with them. */
static void recognize(const struct pl_reader *r, struct pl_reading *const *pages, size_t n)
{
    const struct pl_image *gray = &pages[0]->turned[0];
    const struct pl_regions *regions = pages[0]->regions;
    ck_assert_uint_eq(n, 1);
    ck_assert_double_eq(r->args->min_conf, 0);
    ck_assert_double_eq(r->args->lm, 7);
    bool right = pl_image_row(gray, 2)[2] < 128;
    for (size_t i = 0; i < regions->blocks[0].n_lines; i++, read_lines++) {
        struct pl_line *line = &regions->blocks[0].lines[i];
        bool ink = false;
        for (int y = line->box.y0; y < line->box.y1; y++)
            ink |= pl_image_row(gray, y)[line->box.x0] < 128;
        ck_assert(ink);
        ck_assert_int_eq(line->quarters, 0);
        line->words = PL_NEW(r->arena, struct pl_word, 1);
        ck_assert_ptr_nonnull(line->words);
        line->words[0] = (struct pl_word){.n_chars = 15, .conf = right ? conf_right : 0.6f};
        line->n_words = 1;
    }
}

static const struct pl_recognize_op op = {.info = {.name = "fake"}, .run = recognize};

/* Rows of letters of one height, and the mark; turned clockwise by so many quarters. */
static struct pl_page_image make_page(const struct pl_env *env, int height, int quarters)
{
    struct pl_page_image p = {.to_input = PL_AFFINE_IDENTITY};
    ck_assert_int_eq(pl_image_init(env, SIDE, height, PL_GRAY8, &p.image, NULL), PLATEN_OK);
    for (int y = 0; y < height; y++)
        memset(pl_image_row(&p.image, y), 240, SIDE);
    for (int y = height / 10 + 10; y + 20 < height; y += 32)
        for (int x = 40; x < 340; x += 14)
            for (int r = 0; r < 14 && x / 14 % 6; r++)
                memset(pl_image_row(&p.image, y + r) + x, 20, r < 3 || r > 10 ? 10 : 3);
    for (int y = 0; y < 4; y++)
        memset(pl_image_row(&p.image, y), 20, 4);
    if (quarters)
        ck_assert_int_eq(pl_page_turn(env, &p, 90 * quarters, true, NULL), PLATEN_OK);
    p.upright = PL_UPRIGHT_DOUBTFUL;
    return p;
}

struct voter {
    struct pl_env env;
    struct pl_arena arena;
    struct pl_reader reader;
};

static void voter_init(struct voter *v)
{
    static const struct pl_recognize_args args = {.min_conf = 0.7, .lm = 7};
    v->env = (struct pl_env){.k = &kernels, .bufs = pl_bufpool_new()};
    pl_arena_init(&v->arena);
    v->reader = (struct pl_reader){.op = &op, .args = &args, .env = &v->env, .arena = &v->arena};
    read_lines = 0;
}

static void voter_done(struct voter *v)
{
    pl_arena_done(&v->arena);
    pl_bufpool_free(v->env.bufs);
}

static bool is_marked(const struct pl_page_image *p)
{
    return pl_image_row(&p->image, 2)[2] < 128;
}

static void vote(int height, int quarters, struct pl_page_image *ret)
{
    struct voter v;
    voter_init(&v);
    struct pl_page_image p = make_page(&v.env, height, quarters);
    ck_assert_int_eq(pl_way_up_vote(&v.reader, &p, NULL), PLATEN_OK);
    *ret = (struct pl_page_image){.upright = p.upright, .quarters = p.quarters};
    ck_assert_int_eq(is_marked(&p), ret->upright == PL_UPRIGHT_SURE);
    pl_page_image_done(&p);
    voter_done(&v);
}

START_TEST(the_better_read_way_wins)
{
    static const int tried[] = {1, 4, 2, 3};
    struct pl_page_image p;
    conf_right = 0.97f;
    for (int quarters = 0; quarters < 4; quarters++) {
        vote(SIDE, quarters, &p);
        ck_assert_int_eq(p.upright, PL_UPRIGHT_SURE);
        ck_assert_int_eq(p.quarters, (4 - quarters) % 4);
        /* six lines each way, until one is right */
        ck_assert_int_eq(read_lines, 6 * tried[quarters]);
    }
}
END_TEST

START_TEST(one_line_is_read_two_ways)
{
    struct pl_page_image p;
    conf_right = 0.97f;
    for (int quarters = 0; quarters < 4; quarters++) {
        vote(ROW, quarters, &p);
        ck_assert_int_eq(p.upright, PL_UPRIGHT_SURE);
        ck_assert_int_eq(p.quarters, (4 - quarters) % 4);
        ck_assert_int_eq(read_lines, 2);
    }
}
END_TEST

START_TEST(doubt_leaves_the_page)
{
    struct pl_page_image p;
    conf_right = 0.6f;
    for (int quarters = 1; quarters < 4; quarters++) {
        vote(SIDE, quarters, &p);
        ck_assert_int_eq(p.upright, PL_UPRIGHT_DOUBTFUL);
        ck_assert_int_eq(p.quarters, 0);
    }
}
END_TEST

/* A page of lines of 30 letters and as many characters, `n` of them read, the first ones surely;
 * another that runs up is read surely, too. */
static bool is_read(size_t n, float conf)
{
    const struct pl_image square = {.width = SIDE, .height = SIDE};
    struct pl_word word = {.n_chars = 30, .conf = conf}, turned = {.n_chars = 30, .conf = 1};
    struct pl_line lines[11];
    struct pl_block block = {.lines = lines, .n_lines = 11};
    struct pl_regions regions = {.blocks = &block, .n_blocks = 1};
    for (size_t i = 0; i < 11; i++)
        lines[i] = (struct pl_line){.box = {0, 0, 300, 14}, .glyph_px = 10, .conf = 0.2f};
    for (size_t i = 0; i < n; i++) {
        lines[i].words = &word;
        lines[i].n_words = 1;
        lines[i].conf = conf;
    }
    lines[10].quarters = 1;
    lines[10].words = &turned;
    lines[10].n_words = 1;
    lines[10].conf = 1;
    return pl_way_up_judge(&regions, &square) == PL_UPRIGHT_SURE;
}

START_TEST(a_page_read_surely_needs_no_vote)
{
    ck_assert(is_read(10, 1));
    ck_assert(is_read(4, 1));
    ck_assert(!is_read(3, 1));      /* too few of its lines */
    ck_assert(!is_read(10, 0.8f));  /* all, but hardly */
    ck_assert(!is_read(10, 0.74f)); /* badly */
    ck_assert(!is_read(0, 0));
}
END_TEST

/* A picture of so many lines of `letters` letters side by side, read as `chars` characters so
 * surely; the vote would ask a picture so high. */
static enum pl_upright judge_row(size_t n, int letters, size_t chars, float conf, int asked)
{
    const struct pl_image im = {.width = SIDE, .height = asked};
    struct pl_word word = {.n_chars = chars, .conf = conf};
    struct pl_line lines[9];
    struct pl_block block = {.lines = lines, .n_lines = n};
    struct pl_regions regions = {.width = SIDE, .height = ROW, .blocks = &block, .n_blocks = 1};
    for (size_t i = 0; i < n; i++)
        lines[i] = (struct pl_line){.box = {10, 20, 10 + 10 * letters, 35},
                                    .glyph_px = 10,
                                    .ink_px = (uint64_t)(40 * letters),
                                    .words = &word,
                                    .n_words = 1,
                                    .conf = conf};
    return pl_way_up_judge(&regions, &im);
}

START_TEST(one_line_read_surely_needs_no_vote)
{
    ck_assert_int_eq(judge_row(1, 25, 24, 1, ROW), PL_UPRIGHT_SURE);
    ck_assert_int_eq(judge_row(3, 8, 8, 1, ROW), PL_UPRIGHT_SURE);
    ck_assert_int_eq(judge_row(1, 25, 24, 0.9f, ROW), PL_UPRIGHT_UNASKED); /* hardly */
    ck_assert_int_eq(judge_row(1, 15, 15, 1, ROW), PL_UPRIGHT_UNASKED);    /* too little */
    ck_assert_int_eq(judge_row(7, 8, 8, 1, ROW), PL_UPRIGHT_UNASKED);      /* too many cells */
    ck_assert_int_eq(judge_row(1, 25, 24, 1, SIDE), PL_UPRIGHT_UNASKED);   /* part of a page */
}
END_TEST

START_TEST(a_line_too_short_for_a_vote_is_not_asked)
{
    ck_assert_int_eq(judge_row(1, 5, 5, 0.5f, ROW), PL_UPRIGHT_DOUBTFUL);
    ck_assert_int_eq(judge_row(1, 5, 5, 0.5f, SIDE), PL_UPRIGHT_UNASKED); /* part of a page */
    ck_assert_int_eq(judge_row(1, 9, 9, 1, ROW), PL_UPRIGHT_DOUBTFUL);
    ck_assert_int_eq(judge_row(1, 9, 9, 0.5f, ROW), PL_UPRIGHT_UNASKED); /* the other way may win */
}
END_TEST

/* Columns of a page on its side were taken for a few letters, half as high as the page. */
START_TEST(a_page_that_is_one_thin_line_is_asked)
{
    const struct pl_image im = {.width = 1000, .height = 762};
    struct pl_line lines[] = {
        {.box = {90, 100, 919, 608}, .glyph_px = 275, .ink_px = 11560},
        {.box = {300, 300, 753, 603}, .glyph_px = 208, .ink_px = 4224},
    };
    struct pl_regions regions = {.width = 1000, .height = 762, .unread = lines, .n_unread = 2};
    ck_assert_int_eq(pl_way_up_judge(&regions, &im), PL_UPRIGHT_UNASKED);
    lines[0].ink_px *= 10; /* letters so large would have more ink */
    ck_assert_int_eq(pl_way_up_judge(&regions, &im), PL_UPRIGHT_DOUBTFUL);
}
END_TEST

/* A doubt is settled by what was read of the page. Where that is nothing the page as it was at the
 * doubt is voted on, and takes the place of what was made of it since where it is turned. */
START_TEST(a_doubt_is_settled_by_reading)
{
    conf_right = 0.97f;
    for (int quarters = 0; quarters <= 2; quarters += 2) {
        struct voter v;
        struct pl_doubt doubt = {.steps = 0};
        const struct pl_regions nothing = {.width = SIDE, .height = SIDE};
        bool turned = false;
        voter_init(&v);
        struct pl_page_image p = make_page(&v.env, SIDE, quarters);
        ck_assert_int_eq(pl_doubt_note(&v.reader, false, 3, &p, &doubt, NULL), PLATEN_OK);
        ck_assert_int_eq(read_lines, 0);
        struct pl_image blank = {0}; /* what later operations made of it */
        ck_assert_int_eq(pl_image_init(&v.env, SIDE, SIDE, PL_GRAY8, &blank, NULL), PLATEN_OK);
        pl_page_image_replace(&p, &blank);
        pl_image_done(&blank);
        ck_assert_int_eq(pl_doubt_settle(&v.reader, &nothing, &doubt, &p, &turned, NULL),
                         PLATEN_OK);
        ck_assert_int_gt(read_lines, 0);
        ck_assert_int_eq(turned, quarters == 2);
        ck_assert_int_eq(p.upright, PL_UPRIGHT_SURE);
        ck_assert_int_eq(p.quarters, quarters);
        ck_assert(!turned || pl_image_row(&p.image, SIDE - 1)[SIDE - 1] == 240);
        ck_assert_uint_eq(doubt.steps, 3);
        ck_assert_ptr_null(doubt.page.image.store);
        pl_page_image_done(&p);
        voter_done(&v);
    }
}
END_TEST

/* A page that may be divided next does not wait until it is read. */
START_TEST(a_doubt_may_be_settled_at_once)
{
    struct voter v;
    struct pl_doubt doubt = {.steps = 0};
    conf_right = 0.97f;
    voter_init(&v);
    struct pl_page_image p = make_page(&v.env, SIDE, 2);
    ck_assert_int_eq(pl_doubt_note(&v.reader, true, 3, &p, &doubt, NULL), PLATEN_OK);
    ck_assert(is_marked(&p));
    ck_assert_int_eq(p.upright, PL_UPRIGHT_SURE);
    ck_assert_ptr_null(doubt.page.image.store);
    pl_page_image_done(&p);
    voter_done(&v);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("way_up");
    TCase *tc = tcase_create("way_up");
    pl_kernels_init(&kernels, PL_ISA_SCALAR);
    tcase_add_test(tc, the_better_read_way_wins);
    tcase_add_test(tc, one_line_is_read_two_ways);
    tcase_add_test(tc, one_line_read_surely_needs_no_vote);
    tcase_add_test(tc, a_line_too_short_for_a_vote_is_not_asked);
    tcase_add_test(tc, a_page_that_is_one_thin_line_is_asked);
    tcase_add_test(tc, doubt_leaves_the_page);
    tcase_add_test(tc, a_page_read_surely_needs_no_vote);
    tcase_add_test(tc, a_doubt_is_settled_by_reading);
    tcase_add_test(tc, a_doubt_may_be_settled_at_once);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
