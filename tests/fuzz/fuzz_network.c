/* SPDX-License-Identifier: BSD-2-Clause */
/* Model files of imported networks: whatever opens must describe itself and run, on small inputs,
 * or be refused with a reason. */
#include <stdlib.h>

#include "checksummed.h"
#include "nn/graph_file.h"
#include "run_network.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void try_bytes(const uint8_t *data, size_t n)
{
    struct platen_error err = {0};
    struct pl_network *net = NULL;
    if (pl_network_open_memory(data, n, &net, &err)) {
        if (!err.text[0])
            abort();
        return;
    }
    struct pl_str text = {0};
    pl_network_describe(net, &text);
    pl_str_done(&text);
    run_network(&net->g);
    pl_network_free(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    return try_checksummed(data, n, try_bytes);
}
