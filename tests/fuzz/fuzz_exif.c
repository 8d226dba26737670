/* SPDX-License-Identifier: BSD-2-Clause */
/* EXIF: whatever the bytes are, the three facts that come out are in their ranges. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "codec/exif.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static bool is_resolution(float dpi)
{
    return isfinite(dpi) && dpi >= 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct pl_exif e = pl_exif_parse(data, n);
    if (e.orientation < 1 || e.orientation > 8 || !is_resolution(e.dpi_x) ||
        !is_resolution(e.dpi_y))
        abort();
    return 0;
}
