/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/heif/heif_library.h"

#include <stddef.h>

#include "codec/library.h"
#include "config.h"

struct pl_heif pl_heif;

static const struct pl_library_function functions[] = {
#define FUNCTION(name) {"heif_" #name, offsetof(struct pl_heif, name)},
    PL_HEIF_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/* Decoders that cannot be loaded are told by the file that needs one. */
static void load_decoders(void)
{
    (void)pl_heif.init(NULL);
}

static struct pl_library library = {.soname = PL_HEIF_SONAME,
                                    .format = "heif",
                                    .functions = functions,
                                    .n_functions = PL_ARRAY_LEN(functions),
                                    .table = &pl_heif,
                                    .begin = load_decoders,
                                    .lock = PTHREAD_MUTEX_INITIALIZER};

platen_status pl_heif_load(struct platen_error *err)
{
    return pl_library_load(&library, err);
}
