/* SPDX-License-Identifier: BSD-2-Clause */
/* How a PDF names its pages: the number tree /PageLabels (ISO 32000-1, 7.9.7 and 12.4.2). */
#include <string.h>

#include "base/mem.h"
#include "codec/pdf/pdf.h"

#define MAX_DEPTH 16   /* of the tree */
#define MAX_NODES 4096 /* of the tree, and ranges in it */

/* A range of pages that are counted on, and those that are labelled so far. */
struct label_writer {
    qpdf_data pdf;
    struct pl_str *out;
    int n_pages, page; /* pages, and how many of them have their labels */
    int first, start;  /* page of the file that has the number `start` */
    char style;        /* D, R, r, A, a; 0 = the prefix stands alone */
    char prefix[PL_PAGE_LABEL_BYTES];
    int nodes;
};

static void put_roman(struct pl_str *out, int n, bool small)
{
    static const struct {
        int value;
        const char *digits[2];
    } all[] = {{1000, {"M", "m"}}, {900, {"CM", "cm"}}, {500, {"D", "d"}}, {400, {"CD", "cd"}},
               {100, {"C", "c"}},  {90, {"XC", "xc"}},  {50, {"L", "l"}},  {40, {"XL", "xl"}},
               {10, {"X", "x"}},   {9, {"IX", "ix"}},   {5, {"V", "v"}},   {4, {"IV", "iv"}},
               {1, {"I", "i"}}};
    for (size_t i = 0; i < PL_ARRAY_LEN(all); i++)
        for (; n >= all[i].value; n -= all[i].value)
            pl_str_puts(out, all[i].digits[small]);
}

/* Appends a number as letters: a to z, then aa to zz, then aaa and so on. */
static void put_letters(struct pl_str *out, int n, char first)
{
    for (int i = 0; i <= (n - 1) / 26; i++)
        pl_str_putc(out, (char)(first + (n - 1) % 26));
}

#define MOST_ROMAN 9999  /* whose thousands still fit into a label */
#define MOST_LETTERS 520 /* twenty times the alphabet */

/* Appends the number of the next page as the style has it; nothing where it is too long so. */
static void put_number(struct label_writer *w)
{
    const int64_t n = (int64_t)w->start + w->page - w->first;
    if (n < 1 || n > INT32_MAX)
        return;
    if (w->style == 'D')
        pl_str_printf(w->out, "%d", (int)n);
    else if ((w->style == 'R' || w->style == 'r') && n <= MOST_ROMAN)
        put_roman(w->out, (int)n, w->style == 'r');
    else if ((w->style == 'A' || w->style == 'a') && n <= MOST_LETTERS)
        put_letters(w->out, (int)n, w->style);
}

static void put_labels(struct label_writer *w, int end)
{
    for (; w->page < end; w->page++) {
        const size_t before = w->out->len;
        pl_str_puts(w->out, w->prefix);
        put_number(w);
        if (w->out->len - before >= PL_PAGE_LABEL_BYTES)
            w->out->len = before;
        pl_str_add(w->out, "", 1);
    }
}

/* Begins the range of page `first`, from 0, unless one behind it was begun already. */
static void begin_range(struct label_writer *w, long long first, qpdf_oh dict)
{
    qpdf_data pdf = w->pdf;
    if (first < w->page || first >= w->n_pages)
        return;
    put_labels(w, (int)first);
    qpdf_oh style = pl_qpdf.oh_get_key_if_dict(pdf, dict, "/S"),
            prefix = pl_qpdf.oh_get_key_if_dict(pdf, dict, "/P"),
            start = pl_qpdf.oh_get_key_if_dict(pdf, dict, "/St");
    w->first = (int)first;
    w->start = pl_qpdf.oh_is_integer(pdf, start) ? pl_qpdf.oh_get_int_value_as_int(pdf, start) : 1;
    /* a text of qpdf lasts until it gives the next one */
    const char *name = pl_qpdf.oh_is_name(pdf, style) ? pl_qpdf.oh_get_name(pdf, style) : "/";
    w->style = name[1] && !name[2] ? name[1] : '\0';
    const char *text =
        pl_qpdf.oh_is_string(pdf, prefix) ? pl_qpdf.oh_get_utf8_value(pdf, prefix) : "";
    w->prefix[0] = '\0';
    if (strlen(text) < sizeof(w->prefix))
        memcpy(w->prefix, text, strlen(text) + 1);
}

static void read_node(struct label_writer *w, qpdf_oh node, int depth)
{
    qpdf_data pdf = w->pdf;
    qpdf_oh kids = pl_qpdf.oh_get_key_if_dict(pdf, node, "/Kids"),
            nums = pl_qpdf.oh_get_key_if_dict(pdf, node, "/Nums");
    const int n_kids = pl_qpdf.oh_is_array(pdf, kids) ? pl_qpdf.oh_get_array_n_items(pdf, kids) : 0,
              n_nums = pl_qpdf.oh_is_array(pdf, nums) ? pl_qpdf.oh_get_array_n_items(pdf, nums) : 0;
    for (int i = 0; i < n_kids && depth < MAX_DEPTH && w->nodes < MAX_NODES; i++, w->nodes++)
        read_node(w, pl_qpdf.oh_get_array_item(pdf, kids, i), depth + 1);
    for (int i = 0; i + 1 < n_nums && w->nodes < MAX_NODES; i += 2, w->nodes++) {
        qpdf_oh first = pl_qpdf.oh_get_array_item(pdf, nums, i);
        if (pl_qpdf.oh_is_integer(pdf, first))
            begin_range(w, pl_qpdf.oh_get_int_value(pdf, first),
                        pl_qpdf.oh_get_array_item(pdf, nums, i + 1));
    }
}

platen_status pl_pdf_labels(qpdf_data pdf, int n_pages, struct pl_str *ret,
                            struct platen_error *err)
{
    struct label_writer w = {.pdf = pdf, .out = ret, .n_pages = n_pages};
    qpdf_oh tree = pl_qpdf.oh_get_key_if_dict(pdf, pl_qpdf.get_root(pdf), "/PageLabels");
    if (!pl_qpdf.oh_is_dictionary(pdf, tree))
        return PLATEN_OK;
    read_node(&w, tree, 0);
    put_labels(&w, n_pages);
    return ret->failed ? pl_fail_nomem(err, ret->len, "the labels of pages") : PLATEN_OK;
}
