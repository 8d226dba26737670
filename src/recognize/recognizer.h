/* SPDX-License-Identifier: BSD-2-Clause */
/* One worker that reads lines, and the lines of one call of an operation, of one page or several.
 */
#ifndef PL_RECOGNIZE_RECOGNIZER_H
#define PL_RECOGNIZE_RECOGNIZER_H

#include <pthread.h>

#include "recognize/ctc.h"
#include "recognize/recognize.h"
#include "recognize/strip.h"

/* What the network said of a piece of a line, in the arena. */
struct pl_trace {
    struct pl_trace *next; /* to the right */
    struct pl_strip_cut cut;
    struct pl_ctc_line ctc;
};

/* Pieces from left to right; both NULL where there is nothing to read. */
struct pl_traces {
    struct pl_trace *first, *last;
};

/* A line that is to be read, and the page that it is of. */
struct pl_page_line {
    struct pl_line *line;
    struct pl_reading *page;
    bool is_probe;   /* it is read before the other lines of its page */
    bool asks_quick; /* the quick network reads it first */
    bool mirrored;   /* it is read as a mirror shows it */
    /* By pl_recognizer_look(): */
    size_t n_sure;                  /* pieces of which the quick network is sure */
    struct pl_traces whole;         /* of the line, gapless */
    struct pl_traces small;         /* words of it in small type (small_type.h) */
    const struct pl_traits *traits; /* of the best path; NULL where no language is told */
    float sureness;                 /* mean posterior of the characters of the best path */
    /* By pl_language_settle(): */
    const struct pl_language *language; /* to be read with, or NULL */
};

struct pl_lines {
    struct pl_arena *arena;
    const struct pl_decoder *decoder; /* of the network that reads them */
    float min_conf;
    struct pl_page_line *v; /* those of a page follow each other */
    size_t n;
    pthread_mutex_t lock; /* of the arena and the failures */
};

/* Notes that line i failed: of a page the first one counts. */
void pl_lines_fail(struct pl_lines *l, size_t i, platen_status s, const struct platen_error *err);

/* Runs the network on those of lines from..to-1 that are probes, or on those that are not, as many
 * in a call of it as it takes. What fails is noted, and the others are looked at. */
void pl_recognizer_look(struct pl_recognizer *r, struct pl_lines *l, size_t from, size_t to,
                        bool probes);
/* Makes text of what the network said of lines from..to-1. */
void pl_recognizer_spell(struct pl_recognizer *r, struct pl_lines *l, size_t from, size_t to);

/* The recognizer of the same worker, and of it alone, for further model i, which is `m`; it is made
 * at the first call. */
PL_MUST_USE platen_status pl_recognizer_further(struct pl_recognizer *r, size_t i,
                                                const struct pl_reading_model *m,
                                                struct pl_recognizer **ret,
                                                struct platen_error *err);
/* Returns the rows of the strips. */
int pl_recognizer_height(const struct pl_recognizer *r);
/* Returns how many columns of lines one call of its network takes. */
int pl_recognizer_columns(const struct pl_recognizer *r);

#endif
