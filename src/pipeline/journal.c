#include "pipeline/journal.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

/* A line is one JSON object. Numbers are strings: JSON's own lose the last digits of a time. */
#define NAME ".platen-journal"
#define MAX_BYTES ((size_t)16 << 30)

struct pl_journal_entry {
    const char *stem, *key;
    uint64_t size, mtime_ns, output_bytes;
    bool done;
    size_t order;
};

struct pl_input_state pl_input_state_of(const struct pl_input *in)
{
    struct stat st;
    if (in->data || !strcmp(in->path, "-") || stat(in->path, &st) || !S_ISREG(st.st_mode))
        return (struct pl_input_state){0};
    return (struct pl_input_state){.known = true,
                                   .size = (uint64_t)st.st_size,
                                   .mtime_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u +
                                               (uint64_t)st.st_mtim.tv_nsec};
}

static const char *text_of(const cJSON *line, const char *name)
{
    const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, name));
    return s ? s : "";
}

static platen_status push(struct pl_journal *j, const cJSON *line, struct platen_error *err)
{
    if (j->n == j->cap) {
        size_t cap = PL_MAX(j->cap * 2, (size_t)256);
        struct pl_journal_entry *more = pl_realloc(j->entries, cap, sizeof(*more));
        if (!more)
            return pl_fail_nomem(err, cap * sizeof(*more), "the journal");
        j->entries = more;
        j->cap = cap;
    }
    const char *stem = text_of(line, "output"), *key = text_of(line, "key");
    struct pl_journal_entry e = {
        .stem = pl_arena_strndup(&j->arena, stem, strlen(stem)),
        .key = pl_arena_strndup(&j->arena, key, strlen(key)),
        .size = strtoull(text_of(line, "size"), NULL, 10),
        .mtime_ns = strtoull(text_of(line, "mtime_ns"), NULL, 10),
        .output_bytes = strtoull(text_of(line, "output_bytes"), NULL, 10),
        .done = !strcmp(text_of(line, "status"), "ok"),
        .order = j->n,
    };
    if (!e.stem || !e.key)
        return pl_fail_nomem(err, strlen(stem), "the journal");
    j->entries[j->n++] = e;
    return PLATEN_OK;
}

static int compare(const void *a, const void *b)
{
    const struct pl_journal_entry *x = a, *y = b;
    int c = strcmp(x->stem, y->stem);
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
            s = push(j, line, err);
        cJSON_Delete(line);
    }
    *ret_bytes = (size_t)(p - data);
    if (j->n)
        qsort(j->entries, j->n, sizeof(*j->entries), compare);
    return s;
}

static platen_status read_lines(struct pl_journal *j, size_t *ret_bytes, struct platen_error *err)
{
    struct pl_map map;
    platen_status s = pl_map_open(j->path.s, MAX_BYTES, &map, err);
    if (s)
        return pl_fail_prefix(err, s, "journal '%s': ", j->path.s);
    s = map.size ? pl_journal_parse(j, (const char *)map.data, map.size, ret_bytes, err) : s;
    pl_map_close(&map);
    return s;
}

static platen_status name_journal(struct pl_journal *j, const char *dir, size_t index, size_t count,
                                  struct platen_error *err)
{
    const size_t n = strlen(dir);
    pl_str_printf(&j->path, "%s%s" NAME, dir, n && dir[n - 1] == '/' ? "" : "/");
    if (count > 1)
        pl_str_printf(&j->path, "-%zu-of-%zu", index, count);
    if (j->path.failed)
        return pl_fail_nomem(err, n, "the name of the journal");
    return pl_file_make_parents(j->path.s, err);
}

platen_status pl_journal_open(struct pl_journal *j, const char *dir, size_t index, size_t count,
                              const char *key, bool resume, struct platen_error *err)
{
    struct stat st;
    size_t keep = 0;
    *j = (struct pl_journal){.key = key};
    pl_arena_init(&j->arena);
    platen_status s = name_journal(j, dir, index, count, err);
    if (s)
        return s;
    j->found = !stat(j->path.s, &st);
    s = pl_appender_open(&j->file, j->path.s, err);
    if (s && err->os_errno == EWOULDBLOCK)
        return resume ? pl_fail(err, PLATEN_ERR_ARG, "another run writes to '%s'", dir) : PLATEN_OK;
    if (s)
        return s;
    j->open = true;
    if (resume)
        s = read_lines(j, &keep, err);
    if (!s)
        s = pl_appender_cut(&j->file, keep, err);
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

void pl_journal_finish(struct pl_journal *j, bool keep)
{
    if (j->open && !j->found && !keep)
        pl_appender_remove(&j->file);
    pl_journal_close(j);
}

bool pl_journal_has(const struct pl_journal *j, const struct pl_input *in,
                    const struct pl_input_state *state, uint64_t *ret_output_bytes)
{
    size_t lo = 0, hi = j->n;
    while (lo < hi) { /* the first entry behind this stem */
        size_t mid = lo + (hi - lo) / 2;
        if (strcmp(j->entries[mid].stem, in->stem) > 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    if (!lo || !state->known)
        return false;
    const struct pl_journal_entry *e = &j->entries[lo - 1];
    *ret_output_bytes = e->output_bytes;
    return !strcmp(e->stem, in->stem) && !strcmp(e->key, j->key) && e->done &&
           e->size == state->size && e->mtime_ns == state->mtime_ns;
}

static void put(struct pl_str *out, const char *name, const char *value)
{
    pl_str_printf(out, "%s\"%s\":", out->len ? "," : "{", name);
    pl_str_json(out, value, strlen(value));
}

static void put_number(struct pl_str *out, const char *name, uint64_t value)
{
    pl_str_printf(out, ",\"%s\":\"%llu\"", name, (unsigned long long)value);
}

platen_status pl_journal_add(struct pl_journal *j, const struct pl_input *in,
                             const struct pl_input_state *state, uint64_t output_bytes,
                             const char *reason, struct platen_error *err)
{
    if (!j->open)
        return PLATEN_OK;
    pl_str_reset(&j->line);
    put(&j->line, "output", in->stem);
    put(&j->line, "input", in->label);
    put_number(&j->line, "size", state->size);
    put_number(&j->line, "mtime_ns", state->mtime_ns);
    put_number(&j->line, "output_bytes", output_bytes);
    put(&j->line, "key", j->key);
    put(&j->line, "status", reason ? "failed" : "ok");
    if (reason)
        put(&j->line, "error", reason);
    pl_str_puts(&j->line, "}\n");
    if (j->line.failed)
        return pl_fail_nomem(err, j->line.len, "a line of the journal");
    return pl_appender_add(&j->file, j->line.s, j->line.len, err);
}
