/* Model files of imported networks: whatever opens must describe itself and run, on small inputs,
 * or be refused with a reason. */
#include <stdlib.h>
#include <string.h>

#include "../model_bytes.h"
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
    run_network(&net->g, false);
    pl_network_free(net);
}

/* Once as the bytes are, once with their checksums put right: else no mutation gets past them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    uint8_t *copy = aligned_alloc(64, (n + 64) & ~(size_t)63);
    if (!copy)
        return 0;
    memcpy(copy, data, n);
    try_bytes(copy, n);
    fix_checksums(copy, n);
    if (memcmp(copy, data, n))
        try_bytes(copy, n);
    free(copy);
    return 0;
}
