/* SPDX-License-Identifier: BSD-2-Clause */
#include "models/arrays.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "onnx/npy.h"

#define MAX_PATH 4096

static bool is_directory(const char *path)
{
    struct stat st;
    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int is_npy(const struct dirent *e)
{
    const size_t n = strlen(e->d_name);
    return e->d_name[0] != '.' && n > 4 && !strcmp(e->d_name + n - 4, ".npy");
}

/* Room for `more` files beyond those that are there. */
static platen_status reserve(struct pl_arrays *a, size_t more, struct platen_error *err)
{
    struct pl_map *maps = PL_NEW(&a->arena, struct pl_map, a->n + more);
    struct pl_tensor *tensors = PL_NEW(&a->arena, struct pl_tensor, a->n + more);
    if (!maps || !tensors)
        return pl_fail_nomem(err, (a->n + more) * sizeof(*tensors), "arrays");
    for (size_t i = 0; i < a->n; i++) {
        maps[i] = a->maps[i];
        tensors[i] = a->tensors[i];
    }
    a->maps = maps;
    a->tensors = tensors;
    return PLATEN_OK;
}

static platen_status open_file(struct pl_arrays *a, const char *path, struct platen_error *err)
{
    struct pl_map *m = &a->maps[a->n];
    platen_status s = pl_map_open(path, PL_IR_MAX_FILE_BYTES, m, err);
    a->n += !s;
    s = s ? s : pl_npy_read(m->data, m->size, &a->tensors[a->n - 1], err);
    return s ? pl_fail_prefix(err, s, "unable to read '%s': ", path) : s;
}

static platen_status open_directory(struct pl_arrays *a, const char *dir, struct platen_error *err)
{
    char path[MAX_PATH];
    struct dirent **names;
    int n = scandir(dir, &names, is_npy, alphasort);
    if (n < 0)
        return pl_fail_errno(err, PLATEN_ERR_IO, "unable to read '%s'", dir);
    platen_status s = n ? reserve(a, (size_t)n, err)
                        : pl_fail(err, PLATEN_ERR_ARG, "'%s' has no files *.npy", dir);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof(path), "%s/%s", dir, names[i]->d_name);
        s = s ? s : open_file(a, path, err);
        free(names[i]);
    }
    free(names);
    return s;
}

platen_status pl_arrays_open(struct pl_arrays *a, const char *const *paths, size_t n,
                             struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    *a = (struct pl_arrays){0};
    pl_arena_init(&a->arena);
    for (size_t i = 0; i < n && !s; i++) {
        if (is_directory(paths[i])) {
            s = open_directory(a, paths[i], err);
            continue;
        }
        s = reserve(a, n - i, err);
        s = s ? s : open_file(a, paths[i], err);
    }
    return s;
}

void pl_arrays_done(struct pl_arrays *a)
{
    for (size_t i = 0; i < a->n; i++)
        pl_map_close(&a->maps[i]);
    pl_arena_done(&a->arena);
}

platen_status pl_arrays_sets(const struct pl_arrays *a, const struct pl_ir *g, size_t *ret,
                             struct platen_error *err)
{
    if (!a->n || !g->n_inputs || a->n % g->n_inputs)
        return pl_fail(err, PLATEN_ERR_ARG, "%zu arrays for a network of %zu inputs", a->n,
                       g->n_inputs);
    *ret = a->n / g->n_inputs;
    return PLATEN_OK;
}
