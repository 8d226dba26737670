/* SPDX-License-Identifier: BSD-2-Clause */
#include "detect/lines.h"

const struct pl_op_info *const pl_detect_ops[] = {
    &pl_detect_lines.info, &pl_detect_regions.info, &pl_detect_line.info, &pl_detect_db.info, NULL,
};
