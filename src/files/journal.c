/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/journal.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/dir.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/system.h"

/* Each line of a journal is one JSON object. Numbers are written as strings, since readers of JSON
 * keep them as doubles, which would lose the last digits of a time. */
#define NAME ".platen-journal"
#define MAX_BYTES ((size_t)16 << 30)

struct pl_journal_entry {
    char *stem; /* as bytes, without the escapes of the journal */
    const char *key;
    uint64_t size, mtime_ns, output_bytes;
    uint64_t number, start, end, sum; /* of a stream: the page is its bytes start..end */
    unsigned begun;
    bool done, placed;
    size_t order, line_end;
};

struct pl_input_state pl_input_state_of(const struct pl_input *in)
{
    struct stat st;
    const char *path = in->archive ? in->archive->path : in->path;
    if ((in->data && !in->archive) || !strcmp(path, "-") || stat(path, &st) || !S_ISREG(st.st_mode))
        return (struct pl_input_state){0};
    const struct timespec written = pl_system_written(&st);
    return (struct pl_input_state){.known = true,
                                   .size = (uint64_t)st.st_size,
                                   .mtime_ns = (uint64_t)written.tv_sec * 1000000000u +
                                               (uint64_t)written.tv_nsec};
}

static const char *text_of(const cJSON *line, const char *name)
{
    const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, name));
    return s ? s : "";
}

static uint64_t number_of(const cJSON *line, const char *name)
{
    return strtoull(text_of(line, name), NULL, 10);
}

/* Adds the entry of a line that ends at byte `line_end` of the journal. */
static platen_status push(struct pl_journal *j, const cJSON *line, size_t line_end,
                          struct platen_error *err)
{
    if (j->n == j->cap) {
        size_t cap = PL_MAX(j->cap * 2, (size_t)256);
        struct pl_journal_entry *more = pl_realloc(j->entries, cap, sizeof(*more));
        if (!more)
            return pl_fail_nomem(err, cap * sizeof(*more), "the journal");
        j->entries = more;
        j->cap = cap;
    }
    const char *stem = text_of(line, j->stream ? "input" : "output"), *key = text_of(line, "key");
    struct pl_journal_entry e = {
        .stem = pl_arena_strndup(&j->arena, stem, strlen(stem)),
        .key = pl_arena_strndup(&j->arena, key, strlen(key)),
        .size = number_of(line, "size"),
        .mtime_ns = number_of(line, "mtime_ns"),
        .output_bytes = number_of(line, "output_bytes"),
        .number = number_of(line, "number"),
        .end = number_of(line, "end"),
        .sum = number_of(line, "sum"),
        .placed = *text_of(line, "end"),
        .line_end = line_end,
        .begun = (unsigned)PL_MIN(number_of(line, "begun"), (uint64_t)1000),
        .done = !strcmp(text_of(line, "status"), "ok"),
        .order = j->n,
    };
    if (!e.stem || !e.key)
        return pl_fail_nomem(err, strlen(stem), "the journal");
    pl_name_restore(e.stem);
    j->entries[j->n++] = e;
    return PLATEN_OK;
}

static int compare_names(const void *a, const void *b)
{
    const struct pl_journal_entry *x = a, *y = b;
    int c = strcmp(x->stem, y->stem);
    c = c ? c : (x->number > y->number) - (x->number < y->number);
    return c ? c : (x->order > y->order) - (x->order < y->order);
}

platen_status pl_journal_parse(struct pl_journal *j, const char *data, size_t n, size_t *ret_bytes,
                               struct platen_error *err)
{
    const char *p = data, *end = data + n, *stop;
    platen_status s = PLATEN_OK;
    for (; !s && p < end && (stop = memchr(p, '\n', (size_t)(end - p))); p = stop + 1) {
        cJSON *line = cJSON_ParseWithLength(p, (size_t)(stop - p));
        if (cJSON_IsObject(line))
            s = push(j, line, (size_t)(stop + 1 - data), err);
        cJSON_Delete(line);
    }
    *ret_bytes = (size_t)(p - data);
    if (j->n)
        qsort(j->entries, j->n, sizeof(*j->entries), compare_names);
    for (size_t i = 0; i < j->n; i++)
        j->untidy = j->untidy || j->entries[i].order != i ||
                    (i && !strcmp(j->entries[i].stem, j->entries[i - 1].stem));
    return s;
}

static platen_status read_lines(struct pl_journal *j, const char *path, size_t *ret_bytes,
                                struct platen_error *err)
{
    struct pl_map map;
    platen_status s = pl_map_open(path, MAX_BYTES, &map, err);
    if (s)
        return pl_fail_prefix(err, s, "journal '%s': ", path);
    s = map.size ? pl_journal_parse(j, (const char *)map.data, map.size, ret_bytes, err) : s;
    pl_map_close(&map);
    return s;
}

/* Reads the journal that a merge left, if there is one. The lines of this share's own journal are
 * read after it, and win. */
static platen_status read_merged(struct pl_journal *j, const char *dir, struct platen_error *err)
{
    struct stat st;
    struct pl_str path = {0};
    size_t bytes;
    platen_status s = PLATEN_OK;
    pl_str_printf(&path, "%s/" NAME, dir);
    if (path.failed)
        s = pl_fail_nomem(err, strlen(dir), "the name of the journal");
    else if (!stat(path.s, &st))
        s = read_lines(j, path.s, &bytes, err);
    pl_str_done(&path);
    return s;
}

/* Appends the name of the journal beside a stream. A long name is replaced by its hash. */
static void name_beside(struct pl_str *out, const char *path)
{
    const char *slash = strrchr(path, '/'), *leaf = slash ? slash + 1 : path;
    pl_str_add(out, path, (size_t)(leaf - path));
    if (strlen(leaf) + sizeof("." NAME) <= NAME_MAX)
        pl_str_printf(out, ".%s" NAME, leaf);
    else
        pl_str_printf(out, ".%016llx" NAME,
                      (unsigned long long)pl_journal_sum(PL_JOURNAL_SUM, leaf, strlen(leaf)));
}

/* Opens the journal j->path, and reads it where the run resumes. */
static platen_status open_journal(struct pl_journal *j, const char *dir, bool resume,
                                  struct platen_error *err)
{
    if (j->path.failed)
        return pl_fail_nomem(err, strlen(dir), "the name of the journal");
    platen_status s = pl_dir_make_parents(j->path.s, err);
    if (s)
        return s;
    s = pl_appender_open(&j->file, j->path.s, err);
    if (s && err->os_errno == EWOULDBLOCK)
        return resume || j->stream ? pl_fail(err, PLATEN_ERR_ARG, "another run writes to '%s'", dir)
                                   : PLATEN_OK;
    if (s)
        return s;
    j->open = true;
    if (resume)
        s = read_lines(j, j->path.s, &j->bytes, err);
    return s ? s : pl_appender_cut(&j->file, j->bytes, err);
}

platen_status pl_journal_open(struct pl_journal *j, const char *dir, size_t index, size_t count,
                              const char *key, bool resume, struct platen_error *err)
{
    const size_t n = strlen(dir);
    platen_status s = PLATEN_OK;
    *j = (struct pl_journal){.key = key};
    pl_arena_init(&j->arena);
    pl_str_printf(&j->path, "%s%s" NAME, dir, n && dir[n - 1] == '/' ? "" : "/");
    if (count > 1)
        pl_str_printf(&j->path, "-%zu-of-%zu", index, count);
    if (resume && count > 1)
        s = read_merged(j, dir, err);
    return s ? s : open_journal(j, dir, resume, err);
}

platen_status pl_journal_open_stream(struct pl_journal *j, const char *path, const char *key,
                                     bool resume, struct platen_error *err)
{
    *j = (struct pl_journal){.key = key, .stream = true};
    pl_arena_init(&j->arena);
    name_beside(&j->path, path);
    return open_journal(j, path, resume, err);
}

platen_status pl_journal_forget(struct pl_journal *j, struct platen_error *err)
{
    j->n = j->bytes = 0;
    return pl_appender_cut(&j->file, 0, err);
}

/* FNV-1a (Fowler, Noll, Vo) */
uint64_t pl_journal_sum(uint64_t sum, const void *data, size_t n)
{
    const uint8_t *p = data;
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ p[i]) * 0x100000001b3u;
    return sum;
}

static int compare_order(const void *a, const void *b)
{
    const struct pl_journal_entry *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

static bool is_whole(const struct pl_journal_entry *e, const uint8_t *data, size_t n)
{
    return e->end <= n &&
           pl_journal_sum(PL_JOURNAL_SUM, data + e->start, e->end - e->start) == e->sum;
}

/* Returns how many lines count: up to the last page whose bytes are in the file, and behind it
 * those of pages that added no bytes; 0 = there is no such page. The entries are in the order of
 * the file. */
static size_t count_whole(struct pl_journal *j, const uint8_t *data, size_t n, size_t *ret_pages)
{
    uint64_t at = 0;
    size_t i;
    *ret_pages = 0;
    for (i = 0; i < j->n; i++) {
        struct pl_journal_entry *e = &j->entries[i];
        e->start = PL_MIN(at, e->end);
        at = e->placed ? e->end : at;
        *ret_pages += e->placed && e->end > e->start;
    }
    for (; i; i--) {
        const struct pl_journal_entry *e = &j->entries[i - 1];
        if (e->placed && e->end > e->start && is_whole(e, data, n))
            break;
    }
    while (i && i < j->n && (!j->entries[i].placed || j->entries[i].end == j->entries[i].start))
        i++;
    return i;
}

platen_status pl_journal_match(struct pl_journal *j, const uint8_t *data, size_t n,
                               enum pl_journal_match *ret, uint64_t *ret_bytes, bool *ret_any,
                               struct platen_error *err)
{
    size_t pages, kept;
    platen_status s = PLATEN_OK;
    *ret_bytes = 0;
    *ret_any = false;
    if (j->n)
        qsort(j->entries, j->n, sizeof(*j->entries), compare_order);
    kept = count_whole(j, data, n, &pages);
    *ret = !pages ? PL_JOURNAL_SILENT : kept ? PL_JOURNAL_TELLS : PL_JOURNAL_OTHER;
    for (size_t i = 0; i < kept; i++) {
        const struct pl_journal_entry *e = &j->entries[i];
        *ret_bytes = e->placed ? e->end : *ret_bytes;
        *ret_any = *ret_any || (e->placed && e->done);
        if (e->placed && strcmp(e->key, j->key))
            *ret = PL_JOURNAL_KEYLESS;
    }
    if (*ret == PL_JOURNAL_TELLS && kept < j->n) {
        j->bytes = j->entries[kept - 1].line_end;
        j->n = kept;
        s = pl_appender_cut(&j->file, j->bytes, err);
    }
    if (j->n)
        qsort(j->entries, j->n, sizeof(*j->entries), compare_names);
    return s;
}

void pl_journal_close(struct pl_journal *j)
{
    if (j->open)
        pl_appender_close(&j->file);
    j->open = false;
    pl_arena_done(&j->arena);
    pl_free(j->entries);
    j->entries = NULL;
    pl_str_done(&j->path);
    pl_str_done(&j->line);
}

/* Returns the last line of the page or, where there is none, the last one of what comes before it
 * in the order of stems and numbers; NULL = nothing does. */
static const struct pl_journal_entry *find_last(const struct pl_journal *j, const char *stem,
                                                uint64_t number)
{
    size_t lo = 0, hi = j->n;
    while (lo < hi) { /* binary search for the first entry behind this page */
        size_t mid = lo + (hi - lo) / 2;
        int c = strcmp(j->entries[mid].stem, stem);
        if (c > 0 || (!c && j->entries[mid].number > number))
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo ? &j->entries[lo - 1] : NULL;
}

/* Finds the line of an input in the journal of a stream. Where inputs came or went since, the name
 * has another number; it is the same page unless there were several of that name. */
static const struct pl_journal_entry *entry_of_input(const struct pl_journal *j,
                                                     const struct pl_input *in)
{
    const char *stem = j->stream ? in->label : in->stem;
    const struct pl_journal_entry *e = find_last(j, stem, in->number), *before;
    if (e && !strcmp(e->stem, stem) && e->number == in->number)
        return e;
    e = find_last(j, stem, UINT64_MAX);
    if (!j->stream || !e || strcmp(e->stem, stem) || !e->number)
        return NULL;
    before = find_last(j, stem, e->number - 1);
    return before && !strcmp(before->stem, stem) ? NULL : e;
}

struct pl_journal_page pl_journal_find(const struct pl_journal *j, const struct pl_input *in,
                                       const struct pl_input_state *state)
{
    const struct pl_journal_entry *e = entry_of_input(j, in);
    if (!e || strcmp(e->key, j->key) || e->size != state->size || e->mtime_ns != state->mtime_ns)
        return (struct pl_journal_page){0};
    return (struct pl_journal_page){.told = e->placed && !e->done,
                                    .done = e->done && state->known,
                                    .unsure = e->done && !state->known,
                                    .output_bytes = e->output_bytes,
                                    .begun = e->begun};
}

static void put(struct pl_str *out, const char *name, const char *value)
{
    pl_str_printf(out, "%s\"%s\":", out->len ? "," : "{", name);
    pl_str_json(out, value, strlen(value));
}

static void put_name(struct pl_str *out, const char *name, const char *value)
{
    pl_str_printf(out, "%s\"%s\":", out->len ? "," : "{", name);
    pl_str_json_name(out, value, strlen(value));
}

static void put_number(struct pl_str *out, const char *name, uint64_t value)
{
    pl_str_printf(out, ",\"%s\":\"%llu\"", name, (unsigned long long)value);
}

/* Begins a line with the members that every line has. */
static void put_page(const struct pl_journal *j, const struct pl_input *in,
                     const struct pl_input_state *state, struct pl_str *out)
{
    pl_str_reset(out);
    if (!j->stream)
        put_name(out, "output", in->stem);
    put_name(out, "input", in->label);
    if (j->stream)
        put_number(out, "number", in->number);
    put_number(out, "size", state->size);
    put_number(out, "mtime_ns", state->mtime_ns);
}

static void put_end(const struct pl_journal *j, const struct pl_input *in, const char *reason,
                    struct pl_str *out)
{
    put(out, "key", j->key);
    put(out, "status", reason ? "failed" : "ok");
    if (reason)
        put(out, "error", reason);
    if (reason && in->given_up)
        put_number(out, "begun", in->begun);
}

platen_status pl_journal_add_lines(struct pl_journal *j, const struct pl_str *lines,
                                   struct platen_error *err)
{
    assert(j->open);
    struct platen_error ignored; /* the next run cuts off what may have been written */
    if (lines->failed)
        return pl_fail_nomem(err, lines->len, "a line of the journal");
    platen_status s = pl_appender_add(&j->file, lines->s, lines->len, err);
    if (s && pl_appender_cut(&j->file, j->bytes, &ignored))
        return s;
    j->bytes += s ? 0 : lines->len;
    j->untidy = true;
    return s;
}

static platen_status add_line(struct pl_journal *j, struct platen_error *err)
{
    pl_str_puts(&j->line, "}\n");
    return pl_journal_add_lines(j, &j->line, err);
}

static platen_status add_open(struct pl_journal *j, const struct pl_input *in,
                              const struct pl_input_state *state, const char *status,
                              unsigned begun, struct platen_error *err)
{
    if (!j->open)
        return PLATEN_OK;
    put_page(j, in, state, &j->line);
    put(&j->line, "key", j->key);
    put(&j->line, "status", status);
    put_number(&j->line, "begun", begun);
    return add_line(j, err);
}

platen_status pl_journal_begin(struct pl_journal *j, const struct pl_input *in,
                               const struct pl_input_state *state, struct platen_error *err)
{
    return add_open(j, in, state, "begun", in->begun + 1, err);
}

platen_status pl_journal_leave(struct pl_journal *j, const struct pl_input *in,
                               const struct pl_input_state *state, struct platen_error *err)
{
    return add_open(j, in, state, "left", in->begun, err);
}

void pl_journal_line(const struct pl_journal *j, const struct pl_input *in,
                     const struct pl_input_state *state, const char *reason, struct pl_str *ret)
{
    put_page(j, in, state, ret);
    put_end(j, in, reason, ret);
}

void pl_journal_place(const struct pl_str *line, uint64_t end, uint64_t sum, struct pl_str *ret)
{
    ret->failed = ret->failed || line->failed;
    pl_str_add(ret, line->s, line->len);
    put_number(ret, "end", end);
    put_number(ret, "sum", sum);
    pl_str_puts(ret, "}\n");
}

platen_status pl_journal_add(struct pl_journal *j, const struct pl_input *in,
                             const struct pl_input_state *state, uint64_t output_bytes,
                             const char *reason, struct platen_error *err)
{
    if (!j->open)
        return PLATEN_OK;
    put_page(j, in, state, &j->line);
    put_number(&j->line, "output_bytes", output_bytes);
    put_end(j, in, reason, &j->line);
    return add_line(j, err);
}
