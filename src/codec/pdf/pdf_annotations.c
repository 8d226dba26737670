/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/pdf_annotations.h"

#include <string.h>

#define HIDDEN 2
#define NO_VIEW 32
#define MAX_PARENTS 16 /* of a field of a form */

/* Returns the stream that draws the annotation, which may be that of the state that it is in. */
static qpdf_oh looks_of(qpdf_data pdf, qpdf_oh annotation)
{
    qpdf_oh normal = pl_qpdf.oh_get_key_if_dict(
                pdf, pl_qpdf.oh_get_key_if_dict(pdf, annotation, "/AP"), "/N"),
            state = pl_qpdf.oh_get_key_if_dict(pdf, annotation, "/AS");
    return pl_qpdf.oh_is_dictionary(pdf, normal) && pl_qpdf.oh_is_name(pdf, state)
               ? pl_qpdf.oh_get_key(pdf, normal, pl_qpdf.oh_get_name(pdf, state))
               : normal;
}

static bool is_hidden(struct pl_pdf_layers *layers, qpdf_oh one)
{
    qpdf_data pdf = layers->pdf;
    qpdf_oh flags = pl_qpdf.oh_get_key_if_dict(pdf, one, "/F");
    return (pl_qpdf.oh_is_integer(pdf, flags) &&
            pl_qpdf.oh_get_int_value_as_int(pdf, flags) & (HIDDEN | NO_VIEW)) ||
           !pl_pdf_layers_show(layers, pl_qpdf.oh_get_key_if_dict(pdf, one, "/OC"));
}

/* Returns whether the annotation tells a rectangle without an area. */
static bool is_empty(qpdf_data pdf, qpdf_oh one)
{
    qpdf_oh r = pl_qpdf.oh_get_key_if_dict(pdf, one, "/Rect");
    double v[4] = {0};
    if (!pl_qpdf.oh_is_array(pdf, r) || pl_qpdf.oh_get_array_n_items(pdf, r) != 4)
        return false;
    for (int i = 0; i < 4; i++)
        v[i] = pl_qpdf.oh_get_numeric_value(pdf, pl_qpdf.oh_get_array_item(pdf, r, i));
    return v[0] == v[2] || v[1] == v[3];
}

/* Returns whether a link has a border that is drawn, as one has that tells nothing of it. */
static bool has_border(qpdf_data pdf, qpdf_oh link)
{
    qpdf_oh style = pl_qpdf.oh_get_key_if_dict(pdf, link, "/BS"),
            border = pl_qpdf.oh_get_key_if_dict(pdf, link, "/Border");
    if (pl_qpdf.oh_is_dictionary(pdf, style)) {
        qpdf_oh width = pl_qpdf.oh_get_key(pdf, style, "/W");
        return !pl_qpdf.oh_is_number(pdf, width) || pl_qpdf.oh_get_numeric_value(pdf, width) > 0;
    }
    return !pl_qpdf.oh_is_array(pdf, border) || pl_qpdf.oh_get_array_n_items(pdf, border) < 3 ||
           pl_qpdf.oh_get_numeric_value(pdf, pl_qpdf.oh_get_array_item(pdf, border, 2)) > 0;
}

/* Returns whether a field has a value, or inherits one, that readers show. */
static bool is_filled(qpdf_data pdf, qpdf_oh field)
{
    for (int i = 0; i < MAX_PARENTS && pl_qpdf.oh_is_dictionary(pdf, field); i++) {
        qpdf_oh value = pl_qpdf.oh_get_key(pdf, field, "/V");
        if (pl_qpdf.oh_is_string(pdf, value))
            return *pl_qpdf.oh_get_utf8_value(pdf, value);
        if (!pl_qpdf.oh_is_null(pdf, value))
            return pl_qpdf.oh_is_name(pdf, value) &&
                   strcmp(pl_qpdf.oh_get_name(pdf, value), "/Off") != 0;
        field = pl_qpdf.oh_get_key(pdf, field, "/Parent");
    }
    return false;
}

/* Returns whether readers draw annotations of the kind without a stream that draws them. */
static bool is_drawn_by_kind(qpdf_data pdf, qpdf_oh kind)
{
    static const char *const kinds[] = {"/Square",   "/Circle",    "/Line",      "/Polygon",
                                        "/PolyLine", "/Ink",       "/Highlight", "/Underline",
                                        "/Squiggly", "/StrikeOut", "/FreeText",  "/Stamp"};
    for (size_t i = 0; i < PL_ARRAY_LEN(kinds); i++)
        if (pl_qpdf.oh_is_name_and_equals(pdf, kind, kinds[i]))
            return true;
    return false;
}

enum pl_pdf_sight pl_pdf_annotation_sight(struct pl_pdf_layers *layers, qpdf_oh annotation,
                                          qpdf_oh *ret_looks)
{
    qpdf_data pdf = layers->pdf;
    qpdf_oh kind = pl_qpdf.oh_get_key_if_dict(pdf, annotation, "/Subtype");
    const bool field = pl_qpdf.oh_is_name_and_equals(pdf, kind, "/Widget");
    *ret_looks = looks_of(pdf, annotation);
    if (is_hidden(layers, annotation) || is_empty(pdf, annotation) ||
        pl_qpdf.oh_is_name_and_equals(pdf, kind, "/Popup"))
        return PL_PDF_UNSEEN;
    if (pl_qpdf.oh_is_name_and_equals(pdf, kind, "/Link"))
        return has_border(pdf, annotation) ? PL_PDF_SEEN : PL_PDF_UNSEEN;
    if (pl_qpdf.oh_is_stream(pdf, *ret_looks))
        return field ? PL_PDF_SEEN_FILLED : PL_PDF_SEEN;
    if (pl_qpdf.oh_is_dictionary(pdf, pl_qpdf.oh_get_key_if_dict(pdf, annotation, "/AP")))
        return PL_PDF_UNSEEN; /* what it looks like in its state is nothing */
    return (field ? is_filled(pdf, annotation) : is_drawn_by_kind(pdf, kind)) ? PL_PDF_SEEN
                                                                              : PL_PDF_UNSEEN;
}
