/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the files below a directory that a job reads. */
#include "files/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/io_fault.h"
#include "base/mem.h"
#include "base/system.h"
#include "codec/codec.h"
#include "output/emit.h"

#define MAX_DEPTH 64   /* of directories below one INPUT */
#define HEAD_BYTES 512 /* of a file whose content is looked at */

enum verdict {
    IGNORED,    /* hidden, gone, or named like a text that platen writes */
    PASSED,     /* not named like a picture */
    PASSED_DIR, /* a link to a directory */
    TAKEN,
    ENTERED, /* a directory */
    LOST,    /* the system does not tell what it is */
};

struct entry {
    const char *name;
    enum verdict verdict;
    int os_errno; /* why it is lost */
};

static platen_status no_memory(struct platen_error *err)
{
    return pl_fail_nomem(err, sizeof(struct entry), "the entries of a directory");
}

static const char *reason(int os_errno)
{
    const char *why = pl_system_error(os_errno);
    return why ? why : "unknown error";
}

/* Returns whether the file is named like a text output. Nobody takes these for pages, and
 * directories of inputs and outputs are full of them, so that they are not counted. */
static bool is_text_of_ours(const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; pl_emitters[i]; i++) {
        size_t k = strlen(pl_emitters[i]->extension);
        if (!pl_emitters[i]->binary && n > k + 1 && name[n - k - 1] == '.' &&
            !strcmp(name + n - k, pl_emitters[i]->extension))
            return true;
    }
    return false;
}

/* A file that cannot be opened counts as a picture, to fail when its turn comes. */
static bool begins_like_picture(int dir_fd, const char *name)
{
    uint8_t head[HEAD_BYTES];
    int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof(head), 0);
    if (fd >= 0)
        close(fd);
    return n < 0 || pl_image_begins(head, (size_t)n);
}

static enum verdict judge_file(const struct pl_inputs *in, int dir_fd, const char *name,
                               bool regular)
{
    if (regular && (pl_image_is_name(name) || (in->all_files && begins_like_picture(dir_fd, name))))
        return TAKEN;
    return is_text_of_ours(name) ? IGNORED : PASSED;
}

static bool stat_entry(int dir_fd, const char *name, int flags, struct stat *ret)
{
    return !pl_io_fails() && !fstatat(dir_fd, name, ret, flags);
}

/* A link counts as the file that it leads to, but not as a directory: that could lead in circles.
 * One that leads nowhere is a picture that is missing, by its name. */
static enum verdict judge_link(const struct pl_inputs *in, int dir_fd, const char *name)
{
    struct stat st;
    if (stat_entry(dir_fd, name, 0, &st))
        return S_ISDIR(st.st_mode) ? PASSED_DIR : judge_file(in, dir_fd, name, S_ISREG(st.st_mode));
    return pl_image_is_name(name) || in->all_files ? TAKEN : PASSED;
}

/* An entry that vanished since it was listed is ignored. Any other that the system does not
 * describe may be a directory full of pages, and is lost, unless the listing has told that it is a
 * file. */
static enum verdict judge(const struct pl_inputs *in, int dir_fd, const struct dirent *e,
                          int *ret_errno)
{
    struct stat st;
    *ret_errno = 0;
    if (e->d_name[0] == '.')
        return IGNORED;
    if (stat_entry(dir_fd, e->d_name, AT_SYMLINK_NOFOLLOW, &st)) {
        if (S_ISDIR(st.st_mode))
            return ENTERED;
        return S_ISLNK(st.st_mode) ? judge_link(in, dir_fd, e->d_name)
                                   : judge_file(in, dir_fd, e->d_name, S_ISREG(st.st_mode));
    }
    *ret_errno = errno;
    if (errno == ENOENT)
        return IGNORED;
    bool other = e->d_type == DT_REG && !in->all_files && !pl_image_is_name(e->d_name);
    return other ? judge_file(in, dir_fd, e->d_name, false) : LOST;
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

/* The entries of one directory that are not ignored. */
struct listing {
    struct entry *v;
    size_t n, cap;
    int os_errno; /* why it breaks off; 0 = it is whole */
};

static platen_status add_entry(struct listing *l, struct pl_arena *arena, struct entry e,
                               struct platen_error *err)
{
    if (l->n == l->cap) {
        size_t cap = PL_MAX(l->cap * 2, (size_t)64);
        struct entry *more = pl_realloc(l->v, cap, sizeof(*more));
        if (!more)
            return no_memory(err);
        l->v = more;
        l->cap = cap;
    }
    e.name = pl_arena_strndup(arena, e.name, strlen(e.name));
    l->v[l->n++] = e;
    return e.name ? PLATEN_OK : no_memory(err);
}

/* Reads the entries of d in byte order; what came before an error is kept. */
static platen_status list(struct pl_inputs *in, DIR *d, struct listing *ret,
                          struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    while (!s) {
        errno = 0; /* readdir() does not change it at the end of the directory */
        const struct dirent *e = pl_io_fails() ? NULL : readdir(d);
        if (!e)
            break;
        struct entry entry = {.name = e->d_name};
        entry.verdict = judge(in, dirfd(d), e, &entry.os_errno);
        if (entry.verdict != IGNORED)
            s = add_entry(ret, &in->arena, entry, err);
    }
    ret->os_errno = s ? 0 : errno;
    if (ret->n)
        qsort(ret->v, ret->n, sizeof(*ret->v), compare_entries);
    return s;
}

static char *join_path(struct pl_arena *arena, const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    char *s = PL_NEW(arena, char, na + nb + 2);
    if (!s)
        return NULL;
    memcpy(s, a, na);
    if (na && a[na - 1] != '/')
        s[na++] = '/';
    memcpy(s + na, b, nb);
    return s;
}

static bool is_output(const struct pl_inputs *in, const char *dir)
{
    bool is = false;
    for (size_t i = 0; !is && i < PL_ARRAY_LEN(in->outputs); i++)
        is = in->outputs[i] && pl_file_is_same(in->outputs[i], dir);
    return is;
}

static platen_status walk(struct pl_inputs *in, const char *path, const char *name, int depth,
                          struct platen_error *err);

static platen_status take_entry(struct pl_inputs *in, const char *path, const char *name,
                                const struct entry *e, int depth, struct platen_error *err)
{
    const char *child = join_path(&in->arena, path, e->name);
    const char *child_name = join_path(&in->arena, name, e->name);
    if (!child || !child_name)
        return no_memory(err);
    switch (e->verdict) {
    case TAKEN:
        return pl_inputs_push(in, child, child_name, NULL, err);
    case ENTERED:
        if (!is_output(in, child))
            return walk(in, child, child_name, depth + 1, err);
        pl_passed_add(&in->passed, child, e->name, "in output directories");
        return PLATEN_OK;
    case LOST:
        return pl_inputs_push_lost(in, child, child_name, reason(e->os_errno), err);
    default:
        pl_passed_add(&in->passed, child, e->name,
                      e->verdict == PASSED_DIR ? "behind links" : NULL);
        return PLATEN_OK;
    }
}

static platen_status walk(struct pl_inputs *in, const char *path, const char *name, int depth,
                          struct platen_error *err)
{
    if (depth == MAX_DEPTH)
        return pl_inputs_push_lost(in, path, name, "nested too deeply", err);
    DIR *d = pl_io_fails() ? NULL : opendir(path);
    if (!d)
        return pl_inputs_push_lost(in, path, name, reason(errno), err);
    struct listing l = {0};
    platen_status s = list(in, d, &l, err);
    closedir(d);
    if (!s && l.os_errno)
        s = pl_inputs_push_lost(in, path, name, reason(l.os_errno), err);
    for (size_t i = 0; !s && i < l.n; i++)
        s = take_entry(in, path, name, &l.v[i], depth, err);
    pl_free(l.v);
    return s;
}

platen_status pl_inputs_walk(struct pl_inputs *in, const char *path, const char *name,
                             struct platen_error *err)
{
    return walk(in, path, name, 0, err);
}
