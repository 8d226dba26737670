/* SPDX-License-Identifier: BSD-2-Clause */
#include "recognize/align.h"

#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "recognize/grow.h"

#define NEVER -1e30f

/* The part of a text, and of the steps, that is aligned. */
struct align_window {
    const uint32_t *text;
    size_t n;
    size_t first, end; /* steps */
};

void pl_align_free(struct pl_align *a)
{
    pl_free(a->moves);
    pl_free(a->row);
    pl_free(a->fresh);
}

/* Returns the class of state i of the alignment: there is a blank before, between and behind the
 * characters. */
static uint32_t class_of(const struct align_window *w, size_t i)
{
    return i % 2 ? w->text[i / 2] : 0;
}

/* Moves one step: row[i] becomes the score of the best path in state i, move[i] how many states it
 * came up. */
static void advance(const struct align_window *w, const struct pl_ctc_line *line, size_t step,
                    float *row, uint8_t *move)
{
    for (size_t i = 2 * w->n + 1; i-- > 0;) {
        uint32_t x = class_of(w, i);
        float best = row[i];
        move[i] = 0;
        if (i >= 1 && row[i - 1] > best) {
            best = row[i - 1];
            move[i] = 1;
        }
        if (i >= 2 && x && x != class_of(w, i - 2) && row[i - 2] > best) {
            best = row[i - 2];
            move[i] = 2;
        }
        row[i] = best <= NEVER ? NEVER : best + pl_ctc_log_ratio(line, step, x);
    }
}

/* Returns how likely a character of the text is at a step. Where the network has another class for
 * likelier, whoever chose the text had reasons to believe in this one more than in that: it has at
 * least half of what both have. */
static float likelihood(const struct pl_ctc_line *line, size_t step, float own)
{
    return own < line->share[step] ? (own + line->share[step]) / 2 : own;
}

/* Makes the runs of the window's text along the likeliest path. Returns false where the text
 * does not fit into the steps. */
static bool trace(struct pl_align *a, const struct pl_ctc_line *line, const struct align_window *w)
{
    size_t states = 2 * w->n + 1, i = states - 1;
    float *row = a->row;
    for (size_t j = 0; j < states; j++)
        row[j] = NEVER;
    row[0] = 0; /* before the first step, as if in the blank there */
    for (size_t t = w->first; t < w->end; t++)
        advance(w, line, t, row, a->moves + (t - w->first) * states);
    if (w->n && row[i - 1] > row[i])
        i--;
    if (row[i] <= NEVER)
        return false;
    memset(a->fresh, 0, w->n * sizeof(*a->fresh));
    float highest = 0; /* of a character by the network */
    for (size_t t = w->end; t-- > w->first;) {
        if (i % 2) {
            struct pl_ctc_run *r = &a->fresh[i / 2];
            r->class_id = w->text[i / 2];
            r->first = (uint32_t)t;
            highest = r->end ? highest : 0;
            r->end = r->end ? r->end : (uint32_t)t + 1;
            const float own = line->share[t] * pl_expf(pl_ctc_log_ratio(line, t, r->class_id));
            if (own > highest) {
                highest = own;
                r->conf = likelihood(line, t, own);
            }
        }
        i -= a->moves[(t - w->first) * states + i];
    }
    return true;
}

/* Aligns the window and leaves its runs in a->fresh. */
static platen_status align(struct pl_align *a, const struct pl_ctc_line *line,
                           const struct align_window *w, bool *ret_fits, struct platen_error *err)
{
    size_t states = 2 * w->n + 1, cells;
    if (!pl_mul(states, w->end - w->first, &cells) || !PL_GROW(a->moves, a->moves_cap, cells) ||
        !PL_GROW(a->row, a->row_cap, states) || !PL_GROW(a->fresh, a->fresh_cap, w->n))
        return pl_fail_nomem(err, states, "an alignment");
    *ret_fits = trace(a, line, w);
    return PLATEN_OK;
}

platen_status pl_align_text(struct pl_align *a, const struct pl_ctc_line *line,
                            const uint32_t *text, size_t length, struct pl_ctc_run *runs, size_t *n,
                            struct platen_error *err)
{
    size_t m = *n, head = 0, tail = 0, least = PL_MIN(length, m);
    while (head < least && text[head] == runs[head].class_id)
        head++;
    while (tail < least - head && text[length - 1 - tail] == runs[m - 1 - tail].class_id)
        tail++;
    if (head == length && head == m)
        return PLATEN_OK;
    head -= head > 0;
    tail -= tail > 0;
    for (int whole = 0; whole < 2; whole++) {
        struct align_window w = {text + head, length - head - tail, head ? runs[head - 1].end : 0,
                                 tail ? runs[m - tail].first : line->steps};
        bool fits;
        platen_status s = align(a, line, &w, &fits, err);
        if (s)
            return s;
        if (fits) {
            memmove(runs + head + w.n, runs + m - tail, tail * sizeof(*runs));
            memcpy(runs + head, a->fresh, w.n * sizeof(*runs));
            *n = length;
            return PLATEN_OK;
        }
        head = tail = 0;
    }
    return PLATEN_OK; /* not reached: some path spells the text */
}
