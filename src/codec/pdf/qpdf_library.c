/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/qpdf_library.h"

#include <stddef.h>

#include "codec/library.h"
#include "config.h"

struct pl_qpdf pl_qpdf;

static const struct pl_library_function functions[] = {
#define FUNCTION(name) {"qpdf_" #name, offsetof(struct pl_qpdf, name)},
    PL_QPDF_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

static struct pl_library library = {.soname = PL_QPDF_SONAME,
                                    .format = "pdf",
                                    .functions = functions,
                                    .n_functions = PL_ARRAY_LEN(functions),
                                    .table = &pl_qpdf,
                                    .lock = PTHREAD_MUTEX_INITIALIZER};

platen_status pl_qpdf_load(struct platen_error *err)
{
    return pl_library_load(&library, err);
}
