/* SPDX-License-Identifier: BSD-2-Clause */
/* The journal of an output directory: which pages were begun, and which are complete, of what and
 * made how. It lets a run go on where another one ended, however that one ended. */
#ifndef PL_FILES_JOURNAL_H
#define PL_FILES_JOURNAL_H

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "files/inputs.h"

/* What a page was made of, as far as a journal can tell whether it changed. */
struct pl_input_state {
    bool known; /* a regular file */
    uint64_t size, mtime_ns;
};

struct pl_journal_entry;

struct pl_journal {
    struct pl_appender file;
    struct pl_arena arena;
    struct pl_journal_entry *entries; /* of earlier runs, by stem; the last line of each counts */
    size_t n, cap;
    const char *key; /* names what is asked of every page; borrowed */
    struct pl_str path, line;
    size_t bytes; /* of whole lines in the file */
    bool open;    /* the file is ours */
    bool stream;  /* the outputs are one file, of which every page has a place */
    bool untidy;  /* its lines may be in another order than those of a whole run */
};

/* What earlier runs tell of a page. */
struct pl_journal_page {
    bool told;             /* a stream holds what came of it, perhaps that it failed */
    bool done;             /* it was completed with the same key from the same input */
    bool unsure;           /* it was, but nothing tells whether the input is the same still */
    uint64_t output_bytes; /* of a page that is done */
    unsigned begun; /* how often it was begun, and the run ended without a word of it, since it last
                       ended otherwise; 0 when key or input changed */
};

/* Takes the journal of the directory `dir`, or of its shard index/count, for this process. With
 * `resume` it reads what is there, for a shard also the journal of the whole directory, which a
 * merge leaves, and fails with PLATEN_ERR_ARG when another process holds it; else it starts anew,
 * and a journal that is held elsewhere is left alone: then j->open is false, and nothing is kept.
 * `key` is what outputs depend on beside their input. */
PL_MUST_USE platen_status pl_journal_open(struct pl_journal *j, const char *dir, size_t index,
                                          size_t count, const char *key, bool resume,
                                          struct platen_error *err);
/* The same for the journal of one output file to which pages are added: ".NAME.platen-journal"
 * beside it. While another process holds it, this fails in every case. */
PL_MUST_USE platen_status pl_journal_open_stream(struct pl_journal *j, const char *path,
                                                 const char *key, bool resume,
                                                 struct platen_error *err);
/* Forgets all and starts anew. */
PL_MUST_USE platen_status pl_journal_forget(struct pl_journal *j, struct platen_error *err);

/* How far the journal of a stream tells what is in the file. */
enum pl_journal_match {
    PL_JOURNAL_SILENT,  /* it knows of no page there */
    PL_JOURNAL_OTHER,   /* of other pages than those that are there */
    PL_JOURNAL_KEYLESS, /* of pages of which something else was asked */
    PL_JOURNAL_TELLS    /* of the first *ret_bytes */
};

/* Compares it with the file, data[0..n), and forgets lines of pages that are not whole there. */
PL_MUST_USE platen_status pl_journal_match(struct pl_journal *j, const uint8_t *data, size_t n,
                                           enum pl_journal_match *ret, uint64_t *ret_bytes,
                                           bool *ret_any, struct platen_error *err);

/* The sum of bytes of a page in a stream, continued from `sum`. */
#define PL_JOURNAL_SUM ((uint64_t)0xcbf29ce484222325u)
uint64_t pl_journal_sum(uint64_t sum, const void *data, size_t n);

/* Reads the whole lines of data[0..n), one JSON object each, and sorts them; a line that is not
 * ours is passed over. *ret_bytes is where the last one ends. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_journal_parse(struct pl_journal *j, const char *data, size_t n,
                                           size_t *ret_bytes, struct platen_error *err);
void pl_journal_close(struct pl_journal *j);

/* Returns what the file of an input, or the archive that it is in, is now: nothing known of what is
 * no regular file or cannot be looked at. */
struct pl_input_state pl_input_state_of(const struct pl_input *in);

/* After a failure of power the outputs of a page that is done may be shorter than it says. */
struct pl_journal_page pl_journal_find(const struct pl_journal *j, const struct pl_input *in,
                                       const struct pl_input_state *state);

/* Notes that a page is begun, once more than in->begun times. As with the two below, the journal
 * is as before where that fails. */
PL_MUST_USE platen_status pl_journal_begin(struct pl_journal *j, const struct pl_input *in,
                                           const struct pl_input_state *state,
                                           struct platen_error *err);
/* Notes that a page was begun and left, by a run that was asked to end. */
PL_MUST_USE platen_status pl_journal_leave(struct pl_journal *j, const struct pl_input *in,
                                           const struct pl_input_state *state,
                                           struct platen_error *err);
/* The end of a page of a stream, as a line that lacks its place there. */
void pl_journal_line(const struct pl_journal *j, const struct pl_input *in,
                     const struct pl_input_state *state, const char *reason, struct pl_str *ret);
/* Adds the line to `ret` with the place of its page: the stream has `end` bytes with the page,
 * those of the page have that sum. */
void pl_journal_place(const struct pl_str *line, uint64_t end, uint64_t sum, struct pl_str *ret);
/* Writes whole lines; of those that could not be written as a whole nothing stays. */
PL_MUST_USE platen_status pl_journal_add_lines(struct pl_journal *j, const struct pl_str *lines,
                                               struct platen_error *err);
/* Adds the end of a page: complete, or (`reason`) failed. */
PL_MUST_USE platen_status pl_journal_add(struct pl_journal *j, const struct pl_input *in,
                                         const struct pl_input_state *state, uint64_t output_bytes,
                                         const char *reason, struct platen_error *err);

#endif
