/* The journal of an output directory: which pages are complete, of what and made how. It lets a run
 * go on where another one ended, however that one ended. */
#ifndef PL_PIPELINE_JOURNAL_H
#define PL_PIPELINE_JOURNAL_H

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "pipeline/inputs.h"

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
    bool open, found; /* the file is ours; it was there before */
};

/* Takes the journal of the directory `dir`, or of its shard index/count, for this process. With
 * `resume` it reads what is there, and fails with PLATEN_ERR_ARG when another process holds it;
 * else it starts anew, and a journal that is held elsewhere is left alone: then j->open is false,
 * and nothing is kept. `key` is what outputs depend on beside their input. */
PL_MUST_USE platen_status pl_journal_open(struct pl_journal *j, const char *dir, size_t index,
                                          size_t count, const char *key, bool resume,
                                          struct platen_error *err);
/* Reads the whole lines of data[0..n), one JSON object each, and sorts them; a line that is not
 * ours is passed over. *ret_bytes is where the last one ends. PLATEN_ERR_NOMEM. */
PL_MUST_USE platen_status pl_journal_parse(struct pl_journal *j, const char *data, size_t n,
                                           size_t *ret_bytes, struct platen_error *err);
void pl_journal_close(struct pl_journal *j);
/* Closes the journal of a run that left nothing to do, and removes it unless it was there before.
 */
void pl_journal_finish(struct pl_journal *j, bool keep);

struct pl_input_state pl_input_state_of(const struct pl_input *in);

/* Whether the page was completed by an earlier run with the same key from the same input, and how
 * many bytes its outputs had. After a failure of power the files may be shorter than that. */
bool pl_journal_has(const struct pl_journal *j, const struct pl_input *in,
                    const struct pl_input_state *state, uint64_t *ret_output_bytes);

/* Adds the end of a page: complete, or (`reason`) failed. */
PL_MUST_USE platen_status pl_journal_add(struct pl_journal *j, const struct pl_input *in,
                                         const struct pl_input_state *state, uint64_t output_bytes,
                                         const char *reason, struct platen_error *err);

#endif
