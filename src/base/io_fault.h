/* SPDX-License-Identifier: BSD-2-Clause */
/* Fault injection for tests: a chosen system call of map.c, records.c or file.c fails. */
#ifndef PL_BASE_IO_FAULT_H
#define PL_BASE_IO_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* The n-th open, read or write from now fails with os_errno (1 = the next; 0 = none). */
void pl_io_fail_at(uint64_t n, int os_errno);
/* Whether this call is the one that a test wants to fail; errno is set then. */
bool pl_io_fails(void);

#endif
