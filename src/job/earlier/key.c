/* SPDX-License-Identifier: BSD-2-Clause */
#include "job/earlier/key.h"

#include <sha2.h>
#include <string.h>

#include "base/map.h"
#include "config.h"
#include "models/models.h"
#include "nn/container.h"

/* Where a model file begins: its header and its section table, which have its size and a checksum
 * of every section. */
#define MODEL_HEAD_BYTES                                                                           \
    (PL_CONTAINER_HEADER_BYTES + PL_CONTAINER_MAX_SECTIONS * PL_CONTAINER_SECTION_BYTES)

_Static_assert(PL_KEY_BYTES == SHA256_DIGEST_STRING_LENGTH, "length of a key");

/* Adds the hash of the first `most` bytes of a file. */
static platen_status add_file(const char *path, size_t most, struct pl_str *out,
                              struct platen_error *err)
{
    struct pl_map map;
    char hex[SHA256_DIGEST_STRING_LENGTH];
    platen_status s = pl_map_open(path, PL_MAX_INPUT_BYTES, &map, err);
    if (s)
        return pl_fail_prefix(err, s, "'%s': ", path);
    pl_str_printf(out, "\n%s", SHA256Data(map.data, PL_MIN(map.size, most), hex));
    s = pl_map_check(&map, path, false, err);
    pl_map_close(&map);
    return s ? pl_fail_prefix(err, s, "'%s': ", path) : s;
}

/* Adds what tells a model file from every other one. That its bytes are those that the checksums
 * promise is found out where it is opened. */
static platen_status add_model(const char *path, struct pl_str *out, struct platen_error *err)
{
    return add_file(path, MODEL_HEAD_BYTES, out, err);
}

/* Adds the bytes of a file that a step names; the text of the pipeline has only its name. */
static platen_status add_named_file(const struct pl_step *step, struct pl_str *out,
                                    struct platen_error *err)
{
    const struct pl_param *file = pl_op_param_naming(step->info, PL_NAMES_FILE);
    const char *path = file ? pl_arg_text(file, step->args) : NULL;
    return path ? add_file(path, SIZE_MAX, out, err) : PLATEN_OK;
}

/* Adds the file that `beside` names, which goes with the recognizer. */
static platen_status add_beside(const char *recognizer,
                                void (*beside)(const char *path, struct pl_str *ret),
                                struct pl_str *out, struct platen_error *err)
{
    struct pl_str path = {0};
    beside(recognizer, &path);
    platen_status s = path.failed ? pl_fail_nomem(err, strlen(recognizer), "a model's name")
                                  : add_model(path.s, out, err);
    pl_str_done(&path);
    return s;
}

static platen_status add_models(const struct pl_key_models *m, struct pl_str *out,
                                struct platen_error *err)
{
    platen_status s = m->detector ? add_model(m->detector, out, err) : PLATEN_OK;
    if (!s && m->recognizer)
        s = add_model(m->recognizer, out, err);
    if (!s && m->quick)
        s = add_beside(m->recognizer, pl_models_quick, out, err);
    if (!s && m->language)
        s = add_beside(m->recognizer, pl_models_language, out, err);
    if (!s && m->identifier)
        s = add_beside(m->recognizer, pl_models_identifier, out, err);
    const size_t n_further = m->further ? m->further->models.n : 0;
    for (size_t i = 0; i < n_further && !s; i++) {
        const struct pl_further_model *f = &m->further->v[i];
        s = add_model(f->path.s, out, err);
        if (!s && f->language_path.len)
            s = add_model(f->language_path.s, out, err);
    }
    for (size_t i = 0; m->languages && i < m->languages->n && !s; i++)
        s = add_model(m->languages->v[i].path.s, out, err);
    return s;
}

static void add_sheet(const struct pl_pdf_sheet *s, struct pl_str *out)
{
    if (!s->wanted)
        return;
    pl_str_printf(out, "\nsheet %d %.6g %.6g %.6g %.6g", s->largest, s->width, s->height,
                  s->from_left, s->from_top);
    for (int i = 0; i < PL_PDF_SIDES; i++)
        pl_str_printf(out, " %.6g", s->margin[i]);
}

platen_status pl_key_make(const struct pl_plan *plan, const struct pl_key_models *m,
                          const char *pages, char ret[PL_KEY_BYTES], struct platen_error *err)
{
    struct pl_str text = {0};
    const struct pl_step *recognize = pl_spec_step(plan->pipeline, PLATEN_STAGE_RECOGNIZE);
    pl_str_printf(&text, "platen %s\n", PL_VERSION);
    pl_spec_print(plan->pipeline, &text);
    for (size_t i = 0; i < plan->n_formats; i++)
        pl_str_printf(&text, "\n%s", plan->formats[i]->name);
    pl_str_printf(&text, "\n%llu %d", (unsigned long long)plan->load.max_pixels, plan->times);
    if (pages)
        pl_str_printf(&text, "\n%s", pages);
    if (plan->dpi > 0)
        pl_str_printf(&text, "\n%.6g dpi", (double)plan->dpi);
    if (plan->load.pdf_text)
        pl_str_printf(&text, "\npdf text %d", (int)plan->load.pdf_text);
    if (plan->slim)
        pl_str_puts(&text, "\nslim");
    if (plan->join_lines)
        pl_str_puts(&text, "\njoin-lines");
    if (plan->clean_pdf)
        pl_str_puts(&text, "\nclean-pdf");
    if (plan->pdfa)
        pl_str_puts(&text, "\npdfa");
    add_sheet(&plan->sheet, &text);
    platen_status s = add_models(m, &text, err);
    if (!s && recognize)
        s = add_named_file(recognize, &text, err);
    if (!s && text.failed)
        s = pl_fail_nomem(err, text.len, "the key of the journal");
    if (!s)
        SHA256Data((const uint8_t *)text.s, text.len, ret);
    pl_str_done(&text);
    return s;
}

/* Also its end, so that two names are never like one. */
static void add_name(SHA2_CTX *sum, const char *name)
{
    SHA256Update(sum, (const uint8_t *)name, strlen(name) + 1);
}

void pl_key_add_inputs(const struct pl_inputs *in, char key[PL_KEY_BYTES])
{
    SHA2_CTX sum;
    SHA256Init(&sum);
    add_name(&sum, key);
    add_name(&sum, in->joined);
    for (size_t i = 0; i < in->n; i++)
        add_name(&sum, in->v[i].label);
    SHA256End(&sum, key);
}
