/* SPDX-License-Identifier: BSD-2-Clause */
/* What single values of a PDF say: numbers, colours, streams. */
#include "base/mem.h"
#include "codec/pdf/pdf.h"

int pl_pdf_int(qpdf_data pdf, qpdf_oh dict, const char *name, int otherwise)
{
    qpdf_oh v = pl_qpdf.oh_get_key_if_dict(pdf, dict, name);
    return pl_qpdf.oh_is_integer(pdf, v) ? pl_qpdf.oh_get_int_value_as_int(pdf, v) : otherwise;
}

bool pl_pdf_is_true(qpdf_data pdf, qpdf_oh dict, const char *name)
{
    qpdf_oh v = pl_qpdf.oh_get_key_if_dict(pdf, dict, name);
    return pl_qpdf.oh_is_bool(pdf, v) && pl_qpdf.oh_get_bool_value(pdf, v);
}

double pl_pdf_gray(const double *v, int n)
{
    const double g = n == 1   ? v[0]
                     : n == 3 ? 0.299 * v[0] + 0.587 * v[1] + 0.114 * v[2]
                     : n == 4 ? (1 - v[3]) * (1 - (0.299 * v[0] + 0.587 * v[1] + 0.114 * v[2]))
                              : 0;
    return PL_CLAMP(g, 0.0, 1.0);
}

platen_status pl_pdf_stream(qpdf_data pdf, qpdf_oh stream, enum qpdf_stream_decode_level_e level,
                            uint8_t **ret, size_t *ret_n, struct platen_error *err)
{
    QPDF_BOOL filtered = QPDF_FALSE;
    *ret = NULL;
    *ret_n = 0;
    if (pl_qpdf.oh_get_stream_data(pdf, stream, level, &filtered, ret, ret_n) & QPDF_ERRORS ||
        (level != qpdf_dl_none && !filtered)) {
        pl_free(*ret);
        *ret = NULL;
        return pl_pdf_fail(pdf, "a stream of the page", err);
    }
    return PLATEN_OK;
}
