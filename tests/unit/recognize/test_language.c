/* SPDX-License-Identifier: BSD-2-Clause */
/* Language models as files: what opens, and that nothing else does. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/model_bytes.h"
#include "base/io_fault.h"
#include "base/mem.h"
#include "nn/graph_file.h"
#include "recognize/language/language.h"
#include "tests/unit/suite.h"

#define SMALL PL_TEST_ROOT "/tests/fuzz/corpus/language/seed.platen"
#define ACCENTS PL_TEST_ROOT "/tests/fuzz/corpus/language/accents.platen"
#define SHIPPED PL_TEST_ROOT "/models/eng.lm.platen"
#define NETWORK PL_TEST_ROOT "/models/eng.platen"

enum { META, ALPH, EMBD, OUTP, WORD };

struct bytes {
    _Alignas(64) uint8_t data[1 << 16];
    size_t n;
};

static struct bytes small;

static void load_file(const char *path, struct bytes *b)
{
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    b->n = fread(b->data, 1, sizeof(b->data), f);
    fclose(f);
    ck_assert_uint_gt(b->n, 600);
    ck_assert_uint_lt(b->n, sizeof(b->data));
}

static void load_small(void)
{
    load_file(SMALL, &small);
}

static uint8_t *section(struct bytes *b, int i)
{
    return b->data + get_le(b->data + 64 + 32 * i + 8, 8);
}

static platen_status open_bytes(const struct bytes *b, struct platen_error *err)
{
    struct pl_language *l = NULL;
    platen_status s = pl_language_open_memory(b->data, b->n, &l, err);
    ck_assert((s == PLATEN_OK) == (l != NULL));
    pl_language_free(l);
    return s;
}

START_TEST(crc_of_the_standard)
{
    struct pl_crc32c c;
    pl_crc32c_init(&c);
    uint8_t zeros[32] = {0}, ones[32], rising[32];
    memset(ones, 255, sizeof(ones));
    for (uint8_t i = 0; i < 32; i++)
        rising[i] = i;
    /* RFC 3720, B.4 */
    ck_assert_uint_eq(pl_crc32c(&c, 0, zeros, 32), 0x8a9136aa);
    ck_assert_uint_eq(pl_crc32c(&c, 0, ones, 32), 0x62a8ab43);
    ck_assert_uint_eq(pl_crc32c(&c, 0, rising, 32), 0x46dd794e);
    ck_assert_uint_eq(pl_crc32c(&c, 0, "123456789", 9), 0xe3069283);
    for (size_t cut = 0; cut <= 32; cut++) {
        uint32_t first = pl_crc32c(&c, 0, rising, cut);
        ck_assert_uint_eq(pl_crc32c(&c, first, rising + cut, 32 - cut), 0x46dd794e);
    }
}
END_TEST

START_TEST(opens_and_tells)
{
    struct platen_error err;
    struct pl_language *l = NULL;
    ck_assert_msg(pl_language_open(SMALL, &l, &err) == PLATEN_OK, "%s", err.text);
    ck_assert_uint_eq(l->s.n, 7);
    ck_assert_uint_eq(l->s.rows, 5);
    ck_assert_uint_eq(l->s.width, 6);
    ck_assert_str_eq(l->s.names[1], "a");
    struct pl_str text = {0};
    pl_language_describe(l, &text);
    ck_assert_ptr_nonnull(strstr(text.s, "language model: 7 characters"));
    ck_assert_ptr_nonnull(strstr(text.s, "name=seed.lm\n"));
    pl_str_done(&text);
    pl_language_free(l);
    l = NULL;
    ck_assert_msg(pl_language_open(SHIPPED, &l, &err) == PLATEN_OK, "%s", err.text);
    pl_language_free(l);
}
END_TEST

/* Symbols " aA.", then those of U+00AB, U+00C0, U+00DF, U+00E0, U+042F and U+044F. */
START_TEST(letters_beyond_ascii)
{
    static const struct {
        uint32_t c;
        uint8_t symbol, small;
        bool letter;
    } cases[] = {{'A', 2, 1, true},     {'.', 3, 3, false},      {0xab, 4, 4, false},
                 {0xc0, 5, 7, true},    {0xdf, 6, 6, true},      {0xe0, 7, 7, true},
                 {0x42f, 8, 9, true},   {0x44f, 9, 9, true},     {0xc1, 10, 10, false},
                 {0x7f, 10, 10, false}, {0x4e00, 10, 10, false}, {0x10ffff, 10, 10, false}};
    struct platen_error err;
    struct pl_language *l = NULL;
    ck_assert_msg(pl_language_open(ACCENTS, &l, &err) == PLATEN_OK, "%s", err.text);
    ck_assert_str_eq(pl_language_tag(l), "xx");
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        const uint8_t s = pl_language_symbol(l, cases[i].c);
        ck_assert_uint_eq(s, cases[i].symbol);
        ck_assert_uint_eq(l->small[s], cases[i].small);
        ck_assert(l->letter[s] == cases[i].letter);
    }
    pl_language_free(l);
}
END_TEST

static bool is_word(const struct pl_language *l, const char *symbols)
{
    struct pl_spelling s = pl_lexicon_start(l->words);
    for (char symbol[5]; *symbols; symbols += strlen(symbol)) {
        uint32_t c;
        const size_t n = pl_utf8_get(symbols, strlen(symbols), &c);
        memcpy(symbol, symbols, n);
        symbol[n] = '\0';
        if (!pl_lexicon_spell(l->words, &s, symbol))
            return false;
    }
    return s.word;
}

START_TEST(words_of_a_file)
{
    struct platen_error err;
    struct pl_language *l = NULL;
    ck_assert_int_eq(pl_language_open(SMALL, &l, &err), PLATEN_OK);
    ck_assert_uint_eq(pl_lexicon_edges(l->words), 11);
    ck_assert_float_eq(l->word_gain, 1.5f);
    static const char *const known[] = {"ab", "abba", "AB", "b", "bab", "n\xc3\xa9", "N\xc3\x89"};
    static const char *const unknown[] = {"a", "abb", "ba", "bb", "abbab", "n", "ne", ""};
    for (size_t i = 0; i < PL_ARRAY_LEN(known); i++)
        ck_assert_msg(is_word(l, known[i]), "%s", known[i]);
    for (size_t i = 0; i < PL_ARRAY_LEN(unknown); i++)
        ck_assert_msg(!is_word(l, unknown[i]), "%s", unknown[i]);
    pl_language_free(l);
    l = NULL;
    ck_assert_int_eq(pl_language_open(ACCENTS, &l, &err), PLATEN_OK);
    ck_assert_ptr_null(l->words);
    pl_language_free(l);
    l = NULL;
    /* a shipped file knows words with their accents, and not without */
    ck_assert_int_eq(pl_language_open(PL_TEST_ROOT "/models/es.lm.platen", &l, &err), PLATEN_OK);
    ck_assert(is_word(l, "decía") && is_word(l, "país") && is_word(l, "MEDIODÍA"));
    ck_assert(!is_word(l, "decia") && !is_word(l, "pais") && !is_word(l, "mediodia"));
    pl_language_free(l);
}
END_TEST

/* Symbols that do not ascend, and one of ASCII behind others. */
START_TEST(symbols_out_of_order)
{
    static const struct {
        int at;
        uint8_t byte;
    } cases[] = {{15, 0x80}, {18, 0x9e}}; /* U+00C0 twice, U+00DE behind U+00DF */
    static struct bytes b;
    struct platen_error err;
    for (size_t i = 0; i < PL_ARRAY_LEN(cases); i++) {
        load_file(ACCENTS, &b);
        ck_assert_int_eq(open_bytes(&b, &err), PLATEN_OK);
        uint8_t *at = section(&b, ALPH) + cases[i].at;
        ck_assert_uint_ne(*at, cases[i].byte);
        *at = cases[i].byte;
        fix_checksums(b.data, b.n);
        ck_assert_int_eq(open_bytes(&b, &err), PLATEN_ERR_FORMAT);
        ck_assert_ptr_nonnull(strstr(err.text, "order"));
    }
    /* the last one of ASCII changes places with the first of the others */
    load_file(ACCENTS, &b);
    memcpy(section(&b, ALPH) + 6, "\xC2\xAB\0.", 4);
    fix_checksums(b.data, b.n);
    ck_assert_int_eq(open_bytes(&b, &err), PLATEN_ERR_FORMAT);
}
END_TEST

/* Each kind of file says what it is when it is taken for another one. */
START_TEST(kinds_are_told_apart)
{
    static struct bytes b;
    struct platen_error err;
    struct pl_language *l = NULL;
    struct pl_network *n = NULL;
    ck_assert_int_eq(pl_language_open(NETWORK, &l, &err), PLATEN_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.text, "a network, not a language model"));
    ck_assert_int_eq(pl_network_open(SHIPPED, &n, &err), PLATEN_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.text, "a language model, not a network"));
    /* what older versions wrote had five sections, none of words */
    load_file(ACCENTS, &b);
    put_le(b.data + 24, 4, 5);
    ck_assert_int_eq(pl_network_open_memory(b.data, b.n, &n, &err), PLATEN_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.text, "has to be imported anew"));
    ck_assert_int_eq(open_bytes(&b, &err), PLATEN_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.text, "has to be imported anew"));
    ck_assert(!l && !n);
}
END_TEST

START_TEST(errors_name_the_file)
{
    struct platen_error err;
    struct pl_language *m = NULL;
    ck_assert_int_eq(pl_language_open("/nowhere/x.platen", &m, &err), PLATEN_ERR_IO);
    ck_assert_ptr_nonnull(strstr(err.text, "'/nowhere/x.platen': "));
    ck_assert_int_eq(pl_language_open(PL_TEST_ROOT "/meson.build", &m, &err), PLATEN_ERR_FORMAT);
    ck_assert_ptr_nonnull(strstr(err.text, "not a platen model file"));
    ck_assert_ptr_null(m);
}
END_TEST

START_TEST(refused_by_the_system)
{
    struct platen_error err;
    struct pl_language *m = NULL;
    pl_io_fail_at(1, EACCES);
    ck_assert_int_eq(pl_language_open(SMALL, &m, &err), PLATEN_ERR_IO);
    pl_io_fail_at(0, 0);
    ck_assert_int_eq(err.os_errno, EACCES);
    ck_assert_ptr_null(m);
    /* a pipe cannot be mapped: the bytes are read */
    int fd[2];
    char name[64];
    load_small();
    ck_assert_int_eq(pipe(fd), 0);
    snprintf(name, sizeof(name), "/dev/fd/%d", fd[0]);
    ck_assert_int_eq(write(fd[1], small.data, small.n), (ssize_t)small.n);
    close(fd[1]);
    ck_assert_int_eq(pl_language_open(name, &m, &err), PLATEN_OK);
    ck_assert_uint_eq(m->s.n, 7);
    pl_language_free(m);
    close(fd[0]);
}
END_TEST

START_TEST(every_flipped_byte_is_seen)
{
    static struct bytes b;
    struct platen_error err;
    load_small();
    b = small;
    ck_assert_int_eq(open_bytes(&b, &err), PLATEN_OK);
    for (size_t i = 0; i < b.n; i++) {
        b.data[i] ^= (uint8_t)(1u << (i % 8));
        ck_assert_msg(open_bytes(&b, &err) != PLATEN_OK, "byte %zu", i);
        b.data[i] = small.data[i];
    }
}
END_TEST

START_TEST(every_truncation_is_seen)
{
    static struct bytes b;
    struct platen_error err;
    load_small();
    b = small;
    for (b.n = 0; b.n < small.n; b.n++)
        ck_assert_msg(open_bytes(&b, &err) != PLATEN_OK, "length %zu", b.n);
    /* a shorter file whose header knows it */
    for (b.n = 64; b.n < small.n; b.n += 64) {
        memcpy(b.data, small.data, small.n);
        put_le(b.data + 16, 8, b.n);
        fix_checksums(b.data, b.n);
        ck_assert_msg(open_bytes(&b, &err) != PLATEN_OK, "length %zu", b.n);
    }
}
END_TEST

/* A field that must be refused though every checksum is right. */
struct patch {
    int section, field, bytes;
    uint64_t value;
    platen_status status;
};

static const struct patch patches[] = {
    /* sections: offset, size, reserved, name */
    {-1, 72, 8, 257, PLATEN_ERR_FORMAT},
    {-1, 80, 8, UINT64_MAX, PLATEN_ERR_FORMAT},
    {-1, 80, 8, 41, PLATEN_ERR_FORMAT},
    {-1, 88, 8, 1, PLATEN_ERR_FORMAT},
    {-1, 64 + 32 * 3 + 8, 8, UINT64_MAX - 63, PLATEN_ERR_FORMAT},
    {-1, 64 + 32 * 3 + 16, 8, 64, PLATEN_ERR_FORMAT},
    {-1, 64, 4, 0x4d544555, PLATEN_ERR_FORMAT},
    /* header: versions, sizes, flags, reserved */
    {-1, 0, 1, 'p', PLATEN_ERR_FORMAT},
    {-1, 8, 2, 2, PLATEN_ERR_UNSUPPORTED},
    {-1, 8, 2, 3, PLATEN_ERR_UNSUPPORTED},
    {-1, 10, 2, 1, PLATEN_ERR_UNSUPPORTED},
    {-1, 12, 4, 128, PLATEN_ERR_FORMAT},
    {-1, 16, 8, 64, PLATEN_ERR_FORMAT},
    {-1, 24, 4, 4, PLATEN_ERR_FORMAT},
    {-1, 24, 4, 3, PLATEN_ERR_UNSUPPORTED},
    {-1, 24, 4, 6, PLATEN_ERR_UNSUPPORTED},
    {-1, 28, 4, 1, PLATEN_ERR_FORMAT},
    {-1, 40, 1, 1, PLATEN_ERR_FORMAT},
    /* metadata and alphabet */
    {META, 0, 1, 'N', PLATEN_ERR_FORMAT},  /* no key */
    {META, 3, 1, 'f', PLATEN_ERR_FORMAT},  /* "namf": a required key is missing */
    {META, 4, 1, ' ', PLATEN_ERR_FORMAT},  /* no '=' */
    {META, 5, 1, 0xff, PLATEN_ERR_FORMAT}, /* not UTF-8 */
    {META, 5, 1, 1, PLATEN_ERR_FORMAT},    /* a control character */
    {ALPH, 0, 1, 0, PLATEN_ERR_FORMAT},    /* an empty symbol */
    {ALPH, 1, 1, 'x', PLATEN_ERR_FORMAT},  /* one symbol too few */
    {ALPH, 2, 1, 0xc3, PLATEN_ERR_FORMAT}, /* not UTF-8 */
    {ALPH, 2, 1, 'b', PLATEN_ERR_FORMAT},  /* twice */
    {ALPH, 13, 1, 'x', PLATEN_ERR_FORMAT}, /* the last one has no end */
    /* the table: scale and offset of the first row, of six bytes */
    {EMBD, 6, 4, 0x7fc00000, PLATEN_ERR_FORMAT},
    {EMBD, 10, 4, 0x7f800000, PLATEN_ERR_FORMAT},
    /* rows, width, bias, weights */
    {OUTP, 0, 4, 6, PLATEN_ERR_FORMAT},
    {OUTP, 0, 4, 0, PLATEN_ERR_LIMIT},
    {OUTP, 0, 4, 1u << 23, PLATEN_ERR_LIMIT},
    {OUTP, 4, 4, 7, PLATEN_ERR_FORMAT},
    {OUTP, 4, 4, 0, PLATEN_ERR_LIMIT},
    {OUTP, 4, 4, 257, PLATEN_ERR_LIMIT},
    {OUTP, 8, 4, 0x7fc00000, PLATEN_ERR_FORMAT},
    {OUTP, 40, 4, 0xff800000, PLATEN_ERR_FORMAT},
    /* words: the root, an edge that leads beyond the last one, a last one that is not */
    {WORD, 0, 4, 11, PLATEN_ERR_FORMAT},
    {WORD, 8, 4, 11 << 10 | 1 << 9 | 'a', PLATEN_ERR_FORMAT},
    {WORD, 44, 4, 7 << 10 | 'n', PLATEN_ERR_FORMAT},
};

START_TEST(wrong_fields_are_refused)
{
    static struct bytes b;
    const struct patch *p = &patches[_i];
    struct platen_error err;
    load_small();
    b = small;
    uint8_t *at = p->section < 0 ? b.data : section(&b, p->section);
    ck_assert_uint_ne(get_le(at + p->field, p->bytes), p->value);
    put_le(at + p->field, p->bytes, p->value);
    fix_checksums(b.data, b.n);
    ck_assert_msg(open_bytes(&b, &err) == p->status, "patch %d: %s", _i, err.text);
}
END_TEST

START_TEST(harmless_changes_open)
{
    static struct bytes b;
    struct platen_error err;
    load_small();
    b = small;
    section(&b, META)[5] = 'S'; /* name=Seed.lm */
    section(&b, EMBD)[0] ^= 1;  /* of a row */
    section(&b, OUTP)[8] ^= 1;  /* of the bias */
    fix_checksums(b.data, b.n);
    ck_assert_msg(open_bytes(&b, &err) == PLATEN_OK, "%s", err.text);
}
END_TEST

START_TEST(short_of_memory)
{
    static struct bytes b;
    struct platen_error err;
    load_small();
    b = small;
    int failures = 0;
    for (uint64_t n = 1; n < 100; n++, failures++) {
        pl_mem_fail_at(n, true);
        platen_status s = open_bytes(&b, &err);
        pl_mem_fail_at(0, false);
        if (!s)
            break;
        ck_assert_int_eq(s, PLATEN_ERR_NOMEM);
    }
    ck_assert_int_gt(failures, 1);
    ck_assert_int_lt(failures, 20);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("language");
    TCase *c = tcase_create("language");
    tcase_add_test(c, crc_of_the_standard);
    tcase_add_test(c, opens_and_tells);
    tcase_add_test(c, letters_beyond_ascii);
    tcase_add_test(c, words_of_a_file);
    tcase_add_test(c, symbols_out_of_order);
    tcase_add_test(c, kinds_are_told_apart);
    tcase_add_test(c, errors_name_the_file);
    tcase_add_test(c, refused_by_the_system);
    tcase_add_test(c, every_flipped_byte_is_seen);
    tcase_add_test(c, every_truncation_is_seen);
    tcase_add_loop_test(c, wrong_fields_are_refused, 0, sizeof(patches) / sizeof(*patches));
    tcase_add_test(c, harmless_changes_open);
    tcase_add_test(c, short_of_memory);
    suite_add_tcase(s, c);
    return run_suite(s);
}
