/* SPDX-License-Identifier: BSD-2-Clause */
/* In the place of bench_quantizing.c in a build without the model tools (-Dmodel_tools=disabled).
 */
#include "bench/bench.h"

platen_status pl_bench_quantizing(const struct pl_bench_input *in, const struct pl_bench_reader *to,
                                  struct platen_error *err)
{
    (void)in, (void)to;
    return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "this build has no model tools (-Dmodel_tools)");
}
