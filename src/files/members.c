/* SPDX-License-Identifier: BSD-2-Clause */
/* Inputs that lie one behind the other in one file: pictures on standard input, members of
 * archives.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "codec/codec.h"
#include "files/tar.h"
#include "files/walk.h"

#define MAX_ARCHIVE_BYTES (SIZE_MAX / 2) /* of one that is mapped */

static platen_status too_long(size_t max_bytes, struct platen_error *err)
{
    return pl_fail(err, PLATEN_ERR_LIMIT, "longer than the memory that there is for it: %zu bytes",
                   max_bytes);
}

/* Returns `why` as the error of an input, in the arena. */
static const char *kept_reason(struct pl_inputs *in, const struct platen_error *why)
{
    const char *reason = pl_error_reason(why);
    return pl_arena_strndup(&in->arena, reason, strlen(reason));
}

/* Adds picture `number` of standard input. */
static platen_status push_picture(struct pl_inputs *in, int number, const uint8_t *data, size_t n,
                                  struct platen_error *err)
{
    char path[32], name[32];
    snprintf(path, sizeof(path), "-#%d", number);
    snprintf(name, sizeof(name), "stdin-%04d", number);
    platen_status s = pl_inputs_push(in, pl_arena_strndup(&in->arena, path, strlen(path)),
                                     pl_arena_strndup(&in->arena, name, strlen(name)), NULL, err);
    if (s)
        return s;
    in->v[in->n - 1].data = data;
    in->v[in->n - 1].size = n;
    return PLATEN_OK;
}

/* Makes an input of each picture that was read of standard input. */
static platen_status part_pictures(struct pl_inputs *in, struct platen_error *err)
{
    const struct pl_map *map = &in->from_stdin;
    size_t at = 0, next = pl_image_next(map->data, map->size);
    in->v[0].data = map->data;
    in->v[0].size = map->size;
    in->v[0].head = NULL;
    if (next == map->size)
        return PLATEN_OK;
    platen_status s = PLATEN_OK;
    in->n = 0;
    for (int number = 1; !s && at < map->size; number++) {
        next = at + pl_image_next(map->data + at, map->size - at);
        s = push_picture(in, number, map->data + at, next - at, err);
        at = next;
    }
    return s;
}

platen_status pl_inputs_read_stdin(struct pl_inputs *in, size_t max_bytes, int wake_fd,
                                   struct platen_error *err)
{
    if (in->n != 1 || !in->stdin_taken || strcmp(in->v[0].path, "-") != 0)
        return PLATEN_OK;
    struct pl_map *map = &in->from_stdin;
    struct platen_error why;
    platen_status s = pl_map_open_head("-", PL_MAX_INPUT_BYTES, wake_fd, map, &why);
    if (!s) {
        in->v[0].head = map;
        if (!pl_image_may_be_several(map->data, map->size))
            return PLATEN_OK;
        s = pl_map_read_rest(map, max_bytes, wake_fd, &why);
    }
    if (!s)
        return part_pictures(in, err);
    if (s == PLATEN_ERR_CANCELED)
        return pl_fail(err, s, "%s", why.text);
    if (s == PLATEN_ERR_LIMIT)
        (void)!too_long(max_bytes, &why);
    in->v[0].error = kept_reason(in, &why);
    return in->v[0].error ? PLATEN_OK : pl_inputs_nomem(err);
}

/* Whether the last part of a name, or a directory before it, begins with a dot. */
static bool is_hidden(const char *relative)
{
    return relative[0] == '.' || strstr(relative, "/.");
}

/* Adds a member that is a picture, and counts another one. */
static platen_status take_member(struct pl_inputs *in, const struct pl_archive *a,
                                 const struct pl_tar_member *m, struct platen_error *err)
{
    const char *path = pl_arena_strndup(&in->arena, m->name, strlen(m->name));
    const char *name = path ? pl_inputs_relative(&in->arena, path) : NULL;
    if (!name)
        return pl_inputs_nomem(err);
    if (m->kind == PL_TAR_DIRECTORY || !*name || is_hidden(name))
        return PLATEN_OK;
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    const bool taken =
        pl_image_is_name(base) || (in->all_files && pl_image_begins(m->data, m->size));
    if (!taken || (m->kind != PL_TAR_FILE && m->kind != PL_TAR_HOLES)) {
        pl_passed_add(&in->passed, path, base,
                      m->kind == PL_TAR_LINK    ? "behind links"
                      : m->kind == PL_TAR_OTHER ? "special"
                                                : NULL);
        return PLATEN_OK;
    }
    const bool has_holes = m->kind == PL_TAR_HOLES;
    const char *error = has_holes
                            ? "packed without its zeros: not supported; pack it without --sparse"
                        : m->size > PL_MAX_INPUT_BYTES ? "longer than 1 GiB"
                                                       : NULL;
    platen_status s = pl_inputs_push(in, path, name, error, err);
    if (s)
        return s;
    struct pl_input *last = &in->v[in->n - 1];
    last->status = !error ? PLATEN_OK : has_holes ? PLATEN_ERR_UNSUPPORTED : PLATEN_ERR_LIMIT;
    last->data = m->data;
    last->size = m->size;
    last->archive = a;
    return PLATEN_OK;
}

/* A member that stands in an archive once more was replaced there, as tar -r does it: the last one
 * counts, as where the archive is unpacked. */
struct named_member {
    const char *name;
    size_t at;
};

static int compare_members(const void *a, const void *b)
{
    const struct named_member *x = a, *y = b;
    const int c = strcmp(x->name, y->name);
    return c ? c : (x->at > y->at) - (x->at < y->at);
}

/* Takes the members that were replaced out of those from number `first` on. */
static platen_status drop_replaced(struct pl_inputs *in, size_t first, struct platen_error *err)
{
    const size_t n = in->n - first;
    struct named_member *v = n > 1 ? pl_alloc(n, sizeof(*v)) : NULL;
    if (n < 2)
        return PLATEN_OK;
    if (!v)
        return pl_inputs_nomem(err);
    for (size_t i = 0; i < n; i++)
        v[i] = (struct named_member){in->v[first + i].name, first + i};
    qsort(v, n, sizeof(*v), compare_members);
    for (size_t i = 0; i + 1 < n; i++) {
        if (strcmp(v[i].name, v[i + 1].name) != 0)
            continue;
        struct pl_input *old = &in->v[v[i].at];
        pl_passed_add(&in->passed, old->path, old->name, "replaced in archives");
        old->path = NULL;
    }
    pl_free(v);
    in->n = first;
    for (size_t i = first; i < first + n; i++)
        if (in->v[i].path)
            in->v[in->n++] = in->v[i];
    return PLATEN_OK;
}

/* Why an archive has no first header; NULL = as the reader of tar says. */
static const char *packed_by(const uint8_t *data, size_t n)
{
    static const struct {
        const char *sign, *reason;
    } signs[] = {{"\x1f\x8b", "compressed: unpack it first, with zcat"},
                 {"\x28\xb5\x2f\xfd", "compressed: unpack it first, with zstdcat"},
                 {"BZh", "compressed: unpack it first, with bzcat"},
                 {"\xfd\x37zXZ", "compressed: unpack it first, with xzcat"}};
    for (size_t i = 0; i < PL_ARRAY_LEN(signs); i++)
        if (n >= strlen(signs[i].sign) && !memcmp(data, signs[i].sign, strlen(signs[i].sign)))
            return signs[i].reason;
    return NULL;
}

static platen_status read_members(struct pl_inputs *in, const struct pl_archive *a,
                                  struct platen_error *err)
{
    struct pl_tar tar = {a->map.data, a->map.size, 0};
    struct pl_tar_member m;
    struct platen_error why;
    bool any = true;
    const size_t first = in->n;
    platen_status s = PLATEN_OK;
    while (!s && any) {
        s = pl_tar_next(&tar, &m, &any, &why);
        if (s) {
            const char *packed = tar.at ? NULL : packed_by(tar.data, tar.size);
            const char *error = packed ? packed : kept_reason(in, &why);
            s = error ? pl_inputs_push(in, a->path, pl_inputs_relative(&in->arena, a->path), error,
                                       err)
                      : pl_inputs_nomem(err);
            if (!s)
                in->v[in->n - 1].status = packed ? PLATEN_ERR_UNSUPPORTED : why.code;
            break;
        }
        if (any)
            s = take_member(in, a, &m, err);
    }
    return s ? s : drop_replaced(in, first, err);
}

/* Opens an archive, and adds it to in->archives. */
static platen_status open_archive(struct pl_inputs *in, const char *path, size_t max_bytes,
                                  int wake_fd, struct platen_error *err)
{
    struct pl_archive *a = PL_NEW(&in->arena, struct pl_archive, 1);
    if (!a)
        return pl_inputs_nomem(err);
    a->path = path;
    platen_status s = pl_map_open_head(path, MAX_ARCHIVE_BYTES, wake_fd, &a->map, err);
    if (s)
        return s;
    a->next = in->archives;
    in->archives = a;
    s = pl_map_read_rest(&a->map, max_bytes, wake_fd, err);
    return s == PLATEN_ERR_LIMIT ? too_long(max_bytes, err) : s;
}

/* How a pipe is read. */
struct reading_rules {
    size_t max_bytes;
    int wake_fd;
};

/* Adds the members of the archive `old`, or that again as one that fails. */
static platen_status read_archive(struct pl_inputs *in, struct pl_input *old, void *ctx,
                                  struct platen_error *err)
{
    const struct reading_rules *rules = ctx;
    const char *error = old->error;
    platen_status s = PLATEN_OK, why_not = old->status;
    if (!error) {
        struct platen_error why;
        s = open_archive(in, old->path, rules->max_bytes, rules->wake_fd, &why);
        if (!s)
            return read_members(in, in->archives, err);
        if (s == PLATEN_ERR_CANCELED || s == PLATEN_ERR_NOMEM)
            return pl_fail(err, s, "%s", why.text);
        error = kept_reason(in, &why);
        why_not = s;
    }
    if (!error)
        return pl_inputs_nomem(err);
    s = old->lost ? pl_inputs_push_lost(in, old->path, old->name, error, err)
                  : pl_inputs_push(in, old->path, old->name, error, err);
    if (!s)
        in->v[in->n - 1].status = why_not;
    return s;
}

platen_status pl_inputs_read_archives(struct pl_inputs *in, size_t max_bytes, int wake_fd,
                                      struct platen_error *err)
{
    return pl_inputs_replace(in, read_archive, &(struct reading_rules){max_bytes, wake_fd}, err);
}

platen_status pl_input_check(const struct pl_input *in, const struct pl_map *map,
                             struct platen_error *err)
{
    return in->archive ? pl_map_check(&in->archive->map, in->archive->path, false, err)
                       : pl_map_check(map, in->path, false, err);
}
