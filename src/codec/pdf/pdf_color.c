/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/pdf_color.h"

#include <string.h>

#include "codec/palette.h"
#include "base/mem.h"

void pl_pdf_set_samples(struct pdf_image *m, enum samples samples, int n)
{
    m->samples = samples;
    m->n_samples = n;
}

/* Reads the table of an indexed space as RGBA. */
static platen_status read_palette(struct pdf_image *m, qpdf_oh cs, struct platen_error *err)
{
    qpdf_data pdf = m->pdf;
    platen_status s = pl_pdf_read_color_space(m, pl_qpdf.oh_get_array_item(pdf, cs, 1), true, err);
    if (s)
        return s;
    const int high = pl_qpdf.oh_get_int_value_as_int(pdf, pl_qpdf.oh_get_array_item(pdf, cs, 2));
    qpdf_oh table = pl_qpdf.oh_get_array_item(pdf, cs, 3);
    uint8_t *stream = NULL;
    const uint8_t *bytes = NULL;
    size_t n = 0;
    if (pl_qpdf.oh_is_stream(pdf, table)) {
        s = pl_pdf_stream(pdf, table, qpdf_dl_specialized, &stream, &n, err);
        bytes = stream;
    } else if (pl_qpdf.oh_is_string(pdf, table)) {
        bytes = (const uint8_t *)pl_qpdf.oh_get_binary_string_value(pdf, table, &n);
    }
    if (s)
        return s;
    m->n_palette = PL_CLAMP(high, 0, 255) + 1;
    for (int i = 0; i < m->n_palette; i++) {
        uint8_t in[4] = {0}, *to = m->palette + 4 * i;
        for (int c = 0; c < m->n_samples; c++) {
            size_t at = (size_t)i * (size_t)m->n_samples + (size_t)c;
            in[c] = at < n ? bytes[at] : 0;
        }
        for (int c = 0; c < 3; c++)
            to[c] = (uint8_t)(m->samples == SAMPLES_CMYK   ? (255 - in[c]) * (255 - in[3]) / 255
                              : m->samples == SAMPLES_RGB  ? in[c]
                              : m->samples == SAMPLES_TINT ? m->tint[in[0]]
                                                           : in[0]);
        to[3] = 255;
    }
    pl_free(stream);
    pl_pdf_set_samples(m, SAMPLES_INDEXED, 1);
    return PLATEN_OK;
}

static bool is_lab(qpdf_data pdf, qpdf_oh cs)
{
    return pl_qpdf.oh_is_array(pdf, cs) &&
           pl_qpdf.oh_is_name_and_equals(pdf, pl_qpdf.oh_get_array_item(pdf, cs, 0), "/Lab");
}

/* Returns the grey of a colour of n components that stands as an array in a function; that of black
 * or of white where none stands there. */
static double gray_at(qpdf_data pdf, qpdf_oh function, const char *name, bool white)
{
    qpdf_oh a = pl_qpdf.oh_get_key_if_dict(pdf, function, name);
    const int n = pl_qpdf.oh_is_array(pdf, a) ? pl_qpdf.oh_get_array_n_items(pdf, a) : 0;
    double v[4] = {0};
    for (int i = 0; i < PL_MIN(n, 4); i++)
        v[i] = pl_qpdf.oh_get_numeric_value(pdf, pl_qpdf.oh_get_array_item(pdf, a, i));
    return n ? pl_pdf_gray(v, n) : white;
}

/* Sets the greys of a tint that an exponential function of degree 1 leads to the colours of another
 * space. Other functions are taken for those of dark ink. */
static void read_tint(struct pdf_image *m, qpdf_oh cs)
{
    qpdf_data pdf = m->pdf;
    qpdf_oh function = pl_qpdf.oh_get_array_item(pdf, cs, 3),
            alternate = pl_qpdf.oh_get_array_item(pdf, cs, 2);
    const bool straight = pl_qpdf.oh_is_dictionary(pdf, function) &&
                          pl_pdf_int(pdf, function, "/FunctionType", -1) == 2 &&
                          pl_pdf_int(pdf, function, "/N", 0) == 1 && !is_lab(pdf, alternate);
    const double from = straight ? gray_at(pdf, function, "/C0", false) : 1,
                 to = straight ? gray_at(pdf, function, "/C1", true) : 0;
    for (int i = 0; i < 256; i++)
        m->tint[i] = (uint8_t)(255 * from + i * (to - from) + 0.5);
    pl_pdf_set_samples(m, SAMPLES_TINT, 1);
}

/* Returns how many colorants a space of them has, and whether they are the four inks of print. */
static int n_colorants(qpdf_data pdf, qpdf_oh cs, bool *ret_cmyk)
{
    static const char *const inks[] = {"/Cyan", "/Magenta", "/Yellow", "/Black"};
    qpdf_oh names = pl_qpdf.oh_get_array_item(pdf, cs, 1);
    const int n = pl_qpdf.oh_is_array(pdf, names) ? pl_qpdf.oh_get_array_n_items(pdf, names) : 0;
    *ret_cmyk = n == 4;
    for (int i = 0; i < 4 && *ret_cmyk; i++)
        *ret_cmyk =
            pl_qpdf.oh_is_name_and_equals(pdf, pl_qpdf.oh_get_array_item(pdf, names, i), inks[i]);
    return n;
}

platen_status pl_pdf_read_color_space(struct pdf_image *m, qpdf_oh cs, bool base,
                                      struct platen_error *err)
{
    qpdf_data pdf = m->pdf;
    qpdf_oh first = pl_qpdf.oh_is_array(pdf, cs) ? pl_qpdf.oh_get_array_item(pdf, cs, 0) : cs;
    const char *name = pl_qpdf.oh_is_name(pdf, first) ? pl_qpdf.oh_get_name(pdf, first) : "";
    int n = 0;
    bool cmyk = false;
    const int colorants = !strcmp(name, "/DeviceN") ? n_colorants(pdf, cs, &cmyk) : 0;
    if (!strcmp(name, "/ICCBased")) {
        qpdf_oh profile = pl_qpdf.oh_get_array_item(pdf, cs, 1);
        n = pl_qpdf.oh_is_stream(pdf, profile)
                ? pl_pdf_int(pdf, pl_qpdf.oh_get_dict(pdf, profile), "/N", 0)
                : 0;
    }
    if (n == 1 || !strcmp(name, "/DeviceGray") || !strcmp(name, "/CalGray") || !strcmp(name, "/G"))
        pl_pdf_set_samples(m, SAMPLES_GRAY, 1);
    else if (n == 3 || !strcmp(name, "/DeviceRGB") || !strcmp(name, "/CalRGB") ||
             !strcmp(name, "/RGB"))
        pl_pdf_set_samples(m, SAMPLES_RGB, 3);
    else if (n == 4 || cmyk || !strcmp(name, "/DeviceCMYK") || !strcmp(name, "/CMYK"))
        pl_pdf_set_samples(m, SAMPLES_CMYK, 4);
    else if (colorants == 1 || !strcmp(name, "/Separation"))
        read_tint(m, cs);
    else if (!base && (!strcmp(name, "/Indexed") || !strcmp(name, "/I")))
        return read_palette(m, cs, err);
    else
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "an image of the page has the colour space '%.40s'", name);
    return PLATEN_OK;
}

/* Moves the colours of the palette to the indices that /Decode makes of samples. */
static void move_palette(struct pdf_image *m, double low, double high)
{
    uint8_t moved[256 * 4];
    const int n = 1 << PL_MIN(m->bits, 8);
    for (int i = 0; i < n; i++) {
        const double at = low + i * (high - low) / (n - 1);
        memcpy(moved + 4 * i, m->palette + 4 * (int)PL_CLAMP(at + 0.5, 0.0, m->n_palette - 1.0), 4);
    }
    memcpy(m->palette, moved, 4 * (size_t)n);
    m->n_palette = n;
}

void pl_pdf_read_decode(struct pdf_image *m)
{
    qpdf_data pdf = m->pdf;
    qpdf_oh a = pl_qpdf.oh_get_key(pdf, m->dict, "/Decode");
    double v[8] = {0, 1, 0, 1, 0, 1, 0, 1};
    const bool any =
        pl_qpdf.oh_is_array(pdf, a) && pl_qpdf.oh_get_array_n_items(pdf, a) >= 2 * m->n_samples;
    for (int i = 0; any && i < 2 * m->n_samples; i++)
        v[i] = pl_qpdf.oh_get_numeric_value(pdf, pl_qpdf.oh_get_array_item(pdf, a, i));
    if (m->samples == SAMPLES_INDEXED) {
        if (any)
            move_palette(m, v[0], v[1]);
        return;
    }
    for (int c = 0; c < m->n_samples; c++)
        for (int i = 0; i < 256; i++) {
            const double at = v[2 * c] + i * (v[2 * c + 1] - v[2 * c]) / 255;
            const uint8_t to = (uint8_t)(255 * PL_CLAMP(at, 0.0, 1.0) + 0.5);
            m->curves[c][i] = m->samples == SAMPLES_TINT ? m->tint[to] : to;
            m->curved = m->curved || m->curves[c][i] != i;
        }
}

void pl_pdf_apply_curves(const struct pdf_image *m, uint8_t *row, size_t n_px, size_t channels)
{
    for (size_t c = 0; m->curved && c < channels; c++)
        for (size_t i = 0; i < n_px; i++)
            row[i * channels + c] = m->curves[c][row[i * channels + c]];
}

platen_status pl_pdf_set_colors(struct pdf_image *m, const struct pl_source *src,
                                struct pl_image *im, struct platen_error *err)
{
    if (m->samples != SAMPLES_INDEXED || im->format != PL_GRAY8) {
        for (int y = 0; y < im->height; y++)
            pl_pdf_apply_curves(m, pl_image_row(im, y), (size_t)im->width, (size_t)im->format);
        return PLATEN_OK;
    }
    struct pl_palette pal;
    pl_auto_image colored = {0};
    pl_palette_init(src->env, m->palette, m->n_palette, &pal);
    platen_status s = pl_rows_init(src, im->width, im->height, pal.gray ? 1 : 3, &colored, err);
    for (int y = 0; !s && y < im->height; y++)
        pl_palette_row(src->env, &pal, &colored, y, pl_image_row(im, y));
    if (!s) {
        const struct pl_image old = *im;
        *im = colored;
        colored = old;
    }
    return s;
}

platen_status pl_pdf_set_bits_colors(struct pdf_image *m, const struct pl_source *src,
                                     struct pl_image *im, struct platen_error *err)
{
    for (int y = 0; m->samples == SAMPLES_INDEXED && y < im->height; y++)
        for (int x = 0; x < im->width; x++)
            pl_image_row(im, y)[x] >>= 7;
    platen_status s = pl_pdf_set_colors(m, src, im, err);
    im->bilevel = !s && pl_rows_bilevel(im);
    return s;
}
