/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays of NumPy: whatever opens has a shape whose elements are the last bytes of the file. */
#include <stdlib.h>
#include <string.h>

#include "onnx/npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(const uint8_t *file, size_t n, const struct pl_tensor *t)
{
    size_t elements = 1;
    for (int i = 0; i < t->rank; i++) {
        if (t->dims[i] < 0)
            abort();
        elements *= (size_t)t->dims[i];
    }
    if (elements * pl_dtype_bytes(t->type) != pl_tensor_bytes(t) ||
        (const uint8_t *)t->data + pl_tensor_bytes(t) != file + n)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct platen_error err = {0};
    struct pl_tensor t;
    void *copy = NULL; /* aligned as a mapped file is */
    if (posix_memalign(&copy, 64, n ? n : 1))
        return 0;
    memcpy(copy, data, n);
    if (!pl_npy_read(copy, n, &t, &err))
        check(copy, n, &t);
    else if (!err.text[0])
        abort();
    free(copy);
    return 0;
}
