/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/pdf_carried.h"

#include <string.h>

#include "codec/pdf/pdf_annotations.h"
#include "codec/pdf/pdf_layout.h"

#define MAX_MARKS 8192 /* of a document */
#define MAX_DEPTH 32   /* of bookmarks, and of a tree of names */
#define MAX_NODES 4096 /* of a tree of names, that are looked at for one name */
#define MAX_NAME 512   /* bytes of a name */

struct marks_reader {
    qpdf_data pdf;
    qpdf_oh page;
    int number; /* of the page, from 1 */
    struct pl_str *out;
    struct pl_str waiting; /* bookmarks that lead nowhere, for the page of the next one */
    int n;                 /* bookmarks so far */
    int nodes;             /* of the tree of names so far */
};

/* ---- where bookmarks lead ---- */

static bool is_text(qpdf_data pdf, qpdf_oh o, const char *text)
{
    return pl_qpdf.oh_is_string(pdf, o) && !strcmp(pl_qpdf.oh_get_utf8_value(pdf, o), text);
}

/* Returns whether a name may stand below a node of the tree, which tells its first and last one. */
static bool may_hold(qpdf_data pdf, qpdf_oh node, const char *name)
{
    qpdf_oh limits = pl_qpdf.oh_get_key_if_dict(pdf, node, "/Limits");
    if (!pl_qpdf.oh_is_array(pdf, limits) || pl_qpdf.oh_get_array_n_items(pdf, limits) != 2)
        return true;
    qpdf_oh first = pl_qpdf.oh_get_array_item(pdf, limits, 0),
            last = pl_qpdf.oh_get_array_item(pdf, limits, 1);
    return pl_qpdf.oh_is_string(pdf, first) && pl_qpdf.oh_is_string(pdf, last) &&
           strcmp(pl_qpdf.oh_get_utf8_value(pdf, first), name) <= 0 &&
           strcmp(name, pl_qpdf.oh_get_utf8_value(pdf, last)) <= 0;
}

/* Gives the value of a name in a tree of names. */
static bool find_name(struct marks_reader *r, qpdf_oh node, const char *name, int depth,
                      qpdf_oh *ret)
{
    qpdf_data pdf = r->pdf;
    qpdf_oh kids = pl_qpdf.oh_get_key_if_dict(pdf, node, "/Kids"),
            names = pl_qpdf.oh_get_key_if_dict(pdf, node, "/Names");
    const int n_kids = pl_qpdf.oh_is_array(pdf, kids) ? pl_qpdf.oh_get_array_n_items(pdf, kids) : 0,
              n_names =
                  pl_qpdf.oh_is_array(pdf, names) ? pl_qpdf.oh_get_array_n_items(pdf, names) : 0;
    for (int i = 0; i + 1 < n_names && r->nodes < MAX_NODES; i += 2, r->nodes++)
        if (is_text(pdf, pl_qpdf.oh_get_array_item(pdf, names, i), name)) {
            *ret = pl_qpdf.oh_get_array_item(pdf, names, i + 1);
            return true;
        }
    for (int i = 0; i < n_kids && depth < MAX_DEPTH && r->nodes < MAX_NODES; i++, r->nodes++) {
        qpdf_oh kid = pl_qpdf.oh_get_array_item(pdf, kids, i);
        if (may_hold(pdf, kid, name) && find_name(r, kid, name, depth + 1, ret))
            return true;
    }
    return false;
}

/* Gives the array that tells a page and a place on it, of a place that may be named. */
static bool find_place(struct marks_reader *r, qpdf_oh place, qpdf_oh *ret)
{
    qpdf_data pdf = r->pdf;
    qpdf_oh root = pl_qpdf.get_root(pdf), found = place;
    char name[MAX_NAME];
    r->nodes = 0;
    if (pl_qpdf.oh_is_name(pdf, place)) {
        found = pl_qpdf.oh_get_key_if_dict(pdf, pl_qpdf.oh_get_key_if_dict(pdf, root, "/Dests"),
                                           pl_qpdf.oh_get_name(pdf, place));
    } else if (pl_qpdf.oh_is_string(pdf, place)) {
        const char *text = pl_qpdf.oh_get_utf8_value(pdf, place);
        qpdf_oh tree = pl_qpdf.oh_get_key_if_dict(
            pdf, pl_qpdf.oh_get_key_if_dict(pdf, root, "/Names"), "/Dests");
        if (strlen(text) >= sizeof(name))
            return false;
        memcpy(name, text, strlen(text) + 1); /* a text of qpdf lasts until the next one */
        if (!find_name(r, tree, name, 0, &found))
            return false;
    }
    if (pl_qpdf.oh_is_dictionary(pdf, found))
        found = pl_qpdf.oh_get_key(pdf, found, "/D");
    *ret = found;
    return pl_qpdf.oh_is_array(pdf, found) && pl_qpdf.oh_get_array_n_items(pdf, found) > 0;
}

/* Gives where a bookmark leads. */
static bool find_goal(struct marks_reader *r, qpdf_oh mark, qpdf_oh *ret)
{
    qpdf_data pdf = r->pdf;
    qpdf_oh action = pl_qpdf.oh_get_key(pdf, mark, "/A");
    if (pl_qpdf.oh_has_key(pdf, mark, "/Dest"))
        return find_place(r, pl_qpdf.oh_get_key(pdf, mark, "/Dest"), ret);
    return pl_qpdf.oh_is_name_and_equals(pdf, pl_qpdf.oh_get_key_if_dict(pdf, action, "/S"),
                                         "/GoTo") &&
           find_place(r, pl_qpdf.oh_get_key(pdf, action, "/D"), ret);
}

static bool is_this_page(const struct marks_reader *r, qpdf_oh page)
{
    qpdf_data pdf = r->pdf;
    if (pl_qpdf.oh_is_integer(pdf, page))
        return pl_qpdf.oh_get_int_value_as_int(pdf, page) == r->number - 1;
    const int object = pl_qpdf.oh_get_object_id(pdf, page);
    return object && object == pl_qpdf.oh_get_object_id(pdf, r->page);
}

/* Returns how far a place is right of the left upper corner of the page as it is seen, and below
 * that, in inches; that corner itself where the place is of a kind that tells none. */
static struct pl_point place_on_page(const struct marks_reader *r, qpdf_oh goal)
{
    qpdf_data pdf = r->pdf;
    qpdf_oh kind = pl_qpdf.oh_get_array_item(pdf, goal, 1);
    const bool both = pl_qpdf.oh_is_name_and_equals(pdf, kind, "/XYZ"),
               level = pl_qpdf.oh_is_name_and_equals(pdf, kind, "/FitH") ||
                       pl_qpdf.oh_is_name_and_equals(pdf, kind, "/FitBH");
    const int n = pl_qpdf.oh_get_array_n_items(pdf, goal);
    qpdf_oh x = both && n > 3 ? pl_qpdf.oh_get_array_item(pdf, goal, 2) : pl_qpdf.oh_new_null(pdf),
            y = (both && n > 3) || (level && n > 2) ? pl_qpdf.oh_get_array_item(pdf, goal, 2 + both)
                                                    : pl_qpdf.oh_new_null(pdf);
    const struct pdf_box stored = pl_pdf_page_box(pdf, r->page);
    const struct pl_affine rotation = pl_pdf_rotation(pdf, r->page);
    const struct pdf_box seen = pdf_box_map(stored, &rotation);
    const double inch = pl_pdf_units_per_inch(pdf, r->page);
    if (!pl_qpdf.oh_is_number(pdf, y))
        return (struct pl_point){0, 0};
    const double from_left =
        pl_qpdf.oh_is_number(pdf, x) ? pl_qpdf.oh_get_numeric_value(pdf, x) : stored.x0;
    const struct pl_point at =
        pl_affine_apply(&rotation, from_left, pl_qpdf.oh_get_numeric_value(pdf, y));
    return (struct pl_point){PL_CLAMP(at.x - seen.x0, 0, seen.x1 - seen.x0) / inch,
                             PL_CLAMP(seen.y1 - at.y, 0, seen.y1 - seen.y0) / inch};
}

/* ---- bookmarks ---- */

static void put_mark(struct marks_reader *r, qpdf_oh mark, int level, const struct pl_point *at,
                     struct pl_str *out)
{
    qpdf_oh title = pl_qpdf.oh_get_key(r->pdf, mark, "/Title");
    const char *text =
        pl_qpdf.oh_is_string(r->pdf, title) ? pl_qpdf.oh_get_utf8_value(r->pdf, title) : "";
    const struct pl_pdf_carried_mark head = {
        .order = r->n, .level = level, .at = *at, .title_bytes = strlen(text)};
    pl_str_add(out, (const char *)&head, sizeof(head));
    pl_str_add(out, text, head.title_bytes);
}

static void read_marks(struct marks_reader *r, qpdf_oh mark, int level)
{
    qpdf_data pdf = r->pdf;
    const struct pl_point corner = {0, 0};
    for (; pl_qpdf.oh_is_dictionary(pdf, mark) && r->n < MAX_MARKS;
         mark = pl_qpdf.oh_get_key(pdf, mark, "/Next")) {
        qpdf_oh goal;
        r->n++;
        if (!find_goal(r, mark, &goal)) {
            put_mark(r, mark, level, &corner, &r->waiting);
        } else {
            if (is_this_page(r, pl_qpdf.oh_get_array_item(pdf, goal, 0))) {
                const struct pl_point at = place_on_page(r, goal);
                pl_str_add(r->out, r->waiting.len ? r->waiting.s : "", r->waiting.len);
                put_mark(r, mark, level, &at, r->out);
            }
            pl_str_reset(&r->waiting);
        }
        if (level < MAX_DEPTH)
            read_marks(r, pl_qpdf.oh_get_key(pdf, mark, "/First"), level + 1);
    }
}

/* ---- the document ---- */

static void put_info(qpdf_data pdf, char kind, qpdf_oh value, struct pl_str *out)
{
    if (!pl_qpdf.oh_is_string(pdf, value))
        return;
    const char *text = pl_qpdf.oh_get_utf8_value(pdf, value);
    pl_str_putc(out, kind);
    pl_str_add(out, text, strlen(text) + 1);
}

platen_status pl_pdf_read_carried(qpdf_data pdf, qpdf_oh page, int number, struct pl_str *text,
                                  struct platen_error *err)
{
    static const char *const keys[] = {"/Title", "/Author", "/Subject", "/Keywords",
                                       "/CreationDate"};
    static const char kinds[] = {PL_PDF_INFO_TITLE, PL_PDF_INFO_AUTHOR, PL_PDF_INFO_SUBJECT,
                                 PL_PDF_INFO_KEYWORDS, PL_PDF_INFO_CREATED};
    struct pl_str *info = &text[PL_PDF_CARRIED_INFO];
    struct marks_reader r = {
        .pdf = pdf, .page = page, .number = number, .out = &text[PL_PDF_CARRIED_MARKS]};
    qpdf_oh of = pl_qpdf.oh_get_key(pdf, pl_qpdf.get_trailer(pdf), "/Info"),
            root = pl_qpdf.get_root(pdf);
    for (size_t i = 0; i < PL_ARRAY_LEN(keys); i++)
        put_info(pdf, kinds[i], pl_qpdf.oh_get_key_if_dict(pdf, of, keys[i]), info);
    put_info(pdf, PL_PDF_INFO_LANGUAGE, pl_qpdf.oh_get_key_if_dict(pdf, root, "/Lang"), info);
    qpdf_oh first = pl_qpdf.oh_get_key_if_dict(
        pdf, pl_qpdf.oh_get_key_if_dict(pdf, root, "/Outlines"), "/First");
    if (pl_qpdf.oh_is_dictionary(pdf, first))
        pl_str_add(info, (const char[]){PL_PDF_INFO_MARKS, '\0'}, 2);
    read_marks(&r, first, 0);
    const bool failed = info->failed || r.out->failed || r.waiting.failed;
    pl_str_done(&r.waiting);
    return failed ? pl_fail_nomem(err, r.out->len, "the bookmarks of a document") : PLATEN_OK;
}

/* ---- what is not carried over ---- */

static unsigned lost_of_annotation(qpdf_data pdf, qpdf_oh one)
{
    qpdf_oh kind = pl_qpdf.oh_get_key_if_dict(pdf, one, "/Subtype");
    if (!pl_qpdf.oh_is_name(pdf, kind) || pl_qpdf.oh_is_name_and_equals(pdf, kind, "/Popup"))
        return 0;
    if (pl_qpdf.oh_is_name_and_equals(pdf, kind, "/Link"))
        return PL_LOST_LINKS;
    if (pl_qpdf.oh_is_name_and_equals(pdf, kind, "/FileAttachment"))
        return PL_LOST_ATTACHMENTS;
    if (!pl_qpdf.oh_is_name_and_equals(pdf, kind, "/Widget"))
        return PL_LOST_NOTES;
    return pl_qpdf.oh_is_name_and_equals(pdf, pl_qpdf.oh_get_key(pdf, one, "/FT"), "/Sig")
               ? PL_LOST_SIGNATURES
               : PL_LOST_FIELDS;
}

unsigned pl_pdf_lost(qpdf_data pdf, qpdf_oh page)
{
    qpdf_oh root = pl_qpdf.get_root(pdf), all = pl_qpdf.oh_get_key(pdf, page, "/Annots"),
            files = pl_qpdf.oh_get_key_if_dict(pdf, pl_qpdf.oh_get_key_if_dict(pdf, root, "/Names"),
                                               "/EmbeddedFiles");
    const int n = pl_qpdf.oh_is_array(pdf, all) ? pl_qpdf.oh_get_array_n_items(pdf, all) : 0;
    unsigned lost = pl_qpdf.oh_is_dictionary(pdf, files) ? PL_LOST_ATTACHMENTS : 0;
    if (pl_pdf_int(pdf, pl_qpdf.oh_get_key_if_dict(pdf, root, "/AcroForm"), "/SigFlags", 0) & 1)
        lost |= PL_LOST_SIGNATURES;
    for (int i = 0; i < PL_MIN(n, PL_PDF_MAX_ANNOTATIONS); i++)
        lost |= lost_of_annotation(pdf, pl_qpdf.oh_get_array_item(pdf, all, i));
    return lost;
}
