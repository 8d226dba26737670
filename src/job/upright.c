#include "job/upright.h"

#include <string.h>

#include "detect/detect.h"
#include "codec/decode.h"
#include "preprocess/ops.h"

/* Lines of a page that are read, the longest. */
#define SAMPLE_LINES 6
/* A way up wins by so many characters at least, and so many times those of any other. */
#define MIN_READ 12
#define MIN_LEAD 2.0
/* Where so much of the sample counts, and so many characters, the page need not be read in other
 * ways: a line or two may run across the others. */
#define MOST_READ 0.75
#define ENOUGH_READ 60
/* The whole page needs no vote where lines of this part of its length are read surely, and so many
 * characters. Of pages that stood upright it was 0.40 and more, of turned ones 0.18 and less. */
#define LINES_READ 0.3
/* Nor a picture of one line of which MOST_READ is read surely, and so many characters: of 2383 that
 * stood on their head the surest was read with 14.4. */
#define ENOUGH_IN_ROW 20
/* Characters by which it is read otherwise before it is made level. */
#define SLIP 1
/* A picture of one line is at most so many times as high as the line, and so many times as wide as
 * high. */
#define ROW_HEIGHT 4
#define ROW_ASPECT 2
/* Ink in the boxes of such lines. Of 897 pictures it was 0.127 and more; where columns of a page on
 * its side were taken for letters as high as the page, 0.088 and less. */
#define ROW_INK 0.1
/* Words read with less confidence do not count. */
#define DOUBT 0.75
/* A quarter turn clockwise, as EXIF numbers it: one that makes a new picture. */
#define TURN_RIGHT 6

/* What is read each way up, in quarter turns clockwise: characters, by how surely. */
struct votes {
    double read[4], chars[4]; /* of `chars` characters */
};

struct voter {
    struct pl_recognizer *const *team;
    const struct pl_env *env;
    struct pl_arena *arena;
    const struct pl_recognize_op *op;
    const struct pl_arg *args; /* of op, to read every line */
};

/* How long a line is, in letters. */
static double letters_of(const struct pl_line *line)
{
    return pl_rect_width(line->box) / PL_MAX(line->glyph_px, 1.0);
}

/* The longest upright lines, at most SAMPLE_LINES; returns how many. */
static size_t sample(const struct pl_regions *r, struct pl_line *ret)
{
    size_t n = 0;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++) {
            const struct pl_line *line = &r->blocks[b].lines[i];
            size_t at = n;
            while (at > 0 && letters_of(&ret[at - 1]) < letters_of(line))
                at--;
            if (line->quarters || at == SAMPLE_LINES)
                continue;
            n = PL_MIN(n + 1, (size_t)SAMPLE_LINES);
            memmove(&ret[at + 1], &ret[at], (n - 1 - at) * sizeof(*ret));
            ret[at] = *line;
        }
    return n;
}

/* What a character of a word counts that is read so surely: letters upside down look like others,
 * but seldom all of a word. */
static double sureness(double conf)
{
    return PL_MAX(conf - DOUBT, 0) / (1 - DOUBT);
}

/* Characters of the line by how surely they were read. */
static double sure_chars(const struct pl_line *line)
{
    double sum = 0;
    for (size_t w = 0; w < line->n_words; w++)
        sum += sureness(line->words[w].conf) * (double)line->words[w].n_chars;
    return sum;
}

/* What several lines side by side have in common. */
struct row {
    int top, bottom, height;
    double ink, area; /* px */
    size_t n;         /* more than SAMPLE_LINES: they are no row */
};

static void add_to_row(struct row *row, const struct pl_line *lines, size_t n)
{
    for (size_t i = 0; i < n && row->n <= SAMPLE_LINES; i++) {
        row->top = PL_MAX(row->top, lines[i].box.y0);
        row->bottom = PL_MIN(row->bottom, lines[i].box.y1);
        row->height = PL_MAX(row->height, pl_rect_height(lines[i].box));
        row->ink += (double)lines[i].ink_px;
        row->area += (double)pl_rect_width(lines[i].box) * pl_rect_height(lines[i].box);
        row->n += lines[i].quarters ? SAMPLE_LINES + 1 : 1;
    }
}

/* The height of the upright lines if they stand in one row, and there are no others; else 0. */
static int row_height(const struct pl_regions *r)
{
    struct row row = {.bottom = r->height};
    for (size_t b = 0; b < r->n_blocks; b++)
        add_to_row(&row, r->blocks[b].lines, r->blocks[b].n_lines);
    add_to_row(&row, r->unread, r->n_unread);
    bool one = row.n <= SAMPLE_LINES && row.top < row.bottom && row.ink >= ROW_INK * row.area;
    return one ? row.height : 0;
}

/* Whether the lines in the picture are one row with little above and below it. */
static bool is_row(const struct pl_regions *r, const struct pl_image *im)
{
    return im->height <= ROW_HEIGHT * row_height(r);
}

/* Whether such a picture is so wide that it cannot lie on its side. */
static bool is_wide(const struct pl_image *im)
{
    return im->width >= ROW_ASPECT * im->height;
}

/* What the lines of a page hold in letters, the part of that which was read surely, and the
 * characters of that. */
struct reading {
    double all, sure, chars;
};

static struct reading sum_up(const struct pl_regions *regions)
{
    struct reading sum = {0};
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

/* The way up of a wide row. One that was read surely, all of it, yet is too short to win, is not
 * asked: the other way has no more to read. */
static enum pl_upright judge_row(struct reading sum)
{
    if (sum.sure < MOST_READ * sum.all)
        return PL_UPRIGHT_UNASKED;
    return sum.chars >= ENOUGH_IN_ROW    ? PL_UPRIGHT_SURE
           : sum.chars < MIN_READ - SLIP ? PL_UPRIGHT_DOUBTFUL
                                         : PL_UPRIGHT_UNASKED;
}

/* Hardly any letter is so narrow that two of them take the place of one: a row that is too short to
 * win any way is not asked. */
enum pl_upright pl_upright_judge(const struct pl_regions *regions, const struct pl_image *asked)
{
    struct reading sum = sum_up(regions);
    if (is_row(regions, asked) && 2 * sum.all < MIN_READ)
        return PL_UPRIGHT_DOUBTFUL;
    if (is_row(regions, asked) && is_wide(asked))
        return judge_row(sum);
    return sum.chars >= ENOUGH_READ && sum.sure >= LINES_READ * sum.all ? PL_UPRIGHT_SURE
                                                                        : PL_UPRIGHT_UNASKED;
}

/* Reads the lines on the picture and sums up how surely. */
static platen_status read_lines(const struct voter *v, const struct pl_image *gray,
                                struct pl_line *lines, size_t n, struct votes *votes, int way,
                                struct platen_error *err)
{
    struct pl_block block = {.lines = lines, .n_lines = n};
    struct pl_regions regions = {
        .width = gray->width, .height = gray->height, .blocks = &block, .n_blocks = 1};
    platen_status s =
        pl_recognize_page(v->op, v->team, v->env, v->arena, gray, &regions, v->args, err);
    for (size_t i = 0; i < n && !s; i++) {
        votes->read[way] += sure_chars(&lines[i]);
        for (size_t w = 0; w < lines[i].n_words; w++)
            votes->chars[way] += (double)lines[i].words[w].n_chars;
    }
    return s;
}

/* The winner in quarter turns; -1 where none is clear. */
static int winner(const struct votes *votes)
{
    int best = 0;
    double second = 0;
    for (int i = 1; i < 4; i++)
        best = votes->read[i] > votes->read[best] ? i : best;
    for (int i = 0; i < 4; i++)
        second = i == best ? second : PL_MAX(second, votes->read[i]);
    return votes->read[best] >= MIN_READ && votes->read[best] >= MIN_LEAD * second ? best : -1;
}

/* Whether so much is read one way up that the others need not be asked. */
static bool is_settled(const struct votes *votes, int way)
{
    return votes->read[way] >= ENOUGH_READ && votes->read[way] >= MOST_READ * votes->chars[way];
}

static platen_status vote_upside_down(const struct voter *v, const struct pl_image *im,
                                      struct pl_line *lines, size_t n, struct votes *votes, int way,
                                      struct platen_error *err)
{
    pl_auto_image over = pl_image_ref(im);
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < n; i++) {
        if (!pl_line_turn_over(v->arena, &lines[i], im->width, im->height))
            return pl_fail_nomem(err, lines[i].n_gaps * sizeof(*lines[i].gaps), "a line");
        lines[i].quarters = 0;
        lines[i].n_words = 0;
    }
    for (int i = 0; i < 2 && !s; i++)
        s = pl_image_turn(v->env, &over, TURN_RIGHT, err);
    return s ? s : read_lines(v, &over, lines, n, votes, way, err);
}

/* The votes for the picture, which was turned by `way` quarters: as it stands, and upside down. */
static platen_status vote(const struct voter *v, const struct pl_image *im, struct votes *votes,
                          int way, bool *ret_row, struct platen_error *err)
{
    static const struct pl_arg args[] = {{.number = 4}, {.number = 0}};
    struct pl_page_image page = {.image = *im};
    struct pl_regions regions = {0};
    struct pl_line lines[SAMPLE_LINES];
    const struct pl_detect_op *detect = pl_detect_find("lines", 5);
    platen_status s = detect->run(NULL, v->env, v->arena, &page, args, &regions, err);
    if (s)
        return s;
    size_t n = sample(&regions, lines);
    *ret_row = is_row(&regions, im) && is_wide(im);
    s = read_lines(v, im, lines, n, votes, way, err);
    return s || is_settled(votes, way) ? s : vote_upside_down(v, im, lines, n, votes, way + 2, err);
}

/* A picture higher than wide that is one line lies on its side. */
static platen_status vote_all(const struct voter *v, const struct pl_image *gray,
                              struct votes *votes, struct platen_error *err)
{
    bool tall = gray->height >= ROW_ASPECT * gray->width, row = false;
    platen_status s = PLATEN_OK;
    for (int i = 0; i < 2 && !s; i++) {
        int side = tall ? 1 - i : i;
        pl_auto_image im = pl_image_ref(gray);
        s = side ? pl_image_turn(v->env, &im, TURN_RIGHT, err) : PLATEN_OK;
        s = s ? s : vote(v, &im, votes, side, &row, err);
        if (row || is_settled(votes, side) || is_settled(votes, side + 2))
            break;
    }
    return s;
}

platen_status pl_upright_vote(struct pl_recognizer *const *team, const struct pl_env *env,
                              struct pl_arena *arena, const struct pl_recognize_op *op,
                              const struct pl_arg *args, struct pl_page_image *page,
                              struct platen_error *err)
{
    struct votes votes = {{0}, {0}};
    struct pl_arg *all = PL_NEW(arena, struct pl_arg, op->info.n_params);
    if (!all)
        return pl_fail_nomem(err, sizeof(*all), "a vote");
    for (size_t i = 0; i < op->info.n_params; i++)
        all[i] = strcmp(op->info.params[i].name, "min-conf") ? args[i] : (struct pl_arg){0};
    struct voter v = {team, env, arena, op, all};
    pl_auto_image gray = {0};
    platen_status s = pl_page_image_gray(env, page, &gray, err);
    s = s ? s : vote_all(&v, &gray, &votes, err);
    return s || winner(&votes) < 0 ? s : pl_page_set_upright(env, page, winner(&votes), err);
}
