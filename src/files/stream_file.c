/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/stream_file.h"

#include <assert.h>
#include <errno.h>
#include <sys/stat.h>

#include "base/map.h"
#include "host/host.h"

#define MAX_STREAM_BYTES ((size_t)1 << 46)
/* A durable stream is brought to the disk no more often than this. */
#define SYNC_SECONDS 1.0

bool pl_stream_file_grows(const char *path, bool late)
{
    struct stat st;
    return lstat(path, &st) || (!late && S_ISREG(st.st_mode));
}

static platen_status fail_unknown(const struct pl_stream_file *f, struct platen_error *err)
{
    return pl_fail(err, PLATEN_ERR_ARG,
                   "'%s' holds what no journal tells of; without --resume it is replaced", f->path);
}

/* Finds how many bytes of the target are whole pages, and goes on behind them. */
static platen_status go_on(struct pl_stream_file *f, struct platen_error *err)
{
    struct stat st;
    struct pl_map map = {0};
    enum pl_journal_match match;
    platen_status s = PLATEN_OK;
    if (!lstat(f->path, &st))
        s = pl_map_open(f->path, MAX_STREAM_BYTES, &map, err);
    if (s)
        return s;
    const bool known = f->journal->n;
    s = pl_journal_match(f->journal, map.data, map.size, &match, &f->at, &f->any, err);
    const bool empty = !map.size;
    pl_map_close(&map);
    if (s || (match == PL_JOURNAL_SILENT && (known || empty)))
        return s; /* the file is of an earlier run: the one before this had not begun its own yet */
    if (match == PL_JOURNAL_KEYLESS && !empty)
        return pl_fail(err, PLATEN_ERR_ARG,
                       "'%s' was written with another pipeline, model or options, or by another "
                       "version; without --resume it is replaced",
                       f->path);
    if (empty) {
        f->at = 0;
        f->any = false;
        return pl_journal_forget(f->journal, err);
    }
    if (match != PL_JOURNAL_TELLS)
        return fail_unknown(f, err);
    s = pl_appender_open(&f->file, f->path, err);
    f->named = !s;
    f->told = f->whole = f->at;
    return s ? s : pl_appender_cut(&f->file, f->at, err);
}

platen_status pl_stream_file_open(struct pl_stream_file *f, const char *path, struct pl_journal *j,
                                  const char *key, bool resume, struct platen_error *err)
{
    *f = (struct pl_stream_file){.path = path, .journal = j, .sum = PL_JOURNAL_SUM};
    platen_status s = pl_journal_open_stream(j, path, key, resume, err);
    if (!s && resume)
        s = go_on(f, err);
    if (!s && !f->named)
        s = pl_writer_open(&f->fresh, path, err);
    if (s && f->named)
        pl_appender_close(&f->file);
    return s;
}

static platen_status fail_full(const struct pl_stream_file *f, platen_status s,
                               struct platen_error *err)
{
    if (!f->named || (err->os_errno != ENOSPC && err->os_errno != EDQUOT))
        return s;
    return pl_fail(
        err, PLATEN_ERR_IO,
        "stopped: no room is left for '%s'; its pages are complete, and --resume goes on", f->path);
}

/* Adds bytes of a page. Nothing of a page that cannot be written as a whole stays in the file. */
platen_status pl_stream_file_add(struct pl_stream_file *f, const void *data, size_t n,
                                 struct platen_error *err)
{
    struct platen_error ignored; /* the next run cuts off what may be left */
    if (!f->named) {
        f->at += n;
        f->sum = pl_journal_sum(f->sum, data, n);
        return pl_writer_add(&f->fresh, data, n, err);
    }
    platen_status s = pl_appender_add(&f->file, data, n, err);
    f->at += n;
    f->sum = pl_journal_sum(f->sum, data, n);
    if (!s || pl_appender_cut(&f->file, f->whole, &ignored))
        return s;
    return fail_full(f, s, err);
}

/* Replaces what was there by the first page. */
static platen_status take_place(struct pl_stream_file *f, struct platen_error *err)
{
    f->fresh.durable = f->durable;
    platen_status s = pl_writer_commit(&f->fresh, err);
    s = s ? s : pl_appender_open(&f->file, f->path, err);
    if (s)
        return s;
    f->named = true;
    return pl_appender_cut(&f->file, f->at, err);
}

/* Writes the lines of all whole pages into the journal. Where that fails, the file is cut to the
 * pages that the journal has. */
static platen_status tell_pages(struct pl_stream_file *f, struct platen_error *err)
{
    struct platen_error ignored; /* the next run cuts off what may be left */
    platen_status s = f->durable && f->named ? pl_appender_sync(&f->file, err) : PLATEN_OK;
    s = s ? s : pl_journal_add_lines(f->journal, &f->lines, err);
    pl_str_reset(&f->lines);
    f->synced_s = pl_host_seconds();
    if (!s)
        f->told = f->whole;
    else if (f->named && !pl_appender_cut(&f->file, f->told, &ignored))
        s = fail_full(f, s, err);
    return s;
}

platen_status pl_stream_file_note(struct pl_stream_file *f, const struct pl_str *line,
                                  struct platen_error *err)
{
    platen_status s = f->at && !f->named ? take_place(f, err) : PLATEN_OK;
    if (s)
        return s;
    assert(f->told <= f->whole && f->whole <= f->at);
    pl_journal_place(line, f->at, f->sum, &f->lines);
    f->whole = f->at;
    f->sum = PL_JOURNAL_SUM;
    return f->durable && pl_host_seconds() - f->synced_s < SYNC_SECONDS ? PLATEN_OK
                                                                        : tell_pages(f, err);
}

platen_status pl_stream_file_close(struct pl_stream_file *f, bool complete,
                                   struct platen_error *err)
{
    platen_status s = f->lines.len || f->lines.failed ? tell_pages(f, err) : PLATEN_OK;
    f->fresh.durable = f->durable;
    if (f->named) {
        s = s ? s : pl_appender_sync(&f->file, err);
        pl_appender_close(&f->file);
    } else if (complete && !s)
        s = pl_writer_commit(&f->fresh, err);
    else
        pl_writer_abort(&f->fresh);
    pl_str_done(&f->lines);
    return s;
}
