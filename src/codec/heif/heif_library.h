/* SPDX-License-Identifier: BSD-2-Clause */
/* libheif, loaded when it is needed: with the decoders that it brings it would cost every process
 * 9 ms. */
#ifndef PL_CODEC_HEIF_LIBRARY_H
#define PL_CODEC_HEIF_LIBRARY_H

#include <libheif/heif.h>

#include "base/status.h"

/* Each stands for the function heif_NAME(). */
#define PL_HEIF_FUNCTIONS(F)                                                                       \
    F(context_alloc)                                                                               \
    F(context_free)                                                                                \
    F(context_get_image_handle)                                                                    \
    F(context_get_list_of_top_level_image_IDs)                                                     \
    F(context_get_number_of_top_level_images)                                                      \
    F(context_read_from_memory_without_copy)                                                       \
    F(context_set_max_decoding_threads)                                                            \
    F(decode_image)                                                                                \
    F(decoding_options_alloc)                                                                      \
    F(decoding_options_free)                                                                       \
    F(image_get_height)                                                                            \
    F(image_get_plane_readonly)                                                                    \
    F(image_get_width)                                                                             \
    F(image_handle_get_height)                                                                     \
    F(image_handle_get_width)                                                                      \
    F(image_handle_has_alpha_channel)                                                              \
    F(image_handle_is_premultiplied_alpha)                                                         \
    F(image_handle_release)                                                                        \
    F(image_release)                                                                               \
    F(init)

struct pl_heif {
#define PL_HEIF_MEMBER(name) __typeof__(&heif_##name) name;
    PL_HEIF_FUNCTIONS(PL_HEIF_MEMBER)
#undef PL_HEIF_MEMBER
};

/* Empty until pl_heif_load() succeeded, and the same for good from then on. */
extern struct pl_heif pl_heif;

/* What pl_library_load() does, and loads the decoders that lie beside the library. */
PL_MUST_USE platen_status pl_heif_load(struct platen_error *err);

#endif
