#include <string.h>

#include "detect/lines.h"

const struct pl_detect_op *const pl_detect_ops[] = {&pl_detect_lines, &pl_detect_regions,
                                                    &pl_detect_line, &pl_detect_db, NULL};

const struct pl_detect_op *pl_detect_find(const char *name, size_t n)
{
    for (const struct pl_detect_op *const *op = pl_detect_ops; *op; op++)
        if (strlen((*op)->info.name) == n && !memcmp((*op)->info.name, name, n))
            return *op;
    return NULL;
}
