/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/map.h"
#include "base/records.h"
#include "base/mem.h"
#include "codec/codec.h"
#include "files/ahead.h"
#include "files/walk.h"
#include "host/host.h"

/* What is asked for of each file before the look for its pages: the size of a usual readahead. */
#define FIRST_BYTES ((size_t)128 << 10)
/* Storage on which the look into one file takes longer is slow: the next ones are opened ahead. On
 * quick storage that would cost more than it brings. */
#define SLOW_S 0.005

char *pl_inputs_relative(struct pl_arena *arena, const char *path)
{
    char *s = PL_NEW(arena, char, strlen(path) + 1);
    if (!s)
        return NULL;
    size_t n = 0;
    while (*path) {
        size_t k = strcspn(path, "/");
        bool dots = k && k <= 2 && strspn(path, ".") >= k;
        if (k && !dots) {
            if (n)
                s[n++] = '/';
            memcpy(s + n, path, k);
            n += k;
        }
        path += k + (path[k] == '/');
    }
    return s;
}

platen_status pl_inputs_add(struct pl_inputs *in, const char *path, bool keep_dirs,
                            struct platen_error *err)
{
    if (!strcmp(path, "-")) {
        if (in->stdin_taken)
            return pl_fail(err, PLATEN_ERR_ARG, "standard input is named twice");
        in->stdin_taken = true;
        return pl_inputs_push(in, "-", "stdin", NULL, err);
    }
    struct stat st;
    bool is_dir = !stat(path, &st) && S_ISDIR(st.st_mode);
    const char *kept = pl_arena_strndup(&in->arena, path, strlen(path));
    char *name = pl_inputs_relative(&in->arena, path);
    if (!kept || !name)
        return pl_inputs_nomem(err);
    if (is_dir)
        return pl_inputs_walk(in, kept, keep_dirs ? name : "", err);
    const char *slash = strrchr(name, '/');
    return pl_inputs_push(in, kept, slash && !keep_dirs ? slash + 1 : name, NULL, err);
}

platen_status pl_inputs_add_record(struct pl_inputs *in, const char *name, size_t n,
                                   struct platen_error *err)
{
    if (!n)
        return PLATEN_OK;
    if (memchr(name, '\0', n))
        return pl_fail(err, PLATEN_ERR_ARG, "a zero byte in a name (is it for -0?)");
    const char *path = pl_arena_strndup(&in->arena, name, n);
    return path ? pl_inputs_add(in, path, true, err) : pl_inputs_nomem(err);
}

platen_status pl_inputs_add_list(struct pl_inputs *in, const char *path, bool nul_ended,
                                 struct platen_error *err)
{
    struct pl_records list;
    const char *name = NULL;
    size_t n;
    if (!strcmp(path, "-") && in->stdin_taken)
        return pl_fail(err, PLATEN_ERR_ARG, "standard input is named twice");
    in->stdin_taken = in->stdin_taken || !strcmp(path, "-");
    platen_status s = pl_records_open(&list, path, nul_ended ? '\0' : '\n', err);
    if (s)
        return pl_fail_prefix(err, s, "list '%s': ", path);
    do {
        s = pl_records_next(&list, -1, &name, &n, err);
        if (!s && name)
            s = pl_inputs_add_record(in, name, n, err);
    } while (!s && name);
    pl_records_close(&list);
    return s ? pl_fail_prefix(err, s, "list '%s': ", path) : s;
}

const char *pl_inputs_stem(struct pl_arena *arena, const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    const char *dot = strrchr(base, '.');
    bool named = dot && base + strspn(base, ".") < dot;
    return pl_arena_strndup(arena, name, named ? (size_t)(dot - name) : strlen(name));
}

/* The look into files for their pages. */
struct split_run {
    const struct pl_input *first; /* of the list as it was, of n */
    size_t n;
    atomic_size_t begun; /* so many were looked into */
    struct pl_ahead ahead;
    bool is_slow;      /* `ahead` has begun */
    bool may_be_drawn; /* pages of one of those that were looked into */
};

static void begin_ahead(struct split_run *r)
{
    r->is_slow = true;
    r->ahead = (struct pl_ahead){.in = r->first,
                                 .n = r->n,
                                 .given = &r->begun,
                                 .most_files = PL_AHEAD_FILES,
                                 .file_bytes = FIRST_BYTES,
                                 .most_bytes = PL_AHEAD_FILES * FIRST_BYTES};
    pl_ahead_begin(&r->ahead);
}

static platen_status open_input(struct split_run *r, const struct pl_input *in, struct pl_map *ret,
                                struct platen_error *err)
{
    *ret = (struct pl_map){0};
    if (r->is_slow) {
        const struct pl_input_state now = pl_input_state_of(in);
        pl_ahead_take(&r->ahead, (size_t)(in - r->first), &now, ret);
    }
    return ret->data ? PLATEN_OK : pl_map_open(in->path, PL_MAX_INPUT_BYTES, ret, err);
}

/* Sets in->error where the file cannot be opened. Only regular files are looked at: others can be
 * read but once. */
static platen_status count_pages(struct split_run *r, struct pl_arena *arena, struct pl_input *in,
                                 struct pl_pages *ret, struct platen_error *err)
{
    struct stat st;
    struct pl_map map;
    struct platen_error why;
    *ret = (struct pl_pages){.n = 1};
    if (in->error || (!in->data && (stat(in->path, &st) || !S_ISREG(st.st_mode))))
        return PLATEN_OK;
    if (in->data) {
        map = pl_map_borrow(in->data, in->size);
    } else if (open_input(r, in, &map, &why)) {
        const char *reason = pl_error_reason(&why);
        in->error = pl_arena_strndup(arena, reason, strlen(reason));
        return in->error ? PLATEN_OK : pl_inputs_nomem(err);
    }
    if (pl_image_pages(map.data, map.size, ret, &why))
        ret->n = 1; /* whoever decodes it will find the same */
    in->is_pdf = pl_image_is_pdf(map.data, map.size);
    r->may_be_drawn = r->may_be_drawn || pl_image_may_be_drawn(map.data, map.size);
    if (pl_map_check(&map, in->path, false, &why))
        in->error = pl_arena_strndup(arena, why.text, strlen(why.text));
    pl_map_close(&map);
    return PLATEN_OK;
}

/* Notes what the file says of a page besides its number: where it begins, and its label. */
static platen_status tell_place(struct pl_inputs *to, const struct pl_pages *pages, int page,
                                const char *label, struct platen_error *err)
{
    struct pl_input *in = &to->v[to->n - 1];
    in->page_at = pages->at ? pages->at[page - 1] : 0;
    if (!label || !*label)
        return PLATEN_OK;
    in->page_label = pl_arena_strndup(&to->arena, label, strlen(label));
    return in->page_label ? PLATEN_OK : pl_inputs_nomem(err);
}

/* Takes over what is the same for all pages of a file. */
static void take_file(struct pl_input *page, const struct pl_input *in)
{
    page->file = in->file;
    page->is_pdf = in->is_pdf;
    page->data = in->data;
    page->size = in->size;
    page->raster = in->raster;
    page->archive = in->archive;
}

static platen_status push_page(struct pl_inputs *to, const struct pl_input *in, int page,
                               const struct pl_pages *pages, const char *page_label,
                               struct platen_error *err)
{
    const char *stem = pl_inputs_stem(&to->arena, in->name);
    if (!stem)
        return pl_inputs_nomem(err);
    char *name = pl_arena_printf(&to->arena, "%s-%04d%s", stem, page, in->name + strlen(stem));
    char *label = pl_arena_printf(&to->arena, "%s#%d", in->path, page);
    platen_status s = label ? pl_inputs_push(to, in->path, name, NULL, err) : pl_inputs_nomem(err);
    if (s)
        return s;
    take_file(&to->v[to->n - 1], in);
    to->v[to->n - 1].label = label;
    to->v[to->n - 1].page = page;
    return tell_place(to, pages, page, page_label, err);
}

static platen_status push_again(struct pl_inputs *to, const struct pl_input *in,
                                const struct pl_pages *pages, struct platen_error *err)
{
    platen_status s = pl_inputs_push(to, in->path, in->name, in->error, err);
    if (s)
        return s;
    take_file(&to->v[to->n - 1], in);
    to->v[to->n - 1].status = in->status;
    to->v[to->n - 1].lost = in->lost;
    to->v[to->n - 1].head = in->head;
    return tell_place(to, pages, 1, pages->labels, err);
}

/* Keeps a file as one input, which fails when its turn comes. */
static platen_status push_unwanted(struct pl_inputs *to, const struct pl_input *in,
                                   const struct pl_pages *pages, struct platen_error *err)
{
    const char *error =
        pl_arena_printf(&to->arena, "it has %d page%s, and none of those that are wanted", pages->n,
                        pages->n > 1 ? "s" : "");
    return error ? pl_inputs_push(to, in->path, in->name, error, err) : pl_inputs_nomem(err);
}

/* Adds an input for every page of the file that is wanted. */
static platen_status push_pages(struct pl_inputs *to, const struct pl_input *in,
                                const struct pl_pages *pages, struct platen_error *err)
{
    const char *label = pages->labels;
    const size_t before = to->n;
    platen_status s = PLATEN_OK;
    for (int page = 1; !s && page <= pages->n; page++) {
        const bool wanted = in->error || in->lost || pl_page_ranges_have(&to->wanted, page);
        if (wanted)
            s = pages->n > 1 ? push_page(to, in, page, pages, label, err)
                             : push_again(to, in, pages, err);
        label += label ? strlen(label) + 1 : 0;
    }
    return s || to->n > before ? s : push_unwanted(to, in, pages, err);
}

static platen_status split_input(struct pl_inputs *in, struct pl_input *old, void *ctx,
                                 struct platen_error *err)
{
    struct split_run *r = ctx;
    struct pl_pages pages;
    const double start_s = pl_host_seconds();
    atomic_store(&r->begun, (size_t)(old - r->first) + 1);
    platen_status s = count_pages(r, &in->arena, old, &pages, err);
    if (!r->is_slow && pl_host_seconds() - start_s > SLOW_S)
        begin_ahead(r);
    in->may_be_drawn = in->may_be_drawn || r->may_be_drawn;
    s = s ? s : push_pages(in, old, &pages, err);
    pl_pages_done(&pages);
    return s;
}

platen_status pl_inputs_split(struct pl_inputs *in, struct platen_error *err)
{
    struct split_run r = {.first = in->v, .n = in->n};
    platen_status s = pl_inputs_replace(in, split_input, &r, err);
    if (r.is_slow)
        pl_ahead_end(&r.ahead);
    return s;
}

/* An output to be named: of an input, or of all inputs of one file. */
struct named_output {
    const char *name, *stem;
    const struct pl_input *in; /* the first */
};

static int compare_stems(const void *a, const void *b)
{
    const struct named_output *x = a, *y = b;
    int c = strcmp(x->stem, y->stem);
    return c ? c : (x->in > y->in) - (x->in < y->in);
}

static int compare_places(const void *a, const void *b)
{
    const struct named_output *x = a, *y = b;
    return (x->in > y->in) - (x->in < y->in);
}

static bool same_stem(const struct named_output *v, size_t n, size_t i, size_t j)
{
    return i < n && j < n && !strcmp(v[i].stem, v[j].stem);
}

static platen_status fail_meeting(const struct pl_input *a, const struct pl_input *b,
                                  struct platen_error *err)
{
    if (strcmp(a->path, b->path))
        return pl_fail(err, PLATEN_ERR_ARG, "'%.80s' and '%.80s' would have the same output",
                       a->path, b->path);
    if (a->archive && b->archive && a->archive != b->archive)
        return pl_fail(
            err, PLATEN_ERR_ARG,
            "'%.60s' is in '%.60s' and in '%.60s': read each into a directory of its own", a->path,
            a->archive->path, b->archive->path);
    return pl_fail(err, PLATEN_ERR_ARG, "'%s' is named twice", b->path);
}

static platen_status check_unique(struct named_output *v, size_t n, struct platen_error *err)
{
    qsort(v, n, sizeof(*v), compare_stems);
    for (size_t i = 1; i < n; i++) {
        const struct pl_input *a = v[i - 1].in, *b = v[i].in;
        if (same_stem(v, n, i - 1, i) && !a->error && !b->error)
            return fail_meeting(a, b, err);
    }
    return PLATEN_OK;
}

/* Fails where one input is called like a part of another one: for every stem "a-1" the stem "a" is
 * searched in v, which is sorted by stem. */
static platen_status check_parts(const struct named_output *v, size_t n, struct platen_error *err)
{
    for (size_t i = 0; i < n; i++) {
        size_t len = strlen(v[i].stem), low = 0, high = n;
        if (len < 3 || (strcmp(v[i].stem + len - 2, "-1") && strcmp(v[i].stem + len - 2, "-2")))
            continue;
        while (low < high) { /* binary search for the first stem that does not come before "a" */
            size_t middle = low + (high - low) / 2;
            bool before = strncmp(v[middle].stem, v[i].stem, len - 2) < 0;
            low = before ? middle + 1 : low;
            high = before ? high : middle;
        }
        bool whole = !strncmp(v[low].stem, v[i].stem, len - 2) && !v[low].stem[len - 2];
        if (whole && !v[low].in->error && !v[i].in->error)
            return pl_fail(err, PLATEN_ERR_ARG,
                           "'%.80s' and a part of '%.80s' would have the same output",
                           v[i].in->path, v[low].in->path);
    }
    return PLATEN_OK;
}

/* Fills in the stems of n outputs, in the order of their inputs. */
static platen_status name_outputs(struct pl_arena *arena, struct named_output *v, size_t n,
                                  unsigned how, struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < n; i++) {
        v[i].stem = pl_inputs_stem(arena, v[i].name);
        if (!v[i].stem)
            return pl_inputs_nomem(err);
    }
    if (!n)
        return PLATEN_OK;
    qsort(v, n, sizeof(*v), compare_stems);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; same_stem(v, n, i, j); j++)
            continue;
        for (size_t k = i; j - i > 1 && k < j; k++) /* the group is known: stems may change */
            v[k].stem = v[k].name;
    }
    if (how & PL_NAMES_UNIQUE)
        s = check_unique(v, n, err);
    if (!s && (how & PL_NAMES_UNIQUE) && (how & PL_NAMES_PARTS))
        s = check_parts(v, n, err);
    qsort(v, n, sizeof(*v), compare_places);
    return s;
}

bool pl_inputs_is_first(const struct pl_inputs *in, size_t i)
{
    return !i || strcmp(in->v[i].path, in->v[i - 1].path) != 0;
}

bool pl_inputs_begins_document(const struct pl_inputs *in, size_t i)
{
    return !i || in->v[i].document != in->v[i - 1].document;
}

bool pl_inputs_ends_document(const struct pl_inputs *in, size_t i)
{
    return i + 1 == in->n || pl_inputs_begins_document(in, i + 1);
}

static platen_status name_documents(struct pl_inputs *in, struct named_output *v,
                                    struct platen_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < in->n; i++)
        if (pl_inputs_is_first(in, i))
            v[n++] = (struct named_output){.name = in->v[i].file, .in = &in->v[i]};
    platen_status s = name_outputs(&in->arena, v, n, PL_NAMES_UNIQUE, err);
    for (size_t i = 0, k = 0; !s && i < in->n; i++) {
        k += i && pl_inputs_is_first(in, i);
        in->v[i].document = in->joined ? in->joined : v[k].stem;
    }
    return s;
}

platen_status pl_inputs_name(struct pl_inputs *in, unsigned how, struct platen_error *err)
{
    struct named_output *v = pl_alloc(in->n, sizeof(*v));
    if (!v)
        return pl_inputs_nomem(err);
    for (size_t i = 0; i < in->n; i++)
        v[i] = (struct named_output){.name = in->v[i].name, .in = &in->v[i]};
    platen_status s = name_outputs(&in->arena, v, in->n, how, err);
    for (size_t i = 0; !s && i < in->n; i++)
        in->v[i].stem = v[i].stem;
    if (!s && (how & PL_NAMES_DOCUMENTS))
        s = name_documents(in, v, err);
    pl_free(v);
    return s;
}

/* FNV-1a (Fowler, Noll, Vo), its bits mixed once more (the finalizer of MurmurHash3), so that any
 * number of shards gets even parts. */
static uint64_t hash_name(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 0x100000001b3u;
    h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 33;
}

void pl_inputs_shard(struct pl_inputs *in, bool files, size_t index, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < in->n; i++) {
        const char *name = files ? in->v[i].file : in->v[i].name;
        if (in->v[i].lost || hash_name(name) % count == index - 1)
            in->v[n++] = in->v[i];
    }
    in->elsewhere += in->n - n;
    in->n = n;
}
