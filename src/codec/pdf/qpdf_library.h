/* SPDX-License-Identifier: BSD-2-Clause */
/* qpdf, loaded when it is needed: with its ten libraries it would cost every process 5 MB and 3 ms.
 */
#ifndef PL_CODEC_PDF_QPDF_LIBRARY_H
#define PL_CODEC_PDF_QPDF_LIBRARY_H

#include <qpdf/qpdf-c.h>

#include "base/status.h"

/* Each stands for the function qpdf_NAME(). */
#define PL_QPDF_FUNCTIONS(F)                                                                       \
    F(cleanup)                                                                                     \
    F(get_error)                                                                                   \
    F(get_error_code)                                                                              \
    F(get_error_message_detail)                                                                    \
    F(get_num_pages)                                                                               \
    F(get_object_by_id)                                                                            \
    F(get_page_n)                                                                                  \
    F(get_root)                                                                                    \
    F(get_trailer)                                                                                 \
    F(has_error)                                                                                   \
    F(init)                                                                                        \
    F(is_encrypted)                                                                                \
    F(more_warnings)                                                                               \
    F(next_warning)                                                                                \
    F(oh_append_item)                                                                              \
    F(oh_begin_dict_key_iter)                                                                      \
    F(oh_dict_more_keys)                                                                           \
    F(oh_dict_next_key)                                                                            \
    F(oh_get_array_item)                                                                           \
    F(oh_get_array_n_items)                                                                        \
    F(oh_get_binary_string_value)                                                                  \
    F(oh_get_bool_value)                                                                           \
    F(oh_get_dict)                                                                                 \
    F(oh_get_generation)                                                                           \
    F(oh_get_int_value)                                                                            \
    F(oh_get_int_value_as_int)                                                                     \
    F(oh_get_key)                                                                                  \
    F(oh_get_key_if_dict)                                                                          \
    F(oh_get_name)                                                                                 \
    F(oh_get_numeric_value)                                                                        \
    F(oh_get_object_id)                                                                            \
    F(oh_get_page_content_data)                                                                    \
    F(oh_get_stream_data)                                                                          \
    F(oh_get_utf8_value)                                                                           \
    F(oh_has_key)                                                                                  \
    F(oh_is_array)                                                                                 \
    F(oh_is_bool)                                                                                  \
    F(oh_is_dictionary)                                                                            \
    F(oh_is_integer)                                                                               \
    F(oh_is_name)                                                                                  \
    F(oh_is_name_and_equals)                                                                       \
    F(oh_is_null)                                                                                  \
    F(oh_is_number)                                                                                \
    F(oh_is_stream)                                                                                \
    F(oh_is_string)                                                                                \
    F(oh_new_array)                                                                                \
    F(oh_new_name)                                                                                 \
    F(oh_new_null)                                                                                 \
    F(oh_new_stream)                                                                               \
    F(oh_release)                                                                                  \
    F(oh_release_all)                                                                              \
    F(oh_replace_stream_data)                                                                      \
    F(oh_unparse)                                                                                  \
    F(read_memory)                                                                                 \
    F(set_suppress_warnings)                                                                       \
    F(silence_errors)

struct pl_qpdf {
#define PL_QPDF_MEMBER(name) __typeof__(&qpdf_##name) name;
    PL_QPDF_FUNCTIONS(PL_QPDF_MEMBER)
#undef PL_QPDF_MEMBER
};

/* Empty until pl_qpdf_load() succeeded, and the same for good from then on. */
extern struct pl_qpdf pl_qpdf;

/* What pl_library_load() does. */
PL_MUST_USE platen_status pl_qpdf_load(struct platen_error *err);

#endif
