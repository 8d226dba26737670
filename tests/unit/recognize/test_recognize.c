/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines read the whole way, with the shipped model and the project's own lines. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "codec/codec.h"
#include "detect/detect.h"
#include "recognize/language/language.h"
#include "recognize/line_net.h"
#include "recognize/recognize.h"
#include "recognize/recognize_tuning.def"
#include "recognize/strip.h"
#include "tests/unit/suite.h"

#define LINES PL_TEST_ROOT "/tests/data/lines/"
#define SHIPPED PL_TEST_ROOT "/models/eng.platen"
#define QUICK PL_TEST_ROOT "/models/eng.quick.platen"

static const char *const names[] = {
    "01-clean-serif", "02-clean-sans", "03-screen", "04-bold",    "05-typed", "06-italic",
    "07-caps",        "08-receipt",    "09-small",  "10-bilevel", "11-fax",   "12-old-print",
};
#define N_LINES PL_ARRAY_LEN(names)

struct reader {
    struct pl_kernels k;
    struct pl_env env;
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
    pl_kernels_init(&r->k, isa);
    r->env = (struct pl_env){.k = &r->k, .bufs = pl_bufpool_new()};
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
    ck_assert_int_eq(pl_recognizer_new(r->network, &r->line, &r->k, NULL, 0, &r->recognizer, &err),
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
    pl_bufpool_free(r->env.bufs);
}

static void load_line(struct reader *r, const char *name, struct pl_image *ret)
{
    char path[512];
    struct pl_map map;
    struct pl_load_options opt = {.gray = true, .max_pixels = 1 << 24};
    struct platen_error err;
    snprintf(path, sizeof(path), LINES "%s.png", name);
    ck_assert_int_eq(pl_map_open(path, 1 << 24, &map, &err), PLATEN_OK);
    ck_assert_int_eq(pl_image_load(&r->env, map.data, map.size, &opt, ret, &err), PLATEN_OK);
    pl_map_close(&map);
}

/* Finds the line of a picture of one. */
static void find_line(struct reader *r, struct pl_page_image *page, struct pl_regions *ret)
{
    struct platen_error err;
    const struct pl_detect_op *op = pl_detect_op_of(pl_operation_find(pl_detect_ops, "line", 4));
    ck_assert_int_eq(op->run(NULL, &r->env, &r->arena, page, NULL, ret, &err), PLATEN_OK);
    ck_assert_uint_eq(ret->n_blocks, 1);
}

static void read_page(struct reader *r, double min_conf, struct pl_image *gray,
                      struct pl_regions *regions)
{
    struct platen_error err;
    const struct pl_recognize_args args = {.min_conf = min_conf, .lm = -1};
    const struct pl_reader reader = {pl_recognize_op_of(pl_recognize_ops[0]),
                                     &args,
                                     &r->recognizer,
                                     &r->env,
                                     &r->arena,
                                     &r->decoding};
    ck_assert_int_eq(pl_recognize_page(&reader, gray, regions, &err), PLATEN_OK);
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

/* Each pixel becomes the mean of those up to four to its left, so that the network is in doubt. */
static void smear(struct pl_image *im)
{
    for (int y = 0; y < im->height; y++) {
        uint8_t *row = pl_image_row(im, y);
        for (int x = im->width - 1; x >= 4; x--)
            row[x] = (uint8_t)((row[x] + row[x - 1] + row[x - 2] + row[x - 3] + row[x - 4]) / 5);
    }
}

/* Finds and reads the line of each picture. */
static void read_lines(struct reader *r, double min_conf, struct pl_line lines[N_LINES])
{
    for (size_t i = 0; i < N_LINES; i++) {
        struct pl_page_image page = {0};
        struct pl_regions regions = {0};
        load_line(r, names[i], &page.image);
        if (r->smeared)
            smear(&page.image);
        find_line(r, &page, &regions);
        read_page(r, min_conf, &page.image, &regions);
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
        ck_assert_mem_eq(&v->box, &w->box, sizeof(v->box));
        ck_assert(v->conf == w->conf && v->n_chars == w->n_chars);
        ck_assert_mem_eq(v->char_conf, w->char_conf, v->n_chars * sizeof(float));
    }
}

/* Reads line `name`, which stands upright in a picture that was turned clockwise: with the quarter
 * that sets it right, or described from the other side. */
static struct pl_line read_turned(struct reader *r, const char *name, bool other_side)
{
    struct platen_error err;
    struct pl_page_image page = {0};
    struct pl_regions regions = {0};
    load_line(r, name, &page.image);
    find_line(r, &page, &regions);
    struct pl_line *line = &regions.blocks[0].lines[0];
    line->quarters = 3;
    if (other_side)
        ck_assert(pl_line_turn_over(&r->arena, line, page.image.width, page.image.height));
    ck_assert_int_eq(pl_image_turn(&r->env, &page.image, 6, &err), PLATEN_OK);
    read_page(r, 0, &page.image, &regions);
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
    struct reader r;
    struct platen_error err;
    struct pl_image large = {0}, small = {0}, page = {0};
    reader_init(&r, pl_isa_best());
    load_line(&r, "04-bold", &large); /* 465 x 49, the baseline at row 38 */
    load_line(&r, "07-caps", &small); /* 121 x 18 */
    ck_assert_int_eq(pl_image_init(&r.env, 660, 80, PL_GRAY8, &page, &err), PLATEN_OK);
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
    read_page(&r, 0, &page, &regions);
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
    ck_assert_int_eq(pl_image_init(&r.env, one.width, one.height * COPIES, PL_GRAY8, &page, &err),
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
        read_page(&r, 0, &page, &regions);
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
    ck_assert_int_eq(pl_recognizer_new(r->network, &r->line, &r->k, calls, 0, &own, &err),
                     PLATEN_OK);
    for (size_t i = 0; i < N_LINES; i++) {
        load_line(r, names[i], &pictures[i].image);
        find_line(r, &pictures[i], &regions[i]);
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
    const struct pl_reader reader = {
        op, &(struct pl_recognize_args){.min_conf = 0.7}, &own, &r->env, &r->arena, &r->decoding};
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
static size_t chars_of(const struct pl_line *line)
{
    size_t n = 0;
    for (size_t i = 0; i < line->n_words + line->n_doubted; i++)
        n += line->words[i].n_chars;
    return n;
}

/* Unsure lines are read once more, in a mirror. */
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
        size_t stayed = 0, mirrored = 0;
        both.line.sure = bounds[k].sure;
        read_together(&both, &calls, pages, 4, got);
        for (size_t i = 0; i < N_LINES; i++) {
            const bool is_quick = got[i].conf == quick[i].conf;
            ck_assert(quick[i].conf != whole[i].conf);
            ck_assert(!is_quick || !is_enlarged(&w, i, &whole[i]));
            check_same_line(&got[i], is_quick ? &quick[i] : &whole[i]);
            stayed += is_quick;
            if (got[i].conf < MIRROR_UNSURE && chars_of(&got[i]) >= MIRROR_CHARS)
                mirrored += is_enlarged(&w, i, &whole[i]) || bounds[k].all ? 1 : 2;
        }
        ck_assert_uint_eq(calls.strips, 4 * (2 * N_LINES - stayed - enlarged + mirrored));
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

/* Plain squares are painted over with the paper around them, in a picture of the reading's own;
 * others, and the page, stay as they are. */
START_TEST(check_boxes_are_hidden)
{
    struct reader r;
    struct platen_error err;
    struct pl_image page;
    struct pl_square squares[2] = {{{10, 10, 22, 22}, 1, 0, false, true, false},
                                   {{40, 10, 52, 22}, 1, 0, false, false, false}};
    struct pl_regions regions = {.squares = squares, .n_squares = 2};
    reader_init(&r, PL_ISA_SCALAR);
    ck_assert_int_eq(pl_image_init(&r.env, 60, 30, PL_GRAY8, &page, &err), PLATEN_OK);
    for (int y = 0; y < 30; y++)
        memset(pl_image_row(&page, y), 200, 60);
    for (size_t i = 0; i < 2; i++)
        for (int y = 10; y < 22; y++)
            memset(pl_image_row(&page, y) + squares[i].box.x0, 0, 12);
    struct pl_reading reading = {.turned = {pl_image_ref(&page)}, .regions = &regions};
    ck_assert_int_eq(pl_reading_hide_boxes(&reading, &r.env, &err), PLATEN_OK);
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 60; x++) {
            const uint8_t before = pl_image_row(&page, y)[x];
            ck_assert_int_eq(
                before,
                y >= 10 && y < 22 && ((x >= 10 && x < 22) || (x >= 40 && x < 52)) ? 0 : 200);
            ck_assert_int_eq(pl_image_row(&reading.turned[0], y)[x], x < 30 ? 200 : before);
        }
    pl_reading_done(&reading);
    squares[0].plain = false;
    reading.turned[0] = pl_image_ref(&page);
    ck_assert_int_eq(pl_reading_hide_boxes(&reading, &r.env, &err), PLATEN_OK);
    ck_assert_ptr_eq(reading.turned[0].px, page.px);
    pl_reading_done(&reading);
    pl_image_done(&page);
    reader_done(&r);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("recognize");
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
    tcase_add_test(tc, check_boxes_are_hidden);
    Suite *s = suite_create("recognize");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
