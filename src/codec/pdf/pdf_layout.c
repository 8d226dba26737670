/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/pdf_layout.h"

#include <math.h>

#include "base/mem.h"

#define POINTS_PER_INCH 72.0
#define MIN_COVER 0.6     /* of the page, by pictures, where something is drawn over them */
#define MIN_COVER_ALL 0.9 /* of the page, by a picture that hides all that was drawn before it */
/* How far a side of a picture may lead aside on a page that is put together, of the longer side of
 * the page: half a degree. A letter in two halves is read as well as rendered up to one degree, and
 * loses 1 % of its words at one and a half (bench/runs/2026-11-27-reasons.md). */
#define MAX_ASLANT 0.01
#define RENDER "it is read where pdftoppm or mutool is installed, and --pdf-renderer is not off"
#define MAX_PARENTS 64 /* of a page, in the tree of pages */

qpdf_oh pl_pdf_inherited(qpdf_data pdf, qpdf_oh page, const char *key)
{
    for (int i = 0; i < MAX_PARENTS && pl_qpdf.oh_is_dictionary(pdf, page); i++) {
        if (pl_qpdf.oh_has_key(pdf, page, key))
            return pl_qpdf.oh_get_key(pdf, page, key);
        page = pl_qpdf.oh_get_key(pdf, page, "/Parent");
    }
    return pl_qpdf.oh_new_null(pdf);
}

static double number_at(qpdf_data pdf, qpdf_oh array, int i)
{
    return pl_qpdf.oh_get_numeric_value(pdf, pl_qpdf.oh_get_array_item(pdf, array, i));
}

/* Gives a box of the page. Returns false where there is none that makes sense. */
static bool read_box(qpdf_data pdf, qpdf_oh page, const char *key, struct pdf_box *ret)
{
    qpdf_oh a = pl_pdf_inherited(pdf, page, key);
    if (!pl_qpdf.oh_is_array(pdf, a) || pl_qpdf.oh_get_array_n_items(pdf, a) != 4)
        return false;
    double x0 = number_at(pdf, a, 0), y0 = number_at(pdf, a, 1), x1 = number_at(pdf, a, 2),
           y1 = number_at(pdf, a, 3);
    *ret = (struct pdf_box){fmin(x0, x1), fmin(y0, y1), fmax(x0, x1), fmax(y0, y1)};
    return ret->x1 - ret->x0 >= 1 && ret->y1 - ret->y0 >= 1;
}

struct pdf_box pl_pdf_page_box(qpdf_data pdf, qpdf_oh page)
{
    struct pdf_box media, crop;
    if (!read_box(pdf, page, "/MediaBox", &media))
        media = (struct pdf_box){0, 0, 612, 792};
    if (!read_box(pdf, page, "/CropBox", &crop))
        return media;
    crop = pdf_box_intersect(crop, media);
    return crop.x1 - crop.x0 >= 1 && crop.y1 - crop.y0 >= 1 ? crop : media;
}

double pl_pdf_units_per_inch(qpdf_data pdf, qpdf_oh page)
{
    qpdf_oh unit = pl_pdf_inherited(pdf, page, "/UserUnit");
    const double scale =
        pl_qpdf.oh_is_number(pdf, unit) ? pl_qpdf.oh_get_numeric_value(pdf, unit) : 1;
    return POINTS_PER_INCH / (scale > 0 ? scale : 1);
}

/* Returns the EXIF orientation in which an image stands upright that is painted under the
 * matrix. The matrix is taken for the nearest one of quarter turns and mirrorings. */
static int turn_of(const struct pl_affine *m)
{
    /* to the right and downward in the image, on a page whose y grows upward */
    const bool turned = fabs(m->a) + fabs(m->e) < fabs(m->b) + fabs(m->d);
    if (!turned)
        return m->a >= 0 ? (m->e >= 0 ? 1 : 4) : (m->e >= 0 ? 2 : 3);
    return m->d >= 0 ? (m->b >= 0 ? 7 : 8) : (m->b >= 0 ? 6 : 5);
}

void pl_pdf_layout_done(struct pdf_page_layout *l)
{
    pl_free(l->v);
    pl_pdf_paints_done(&l->paints);
}

struct pl_affine pl_pdf_rotation(qpdf_data pdf, qpdf_oh page)
{
    qpdf_oh r = pl_pdf_inherited(pdf, page, "/Rotate");
    const int degrees =
        pl_qpdf.oh_is_number(pdf, r) ? (int)pl_qpdf.oh_get_numeric_value(pdf, r) : 0;
    switch (((degrees / 90) % 4 + 4) % 4) {
    case 1:
        return (struct pl_affine){0, 1, 0, -1, 0, 0};
    case 2:
        return (struct pl_affine){-1, 0, 0, 0, -1, 0};
    case 3:
        return (struct pl_affine){0, -1, 0, 1, 0, 0};
    default:
        return PL_AFFINE_IDENTITY;
    }
}

static platen_status find_mask(qpdf_data pdf, struct pdf_placed *p, struct platen_error *err)
{
    qpdf_oh dict = pl_qpdf.oh_get_dict(pdf, p->paint->image),
            soft = pl_qpdf.oh_get_key(pdf, dict, "/SMask"),
            hard = pl_qpdf.oh_get_key(pdf, dict, "/Mask");
    const bool is_soft = pl_qpdf.oh_is_stream(pdf, soft);
    p->opaque = !pl_qpdf.oh_has_key(pdf, dict, "/SMask") && !pl_qpdf.oh_has_key(pdf, dict, "/Mask");
    if (p->info.mask || (!is_soft && !pl_qpdf.oh_is_stream(pdf, hard)))
        return PLATEN_OK;
    p->mask = (struct pdf_mask){.any = true, .stencil = !is_soft, .image = is_soft ? soft : hard};
    return pl_pdf_image_probe(pdf, p->mask.image, &p->mask.info, err);
}

static platen_status place(qpdf_data pdf, struct pdf_page_layout *l,
                           const struct pl_affine *rotation, const struct pl_pdf_paint *paint,
                           struct platen_error *err)
{
    struct pl_affine m = pl_affine_chain(&paint->to_page, rotation);
    struct pdf_placed p = {
        .paint = paint, .to_seen = m, .box = pdf_box_of(&m), .turn = turn_of(&m)};
    const double width = p.box.x1 - p.box.x0, height = p.box.y1 - p.box.y0;
    p.seen =
        pdf_box_intersect(pdf_box_intersect(p.box, l->box), pdf_box_map(paint->clip, rotation));
    if (!(pdf_box_area(p.seen) > 0) || !isfinite(width) || !isfinite(height))
        return PLATEN_OK;
    platen_status s = pl_pdf_image_probe(pdf, paint->image, &p.info, err);
    s = s ? s : find_mask(pdf, &p, err);
    if (s)
        return s;
    const bool turned = p.turn > 4;
    const int columns = PL_MAX(p.info.width, p.mask.info.width),
              rows = PL_MAX(p.info.height, p.mask.info.height);
    p.dpi_x = (turned ? rows : columns) / width * l->units_per_inch;
    p.dpi_y = (turned ? columns : rows) / height * l->units_per_inch;
    l->v[l->n++] = p;
    return PLATEN_OK;
}

/* Returns which of the images that are painted is the first one on the page. */
static size_t first_placed(const struct pdf_page_layout *l)
{
    return (size_t)(l->v[0].paint - l->paints.v);
}

/* Finds out which of the text and lines of the page are to be seen. */
static void find_shown(struct pdf_page_layout *l)
{
    const struct pl_pdf_shown *shown = &l->paints.shown;
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].opaque && !l->v[i].info.mask && !l->v[i].paint->partly &&
            pdf_box_area(l->v[i].seen) >= MIN_COVER_ALL * pdf_box_area(l->box))
            l->covered = (size_t)(l->v[i].paint - l->paints.v) + 1;
    l->text = shown->last_text != PL_PDF_NONE && shown->last_text >= l->covered;
    l->marks = shown->last_mark != PL_PDF_NONE && shown->last_mark >= l->covered;
    l->covers = shown->last_other != PL_PDF_NONE && shown->last_other >= l->covered;
    l->whited = l->n && shown->last_white != PL_PDF_NONE && shown->last_white > first_placed(l) &&
                shown->last_white >= l->covered;
    l->hidden_text =
        shown->hidden || (shown->first_text != PL_PDF_NONE && shown->first_text < l->covered);
}

bool pl_pdf_is_alone(const struct pdf_page_layout *l)
{
    const struct pdf_placed *p = l->v;
    return l->n == 1 &&
           pdf_box_area(p->seen) >=
               PL_PDF_MIN_SHOWN * fabs(p->to_seen.a * p->to_seen.e - p->to_seen.b * p->to_seen.d) &&
           (!p->info.mask || p->paint->fill < 128) && p->mask.info.width <= p->info.width &&
           p->mask.info.height <= p->info.height;
}

/* Returns whether pictures are seen in part, as a clip of another shape than a box or transparency
 * has it, or must be put together and stand aslant, or are light shapes that stand on what is drawn
 * below them. */
static bool needs_renderer(const struct pdf_page_layout *l)
{
    const double most = MAX_ASLANT * fmax(l->box.x1 - l->box.x0, l->box.y1 - l->box.y0);
    const size_t mark = l->paints.shown.first_mark;
    double partly = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct pdf_placed *p = &l->v[i];
        const struct pl_affine *m = &p->to_seen;
        const double aslant =
            p->turn > 4 ? fmax(fabs(m->a), fabs(m->e)) : fmax(fabs(m->b), fabs(m->d));
        if (!pl_pdf_is_alone(l) && aslant > most &&
            pdf_box_area(p->seen) >= PL_PDF_MIN_SHARE * pdf_box_area(l->box))
            return true;
        partly += p->paint->partly ? pdf_box_area(p->seen) : 0;
        const size_t at = (size_t)(p->paint - l->paints.v);
        if (p->info.mask && p->paint->fill >= 128 && mark != PL_PDF_NONE && mark >= l->covered &&
            mark <= at)
            return true;
    }
    return partly >= PL_PDF_MIN_SHARE * pdf_box_area(l->box);
}

/* Decides whether a program must render the page. */
static platen_status check_drawn(struct pdf_page_layout *l, enum pl_pdf_reading how,
                                 struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    if (l->marks && l->cover < MIN_COVER)
        s = pl_fail(err, PLATEN_ERR_UNSUPPORTED, "no scan: its text or lines are drawn; " RENDER);
    else if (needs_renderer(l))
        s = pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                    "its pictures stand aslant, are cut to a shape or transparent, or are light "
                    "shapes on lines; " RENDER);
    l->over = !s && how != PL_PDF_SCAN_ALONE &&
              (l->covers || l->whited || (l->marks && how == PL_PDF_AS_SEEN));
    if (l->over)
        s = pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                    "text, lines, boxes or notes are drawn over the scan; " RENDER);
    l->drawn = s;
    return s;
}

platen_status pl_pdf_layout_read(qpdf_data pdf, qpdf_oh page, enum pl_pdf_reading how,
                                 struct pdf_page_layout *ret, struct platen_error *err)
{
    struct pdf_page_layout *l = ret;
    *l = (struct pdf_page_layout){0};
    platen_status s =
        pl_pdf_read_content(pdf, page, pl_pdf_inherited(pdf, page, "/Resources"), &l->paints, err);
    if (s)
        return s;
    l->v = pl_alloc(l->paints.n, sizeof(*l->v));
    if (!l->v)
        return pl_fail_nomem(err, l->paints.n * sizeof(*l->v), "the images of a page");
    struct pl_affine rotation = pl_pdf_rotation(pdf, page);
    l->units_per_inch = pl_pdf_units_per_inch(pdf, page);
    l->box = pdf_box_map(pl_pdf_page_box(pdf, page), &rotation);
    for (size_t i = 0; !s && i < l->paints.n; i++)
        s = place(pdf, l, &rotation, &l->paints.v[i], err);
    struct pdf_box all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < l->n; i++)
        all = pdf_box_unite(all, l->v[i].seen);
    l->cover = l->n ? pdf_box_area(all) / pdf_box_area(l->box) : 0;
    find_shown(l);
    if (s == PLATEN_ERR_UNSUPPORTED)
        l->drawn = true;
    return s ? s : check_drawn(l, how, err);
}
