/* SPDX-License-Identifier: BSD-2-Clause */
/* ONNX files: whatever opens must run, on small inputs, or be refused with a reason; as it is, and
 * behind all passes, which must find nothing to refuse. A file beside them holds data. */
#include <stdio.h>
#include <stdlib.h>

#include "compile/pass.h"
#include "onnx/onnx.h"
#include "run_network.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static char folder[] = "/tmp/platen-fuzz-onnx-XXXXXX", model[64], beside_it[64];

static void remove_folder(void)
{
    remove(beside_it);
    remove(folder);
}

/* Returns the path of a model in a folder with one file `d` of 64 bytes, made at the first call. */
static const char *model_in_folder(void)
{
    static const uint8_t bytes[64] = {[2] = 0x80, 0x3f}; /* begins with a 1 */
    if (model[0])
        return model;
    if (!mkdtemp(folder))
        abort();
    atexit(remove_folder);
    snprintf(model, sizeof(model), "%s/m.onnx", folder);
    snprintf(beside_it, sizeof(beside_it), "%s/d", folder);
    FILE *f = fopen(beside_it, "wb");
    if (!f || fwrite(bytes, 1, sizeof(bytes), f) != sizeof(bytes) || fclose(f))
        abort();
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    for (int passes = 0; passes < 2; passes++) {
        struct platen_error err = {0};
        struct pl_ir g;
        pl_ir_init(&g);
        struct pl_beside beside = {.model = model_in_folder()};
        platen_status s = pl_onnx_read(data, n, &beside, &g, &err);
        if (s ? !err.text[0] : passes && pl_optimize(&g, PL_PASS_ALL, NULL, &err))
            abort();
        if (!s)
            run_network(&g);
        for (size_t i = 0; i < beside.n; i++)
            pl_map_close(&beside.maps[i]);
        pl_ir_done(&g);
    }
    return 0;
}
