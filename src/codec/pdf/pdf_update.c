/* SPDX-License-Identifier: BSD-2-Clause */
/* The dictionaries of a page that is to have a layer more, as text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "codec/pdf/pdf.h"

/* The last lines of a document stand in its last bytes. */
#define TAIL_BYTES 2048
#define MAX_BLANKS 16 /* that readers pass over before a table of objects */

void pl_pdf_update_done(struct pl_pdf_update *u)
{
    for (int i = 0; i < PL_PDF_OLD_TEXTS; i++)
        pl_str_done(&u->text[i]);
}

/* Appends the entries of a dictionary, but for those of the n keys, which are left out. */
static void put_entries(qpdf_data pdf, qpdf_oh dict, const char *const *but, size_t n,
                        struct pl_str *out)
{
    if (!pl_qpdf.oh_is_dictionary(pdf, dict))
        return;
    pl_qpdf.oh_begin_dict_key_iter(pdf, dict);
    while (pl_qpdf.oh_dict_more_keys(pdf)) {
        const char *key = pl_qpdf.oh_dict_next_key(pdf);
        bool wanted = true;
        for (size_t i = 0; i < n; i++)
            wanted = wanted && strcmp(key, but[i]) != 0;
        if (!wanted)
            continue;
        qpdf_oh value = pl_qpdf.oh_get_key(pdf, dict, key);
        pl_str_puts(out, pl_qpdf.oh_unparse(pdf, pl_qpdf.oh_new_name(pdf, key)));
        pl_str_putc(out, ' ');
        pl_str_puts(out, pl_qpdf.oh_unparse(pdf, value));
        pl_str_putc(out, '\n');
    }
}

static void put_contents(qpdf_data pdf, qpdf_oh contents, struct pl_str *out)
{
    const bool list = pl_qpdf.oh_is_array(pdf, contents);
    const int n =
        list ? pl_qpdf.oh_get_array_n_items(pdf, contents) : pl_qpdf.oh_is_stream(pdf, contents);
    for (int i = 0; i < n; i++) {
        qpdf_oh one = list ? pl_qpdf.oh_get_array_item(pdf, contents, i) : contents;
        if (!pl_qpdf.oh_is_stream(pdf, one))
            continue;
        pl_str_puts(out, pl_qpdf.oh_unparse(pdf, one));
        pl_str_putc(out, ' ');
    }
}

/* Finds where the last table of objects begins, and whether it is a stream. */
static bool find_table(const uint8_t *data, size_t n, struct pl_pdf_place *ret)
{
    static const char word[] = "startxref";
    const size_t from = n > TAIL_BYTES ? n - TAIL_BYTES : 0;
    char number[24] = "";
    size_t at = n;
    while (at > from && (n - at < sizeof(word) || memcmp(data + at, word, sizeof(word) - 1) != 0))
        at--;
    if (at == from)
        return false;
    memcpy(number, data + at + sizeof(word) - 1, PL_MIN(n - at - (sizeof(word) - 1), (size_t)23));
    ret->xref_at = strtoull(number, NULL, 10);
    if (ret->xref_at >= n - 4)
        return false;
    const uint8_t *table = data + ret->xref_at;
    for (int i = 0; i < MAX_BLANKS && isspace(*table) && table + 5 < data + n; i++)
        table++;
    ret->xref_stream = isdigit(*table);
    return ret->xref_stream || !memcmp(table, "xref", 4);
}

static platen_status read_trailer(qpdf_data pdf, struct pl_pdf_update *u, struct platen_error *err)
{
    static const char *const kept[] = {"/Root", "/Info", "/ID"};
    qpdf_oh trailer = pl_qpdf.get_trailer(pdf), size = pl_qpdf.oh_get_key(pdf, trailer, "/Size");
    const int n = pl_qpdf.oh_is_integer(pdf, size) ? pl_qpdf.oh_get_int_value_as_int(pdf, size) : 0;
    if (n < 2 || n > INT32_MAX / 2 || !pl_qpdf.oh_is_null(pdf, pl_qpdf.get_object_by_id(pdf, n, 0)))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "the pdf does not tell how many objects it has; qpdf repairs it");
    u->place.free_object = n;
    for (size_t i = 0; i < PL_ARRAY_LEN(kept); i++) {
        if (!pl_qpdf.oh_has_key(pdf, trailer, kept[i]))
            continue;
        pl_str_puts(&u->text[PL_PDF_OLD_TRAILER], kept[i]);
        pl_str_putc(&u->text[PL_PDF_OLD_TRAILER], ' ');
        qpdf_oh value = pl_qpdf.oh_get_key(pdf, trailer, kept[i]);
        pl_str_puts(&u->text[PL_PDF_OLD_TRAILER], pl_qpdf.oh_unparse(pdf, value));
        pl_str_putc(&u->text[PL_PDF_OLD_TRAILER], '\n');
    }
    return PLATEN_OK;
}

/* The catalogue is written anew where bookmarks or a language are added to it. */
static void read_catalog(qpdf_data pdf, struct pl_pdf_update *u)
{
    struct pl_pdf_place *place = &u->place;
    const char *lacks[2];
    size_t n = 0;
    qpdf_oh root = pl_qpdf.get_root(pdf),
            outline = pl_qpdf.oh_get_key_if_dict(pdf, root, "/Outlines");
    place->has_outline =
        pl_qpdf.oh_is_dictionary(pdf, outline) && pl_qpdf.oh_has_key(pdf, outline, "/First");
    place->has_language = pl_qpdf.oh_has_key(pdf, root, "/Lang");
    if (!place->has_outline)
        lacks[n++] = "/Outlines";
    if (!place->has_language)
        lacks[n++] = "/Lang";
    const int object = pl_qpdf.oh_get_object_id(pdf, root);
    if (!n || object < 1 || object >= place->free_object)
        return;
    place->catalog = object;
    place->catalog_generation = pl_qpdf.oh_get_generation(pdf, root);
    put_entries(pdf, root, lacks, n, &u->text[PL_PDF_OLD_CATALOG]);
}

platen_status pl_pdf_put_update(qpdf_data pdf, qpdf_oh page, qpdf_oh resources,
                                const struct pl_pdf_update_source *src, struct pl_pdf_update *ret,
                                struct platen_error *err)
{
    static const char *const of_page[] = {"/Contents", "/Resources"}, *const font[] = {"/Font"},
                             *const own[] = {"/f-0-0"}; /* which no page without text needs */
    struct pl_pdf_update *u = ret;
    if (pl_qpdf.is_encrypted(pdf))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "the pdf is encrypted, so that no text can be added; qpdf --decrypt undoes "
                       "it");
    if (!find_table(src->data, src->n, &u->place))
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "the pdf is damaged, so that no text can be added; qpdf repairs it");
    platen_status s = read_trailer(pdf, u, err);
    if (s)
        return s;
    u->place.object = pl_qpdf.oh_get_object_id(pdf, page);
    u->place.generation = pl_qpdf.oh_get_generation(pdf, page);
    if (u->place.object < 1 || u->place.object >= u->place.free_object) {
        /* a copy, by qpdf, of a page that the document lists twice, which has one text */
        u->place.object = 1;
        u->place.keeps_text = true;
        return PLATEN_OK;
    }
    read_catalog(pdf, u);
    put_entries(pdf, page, of_page, PL_ARRAY_LEN(of_page), &u->text[PL_PDF_OLD_ENTRIES]);
    put_contents(pdf, pl_qpdf.oh_get_key(pdf, page, "/Contents"), &u->text[PL_PDF_OLD_CONTENTS]);
    put_entries(pdf, resources, font, PL_ARRAY_LEN(font), &u->text[PL_PDF_OLD_RESOURCES]);
    put_entries(pdf, pl_qpdf.oh_get_key_if_dict(pdf, resources, "/Font"), own, 1,
                &u->text[PL_PDF_OLD_FONTS]);
    for (int i = 0; i < PL_PDF_OLD_TEXTS; i++)
        if (u->text[i].failed)
            return pl_fail_nomem(err, u->text[i].len, "the objects of a page");
    return PLATEN_OK;
}
