/* SPDX-License-Identifier: BSD-2-Clause */
#include "onnx/onnx_beside.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "nn/ir.h"

#define MAX_FILES 4096 /* some exporters write a file for each tensor */

/* Cuts the name of the file off a path. */
static void cut_file(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash)
        strcpy(path, ".");
    else
        slash[slash == path] = 0;
}

/* Returns whether a path without links lies below a folder without links. */
static bool is_below(const char *path, const char *folder)
{
    const size_t n = strlen(folder);
    return !strncmp(path, folder, n) && (path[n] == '/' || folder[n - 1] == '/');
}

/* Returns whether some part of the name is "..". */
static bool climbs(const char *name)
{
    for (const char *p = name; *p; p += strcspn(p, "/"), p += *p == '/')
        if (!strncmp(p, "..", 2) && (!p[2] || p[2] == '/'))
            return true;
    return false;
}

/* Finds the file that a name tells: below the folder in which the ONNX file seems to lie, or that
 * in which it lies behind a link, as caches of downloads have both. */
static platen_status find_file(const char *model, const char *name, char ret[PATH_MAX],
                               struct platen_error *err)
{
    char folder[PATH_MAX], real[PATH_MAX], path[PATH_MAX];
    struct stat st;
    if (!*name || *name == '/' || climbs(name))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "that name leads out of the model's folder");
    if (strlen(model) >= sizeof(folder))
        return pl_fail(err, PLATEN_ERR_LIMIT, "the model's path is too long");
    strcpy(folder, model);
    cut_file(folder);
    if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path))
        return pl_fail(err, PLATEN_ERR_LIMIT, "the path is too long");
    if (!realpath(path, ret) || stat(ret, &st))
        return pl_fail_errno(err, PLATEN_ERR_IO, "unable to open it");
    if (!realpath(folder, real))
        return pl_fail_errno(err, PLATEN_ERR_IO, "unable to find the model's folder");
    bool below = is_below(ret, real);
    if (!below && realpath(model, real)) {
        cut_file(real);
        below = is_below(ret, real);
    }
    if (!below)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "a link leads out of the model's folder");
    return S_ISREG(st.st_mode) ? PLATEN_OK
                               : pl_fail(err, PLATEN_ERR_UNSUPPORTED, "it is not a regular file");
}

static platen_status make_room(struct pl_beside *b, struct pl_arena *arena,
                               struct platen_error *err)
{
    if (b->n < b->room)
        return PLATEN_OK;
    if (b->n == MAX_FILES)
        return pl_fail(err, PLATEN_ERR_LIMIT, "more than %d files", MAX_FILES);
    const size_t room = PL_MAX(2 * b->room, 4u);
    struct pl_map *maps = PL_NEW(arena, struct pl_map, room);
    const char **names = PL_NEW(arena, const char *, room);
    if (!maps || !names)
        return pl_fail_nomem(err, room * sizeof(*maps), "a list of files");
    for (size_t i = 0; i < b->n; i++) {
        maps[i] = b->maps[i];
        names[i] = b->names[i];
    }
    b->maps = maps;
    b->names = names;
    b->room = room;
    return PLATEN_OK;
}

static platen_status open_file(struct pl_beside *b, const char *name, struct pl_arena *arena,
                               struct platen_error *err)
{
    char path[PATH_MAX];
    platen_status s = make_room(b, arena, err);
    s = s ? s : find_file(b->model, name, path, err);
    s = s ? s : pl_map_read(path, PL_IR_MAX_FILE_BYTES - b->bytes, &b->maps[b->n], err);
    if (s)
        return s;
    b->bytes += b->maps[b->n].size;
    b->names[b->n++] = name;
    return PLATEN_OK;
}

platen_status pl_beside_data(struct pl_beside *b, const char *name, uint64_t offset, size_t size,
                             struct pl_arena *arena, const uint8_t **ret, struct platen_error *err)
{
    size_t i = 0;
    while (i < b->n && strcmp(b->names[i], name))
        i++;
    platen_status s = i < b->n ? PLATEN_OK : open_file(b, name, arena, err);
    if (!s && (offset > b->maps[i].size || size > b->maps[i].size - offset))
        s = pl_fail(err, PLATEN_ERR_FORMAT, "it ends at %zu bytes, before %zu bytes at %llu",
                    b->maps[i].size, size, (unsigned long long)offset);
    if (!s)
        *ret = b->maps[i].data + offset;
    return s;
}
