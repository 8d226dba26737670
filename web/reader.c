/* SPDX-License-Identifier: BSD-2-Clause */
/* platen as a WebAssembly module: pictures that somebody else decoded become text, by one thread
 * and without files. The results are those of the program with the same model. */
#include "web/reader.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/bufpool.h"
#include "base/mem.h"
#include "codec/decode.h"
#include "detect/net/detector.h"
#include "nn/graph_file.h"
#include "output/emitters.h"
#include "recognize/language/identify.h"
#include "recognize/language/language.h"
#include "stages/stages.h"

#define PAGE_NAME "page"

/* The models of one reader, and what it read last. The bytes of the models are the reader's. */
struct pl_web_reader {
    void *bytes[PL_WEB_MODELS];
    struct pl_network *network, *detector, *quick;
    struct pl_line_model line;
    struct pl_language *language;
    struct pl_identifier *identifier;
    struct pl_kernels kernels;
    struct pl_bufpool *bufs;
    struct pl_arena arena;
    struct pl_str text;
    char name[96]; /* of the model and its version */
};

/* What one page is read with. */
struct reading {
    struct platen_pipeline *pipeline;
    struct pl_decoder *decoder;
    struct pl_recognizer *recognizer;
    struct pl_detect_net net;
    struct pl_part part, second;
};

/* Those that need no decoder and no library. */
static const struct pl_emitter *const formats[] = {
    &pl_emit_txt,  &pl_emit_layout, &pl_emit_json, &pl_emit_ndjson, &pl_emit_tsv, &pl_emit_box,
    &pl_emit_hocr, &pl_emit_alto,   &pl_emit_page, &pl_emit_md,     &pl_emit_pdf,
};

static struct platen_error error;

void *pl_web_alloc(size_t n)
{
    return pl_alloc(1, n);
}

void pl_web_free(void *p)
{
    pl_free(p);
}

const char *pl_web_message(void)
{
    return error.text;
}

void pl_web_close(struct pl_web_reader *r)
{
    if (!r)
        return;
    pl_identifier_free(r->identifier);
    pl_language_free(r->language);
    pl_line_model_done(&r->line);
    pl_network_free(r->network);
    pl_network_free(r->detector);
    pl_network_free(r->quick);
    for (size_t i = 0; i < PL_ARRAY_LEN(r->bytes); i++)
        pl_free(r->bytes[i]);
    pl_bufpool_free(r->bufs);
    pl_arena_done(&r->arena);
    pl_str_done(&r->text);
    pl_free(r);
}

static void name_model(struct pl_web_reader *r)
{
    const char *name = pl_network_meta(r->network, "name");
    const char *version = pl_network_meta(r->network, "version");
    snprintf(r->name, sizeof(r->name), "%s%s%s", name ? name : "", version ? " " : "",
             version ? version : "");
}

static platen_status open_models(struct pl_web_reader *r, const size_t *n)
{
    platen_status s =
        pl_network_open_memory(r->bytes[PL_WEB_MODEL], n[PL_WEB_MODEL], &r->network, &error);
    s = s ? s : pl_line_model_read(r->network, &r->line, &error);
    s = s ? s : pl_recognize_try(r->network, &r->line, &r->kernels, &error);
    if (!s && r->bytes[PL_WEB_QUICK]) {
        s = pl_network_open_memory(r->bytes[PL_WEB_QUICK], n[PL_WEB_QUICK], &r->quick, &error);
        s = s ? s : pl_line_model_add_quick(&r->line, r->quick, &error);
        s = s ? s : pl_recognize_try(r->quick, &r->line, &r->kernels, &error);
    }
    if (!s && r->bytes[PL_WEB_LANGUAGE])
        s = pl_language_open_memory(r->bytes[PL_WEB_LANGUAGE], n[PL_WEB_LANGUAGE], &r->language,
                                    &error);
    if (!s && r->bytes[PL_WEB_IDENTIFIER])
        s = pl_identifier_open_memory(r->bytes[PL_WEB_IDENTIFIER], n[PL_WEB_IDENTIFIER],
                                      &r->identifier, &error);
    if (!s && r->bytes[PL_WEB_DETECTOR])
        s = pl_network_open_memory(r->bytes[PL_WEB_DETECTOR], n[PL_WEB_DETECTOR], &r->detector,
                                   &error);
    return s;
}

struct pl_web_reader *pl_web_open(void *const *models, const size_t *n_bytes)
{
    struct pl_web_reader *r = pl_alloc_zero(1, sizeof(*r));
    if (!r) {
        for (size_t i = 0; i < PL_WEB_MODELS; i++)
            pl_free(models[i]);
        (void)!pl_fail_nomem(&error, sizeof(*r), "the reader");
        return NULL;
    }
    memcpy(r->bytes, models, sizeof(r->bytes));
    pl_arena_init(&r->arena);
    pl_kernels_init(&r->kernels, pl_isa_best());
    r->bufs = pl_bufpool_new();
    platen_status s = r->bufs ? PLATEN_OK : pl_fail_nomem(&error, 0, "the buffer pool");
    s = s ? s : open_models(r, n_bytes);
    if (s) {
        pl_web_close(r);
        return NULL;
    }
    name_model(r);
    return r;
}

/* The picture as the program would have it after decoding a file with these pixels. */
static platen_status take_pixels(const struct pl_env *env, uint8_t *rgba, int width, int height,
                                 struct pl_image *ret)
{
    const struct pl_load_options opt = {.gray = true, .max_pixels = SIZE_MAX / 4};
    const struct pl_source src = {.env = env, .opt = &opt};
    platen_status s =
        pl_limits_check(&opt, (uint64_t)PL_MAX(width, 0), (uint64_t)PL_MAX(height, 0), &error);
    s = s ? s : pl_rows_init(&src, width, height, 4, ret, &error);
    for (int y = 0; !s && y < height; y++)
        pl_rows_put(env, ret, y, rgba + 4 * (size_t)y * (size_t)width, 4);
    if (!s)
        ret->bilevel = pl_rows_bilevel(ret);
    return s;
}

static bool goes_without(const struct pl_step *detect)
{
    const struct pl_detect_op *op = pl_detect_op_of(detect->info);
    return op->goes_without && op->goes_without(detect->args);
}

/* Makes the network of a detect step ready, if it has one: the reader's for platen's own operation
 * by its default name. */
static platen_status open_net(const struct pl_web_reader *r, const struct pl_step *detect,
                              struct pl_detect_net *ret)
{
    const struct pl_param *p = pl_op_param_naming(detect->info, PL_NAMES_MODEL);
    const char *name = p ? pl_arg_text(p, detect->args) : NULL;
    if (!p)
        return PLATEN_OK;
    if (r->detector && name && p->def_text && !strcmp(name, p->def_text))
        return pl_detector_new(r->detector, &r->kernels, &ret->own, &error);
    return goes_without(detect)
               ? PLATEN_OK
               : pl_fail(&error, PLATEN_ERR_UNSUPPORTED,
                         "%s needs a network of its own, which this reader does not have",
                         detect->info->name);
}

static platen_status open_reading(struct pl_web_reader *r, const char *spec, struct reading *now)
{
    platen_status s = pl_spec_parse(spec, strlen(spec), &now->pipeline, NULL, &error);
    const struct pl_step *step = s ? NULL : pl_spec_step(now->pipeline, PLATEN_STAGE_RECOGNIZE);
    const struct pl_step *detect = s ? NULL : pl_spec_step(now->pipeline, PLATEN_STAGE_DETECT);
    s = s || !detect ? s : open_net(r, detect, &now->net);
    if (s || !step)
        return s;
    const bool wanted = pl_recognize_language_wish(step->args) != PL_LANGUAGE_OFF;
    const struct pl_text_models text = {.language = wanted ? r->language : NULL,
                                        .identifier = r->identifier};
    s = pl_recognize_decoder(&r->line, &text, step->args, &now->decoder, &error);
    return s ? s
             : pl_recognizer_new(r->network, &r->line, &r->kernels, NULL, 0, &now->recognizer,
                                 &error);
}

static platen_status put_out(struct pl_web_reader *r, const struct reading *now,
                             const struct pl_env *env, const struct pl_web_page *p,
                             const struct pl_emitter *e)
{
    struct pl_stream stream;
    struct pl_str page = {0};
    const struct pl_page_result result = {
        .path = PAGE_NAME,
        .page = 1,
        .number = 1,
        .width = p->width,
        .height = p->height,
        .dpi_x = (float)p->dpi,
        .dpi_y = (float)p->dpi,
        .source = p->jpeg,
        .source_bytes = p->jpeg_bytes,
        .model = r->name[0] ? r->name : NULL,
        .image = &now->part.image,
        .regions = now->pipeline->last >= PLATEN_STAGE_DETECT ? &now->part.regions : NULL,
        .recognized = now->pipeline->last >= PLATEN_STAGE_RECOGNIZE,
    };
    pl_stream_init(&stream, e);
    platen_status s = e->emit(env, &result, &page, &error);
    s = s ? s : pl_stream_page(&stream, &page, &r->text, &error);
    s = s ? s : pl_stream_end(&stream, &r->text, &error);
    pl_stream_done(&stream);
    pl_str_done(&page);
    return s;
}

static platen_status read_page(struct pl_web_reader *r, struct reading *now,
                               const struct pl_web_page *p, const struct pl_emitter *e)
{
    struct pl_env env = {.k = &r->kernels, .bufs = r->bufs};
    struct pl_image image = {0};
    const struct pl_decoding decoding = {.decoder = now->decoder};
    const struct pl_stages stages = {.pipeline = now->pipeline,
                                     .env = &env,
                                     .arena = &r->arena,
                                     .net = &now->net,
                                     .team = &now->recognizer,
                                     .decoding = &decoding};
    platen_status s = take_pixels(&env, p->rgba, p->width, p->height, &image);
    if (s)
        return s;
    image.dpi_x = image.dpi_y = (float)p->dpi;
    now->part = (struct pl_part){.image = {.image = image, .to_input = PL_AFFINE_IDENTITY},
                                 .other = &now->second};
    s = pl_stages_run(&stages, &now->part, &error);
    return s ? s : put_out(r, now, &env, p, e);
}

static const struct pl_emitter *find_format(const char *name)
{
    for (size_t i = 0; i < PL_ARRAY_LEN(formats); i++)
        if (!strcmp(formats[i]->name, name))
            return formats[i];
    return NULL;
}

int pl_web_read(struct pl_web_reader *r, const struct pl_web_page *page, const char *spec,
                const char *format)
{
    struct reading now = {0};
    const struct pl_emitter *e = find_format(format);
    pl_str_reset(&r->text);
    platen_status s = e ? open_reading(r, spec, &now)
                        : pl_fail(&error, PLATEN_ERR_ARG, "unknown format '%s'", format);
    if (!s && now.pipeline->divides)
        s = pl_fail(&error, PLATEN_ERR_UNSUPPORTED, "split makes two pages of one");
    if (!s && now.pipeline->last < e->needs)
        s = pl_fail(&error, PLATEN_ERR_ARG, "format %s needs a longer pipeline", format);
    s = s ? s : read_page(r, &now, page, e);
    pl_part_done(&now.part);
    pl_part_done(&now.second);
    pl_detector_free(now.net.own);
    pl_recognizer_free(now.recognizer);
    pl_decoder_free(now.decoder);
    pl_spec_free(now.pipeline);
    pl_arena_reset(&r->arena);
    return s ? -1 : 0;
}

const char *pl_web_text(const struct pl_web_reader *r)
{
    return r->text.len ? r->text.s : "";
}

size_t pl_web_text_bytes(const struct pl_web_reader *r)
{
    return r->text.len;
}
