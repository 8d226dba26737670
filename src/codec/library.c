/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static bool load(struct pl_library *l)
{
    void *handle = dlopen(l->soname, RTLD_NOW | RTLD_LOCAL);
    bool all = handle;
    for (size_t i = 0; all && i < l->n_functions; i++) {
        void *f = dlsym(handle, l->functions[i].name);
        all = f;
        memcpy((char *)l->table + l->functions[i].at, &f, sizeof(f));
    }
    if (!all) /* the library's name stands in it */
        snprintf(l->reason, sizeof(l->reason), "%s", dlerror());
    else if (l->begin)
        l->begin();
    return all;
}

platen_status pl_library_load(struct pl_library *l, struct platen_error *err)
{
    pthread_mutex_lock(&l->lock);
    if (!l->tried)
        l->loaded = load(l);
    l->tried = true;
    pthread_mutex_unlock(&l->lock);
    return l->loaded ? PLATEN_OK
                     : pl_fail(err, PLATEN_ERR_UNSUPPORTED, "unable to load the library for %s: %s",
                               l->format, l->reason);
}
