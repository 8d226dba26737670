/* SPDX-License-Identifier: BSD-2-Clause */
/* Joins what the shards of a run left: ndjson files, or the journals of a directory. */
#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/sized.h"
#include "base/text.h"
#include "files/merge_shards.h"

#define MAX_FILE_BYTES ((size_t)1 << 46)

void pl_merge_init(struct pl_merge *m)
{
    *m = (struct pl_merge){0};
    pl_arena_init(&m->arena);
}

void pl_merge_done(struct pl_merge *m)
{
    pl_arena_done(&m->arena);
    pl_free(m->v);
    *m = (struct pl_merge){0};
}

static platen_status push(struct pl_merge *m, const char *name, size_t n, struct pl_record record,
                          struct platen_error *err)
{
    if (m->n == m->cap) {
        size_t cap = PL_MAX(m->cap * 2, (size_t)256);
        struct pl_record *v = pl_realloc(m->v, cap, sizeof(*v));
        if (!v)
            return pl_fail_nomem(err, cap * sizeof(*v), "records");
        m->v = v;
        m->cap = cap;
    }
    char *path = pl_arena_strndup(&m->arena, name, n);
    if (!path)
        return pl_fail_nomem(err, n, "a name");
    pl_name_restore(path);
    record.path = path;
    m->v[m->n++] = record;
    return PLATEN_OK;
}

/* Parts a label of a journal: of "multi.tif#2" returns the bytes before the mark, and page 2 in
 * *ret_page; of a label without a page its whole length, and page 1. */
static size_t split_label(const char *label, size_t *ret_page)
{
    const char *mark = strrchr(label, '#');
    bool paged = mark && mark[1] && strspn(mark + 1, "0123456789") == strlen(mark + 1);
    *ret_page = paged ? strtoull(mark + 1, NULL, 10) : 1;
    return paged ? (size_t)(mark - label) : strlen(label);
}

/* A line of a journal names its "input"; one of ndjson or a manifest has "path" and "page". */
static platen_status add_line(struct pl_merge *m, const cJSON *line, struct pl_record record,
                              struct platen_error *err)
{
    const char *status = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "status"));
    const char *path = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "path"));
    const char *input = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "input"));
    const cJSON *page = cJSON_GetObjectItemCaseSensitive(line, "page");
    const cJSON *part = cJSON_GetObjectItemCaseSensitive(line, "part");
    record.ok = status && !strcmp(status, "ok");
    record.open = input && status && (!strcmp(status, "begun") || !strcmp(status, "left"));
    record.rank = record.ok;
    if (input) {
        size_t n = split_label(input, &record.page);
        return push(m, input, n, record, err);
    }
    if (!path || !cJSON_IsNumber(page) || page->valuedouble < 1 || page->valuedouble > 1e9) {
        m->malformed++;
        return PLATEN_OK;
    }
    record.page = (size_t)page->valuedouble;
    record.part = cJSON_IsNumber(part) && part->valuedouble >= 1 && part->valuedouble <= 2
                      ? (size_t)part->valuedouble
                      : 0;
    return push(m, path, strlen(path), record, err);
}

platen_status pl_merge_read(struct pl_merge *m, size_t file, const char *data, size_t n,
                            struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    for (size_t at = 0; !s && at < n;) {
        const char *stop = memchr(data + at, '\n', n - at);
        size_t bytes = stop ? (size_t)(stop - data) - at : n - at;
        cJSON *line = stop ? cJSON_ParseWithLength(data + at, bytes) : NULL;
        struct pl_record record = {.file = file, .at = at, .bytes = bytes, .order = m->n};
        if (cJSON_IsObject(line))
            s = add_line(m, line, record, err);
        else
            m->malformed++;
        cJSON_Delete(line);
        at += bytes + 1;
    }
    return s;
}

/* Compares like strcmp(), but with '/' before every other character, which is the order in which a
 * directory tree is walked. */
static int compare_paths(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    int x = *a == '/' ? 1 : *a ? (unsigned char)*a + 1 : 0;
    int y = *b == '/' ? 1 : *b ? (unsigned char)*b + 1 : 0;
    return x - y;
}

static int compare_pages(const struct pl_record *x, const struct pl_record *y)
{
    int c = compare_paths(x->path, y->path);
    return c ? c : (x->page > y->page) - (x->page < y->page);
}

/* Orders records by page. Of several records of one page the one that is kept comes last. */
static int compare_records(const void *a, const void *b)
{
    const struct pl_record *x = a, *y = b;
    int c = compare_pages(x, y);
    c = c ? c : (x->part > y->part) - (x->part < y->part);
    c = c ? c : x->rank - y->rank;
    return c ? c : (x->order > y->order) - (x->order < y->order);
}

/* Returns whether the next record is of the same page, and so replaces this one. */
static bool replaces(const struct pl_record *next, const struct pl_record *r)
{
    return !compare_pages(r, next) && (r->part == next->part || (!r->part && !r->ok));
}

void pl_merge_settle(struct pl_merge *m)
{
    size_t n = 0;
    if (m->n)
        qsort(m->v, m->n, sizeof(*m->v), compare_records);
    for (size_t i = 0; i < m->n; i++)
        if (i + 1 == m->n || !replaces(&m->v[i + 1], &m->v[i]))
            m->v[n++] = m->v[i];
    m->repeated = m->n - n;
    m->n = n;
}

/* ---- files ---- */

/* The inputs of one call. */
struct inputs {
    const char *const *names;
    struct pl_map *maps;
    size_t n;
};

static platen_status read_file(struct pl_merge *m, const char *name, size_t number,
                               struct pl_map *map, struct platen_error *err)
{
    platen_status s = pl_map_open(name, MAX_FILE_BYTES, map, err);
    if (!s && map->size)
        s = pl_merge_read(m, number, (const char *)map->data, map->size, err);
    return s ? pl_fail_prefix(err, s, "'%s': ", name) : s;
}

static platen_status read_files(struct pl_merge *m, struct inputs *in, struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; !s && i < in->n; i++)
        s = read_file(m, in->names[i], i, &in->maps[i], err);
    if (!s)
        pl_merge_settle(m);
    return s;
}

static void tell(const struct platen_merge_options *o, const struct pl_record *r, const char *what)
{
    struct pl_str text = {0};
    pl_str_printf(&text, "%s: '", what);
    pl_str_name(&text, r->path, strlen(r->path), PL_NAME_SHOWN);
    pl_str_putc(&text, '\'');
    if (r->page > 1)
        pl_str_printf(&text, ", page %zu", r->page);
    if (o->problem && !text.failed)
        o->problem(o->ctx, text.s);
    pl_str_done(&text);
}

/* Tells the pages of the manifest that no shard has. */
static platen_status find_missing(const struct pl_merge *m, const struct platen_merge_options *o,
                                  struct platen_merge_summary *sum, struct platen_error *err)
{
    struct pl_merge all;
    struct pl_map map = {0};
    if (!o->manifest)
        return PLATEN_OK;
    pl_merge_init(&all);
    platen_status s = read_file(&all, o->manifest, 0, &map, err);
    if (!s)
        pl_merge_settle(&all);
    for (size_t i = 0, k = 0; !s && i < all.n; i++) {
        while (k < m->n && compare_pages(&m->v[k], &all.v[i]) < 0)
            k++;
        if (k < m->n && !compare_pages(&m->v[k], &all.v[i]))
            continue;
        sum->missing++;
        tell(o, &all.v[i], "missing");
    }
    sum->malformed += all.malformed;
    pl_map_close(&map);
    pl_merge_done(&all);
    return s;
}

static platen_status write_records(const struct pl_merge *m, const struct inputs *in,
                                   struct pl_writer *w, const struct platen_merge_options *o,
                                   struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; !s && i < m->n; i++) {
        const struct pl_record *r = &m->v[i];
        const uint8_t *line = in->maps[r->file].data + r->at;
        s = w ? pl_writer_add(w, line, r->bytes + 1, err)
              : o->write(o->ctx, line, r->bytes + 1, err);
    }
    for (size_t i = 0; !s && i < in->n; i++)
        s = pl_map_check(&in->maps[i], in->names[i], true, err);
    return s;
}

static platen_status write_output(const struct pl_merge *m, const struct inputs *in,
                                  const char *path, const struct platen_merge_options *o,
                                  struct platen_error *err)
{
    struct pl_writer w;
    if (!path)
        return write_records(m, in, NULL, o, err);
    platen_status s = pl_writer_open(&w, path, err);
    if (s)
        return s;
    w.durable = !o; /* a journal is on the disk before it replaces the old one */
    s = write_records(m, in, &w, o, err);
    if (!s)
        return pl_writer_commit(&w, err);
    pl_writer_abort(&w);
    return s;
}

static void count_record(const struct pl_record *r, const struct platen_merge_options *o,
                         struct platen_merge_summary *sum)
{
    sum->done += r->ok;
    sum->begun += r->open;
    sum->failed += !r->ok && !r->open;
    if (!r->ok)
        tell(o, r, r->open ? "begun and never done" : "failed");
}

/* Reads all inputs, counts the pages, tells those that failed or are missing, and writes the result
 * to `path` (NULL = to o->write). */
static platen_status join_shards(struct inputs *in, const char *path,
                                 const struct platen_merge_options *o,
                                 struct platen_merge_summary *sum, struct platen_error *err)
{
    struct pl_merge m;
    pl_merge_init(&m);
    in->maps = pl_alloc_zero(in->n, sizeof(*in->maps));
    platen_status s =
        in->maps ? read_files(&m, in, err) : pl_fail_nomem(err, in->n * sizeof(*in->maps), "files");
    for (size_t i = 0; !s && i < m.n; i++)
        count_record(&m.v[i], o, sum);
    sum->repeated = m.repeated;
    sum->malformed = m.malformed;
    if (!s)
        s = find_missing(&m, o, sum, err);
    if (!s)
        s = write_output(&m, in, path, o, err);
    for (size_t i = 0; in->maps && i < in->n; i++)
        pl_map_close(&in->maps[i]);
    pl_free(in->maps);
    pl_merge_done(&m);
    return s;
}

/* ---- journals ---- */

#define JOURNAL ".platen-journal"

struct journals {
    const char **names;
    struct pl_appender *held; /* locks of the journals, so that no shard writes meanwhile */
    size_t n, cap;
    struct pl_arena arena;
};

static platen_status hold_journal(struct journals *j, const char *dir, const char *name,
                                  struct platen_error *err)
{
    if (j->n == j->cap) {
        size_t cap = PL_MAX(j->cap * 2, (size_t)64);
        const char **names = pl_realloc(j->names, cap, sizeof(*names));
        j->names = names ? names : j->names;
        struct pl_appender *held = pl_realloc(j->held, cap, sizeof(*held));
        j->held = held ? held : j->held;
        if (!names || !held)
            return pl_fail_nomem(err, cap * sizeof(*held), "journals");
        j->cap = cap;
    }
    struct pl_str path = {0};
    pl_str_printf(&path, "%s/%s", dir, name);
    const char *kept = path.failed ? NULL : pl_arena_strndup(&j->arena, path.s, path.len);
    pl_str_done(&path);
    if (!kept)
        return pl_fail_nomem(err, strlen(name), "a journal's name");
    platen_status s = pl_appender_open(&j->held[j->n], kept, err);
    if (s && err->os_errno == EWOULDBLOCK)
        return pl_fail(err, PLATEN_ERR_ARG, "a run still writes to '%s'", kept);
    if (!s)
        j->names[j->n++] = kept;
    return s;
}

/* Puts the journal of the whole directory first, for it is older than those of the shards, and of
 * two lines of a page the one that is read last counts. */
static void put_whole_first(struct journals *j, const char *whole)
{
    size_t i = 0;
    while (i < j->n && strcmp(j->names[i], whole))
        i++;
    if (i == j->n)
        return;
    const char *name = j->names[0];
    struct pl_appender held = j->held[0];
    j->names[0] = j->names[i];
    j->held[0] = j->held[i];
    j->names[i] = name;
    j->held[i] = held;
}

static platen_status hold_journals(struct journals *j, const char *dir, struct platen_error *err)
{
    size_t index, count;
    char end;
    DIR *d = opendir(dir);
    if (!d)
        return pl_fail_errno(err, PLATEN_ERR_IO, "unable to open '%s'", dir);
    platen_status s = PLATEN_OK;
    for (struct dirent *e; !s && (e = readdir(d));)
        if (!strcmp(e->d_name, JOURNAL) ||
            sscanf(e->d_name, JOURNAL "-%zu-of-%zu%c", &index, &count, &end) == 2)
            s = hold_journal(j, dir, e->d_name, err);
    closedir(d);
    return s;
}

/* Joins the journals of shards to the one that a single run would have left. */
static platen_status join_journals(const char *dir, const struct platen_merge_options *o,
                                   struct platen_merge_summary *sum, struct platen_error *err)
{
    struct journals j = {0};
    struct pl_str path = {0};
    pl_arena_init(&j.arena);
    pl_str_printf(&path, "%s/" JOURNAL, dir);
    platen_status s = path.failed ? pl_fail_nomem(err, strlen(dir), "a journal's name")
                                  : hold_journals(&j, dir, err);
    if (!s)
        put_whole_first(&j, path.s);
    struct inputs in = {.names = j.names, .n = j.n};
    if (!s && !j.n)
        s = pl_fail(err, PLATEN_ERR_ARG,
                    "'%s' has no journal: it is the output directory of no run", dir);
    if (!s)
        s = join_shards(&in, path.s, o, sum, err);
    for (size_t i = 0; i < j.n; i++) {
        if (!s && strcmp(j.names[i], path.s))
            pl_appender_remove(&j.held[i]);
        pl_appender_close(&j.held[i]);
    }
    pl_free(j.names);
    pl_free(j.held);
    pl_str_done(&path);
    pl_arena_done(&j.arena);
    return s;
}

static bool is_tidy(const struct pl_merge *m)
{
    for (size_t i = 1; i < m->n; i++)
        if (m->v[i].at < m->v[i - 1].at)
            return false;
    return !m->repeated && !m->malformed;
}

platen_status pl_merge_tidy(const char *journal, struct platen_error *err)
{
    struct pl_merge m;
    struct pl_map map = {0};
    pl_merge_init(&m);
    platen_status s = read_file(&m, journal, 0, &map, err);
    for (size_t i = 0; !s && i < m.n; i++)
        m.v[i].rank = 0; /* lines of one process are in their order */
    if (!s)
        pl_merge_settle(&m);
    if (!s && !is_tidy(&m))
        s = write_output(&m, &(struct inputs){&journal, &map, 1}, journal, NULL, err);
    pl_map_close(&map);
    pl_merge_done(&m);
    return s == PLATEN_ERR_NOMEM ? s : PLATEN_OK;
}

/* Does what platen_merge() does, with structs of this version. */
static platen_status merge(const char *const *in, size_t n, const struct platen_merge_options *o,
                           struct platen_merge_summary *ret, struct platen_error *err)
{
    struct stat st;
    bool dir = n && !stat(in[0], &st) && S_ISDIR(st.st_mode);
    if (!dir) {
        struct inputs files = {.names = in, .n = n};
        return join_shards(&files, o->output, o, ret, err);
    }
    if (n > 1 || o->output)
        return pl_fail(err, PLATEN_ERR_ARG, "the journals of one directory stay there");
    return join_journals(in[0], o, ret, err);
}

platen_status platen_merge(const char *const *in, size_t n, const struct platen_merge_options *o,
                           struct platen_merge_summary *ret, struct platen_error *err)
{
    struct platen_merge_options own = {.output = NULL};
    struct platen_merge_summary sum = {.done = 0};
    platen_status s = PL_NEED(err, o, ret);
    s = s ? s : PL_NEED_WHEN(err, n, in);
    s = s ? s : pl_sized_take(&own, sizeof(own), o, "platen_merge_options", err);
    s = s ? s : pl_sized_check(ret, "platen_merge_summary", err);
    if (s)
        return s;
    s = merge(in, n, &own, &sum, err);
    pl_sized_give(ret, &sum, sizeof(sum));
    return s;
}
