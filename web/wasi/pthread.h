/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads where there is one: wasi-libc has the types of POSIX threads and no functions. Locks are
 * free at all times, and no thread can be made. */
#ifndef PL_WEB_PTHREAD_H
#define PL_WEB_PTHREAD_H

#define __NEED_pthread_t
#define __NEED_pthread_attr_t
#define __NEED_pthread_mutex_t
#define __NEED_pthread_mutexattr_t
#define __NEED_pthread_cond_t
#define __NEED_pthread_condattr_t
#define __NEED_pthread_once_t
#include <bits/alltypes.h>

#include <errno.h>
#include <time.h>

#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_INITIALIZER                                                                  \
    {                                                                                              \
        {                                                                                          \
            {                                                                                      \
                0                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
#define PTHREAD_COND_INITIALIZER                                                                   \
    {                                                                                              \
        {                                                                                          \
            {                                                                                      \
                0                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

#define PL_WEB_NOTHING(name, ...)                                                                  \
    static inline int name(__VA_ARGS__)                                                            \
    {                                                                                              \
        return 0;                                                                                  \
    }
PL_WEB_NOTHING(pthread_mutex_init, pthread_mutex_t *m, const pthread_mutexattr_t *a)
PL_WEB_NOTHING(pthread_mutex_destroy, pthread_mutex_t *m)
PL_WEB_NOTHING(pthread_mutex_lock, pthread_mutex_t *m)
PL_WEB_NOTHING(pthread_mutex_unlock, pthread_mutex_t *m)
PL_WEB_NOTHING(pthread_cond_init, pthread_cond_t *c, const pthread_condattr_t *a)
PL_WEB_NOTHING(pthread_cond_destroy, pthread_cond_t *c)
PL_WEB_NOTHING(pthread_cond_signal, pthread_cond_t *c)
PL_WEB_NOTHING(pthread_cond_broadcast, pthread_cond_t *c)
PL_WEB_NOTHING(pthread_condattr_init, pthread_condattr_t *a)
PL_WEB_NOTHING(pthread_condattr_destroy, pthread_condattr_t *a)
PL_WEB_NOTHING(pthread_condattr_setclock, pthread_condattr_t *a, clockid_t c)
#undef PL_WEB_NOTHING

static inline int pthread_once(pthread_once_t *once, void (*init)(void))
{
    if (!*once) {
        *once = 1;
        init();
    }
    return 0;
}

#endif
