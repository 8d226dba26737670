/* SPDX-License-Identifier: BSD-2-Clause */
#include "models/models.h"

#include <string.h>
#include <unistd.h>

#include "base/system.h"
#include "config.h"
#include "models/networks.h"
#include "recognize/language/identify.h"
#include "recognize/language/language.h"
#include "spec/describe.h"

#define SUFFIX ".platen"

/* PREFIX/share/platen/models of a program in PREFIX/bin. */
static bool models_beside(struct pl_str *ret)
{
    char path[4096];
    size_t n = pl_system_program(path, sizeof(path));
    if (!n)
        return false;
    for (int parts = 0; n > 0 && parts < 2;)
        parts += path[--n] == '/';
    pl_str_printf(ret, "%.*s/share/platen/models", (int)n, path);
    return true;
}

bool pl_models_dir(const char *dirs, size_t i, struct pl_str *ret)
{
    pl_str_reset(ret);
    for (const char *p = dirs; p && *p;) {
        size_t n = strcspn(p, ":");
        if (n && i-- == 0) {
            pl_str_add(ret, p, n);
            return true;
        }
        p += n + (p[n] == ':');
    }
    const bool beside = models_beside(ret);
    if (beside && i == 0)
        return true;
    if (i > beside || (beside && !ret->failed && !strcmp(ret->s, PL_MODELS_DIR)))
        return false;
    pl_str_reset(ret);
    pl_str_puts(ret, PL_MODELS_DIR);
    return true;
}

static bool ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), k = strlen(end);
    return n > k && !strcmp(s + n - k, end);
}

static bool is_file_name(const char *model)
{
    return strchr(model, '/') || ends_in(model, SUFFIX) || ends_in(model, ".onnx");
}

platen_status pl_models_find(const char *model, const char *dirs, struct pl_str *ret,
                             struct platen_error *err)
{
    struct pl_str looked = {0};
    pl_str_reset(ret);
    if (is_file_name(model)) {
        pl_str_puts(ret, model);
        return ret->failed ? pl_fail_nomem(err, strlen(model), "a model's name") : PLATEN_OK;
    }
    bool found = false;
    for (size_t i = 0; !found && !ret->failed && pl_models_dir(dirs, i, ret); i++) {
        pl_str_printf(&looked, "%s%s", i ? ", " : "", ret->failed ? "" : ret->s);
        pl_str_printf(ret, "/%s" SUFFIX, model);
        found = !ret->failed && !access(ret->s, R_OK);
    }
    platen_status s = PLATEN_OK;
    if (ret->failed || looked.failed)
        s = pl_fail_nomem(err, ret->len, "a model's name");
    else if (!found)
        s = pl_fail(err, PLATEN_ERR_IO, "no model '%s' (looked for %s%s in %s)", model, model,
                    SUFFIX, looked.s);
    pl_str_done(&looked);
    return s;
}

/* Appends X and `end` for X.platen. */
static void put_beside(const char *path, const char *end, struct pl_str *ret)
{
    size_t n = strlen(path), k = strlen(SUFFIX);
    bool suffix = n > k && !strcmp(path + n - k, SUFFIX);
    pl_str_add(ret, path, suffix ? n - k : n);
    pl_str_puts(ret, end);
}

void pl_models_language(const char *path, struct pl_str *ret)
{
    put_beside(path, ".lm" SUFFIX, ret);
}

void pl_models_language_of(const char *path, const char *tag, struct pl_str *ret)
{
    const char *slash = strrchr(path, '/');
    pl_str_add(ret, path, slash ? (size_t)(slash - path) + 1 : 0);
    pl_str_printf(ret, "%s.lm" SUFFIX, tag);
}

void pl_models_identifier(const char *path, struct pl_str *ret)
{
    put_beside(path, ".lang" SUFFIX, ret);
}

void pl_models_quick(const char *path, struct pl_str *ret)
{
    put_beside(path, ".quick" SUFFIX, ret);
}

/* Returns the major version that the first bytes of the file tell: 1 = a language model, 3 = a
 * language identifier, anything else = a network or nothing known. */
static int version_of(const char *path)
{
    struct pl_map map;
    if (ends_in(path, ".onnx") || pl_map_open(path, PL_IR_MAX_FILE_BYTES, &map, NULL))
        return 0;
    int version = pl_container_version(map.data, map.size);
    pl_map_close(&map);
    return version;
}

/* Opens a file of any kind and describes it, unless `out` is NULL. */
static platen_status open_file(const char *path, struct pl_str *out, struct platen_error *err)
{
    pl_auto(language) l = NULL;
    pl_auto(identifier) id = NULL;
    pl_auto(network) n = NULL;
    const int version = version_of(path);
    platen_status s = version == 1   ? pl_language_open(path, &l, err)
                      : version == 3 ? pl_identifier_open(path, &id, err)
                                     : pl_network_load(path, "none", &n, err);
    if (s || !out)
        return s;
    if (l)
        pl_language_describe(l, out);
    else if (id)
        pl_identifier_describe(id, out);
    else
        pl_network_describe(n, out);
    return PLATEN_OK;
}

platen_status platen_model_describe(const char *model, const char *models, char **ret,
                                    struct platen_error *err)
{
    struct pl_str path = {0}, out = {0};
    platen_status s = PL_NEED(err, model, ret);
    s = s ? s : pl_models_find(model, models, &path, err);
    s = s ? s : open_file(path.s, &out, err);
    pl_str_done(&path);
    if (!s)
        return pl_describe_give(&out, ret, err);
    pl_str_done(&out);
    return s;
}

platen_status platen_model_verify(const char *path, struct platen_error *err)
{
    platen_status s = PL_NEED(err, path);
    return s ? s : open_file(path, NULL, err);
}
