/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/kept.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

struct pl_kept_file {
    dev_t device;
    ino_t inode;
    const char *path;
};

static bool identify(const char *path, struct pl_kept_file *ret)
{
    struct stat st;
    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return false;
    *ret = (struct pl_kept_file){st.st_dev, st.st_ino, path};
    return true;
}

platen_status pl_kept_add(struct pl_kept *k, const char *path, struct platen_error *err)
{
    struct pl_kept_file file;
    if (!path || !strcmp(path, "-") || !identify(path, &file))
        return PLATEN_OK;
    if (k->n == k->cap) {
        size_t cap = PL_MAX(k->cap * 2, (size_t)64);
        struct pl_kept_file *more = pl_realloc(k->v, cap, sizeof(*more));
        if (!more)
            return pl_fail_nomem(err, cap * sizeof(*more), "the files that are kept");
        k->v = more;
        k->cap = cap;
    }
    k->v[k->n++] = file;
    return PLATEN_OK;
}

static int compare_kept(const void *a, const void *b)
{
    const struct pl_kept_file *x = a, *y = b;
    return x->inode != y->inode ? (x->inode > y->inode) - (x->inode < y->inode)
                                : (x->device > y->device) - (x->device < y->device);
}

void pl_kept_settle(struct pl_kept *k)
{
    if (k->n)
        qsort(k->v, k->n, sizeof(*k->v), compare_kept);
}

const char *pl_kept_find(const struct pl_kept *k, const char *path)
{
    struct pl_kept_file file;
    if (!k->n || !identify(path, &file))
        return NULL;
    const struct pl_kept_file *found = bsearch(&file, k->v, k->n, sizeof(file), compare_kept);
    return found ? found->path : NULL;
}

void pl_kept_done(struct pl_kept *k)
{
    pl_free(k->v);
    *k = (struct pl_kept){0};
}
