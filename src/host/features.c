/* SPDX-License-Identifier: BSD-2-Clause */
/* `platen detect-features`: one walk over the facts, written as text or as JSON. */
#include <cjson/cJSON.h>
#include <dirent.h>
#include <isa-l.h>
#include <libdeflate.h>
#include <png.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h> /* wants stdio.h before it */

#include "base/map.h"
#include "base/sandbox.h"
#include "base/seccomp.h"
#include "config.h"
#include "gpu/gpu.h"
#include "spec/describe.h"
#include "host/host.h"
#include "models/models.h"
#include "simd/cpu.h"

#define MAX_MODEL_BYTES ((size_t)1 << 30)
#define STRINGIFY_(x) #x
#define STRINGIFY(x) STRINGIFY_(x)

const char *platen_version(void)
{
    return PL_VERSION;
}

/* Nested keys and values in one of the two forms. */
struct doc {
    enum platen_form form;
    struct pl_str *out;
    int depth;
    bool first; /* nothing was written at this depth yet */
};

static void key(struct doc *d, const char *name)
{
    if (d->form == PLATEN_FORM_JSON) {
        pl_str_printf(d->out, "%s\n%*s", d->first ? "" : ",", 2 * d->depth, "");
        pl_str_json(d->out, name, strlen(name));
        pl_str_puts(d->out, ": ");
    } else {
        pl_str_printf(d->out, "%*s%-*s ", 2 * (d->depth - 1), "", 18 - 2 * (d->depth - 1), name);
    }
    d->first = false;
}

static void end_value(struct doc *d)
{
    if (d->form == PLATEN_FORM_TEXT)
        pl_str_putc(d->out, '\n');
}

static void put_text(struct doc *d, const char *name, const char *value)
{
    key(d, name);
    if (d->form == PLATEN_FORM_JSON)
        pl_str_json(d->out, value, strlen(value));
    else
        pl_str_puts(d->out, value);
    end_value(d);
}

static void put_number(struct doc *d, const char *name, double value)
{
    key(d, name);
    pl_str_number(d->out, value, 2);
    end_value(d);
}

static void open_group(struct doc *d, const char *name)
{
    if (name && d->form == PLATEN_FORM_TEXT)
        pl_str_printf(d->out, "%*s%s\n", 2 * (d->depth - 1), "", name);
    else if (name)
        key(d, name);
    if (d->form == PLATEN_FORM_JSON)
        pl_str_putc(d->out, '{');
    d->depth++;
    d->first = true;
}

static void close_group(struct doc *d)
{
    d->depth--;
    d->first = false;
    if (d->form == PLATEN_FORM_JSON)
        pl_str_printf(d->out, "\n%*s}", 2 * d->depth, "");
}

static void put_isas(struct doc *d, enum pl_isa chosen)
{
    open_group(d, "isa");
    put_text(d, "chosen", pl_isa_name(chosen));
    for (unsigned i = 0; i < PL_ISA_COUNT; i++) {
        enum pl_isa isa = (enum pl_isa)i;
        put_text(d, pl_isa_name(isa),
                 pl_isa_available(isa) ? "available"
                 : pl_cpu_has(isa)     ? "not in this build"
                                       : "not on this machine");
    }
    close_group(d);
}

static void put_caches(struct doc *d)
{
    static const struct {
        const char *name;
        int level, number; /* of sysconf(), where the system has nothing better */
    } caches[] = {{"l1d_bytes", 1, _SC_LEVEL1_DCACHE_SIZE},
                  {"l2_bytes", 2, _SC_LEVEL2_CACHE_SIZE},
                  {"l3_bytes", 3, _SC_LEVEL3_CACHE_SIZE}};
    open_group(d, "caches");
    for (size_t i = 0; i < PL_ARRAY_LEN(caches); i++) {
        uint64_t told = pl_host_cache_bytes(PL_HOST_CORE, caches[i].level);
        double bytes = told ? (double)told : (double)sysconf(caches[i].number);
        if (bytes > 0)
            put_number(d, caches[i].name, bytes);
    }
    close_group(d);
}

static void put_cores(struct doc *d)
{
    double share = pl_host_share();
    open_group(d, "cores");
    put_number(d, "online", (double)sysconf(_SC_NPROCESSORS_ONLN));
    put_number(d, "affinity", pl_host_affinity());
    if (share > 0)
        put_number(d, "cgroup_share", share);
    else
        put_text(d, "cgroup_share", "unlimited");
    put_number(d, "threads", platen_cores());
    close_group(d);
}

static void put_kernels(struct doc *d, enum pl_isa chosen)
{
    struct pl_kernels k;
    pl_kernels_init(&k, chosen);
    open_group(d, "kernels");
    for (unsigned i = 0; i < PL_KERNEL_COUNT; i++)
        put_text(d, pl_kernel_name((enum pl_kernel_id)i),
                 pl_isa_name(pl_kernel_body(&k, (enum pl_kernel_id)i)));
    close_group(d);
}

static void put_model(struct doc *d, const char *path)
{
    struct pl_map map;
    char hex[SHA256_DIGEST_STRING_LENGTH];
    if (pl_map_open(path, MAX_MODEL_BYTES, &map, NULL))
        return;
    open_group(d, path);
    put_number(d, "bytes", (double)map.size);
    put_text(d, "sha256", SHA256Data(map.data, map.size, hex));
    close_group(d);
    pl_map_close(&map);
}

static int is_model(const struct dirent *e)
{
    size_t n = strlen(e->d_name);
    return n > 7 && !strcmp(e->d_name + n - 7, ".platen");
}

static void put_models(struct doc *d, const char *models)
{
    struct pl_str dir = {0}, path = {0};
    open_group(d, "models");
    for (size_t i = 0; pl_models_dir(models, i, &dir); i++) {
        struct dirent **v = NULL;
        int n = dir.failed ? 0 : scandir(dir.s, &v, is_model, alphasort);
        for (int j = 0; j < n; j++) {
            pl_str_reset(&path);
            pl_str_printf(&path, "%s/%s", dir.s, v[j]->d_name);
            if (!path.failed)
                put_model(d, path.s);
            free(v[j]);
        }
        free(v);
    }
    close_group(d);
    pl_str_done(&dir);
    pl_str_done(&path);
}

struct device_list {
    struct doc *d;
    int n;
};

static void put_device(void *ctx, const struct pl_gpu_info *info)
{
    struct device_list *l = ctx;
    char number[16];
    snprintf(number, sizeof(number), "gpu:%d", l->n++);
    open_group(l->d, number);
    put_text(l->d, "name", info->name);
    put_text(l->d, "type", info->kind);
    put_text(l->d, "driver", info->driver);
    put_number(l->d, "memory_bytes", (double)info->bytes);
    close_group(l->d);
}

/* What --device may name. */
static void put_devices(struct doc *d)
{
    struct device_list l = {.d = d};
    struct platen_error err;
    open_group(d, "devices");
    if (pl_gpu_list(put_device, &l, &err))
        put_text(d, "none", err.text);
    close_group(d);
}

/* What --sandbox auto puts in force here. */
static void put_sandbox(struct doc *d)
{
    int abi = pl_sandbox_built() ? pl_landlock_abi() : 0;
    bool calls = pl_sandbox_built() && pl_seccomp_available();
    open_group(d, "sandbox");
    put_number(d, "landlock", abi);
    put_text(d, "files", abi ? "yes" : "no");
    put_text(d, "network", abi >= 4 || calls ? "yes" : "no");
    put_text(d, "signals", abi >= 6 ? "yes" : "no");
    put_text(d, "seccomp", calls ? "yes" : "no");
    close_group(d);
}

static void put_build(struct doc *d)
{
    open_group(d, "build");
    put_text(d, "version", PL_VERSION);
    put_text(d, "type", PL_BUILD_TYPE);
    put_text(d, "compiler", __VERSION__);
    put_text(d, "model_tools", PL_MODEL_TOOLS ? "yes" : "no");
    close_group(d);
    open_group(d, "libraries");
    put_text(d, "libpng", png_get_libpng_ver(NULL));
#ifdef LIBJPEG_TURBO_VERSION
    put_text(d, "libjpeg-turbo", STRINGIFY(LIBJPEG_TURBO_VERSION));
#else
    put_text(d, "libjpeg", STRINGIFY(JPEG_LIB_VERSION));
#endif
    put_text(d, "libdeflate", LIBDEFLATE_VERSION_STRING);
    put_text(d, "isa-l",
             STRINGIFY(ISAL_MAJOR_VERSION) "." STRINGIFY(ISAL_MINOR_VERSION) "." STRINGIFY(
                 ISAL_PATCH_VERSION));
    put_text(d, "libtiff", PL_LIB_TIFF);
    put_text(d, "libwebp", PL_LIB_WEBP);
    put_text(d, "openjpeg", PL_LIB_JP2);
    put_text(d, "qpdf", PL_LIB_PDF);
    put_text(d, "libheif", PL_LIB_HEIF);
    put_text(d, "fribidi", PL_LIB_BIDI);
    put_text(d, "cjson", cJSON_Version());
    close_group(d);
}

platen_status platen_features_describe(const char *isa, const char *models, enum platen_form form,
                                       char **ret, struct platen_error *err)
{
    enum pl_isa chosen = pl_isa_best();
    platen_status s = PL_NEED(err, ret);
    if (!s && isa)
        s = pl_isa_choose(isa, &chosen, err);
    if (s)
        return s;
    struct pl_str out = {0}, cpu = {0};
    struct doc d = {form, &out, 0, true};
    pl_host_cpu_name(&cpu);
    open_group(&d, NULL);
    put_text(&d, "cpu", cpu.failed ? "unknown" : cpu.s);
    pl_str_done(&cpu);
    put_isas(&d, chosen);
    put_cores(&d);
    put_caches(&d);
    put_number(&d, "page_size_bytes", (double)sysconf(_SC_PAGESIZE));
    put_kernels(&d, chosen);
    put_models(&d, models);
    put_devices(&d);
    put_sandbox(&d);
    put_build(&d);
    close_group(&d);
    if (form == PLATEN_FORM_JSON)
        pl_str_putc(&out, '\n');
    return pl_describe_give(&out, ret, err);
}
