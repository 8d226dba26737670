/* SPDX-License-Identifier: BSD-2-Clause */
#include "preprocess/ops.h"

const struct pl_op_info *const pl_preprocess_ops[] = {
    &pl_op_gray.info,      &pl_op_invert.info,   &pl_op_background.info, &pl_op_contrast.info,
    &pl_op_normalize.info, &pl_op_whiten.info,   &pl_op_resize.info,     &pl_op_rescale.info,
    &pl_op_square.info,    &pl_op_rotate.info,   &pl_op_orient.info,     &pl_op_deskew.info,
    &pl_op_threshold.info, &pl_op_binarize.info, &pl_op_otsu.info,       &pl_op_sauvola.info,
    &pl_op_wolf.info,      &pl_op_nick.info,     &pl_op_adaptive.info,   &pl_op_despeckle.info,
    &pl_op_unrule.info,    &pl_op_median.info,   &pl_op_gauss.info,      &pl_op_morph.info,
    &pl_op_crop.info,      &pl_op_border.info,   &pl_op_split.info,      NULL,
};
