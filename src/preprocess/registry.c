#include "preprocess/ops.h"

#include <string.h>

const struct pl_preprocess_op *const pl_preprocess_ops[] = {
    &pl_op_gray,       &pl_op_invert,
    &pl_op_background, &pl_op_contrast,
    &pl_op_whiten,     &pl_op_resize,
    &pl_op_rescale,    &pl_op_rotate,
    &pl_op_orient,     &pl_op_deskew,
    &pl_op_threshold,  &pl_op_binarize,
    &pl_op_otsu,       &pl_op_sauvola,
    &pl_op_wolf,       &pl_op_nick,
    &pl_op_adaptive,   &pl_op_despeckle,
    &pl_op_unrule,     &pl_op_median,
    &pl_op_gauss,      &pl_op_morph,
    &pl_op_crop,       &pl_op_border,
    &pl_op_split,      NULL,
};

const struct pl_preprocess_op *pl_preprocess_find(const char *name, size_t n)
{
    for (size_t i = 0; pl_preprocess_ops[i]; i++) {
        const char *own = pl_preprocess_ops[i]->info.name;
        if (strlen(own) == n && !memcmp(own, name, n))
            return pl_preprocess_ops[i];
    }
    return NULL;
}
