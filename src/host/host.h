/* SPDX-License-Identifier: BSD-2-Clause */
/* What this machine gives to this process. */
#ifndef PL_HOST_HOST_H
#define PL_HOST_HOST_H

#include "base/status.h"
#include "base/text.h"
#include "simd/kernels.h"

/* Seconds of the monotonic clock. */
double pl_host_seconds(void);

/* Cores in the affinity mask of this process. */
int pl_host_affinity(void);

/* The cores' worth of time that the cgroup allows, the least along its path to the root; 0 = no
 * limit. Reads cpu.max (version 2) or cpu.cfs_quota_us (version 1). `proc` is the text of
 * /proc/self/cgroup and `root` is /sys/fs/cgroup; tests give others. */
double pl_host_cgroup_share(const char *proc, const char *root);
/* The share of this process. */
double pl_host_share(void);

/* The same of memory, in bytes: memory.max and memory.high, or memory.limit_in_bytes. */
double pl_host_cgroup_memory(const char *proc, const char *root);
/* Bytes that this process may use: the limit of its control group, or all of the machine's. */
uint64_t pl_host_memory_bytes(void);

/* The size of a data cache of one core, from 1 (the nearest); 0 = not told. Not sysconf(): of AMD's
 * third level that gives the sum of all. `root` is the directory of a core, PL_HOST_CORE; tests
 * give others. */
#define PL_HOST_CORE "/sys/devices/system/cpu/cpu0"
uint64_t pl_host_cache_bytes(const char *root, int level);

/* Most that this program had in memory at once. Not getrusage(): what the parent had before it
 * began the program counts there. status_fd: /proc/self/status, opened before; -1 = not yet. */
uint64_t pl_host_peak_bytes(int status_fd);

/* The processor's name, or "unknown". */
void pl_host_cpu_name(struct pl_str *ret);

#endif
