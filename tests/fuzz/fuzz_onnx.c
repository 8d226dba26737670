/* ONNX files: whatever opens must run, on small inputs, or be refused with a reason. */
#include <stdlib.h>

#include "onnx/onnx.h"
#include "run_network.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    for (int passes = 0; passes < 2; passes++) {
        struct platen_error err = {0};
        struct pl_ir g;
        pl_ir_init(&g);
        if (!pl_onnx_read(data, n, &g, &err))
            run_network(&g, passes);
        else if (!err.text[0])
            abort();
        pl_ir_done(&g);
    }
    return 0;
}
