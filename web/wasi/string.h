/* SPDX-License-Identifier: BSD-2-Clause */
/* <string.h> with the one function of glibc that wasi-libc lacks. */
#ifndef PL_WEB_STRING_H
#define PL_WEB_STRING_H

#include_next <string.h>

static inline const char *strerrordesc_np(int number)
{
    return strerror(number);
}

#endif
