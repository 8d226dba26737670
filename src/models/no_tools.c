/* SPDX-License-Identifier: BSD-2-Clause */
/* What stands in the place of the model tools in a build without them (-Dmodel_tools=disabled). */
#include "models/networks.h"

#include <string.h>

static platen_status refuse(struct platen_error *err)
{
    return pl_fail(err, PLATEN_ERR_UNSUPPORTED, "this build has no model tools (-Dmodel_tools)");
}

platen_status pl_network_load(const char *path, const char *passes, struct pl_network **ret,
                              struct platen_error *err)
{
    const bool plain = !passes || !strcmp(passes, "none");
    return plain ? pl_network_open(path, ret, err) : refuse(err);
}

platen_status platen_model_import(const char *onnx, const char *path,
                                  const struct platen_network_options *o,
                                  const struct platen_quantize_options *q,
                                  const struct platen_reader_options *r,
                                  const struct platen_detector_options *d, char **ret_log,
                                  char **ret_result, struct platen_error *err)
{
    (void)onnx, (void)path, (void)o, (void)q, (void)r, (void)d, (void)ret_log, (void)ret_result;
    return refuse(err);
}

platen_status platen_model_compare(const char *model, const char *against,
                                   const struct platen_network_options *o, const char *const *in,
                                   size_t n, double min_sqnr_db, char **ret, bool *ret_far,
                                   struct platen_error *err)
{
    (void)model, (void)against, (void)o, (void)in, (void)n, (void)min_sqnr_db, (void)ret;
    (void)ret_far;
    return refuse(err);
}

platen_status platen_model_run(const char *model, const struct platen_network_options *o,
                               const char *const *in, size_t n, const char *out,
                               struct platen_error *err)
{
    (void)model, (void)o, (void)in, (void)n, (void)out;
    return refuse(err);
}

platen_status platen_model_onnx_test(const char *dir, const struct platen_network_options *o,
                                     void (*fn)(void *ctx, const char *test, enum platen_verdict v,
                                                const char *why),
                                     void *ctx, struct platen_error *err)
{
    (void)dir, (void)o, (void)fn, (void)ctx;
    return refuse(err);
}
