/* SPDX-License-Identifier: BSD-2-Clause */
/* What stage four decides, and in which order, on a page whose lines are laid out here. */
#include <check.h>
#include <string.h>

#include "base/mem.h"
#include "layout/settle.h"
#include "tests/unit/suite.h"

#define TINY PL_TEST_ROOT "/tests/data/model/tiny.platen"
#define LETTER_PX 10
#define SIDE 1000

static struct platen_error err;

/* A worker that reads, and a page of one block. */
struct settler {
    struct pl_kernels k;
    struct pl_env env;
    struct pl_arena arena;
    struct pl_network *network;
    struct pl_line_model model;
    struct pl_decoder *decoder;
    struct pl_decoding decoding;
    struct pl_recognizer *team[1];
    struct pl_recognize_op op;
    struct pl_recognize_args args;
    struct pl_reader reader;
    struct pl_line lines[8];
    struct pl_word words[8];
    struct pl_block block;
    struct pl_regions regions;
    struct pl_page_image page;
    struct pl_doubt doubt;
};

static void setup(struct settler *f)
{
    memset(f, 0, sizeof(*f));
    pl_kernels_init(&f->k, PL_ISA_SCALAR);
    f->env = (struct pl_env){.k = &f->k, .bufs = pl_bufpool_new()};
    pl_arena_init(&f->arena);
    ck_assert_msg(!pl_network_open(TINY, &f->network, &err), "%s", err.text);
    ck_assert_msg(!pl_line_model_read(f->network, &f->model, &err), "%s", err.text);
    ck_assert_int_eq(pl_decoder_new(&f->model, &(struct pl_text_models){0},
                                    &(struct pl_decode_options){0}, &f->decoder, &err),
                     PLATEN_OK);
    ck_assert_int_eq(pl_recognizer_new(f->network, &f->model, &f->k, NULL, 0, &f->team[0], &err),
                     PLATEN_OK);
    f->decoding = (struct pl_decoding){.decoder = f->decoder};
    f->reader = (struct pl_reader){.op = &f->op,
                                   .args = &f->args,
                                   .team = f->team,
                                   .env = &f->env,
                                   .arena = &f->arena,
                                   .decoding = &f->decoding};
    f->block.lines = f->lines;
    f->regions = (struct pl_regions){.width = SIDE,
                                     .height = SIDE,
                                     .blocks = &f->block,
                                     .n_blocks = 1,
                                     .glyph_px = LETTER_PX,
                                     .ink_in_lines_px = 10000};
    f->page.to_input = PL_AFFINE_IDENTITY;
}

static void teardown(struct settler *f)
{
    pl_recognizer_free(f->team[0]);
    pl_decoder_free(f->decoder);
    pl_line_model_done(&f->model);
    pl_network_free(f->network);
    pl_arena_done(&f->arena);
    pl_bufpool_free(f->env.bufs);
}

/* The next line, which was read as one word so surely; "" = nothing was read. */
static struct pl_line *add_line(struct settler *f, int x, int base, const char *text, float conf)
{
    static const float confs[64];
    const size_t i = f->block.n_lines++, n = strlen(text);
    const struct pl_rect box = {x, base - LETTER_PX, x + LETTER_PX * (int)PL_MAX(n, 1), base};
    f->words[i] = (struct pl_word){box, text, conf, confs, n};
    f->lines[i] = (struct pl_line){.box = box,
                                   .base_y = base,
                                   .ascent_px = LETTER_PX,
                                   .xheight_px = LETTER_PX,
                                   .glyph_px = LETTER_PX,
                                   .ink_px = 100,
                                   .words = &f->words[i],
                                   .n_words = n > 0,
                                   .text = text,
                                   .conf = conf};
    return &f->lines[i];
}

static void settle(struct settler *f)
{
    bool turned = true;
    ck_assert_int_eq(pl_layout_settle(&f->reader, &f->page, &f->regions, &f->doubt, &turned, &err),
                     PLATEN_OK);
    ck_assert(!turned);
}

static const struct pl_line *find_line(const struct settler *f, const char *text)
{
    for (size_t b = 0; b < f->regions.n_blocks; b++)
        for (size_t i = 0; i < f->regions.blocks[b].n_lines; i++)
            if (!strcmp(f->regions.blocks[b].lines[i].text, text))
                return &f->regions.blocks[b].lines[i];
    return NULL;
}

static size_t count_lines(const struct settler *f)
{
    size_t n = 0;
    for (size_t b = 0; b < f->regions.n_blocks; b++)
        n += f->regions.blocks[b].n_lines;
    return n;
}

/* Upright lines down the page, of `text` each, which were read about as surely as a turned line of
 * as many characters in their place. */
static void put_rivals(struct settler *f, const char *text)
{
    for (int i = 0; i < 5; i++)
        add_line(f, 500, 420 + 40 * i, text, 0.97f);
    struct pl_line *turned = add_line(f, 450, 500, "turned", 0.98f);
    turned->quarters = 1;
    turned->box = (struct pl_rect){400, 450, 600, 550};
    f->words[5].box = turned->box;
}

/* An initial with its row, a line that was not read, and a line that runs up in the place of an
 * upright one, which was read worse. */
static void put_page(struct settler *f)
{
    add_line(f, 100, 100, "T", 1)->initial = true;
    add_line(f, 130, 100, "he text goes on", 1);
    add_line(f, 130, 130, "", 0);
    add_line(f, 500, 500, "rival", 0.5f);
    struct pl_line *turned = add_line(f, 450, 500, "turned", 1);
    turned->quarters = 1;
    turned->box = (struct pl_rect){450, 400, 550, 600}; /* the same on the page, as it is square */
    f->words[4].box = turned->box;
}

START_TEST(single_characters_are_those_of_a_turned_line)
{
    const struct {
        const char *text;
        size_t lines;
    } rivals[] = {{"a", 1}, {"ab", 5}};
    for (size_t k = 0; k < 2; k++) {
        struct settler f;
        setup(&f);
        put_rivals(&f, rivals[k].text);
        settle(&f);
        ck_assert_uint_eq(count_lines(&f), rivals[k].lines);
        ck_assert_int_eq(find_line(&f, "turned") != NULL, k == 0);
        teardown(&f);
    }
}
END_TEST

START_TEST(what_was_read_decides)
{
    struct settler f;
    setup(&f);
    put_page(&f);
    settle(&f);
    ck_assert_ptr_nonnull(find_line(&f, "The text goes on"));
    ck_assert_ptr_nonnull(find_line(&f, "turned"));
    ck_assert_uint_eq(count_lines(&f), 2); /* and nothing of the rival */
    ck_assert_uint_eq(f.regions.n_unread, 1);
    ck_assert_int_eq(f.regions.unread[0].box.y1, 130);
    ck_assert_uint_eq(f.regions.unread_px, 100);
    teardown(&f);
}
END_TEST

/* No box is told where characters were chosen that are to be read; all but some may be. */
START_TEST(squares_are_check_boxes)
{
    static const char *const chars[] = {NULL, "^xyz", "a-zA-Z"};
    const struct pl_square square = {{80, 90, 92, 102}, 1, 0, false, false, false};
    for (size_t i = 0; i < PL_ARRAY_LEN(chars); i++) {
        struct settler f;
        setup(&f);
        f.args.chars = chars[i];
        add_line(&f, 100, 100, "Adult", 1);
        f.regions.squares = &square;
        f.regions.n_squares = 1;
        settle(&f);
        ck_assert_ptr_nonnull(find_line(&f, i < 2 ? "\xE2\x98\x90 Adult" : "Adult"));
        teardown(&f);
    }
}
END_TEST

/* Letters in the cells of a form are one word, whatever characters were chosen. */
START_TEST(letters_in_cells_are_words)
{
    struct pl_rule rules[3];
    for (int i = 0; i < 3; i++)
        rules[i] = (struct pl_rule){{95 + 20 * i, 80, 97 + 20 * i, 105}, true};
    struct settler f;
    setup(&f);
    f.args.chars = "A-Z";
    add_line(&f, 100, 100, "A", 1);
    add_line(&f, 120, 100, "B", 1);
    f.regions.rules = rules;
    f.regions.n_rules = 3;
    settle(&f);
    ck_assert_ptr_nonnull(find_line(&f, "AB"));
    teardown(&f);
}
END_TEST

/* A letter below a number is the figure that it looks like. */
START_TEST(letters_in_columns_are_figures)
{
    struct settler f;
    setup(&f);
    add_line(&f, 100, 100, "10", 1);
    add_line(&f, 100, 140, "O", 1);
    settle(&f);
    ck_assert_ptr_nonnull(find_line(&f, "0"));
    teardown(&f);
}
END_TEST

/* The next line, of which one word was read and doubted. */
static void add_doubted(struct settler *f, int x, int base, const char *text, float conf)
{
    struct pl_line *line = add_line(f, x, base, text, conf);
    line->text = "";
    line->n_words = 0;
    line->n_doubted = 1;
}

/* Of doubted marks stay those under or over text where lines begin or in a row of cells. */
START_TEST(lone_marks_of_the_text_stay)
{
    static const struct {
        int x, base;
        const char *text;
        float conf;
        bool stays;
    } tried[] = {
        {100, 130, "{", 0.6f, true},  /* where lines begin */
        {400, 130, "-", 0.6f, false}, /* in no column of text */
        {130, 115, "{", 0.6f, false}, /* in a column, but in no row */
        {130, 100, "-", 0.6f, false}, /* in a row, but in no column */
        {300, 160, "-", 0.6f, true},  /* in a row and a column */
        {100, 130, "{", 0.4f, false}, /* hardly read */
        {300, 160, "-", 0.4f, true},
        {300, 160, "-", 0.3f, false},
        {100, 130, "|", 0.6f, false}, /* what drawings are read as */
        {100, 130, "k", 0.6f, false},
        {250, 130, "(", 0.7f, true}, /* close before text in its row */
        {340, 130, "$", 0.7f, true},
        {250, 130, "(", 0.5f, false}, /* hardly read */
        {220, 130, "(", 0.7f, false}, /* far from it */
        {250, 110, "(", 0.7f, false}, /* in no row */
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(tried); i++) {
        struct settler f;
        setup(&f);
        f.regions.text_height_px = LETTER_PX;
        add_line(&f, 100, 100, "intadd", 0.99f);
        add_line(&f, 290, 130, "2023", 0.99f);
        add_line(&f, 100, 160, "intsum", 0.99f);
        add_doubted(&f, tried[i].x, tried[i].base, tried[i].text, tried[i].conf);
        settle(&f);
        ck_assert_msg((find_line(&f, tried[i].text) != NULL) == tried[i].stays, "case %zu", i);
        ck_assert_uint_eq(f.regions.n_unread, !tried[i].stays);
        teardown(&f);
    }
}
END_TEST

/* Brackets of which nothing stands inside are signs as one, however wide the white between them. */
START_TEST(empty_brackets_stay)
{
    for (int drawn = 0; drawn < 2; drawn++) {
        struct settler f;
        setup(&f);
        f.regions.text_height_px = LETTER_PX;
        add_line(&f, 300, 130, "FILE FOLDER", 0.99f);
        add_doubted(&f, 230, 130, "(", 0.9f);
        f.words[2] = f.words[1];
        f.words[2].text = drawn ? "|" : ")";
        f.words[2].box = (struct pl_rect){260, 120, 270, 130};
        f.lines[1].n_doubted = 2;
        f.lines[1].box.x1 = 270;
        settle(&f);
        ck_assert(drawn == !find_line(&f, "( )"));
        ck_assert_uint_eq(f.regions.n_unread, (size_t)drawn);
        teardown(&f);
    }
}
END_TEST

START_TEST(what_nobody_read_stays)
{
    struct settler f;
    setup(&f);
    f.reader.op = NULL;
    put_page(&f);
    settle(&f);
    ck_assert_uint_eq(count_lines(&f), 5);
    ck_assert_ptr_nonnull(find_line(&f, "rival"));
    ck_assert_uint_eq(f.regions.n_unread, 0);
    teardown(&f);
}
END_TEST

/* Only a page whose way up was left in doubt is judged, and one that was read surely stands. */
START_TEST(a_doubt_is_settled_and_nothing_else_is)
{
    for (int doubted = 0; doubted < 2; doubted++) {
        struct settler f;
        setup(&f);
        f.page.upright = PL_UPRIGHT_DOUBTFUL;
        for (int i = 0; i < 6; i++)
            add_line(&f, 100, 100 + 30 * i, "it was read from its start to its end", 1);
        if (doubted)
            ck_assert_int_eq(pl_image_init(&f.env, SIDE, SIDE, PL_GRAY8, &f.doubt.page.image, &err),
                             PLATEN_OK);
        settle(&f);
        ck_assert_int_eq(f.page.upright, doubted ? PL_UPRIGHT_SURE : PL_UPRIGHT_DOUBTFUL);
        ck_assert_ptr_null(f.doubt.page.image.store);
        teardown(&f);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("settle");
    tcase_add_test(tc, single_characters_are_those_of_a_turned_line);
    tcase_add_test(tc, what_was_read_decides);
    tcase_add_test(tc, what_nobody_read_stays);
    tcase_add_test(tc, squares_are_check_boxes);
    tcase_add_test(tc, letters_in_cells_are_words);
    tcase_add_test(tc, letters_in_columns_are_figures);
    tcase_add_test(tc, lone_marks_of_the_text_stay);
    tcase_add_test(tc, empty_brackets_stay);
    tcase_add_test(tc, a_doubt_is_settled_and_nothing_else_is);
    Suite *s = suite_create("settle");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
