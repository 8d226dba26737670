/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the networks of a job run: on the processor, or on a graphics processor as far as that can.
 */
#ifndef PL_JOB_DEVICE_H
#define PL_JOB_DEVICE_H

#include "gpu/gpu.h"
#include "nn/graph_file.h"

/* One that is all zero is the processor. */
struct pl_device {
    struct pl_gpu *gpu;    /* NULL = the processor */
    struct pl_str notices; /* what the caller is to be told, each ended by a zero */
};

/* Opens what an option names: NULL, "cpu", "auto", "gpu" or "gpu:N". PLATEN_ERR_ARG for another
 * name. Where there is no such device a notice says why, and the processor is taken; "auto" takes
 * it without a notice. */
PL_MUST_USE platen_status pl_device_open(struct pl_device *d, const char *name,
                                         struct platen_error *err);
/* All sessions are gone before. */
void pl_device_done(struct pl_device *d);

/* Lets the device run a network, before there are sessions of it; where it cannot, a notice says
 * why. Not from several threads at once. */
void pl_device_take(struct pl_device *d, struct pl_network *n, const char *path);
/* Adds a notice where the device has failed. */
void pl_device_check(struct pl_device *d);
/* Calls `notice`, which may be NULL, with what is to be told; then it is forgotten. */
void pl_device_tell(struct pl_device *d, void (*notice)(void *ctx, const char *message), void *ctx);

/* "cpu", or the name that its driver gives it. */
const char *pl_device_name(const struct pl_device *d);

#endif
