/* SPDX-License-Identifier: BSD-2-Clause */
/* The pages that a worker has in hand: those with few lines wait for others, so that the lines of
 * several share calls of the network. */
#ifndef PL_JOB_BATCH_H
#define PL_JOB_BATCH_H

#include "job/page.h"

/* Memory of the pages of one batch by their headers: a larger page is read alone. */
#define PL_BATCH_BYTES ((uint64_t)4 << 20)

struct pl_batch_rules {
    size_t preferred; /* lines that are not kept waiting for more */
    int wait_ms;      /* how long lines wait when the next page has not come yet */
    double target_ms; /* wanted from the coming of a page to its end; 0 = as long as it takes, for
                         the most pages a second */
};

/* Gets a page that is done; it is there for as long as the call lasts. */
typedef void pl_batch_done_fn(void *ctx, struct pl_page_worker *w, struct pl_page *page);

struct pl_batch {
    struct pl_page_worker *w;
    const struct pl_batch_rules *rules;
    struct pl_page *pages; /* PL_BATCH_PAGES of them */
    size_t n;
    struct pl_reading_size size; /* of all of them */
    uint64_t bytes;
    size_t enough;  /* lines that are not kept waiting */
    double since_s; /* when the first page was taken */
    pl_batch_done_fn *done;
    void *ctx; /* of done */
};

/* Makes room for the pages of a worker. Worker and rules are borrowed. PLATEN_ERR_NOMEM; then the
 * batch is fit for pl_batch_free(). */
PL_MUST_USE platen_status pl_batch_init(struct pl_batch *b, struct pl_page_worker *w,
                                        const struct pl_batch_rules *rules,
                                        struct platen_error *err);
/* Gives the memory back; a zeroed batch has none. */
void pl_batch_free(struct pl_batch *b);
/* From now on pages that are done go to `done`, in the order in which they were taken. */
void pl_batch_deliver_to(struct pl_batch *b, pl_batch_done_fn *done, void *ctx);

/* Returns how long the next page may be waited for from now on, in ms; -1 = for ever, since no page
 * is kept waiting. 0 once a page in hand is canceled: who asked for it waits for its end. */
int pl_batch_patience(const struct pl_batch *b);
/* Takes a page, of which plan, in, input, index, cancel and ctx are given. The page is done at once
 * unless its lines wait for those of the next pages. */
void pl_batch_take(struct pl_batch *b, const struct pl_page *given);
/* Brings all pages that wait to their end. */
void pl_batch_finish(struct pl_batch *b);

/* Returns whether the pages need not wait: more lines would not make a call of the network any
 * better, or there are none. */
bool pl_batch_is_ready(const struct pl_batch *b);
/* Returns whether a page of so many bytes has room beside those that wait. */
bool pl_batch_has_room(const struct pl_batch *b, uint64_t bytes);
/* Returns how many lines are enough from now on, after a batch was done within `took_ms` of the
 * coming of its first page: half as many when that was too long; one more, up to `preferred`, when
 * it was not and the batch was `full`. */
size_t pl_batch_adapt(size_t enough, size_t preferred, double target_ms, double took_ms, bool full);

#endif
