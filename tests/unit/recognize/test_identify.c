/* SPDX-License-Identifier: BSD-2-Clause */
/* The language of texts, of pages and of their lines, by the shipped identifier. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "recognize/language/page_language.h"
#include "tests/unit/suite.h"

#define SMALL PL_TEST_ROOT "/tests/fuzz/corpus/identifier/seed.platen"
#define SHIPPED PL_TEST_ROOT "/models/eng.lang.platen"
#define NETWORK PL_TEST_ROOT "/models/eng.platen"
#define LANGUAGE PL_TEST_ROOT "/models/eng.lm.platen"

static struct pl_kernels k;

static struct pl_identifier *open_file(const char *path)
{
    struct platen_error err;
    struct pl_identifier *id = NULL;
    pl_kernels_init(&k, pl_isa_best());
    ck_assert_msg(!pl_identifier_open(path, &id, &err), "%s", err.text);
    return id;
}

static void add(const struct pl_identifier *id, const char *text, struct pl_traits *t)
{
    uint32_t points[512];
    size_t n = 0;
    for (size_t i = 0, step; text[i]; i += step) {
        step = pl_utf8_get(text + i, strlen(text + i), &points[n++]);
        ck_assert(step && n < 512);
    }
    pl_identifier_add(id, &k, points, n, t);
}

/* Texts of about a line each, which no source of the training has. */
static const struct {
    const char *tag, *text;
} lines[] = {
    {"en", "The harbour was quiet in the morning, and nobody had seen the little boat."},
    {"de", "Der Hafen lag am Morgen still, und niemand hatte das kleine Boot gesehen."},
    {"fr", "Le port était calme ce matin-là, et personne n’avait vu le petit bateau."},
    {"es", "El puerto estaba tranquilo por la mañana y nadie había visto la barca."},
    {"it", "Il porto era tranquillo la mattina e nessuno aveva visto la piccola barca."},
    {"nl", "De haven was stil in de ochtend en niemand had het bootje gezien."},
    {"pl", "Rano w porcie było cicho i nikt nie widział małej łódki przy brzegu."},
    {"cs", "Ráno byl přístav tichý a nikdo neviděl malou loďku u břehu řeky."},
    {"hu", "Reggel csendes volt a kikötő, és senki sem látta a kis csónakot."},
    {"tr", "Sabahleyin liman sessizdi ve hiç kimse küçük kayığı görmemişti."},
    {"fi", "Aamulla satama oli hiljainen, eikä kukaan ollut nähnyt pientä venettä."},
    {"ru", "Утром в гавани было тихо, и никто не видел маленькую лодку у берега."},
    {"el", "Το πρωί το λιμάνι ήταν ήσυχο και κανείς δεν είχε δει τη μικρή βάρκα."},
};

START_TEST(lines_are_told_apart)
{
    struct pl_identifier *id = open_file(SHIPPED);
    for (size_t i = 0; i < PL_ARRAY_LEN(lines); i++) {
        struct pl_traits t = {.pieces = 0};
        float p[PL_IDENTIFIER_MAX_LANGUAGES];
        double sum = 0;
        size_t best = 0;
        add(id, lines[i].text, &t);
        pl_identifier_judge(id, &k, &t, p);
        for (size_t j = 0; j < id->s.n; j++) {
            best = p[j] > p[best] ? j : best;
            sum += (double)p[j];
        }
        ck_assert_str_eq(id->s.names[best], lines[i].tag);
        ck_assert_float_gt(p[best], 0.5f);
        ck_assert_double_lt(fabs(sum - 1), 1e-3);
    }
    pl_identifier_free(id);
}
END_TEST

START_TEST(no_text_is_in_any_language)
{
    struct pl_identifier *id = open_file(SMALL);
    struct pl_traits t = {.pieces = 0};
    float p[PL_IDENTIFIER_MAX_LANGUAGES];
    add(id, " -- (?) ,,, ", &t);
    ck_assert_uint_eq(t.pieces, 0);
    pl_identifier_judge(id, &k, &t, p);
    for (size_t i = 0; i < id->s.n; i++)
        ck_assert_float_eq(p[i], 1 / (float)id->s.n);
    pl_identifier_free(id);
}
END_TEST

/* The same pieces, whatever the case, and a word of any length. */
START_TEST(pieces_of_words)
{
    struct pl_identifier *id = open_file(SMALL);
    struct pl_traits a = {.pieces = 0}, b = {.pieces = 0}, c = {.pieces = 0};
    char longest[301];
    add(id, "ab", &a); /* " a", " ab", " ab ", "a", "ab", "ab ", "b", "b ", and the shape */
    ck_assert_uint_eq(a.pieces, 9);
    ck_assert_uint_eq(a.letters, 2);
    add(id, "12 7", &b);
    ck_assert_uint_eq(b.letters, 0);
    ck_assert_uint_gt(b.pieces, 9);
    memset(longest, 'x', 300);
    longest[300] = '\0';
    add(id, longest, &c);
    ck_assert_uint_eq(c.letters, 300);
    pl_traits_add(&c, &a);
    ck_assert_uint_eq(c.letters, 302);
    pl_identifier_free(id);
}
END_TEST

/* Figures count alike. */
START_TEST(figures_are_alike)
{
    struct pl_identifier *id = open_file(SMALL);
    struct pl_traits a = {.pieces = 0}, b = {.pieces = 0};
    add(id, "a17 2026", &a);
    add(id, "a94 1358", &b);
    ck_assert_mem_eq(a.sum, b.sum, id->s.width * sizeof(*a.sum));
    pl_identifier_free(id);
}
END_TEST

/* Beside words in Cyrillic or Greek, those in Latin letters are names. */
START_TEST(names_tell_no_language)
{
    struct pl_identifier *id = open_file(SMALL);
    struct pl_traits a = {.pieces = 0}, b = {.pieces = 0}, c = {.pieces = 0};
    add(id, "\u0443 Smith & Wesson 12 \u0442\u0430", &a);
    add(id, "\u0442\u0430", &b);
    ck_assert_mem_eq(a.sum, b.sum, id->s.width * sizeof(*a.sum));
    ck_assert_uint_eq(a.cyrillic, 2);
    ck_assert_int_eq(pl_traits_script(&a), PL_SCRIPT_CYRILLIC);
    add(id, "value of \u03b2", &c);
    ck_assert_uint_eq(c.letters, 8);
    ck_assert_int_eq(pl_traits_script(&c), PL_SCRIPT_LATIN);
    pl_identifier_free(id);
}
END_TEST

/* A page of lines[from..from + n), each of which is read with this sureness. */
struct page {
    struct pl_line line[PL_ARRAY_LEN(lines)];
    struct pl_page_line at[PL_ARRAY_LEN(lines)];
    struct pl_traits traits[PL_ARRAY_LEN(lines)];
    struct pl_regions regions;
};

static platen_status try_settle(const struct pl_decoder *d, const char *const *text, size_t n,
                                float sureness, struct page *ret, struct platen_error *err)
{
    *ret = (struct page){.regions = {.width = 1}};
    for (size_t i = 0; i < n; i++) {
        add(d->text.identifier, text[i], &ret->traits[i]);
        ret->at[i] = (struct pl_page_line){
            .line = &ret->line[i], .traits = &ret->traits[i], .sureness = sureness};
    }
    return pl_language_settle(d, &k, ret->at, n, &ret->regions, err);
}

static void settle(const struct pl_decoder *d, const char *const *text, size_t n, float sureness,
                   struct page *ret)
{
    struct platen_error err;
    ck_assert_msg(!try_settle(d, text, n, sureness, ret, &err), "%s", err.text);
}

static struct pl_language *open_language(void)
{
    struct platen_error err;
    struct pl_language *l = NULL;
    ck_assert_msg(!pl_language_open(LANGUAGE, &l, &err), "%s", err.text);
    return l;
}

/* The language model of English is for English, and for what might be it. */
START_TEST(model_of_the_language)
{
    struct page page;
    struct pl_identifier *id = open_file(SHIPPED);
    struct pl_language *l = open_language();
    const struct pl_decoder d = {.text = {.language = l, .identifier = id}, .tag = "en"};
    const char *const codes[] = {"1/2", "A 17"};
    settle(&d, &lines[0].text, 1, 0.99f, &page);
    ck_assert_str_eq(page.regions.language, "en");
    ck_assert_ptr_eq(page.at[0].language, l);
    settle(&d, codes, 2, 0.99f, &page);
    ck_assert_ptr_null(page.regions.language);
    ck_assert_ptr_eq(page.at[1].language, l);
    settle(&d, &lines[1].text, 1, 0.99f, &page);
    ck_assert_str_eq(page.regions.language, "de");
    ck_assert_ptr_null(page.at[0].language);
    pl_language_free(l);
    pl_identifier_free(id);
}
END_TEST

/* Has one model, for German; that for French cannot be opened. */
static platen_status open_other(void *ctx, const char *tag, const struct pl_language **ret,
                                struct platen_error *err)
{
    *ret = strcmp(tag, "de") ? NULL : ctx;
    return strcmp(tag, "fr") ? PLATEN_OK : pl_fail(err, PLATEN_ERR_IO, "no French today");
}

/* A page in another language is read with the model of that one, where there is one. */
START_TEST(models_of_other_languages)
{
    struct page page;
    struct platen_error err;
    struct pl_identifier *id = open_file(SHIPPED);
    struct pl_language *en = open_language(), *de = open_language();
    const struct pl_language_models others = {.ctx = de, .open = open_other};
    const struct pl_decoder d = {.text = {.language = en, .identifier = id, .others = &others},
                                 .tag = "en"};
    settle(&d, &lines[0].text, 1, 0.99f, &page);
    ck_assert_ptr_eq(page.at[0].language, en);
    settle(&d, &lines[1].text, 1, 0.99f, &page);
    ck_assert_ptr_eq(page.at[0].language, de);
    settle(&d, &lines[6].text, 1, 0.99f, &page);
    ck_assert_str_eq(page.regions.language, "pl");
    ck_assert_ptr_null(page.at[0].language);
    ck_assert_int_eq(try_settle(&d, &lines[2].text, 1, 0.99f, &page, &err), PLATEN_ERR_IO);
    ck_assert_str_eq(err.text, "no French today");
    pl_language_free(de);
    pl_language_free(en);
    pl_identifier_free(id);
}
END_TEST

/* A few words that may be in several languages are in the one that is expected; a page in another
 * one is told all the same. */
START_TEST(expected_languages)
{
    struct page page;
    struct pl_identifier *id = open_file(SHIPPED);
    struct pl_language *en = open_language(), *de = open_language();
    const struct pl_language_models others = {.ctx = de, .open = open_other};
    const struct pl_line_model none = {.n_classes = 1};
    struct pl_decoder *d = NULL;
    struct platen_error err;
    const char *const codes[] = {"1/2", "A 17"};
    const char *const unsure[] = {"barche in porto e il sole"};
    const struct pl_text_models text = {.language = en, .identifier = id, .others = &others};
    struct pl_decode_options o = {.language_weight = 1};
    ck_assert_msg(!pl_decoder_new(&none, &text, &o, &d, &err), "%s", err.text);
    settle(d, unsure, 1, 0.99f, &page);
    ck_assert_ptr_null(page.regions.language);
    pl_decoder_free(d);
    o.lang = "por+ita";
    ck_assert_msg(!pl_decoder_new(&none, &text, &o, &d, &err), "%s", err.text);
    settle(d, unsure, 1, 0.99f, &page);
    ck_assert_str_eq(page.regions.language, "it");
    settle(d, &lines[1].text, 1, 0.99f, &page);
    ck_assert_str_eq(page.regions.language, "de");
    ck_assert_ptr_eq(page.at[0].language, de);
    pl_decoder_free(d);
    o.lang = "ger";
    ck_assert_msg(!pl_decoder_new(&none, &text, &o, &d, &err), "%s", err.text);
    settle(d, codes, 2, 0.99f, &page);
    ck_assert_ptr_null(page.regions.language);
    ck_assert_ptr_eq(page.at[1].language, de);
    pl_decoder_free(d);
    o.lang = "de+tlh";
    d = NULL;
    ck_assert_int_eq(pl_decoder_new(&none, &text, &o, &d, &err), PLATEN_ERR_ARG);
    ck_assert_ptr_nonnull(strstr(err.text, "'tlh' is no language"));
    ck_assert_ptr_null(d);
    pl_language_free(de);
    pl_language_free(en);
    pl_identifier_free(id);
}
END_TEST

/* A few words that two relatives share are told to be in the likelier one by a decoder of a third
 * language. */
START_TEST(relatives_share_a_line)
{
    struct page page;
    struct pl_identifier *id = open_file(SHIPPED);
    struct pl_decoder d = {.text = {.identifier = id}};
    const char *const shared[] = {"jeg har ikke set ham i sommer", "a casa do menino na rua"};
    settle(&d, shared, 1, 0.99f, &page);
    ck_assert_ptr_null(page.regions.language);
    d.tag = "en";
    settle(&d, shared, 1, 0.99f, &page);
    ck_assert_ptr_nonnull(page.regions.language);
    ck_assert_str_eq(page.regions.language, "da");
    settle(&d, shared + 1, 1, 0.99f, &page); /* of three, none of which is likely enough */
    ck_assert_ptr_null(page.regions.language);
    pl_identifier_free(id);
}
END_TEST

/* Codes and figures take nothing from the language of the words beside them. */
START_TEST(codes_beside_words)
{
    enum { CODES = 7 };
    struct page page;
    struct pl_identifier *id = open_file(SHIPPED);
    const struct pl_decoder d = {.text = {.identifier = id}};
    const char *bill[2 + CODES] = {lines[0].text, lines[0].text};
    float p[PL_IDENTIFIER_MAX_LANGUAGES];
    struct pl_traits all = {.pieces = 0};
    for (int i = 0; i < CODES; i++)
        bill[2 + i] = "XK-4471 ZR-0093 QT-5512 XK-4471 ZR-0093 QT-5512";
    settle(&d, bill, 2 + CODES, 0.99f, &page);
    for (int i = 0; i < 2 + CODES; i++)
        pl_traits_add(&all, &page.traits[i]);
    pl_identifier_judge(id, &k, &all, p);
    for (size_t i = 0; i < id->s.n; i++) /* beside codes it is not probable enough */
        ck_assert_float_lt(strcmp(id->s.names[i], "und") ? p[i] : 0, 0.3f);
    ck_assert_str_eq(page.regions.language, "en");
    pl_identifier_free(id);
}
END_TEST

/* A line in another language than its page tells it, and is read with that one's model. */
START_TEST(line_of_its_own)
{
    struct page page;
    struct pl_identifier *id = open_file(SHIPPED);
    struct pl_language *l = open_language();
    const struct pl_decoder d = {.text = {.language = l, .identifier = id}, .tag = "en"};
    const char *const mixed[] = {lines[1].text, lines[1].text, lines[1].text, lines[0].text};
    settle(&d, mixed, 4, 0.99f, &page);
    ck_assert_str_eq(page.regions.language, "de");
    ck_assert_ptr_null(page.line[0].language);
    ck_assert_str_eq(page.line[3].language, "en");
    ck_assert_ptr_eq(page.at[3].language, l);
    ck_assert_ptr_null(page.at[0].language);
    pl_language_free(l);
    pl_identifier_free(id);
}
END_TEST

/* Lines that a further model reads of a page in `told`, which the first model found. */
static void settle_further(const struct pl_decoder *first, const struct pl_decoder *further,
                           const char *told, const char *const *text, size_t n, struct page *ret)
{
    struct platen_error err;
    settle(first, text, n, 0.99f, ret);
    struct pl_reading reading = {.regions = &ret->regions};
    ret->regions.language = told;
    for (size_t i = 0; i < n; i++) {
        ret->line[i].language = NULL;
        ret->at[i].page = &reading;
    }
    ck_assert_msg(!pl_language_settle_further(first, further, &k, ret->at, n, &err), "%s",
                  err.text);
    ck_assert_ptr_eq(ret->regions.language, told);
}

/* Such lines tell their language by themselves, and are read with the first model's language models
 * or with the one that the further model brings. */
START_TEST(lines_of_a_further_model)
{
    struct page page;
    struct pl_identifier *id = open_file(SHIPPED);
    struct pl_language *en = open_language(), *de = open_language();
    const struct pl_language_models others = {.ctx = de, .open = open_other};
    const struct pl_decoder first = {.text = {.language = en, .identifier = id, .others = &others},
                                     .tag = "en"};
    struct pl_line_model model = {.languages = ""};
    struct pl_decoder further = {.model = &model, .text = {.identifier = id}};
    const char *const mixed[] = {"Капитан записал в журнал, что ветер слабый и всё в порядке.",
                                 lines[12].text, lines[1].text, "17"};
    settle_further(&first, &further, "en", mixed, 4, &page);
    ck_assert_str_eq(page.line[0].language, "ru");
    ck_assert_str_eq(page.line[1].language, "el");
    ck_assert_str_eq(page.line[2].language, "de");
    ck_assert_ptr_null(page.at[0].language);
    ck_assert_ptr_eq(page.at[2].language, de);
    settle_further(&first, &further, "de", &lines[1].text, 1, &page);
    ck_assert_ptr_null(page.line[0].language);
    ck_assert_ptr_eq(page.at[0].language, de);

    /* what is in no language by itself is in that of the others */
    const char *const numbered[] = {lines[1].text, "17"};
    settle_further(&first, &further, NULL, numbered, 2, &page);
    ck_assert_str_eq(page.line[1].language, "de");
    ck_assert_ptr_eq(page.at[1].language, de);

    /* a language that the further model tells stays, and its own language model comes first */
    model.languages = "vi de";
    settle_further(&first, &further, "de", &lines[0].text, 1, &page);
    ck_assert_ptr_null(page.line[0].language);
    ck_assert_ptr_eq(page.at[0].language, de);
    further.text.language = en;
    settle_further(&first, &further, "de", &lines[0].text, 1, &page);
    ck_assert_ptr_eq(page.at[0].language, en);

    /* nothing is told without an identifier */
    further.text.identifier = NULL;
    settle_further(&first, &further, "en", mixed, 1, &page);
    ck_assert_ptr_null(page.line[0].language);
    pl_language_free(de);
    pl_language_free(en);
    pl_identifier_free(id);
}
END_TEST

/* What the network makes of Cyrillic is noted where it was read with doubt. */
START_TEST(script_that_is_not_read)
{
    struct page page;
    struct pl_identifier *id = open_file(SHIPPED);
    const struct pl_decoder d = {.text = {.identifier = id}};
    const char *const russian[] = {"HTIB A60 HaTMCHyTM KOM6iHauiIo Knasiu CtrlF.",
                                   "npMcnaHo HaJeKHMM YMHOM, 3a3BM4aM, 4epe3 Te,",
                                   "peani3oBaHO He TOBHICTIO HanpMKnag, He nOBHICTIO"};
    settle(&d, russian, 3, 0.8f, &page);
    ck_assert_ptr_null(page.regions.language);
    ck_assert_str_eq(page.regions.misread, "Cyrl");
    settle(&d, russian, 3, 0.97f, &page);
    ck_assert_ptr_null(page.regions.misread);
    pl_identifier_free(id);
}
END_TEST

/* A line of words, those behind the first `kept` doubted. */
static struct pl_line line_of(struct pl_arena *arena, const char *text, size_t kept)
{
    struct pl_line line = {.text = text, .words = PL_NEW(arena, struct pl_word, 32)};
    ck_assert_ptr_nonnull(line.words);
    for (size_t n; *text; text += n + (text[n] == ' ')) {
        n = strcspn(text, " ");
        line.words[line.n_words++] =
            (struct pl_word){.text = pl_arena_strndup(arena, text, n), .conf = 0.5f, .n_chars = n};
    }
    line.n_doubted = line.n_words - PL_MIN(kept, line.n_words);
    line.n_words -= line.n_doubted;
    return line;
}

/* Lines that are not trusted tell a script that is not read beside those that are; scraps of them
 * go, and the page's language stays. */
START_TEST(part_in_another_script)
{
    static const char *const russian[] = {"HTIB A60 HaTMCHyTM KOM6iHauiIo Knasiu CtrlF.",
                                          "npMcnaHo HaJeKHMM YMHOM, 3a3BM4aM, 4epe3 Te,",
                                          "peani3oBaHO He TOBHICTIO HanpMKnag, He nOBHICTIO"};
    struct pl_identifier *id = open_file(SHIPPED);
    const struct pl_decoder d = {.text = {.identifier = id}};
    struct pl_arena arena;
    struct platen_error err;
    pl_arena_init(&arena);
    for (size_t n = 0; n <= PL_ARRAY_LEN(russian); n++) {
        struct pl_line line[8];
        for (size_t i = 0; i < 4; i++)
            line[i] = line_of(&arena, lines[0].text, 32);
        for (size_t i = 0; i < n; i++)
            line[4 + i] = line_of(&arena, russian[i], i ? 0 : 1);
        struct pl_block block = {.lines = line, .n_lines = 4 + n};
        struct pl_regions r = {.blocks = &block, .n_blocks = 1, .language = "en"};
        struct pl_regions all = r;
        ck_assert(!pl_language_conclude(&d, &k, 0, &arena, &all, &err));
        ck_assert_ptr_null(all.misread); /* nothing is doubted there */
        ck_assert(!pl_language_conclude(&d, &k, 0.7f, &arena, &r, &err));
        ck_assert_str_eq(r.language, "en");
        ck_assert_msg((r.misread != NULL) == (n == 3), "%zu lines", n);
        ck_assert_uint_eq(line[0].n_words, 14);
        if (n == 3) {
            ck_assert_str_eq(r.misread, "Cyrl");
            ck_assert_uint_eq(line[4].n_words, 0);
        } else if (n) {
            ck_assert_uint_eq(line[4].n_words, 1);
        }
    }
    pl_arena_done(&arena);
    pl_identifier_free(id);
}
END_TEST

static void refuse(const char *bytes, size_t n, const char *why)
{
    struct platen_error err;
    struct pl_identifier *id = NULL;
    ck_assert_int_ne(pl_identifier_open_memory(bytes, n, &id, &err), PLATEN_OK);
    ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
    ck_assert_ptr_null(id);
}

START_TEST(files_that_are_none)
{
    struct platen_error err;
    struct pl_identifier *id = NULL;
    _Alignas(64) static char bytes[4096];
    ck_assert_int_eq(pl_identifier_open(NETWORK, &id, &err), PLATEN_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.text, "a network, not a language identifier"));
    ck_assert_int_eq(pl_identifier_open(LANGUAGE, &id, &err), PLATEN_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.text, "a language model, not a language identifier"));
    ck_assert_int_eq(pl_identifier_open("/nowhere/x.platen", &id, &err), PLATEN_ERR_IO);
    FILE *f = fopen(SMALL, "rb");
    ck_assert_ptr_nonnull(f);
    const size_t n = fread(bytes, 1, sizeof(bytes), f);
    fclose(f);
    ck_assert(n > 500 && n < sizeof(bytes));
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= (char)(1 << i % 8);
        refuse(bytes, n, "");
        bytes[i] ^= (char)(1 << i % 8);
        refuse(bytes, i, "");
    }
}
END_TEST

START_TEST(describes_itself)
{
    struct pl_identifier *id = open_file(SMALL);
    struct pl_str text = {0};
    pl_identifier_describe(id, &text);
    ck_assert_ptr_nonnull(strstr(text.s, "language identifier: en de und und-Cyrl\n"));
    ck_assert_ptr_nonnull(strstr(text.s, "format 3.0"));
    pl_str_done(&text);
    pl_identifier_free(id);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("identify");
    TCase *c = tcase_create("all");
    tcase_add_test(c, names_tell_no_language);
    tcase_add_test(c, lines_are_told_apart);
    tcase_add_test(c, no_text_is_in_any_language);
    tcase_add_test(c, pieces_of_words);
    tcase_add_test(c, figures_are_alike);
    tcase_add_test(c, model_of_the_language);
    tcase_add_test(c, models_of_other_languages);
    tcase_add_test(c, expected_languages);
    tcase_add_test(c, relatives_share_a_line);
    tcase_add_test(c, codes_beside_words);
    tcase_add_test(c, line_of_its_own);
    tcase_add_test(c, lines_of_a_further_model);
    tcase_add_test(c, script_that_is_not_read);
    tcase_add_test(c, part_in_another_script);
    tcase_add_test(c, files_that_are_none);
    tcase_add_test(c, describes_itself);
    suite_add_tcase(s, c);
    return run_suite(s);
}
