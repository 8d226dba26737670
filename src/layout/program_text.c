/* SPDX-License-Identifier: BSD-2-Clause */
/* Program text: listings, settings, what stood in a terminal. Its letters have one pitch; what was
 * typed on a typewriter has that, too, but hardly any of the signs that programs are made of. All
 * text of the page with that pitch is looked at together, as a line alone tells little. */
#include <math.h>
#include <string.h>

#include "detect/ink/sort.h"
#include "layout/letters.h"
#include "layout/line_words.h"
#include "layout/steps.h"
#include "layout/layout_tuning.def"

/* What tells that text has one pitch: how wide words are, and how far they stand apart. */
struct pitch_measures {
    size_t n, fitting;
};

/* A block, or rows of one, that may be program text. */
struct pitched_block {
    struct pl_block *block;
    size_t of;          /* the block of the page that it is, or is a part of */
    size_t rows, signs; /* rows of text, and those with signs of programs */
    bool taken;         /* it is program text */
};

/* The blocks of a page. */
struct pitched_page {
    struct pitched_block *blocks;
    size_t n;
    double pitch_px; /* of the text of one pitch, if any; else 0 */
    double step_px;  /* usual distance of its rows */
    double small_px; /* usual height of its small letters */
    double *scratch; /* room for as many numbers as the page has words */
};

static double middle(struct pl_rect box)
{
    return 0.5 * (box.x0 + box.x1);
}

/* Returns how many pitches the middles of two words beside each other would stand apart. */
static double usual_apart(const struct pl_word *a, const struct pl_word *b, double pitch_px)
{
    const double halves = 0.5 * (double)(a->n_chars + b->n_chars);
    return halves + fmax(1, round((middle(b->box) - middle(a->box)) / pitch_px - halves));
}

/* Returns whether the middles of two words beside each other stand as far apart as their letters
 * and one blank or more. */
static bool are_on_pitch(const struct pl_word *a, const struct pl_word *b, double pitch_px)
{
    const double apart = (middle(b->box) - middle(a->box)) / pitch_px;
    return fabs(apart - usual_apart(a, b, pitch_px)) <= WORD_OFF_PITCH;
}

/* Returns whether a word is as wide as its letters, but for white beside the first and the last. */
static bool is_as_wide(const struct pl_word *w, double pitch_px)
{
    const double letters = pl_rect_width(w->box) / pitch_px + LETTER_WHITE;
    return fabs(letters - (double)w->n_chars) <= WIDTH_OFF_PITCH;
}

/* Returns whether a word has more letters than figures: these have one width in most type. */
static bool is_of_letters(const struct pl_word *w)
{
    int letters = 0;
    for (const char *s = w->text; *s; s++)
        letters += pl_is_letter(*s) - (*s >= '0' && *s <= '9');
    return letters > 0;
}

static void measure_line(const struct pl_line *l, double pitch_px, struct pitch_measures *m)
{
    for (size_t i = 0; i < l->n_words; i++) {
        if (l->words[i].n_chars > 1 && is_of_letters(&l->words[i])) {
            m->n++;
            m->fitting += is_as_wide(&l->words[i], pitch_px);
        }
        if (i + 1 < l->n_words && is_of_letters(&l->words[i + 1])) {
            m->n++;
            m->fitting += are_on_pitch(&l->words[i], &l->words[i + 1], pitch_px);
        }
    }
}

static struct pitch_measures measure_block(const struct pl_block *b, double pitch_px)
{
    struct pitch_measures m = {0};
    for (size_t i = 0; i < b->n_lines; i++)
        measure_line(&b->lines[i], pitch_px, &m);
    return m;
}

static bool do_fit(struct pitch_measures m)
{
    return (double)m.fitting >= PITCH_FITTING * (double)m.n;
}

/* Returns the width of a letter by that of the words of a block; 0 where these are too short. */
static double rough_pitch(const struct pl_block *b, double *scratch)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n_lines; i++)
        for (size_t w = 0; w < b->lines[i].n_words; w++) {
            const struct pl_word *word = &b->lines[i].words[w];
            if (word->n_chars >= PITCH_LETTERS)
                scratch[n++] = pl_rect_width(word->box) / ((double)word->n_chars - LETTER_WHITE);
        }
    return n ? pl_median(scratch, n) : 0;
}

/* Returns the pitch of a block by the distances of words that fit a rough one; 0 = it has none. */
static double pitch_of(const struct pl_block *b, double *scratch)
{
    const double rough = rough_pitch(b, scratch);
    double px = 0, letters = 0;
    for (size_t i = 0; rough > 0 && i < b->n_lines; i++)
        for (size_t w = 0; w + 1 < b->lines[i].n_words; w++) {
            const struct pl_word *a = &b->lines[i].words[w];
            if (!are_on_pitch(a, a + 1, rough))
                continue;
            px += middle(a[1].box) - middle(a->box);
            letters += usual_apart(a, a + 1, rough);
        }
    return letters > 0 ? px / letters : 0;
}

/* Returns whether a block may be a program: upright text that was read from left to right, and no
 * part of a register. */
static bool may_be_program(const struct pl_block *b)
{
    for (size_t i = 0; i < b->n_lines; i++)
        if (b->lines[i].quarters || b->lines[i].from_right || !b->lines[i].n_words)
            return false;
    return b->kind == PL_BLOCK_TEXT && b->n_lines && !b->of_register;
}

/* Returns the end of the row that begins with line i. */
static size_t row_end(const struct pl_block *b, size_t i)
{
    for (i++; i < b->n_lines && pl_same_row(&b->lines[i - 1], &b->lines[i]);)
        i++;
    return i;
}

/* Returns lines i to end - 1 of a block as one. */
static struct pl_block lines_of(const struct pl_block *b, size_t i, size_t end)
{
    struct pl_block part = {.kind = b->kind, .lines = b->lines + i, .n_lines = end - i};
    part.box = b->lines[i].box;
    for (i++; i < end; i++)
        part.box = pl_rect_union(part.box, b->lines[i].box);
    return part;
}

/* Sets the pitch to that of the block, if more of its words fit one than of *most. */
static void try_pitch(struct pitched_page *p, const struct pl_block *b, size_t *most)
{
    const double pitch = pitch_of(b, p->scratch);
    const struct pitch_measures m =
        pitch > 0 ? measure_block(b, pitch) : (struct pitch_measures){0};
    if (m.fitting > *most && do_fit(m)) {
        *most = m.fitting;
        p->pitch_px = pitch;
    }
}

/* Sets the pitch to that of the block of which most words fit one; where no block has enough, to
 * that of a few rows within one; else to 0. */
static void find_pitch(struct pitched_page *p)
{
    size_t most = PITCH_MEASURES - 1;
    for (size_t i = 0; i < p->n; i++)
        if (may_be_program(p->blocks[i].block))
            try_pitch(p, p->blocks[i].block, &most);
    for (size_t i = 0; p->pitch_px <= 0 && i < p->n; i++) {
        const struct pl_block *b = p->blocks[i].block;
        for (size_t k = 0; may_be_program(b) && k < b->n_lines; k = row_end(b, k)) {
            size_t end = k;
            for (int rows = 0; rows < PROGRAM_ROWS && end < b->n_lines; rows++)
                end = row_end(b, end);
            const struct pl_block window = lines_of(b, k, end);
            try_pitch(p, &window, &most);
        }
    }
}

/* Returns whether lines i to end - 1 fit the pitch; those with no word that tells do as `before`.
 */
static bool row_fits(const struct pl_block *b, size_t i, size_t end, double pitch_px, bool before)
{
    struct pitch_measures m = {0};
    for (; i < end; i++)
        measure_line(&b->lines[i], pitch_px, &m);
    return m.n ? do_fit(m) : before;
}

/* Returns the end of the rows from line i on that fit the pitch as the first of them does. */
static size_t find_rows_end(const struct pl_block *b, size_t i, double pitch_px, bool *ret_fits)
{
    size_t end = row_end(b, i);
    *ret_fits = row_fits(b, i, end, pitch_px, false);
    while (end < b->n_lines) {
        const size_t next = row_end(b, end);
        if (row_fits(b, end, next, pitch_px, *ret_fits) != *ret_fits)
            break;
        end = next;
    }
    return end;
}

/* Parts the rows of a block that fit the pitch, if they are enough to tell, from the others around
 * them. Returns false when memory is short. */
static bool part_block(struct pl_arena *arena, struct pitched_page *p, const struct pl_block *b,
                       size_t of)
{
    struct pl_block *parts = PL_NEW(arena, struct pl_block, b->n_lines);
    size_t n = 0, first = 0;
    if (!parts)
        return false;
    for (size_t i = 0, end; i < b->n_lines; i = end) {
        bool fits;
        end = find_rows_end(b, i, p->pitch_px, &fits);
        const struct pl_block rows = lines_of(b, i, end);
        if (!fits || measure_block(&rows, p->pitch_px).n < PITCHED_MEASURES)
            continue;
        if (i > first)
            parts[n++] = lines_of(b, first, i);
        parts[n++] = rows;
        first = end;
    }
    if (first < b->n_lines)
        parts[n++] = lines_of(b, first, b->n_lines);
    for (size_t i = 0; i < n; i++)
        p->blocks[p->n++] = (struct pitched_block){.block = &parts[i], .of = of};
    return true;
}

/* Parts the blocks that do not fit the pitch as a whole. Returns false when memory is short. */
static bool part_blocks(struct pl_arena *arena, struct pitched_page *p, const struct pl_regions *r)
{
    p->n = 0;
    for (size_t i = 0; i < r->n_blocks; i++) {
        struct pl_block *b = &r->blocks[i];
        if (!may_be_program(b) || do_fit(measure_block(b, p->pitch_px)))
            p->blocks[p->n++] = (struct pitched_block){.block = b, .of = i};
        else if (!part_block(arena, p, b, i))
            return false;
    }
    return true;
}

static bool is_letter_or_figure(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Returns whether s[i] is a sign of programs by what stands beside it: "f(x", "a[1", "a_b",
 * "$(X", and not "(s)". */
static bool is_sign_within(const char *s, size_t i)
{
    const bool behind = i && is_letter_or_figure(s[i - 1]), before = is_letter_or_figure(s[i + 1]);
    switch (s[i]) {
    case '_':
        return behind && before;
    case '[':
        return behind;
    case '(':
        return behind && before && s[i + 2] != ')';
    case '$':
        return s[i + 1] == '(' && pl_is_letter(s[i + 2]);
    default:
        return false;
    }
}

/* Returns whether the text begins with the mode of a file, as a list of files has it: "drwxr-xr-x".
 */
static bool begins_with_mode(const char *s)
{
    const size_t n = strspn(s, "-rwxdlst");
    size_t dashes = 0;
    for (size_t i = 0; i < n; i++)
        dashes += s[i] == '-';
    return n >= MODE_LETTERS && dashes >= 2 && s[n] == ' ';
}

static bool is_time(const char *s)
{
    static const char *const figures = "0123456789";
    return strspn(s, figures) == 2 && s[2] == ':' && strspn(s + 3, figures) == 2 && s[5] == ':' &&
           strspn(s + 6, figures) == 2;
}

/* Returns whether the text begins with a time to the second, or with a date in figures and one:
 * "2026-03-04 09:12:01". */
static bool begins_with_time(const char *s)
{
    s += *s == '[';
    const size_t date = strspn(s, "0123456789-/");
    return is_time(s) || (date >= 8 && s[date] && is_time(s + date + 1));
}

/* Returns whether a word is an option, "-x" or "-j4". */
static bool is_option(const char *s, size_t n)
{
    return n >= 2 && *s == '-' && pl_is_letter(s[1]) && 2 + strspn(s + 2, "0123456789") == n;
}

/* Returns whether a word is a path: "/var/lib", "./run", "~/docs". */
static bool is_path(const char *s, size_t n)
{
    if (n > 2 && (*s == '.' || *s == '~') && s[1] == '/')
        return pl_is_letter(s[2]);
    return n > 2 && *s == '/' && pl_is_letter(s[1]) && memchr(s + 1, '/', n - 1);
}

/* Returns whether a text has an option behind its first word, or a path. */
static bool has_option_or_path(const char *s)
{
    size_t n;
    for (const char *w = s; *w; w += n + (w[n] == ' ')) {
        n = strcspn(w, " ");
        if ((w > s && is_option(w, n)) || is_path(w, n))
            return true;
    }
    return false;
}

/* Returns whether a line has a sign that programs have and prose hardly has. */
static bool has_sign(const char *s)
{
    static const char *const marks[] = {"{",  "}",  "\\", "=",  "<",  ">",
                                        "()", "::", "&&", "||", "/*", "*/"};
    const size_t n = strlen(s);
    for (size_t i = 0; i < PL_ARRAY_LEN(marks); i++)
        if (strstr(s, marks[i]))
            return true;
    for (size_t i = 0; i < n; i++)
        if (is_sign_within(s, i))
            return true;
    return (n && s[n - 1] == ';') || begins_with_mode(s) || begins_with_time(s) ||
           has_option_or_path(s);
}

/* Returns whether a line begins with the prompt of a terminal: what stands below it is its answer.
 */
static bool has_prompt(const char *s)
{
    static const char *const prompts[] = {"$ ", ">>> ", "C:\\>"};
    for (size_t i = 0; i < PL_ARRAY_LEN(prompts); i++) {
        const size_t n = strlen(prompts[i]);
        if (!strncmp(s, prompts[i], n) && s[n] && !(s[n] >= '0' && s[n] <= '9'))
            return true;
    }
    return strstr(s, ":~$ ");
}

/* Returns whether a row from line i to line `end` is one of a program: it has a sign, is a comment,
 * or ends in a colon above a row that is indented behind it. */
static bool is_of_program(const struct pl_block *b, size_t i, size_t end, double pitch_px)
{
    const char *last = b->lines[end - 1].text;
    const bool indents = end < b->n_lines && b->lines[end].box.x0 > b->lines[i].box.x0 + pitch_px;
    if (!strncmp(b->lines[i].text, "# ", 2) || !strncmp(b->lines[i].text, "//", 2) ||
        (indents && *last && last[strlen(last) - 1] == ':'))
        return true;
    for (; i < end; i++)
        if (has_sign(b->lines[i].text))
            return true;
    return false;
}

/* Counts the rows of a block and those that are of a program. */
static void count_signs(struct pitched_block *p, double pitch_px)
{
    const struct pl_block *b = p->block;
    bool prompt = false;
    for (size_t i = 0, end; i < b->n_lines; i = end) {
        end = row_end(b, i);
        prompt |= has_prompt(b->lines[i].text);
        p->rows++;
        p->signs += prompt || is_of_program(b, i, end, pitch_px);
    }
}

/* Takes the blocks that have the pitch, if enough of their rows have signs; else none. */
static void take_pitched(struct pitched_page *p)
{
    size_t rows = 0, signs = 0;
    for (size_t i = 0; i < p->n; i++) {
        struct pitched_block *b = &p->blocks[i];
        const struct pitch_measures m = measure_block(b->block, p->pitch_px);
        b->taken = may_be_program(b->block) && m.n >= PITCHED_MEASURES && do_fit(m);
        if (!b->taken)
            continue;
        count_signs(b, p->pitch_px);
        rows += b->rows;
        signs += b->signs;
    }
    const bool enough = signs >= PROGRAM_ROWS && (double)signs >= PROGRAM_SIGNS * (double)rows;
    for (size_t i = 0; i < p->n; i++)
        p->blocks[i].taken = p->blocks[i].taken && enough;
}

/* Measures the usual step from row to row and size of what was taken. */
static void measure_rows(struct pitched_page *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 1; p->blocks[i].taken && k < p->blocks[i].block->n_lines; k++) {
            const struct pl_line *l = &p->blocks[i].block->lines[k];
            if (l->base_y > l[-1].base_y && !pl_same_row(l - 1, l))
                p->scratch[n++] = l->base_y - l[-1].base_y;
        }
    p->step_px = pl_median(p->scratch, n);
    n = 0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; p->blocks[i].taken && k < p->blocks[i].block->n_lines; k++)
            p->scratch[n++] = pl_line_small_px(&p->blocks[i].block->lines[k]);
    p->small_px = pl_median(p->scratch, n);
}

/* Returns whether block b stands close below a, or beside it. */
static bool is_close_below(const struct pitched_page *p, const struct pl_block *a,
                           const struct pl_block *b)
{
    const int apart = b->box.y0 - a->box.y1;
    return b->box.y1 > a->box.y0 && apart <= PROGRAM_APART * p->step_px &&
           b->box.x0 < a->box.x1 + p->step_px && b->box.x1 > a->box.x0 - p->step_px;
}

/* Returns whether a block that may have too few words to tell goes with one beside it that was
 * taken: it has the same pitch and size, and begins in a column of its letters. */
static bool goes_with(const struct pitched_page *p, const struct pl_block *b,
                      const struct pl_block *taken)
{
    const double columns = (b->box.x0 - taken->box.x0) / p->pitch_px;
    if (!do_fit(measure_block(b, p->pitch_px)) || fabs(columns - round(columns)) > BEGIN_OFF_PITCH)
        return false;
    for (size_t i = 0; i < b->n_lines; i++)
        if (fabs(pl_line_small_px(&b->lines[i]) - p->small_px) > PROGRAM_ALIKE * p->small_px &&
            pl_has_letters(b->lines[i].text))
            return false;
    return true;
}

/* Takes the blocks above and below those that were taken which go with them. */
static void take_close(struct pitched_page *p)
{
    for (size_t i = 1; i < p->n; i++) {
        struct pitched_block *a = &p->blocks[i - 1], *b = &p->blocks[i];
        if (a->taken && !b->taken && is_close_below(p, a->block, b->block))
            b->taken = may_be_program(b->block) && goes_with(p, b->block, a->block);
    }
    for (size_t i = p->n; i-- > 1;) {
        struct pitched_block *a = &p->blocks[i - 1], *b = &p->blocks[i];
        if (b->taken && !a->taken && is_close_below(p, a->block, b->block))
            a->taken = may_be_program(a->block) && goes_with(p, a->block, b->block);
    }
}

/* Sorts the lines of a block by rows, and within a row from left to right. */
static bool sort_lines(struct pl_arena *arena, struct pl_block *b)
{
    struct pl_line *old = PL_NEW(arena, struct pl_line, b->n_lines);
    uint32_t *index = PL_NEW(arena, uint32_t, b->n_lines);
    double *key = PL_NEW(arena, double, b->n_lines);
    if (!old || !index || !key)
        return false;
    memcpy(old, b->lines, b->n_lines * sizeof(*old));
    for (size_t i = 0; i < b->n_lines; i++) {
        index[i] = (uint32_t)i;
        key[i] = old[i].base_y;
    }
    pl_sort_by_key(index, b->n_lines, key);
    for (size_t i = 0, first = 0, row = 0; i < b->n_lines; i++) {
        if (!pl_same_row(&old[index[first]], &old[index[i]])) {
            first = i;
            row++;
        }
        key[index[i]] = (double)row * (b->box.x1 + 1) + old[index[i]].box.x0;
    }
    pl_sort_by_key(index, b->n_lines, key);
    for (size_t i = 0; i < b->n_lines; i++)
        b->lines[i] = old[index[i]];
    return true;
}

/* Makes one block of n that were taken, and tells where its characters stand. */
static bool join_taken(struct pl_arena *arena, const struct pitched_page *p,
                       const struct pitched_block *v, size_t n, struct pl_block *ret)
{
    struct pl_char_grid *grid = PL_NEW(arena, struct pl_char_grid, 1);
    *ret = (struct pl_block){.kind = PL_BLOCK_CODE, .box = v->block->box, .code = grid};
    for (size_t i = 0; i < n; i++)
        ret->n_lines += v[i].block->n_lines;
    ret->lines = PL_NEW(arena, struct pl_line, ret->n_lines);
    if (!grid || !ret->lines)
        return false;
    for (size_t i = 0, at = 0; i < n; at += v[i++].block->n_lines) {
        memcpy(ret->lines + at, v[i].block->lines, v[i].block->n_lines * sizeof(*ret->lines));
        ret->box = pl_rect_union(ret->box, v[i].block->box);
    }
    *grid = (struct pl_char_grid){p->pitch_px, p->step_px};
    return sort_lines(arena, ret);
}

/* Fills `p` with the blocks of a page. */
static bool list_blocks(struct pl_arena *arena, const struct pl_regions *r, struct pitched_page *p)
{
    size_t room = 0;
    for (size_t b = 0; b < r->n_blocks; b++)
        for (size_t i = 0; i < r->blocks[b].n_lines; i++)
            room += 1 + r->blocks[b].lines[i].n_words;
    *p = (struct pitched_page){.n = r->n_blocks,
                               .blocks = PL_NEW(arena, struct pitched_block, room + r->n_blocks),
                               .scratch = PL_NEW(arena, double, room)};
    for (size_t b = 0; p->blocks && b < r->n_blocks; b++)
        p->blocks[b] = (struct pitched_block){.block = &r->blocks[b], .of = b};
    return p->blocks && p->scratch;
}

/* Returns the end of the parts from i on that become one block: those that were taken and are close
 * to each other, or those of one block that were not. */
static size_t find_parts_end(const struct pitched_page *p, size_t i)
{
    const struct pitched_block *v = p->blocks;
    size_t end = i + 1;
    while (end < p->n && v[end].taken == v[i].taken &&
           (v[i].taken ? is_close_below(p, v[end - 1].block, v[end].block) : v[end].of == v[i].of))
        end++;
    return end;
}

/* Makes the blocks of the page of the parts. Returns false when memory is short. */
static bool join_parts(struct pl_arena *arena, const struct pitched_page *p, struct pl_regions *r)
{
    struct pl_block *blocks = PL_NEW(arena, struct pl_block, p->n);
    size_t n = 0;
    if (!blocks)
        return false;
    for (size_t i = 0, end; i < p->n; i = end) {
        const struct pitched_block *v = &p->blocks[i];
        end = find_parts_end(p, i);
        if (v->taken && !join_taken(arena, p, v, end - i, &blocks[n]))
            return false;
        if (!v->taken) {
            const struct pl_block *of = &r->blocks[v->of];
            const size_t first = (size_t)(v->block->lines - of->lines);
            size_t n_lines = 0;
            for (size_t k = i; k < end; k++)
                n_lines += p->blocks[k].block->n_lines;
            blocks[n] = n_lines == of->n_lines ? *of : lines_of(of, first, first + n_lines);
        }
        n++;
    }
    r->blocks = blocks;
    r->n_blocks = n;
    return true;
}

bool pl_program_text_tell(struct pl_arena *arena, struct pl_regions *regions)
{
    struct pitched_page p;
    if (!list_blocks(arena, regions, &p))
        return false;
    find_pitch(&p);
    if (p.pitch_px <= 0)
        return true;
    if (!part_blocks(arena, &p, regions))
        return false;
    take_pitched(&p);
    measure_rows(&p);
    take_close(&p);
    return join_parts(arena, &p, regions);
}
