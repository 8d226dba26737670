/* SPDX-License-Identifier: BSD-2-Clause */
#include <glob.h>

#include "base/mem.h"
#include "codec/pdf/jbig2.h"
#include "codec/pdf/jbig2_arith.h"
#include "tests/unit/image_fixture.h"

/* The test sequence of ITU-T T.88, H.2. */
START_TEST(arithmetic_code_of_the_standard)
{
    static const uint8_t coded[] = {0x84, 0xc7, 0x3b, 0xfc, 0xe1, 0xa1, 0x43, 0x04, 0x02, 0x20,
                                    0x00, 0x00, 0x41, 0x0d, 0xbb, 0x86, 0xf4, 0x31, 0x7f, 0xff,
                                    0x88, 0xff, 0x37, 0x47, 0x1a, 0xdb, 0x6a, 0xdf, 0xff, 0xac};
    static const uint8_t plain[] = {0x00, 0x02, 0x00, 0x51, 0x00, 0x00, 0x00, 0xc0,
                                    0x03, 0x52, 0x87, 0x2a, 0xaa, 0xaa, 0xaa, 0xaa,
                                    0x82, 0xc0, 0x20, 0x00, 0xfc, 0xd7, 0x9e, 0xf6,
                                    0xbf, 0x7f, 0xed, 0x90, 0x4f, 0x46, 0xa3, 0xbf};
    struct pl_mq mq;
    uint8_t context = 0;
    pl_mq_init(&mq, coded, sizeof(coded));
    for (size_t i = 0; i < sizeof(plain) * 8; i++)
        ck_assert_int_eq(pl_mq_bit(&mq, &context), plain[i / 8] >> (7 - i % 8) & 1);
}
END_TEST

static size_t read_file(const char *name, uint8_t *to, size_t cap)
{
    FILE *f = fopen(name, "rb");
    ck_assert_msg(f, "%s", name);
    size_t n = fread(to, 1, cap, f);
    fclose(f);
    return n;
}

static platen_status decode_within(uint64_t max_pixels, const uint8_t *data, size_t n, int width,
                                   int height, struct pl_image *ret)
{
    const struct pl_load_options opt = {.max_pixels = max_pixels};
    const struct pl_source src = {.env = &env, .data = data, .n = n, .opt = &opt};
    struct pl_decoded d = {.turn = 1};
    platen_status s = pl_jbig2_decode(&src, NULL, 0, width, height, &d, &err);
    if (!s && d.damage.why[0]) {
        pl_image_done(&d.image);
        s = pl_fail(&err, PLATEN_ERR_FORMAT, "%s", d.damage.why);
    }
    *ret = d.image;
    return s;
}

static platen_status decode(const uint8_t *data, size_t n, int width, int height,
                            struct pl_image *ret)
{
    return decode_within(LIMIT, data, n, width, height, ret);
}

/* tests/data/make_jbig2.py and others wrote them, and the bitmaps beside them. */
START_TEST(streams_say_their_bitmaps)
{
    static uint8_t stream[4096], pbm[4096];
    glob_t files;
    ck_assert_int_eq(glob(PL_TEST_ROOT "/tests/data/jbig2/*.jb2", 0, NULL, &files), 0);
    ck_assert_uint_gt(files.gl_pathc, 30);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char name[512];
        struct pl_image im = {0};
        size_t n = read_file(files.gl_pathv[i], stream, sizeof(stream));
        snprintf(name, sizeof(name), "%.*s.pbm", (int)strlen(files.gl_pathv[i]) - 4,
                 files.gl_pathv[i]);
        struct pl_image want = must_load(pbm, read_file(name, pbm, sizeof(pbm)), true);
        ck_assert_msg(!decode(stream, n, want.width, want.height, &im), "%s: %s", name, err.text);
        for (int y = 0; y < want.height; y++)
            ck_assert_msg(!memcmp(pl_image_row(&im, y), pl_image_row(&want, y), want.width),
                          "%s: row %d", name, y);
        pl_image_done(&im);
        pl_image_done(&want);
    }
    globfree(&files);
}
END_TEST

/* Some streams with as many features as there are. */
static const char *const whole[] = {
    "aggregate", "annex-h-1",           "huffman-111",     "huffman-refined-own", "tables-own",
    "extended",  "huffman-aggregate-0", "halftone-skip-1", "kept-refinement",     "unknown-length"};

static size_t read_stream(const char *name, uint8_t *to, size_t cap)
{
    char path[512];
    snprintf(path, sizeof(path), PL_TEST_ROOT "/tests/data/jbig2/%s.jb2", name);
    return read_file(path, to, cap);
}

/* Cut off anywhere: refused, or a picture all of whose missing bits are made up; never a crash. */
START_TEST(cut_streams_end)
{
    static uint8_t stream[4096];
    for (size_t i = 0; i < PL_ARRAY_LEN(whole); i++) {
        const size_t n = read_stream(whole[i], stream, sizeof(stream));
        for (size_t k = 0; k < n; k++) {
            struct pl_image im = {0};
            uint8_t *copy = malloc(k ? k : 1);
            memcpy(copy, stream, k);
            if (!decode(copy, k, 45, 33, &im))
                pl_image_done(&im);
            free(copy);
        }
    }
}
END_TEST

/* The rows of a generic region that is cut off come as far as they do not need what lacks. */
START_TEST(what_came_of_a_region_is_read)
{
    static uint8_t stream[4096], pbm[4096];
    const size_t n = read_stream("generic-0", stream, sizeof(stream));
    struct pl_image all = must_load(
        pbm, read_file(PL_TEST_ROOT "/tests/data/jbig2/generic-0.pbm", pbm, sizeof(pbm)), true);
    const struct pl_load_options opt = {.max_pixels = LIMIT};
    int read = 0;
    for (size_t k = 1; k < n; k++) {
        const struct pl_source src = {.env = &env, .data = stream, .n = k, .opt = &opt};
        struct pl_decoded d = {.turn = 1};
        struct pl_flaw flaw = {.damaged = true};
        if (pl_jbig2_decode(&src, NULL, 0, all.width, all.height, &d, &err))
            continue;
        if (d.damage.why[0]) {
            snprintf(flaw.text, sizeof(flaw.text), "; %d of %d rows were read", (int)d.damage.rows,
                     (int)d.damage.height);
            flaw.lost_share = 1 - (double)d.damage.rows / (double)d.damage.height;
            read += rows_as_told(&d.image, &all, &flaw) > 0;
        }
        pl_image_done(&d.image);
    }
    ck_assert_int_gt(read, 5);
    pl_image_done(&all);
}
END_TEST

/* Decodes with the k-th allocation failing. Returns whether there were fewer. */
static bool decode_failing(const uint8_t *stream, size_t n, uint64_t k)
{
    struct pl_image im = {0};
    const uint64_t before = pl_mem_count();
    pl_mem_fail_at(k, false);
    const platen_status s = decode(stream, n, 45, 33, &im);
    const uint64_t used = pl_mem_count() - before;
    pl_mem_fail_at(0, false);
    pl_image_done(&im);
    ck_assert_int_eq(s, used < k ? PLATEN_OK : PLATEN_ERR_NOMEM);
    return used < k;
}

START_TEST(any_allocation_may_fail)
{
    static uint8_t stream[4096];
    for (size_t i = 0; i < PL_ARRAY_LEN(whole); i++) {
        const size_t n = read_stream(whole[i], stream, sizeof(stream));
        for (uint64_t k = 1; !decode_failing(stream, n, k); k++)
            ;
    }
}
END_TEST

static void refuse(const void *data, size_t n, platen_status want, const char *part)
{
    struct pl_image im = {0};
    ck_assert_int_eq(decode(data, n, 8, 8, &im), want);
    ck_assert_msg(strstr(err.text, part), "'%s' lacks '%s'", err.text, part);
    ck_assert_ptr_null(im.store);
}

START_TEST(what_is_not_read_is_told)
{
    /* dictionaries in the Huffman code that end early, and whose symbols do; a symbol where there
     * is none; a region of 2^24 x 2^24 pixels; one of no pixel and 2^24 rows; a segment longer than
     * the file; a region with colours; an extension that one must know */
    static const char early[] = "\0\0\0\1\0\0\1\0\0\0\xa\0\1\0\0\0\1\0\0\0\1",
                      more[] = "\0\0\0\1\0\0\1\0\0\0\xc\0\1\0\0\0\1\0\0\0\1\x3f\x78",
                      text[] = "\0\0\0\1\6\0\1\0\0\0\x19\0\0\0\x8\0\0\0\x8\0\0\0\0\0\0\0\0\0\0\0"
                               "\0\0\0\1\0\0",
                      large[] = "\0\0\0\1\x26\0\1\0\0\0\x1b\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                "\0\0\0\0\0\0\0\0",
                      thin[] = "\0\0\0\1\x26\0\1\0\0\0\x1b\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0"
                               "\0\0\0\0\0\0\0\0\0\0\0\0",
                      cut[] = "\0\0\0\1\x26\0\1\0\0\1\0",
                      colors[] = "\0\0\0\1\x26\0\1\0\0\0\x1b\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\0\x8\0\0"
                                 "\0\0\0\0\0\0\0\0",
                      extension[] = "\0\0\0\1\x3e\0\1\0\0\0\4\x80\0\0\1";
    refuse(early, sizeof(early) - 1, PLATEN_ERR_FORMAT, "in a Huffman code that is cut off");
    refuse(more, sizeof(more) - 1, PLATEN_ERR_FORMAT, "symbols of more bytes than there are");
    refuse(text, sizeof(text) - 1, PLATEN_ERR_FORMAT, "a symbol that there is not");
    refuse(large, sizeof(large) - 1, PLATEN_ERR_LIMIT, "more pixels");
    refuse(thin, sizeof(thin) - 1, PLATEN_ERR_LIMIT, "more pixels");
    refuse(cut, sizeof(cut) - 1, PLATEN_ERR_FORMAT, "a segment of 256 bytes where 0 are left");
    refuse(colors, sizeof(colors) - 1, PLATEN_ERR_UNSUPPORTED, "has colours");
    refuse(extension, sizeof(extension) - 1, PLATEN_ERR_UNSUPPORTED, "extension of type 80000001");
}
END_TEST

START_TEST(what_segments_refer_to_is_checked)
{
    /* a dictionary with a table that none brought along, and with one that no standard has; one
     * that goes on with contexts that none kept; one with those of another template; one that
     * refers to a segment that there is not; a type of segments that there is not; a region of
     * unknown length that does not end, and a dictionary of that kind */
    static const char other[] = "\0\0\0\1\0\0\1\0\0\0\x0c\x0a\0\2\xff\0\0\0\0\0\0\0\0"
                                "\0\0\0\2\0\x20\1\1\0\0\0\x0c\x0d\0\2\xff\0\0\0\0\0\0\0\0";
    static const char own[] = "\0\0\0\1\0\0\1\0\0\0\xa\0\x0d\0\0\0\1\0\0\0\1",
                      reserved[] = "\0\0\0\1\0\0\1\0\0\0\xa\0\x09\0\0\0\1\0\0\0\1",
                      contexts[] = "\0\0\0\1\0\0\1\0\0\0\x0c\x09\0\2\xff\0\0\0\1\0\0\0\1",
                      refers[] = "\0\0\0\1\0\x20\7\1\0\0\0\x0c\x08\0\2\xff\0\0\0\1\0\0\0\1",
                      type[] = "\0\0\0\1\x25\0\1\0\0\0\0",
                      endless[] = "\0\0\0\1\x26\0\1\xff\xff\xff\xff\0\0\0\x8\0\0\0\x8\0\0\0\0\0\0\0"
                                  "\0\0\0\3\xff\xfd\xff\2\xfe\xfe\xfe\xff\xac\0\0\0",
                      length[] = "\0\0\0\1\0\0\1\xff\xff\xff\xff";
    refuse(own, sizeof(own) - 1, PLATEN_ERR_FORMAT, "fewer Huffman tables than it uses");
    refuse(reserved, sizeof(reserved) - 1, PLATEN_ERR_FORMAT, "table that the standard has not");
    refuse(contexts, sizeof(contexts) - 1, PLATEN_ERR_FORMAT, "contexts that none kept");
    refuse(other, sizeof(other) - 1, PLATEN_ERR_FORMAT, "contexts of another template");
    refuse(refers, sizeof(refers) - 1, PLATEN_ERR_FORMAT, "refers to number 7, which there is not");
    refuse(type, sizeof(type) - 1, PLATEN_ERR_FORMAT, "a segment of type 37");
    refuse(endless, sizeof(endless) - 1, PLATEN_ERR_FORMAT, "of unknown length without an end");
    refuse(length, sizeof(length) - 1, PLATEN_ERR_FORMAT, "that is no generic region");
}
END_TEST

START_TEST(tables_are_checked)
{
    /* tables of the file's own: no head; lows above highs; cut off in a line; 256 lines of no word
     * each but for three of one bit; a word of 64 bits; numbers of 33 bits */
    static const char head[] = "\0\0\0\1\x35\0\1\0\0\0\5\0\0\0\0\0",
                      turned[] = "\0\0\0\1\x35\0\1\0\0\0\x9\0\0\0\0\1\0\0\0\0",
                      cut[] = "\0\0\0\1\x35\0\1\0\0\0\xa\x42\0\0\0\0\0\0\0\xff\0",
                      full[] = "\0\0\0\1\x35\0\1\0\0\0\xa\0\0\0\0\0\0\0\0\1\xb0",
                      word[] = "\0\0\0\1\x35\0\1\0\0\0\xc\x0e\0\0\0\0\0\0\0\1\x40\0\0",
                      number[] = "\0\0\0\1\x35\0\1\0\0\0\xb\x5e\0\0\0\0\0\0\0\1\1\x84";
    refuse(head, sizeof(head) - 1, PLATEN_ERR_FORMAT, "the head of a Huffman table");
    refuse(turned, sizeof(turned) - 1, PLATEN_ERR_FORMAT, "the head of a Huffman table");
    refuse(cut, sizeof(cut) - 1, PLATEN_ERR_FORMAT, "a Huffman table that is cut off");
    refuse(full, sizeof(full) - 1, PLATEN_ERR_FORMAT, "more words than can be told apart");
    refuse(word, sizeof(word) - 1, PLATEN_ERR_FORMAT, "with numbers of more than 32 bits");
    refuse(number, sizeof(number) - 1, PLATEN_ERR_FORMAT, "with numbers of more than 32 bits");
}
END_TEST

/* A table of 65,537 lines, of which the last three are those that all tables have. */
START_TEST(lines_of_a_table_are_limited)
{
    static uint8_t stream[11 + 9 + 16386] = "\0\0\0\1\x35\0\1\0\0\0\0\0\0\0\0\0\0\0\xff\xff";
    struct pl_image im = {0};
    const size_t n = sizeof(stream) - 11;
    stream[8] = (uint8_t)(n >> 16);
    stream[9] = (uint8_t)(n >> 8);
    stream[10] = (uint8_t)n;
    ck_assert_int_eq(decode(stream, sizeof(stream), 8, 8, &im), PLATEN_ERR_LIMIT);
    ck_assert_msg(strstr(err.text, "more than 65536 lines"), "%s", err.text);
}
END_TEST

/* A picture of 8 x 8 with one region of 48 rows, in 39 bytes: it may be made of 16 px for each of
 * its own, 1024 for each byte, and 2^18 besides. A bitmap has a margin of 8 px on both sides and
 * two rows above it: the page takes 24 x 10. The part of the region that is drawn takes 64. */
#define BUDGET_PX (64 * 16 + 39 * 1024 + (1 << 18))
#define FITTING_COLUMNS ((BUDGET_PX - 240 - 64) / 50 - 16)
_Static_assert((FITTING_COLUMNS + 16) * 50 + 240 + 64 == BUDGET_PX, "it fits to the pixel");

static platen_status decode_region(uint64_t max_pixels, uint32_t columns, struct pl_image *ret)
{
    uint8_t stream[39] = "\0\0\0\1\x26\0\1\0\0\0\x1c\0\0\0\0\0\0\0\x30\0\0\0\0\0\0\0\0"
                         "\0\0\3\xff\xfd\xff\2\xfe\xfe\xfe";
    stream[13] = (uint8_t)(columns >> 8);
    stream[14] = (uint8_t)columns;
    return decode_within(max_pixels, stream, sizeof(stream), 8, 8, ret);
}

START_TEST(the_work_of_a_picture_is_bounded)
{
    struct pl_image im = {0};
    ck_assert_msg(!decode_region(LIMIT, FITTING_COLUMNS, &im), "%s", err.text);
    pl_image_done(&im);
    /* what a page may have bounds what comes for the bytes and besides */
    ck_assert_int_eq(decode_region(BUDGET_PX - 64 * 16 - 1, FITTING_COLUMNS, &im),
                     PLATEN_ERR_LIMIT);
    ck_assert_int_eq(decode_region(LIMIT, FITTING_COLUMNS + 1, &im), PLATEN_ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.text, "more pixels than such a page needs"));
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("jbig2");
    tcase_add_test(tc, arithmetic_code_of_the_standard);
    tcase_add_test(tc, streams_say_their_bitmaps);
    tcase_add_test(tc, cut_streams_end);
    tcase_add_test(tc, what_came_of_a_region_is_read);
    tcase_add_test(tc, any_allocation_may_fail);
    tcase_add_test(tc, what_is_not_read_is_told);
    tcase_add_test(tc, what_segments_refer_to_is_checked);
    tcase_add_test(tc, tables_are_checked);
    tcase_add_test(tc, lines_of_a_table_are_limited);
    tcase_add_test(tc, the_work_of_a_picture_is_bounded);
    return run_env_suite("jbig2", tc);
}
