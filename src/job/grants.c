/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells the sandbox which files a job reads and writes. */
#include "base/sandbox.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/dir.h"
#include "base/seccomp.h"
#include "codec/cell.h"
#include "host/host.h"
#include "job/job.h"

#define MAX_LINKS 4096 /* that have a rule each; where there are more, everything may be read */

/* Allows a directory; it is made if pages will be written there. */
static platen_status allow_directory(struct pl_sandbox *sb, const struct platen_job *job,
                                     const char *dir, struct platen_error *err)
{
    struct pl_str inside = {0};
    platen_status s = PLATEN_OK;
    if (!dir)
        return s;
    pl_str_printf(&inside, "%s/.", dir);
    if (inside.failed)
        s = pl_fail_nomem(err, strlen(dir), "a name");
    else if ((job->source.settled.n || job->o.frames) && !job->o.manifest)
        s = pl_dir_make_parents(inside.s, err);
    pl_str_done(&inside);
    return s ? s : pl_sandbox_allow(sb, dir, PL_LANDLOCK_WRITE, err);
}

/* Allows the directory of a file, which is made beside its name and renamed; a pipe or a device is
 * allowed itself. */
static platen_status allow_file(struct pl_sandbox *sb, const char *path,
                                enum pl_landlock_grant grant, struct platen_error *err)
{
    struct stat st;
    struct pl_str dir = {0};
    if (!path)
        return PLATEN_OK;
    if (!stat(path, &st) && !S_ISREG(st.st_mode) && grant == PL_LANDLOCK_WRITE)
        return pl_sandbox_allow(sb, path, grant, err);
    const char *slash = strrchr(path, '/');
    pl_str_add(&dir, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
    platen_status s =
        dir.failed ? pl_fail_nomem(err, strlen(path), "a name") : pl_dir_make_parents(path, err);
    s = s ? s : pl_sandbox_allow(sb, dir.s, grant, err);
    pl_str_done(&dir);
    return s;
}

static platen_status allow_outputs(struct pl_sandbox *sb, const struct platen_job *job,
                                   struct platen_error *err)
{
    const struct platen_options *o = &job->o;
    platen_status s = allow_directory(sb, job, o->output_dir, err);
    s = s ? s : allow_directory(sb, job, o->steps_dir, err);
    s = s || o->output_dir ? s : allow_file(sb, o->output_file, PL_LANDLOCK_WRITE, err);
    s = s ? s : allow_file(sb, o->passed_over, PL_LANDLOCK_WRITE, err);
    return s ? s : allow_file(sb, o->manifest, PL_LANDLOCK_WRITE, err);
}

/* A link found below a directory may lead elsewhere: its target has a rule. */
static platen_status allow_links(struct pl_sandbox *sb, const struct pl_inputs *in,
                                 struct platen_error *err)
{
    struct stat st;
    size_t n = 0;
    platen_status s = PLATEN_OK;
    for (size_t i = 0; !s && i < in->n && n <= MAX_LINKS; i++)
        if (!lstat(in->v[i].path, &st) && S_ISLNK(st.st_mode))
            s = pl_sandbox_allow(sb, n++ < MAX_LINKS ? in->v[i].path : "/", PL_LANDLOCK_READ, err);
    return s;
}

/* Models that are opened when they are needed. */
static platen_status allow_models(struct pl_sandbox *sb, const struct platen_job *job,
                                  struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    for (size_t i = 0; i < job->further.models.n && !s; i++) {
        const struct pl_further_model *m = &job->further.v[i];
        s = pl_sandbox_allow(sb, m->path.s, PL_LANDLOCK_READ, err);
        if (!s && m->language_path.len)
            s = pl_sandbox_allow(sb, m->language_path.s, PL_LANDLOCK_READ, err);
    }
    for (size_t i = 0; i < job->languages.n && !s; i++)
        s = pl_sandbox_allow(sb, job->languages.v[i].path.s, PL_LANDLOCK_READ, err);
    return s;
}

static platen_status allow_inputs(struct pl_sandbox *sb, const struct platen_job *job,
                                  struct platen_error *err)
{
    const struct pl_str *roots = &job->roots;
    platen_status s = PLATEN_OK;
    if (job->lists) /* names may be anywhere, and too many for a rule each */
        return pl_sandbox_allow(sb, "/", PL_LANDLOCK_READ, err);
    for (size_t i = 0; !s && i < roots->len; i += strlen(roots->s + i) + 1)
        if (strcmp(roots->s + i, "-"))
            s = pl_sandbox_allow(sb, roots->s + i, PL_LANDLOCK_READ, err);
    return s ? s : allow_links(sb, &job->source.settled, err);
}

platen_status platen_sandbox_enter(struct platen_job *job, enum platen_sandbox_mode mode,
                                   const char *removes, struct platen_error *err)
{
    struct pl_sandbox sb;
    if (mode == PLATEN_SANDBOX_OFF)
        return PLATEN_OK;
    platen_status s = PL_NEED(err, job);
    s = s ? s : pl_job_settle(job, err);
    if (s)
        return s;
    s = pl_sandbox_begin(&sb, mode == PLATEN_SANDBOX_REQUIRE, err);
    s = s ? s : allow_inputs(&sb, job, err);
    s = s ? s : allow_models(&sb, job, err);
    s = s ? s : allow_outputs(&sb, job, err);
    s = s ? s : allow_file(&sb, removes, PL_LANDLOCK_REMOVE, err);
    if (!s)
        job->status_fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    s = s ? s : pl_sandbox_enter(&sb, err);
    pl_sandbox_done(&sb);
    return s;
}

const char *platen_sandbox_in_force(void)
{
    static char text[48];
    int abi = pl_sandbox_landlock();
    if (!abi)
        return pl_sandbox_seccomp() ? "seccomp" : "off";
    snprintf(text, sizeof(text), "landlock %d%s", abi, pl_sandbox_seccomp() ? ", seccomp" : "");
    return text;
}

#define PICTURE_MS 60000 /* that a picture may take, and 5 seconds more for each megabyte */

platen_status platen_isolate(enum platen_isolation what, int pictures, struct platen_error *err)
{
    const struct pl_cells_options o = {.n = pictures,
                                       .max_bytes = pl_host_memory_bytes(),
                                       .unbounded = what == PLATEN_ISOLATE_PDF,
                                       .time_ms = PICTURE_MS};
    if (what != PLATEN_ISOLATE_NONE && pictures > 0)
        return pl_cells_start(&o, pl_cell_helper, err);
    pl_cells_stop();
    return PLATEN_OK;
}
