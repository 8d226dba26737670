/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/pdf/pdf_stream.h"

void pl_pdf_begin_stream(struct pl_str *out, size_t n)
{
    pl_str_printf(out, "/Length %zu >>\nstream\n", n);
}

void pl_pdf_end_stream(struct pl_str *out)
{
    pl_str_puts(out, "\nendstream\n");
}

void pl_pdf_put_stream(struct pl_str *out, const void *data, size_t n)
{
    pl_pdf_begin_stream(out, n);
    pl_str_add(out, data, n);
    pl_pdf_end_stream(out);
}

void pl_pdf_put_utf16(struct pl_str *out, const char *text, size_t n)
{
    uint32_t c;
    for (size_t k; n; text += k, n -= k) {
        k = pl_utf8_get(text, n, &c);
        if (!k)
            c = 0xfffd;
        k = PL_MAX(k, (size_t)1);
        if (c < 0x10000)
            pl_str_printf(out, "%04x", (unsigned)c);
        else
            pl_str_printf(out, "%04x%04x", 0xd800 + ((unsigned)(c - 0x10000) >> 10),
                          0xdc00 + ((unsigned)(c - 0x10000) & 0x3ff));
    }
}
