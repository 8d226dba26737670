/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/sized.h"

#include <string.h>

/* No struct of platen.h comes near this: a larger size was never set. */
#define MAX_BYTES ((size_t)1 << 16)

static size_t size_of(const void *s)
{
    size_t bytes;
    memcpy(&bytes, s, sizeof(bytes));
    return bytes;
}

platen_status pl_sized_check(const void *s, const char *what, struct platen_error *err)
{
    const size_t bytes = size_of(s);
    if (bytes >= sizeof(bytes) && bytes <= MAX_BYTES)
        return PLATEN_OK;
    return pl_fail(err, PLATEN_ERR_ARG, "the size of a struct %s is not set", what);
}

platen_status pl_sized_take(void *to, size_t known_bytes, const void *from, const char *what,
                            struct platen_error *err)
{
    const char *bytes = from;
    platen_status s = pl_sized_check(from, what, err);
    if (s)
        return s;
    const size_t n = size_of(from);
    for (size_t i = known_bytes; i < n; i++)
        if (bytes[i])
            return pl_fail(err, PLATEN_ERR_ARG,
                           "a struct %s has a member set that this version of the library does not "
                           "know",
                           what);
    memcpy(to, from, PL_MIN(n, known_bytes));
    memcpy(to, &known_bytes, sizeof(known_bytes));
    return PLATEN_OK;
}

void pl_sized_give(void *to, const void *from, size_t known_bytes)
{
    const size_t n = size_of(to), common = PL_MIN(n, known_bytes);
    memcpy(to, from, common);
    memset((char *)to + common, 0, n - common);
    memcpy(to, &n, sizeof(n));
}
