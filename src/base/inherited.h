/* SPDX-License-Identifier: BSD-2-Clause */
/* What processes that help this one keep open of it. */
#ifndef PL_BASE_INHERITED_H
#define PL_BASE_INHERITED_H

#include <stddef.h>

/* Closes all descriptors from 3 on but those n: a listening socket, for one, stays open as long as
 * any process has it. */
void pl_close_all_but(const int *kept, size_t n);

#endif
