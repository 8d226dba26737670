/* SPDX-License-Identifier: BSD-2-Clause */
/* base/map.h where there are no files, bytes in memory alone, and what is asked of base/system.h.
 */
#include <string.h>

#include "base/map.h"
#include "base/system.h"

const char *pl_system_error(int number)
{
    return strerror(number);
}

static platen_status no_files(struct platen_error *err)
{
    return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "this module opens no files");
}

platen_status pl_map_open(const char *path PL_UNUSED, size_t max_bytes PL_UNUSED,
                          struct pl_map *ret PL_UNUSED, struct platen_error *err)
{
    return no_files(err);
}

platen_status pl_map_read(const char *path PL_UNUSED, size_t max_bytes PL_UNUSED,
                          struct pl_map *ret PL_UNUSED, struct platen_error *err)
{
    return no_files(err);
}

struct pl_map pl_map_borrow(const void *data, size_t n)
{
    return (struct pl_map){.data = data, .size = n, .kind = PL_MAP_BORROWED};
}

void pl_map_close(struct pl_map *m)
{
    *m = (struct pl_map){0};
}
