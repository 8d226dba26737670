/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/qpdf_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "config.h"

struct pl_qpdf pl_qpdf;

/* What became of loading. It is tried once: what failed leaves no second way. */
static struct {
    pthread_once_t once;
    bool loaded;
    char reason[200];
} library = {.once = PTHREAD_ONCE_INIT};

static const struct {
    const char *name;
    size_t at;
} functions[] = {
#define FUNCTION(name) {"qpdf_" #name, offsetof(struct pl_qpdf, name)},
    PL_QPDF_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

static void load(void)
{
    void *handle = dlopen(PL_QPDF_SONAME, RTLD_NOW | RTLD_LOCAL);
    library.loaded = handle;
    for (size_t i = 0; library.loaded && i < PL_ARRAY_LEN(functions); i++) {
        void *f = dlsym(handle, functions[i].name);
        library.loaded = f;
        memcpy((char *)&pl_qpdf + functions[i].at, &f, sizeof(f));
    }
    if (!library.loaded) /* the library's name stands in it */
        snprintf(library.reason, sizeof(library.reason), "%s", dlerror());
}

platen_status pl_qpdf_load(struct platen_error *err)
{
    pthread_once(&library.once, load);
    return library.loaded ? PLATEN_OK
                          : pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                                    "unable to load the library for pdf: %s", library.reason);
}
