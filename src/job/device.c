/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/device.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NUMBER 999

static void add_notice(struct pl_device *d, const char *what, const char *why)
{
    pl_str_printf(&d->notices, "%s: %s; the processor takes its place", what, why);
    pl_str_putc(&d->notices, 0);
}

/* Reads the N of "gpu:N"; false for what is no number. */
static bool read_number(const char *text, int *ret)
{
    const size_t n = strspn(text, "0123456789");
    const long v = n && !text[n] ? strtol(text, NULL, 10) : MAX_NUMBER + 1;
    *ret = (int)PL_MIN(v, (long)MAX_NUMBER + 1);
    return v <= MAX_NUMBER;
}

platen_status pl_device_open(struct pl_device *d, const char *name, struct platen_error *err)
{
    struct platen_error why;
    int which = PL_GPU_FIRST;
    if (!name || !strcmp(name, "cpu"))
        return PLATEN_OK;
    const bool found = !strcmp(name, "auto");
    if (found)
        which = PL_GPU_DISCRETE;
    else if (strcmp(name, "gpu") && (strncmp(name, "gpu:", 4) || !read_number(name + 4, &which)))
        return pl_fail(err, PLATEN_ERR_ARG,
                       "unknown device '%.40s'; there are cpu, auto, gpu, gpu:N", name);
    if (pl_gpu_open(which, &d->gpu, &why) && !found)
        add_notice(d, "no graphics processor", why.text);
    return PLATEN_OK;
}

void pl_device_done(struct pl_device *d)
{
    pl_gpu_free(d->gpu);
    pl_str_done(&d->notices);
}

void pl_device_take(struct pl_device *d, struct pl_network *n, const char *path)
{
    struct platen_error why;
    if (d->gpu && pl_gpu_take(d->gpu, &n->g, &why))
        add_notice(d, path, why.text);
}

void pl_device_check(struct pl_device *d)
{
    const char *why;
    if (d->gpu && pl_gpu_failed(d->gpu, &why))
        add_notice(d, pl_gpu_name(d->gpu), why);
}

void pl_device_tell(struct pl_device *d, void (*notice)(void *ctx, const char *message), void *ctx)
{
    const struct pl_str *t = &d->notices;
    if (notice && t->failed)
        notice(ctx, "out of memory for what there is to say about the device");
    for (size_t i = 0; notice && !t->failed && i < t->len; i += strlen(t->s + i) + 1)
        notice(ctx, t->s + i);
    pl_str_done(&d->notices);
    d->notices = (struct pl_str){0};
}

const char *pl_device_name(const struct pl_device *d)
{
    return d->gpu ? pl_gpu_name(d->gpu) : "cpu";
}
