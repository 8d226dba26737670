/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of a call about networks: passes and kernels. */
#include "models/networks.h"

#include "base/sized.h"
#include "simd/cpu.h"

platen_status pl_network_settings(const struct platen_network_options *o, const char **ret_passes,
                                  struct pl_kernels *ret, struct platen_error *err)
{
    struct platen_network_options own = {.passes = NULL};
    enum pl_isa isa = pl_isa_best();
    platen_status s =
        o ? pl_sized_take(&own, sizeof(own), o, "platen_network_options", err) : PLATEN_OK;
    if (!s && own.isa)
        s = pl_isa_choose(own.isa, &isa, err);
    if (s)
        return s;
    *ret_passes = own.passes;
    pl_kernels_init(ret, isa);
    return PLATEN_OK;
}
