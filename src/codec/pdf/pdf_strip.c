/* SPDX-License-Identifier: BSD-2-Clause */
#include "codec/pdf/pdf_strip.h"

#include <string.h>

bool pl_pdf_shows_text(const char *op)
{
    return !strcmp(op, "Tj") || !strcmp(op, "TJ") || !strcmp(op, "'") || !strcmp(op, "\"");
}

/* Returns whether the operator only moves within a text object. TD also sets the leading, which
 * outlives it. */
static bool moves(const char *op)
{
    return !strcmp(op, "Td") || !strcmp(op, "Tm") || !strcmp(op, "T*");
}

static void put(struct pl_pdf_stripped *s, const char *piece, size_t n)
{
    pl_str_add(s->out, piece, n);
    if (s->in_text)
        pl_str_add(&s->bare, piece, n);
}

static void begin_text(struct pl_pdf_stripped *s)
{
    s->in_text = true;
    s->shows = false;
    s->text_at = s->out->len;
    pl_str_reset(&s->bare);
}

/* Where nothing is shown, places do not matter. */
static void end_text(struct pl_pdf_stripped *s)
{
    s->in_text = false;
    s->out->failed = s->out->failed || s->bare.failed;
    if (s->shows || s->out->failed)
        return;
    s->out->len = s->text_at;
    pl_str_add(s->out, s->bare.len ? s->bare.s : "", s->bare.len);
}

static void put_spacing(struct pl_str *out, const double spacing[2])
{
    pl_str_putc(out, '\n');
    pl_str_number(out, spacing[0], 6);
    pl_str_puts(out, " Tw ");
    pl_str_number(out, spacing[1], 6);
    pl_str_puts(out, " Tc");
}

/* What the operator does beside showing its text: two of them go to the next line first, and one
 * of these sets the spaces between words and characters, which outlive the text object. */
static void put_without_text(struct pl_pdf_stripped *s, const struct pl_pdf_piece *p)
{
    const bool spaces = !strcmp(p->op, "\"");
    if (spaces && p->n_numbers >= 2) {
        put_spacing(s->out, p->numbers + p->n_numbers - 2);
        put_spacing(&s->bare, p->numbers + p->n_numbers - 2);
    }
    if (spaces || !strcmp(p->op, "'"))
        pl_str_puts(s->out, "\nT*");
}

void pl_pdf_strip_piece(struct pl_pdf_stripped *s, const struct pl_pdf_piece *p)
{
    if (!strcmp(p->op, "BT"))
        begin_text(s);
    if (p->gone) {
        put_without_text(s, p);
    } else if (p->hidden && !strcmp(p->op, "BDC") && memmem(p->s, p->n, "/ActualText", 11)) {
        put(s, "\n/Span BMC", 10);
    } else if (s->in_text && moves(p->op)) {
        pl_str_add(s->out, p->s, p->n);
    } else {
        s->shows = s->shows || pl_pdf_shows_text(p->op);
        put(s, p->s, p->n);
    }
    if (s->in_text && !strcmp(p->op, "ET"))
        end_text(s);
}

void pl_pdf_strip_end(struct pl_pdf_stripped *s)
{
    s->out->failed = s->out->failed || s->bare.failed;
    pl_str_putc(s->out, '\n');
    pl_str_done(&s->bare);
}
