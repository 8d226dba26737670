/* SPDX-License-Identifier: BSD-2-Clause */
/* Decoder cells, as the process that asks for pictures sees them. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/system.h"
#include "codec/cell.h"
#include "codec/decode.h"

/* After a picture, a mapping that is larger than this gives its memory back to the system. */
#define KEPT_BYTES ((size_t)16 << 20)
#define MAX_PAGES 1000000                    /* of a file, more than any format here allows */
#define MAX_DECODE_BYTES ((uint64_t)1 << 48) /* that a cell may ask for: sums with it fit */
#define POLL_MS 200                          /* between checks of whether the page was canceled */

struct mapping {
    int fd;
    uint8_t *at;
    size_t bytes;
};

/* The mappings and the channel for one picture at a time. */
struct place {
    struct mapping in, out;
    int channel; /* of its cell; -1 = none */
    bool taken;
};

/* There is one helper for the whole process. */
static struct {
    struct pl_cells_options o;
    struct place *places;
    pl_cell_helper_fn *run_helper; /* NULL = there are no cells */
    int control;                   /* -1 = the helper does not run */
    pid_t helper;
    pthread_mutex_t lock;     /* of `taken` */
    pthread_mutex_t ordering; /* of the control channel */
    pthread_cond_t freed;
} cells = {.control = -1,
           .lock = PTHREAD_MUTEX_INITIALIZER,
           .ordering = PTHREAD_MUTEX_INITIALIZER,
           .freed = PTHREAD_COND_INITIALIZER};

bool pl_cells_take(bool unbounded)
{
    return cells.run_helper && (unbounded || !cells.o.unbounded);
}

/* ---- the helper ---- */

static bool make_mapping(struct mapping *m)
{
    m->fd = pl_system_file("platen");
    return m->fd >= 0 && pl_system_keep_length(m->fd);
}

static void forget(struct mapping *m)
{
    if (m->at)
        munmap(m->at, m->bytes);
    m->at = NULL;
    m->bytes = 0;
}

static bool fork_helper(const int *in_fds, const int *out_fds)
{
    int pair[2];
    if (!pl_system_channel(pair))
        return false;
    cells.helper = fork();
    if (!cells.helper) {
        pl_cell_helper_fn *helper = cells.run_helper;
        cells.run_helper = NULL; /* what is decoded there stays there */
        close(pair[0]);
        helper(&(struct pl_cell_kit){&cells.o, pair[1], in_fds, out_fds});
        _exit(0);
    }
    close(pair[1]);
    if (cells.helper < 0)
        close(pair[0]);
    else
        cells.control = pair[0];
    return cells.helper > 0;
}

static bool make_places(int *in_fds, int *out_fds)
{
    for (int i = 0; i < cells.o.n; i++) {
        struct place *p = &cells.places[i];
        p->channel = -1;
        if (!make_mapping(&p->in) || !make_mapping(&p->out))
            return false;
        in_fds[i] = p->in.fd;
        out_fds[i] = p->out.fd;
    }
    return true;
}

static platen_status start(struct platen_error *err)
{
    size_t n = (size_t)cells.o.n;
    cells.places = pl_alloc_zero(n, sizeof(*cells.places));
    int *fds = pl_alloc(2 * n, sizeof(*fds));
    platen_status s = PLATEN_OK;
    if (!cells.places || !fds)
        s = pl_fail_nomem(err, n * sizeof(*cells.places), "the decoder cells");
    else if (!make_places(fds, fds + n) || !fork_helper(fds, fds + n))
        s = pl_fail_errno(err, PLATEN_ERR_INTERNAL, "unable to begin decoder cells");
    pl_free(fds);
    if (s)
        pl_cells_stop();
    return s;
}

platen_status pl_cells_start(const struct pl_cells_options *o, pl_cell_helper_fn *helper,
                             struct platen_error *err)
{
    cells.o = *o;
    cells.run_helper = helper;
    return o->unbounded ? PLATEN_OK : start(err);
}

platen_status pl_cells_meet(struct platen_error *err)
{
    return cells.run_helper && cells.control < 0 ? start(err) : PLATEN_OK;
}

void pl_cells_stop(void)
{
    cells.run_helper = NULL;
    for (int i = 0; cells.places && i < cells.o.n; i++) {
        struct place *p = &cells.places[i];
        struct mapping *const both[] = {&p->in, &p->out};
        for (size_t k = 0; k < PL_ARRAY_LEN(both); k++) {
            forget(both[k]);
            if (both[k]->fd > 0)
                close(both[k]->fd);
        }
        if (p->channel > 0)
            close(p->channel);
    }
    pl_free(cells.places);
    cells.places = NULL;
    if (cells.control < 0)
        return;
    shutdown(cells.control, SHUT_RDWR); /* also for a helper that could not close this end */
    close(cells.control);
    cells.control = -1;
    while (waitpid(cells.helper, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* Receives the helper's answer to an order: how the old cell ended, and the new one's channel. */
static bool receive_end(int *ret_status, int *ret_channel)
{
    struct iovec io = {ret_status, sizeof(*ret_status)};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } room;
    struct msghdr m = {.msg_iov = &io,
                       .msg_iovlen = 1,
                       .msg_control = room.bytes,
                       .msg_controllen = sizeof(room.bytes)};
    ssize_t n;
    while ((n = recvmsg(cells.control, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        continue;
    struct cmsghdr *c = n == (ssize_t)sizeof(*ret_status) ? CMSG_FIRSTHDR(&m) : NULL;
    *ret_channel = -1;
    if (c && c->cmsg_type == SCM_RIGHTS)
        memcpy(ret_channel, CMSG_DATA(c), sizeof(*ret_channel));
    return n == (ssize_t)sizeof(*ret_status);
}

/* Ends the place's cell, if it has one, and begins another. -1 = the helper is gone; else how the
 * old one ended. */
static int order(struct place *p, bool begin)
{
    struct pl_cell_order o = {(int)(p - cells.places), begin};
    int status = -1;
    if (p->channel >= 0)
        close(p->channel);
    p->channel = -1;
    pthread_mutex_lock(&cells.ordering);
    if (send(cells.control, &o, sizeof(o), MSG_NOSIGNAL) != (ssize_t)sizeof(o) ||
        !receive_end(&status, &p->channel))
        status = -1;
    pthread_mutex_unlock(&cells.ordering);
    return status;
}

/* ---- places ---- */

static struct place *take_place(void)
{
    struct place *p = NULL;
    pthread_mutex_lock(&cells.lock);
    while (!p) {
        for (int i = 0; !p && i < cells.o.n; i++)
            if (!cells.places[i].taken)
                p = &cells.places[i];
        if (!p)
            pthread_cond_wait(&cells.freed, &cells.lock);
    }
    p->taken = true;
    pthread_mutex_unlock(&cells.lock);
    return p;
}

/* Gives back the memory of a large mapping. A cell that still has the mapping is ended before the
 * next one begins. */
static void trim(struct mapping *m)
{
    size_t bytes = m->bytes;
    if (bytes <= KEPT_BYTES)
        return;
    forget(m);
    pl_system_forget_content(m->fd, bytes);
}

static void leave_place(struct place *p)
{
    trim(&p->in);
    trim(&p->out);
    pthread_mutex_lock(&cells.lock);
    p->taken = false;
    pthread_cond_signal(&cells.freed);
    pthread_mutex_unlock(&cells.lock);
}

/* Makes the mapping n bytes or more. Its file is sealed against shrinking, so that touching the
 * mapping cannot end this process. */
static platen_status grow_mapping(struct mapping *m, size_t n, struct platen_error *err)
{
    off_t end = lseek(m->fd, 0, SEEK_END);
    if (n <= m->bytes)
        return PLATEN_OK;
    forget(m);
    if (end < (off_t)n && ftruncate(m->fd, (off_t)n))
        return pl_fail_nomem(err, n, "a picture");
    void *at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
    if (at == MAP_FAILED)
        return pl_fail_nomem(err, n, "a picture");
    m->at = at;
    m->bytes = n;
    return PLATEN_OK;
}

/* ---- one picture ---- */

struct ask {
    const struct pl_env *env; /* or NULL */
    struct place *place;
    int64_t end_ms;
    struct pl_cell_reply reply;
};

/* Waits for a place. A file that was another one when the job began comes too late for a helper. */
static platen_status open_ask(struct ask *q, const struct pl_env *env, struct platen_error *err)
{
    if (cells.control < 0)
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "it became a file of this kind when the run had begun");
    *q = (struct ask){.env = env, .place = take_place()};
    return PLATEN_OK;
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static platen_status fail_gone(struct place *p, struct platen_error *err)
{
    int status = order(p, false);
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
            order(q->place, false);
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

static platen_status begin_ask(struct ask *q, const uint8_t *data, const struct pl_cell_request *r,
                               struct platen_error *err)
{
    struct place *p = q->place;
    platen_status s = grow_mapping(&p->in, r->n, err);
    s = s || !r->room ? s : grow_mapping(&p->out, r->room, err);
    if (s)
        return s;
    if (order(p, true) < 0 || p->channel < 0)
        return pl_fail(err, PLATEN_ERR_INTERNAL, "the helper of the decoders is gone");
    memcpy(p->in.at, data, r->n);
    q->end_ms = now_ms() + cells.o.time_ms + (int64_t)(r->n >> 20) * (cells.o.time_ms / 12);
    if (send(p->channel, r, sizeof(*r), MSG_NOSIGNAL) != (ssize_t)sizeof(*r))
        return fail_gone(p, err);
    return wait_for_reply(q, err);
}

/* Makes room in the second mapping for the n bytes that the cell offers, and waits until they are
 * there. */
static platen_status fetch(struct ask *q, uint64_t n, struct platen_error *err)
{
    struct place *p = q->place;
    platen_status s = grow_mapping(&p->out, n, err);
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
    struct place *p = q->place;
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

platen_status pl_cells_decode(const struct pl_source *src, size_t room, struct pl_decoded *ret,
                              struct platen_error *err)
{
    struct ask q;
    struct pl_cell_request r = {.work = PL_CELL_LOAD,
                                .isa = src->env->k->isa,
                                .n = src->n,
                                .room = room <= KEPT_BYTES ? room : 0,
                                .opt = *src->opt};
    r.opt.mapped = false;
    r.opt.ret_flaw = NULL; /* an address of this process means nothing there */
    *ret = (struct pl_decoded){.turn = 1};
    platen_status s = open_ask(&q, src->env, err);
    if (s)
        return s;
    s = begin_ask(&q, src->data, &r, err);
    const struct pl_cell_reply first = q.reply;
    s = s ? s : take_rows(&q, src->opt, &ret->image, err);
    if (!s)
        ret->flaw = first.flaw > 0 && (size_t)first.flaw < PL_ARRAY_LEN(pl_cell_flaws)
                        ? pl_cell_flaws[first.flaw]
                        : NULL;
    ret->damage = first.damage;
    ret->damage.why[sizeof(ret->damage.why) - 1] = '\0';
    ret->drawn = s && first.status && first.drawn;
    leave_place(q.place);
    return s;
}

/* The same name, of those formats whose headers are read in cells. */
static const char *format_name(const char *name)
{
    static const char *const names[] = {"bmp", "psd", "hdr", "tga", "webp", "jp2", "pdf"};
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
                                           .pdf_text = opt->pdf_text}
                : (struct pl_load_options){.page = 1};
    platen_status s = open_ask(&q, NULL, err);
    if (s)
        return s;
    s = begin_ask(&q, data, &r, err);
    const struct pl_cell_reply a = q.reply;
    leave_place(q.place);
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
    platen_status s = open_ask(&q, NULL, err);
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
    leave_place(q.place);
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

static platen_status take_texts(struct ask *q, size_t n, struct pl_pdf_update *ret,
                                struct platen_error *err)
{
    const struct pl_cell_reply a = q->reply;
    uint64_t bytes = 0;
    bool sane = place_is_sane(&a.place, n);
    for (int i = 0; sane && i < PL_PDF_OLD_TEXTS; i++) {
        sane = a.text_bytes[i] <= cells.o.max_bytes;
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
    platen_status s = open_ask(&q, NULL, err);
    if (s)
        return s;
    s = begin_ask(&q, src->data, &r, err);
    s = s ? s : take_texts(&q, src->n, ret, err);
    leave_place(q.place);
    return s;
}
