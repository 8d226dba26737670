/* SPDX-License-Identifier: BSD-2-Clause */
/* How lines go on from the ones before them. */
#include "layout/flow.h"
#include "layout/hyphens.h"
#include "recognize/language/language.h"
#include "simd/kernels.h"
#include "tests/unit/layout/page_fixture.h"

/* A line that begins at column x, and how it goes on from the one before it. */
struct flow_line {
    int x;
    const char *text;
    enum pl_join join;
};

static void check_joins(const struct flow_line *v, size_t n)
{
    struct page_fixture f;
    setup(&f);
    for (size_t i = 0; i < n; i++)
        line(&f, v[i].x, 100 + 30 * (int)i, v[i].text);
    pl_flow_tell(NULL, NULL, &f.regions);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(f.lines[i].join == v[i].join, "%s", v[i].text);
    pl_arena_done(&f.arena);
}

/* Lines of a paragraph go on; one that is short, indented or an item begins another. */
START_TEST(lines_go_on)
{
    static const struct flow_line v[] = {
        {100, "it goes on and on and so it does for a while lon-", PL_JOIN_NONE},
        {100, "ger than the others that came before it and the Co-", PL_JOIN_HYPHEN},
        {100, "Operative society that it was told of by someone", PL_JOIN_WORD},
        {100, "who left", PL_JOIN_BLANK},
        {100, "and another one begins behind a short line here and", PL_JOIN_NONE},
        {130, "a third is indented as paragraphs of books are so it", PL_JOIN_NONE},
        {100, "goes on to the very end of its line and even beyond", PL_JOIN_BLANK},
        {100, "1. item of a list that is as long as the others are", PL_JOIN_NONE},
        {100, "[1] item of a list that is as long as the others are", PL_JOIN_NONE},
        {100, "-        whose bullet stands far from its full lines", PL_JOIN_NONE},
        {190, "of which the second is below the first", PL_JOIN_BLANK},
    };
    check_joins(v, PL_ARRAY_LEN(v));
}
END_TEST

/* Entries hang, as in a list of books, notes and items whose mark is a line of its own: a full
 * first line goes on in an indented one, and the next entry begins where this one did. A first line
 * that is indented, and one below rows that go on, are none of them. */
START_TEST(entries_hang)
{
    static const struct flow_line v[] = {
        {100, "Berg, A. (1997). Where it cannot run, and where it", PL_JOIN_NONE},
        {130, "can. Archives of Public Health, 21, 1 to 9.", PL_JOIN_BLANK},
        {100, "Costa, R. (2011). Each time you convey a covered w", PL_JOIN_NONE},
        {130, "ork. Archives of Public Health, 34.", PL_JOIN_BLANK},
        {100, "\xC2\xB2 Of a note whose first line is as full as others", PL_JOIN_NONE},
        {130, "are, which goes on below.", PL_JOIN_BLANK},
        {100, "The paragraph after it is as long as all the others", PL_JOIN_NONE},
        {100, "and has two full rows above the next one, as I show", PL_JOIN_BLANK},
        {130, "An indented one is the first line of a paragraph he", PL_JOIN_NONE},
        {100, "re, too, as it ever was.", PL_JOIN_BLANK},
        {130, "2. An item is marked and the line below stands left", PL_JOIN_NONE},
        {100, "of it. It ends at the very end of its line as here.", PL_JOIN_BLANK},
        {130, "3. An item is marked and the line below stands left.", PL_JOIN_NONE},
        {100, "Another paragraph begins to the left of it as here.", PL_JOIN_NONE},
    };
    check_joins(v, PL_ARRAY_LEN(v));
}
END_TEST

/* The mark of an item may be a line of its own before the others of its row. */
START_TEST(marks_alone)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "The first row of the text is as long as all of them");
    line(&f, 100, 130, "[2]");
    line(&f, 170, 130, "An entry whose mark is a line, and goes on so");
    line(&f, 170, 160, "below it.");
    line(&f, 100, 190, "The last row of the text is the mark of no item but");
    line(&f, 100, 220, "12.");
    pl_flow_tell(NULL, NULL, &f.regions);
    static const enum pl_join expected[] = {PL_JOIN_NONE,  PL_JOIN_NONE, PL_JOIN_BLANK,
                                            PL_JOIN_BLANK, PL_JOIN_NONE, PL_JOIN_BLANK};
    for (size_t i = 0; i < PL_ARRAY_LEN(expected); i++)
        ck_assert_msg(f.lines[i].join == expected[i], "%s", f.lines[i].text);
    pl_arena_done(&f.arena);
}
END_TEST

/* A hyphen stays between figures and where the page has the word with it within a line; it goes
 * where the page has the word without one. */
START_TEST(hyphens_by_the_page)
{
    static const struct flow_line v[] = {
        {100, "it goes on and on for pages 64-", PL_JOIN_NONE},
        {100, "873 of it and it is memory-", PL_JOIN_WORD},
        {100, "efficient, as is long-lived and a lon-", PL_JOIN_WORD},
        {100, "ger memory-efficient one in F-", PL_JOIN_HYPHEN},
        {100, "16 of longer ones and a base-", PL_JOIN_WORD},
        {100, "line or a baseline", PL_JOIN_HYPHEN},
    };
    check_joins(v, PL_ARRAY_LEN(v));
}
END_TEST

/* What a language knows as one word is one; of two words that it knows, the hyphen stays unless the
 * model holds one word for clearly likelier. */
START_TEST(hyphens_by_words)
{
    static const struct {
        const char *before, *after;
        enum pl_join join;
    } v[] = {
        {"a govern-", "ment", PL_JOIN_HYPHEN},    {"a self-govern-", "ment", PL_JOIN_HYPHEN},
        {"of policy-", "makers", PL_JOIN_WORD},   {"an up-to-", "date one", PL_JOIN_WORD},
        {"an easy-", "to-use one", PL_JOIN_WORD}, {"the re-", "compilation", PL_JOIN_HYPHEN},
        {"is cost-", "effective,", PL_JOIN_WORD}, {"a dis-", "assemble", PL_JOIN_HYPHEN},
        {"of Co-", "Operative", PL_JOIN_WORD},    {"of a \xC3\xA9t-", "at", PL_JOIN_HYPHEN},
        {"that -", "stays", PL_JOIN_BLANK},
    };
    struct pl_kernels k;
    struct platen_error err;
    pl_auto(language) l = NULL;
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "a page");
    pl_kernels_init(&k, pl_isa_best());
    ck_assert_msg(!pl_language_open(PL_TEST_ROOT "/models/eng.lm.platen", &l, &err), "%s",
                  err.text);
    const struct pl_hyphens h = {&f.regions, &k, l};
    for (size_t i = 0; i < PL_ARRAY_LEN(v); i++)
        ck_assert_msg(pl_hyphens_join(&h, v[i].before, v[i].after) == v[i].join, "%s", v[i].before);
    pl_arena_done(&f.arena);
}
END_TEST

/* A row that was stretched to the width of its column goes on, in one line or in several. */
START_TEST(stretched_rows_go_on)
{
    static const struct flow_line v[] = {
        {100, "the first row of the paragraph is as long as all are", PL_JOIN_NONE},
        {100, "rows    stretched    like    this    one    are    too,", PL_JOIN_BLANK},
        {100, "and those behind them go on within the paragraph, so", PL_JOIN_BLANK},
        {100, "Rows    stretched    as    those,    of    a    form", PL_JOIN_NONE},
        {100, "columns       like       these       go       on    in", PL_JOIN_NONE},
        {100, "none of the rows that stand above or below of theirs", PL_JOIN_NONE},
    };
    check_joins(v, PL_ARRAY_LEN(v));
}
END_TEST

/* The words of a stretched row may be lines; white as between columns parts rows. */
START_TEST(stretched_rows_of_several_lines)
{
    static const struct {
        int x; /* of the second line of the row, whose first one ends at 220 */
        enum pl_join join;
    } v[] = {{260, PL_JOIN_BLANK}, {290, PL_JOIN_NONE}};
    for (size_t i = 0; i < PL_ARRAY_LEN(v); i++) {
        struct page_fixture f;
        setup(&f);
        line(&f, 100, 100, "the first row of the paragraph is as long as all are");
        line(&f, 100, 130, "of the words");
        line(&f, v[i].x, 130, "stand two that are apart as here,");
        line(&f, 100, 160, "and the row behind them goes on within the paragraph");
        pl_flow_tell(NULL, NULL, &f.regions);
        ck_assert_int_eq(f.lines[1].join, v[i].join);
        ck_assert_int_eq(f.lines[2].join, PL_JOIN_BLANK);
        ck_assert_int_eq(f.lines[3].join, v[i].join);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Typists leave two blanks behind a sentence, or more where a line was to be full; columns are
 * farther apart there, and elsewhere nearer. */
START_TEST(sentences_part_no_columns)
{
    static const struct flow_line v[] = {
        {100, "it goes on and on and so it does for a long while an", PL_JOIN_NONE},
        {100, "It ends.     Another sentence begins in the same row", PL_JOIN_BLANK},
        {100, "He goes    on with white that is none of a sentence:", PL_JOIN_NONE},
        {100, "Until it comes down to here and to the full line end", PL_JOIN_NONE},
        {100, "No. of.      A column as far away as the rest of them", PL_JOIN_NONE},
    };
    check_joins(v, PL_ARRAY_LEN(v));
}
END_TEST

/* A row is several lines where its white is wide; what parts its words tells as within a line. Its
 * left end tells whether the next one is indented. */
START_TEST(rows_of_parts_go_on)
{
    struct page_fixture f;
    setup(&f);
    line(&f, 100, 100, "it goes on and on and so it does for a long while an");
    line(&f, 100, 130, "and ends.");
    line(&f, 230, 130, "Another sentence begins in the same row");
    line(&f, 100, 160, "and goes on until it has come to the full line end");
    line(&f, 100, 190, "Of a column");
    line(&f, 220, 190, "beside another one of its own");
    line(&f, 100, 220, "Which is none of the paragraph however full it is");
    line(&f, 100, 250, "and ends.");
    line(&f, 230, 250, "A paragraph is indented below this one");
    line(&f, 130, 280, "as those of books are and so it goes on for long");
    pl_flow_tell(NULL, NULL, &f.regions);
    static const enum pl_join expected[] = {
        PL_JOIN_NONE,  PL_JOIN_BLANK, PL_JOIN_BLANK, PL_JOIN_BLANK, PL_JOIN_NONE,
        PL_JOIN_BLANK, PL_JOIN_NONE,  PL_JOIN_BLANK, PL_JOIN_BLANK, PL_JOIN_NONE};
    for (size_t i = 0; i < PL_ARRAY_LEN(expected); i++)
        ck_assert_msg(f.lines[i].join == expected[i], "%s", f.lines[i].text);
    pl_arena_done(&f.arena);
}
END_TEST

/* Checks how the second line of a block goes on from the first, beside `n` other lines, which begin
 * at column x. */
static void check_second(const char *first, const char *second, int x, size_t n,
                         enum pl_join expected)
{
    struct page_fixture f;
    struct pl_block blocks[2] = {{.kind = PL_BLOCK_TEXT}};
    setup(&f);
    line(&f, 400, 100, first);
    line(&f, 400, 130, second);
    blocks[0] = f.block;
    blocks[0].n_lines = 2;
    for (size_t i = 0; i < n; i++)
        line(&f, x, 200 + 30 * (int)i, "the text of the page is wider than what is above");
    blocks[1] = (struct pl_block){.box = f.lines[2].box, .lines = f.lines + 2, .n_lines = n};
    f.regions.blocks = blocks;
    f.regions.n_blocks = PL_ARRAY_LEN(blocks);
    pl_flow_tell(NULL, NULL, &f.regions);
    ck_assert_msg(f.lines[1].join == expected, "%s", second);
    pl_arena_done(&f.arena);
}

/* A sentence goes on in the next block of text, as at the top of a column. */
START_TEST(blocks_go_on)
{
    static const struct {
        const char *last, *first;
        enum pl_block_kind kind;
        enum pl_join join;
    } v[] = {{"and its last row is as full as the others were", "it goes on", 0, PL_JOIN_BLANK},
             {"and its last row is as full as the others we-", "re before", 0, PL_JOIN_HYPHEN},
             {"and its last row is as full as others it was.", "it goes on", 0, PL_JOIN_NONE},
             {"and its last row is as full as the others were", "It goes on", 0, PL_JOIN_NONE},
             {"and its last row is as full as the others were", "a) goes on", 0, PL_JOIN_NONE},
             {"and its last row is no full", "one as it goes", 0, PL_JOIN_NONE},
             {"and its last row is as full as the others were", "it goes on", PL_BLOCK_FOOTER,
              PL_JOIN_NONE}};
    for (size_t i = 0; i < PL_ARRAY_LEN(v); i++) {
        struct page_fixture f;
        struct pl_block blocks[2];
        setup(&f);
        rows_of(&f, 100, 100, 4, "the rows of a block are all as full as this one");
        line(&f, 100, 220, v[i].last);
        blocks[0] = f.block;
        line(&f, 600, 100, v[i].first);
        blocks[1] = (struct pl_block){
            .kind = v[i].kind, .box = f.lines[5].box, .lines = f.lines + 5, .n_lines = 1};
        f.regions.blocks = blocks;
        f.regions.n_blocks = PL_ARRAY_LEN(blocks);
        pl_flow_tell(NULL, NULL, &f.regions);
        ck_assert_msg(f.lines[5].join == v[i].join, "%s %s", v[i].last, v[i].first);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* A few short lines of which none begins with a small letter are no paragraph, but where a longer
 * text beside them tells that they are full, where they are as long as prose or in capitals. */
START_TEST(names_are_apart)
{
    check_second("Jane Roe and", "Company", 100, 5, PL_JOIN_NONE);
    check_second("Jane Roe and", "company", 100, 5, PL_JOIN_BLANK);
    check_second("JANE ROE AND", "COMPANY", 100, 5, PL_JOIN_BLANK);
    check_second("Jane Roe has been to the town of", "Springfield, which is not far away", 400, 2,
                 PL_JOIN_NONE);
    check_second("Jane Roe has been to the far town of Old", "Springfield", 400, 2, PL_JOIN_BLANK);
    check_second("Jane Roe has been to the town of Old", "Springfield", 400, 5, PL_JOIN_BLANK);
}
END_TEST

/* Rows that all begin with a number are amounts, one below the other; of a paragraph one may. */
START_TEST(amounts_are_apart)
{
    static const struct flow_line amounts[] = {{100, "1\xC2\xBD cups of flour", PL_JOIN_NONE},
                                               {100, "2 spoons of sugar", PL_JOIN_NONE},
                                               {100, "\xC2\xBE cup of milk and", PL_JOIN_NONE},
                                               {100, "\xE2\x85\x93 of an egg", PL_JOIN_NONE}};
    static const struct flow_line prose[] = {{100, "12 cups of flour", PL_JOIN_NONE},
                                             {100, "30 cups of milk,", PL_JOIN_BLANK},
                                             {100, "\xC2\xA3 9 in all for", PL_JOIN_BLANK},
                                             {100, "14 of us", PL_JOIN_BLANK}};
    check_joins(amounts, PL_ARRAY_LEN(amounts));
    check_joins(amounts + 1, PL_ARRAY_LEN(amounts) - 1);
    check_joins(prose, PL_ARRAY_LEN(prose));
}
END_TEST

/* So are the lines of an address, six where one has two parts, else any number; lines that are all
 * full may be a paragraph. */
START_TEST(addresses_are_apart)
{
    for (int k = 0; k < 3; k++) {
        const int n = k == 1 ? 7 : 6;
        struct page_fixture f;
        struct pl_block blocks[2];
        setup(&f);
        rows(&f, 100, 100,
             k < 2 ? "Ida Brandt\nBrandt & Osei Ltd\n7 Canal Street"
                   : "Ms Ida Brandt\nBrandt & Osei Ltd\n7 Canal Street");
        rows_of(&f, 100, 190, n - 4, "Lower Wexcombe");
        line(&f, k ? 100 : 260, k ? 190 + 30 * (n - 4) : 220, k ? "Lower Wexcombe" : "UK");
        blocks[0] = f.block;
        line(&f, 100, 500, "the text of the page is wider than what is above");
        blocks[1] = (struct pl_block){.box = f.lines[n].box, .lines = f.lines + n, .n_lines = 1};
        f.regions.blocks = blocks;
        f.regions.n_blocks = PL_ARRAY_LEN(blocks);
        pl_flow_tell(NULL, NULL, &f.regions);
        ck_assert_int_eq(f.lines[2].join, k == 2 ? PL_JOIN_BLANK : PL_JOIN_NONE);
        pl_arena_done(&f.arena);
    }
}
END_TEST

/* Lines in the middle have white on both sides: a word that has no room there goes on, and so does
 * a sentence, and what stands below one that is in the middle by chance. */
START_TEST(lines_in_the_middle)
{
    static const struct flow_line v[] = {
        {100, "THE GENERAL STORE OF ASHBY AND ALL OTHERS", PL_JOIN_NONE},
        {160, "Goods can be returned with the", PL_JOIN_NONE},
        {180, "receipt and the wrapping.", PL_JOIN_BLANK},
        {200, "TEL: 01632 960 288 A", PL_JOIN_NONE},
        {150, "It ends where all the others do", PL_JOIN_NONE},
        {180, "or where it goes on too.", PL_JOIN_BLANK},
    };
    static const struct flow_line indented[] = {
        {155, "Water in these studies has been obt", PL_JOIN_NONE},
        {100, "J-13 in Jackass Flats but for studies of these", PL_JOIN_BLANK},
    };
    check_joins(v, PL_ARRAY_LEN(v));
    check_joins(indented, PL_ARRAY_LEN(indented));
}
END_TEST

/* Checks the rows of blocks, which an empty one parts: 'j' = the row goes on from the one
 * before it, '.' = it does not. Rows stand at x, or in the middle where it is 0. */
static void check_rows(int x, const char *const *text, size_t n, const char *expected)
{
    struct page_fixture f;
    struct pl_block blocks[2] = {{.kind = PL_BLOCK_TEXT}, {.kind = PL_BLOCK_TEXT}};
    size_t n_blocks = 0, k = 0;
    setup(&f);
    for (size_t i = 0; i <= n; i++)
        if (i == n || !*text[i]) {
            struct pl_block *b = &blocks[n_blocks++];
            b->lines = f.lines + k;
            b->n_lines = i - (n_blocks - 1) - k;
            b->box = b->lines->box;
            for (size_t j = 0; j < b->n_lines; j++)
                b->box = pl_rect_union(b->box, b->lines[j].box);
            k += b->n_lines;
        } else {
            const int before = x ? x : 400 - CHAR_PX * (int)strlen(text[i]) / 2;
            line(&f, before, 100 + 30 * (int)i, text[i]);
        }
    f.regions.blocks = blocks;
    f.regions.n_blocks = n_blocks;
    pl_flow_tell(NULL, NULL, &f.regions);
    for (size_t i = 0; i < k; i++)
        ck_assert_msg((f.lines[i].join == PL_JOIN_NONE) == (expected[i] == '.'), "%s (%d)",
                      f.lines[i].text, x);
    pl_arena_done(&f.arena);
}

#define check_verses(x, expected, ...)                                                             \
    check_rows(x, (const char *const[]){__VA_ARGS__},                                              \
               PL_ARRAY_LEN(((const char *const[]){__VA_ARGS__})), expected)

/* Most rows of verses end early, from the left and in the middle; those of prose end where the next
 * word has no room, and words go on. */
START_TEST(verses_end_early)
{
    check_verses(100, "....", "volveran las aves del monte", "en tu balcon del sur",
                 "y otra vez con el ala", "a los cristales");
    check_verses(0, "....", "volveran las aves del monte", "en tu balcon del sur",
                 "otras veces con el ala", "con los cristales");
    check_verses(100, ".jjj", "volveran las aves del monte", "entretanto balcones del",
                 "verano otra vez con alas", "diferentes cristales");
    check_verses(100, ".jjj", "volveran las aves del monte", "en tu balcon del sur-",
                 "este otra vez con el ala", "a los cristales");
}
END_TEST

/* So do most rows of verses end early or at a mark of the sentence. */
START_TEST(verses_end_at_marks)
{
    check_verses(100, "......", "caminante, son las huellas",
                 "entonces caminos, nada:", "caminante, sin los camino,",
                 "cualquier camino al andar.", "caminante, son las huellas,",
                 "cualquier camino al andar;");
    check_verses(100, ".jjjjj", "caminante, son las huellas",
                 "entonces caminos, nada:", "caminante, sin los camino,",
                 "cualquier camino al andar", "caminante, son las huellas",
                 "cualquier camino al andar;");
}
END_TEST

/* Rows of a list all begin with capitals, and one is short; those of prose in capitals may. */
START_TEST(capitals_begin_verses)
{
    check_verses(100, "....", "Linsensuppe mit der Wurst", "Forellen mit Kartoffeln",
                 "Pilze in dem Rahm", "Apfelstrudel mit Sahne");
    check_verses(100, ".jjj", "Linsensuppe mit der Wurst", "Forellen mit Kartoffeln",
                 "Pilze in dem Rahm", "apfelstrudel mit Sahne");
    check_verses(100, ".jjj", "LINSENSUPPE MIT DER WURST", "FORELLEN MIT KARTOFFELN",
                 "PILZE IN DEM RAHM", "APFELSTRUDEL MIT SAHNE");
    check_verses(100, "....", "\"Linsensuppe mit der Wurst",
                 "\xC3\x96"
                 "lforellen mit Kartoffeln",
                 "\xC2\xBFPilze in dem Rahm", "Apfelstrudel mit Sahne");
}
END_TEST

/* A row that begins with a small letter goes on where few do, as in a list of sentences. */
START_TEST(rows_of_lists_go_on)
{
    check_verses(100, "...j..", "Come at eight.", "Bring a cup.",
                 "One of those that are blue or all", "other ones of you.", "No dogs.", "No cats.");
}
END_TEST

/* What stands above or below verses and has as many rows, about as long, half of which end at
 * marks, is a stanza of theirs. */
START_TEST(stanzas_are_alike)
{
    check_verses(100, "........", "volveran las aves del monte", "en tu balcon del sur",
                 "y otra vez con el ala", "a los cristales", "", "interminables aves, aves,",
                 "entretanto balcones del", "verano otra vez con alas.", "diferentes cristales");
    check_verses(100, "........", "interminables aves, aves,", "entretanto balcones del",
                 "verano otra vez con alas.", "diferentes cristales", "",
                 "volveran las aves del monte", "en tu balcon del sur", "y otra vez con el ala",
                 "a los cristales");
    check_verses(100, ".....jjj", "volveran las aves del monte", "en tu balcon del sur",
                 "y otra vez con el ala", "a los cristales", "", "interminables aves, aves",
                 "entretanto balcones del", "verano otra vez con alas.", "diferentes cristales");
}
END_TEST

/* Scripts without blanks have none at a line's end, wherever their paragraphs break. */
START_TEST(lines_without_blanks_go_on)
{
    static const struct flow_line v[] = {
        {100, "控制输出中的文件显示顺序屏幕上字", PL_JOIN_NONE},
        {100, "体的分辨率如果查询计划器估计它将", PL_JOIN_WORD},
        {100, "读取的表页太小， 无法达到此限制 GNU", PL_JOIN_WORD},
        {100, "则不会考虑并行扫描验证已有的图标", PL_JOIN_BLANK},
        {100, "“缓存”中的文件显示顺序是指“可用”", PL_JOIN_WORD},
        {100, "资源的项目当显示打印预览时默认执", PL_JOIN_WORD},
        {100, "行该命令。", PL_JOIN_WORD},
        {100, "次の段落はここから始まりますので、", PL_JOIN_NONE},
        {100, "ソフトウェアの一覧を表示する場合は", PL_JOIN_WORD},
        {100, "한국어는 낱말 사이에 빈칸이 있어요", PL_JOIN_BLANK},
        {100, "그래서 줄 끝에도 빈칸이 있습니다", PL_JOIN_BLANK},
    };
    check_joins(v, PL_ARRAY_LEN(v));
}
END_TEST

/* Each end of each range, and the marks that go along with the script beside them. */
START_TEST(breaks_without_blanks)
{
    static const struct {
        const char *before, *after;
        bool joins;
    } v[] = {
        {"中", "文", true},         {"中", "a", false},      {"a", "中", false},
        {"a", "b", false},          {"中。", "文", true},    {"中", "「文", true},
        {"ｱ", "ﾟ", true},           {"中", "ﾠ", false},    {"中”", "文", true},
        {"中", "“文", true},        {"”", "“", false},       {"a”", "b", false},
        {"\u3041", "\u312F", true}, {"中", "\u3130", false}, {"\U00020000", "\U0003FFFD", true},
        {"가", "나", false},        {"", "中", false},       {"中", "", false},
        {"中 ", "文", false},
    };
    for (size_t i = 0; i < PL_ARRAY_LEN(v); i++)
        ck_assert_msg(pl_unspaced_joins(v[i].before, v[i].after) == v[i].joins, "%s|%s",
                      v[i].before, v[i].after);
    ck_assert(pl_unspaced_begins("中a") && !pl_unspaced_begins("a中") && !pl_unspaced_begins("“") &&
              !pl_unspaced_begins(""));
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("flow");
    tcase_add_test(tc, lines_go_on);
    tcase_add_test(tc, entries_hang);
    tcase_add_test(tc, marks_alone);
    tcase_add_test(tc, hyphens_by_the_page);
    tcase_add_test(tc, hyphens_by_words);
    tcase_add_test(tc, stretched_rows_go_on);
    tcase_add_test(tc, stretched_rows_of_several_lines);
    tcase_add_test(tc, sentences_part_no_columns);
    tcase_add_test(tc, rows_of_parts_go_on);
    tcase_add_test(tc, blocks_go_on);
    tcase_add_test(tc, names_are_apart);
    tcase_add_test(tc, amounts_are_apart);
    tcase_add_test(tc, addresses_are_apart);
    tcase_add_test(tc, lines_in_the_middle);
    tcase_add_test(tc, verses_end_early);
    tcase_add_test(tc, verses_end_at_marks);
    tcase_add_test(tc, capitals_begin_verses);
    tcase_add_test(tc, rows_of_lists_go_on);
    tcase_add_test(tc, stanzas_are_alike);
    tcase_add_test(tc, lines_without_blanks_go_on);
    tcase_add_test(tc, breaks_without_blanks);
    Suite *s = suite_create("flow");
    suite_add_tcase(s, tc);
    return run_suite(s);
}
