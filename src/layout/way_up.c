/* SPDX-License-Identifier: BSD-2-Clause */
#include "layout/way_up.h"

#include <assert.h>
#include <string.h>

#include "detect/lines.h"
#include "preprocess/ops.h"
#include "layout/layout_tuning.def"

/* A quarter turn clockwise, as EXIF numbers it: one that makes a new picture. */
#define TURN_RIGHT 6

/* What is read each way up, in quarter turns clockwise: characters weighed by how surely they were
 * read, of `chars` characters. */
struct way_votes {
    double read[4], chars[4];
};

/* Returns how long a line is, in letters. */
static double letters_of(const struct pl_line *line)
{
    return pl_rect_width(line->box) / PL_MAX(line->glyph_px, 1.0);
}

/* Fills `ret` with the longest upright lines, at most VOTE_LINES; returns how many. */
static size_t longest_lines(const struct pl_regions *r, struct pl_line *ret)
{
    size_t n = 0;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *line = &r->blocks[b].lines[i];
            size_t at = n;
            while (at > 0 && letters_of(&ret[at - 1]) < letters_of(line))
                at--;
            if (line->quarters || at == VOTE_LINES)
                continue;
            n = PL_MIN(n + 1, (size_t)VOTE_LINES);
            memmove(&ret[at + 1], &ret[at], (n - 1 - at) * sizeof(*ret));
            ret[at] = *line;
        }
    return n;
}

/* Returns what a character counts whose word is read with confidence `conf`: letters upside down
 * look like other letters, but seldom all letters of a word do. */
static double sureness(double conf)
{
    return PL_MAX(conf - WORD_DOUBT, 0) / (1 - WORD_DOUBT);
}

/* Returns the characters of the line, weighed by how surely they were read. */
static double sure_chars(const struct pl_line *line)
{
    double sum = 0;
    for (size_t w = 0; w < line->n_words; w++)
        sum += sureness(line->words[w].conf) * (double)line->words[w].n_chars;
    return sum;
}

/* The band of height that all lines of a page have in common. */
struct common_band {
    int top, bottom, height;
    double ink, area; /* px */
    size_t n;         /* more than VOTE_LINES: the lines are not in one row */
};

static void narrow_band(struct common_band *band, const struct pl_line *lines, size_t n)
{
    for (size_t i = 0; i < n && band->n <= VOTE_LINES; i++) {
        band->top = PL_MAX(band->top, lines[i].box.y0);
        band->bottom = PL_MIN(band->bottom, lines[i].box.y1);
        band->height = PL_MAX(band->height, pl_rect_height(lines[i].box));
        band->ink += (double)lines[i].ink_px;
        band->area += (double)pl_rect_width(lines[i].box) * pl_rect_height(lines[i].box);
        band->n += lines[i].quarters ? VOTE_LINES + 1 : 1;
    }
}

/* Returns the height of the page's lines if they all stand upright in one row; else 0. */
static int row_height(const struct pl_regions *r)
{
    struct common_band band = {.bottom = r->height};
    for (size_t b = 0; b < r->n_blocks; b++)
        narrow_band(&band, r->blocks[b].lines, r->blocks[b].n_lines);
    narrow_band(&band, r->unread, r->n_unread);
    bool one = band.n <= VOTE_LINES && band.top < band.bottom && band.ink >= ROW_INK * band.area;
    return one ? band.height : 0;
}

/* Returns whether the lines in the picture are one row with little above and below it. */
static bool is_one_row(const struct pl_regions *r, const struct pl_image *im)
{
    return im->height <= ROW_HEIGHT * row_height(r);
}

/* Returns whether a picture of one line is so wide that it cannot lie on its side. */
static bool is_wide(const struct pl_image *im)
{
    return im->width >= ROW_ASPECT * im->height;
}

/* How much the lines of a page hold, and how much of it was read surely. */
struct page_sum {
    double all, sure; /* in letters */
    double chars;     /* characters that were read surely */
};

static struct page_sum sum_up(const struct pl_regions *regions)
{
    struct page_sum sum = {0};
    for (size_t b = 0; b < regions->n_blocks; b++)
        for (size_t i = 0; i < regions->blocks[b].n_lines; i++) {
            const struct pl_line *line = &regions->blocks[b].lines[i];
            sum.all += letters_of(line);
            if (line->quarters)
                continue;
            sum.sure += sureness(line->conf) * letters_of(line);
            sum.chars += sure_chars(line);
        }
    for (size_t i = 0; i < regions->n_unread; i++)
        sum.all += letters_of(&regions->unread[i]);
    return sum;
}

/* Judges a wide row. A row that was read surely, all of it, yet is too short to win, needs no vote:
 * the other way up has no more to read. */
static enum pl_upright judge_row(struct page_sum sum)
{
    if (sum.sure < MOST_READ * sum.all)
        return PL_UPRIGHT_UNASKED;
    return sum.chars >= ENOUGH_IN_ROW          ? PL_UPRIGHT_SURE
           : sum.chars < VOTE_CHARS - ROW_SLIP ? PL_UPRIGHT_DOUBTFUL
                                               : PL_UPRIGHT_UNASKED;
}

/* Hardly any letter is so narrow that two of them take the place of one: a row that is too short to
 * win any way needs no vote. */
enum pl_upright pl_way_up_judge(const struct pl_regions *regions, const struct pl_image *asked)
{
    struct page_sum sum = sum_up(regions);
    if (is_one_row(regions, asked) && 2 * sum.all < VOTE_CHARS)
        return PL_UPRIGHT_DOUBTFUL;
    if (is_one_row(regions, asked) && is_wide(asked))
        return judge_row(sum);
    return sum.chars >= ENOUGH_READ && sum.sure >= LINES_READ * sum.all ? PL_UPRIGHT_SURE
                                                                        : PL_UPRIGHT_UNASKED;
}

/* Reads the lines on the picture and adds up how surely. */
static platen_status read_sample(const struct pl_reader *r, const struct pl_image *gray,
                                 struct pl_line *lines, size_t n, struct way_votes *votes, int way,
                                 struct platen_error *err)
{
    struct pl_block block = {.lines = lines, .n_lines = n};
    struct pl_regions regions = {
        .width = gray->width, .height = gray->height, .blocks = &block, .n_blocks = 1};
    platen_status s = pl_recognize_page(r, gray, &regions, err);
    for (size_t i = 0; i < n && !s; i++) {
        votes->read[way] += sure_chars(&lines[i]);
        for (size_t w = 0; w < lines[i].n_words; w++)
            votes->chars[way] += (double)lines[i].words[w].n_chars;
    }
    return s;
}

/* Returns the winner in quarter turns; -1 where none is clear. */
static int winner(const struct way_votes *votes)
{
    int best = 0;
    double second = 0;
    for (int i = 1; i < 4; i++)
        best = votes->read[i] > votes->read[best] ? i : best;
    for (int i = 0; i < 4; i++)
        second = i == best ? second : PL_MAX(second, votes->read[i]);
    return votes->read[best] >= VOTE_CHARS && votes->read[best] >= VOTE_LEAD * second ? best : -1;
}

/* Returns whether so much is read one way up that the others need not be read. */
static bool is_settled(const struct way_votes *votes, int way)
{
    return votes->read[way] >= ENOUGH_READ && votes->read[way] >= MOST_READ * votes->chars[way];
}

static platen_status vote_upside_down(const struct pl_reader *r, const struct pl_image *im,
                                      struct pl_line *lines, size_t n, struct way_votes *votes,
                                      int way, struct platen_error *err)
{
    pl_auto_image over = pl_image_ref(im);
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < n; i++) {
        if (!pl_line_turn_over(r->arena, &lines[i], im->width, im->height))
            return pl_fail_nomem(err, lines[i].n_gaps * sizeof(*lines[i].gaps), "a line");
        lines[i].quarters = 0;
        lines[i].n_words = 0;
    }
    for (int i = 0; i < 2 && !s; i++)
        s = pl_image_turn(r->env, &over, TURN_RIGHT, err);
    return s ? s : read_sample(r, &over, lines, n, votes, way, err);
}

/* Finds lines on the picture as the operation `lines` does where nothing is asked of it. */
static platen_status find_lines(const struct pl_reader *r, const struct pl_image *im,
                                struct pl_regions *ret, struct platen_error *err)
{
    const struct pl_page_image page = {.image = *im};
    struct pl_lines_args args;
    pl_args_init(&pl_detect_lines.info, &args);
    return pl_detect_lines.run(NULL, r->env, r->arena, &page, &args, ret, err);
}

/* Adds the votes for the picture, which was turned by `way` quarters, as it stands and upside down.
 * *ret_row tells whether it is one wide row, for which no other way is asked. */
static platen_status vote(const struct pl_reader *r, const struct pl_image *im,
                          struct way_votes *votes, int way, bool *ret_row, struct platen_error *err)
{
    struct pl_regions regions = {0};
    struct pl_line lines[VOTE_LINES];
    platen_status s = find_lines(r, im, &regions, err);
    if (s)
        return s;
    size_t n = longest_lines(&regions, lines);
    *ret_row = is_one_row(&regions, im) && is_wide(im);
    s = read_sample(r, im, lines, n, votes, way, err);
    return s || is_settled(votes, way) ? s : vote_upside_down(r, im, lines, n, votes, way + 2, err);
}

/* A picture that is higher than wide and is one line lies on its side: that way is asked first. */
static platen_status vote_all(const struct pl_reader *r, const struct pl_image *gray,
                              struct way_votes *votes, struct platen_error *err)
{
    bool tall = gray->height >= ROW_ASPECT * gray->width, row = false;
    platen_status s = PLATEN_OK;
    for (int i = 0; i < 2 && !s; i++) {
        int side = tall ? 1 - i : i;
        pl_auto_image im = pl_image_ref(gray);
        s = side ? pl_image_turn(r->env, &im, TURN_RIGHT, err) : PLATEN_OK;
        s = s ? s : vote(r, &im, votes, side, &row, err);
        if (row || is_settled(votes, side) || is_settled(votes, side + 2))
            break;
    }
    return s;
}

platen_status pl_way_up_vote(const struct pl_reader *r, struct pl_page_image *page,
                             struct platen_error *err)
{
    assert(r->op && r->args);
    struct way_votes votes = {{0}, {0}};
    struct pl_recognize_args every = *r->args;
    every.min_conf = 0; /* no line is too unsure to be counted */
    struct pl_reader voter = *r;
    voter.args = &every;
    pl_auto_image gray = {0};
    platen_status s = pl_page_image_gray(r->env, page, &gray, err);
    s = s ? s : vote_all(&voter, &gray, &votes, err);
    return s || winner(&votes) < 0 ? s : pl_page_set_upright(r->env, page, winner(&votes), err);
}

void pl_doubt_done(struct pl_doubt *doubt)
{
    pl_page_image_done(&doubt->page);
    *doubt = (struct pl_doubt){.steps = doubt->steps};
}

platen_status pl_doubt_note(const struct pl_reader *r, bool at_once, size_t steps,
                            struct pl_page_image *page, struct pl_doubt *ret,
                            struct platen_error *err)
{
    if (at_once)
        return pl_way_up_vote(r, page, err);
    pl_doubt_done(ret);
    ret->page = *page;
    ret->page.image = pl_image_ref(&page->image);
    ret->page.gray = pl_image_ref(&page->gray);
    ret->page.ink = (struct pl_ink){0};
    ret->steps = steps;
    return PLATEN_OK;
}

platen_status pl_doubt_settle(const struct pl_reader *r, const struct pl_regions *regions,
                              struct pl_doubt *doubt, struct pl_page_image *page, bool *ret_turned,
                              struct platen_error *err)
{
    assert(doubt->page.image.store);
    platen_status s = PLATEN_OK;
    const enum pl_upright judged = pl_way_up_judge(regions, &doubt->page.image);
    if (judged == PL_UPRIGHT_UNASKED)
        s = pl_way_up_vote(r, &doubt->page, err);
    else if (doubt->page.upright != PL_UPRIGHT_SURE)
        doubt->page.upright = judged;
    page->upright = doubt->page.upright;
    *ret_turned = !s && doubt->page.quarters != page->quarters;
    if (*ret_turned) {
        pl_page_image_done(page);
        *page = doubt->page;
        doubt->page = (struct pl_page_image){0};
    }
    pl_doubt_done(doubt);
    return s;
}
