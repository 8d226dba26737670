/* SPDX-License-Identifier: BSD-2-Clause */
/* ONNX files: whatever opens must run, on small inputs, or be refused with a reason; as it is, and
 * behind all passes, which must find nothing to refuse. */
#include <stdlib.h>

#include "compile/pass.h"
#include "onnx/onnx.h"
#include "run_network.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    for (int passes = 0; passes < 2; passes++) {
        struct platen_error err = {0};
        struct pl_ir g;
        pl_ir_init(&g);
        platen_status s = pl_onnx_read(data, n, &g, &err);
        if (s ? !err.text[0] : passes && pl_optimize(&g, PL_PASS_ALL, NULL, &err))
            abort();
        if (!s)
            run_network(&g);
        pl_ir_done(&g);
    }
    return 0;
}
