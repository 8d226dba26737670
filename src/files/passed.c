/* SPDX-License-Identifier: BSD-2-Clause */
#include "files/passed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLD 6             /* kinds, of more those with the most files */
#define EXTENSION_BYTES 10 /* a longer ending is no extension */
#define NO_EXTENSION "without extension"
#define OTHERS "others"

/* Returns the kind of a file by its name: ".pdf" of "A.PDF". Only ASCII letters and digits make an
 * extension. */
static void kind_of(const char *name, char ret[PL_PASSED_KIND_BYTES])
{
    const char *dot = strrchr(name, '.');
    size_t n = dot && dot > name ? strlen(dot + 1) : 0;
    bool plain = n && n <= EXTENSION_BYTES;
    for (size_t i = 0; plain && i < n; i++) {
        char c = dot[1 + i], lower = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
        plain = (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
        ret[1 + i] = lower;
    }
    ret[0] = '.';
    ret[1 + (plain ? n : 0)] = '\0';
    if (!plain)
        strcpy(ret, NO_EXTENSION);
}

static void count_passed(struct pl_passed *p, const char *kind, size_t n)
{
    size_t i = 0;
    while (i < p->n_kinds && i < PL_PASSED_KINDS - 1 && strcmp(p->kinds[i].name, kind))
        i++;
    if (i == PL_PASSED_KINDS - 1) /* the last one takes what has no place */
        kind = OTHERS;
    if (i == p->n_kinds) {
        snprintf(p->kinds[i].name, sizeof(p->kinds[i].name), "%s", kind);
        p->n_kinds++;
    }
    p->kinds[i].n += n;
    p->n += n;
}

void pl_passed_add(struct pl_passed *p, const char *path, const char *name, const char *kind)
{
    char extension[PL_PASSED_KIND_BYTES];
    if (!kind)
        kind_of(name, extension);
    count_passed(p, kind ? kind : extension, 1);
    if (p->keep_names) {
        pl_str_name(&p->names, path, strlen(path), PL_NAME_SHOWN);
        pl_str_putc(&p->names, '\n');
    }
}

void pl_passed_join(struct pl_passed *p, const struct pl_passed *more)
{
    for (size_t i = 0; i < more->n_kinds; i++)
        count_passed(p, more->kinds[i].name, more->kinds[i].n);
    if (more->names.len)
        pl_str_add(&p->names, more->names.s, more->names.len);
    p->names.failed = p->names.failed || more->names.failed;
}

/* Orders kinds by their number of files, the kind without an extension of its own last. */
static int compare_told(const void *a, const void *b)
{
    const struct pl_passed_kind *x = a, *y = b;
    int last = !strcmp(x->name, OTHERS) - !strcmp(y->name, OTHERS);
    if (last)
        return last;
    return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : strcmp(x->name, y->name);
}

void pl_passed_tell(const struct pl_passed *p, struct pl_str *out)
{
    struct pl_passed_kind v[PL_PASSED_KINDS];
    size_t told = p->n_kinds > TOLD ? TOLD : p->n_kinds, rest = p->n;
    memcpy(v, p->kinds, p->n_kinds * sizeof(v[0]));
    qsort(v, p->n_kinds, sizeof(v[0]), compare_told);
    pl_str_printf(out, "%zu file%s:", p->n, p->n == 1 ? "" : "s");
    for (size_t i = 0; i < told && strcmp(v[i].name, OTHERS); i++) {
        pl_str_printf(out, "%s %zu %s", i ? "," : "", v[i].n, v[i].name);
        rest -= v[i].n;
    }
    if (rest)
        pl_str_printf(out, ", %zu others", rest);
}

void pl_passed_done(struct pl_passed *p)
{
    pl_str_done(&p->names);
}
