/* SPDX-License-Identifier: BSD-2-Clause */
/* Decoder cells, as the process that asks for pictures sees them. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "base/mem.h"
#include "base/system.h"
#include "codec/cell_place.h"
#include "codec/decode.h"
#include "codec/jp2_boxes.h"

#define MAX_PAGES 1000000                    /* of a file, more than any format here allows */
#define MAX_DECODE_BYTES ((uint64_t)1 << 48) /* that a cell may ask for: sums with it fit */
#define MAX_SIDE_IN 1e6                      /* of a page of a PDF */
#define MAX_DPI 10000                        /* of a page that a program renders */
#define POLL_MS 200                          /* between checks of whether the page was canceled */

struct ask {
    const struct pl_env *env; /* or NULL */
    struct pl_cell_place *place;
    int64_t end_ms;
    struct pl_cell_reply reply;
};

/* Waits for a place. A file that was another one when the job began comes too late for a helper. */
static platen_status open_ask(struct ask *q, const struct pl_env *env, size_t n,
                              struct platen_error *err)
{
    if (!pl_cells_met())
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "it became a file of this kind when the run had begun");
    struct pl_cell_place *const place = pl_cell_place_take(n);
    *q = (struct ask){.env = env, .place = place};
    return PLATEN_OK;
}

static void close_ask(struct ask *q, size_t n)
{
    pl_cell_place_leave(q->place, q->place->channel >= 0 && q->reply.stays ? n : 0);
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static platen_status fail_gone(struct pl_cell_place *p, struct platen_error *err)
{
    int status = pl_cell_order(p, false);
    errno = EMFILE;
    if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == PL_CELL_NO_DESCRIPTORS)
        return pl_fail_errno(err, PLATEN_ERR_INTERNAL, "unable to begin a decoder");
    const char *why =
        status >= 0 && WIFSIGNALED(status) ? pl_system_signal(WTERMSIG(status)) : NULL;
    return pl_fail(err, PLATEN_ERR_FORMAT, "its decoder crashed%s%s", why ? ": " : "",
                   why ? why : "");
}

static platen_status wait_for_reply(struct ask *q, struct platen_error *err)
{
    struct pollfd fd = {q->place->channel, POLLIN, 0};
    for (;;) {
        int64_t left = q->end_ms - now_ms();
        platen_status s = q->env ? pl_env_check(q->env, err) : PLATEN_OK;
        if (!s && left <= 0)
            s = pl_fail(err, PLATEN_ERR_LIMIT, "its decoder took too long and was ended");
        if (s) {
            pl_cell_order(q->place, false);
            return s;
        }
        if (poll(&fd, 1, (int)PL_MIN(left, (int64_t)POLL_MS)) > 0)
            break;
    }
    if (recv(q->place->channel, &q->reply, sizeof(q->reply), 0) != (ssize_t)sizeof(q->reply))
        return fail_gone(q->place, err);
    struct pl_cell_reply *a = &q->reply;
    a->text[sizeof(a->text) - 1] = '\0';
    a->format[sizeof(a->format) - 1] = '\0';
    if (!a->status)
        return PLATEN_OK;
    bool known = a->status > 0 && a->status <= PLATEN_ERR_INTERNAL;
    platen_status s = known ? (platen_status)a->status : PLATEN_ERR_FORMAT;
    return pl_fail(err, s, "%s", a->text);
}

static platen_status send_request(struct ask *q, const struct pl_cell_request *r,
                                  struct platen_error *err)
{
    struct pl_cell_place *p = q->place;
    q->reply = (struct pl_cell_reply){0};
    p->requests++;
    q->end_ms = now_ms() + pl_cells_options_in_force()->time_ms +
                (int64_t)(r->n >> 20) * (pl_cells_options_in_force()->time_ms / 12);
    if (send(p->channel, r, sizeof(*r), MSG_NOSIGNAL) != (ssize_t)sizeof(*r))
        return fail_gone(p, err);
    return wait_for_reply(q, err);
}

/* Makes `ret` what tells the file apart; without a length where nothing but its bytes does. */
static void find_version(const uint8_t *data, size_t n, struct pl_file_version *ret)
{
    if (!pl_map_version(data, n, ret))
        *ret = (struct pl_file_version){.bytes = 0};
}

static platen_status ask_new_cell(struct ask *q, const uint8_t *data,
                                  const struct pl_cell_request *r, struct platen_error *err)
{
    struct pl_cell_place *p = q->place;
    p->requests = 0;
    pl_cell_mapping_trim(&p->in);
    platen_status s = pl_cell_mapping_grow(&p->in, r->n, err);
    if (s)
        return s;
    if (pl_cell_order(p, true) < 0)
        return pl_fail(err, PLATEN_ERR_INTERNAL, "the helper of the decoders is gone");
    if (p->channel < 0)
        return pl_fail_errno(err, PLATEN_ERR_INTERNAL, "unable to begin a decoder");
    find_version(data, r->n, &p->version);
    memcpy(p->in.at, data, r->n);
    return send_request(q, r, err);
}

/* Whether the place's cell waits for further pages of this file. Its version tells so at once; else
 * the bytes are compared. */
static bool has_file(struct pl_cell_place *p, const uint8_t *data, size_t n)
{
    struct pl_file_version version;
    if (p->kept_bytes != n)
        return false;
    find_version(data, n, &version);
    if (version.bytes && pl_file_version_is(&version, &p->version))
        return true;
    if (memcmp(p->in.at, data, n) != 0)
        return false;
    p->version = version;
    return true;
}

/* Asks the cell that read other pages of this file, if there is one, and else a new one. So it goes
 * on where the old one failed by what it had read before: by its memory, or by a crash. */
static platen_status begin_ask(struct ask *q, const uint8_t *data, const struct pl_cell_request *r,
                               struct platen_error *err)
{
    struct pl_cell_place *p = q->place;
    platen_status s = r->room ? pl_cell_mapping_grow(&p->out, r->room, err) : PLATEN_OK;
    if (s)
        return s;
    if (has_file(p, data, r->n)) {
        s = send_request(q, r, err);
        if (s != PLATEN_ERR_FORMAT && s != PLATEN_ERR_NOMEM && s != PLATEN_ERR_INTERNAL)
            return s;
    }
    return ask_new_cell(q, data, r, err);
}

/* Makes room in the second mapping for the n bytes that the cell offers, and waits until they are
 * there. */
static platen_status fetch(struct ask *q, uint64_t n, struct platen_error *err)
{
    struct pl_cell_place *p = q->place;
    platen_status s = pl_cell_mapping_grow(&p->out, n, err);
    if (s)
        return s;
    if (send(p->channel, &n, sizeof(n), MSG_NOSIGNAL) != (ssize_t)sizeof(n))
        return fail_gone(p, err);
    return wait_for_reply(q, err);
}

/* Where the rows are in the second mapping. */
static platen_status find_rows(struct ask *q, struct pl_cell_reply *a, struct platen_error *err)
{
    const size_t row = pl_cell_row_bytes(a), bytes = q->place->out.bytes;
    if (!a->in_room) {
        a->at = 0;
        a->step = row;
        return fetch(q, (uint64_t)row * (uint64_t)a->height, err);
    }
    if (a->step < row || a->at > bytes || (bytes - a->at) / a->step < (uint64_t)a->height)
        return pl_fail(err, PLATEN_ERR_FORMAT, "its decoder made no picture");
    return PLATEN_OK;
}

/* Makes an image of the size that the cell names, within the limits, and takes the rows. */
static platen_status take_rows(struct ask *q, const struct pl_load_options *opt,
                               struct pl_image *ret, struct platen_error *err)
{
    struct pl_cell_reply a = q->reply;
    struct pl_cell_place *p = q->place;
    bool sane = a.width > 0 && a.height > 0 &&
                (a.channels == PL_GRAY8 || (a.channels == PL_RGB8 && !a.bilevel));
    platen_status s = sane ? pl_limits_check(opt, (uint64_t)a.width, (uint64_t)a.height, err)
                           : pl_fail(err, PLATEN_ERR_FORMAT, "its decoder made no picture");
    if (s)
        return s;
    s = find_rows(q, &a, err);
    s = s ? s : pl_image_init(q->env, a.width, a.height, (enum pl_format)a.channels, ret, err);
    if (s)
        return s;
    const uint8_t *in = p->out.at + a.at;
    for (int y = 0; y < a.height; y++, in += a.step)
        if (a.bilevel)
            q->env->k->unpack_bits(pl_image_row(ret, y), in, (size_t)a.width, 255, 0);
        else
            memcpy(pl_image_row(ret, y), in, pl_cell_row_bytes(&a));
    ret->bilevel = a.bilevel;
    ret->dpi_x = isfinite(a.dpi_x) && a.dpi_x > 0 ? a.dpi_x : 0;
    ret->dpi_y = isfinite(a.dpi_y) && a.dpi_y > 0 ? a.dpi_y : 0;
    return PLATEN_OK;
}

/* What a cell tells of a page, as far as it makes sense. */
static struct pl_page_told sane_told(const struct pl_page_told *t)
{
    const double v[] = {t->width_in, t->height_in, t->left_in, t->top_in};
    bool sane = t->width_in > 0 && t->height_in > 0;
    for (size_t i = 0; i < PL_ARRAY_LEN(v); i++)
        sane = sane && fabs(v[i]) <= MAX_SIDE_IN;
    return sane ? (struct pl_page_told){.scan_alone = t->scan_alone,
                                        .lost = t->lost,
                                        .width_in = v[0],
                                        .height_in = v[1],
                                        .left_in = v[2],
                                        .top_in = v[3]}
                : (struct pl_page_told){.scan_alone = t->scan_alone, .lost = t->lost};
}

platen_status pl_cells_decode(const struct pl_source *src, size_t room, struct pl_decoded *ret,
                              struct platen_error *err)
{
    struct ask q;
    struct pl_cell_request r = {.work = PL_CELL_LOAD,
                                .isa = src->env->k->isa,
                                .n = src->n,
                                .room = room <= PL_CELL_KEPT_BYTES ? room : 0,
                                .opt = *src->opt};
    r.opt.mapped = false;
    r.opt.ret_flaw = NULL; /* addresses of this process mean nothing there */
    r.opt.ret_told = NULL;
    *ret = (struct pl_decoded){.turn = 1};
    platen_status s = open_ask(&q, src->env, src->n, err);
    if (s)
        return s;
    s = begin_ask(&q, src->data, &r, err);
    const struct pl_cell_reply first = q.reply;
    s = s ? s : take_rows(&q, src->opt, &ret->image, err);
    ret->flaw = first.flaw > 0 && (size_t)first.flaw < PL_ARRAY_LEN(pl_cell_flaws)
                    ? pl_cell_flaws[first.flaw]
                    : NULL;
    ret->damage = first.damage;
    ret->damage.why[sizeof(ret->damage.why) - 1] = '\0';
    ret->drawn = s && first.status && first.drawn;
    ret->over = ret->drawn && first.over;
    ret->told = sane_told(&first.told);
    ret->drawn_dpi = first.drawn_dpi > 0 && first.drawn_dpi <= MAX_DPI ? first.drawn_dpi : 0;
    close_ask(&q, src->n);
    return s;
}

/* The same name, of those formats whose headers are read in cells. */
static const char *format_name(const char *name)
{
    static const char *const names[] = {"bmp", "psd", "hdr", "tga", "webp", "jp2", "pdf", "heif"};
    for (size_t i = 0; i < PL_ARRAY_LEN(names); i++)
        if (!strcmp(names[i], name))
            return names[i];
    return "unknown";
}

platen_status pl_cells_probe(const uint8_t *data, size_t n, const struct pl_load_options *opt,
                             struct pl_image_info *ret, struct platen_error *err)
{
    struct ask q;
    struct pl_cell_request r = {.work = PL_CELL_PROBE, .isa = PL_ISA_SCALAR, .n = n};
    r.opt = opt ? (struct pl_load_options){.page = opt->page,
                                           .page_at = opt->page_at,
                                           .pdf_text = opt->pdf_text,
                                           .scan_alone = opt->scan_alone}
                : (struct pl_load_options){.page = 1};
    platen_status s = open_ask(&q, NULL, n, err);
    if (s)
        return s;
    s = begin_ask(&q, data, &r, err);
    const struct pl_cell_reply a = q.reply;
    close_ask(&q, n);
    if (!s && (a.width < 1 || a.height < 1 || a.channels < 1 || a.channels > 4))
        s = pl_fail(err, PLATEN_ERR_FORMAT, "its header makes no sense");
    if (!s)
        *ret = (struct pl_image_info){format_name(a.format), a.width, a.height, a.channels,
                                      PL_MIN(a.decode_bytes, MAX_DECODE_BYTES)};
    return s;
}

/* The places and labels of the pages, as the cell says. pl_image_pages() looks at the labels. */
static platen_status take_places(struct ask *q, int n, struct pl_pages *ret,
                                 struct platen_error *err)
{
    const size_t bytes = (size_t)n * sizeof(*ret->at);
    const size_t label_bytes =
        (size_t)PL_MIN(q->reply.label_bytes, (uint64_t)n * PL_PAGE_LABEL_BYTES);
    platen_status s = fetch(q, bytes + label_bytes, err);
    if (s)
        return s;
    ret->at = pl_alloc((size_t)n, sizeof(*ret->at));
    ret->labels = label_bytes ? pl_alloc(label_bytes, 1) : NULL;
    if (!ret->at || (label_bytes && !ret->labels))
        return pl_fail_nomem(err, bytes + label_bytes, "the pages of a file");
    memcpy(ret->at, q->place->out.at, bytes);
    if (label_bytes)
        memcpy(ret->labels, q->place->out.at + bytes, label_bytes);
    ret->label_bytes = label_bytes;
    return PLATEN_OK;
}

platen_status pl_cells_pages(const uint8_t *data, size_t n, struct pl_pages *ret,
                             struct platen_error *err)
{
    struct ask q;
    const struct pl_cell_request r = {.work = PL_CELL_PAGES, .isa = PL_ISA_SCALAR, .n = n};
    *ret = (struct pl_pages){.n = 1};
    platen_status s = open_ask(&q, NULL, n, err);
    if (s)
        return s;
    s = begin_ask(&q, data, &r, err);
    const int found = q.reply.number;
    if (!s && (found < 1 || found > MAX_PAGES))
        s = pl_fail(err, PLATEN_ERR_FORMAT, "its number of pages makes no sense");
    if (!s && q.reply.placed)
        s = take_places(&q, found, ret, err);
    if (!s)
        ret->n = found;
    close_ask(&q, n);
    return s;
}

/* Whether a layer can be written by what the cell says. */
static bool place_is_sane(const struct pl_pdf_place *p, size_t n)
{
    const double numbers[] = {p->scale_x,   p->scale_y,   p->to_user.a, p->to_user.b,
                              p->to_user.c, p->to_user.d, p->to_user.e, p->to_user.f};
    for (size_t i = 0; i < PL_ARRAY_LEN(numbers); i++)
        if (!isfinite(numbers[i]))
            return false;
    return p->object >= 1 && p->object < p->free_object && p->free_object <= INT32_MAX / 2 &&
           p->generation >= 0 && p->catalog >= 0 && p->catalog < p->free_object &&
           p->catalog_generation >= 0 && p->xref_at < n && p->n_open >= 0 &&
           (size_t)p->n_open <= n && p->n_below >= 0 && p->n_below <= PL_PDF_MAX_BELOW;
}

static platen_status take_texts(struct ask *q, size_t n, bool carried, struct pl_pdf_update *ret,
                                struct platen_error *err)
{
    const struct pl_cell_reply a = q->reply;
    uint64_t bytes = 0;
    bool sane = carried || place_is_sane(&a.place, n);
    for (int i = 0; sane && i < PL_PDF_OLD_TEXTS; i++) {
        sane = a.text_bytes[i] <= pl_cells_options_in_force()->max_bytes;
        bytes += a.text_bytes[i];
    }
    if (!sane)
        return pl_fail(err, PLATEN_ERR_FORMAT, "its objects make no sense");
    platen_status s = bytes ? fetch(q, bytes, err) : PLATEN_OK;
    if (s)
        return s;
    const char *from = (const char *)q->place->out.at;
    ret->place = a.place;
    for (int i = 0; i < PL_PDF_OLD_TEXTS; from += a.text_bytes[i++])
        if (a.text_bytes[i])
            pl_str_add(&ret->text[i], from, a.text_bytes[i]);
    for (int i = 0; i < PL_PDF_OLD_TEXTS; i++)
        if (ret->text[i].failed)
            return pl_fail_nomem(err, bytes, "the objects of a page");
    return PLATEN_OK;
}

platen_status pl_cells_read_update(const struct pl_pdf_update_source *src,
                                   struct pl_pdf_update *ret, struct platen_error *err)
{
    struct ask q;
    struct pl_cell_request r = {
        .work = PL_CELL_UPDATE, .isa = PL_ISA_SCALAR, .n = src->n, .update = *src};
    r.update.data = NULL; /* an address of this process means nothing there */
    *ret = (struct pl_pdf_update){.place = {.free_object = 0}};
    platen_status s = open_ask(&q, NULL, src->n, err);
    if (s)
        return s;
    s = begin_ask(&q, src->data, &r, err);
    s = s ? s : take_texts(&q, src->n, src->carried, ret, err);
    close_ask(&q, src->n);
    return s;
}

/* Whether a picture can be written by what the cell says. */
static bool stored_is_sane(const struct pl_stored *p)
{
    const bool fax = p->form == PL_STORED_FAX, bits = fax || p->form == PL_STORED_JBIG2,
               jp2 = p->form == PL_STORED_JPEG2000;
    const uint64_t most = pl_cells_options_in_force()->max_bytes;
    return (bits || jp2 || p->form == PL_STORED_JPEG) && p->width >= 1 && p->height >= 1 &&
           p->turn >= 1 && p->turn <= 8 &&
           (p->channels == 1 || (!bits && p->channels == 3) ||
            (!bits && !jp2 && p->channels == 4)) &&
           p->bits >= 1 && p->bits <= 38 && p->n <= most && p->n_shared <= most && p->n;
}

/* Takes the bytes of the picture. What they are is for the readers of the new document: they come
 * from a stranger anyway. */
static platen_status take_stored(struct ask *q, struct pl_stored *ret, struct platen_error *err)
{
    struct pl_stored p = q->reply.stored;
    if (!stored_is_sane(&p))
        return pl_fail(err, PLATEN_ERR_FORMAT, "its picture makes no sense");
    const size_t bytes = p.n + p.n_shared;
    platen_status s = fetch(q, bytes, err);
    p.own = s ? NULL : pl_alloc(bytes, 1);
    if (!s && !p.own)
        s = pl_fail_nomem(err, bytes, "a picture");
    if (s)
        return s;
    memcpy(p.own, q->place->out.at, bytes);
    p.data = p.own;
    p.shared = p.n_shared ? p.own + p.n : NULL;
    p.bytes = p.n + (p.form == PL_STORED_JPEG2000 && !p.boxed ? PL_JP2_HEAD_BYTES : 0);
    p.palette = NULL;
    *ret = p;
    return PLATEN_OK;
}

bool pl_cells_stored(const struct pl_source *src, struct pl_stored *ret)
{
    struct ask q;
    struct pl_cell_request r = {.work = PL_CELL_STORED, .isa = PL_ISA_SCALAR, .n = src->n};
    r.opt = src->opt ? (struct pl_load_options){.page = src->opt->page,
                                                .page_at = src->opt->page_at,
                                                .pdf_text = src->opt->pdf_text}
                     : (struct pl_load_options){.page = 1};
    platen_status s = open_ask(&q, src->env, src->n, NULL);
    if (s)
        return false;
    s = begin_ask(&q, src->data, &r, NULL);
    s = s ? s : take_stored(&q, ret, NULL);
    close_ask(&q, src->n);
    return !s;
}
