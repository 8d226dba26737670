/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/earlier/stale.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/map.h"
#include "base/mem.h"
#include "job/page_out.h"

#define MAX_BYTES ((size_t)16 << 30)

/* A search for outputs that no input of the run has: the inputs by the stems of their outputs, and
 * by their labels. */
struct stale_search {
    const struct platen_job *job;
    const char **stems, **labels;
    struct pl_str path, first; /* `path` is scratch; `first` is the stem of the first such output */
    bool more;
};

static int compare_stems(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has(const struct stale_search *r, const char **sorted, const char *name)
{
    return bsearch(&name, sorted, r->job->source.settled.n, sizeof(*sorted), compare_stems);
}

/* Returns whether the file that the label names is gone; "multi.tif#2" is a page of multi.tif. */
static bool is_gone(struct stale_search *r, const char *label)
{
    struct stat st;
    size_t n = strlen(label), digits = 0;
    if (!lstat(label, &st))
        return false;
    while (digits < n && label[n - 1 - digits] >= '0' && label[n - 1 - digits] <= '9')
        digits++;
    if (!digits || digits == n || label[n - 1 - digits] != '#')
        return true;
    pl_str_reset(&r->path);
    pl_str_add(&r->path, label, n - 1 - digits);
    return !r->path.failed && lstat(r->path.s, &st);
}

/* Returns whether an output of that stem is there, in one of the formats of this run; nothing is
 * known of others. */
static bool has_output(struct stale_search *r, const char *stem)
{
    struct stat st;
    for (size_t i = 0; i < r->job->plan.n_formats; i++) {
        const struct pl_emitter *e = r->job->plan.formats[i];
        pl_output_path(&r->path, r->job->o.output_dir, stem, 0, e, e->piece ? 1 : 0);
        if (!r->path.failed && !lstat(r->path.s, &st))
            return true;
    }
    return false;
}

static void look_at(struct stale_search *r, char *stem, char *label)
{
    pl_name_restore(stem);
    pl_name_restore(label);
    if (has(r, r->stems, stem) || (r->first.len && !strcmp(r->first.s, stem)))
        return;
    if (!(has(r, r->labels, label) || is_gone(r, label)) || !has_output(r, stem))
        return;
    if (r->first.len)
        r->more = true;
    else
        pl_str_puts(&r->first, stem);
}

static void read_lines(struct stale_search *r, const char *p, const char *end)
{
    for (const char *stop; p < end && (stop = memchr(p, '\n', (size_t)(end - p))); p = stop + 1) {
        cJSON *line = cJSON_ParseWithLength(p, (size_t)(stop - p));
        char *stem = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "output"));
        char *label = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "input"));
        if (stem && label)
            look_at(r, stem, label);
        cJSON_Delete(line);
    }
}

static void tell(struct stale_search *r)
{
    if (!r->first.len || !has_output(r, r->first.s) || !r->job->o.notice)
        return;
    struct pl_str text = {0};
    pl_str_putc(&text, '\'');
    pl_str_name(&text, r->path.s, r->path.len, PL_NAME_SHOWN);
    pl_str_puts(&text, r->more ? "' and others are left from an earlier run"
                               : "' is left from an earlier run");
    if (!text.failed)
        r->job->o.notice(r->job->o.ctx, text.s);
    pl_str_done(&text);
}

static platen_status index_inputs(struct stale_search *r, struct platen_error *err)
{
    const struct pl_inputs *in = &r->job->source.settled;
    r->stems = pl_alloc(in->n, sizeof(*r->stems));
    r->labels = pl_alloc(in->n, sizeof(*r->labels));
    if (!r->stems || !r->labels)
        return pl_fail_nomem(err, in->n * sizeof(*r->stems), "the names of outputs");
    for (size_t i = 0; i < in->n; i++) {
        r->stems[i] = in->v[i].stem;
        r->labels[i] = in->v[i].label;
    }
    qsort(r->stems, in->n, sizeof(*r->stems), compare_stems);
    qsort(r->labels, in->n, sizeof(*r->labels), compare_stems);
    return PLATEN_OK;
}

/* Opens the journal of the directory, or of this share. An error is not told here, but by what
 * writes the journal. */
static bool open_journal(struct stale_search *r, struct pl_map *ret)
{
    struct stat st;
    const struct platen_job *job = r->job;
    pl_str_printf(&r->path, "%s/.platen-journal", job->o.output_dir);
    if (job->source.shard_count > 1)
        pl_str_printf(&r->path, "-%zu-of-%zu", job->source.shard_index, job->source.shard_count);
    return !r->path.failed && !lstat(r->path.s, &st) && S_ISREG(st.st_mode) &&
           !pl_map_open(r->path.s, MAX_BYTES, ret, NULL);
}

platen_status pl_stale_tell(const struct platen_job *job, struct platen_error *err)
{
    struct stale_search r = {.job = job};
    struct pl_map map;
    platen_status s = PLATEN_OK;
    if (!job->o.resume || !job->o.output_dir || !job->source.settled.n)
        return PLATEN_OK;
    if (open_journal(&r, &map)) {
        s = index_inputs(&r, err);
        if (!s)
            read_lines(&r, (const char *)map.data, (const char *)map.data + map.size);
        if (!s)
            tell(&r);
        pl_map_close(&map);
    }
    pl_free(r.stems);
    pl_free(r.labels);
    pl_str_done(&r.path);
    pl_str_done(&r.first);
    return s;
}
