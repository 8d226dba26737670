/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/pdf/pdf_sheet.h"

#include <string.h>
#include <strings.h>

#include "base/attr.h"
#include "base/text.h"

#define PT_OF_MM (72 / 25.4)
#define CUT_MM 1.0
#define MAX_MM 5000.0 /* less than the 14400 points that readers accept */

static const struct {
    const char *name;
    double width_mm, height_mm;
} papers[] = {
    {"A3", 297, 420},         {"A4", 210, 297},        {"A5", 148, 210},
    {"A6", 105, 148},         {"B4", 250, 353},        {"B5", 176, 250},
    {"letter", 215.9, 279.4}, {"legal", 215.9, 355.6}, {"tabloid", 279.4, 431.8},
};

/* Reads a length in mm at *p, and steps behind it. */
static bool read_mm(const char **p, const char *ends, double *ret_pt)
{
    const size_t n = strcspn(*p, ends);
    double mm;
    if (!pl_parse_double(*p, n, &mm) || !(mm >= 0 && mm <= MAX_MM))
        return false;
    *p += n;
    *ret_pt = mm * PT_OF_MM;
    return true;
}

static platen_status read_size(const char *text, struct pl_pdf_sheet *ret, struct platen_error *err)
{
    const char *p = text;
    ret->largest = !strcmp(text, "largest");
    for (size_t i = 0; i < PL_ARRAY_LEN(papers); i++)
        if (!strcasecmp(papers[i].name, text)) {
            ret->width = papers[i].width_mm * PT_OF_MM;
            ret->height = papers[i].height_mm * PT_OF_MM;
        }
    if (ret->largest || ret->width > 0)
        return PLATEN_OK;
    if (read_mm(&p, "x", &ret->width) && *p++ == 'x' && read_mm(&p, "", &ret->height) &&
        ret->width > 0 && ret->height > 0)
        return PLATEN_OK;
    return pl_fail(
        err, PLATEN_ERR_ARG,
        "'%.40s' is no size of pages: largest, A3 to A6, B4, B5, letter, legal, tabloid, "
        "or one in mm as 210x297",
        text);
}

static platen_status read_margins(const char *text, struct pl_pdf_sheet *ret,
                                  struct platen_error *err)
{
    const char *p = text;
    int n = 1;
    bool ok = read_mm(&p, ",", &ret->margin[0]);
    for (; ok && *p && n < PL_PDF_SIDES; n++) {
        p++;
        ok = read_mm(&p, ",", &ret->margin[n]);
    }
    for (int i = 1; i < PL_PDF_SIDES && n == 1; i++)
        ret->margin[i] = ret->margin[0];
    if (ok && !*p && (n == 1 || n == PL_PDF_SIDES))
        return PLATEN_OK;
    return pl_fail(err, PLATEN_ERR_ARG,
                   "'%.40s' are no margins: one number of mm from 0 to %g, or four (top, right, "
                   "bottom, left)",
                   text, MAX_MM);
}

static platen_status read_align(const char *text, struct pl_pdf_sheet *ret,
                                struct platen_error *err)
{
    static const char *const names[] = {"top-left",    "top",    "top-right",
                                        "left",        "center", "right",
                                        "bottom-left", "bottom", "bottom-right"};
    for (int i = 0; i < (int)PL_ARRAY_LEN(names); i++)
        if (!strcmp(names[i], text)) {
            ret->from_left = i % 3 / 2.0;
            ret->from_top = i / 3 / 2.0;
            return PLATEN_OK;
        }
    return pl_fail(err, PLATEN_ERR_ARG,
                   "'%.40s' is no place on a page: center, top, bottom, left, right, top-left, "
                   "top-right, bottom-left, bottom-right",
                   text);
}

platen_status pl_pdf_sheet_read(const char *size, const char *margins, const char *align,
                                struct pl_pdf_sheet *ret, struct platen_error *err)
{
    *ret = (struct pl_pdf_sheet){.wanted = size || margins, .from_left = 0.5, .from_top = 0.5};
    platen_status s = size ? read_size(size, ret, err) : PLATEN_OK;
    if (!s && margins)
        s = read_margins(margins, ret, err);
    return s || !align ? s : read_align(align, ret, err);
}

void pl_pdf_sheet_around(const struct pl_pdf_sheet *s, double *width, double *height)
{
    *width += s->margin[PL_PDF_LEFT] + s->margin[PL_PDF_RIGHT];
    *height += s->margin[PL_PDF_TOP] + s->margin[PL_PDF_BOTTOM];
}

/* What is left over of a side. A scan of a paper is a pixel or two larger than that, which is cut.
 */
static double rest_of(double side, double used)
{
    return side > 0 && side - used > -CUT_MM * PT_OF_MM ? side - used : 0;
}

void pl_pdf_sheet_box(const struct pl_pdf_sheet *s, const double most[2], double width,
                      double height, double ret[4])
{
    double w = width, h = height;
    pl_pdf_sheet_around(s, &w, &h);
    const bool turned = (w > h) != (s->width > s->height); /* the paper lies across */
    const double paper[] = {turned ? s->height : s->width, turned ? s->width : s->height};
    const double rest_x = rest_of(s->largest ? most[0] : paper[0], w),
                 rest_y = rest_of(s->largest ? most[1] : paper[1], h);
    ret[0] = 0 - s->margin[PL_PDF_LEFT] - rest_x * s->from_left;
    ret[1] = 0 - s->margin[PL_PDF_BOTTOM] - rest_y * (1 - s->from_top);
    ret[2] = ret[0] + w + rest_x;
    ret[3] = ret[1] + h + rest_y;
}
