/* SPDX-License-Identifier: BSD-2-Clause */
/* System calls that no page needs, refused. */
#ifndef PL_BASE_SECCOMP_H
#define PL_BASE_SECCOMP_H

#include <stdbool.h>

/* Whether the kernel can filter calls of all threads at once. */
bool pl_seccomp_available(void);
/* From now on, in every thread, calls that start programs or processes, make connections, look into
 * other processes or change the system fail with EPERM, and so do executable mappings and the calls
 * of another architecture; all others are as before. Threads can be made, sockets that there are be
 * used. false and errno. */
bool pl_seccomp_deny(void);

/* From now on this process, of one thread, can compute, have memory, read and write the descriptors
 * that it has, and end; with `threads` it can make further threads. Every other call fails with
 * EPERM. false and errno. */
bool pl_seccomp_compute_only(bool threads);

#endif
