/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/new_pdf.h"

#include <string.h>

void pl_new_pdf_name(const struct pl_page *page, struct pl_str *ret)
{
    pl_str_reset(ret);
    if (!page->anew || page->status || !(page->told.drawn || page->told.lost))
        return;
    pl_str_putc(ret, '\'');
    pl_str_name(ret, page->in.path, strlen(page->in.path), PL_NAME_SHOWN);
    pl_str_putc(ret, '\'');
}

void pl_new_pdf_done(struct pl_new_pdf *f)
{
    pl_str_done(&f->name);
    pl_str_done(&f->text);
}

static void put_lost(unsigned lost, struct pl_str *out)
{
    static const char *const names[] = {"attachments", "links", "notes", "fields of forms",
                                        "signatures"};
    for (unsigned i = 0, left = lost; i < PL_ARRAY_LEN(names); i++) {
        if (!(left >> i & 1))
            continue;
        left &= ~(1u << i);
        pl_str_puts(out, names[i]);
        if (left)
            pl_str_puts(out, left & (left - 1) ? ", " : " and ");
    }
}

static void tell(struct pl_new_pdf *f)
{
    struct pl_str *out = &f->text;
    pl_str_add(out, f->name.s, f->name.len);
    f->name_bytes = out->len;
    pl_str_puts(out, ": in the new PDF ");
    if (f->drawn)
        pl_str_printf(out, "%zu drawn page%s", f->drawn,
                      f->drawn == 1 ? " becomes a picture" : "s become pictures");
    if (f->drawn && f->lost)
        pl_str_puts(out, ", and its ");
    if (f->lost) {
        put_lost(f->lost, out);
        pl_str_puts(out, " are left out");
    }
}

bool pl_new_pdf_add(struct pl_new_pdf *f, const struct pl_page_told *told,
                    const struct pl_str *name, bool more)
{
    pl_str_reset(&f->text);
    if (name->len && !f->name.len)
        pl_str_add(&f->name, name->s, name->len);
    if (name->len) {
        f->drawn += told->drawn;
        f->lost |= told->lost;
    }
    if (more)
        return false;
    if (f->name.len)
        tell(f);
    pl_str_reset(&f->name);
    f->drawn = 0;
    f->lost = 0;
    return f->text.len;
}
