/* SPDX-License-Identifier: BSD-2-Clause */
/* The helper process, and the cells. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/inherited.h"
#include "base/mem.h"
#include "base/sandbox.h"
#include "base/seccomp.h"
#include "base/system.h"
#include "codec/cell.h"
#include "config.h"
#if PL_HAVE_PDF
#include "codec/pdf/pdf_document.h"
#endif

/* Of a decoder beside its picture, and for each pixel: OpenJPEG has two planes of 32 bits for each
 * of four channels. */
#define SPARE_BYTES ((uint64_t)64 << 20)
#define PIXEL_BYTES 48

enum { CHANNEL, IN, OUT, CELL_FDS };

#define MAPPINGS 2 /* of the second mapping, for one request: the room, and what is offered */

struct decoding_cell {
    const struct pl_cells_options *o;
    bool threads; /* libheif's decoders compute in threads of their own, and wait for them */
    struct pl_kernels
        kernels;          /* the best: finding them in each cell would touch all of their code */
    uint64_t base_bytes;  /* of addresses, before it decodes */
    uint64_t limit_bytes; /* that it may take beside them */
    struct {
        uint8_t *at;
        size_t bytes;
    } mapped[MAPPINGS];
    int n_mapped;
};

/* Sets the limit of addresses; the hard limit stays. */
static void limit_memory(struct decoding_cell *c, uint64_t bytes)
{
    struct rlimit limit;
    c->limit_bytes = bytes;
    if (!pl_sandbox_built() || getrlimit(RLIMIT_AS, &limit))
        return;
    limit.rlim_cur = PL_MIN(limit.rlim_max, (rlim_t)(c->base_bytes + bytes));
    setrlimit(RLIMIT_AS, &limit);
}

static void limit_to_picture(struct decoding_cell *c, const uint8_t *data,
                             const struct pl_cell_request *r)
{
    struct pl_image_info info;
    uint64_t px = r->opt.probed_pixels, bytes = r->opt.probed_bytes;
    const uint64_t header = SPARE_BYTES + 4 * r->n;
    limit_memory(c, header);
    if (!px && !pl_image_probe(data, r->n, &r->opt, &info, NULL)) {
        px = (uint64_t)info.width * (uint64_t)info.height;
        bytes = info.decode_bytes;
    }
    limit_memory(c, header + PL_MAX(PIXEL_BYTES * PL_MIN(r->opt.max_pixels, px), bytes));
}

static void put_name(struct pl_cell_reply *a, const char *format)
{
    strncpy(a->format, format, sizeof(a->format) - 1);
}

static void send_reply(struct pl_cell_reply *a, platen_status s, const struct platen_error *err)
{
    a->status = s;
    if (s) {
        a->os_errno = err->os_errno;
        memcpy(a->text, err->text, sizeof(a->text));
    }
    if (write(CHANNEL, a, sizeof(*a)) != (ssize_t)sizeof(*a))
        _exit(EXIT_FAILURE);
}

/* The second mapping, until the request is answered; NULL = there is no memory for it. */
static uint8_t *map_out(struct decoding_cell *c, size_t bytes)
{
    void *out = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, OUT, 0);
    if (out == MAP_FAILED)
        return NULL;
    assert(c->n_mapped < MAPPINGS);
    c->mapped[c->n_mapped].at = out;
    c->mapped[c->n_mapped++].bytes = bytes;
    return out;
}

static void unmap_out(struct decoding_cell *c)
{
    while (c->n_mapped) {
        c->n_mapped--;
        munmap(c->mapped[c->n_mapped].at, c->mapped[c->n_mapped].bytes);
    }
}

/* Tells the other side what there is, and maps the room that it makes for n bytes. */
static platen_status offer(struct decoding_cell *c, struct pl_cell_reply *a, uint64_t n,
                           uint8_t **ret, struct platen_error *err)
{
    uint64_t bytes;
    send_reply(a, PLATEN_OK, err);
    if (read(CHANNEL, &bytes, sizeof(bytes)) != (ssize_t)sizeof(bytes) || bytes < n)
        _exit(EXIT_FAILURE);
    *ret = map_out(c, bytes);
    if (!*ret)
        return pl_fail_nomem(err, bytes, "a picture");
    pl_mem_populate(*ret, bytes);
    return PLATEN_OK;
}

static const struct pl_image *rows_of(const struct pl_decoded *d)
{
    return d->bits.width ? &d->bits.bytes : &d->image;
}

/* Tells what holds for a page that is not decoded here, too. */
static void describe_page(const struct pl_decoded *d, struct pl_cell_reply *a)
{
    for (int i = 1; d->flaw && i < (int)PL_ARRAY_LEN(pl_cell_flaws); i++)
        if (!strcmp(d->flaw, pl_cell_flaws[i]))
            a->flaw = i;
    a->drawn = d->drawn;
    a->over = d->over;
    a->told = d->told;
    a->drawn_dpi = d->drawn_dpi;
}

static void describe(const struct pl_decoded *d, struct pl_cell_reply *a)
{
    const struct pl_image *im = &d->image;
    a->damage = d->damage;
    a->width = d->bits.width ? d->bits.width : im->width;
    a->height = d->bits.width ? d->bits.height : im->height;
    a->channels = d->bits.width ? PL_GRAY8 : (int)im->format;
    a->bilevel = d->bits.width || im->bilevel;
    a->dpi_x = rows_of(d)->dpi_x;
    a->dpi_y = rows_of(d)->dpi_y;
}

/* Puts row y as it leaves the cell. */
static void put_row(const struct pl_kernels *k, const struct pl_decoded *d,
                    const struct pl_cell_reply *a, int y, uint8_t *out)
{
    const uint8_t *row = pl_image_row(rows_of(d), y);
    if (a->bilevel && !d->bits.width)
        k->threshold_bits(out, row, (size_t)a->width, 127);
    else
        memcpy(out, row, pl_cell_row_bytes(a));
}

/* Leaves a picture that was made in the room there. Its bits, when it is to be packed, take the
 * place of the first of its rows, never of one that is not packed yet. */
static platen_status leave_in_room(const struct pl_kernels *k, const struct pl_decoded *d,
                                   const uint8_t *room, struct pl_cell_reply *a,
                                   struct platen_error *err)
{
    const struct pl_image *im = rows_of(d);
    const size_t row = pl_cell_row_bytes(a);
    const bool packed = a->bilevel && !d->bits.width;
    uint8_t *bits = packed ? pl_alloc(row, 1) : NULL;
    if (packed && !bits)
        return pl_fail_nomem(err, row, "a row of bits");
    for (int y = 0; packed && y < a->height; y++) {
        put_row(k, d, a, y, bits);
        memcpy(im->px + (size_t)y * row, bits, row);
    }
    pl_free(bits);
    a->in_room = true;
    a->at = (uint64_t)(im->px - room);
    a->step = packed ? row : im->stride_bytes;
    return PLATEN_OK;
}

/* Copies a picture to the room that the other side makes for it. */
static platen_status copy_out(struct decoding_cell *c, const struct pl_kernels *k,
                              const struct pl_decoded *d, struct pl_cell_reply *a,
                              struct platen_error *err)
{
    const size_t row = pl_cell_row_bytes(a);
    uint8_t *out;
    platen_status s = offer(c, a, (uint64_t)row * (uint64_t)a->height, &out, err);
    for (int y = 0; !s && y < a->height; y++, out += row)
        put_row(k, d, a, y, out);
    return s;
}

/* Leaves what was decoded where the other side finds it. */
static platen_status hand_out(struct decoding_cell *c, const struct pl_kernels *k,
                              const struct pl_decoded *d, const uint8_t *room, size_t room_bytes,
                              struct pl_cell_reply *a, struct platen_error *err)
{
    const uint8_t *px = rows_of(d)->px;
    describe(d, a);
    limit_memory(c, UINT64_MAX / 2);
    if (room && px > room && px < room + room_bytes)
        return leave_in_room(k, d, room, a, err);
    return copy_out(c, k, d, a, err);
}

static platen_status load(struct decoding_cell *c, const uint8_t *data,
                          const struct pl_cell_request *r, struct pl_cell_reply *a,
                          struct platen_error *err)
{
    uint8_t *const room = r->room ? map_out(c, r->room) : NULL;
    struct pl_image_place place = {room, r->room};
    struct pl_kernels kernels = c->kernels;
    struct pl_decoded d;
    struct pl_env env = {.k = &kernels, .bufs = pl_bufpool_new(), .place = &place};
    if (!env.bufs)
        return pl_fail_nomem(err, 0, "the buffer pool");
    pl_bufpool_use_huge(env.bufs);
    if (r->isa != kernels.isa)
        pl_kernels_init(&kernels, r->isa);
    limit_to_picture(c, data, r);
    const struct pl_source src = {
        .env = &env, .data = data, .n = r->n, .opt = &r->opt, .packs = true};
    platen_status s = pl_image_decode(&src, &d, err);
    describe_page(&d, a);
    if (!s) {
        s = hand_out(c, &kernels, &d, room, r->room, a, err);
        pl_image_done(&d.image);
        pl_image_done(&d.bits.bytes);
    }
    pl_bufpool_free(env.bufs);
    return s;
}

/* Counts the pages, and tells where they begin. */
static platen_status count_pages(struct decoding_cell *c, const uint8_t *data, size_t n,
                                 struct pl_cell_reply *a, struct platen_error *err)
{
    struct pl_pages pages;
    uint8_t *out;
    platen_status s = pl_image_pages(data, n, &pages, err);
    if (s)
        return s;
    const size_t bytes = (size_t)pages.n * sizeof(*pages.at);
    a->number = pages.n;
    a->placed = pages.at;
    a->label_bytes = pages.label_bytes;
    if (!pages.at)
        return PLATEN_OK;
    s = offer(c, a, bytes + pages.label_bytes, &out, err);
    if (!s)
        memcpy(out, pages.at, bytes);
    if (!s && pages.label_bytes)
        memcpy(out + bytes, pages.labels, pages.label_bytes);
    return s;
}

#if PL_HAVE_PDF
/* Reads what must be known of a document to add a layer to a page. */
static platen_status read_update(struct decoding_cell *c, const uint8_t *data,
                                 const struct pl_cell_request *r, struct pl_cell_reply *a,
                                 struct platen_error *err)
{
    struct pl_pdf_update_source src = r->update;
    struct pl_pdf_update u;
    uint64_t bytes = 0;
    uint8_t *out = NULL;
    src.data = data;
    platen_status s = pl_pdf_read_update(&src, &u, err);
    a->place = u.place;
    for (int i = 0; !s && i < PL_PDF_OLD_TEXTS; i++)
        bytes += a->text_bytes[i] = u.text[i].len;
    s = bytes ? offer(c, a, bytes, &out, err) : s;
    for (int i = 0; !s && i < PL_PDF_OLD_TEXTS; out += u.text[i++].len)
        if (u.text[i].len)
            memcpy(out, u.text[i].s, u.text[i].len);
    pl_pdf_update_done(&u);
    return s;
}
#endif

/* Gives the picture of a page as the file stores it. */
static platen_status take_stored(struct decoding_cell *c, const uint8_t *data,
                                 const struct pl_cell_request *r, struct pl_cell_reply *a,
                                 struct platen_error *err)
{
    struct pl_stored p;
    uint8_t *out = NULL;
    platen_status s = pl_image_stored(NULL, data, r->n, &r->opt, &p)
                          ? PLATEN_OK
                          : pl_fail(err, PLATEN_ERR_UNSUPPORTED, "no picture that can be copied");
    a->stored = p;
    a->stored.data = a->stored.shared = a->stored.own = NULL; /* addresses mean nothing there */
    s = s ? s : offer(c, a, (uint64_t)p.n + p.n_shared, &out, err);
    if (!s && p.n)
        memcpy(out, p.data, p.n);
    if (!s && p.n_shared)
        memcpy(out + p.n, p.shared, p.n_shared);
    pl_stored_done(&p);
    return s;
}

static platen_status answer(struct decoding_cell *c, const uint8_t *data,
                            const struct pl_cell_request *r, struct pl_cell_reply *a,
                            struct platen_error *err)
{
    struct pl_image_info info = {.format = ""};
    platen_status s = PLATEN_OK;
    if (r->work != PL_CELL_LOAD)
        limit_memory(c, SPARE_BYTES + 4 * r->n);
    switch (r->work) {
    case PL_CELL_LOAD:
        return load(c, data, r, a, err);
    case PL_CELL_PROBE:
        s = pl_image_probe_settled(data, r->n, &r->opt, &info, err);
        a->width = info.width;
        a->height = info.height;
        a->channels = info.channels;
        a->decode_bytes = info.decode_bytes;
        put_name(a, info.format);
        return s;
    case PL_CELL_PAGES:
        return count_pages(c, data, r->n, a, err);
    case PL_CELL_STORED:
        return take_stored(c, data, r, a, err);
    case PL_CELL_UPDATE:
#if PL_HAVE_PDF
        return read_update(c, data, r, a, err);
#else
        break;
#endif
    }
    return s;
}

/* Answers a request for the file of n bytes at `data`, which stays NULL where there is no memory
 * for it. Returns whether a further one may follow. */
static bool serve(struct decoding_cell *c, const struct pl_cell_request *r, const uint8_t **data)
{
    struct pl_cell_reply a = {0};
    struct platen_error err = {0};
    platen_status s;
    if (!*data) {
        void *at = mmap(NULL, r->n, PROT_READ, MAP_SHARED, IN, 0);
        *data = at == MAP_FAILED ? NULL : at;
    }
    if (!*data) {
        s = pl_fail_nomem(&err, r->n, "the file");
    } else {
        if (c->o->before)
            c->o->before(*data, r->n);
        s = answer(c, *data, r, &a, &err);
    }
    if (s == PLATEN_ERR_NOMEM)
        (void)!pl_fail(&err, s,
                       "%s; a decoder may take %llu MB for this file (--isolate=off lifts "
                       "that)",
                       err.text, (unsigned long long)c->limit_bytes >> 20);
#if PL_HAVE_PDF
    a.stays = pl_pdf_stays_open();
#endif
    unmap_out(c);
    send_reply(&a, s, &err);
    return a.stays;
}

/* Lives for one picture, or for pages of one file; the cell has descriptors 0 to 2 and no others.
 */
static _Noreturn void live(struct decoding_cell *c)
{
    struct pl_cell_request r;
    const uint8_t *data = NULL;
    const struct rlimit none = {0, 0},
                        most = {c->base_bytes + c->o->max_bytes, c->base_bytes + c->o->max_bytes};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &none); /* of the mappings, whose sizes the other side sets */
    if (pl_sandbox_built()) {
        setrlimit(RLIMIT_AS, &most);
        if (pl_seccomp_available() && !pl_seccomp_compute_only(c->threads))
            _exit(EXIT_FAILURE);
    }
#if PL_HAVE_PDF
    pl_pdf_keep_open();
#endif
    while (read(CHANNEL, &r, sizeof(r)) == (ssize_t)sizeof(r) && serve(c, &r, &data))
        continue;
    _exit(EXIT_SUCCESS);
}

/* Makes `from` the descriptors 0, 1, ... and closes all others. */
static void keep_only(const int *from, int n)
{
    int high[CELL_FDS];
    for (int i = 0; i < n; i++) /* none may stand where another one goes */
        high[i] = fcntl(from[i], F_DUPFD, CELL_FDS);
    for (int i = 0; i < n; i++)
        if (high[i] < 0 || dup2(high[i], i) < 0)
            _exit(PL_CELL_NO_DESCRIPTORS);
    pl_system_close_range(n, INT_MAX);
}

static pid_t begin_cell(const struct pl_cell_kit *kit, struct decoding_cell *c, int place,
                        int *ret_channel)
{
    int pair[2];
    if (!pl_system_channel(pair))
        return -1;
    pid_t pid = fork();
    if (!pid) {
        keep_only((int[CELL_FDS]){pair[1], kit->in_fds[place], kit->out_fds[place]}, CELL_FDS);
        live(c);
    }
    const int why = errno;
    close(pair[1]);
    if (pid < 0)
        close(pair[0]);
    else
        *ret_channel = pair[0];
    errno = why;
    return pid;
}

/* `fd` goes with it, unless it is -1. */
static void send_end(int control, struct pl_cell_end *end, int fd)
{
    struct iovec io = {end, sizeof(*end)};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } room = {{0}};
    struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1};
    if (fd >= 0) {
        m.msg_control = room.bytes;
        m.msg_controllen = sizeof(room.bytes);
        *CMSG_FIRSTHDR(&m) = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &fd, sizeof(fd));
    }
    if (sendmsg(control, &m, MSG_NOSIGNAL) < 0)
        _exit(EXIT_FAILURE);
}

static int end_cell(pid_t pid)
{
    int status = 0;
    if (pid <= 0)
        return status;
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* A terminal's signals are for the process that has the pages; it ends this one by leaving. */
static void settle_signals(void)
{
    static const int ignored[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                  SIGPIPE, SIGUSR1, SIGUSR2, SIGXFSZ};
    static const int plain[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT, SIGCHLD};
    for (size_t i = 0; i < PL_ARRAY_LEN(ignored); i++)
        signal(ignored[i], SIG_IGN);
    for (size_t i = 0; i < PL_ARRAY_LEN(plain); i++)
        signal(plain[i], SIG_DFL);
}

static uint64_t own_addresses(void)
{
    char text[64] = "";
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    if (fd >= 0)
        close(fd);
    uint64_t pages = n > 0 ? strtoull(text, NULL, 10) : 0;
    return pages ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : SPARE_BYTES;
}

static void close_doors(void)
{
    struct pl_sandbox sb;
    if (!pl_sandbox_built())
        return;
    sb.abi = pl_landlock_abi();
    int rules = sb.abi ? pl_landlock_new(sb.abi) : -1;
    if (rules >= 0) {
        if (!pl_landlock_enter(rules))
            _exit(EXIT_FAILURE);
        close(rules);
    }
}

/* Keeps nothing that this process inherited open but its channel and the mappings. */
static void close_others(const struct pl_cell_kit *kit)
{
    const size_t n = (size_t)kit->o->n, bytes = n * sizeof(int);
    int *kept = pl_alloc(2 * n + 1, sizeof(int));
    if (!kept)
        _exit(EXIT_FAILURE);
    memcpy(kept, kit->in_fds, bytes);
    memcpy(kept + n, kit->out_fds, bytes);
    kept[2 * n] = kit->control;
    pl_close_all_but(kept, 2 * n + 1);
    pl_free(kept);
}

_Noreturn void pl_cell_helper(const struct pl_cell_kit *kit)
{
    struct pl_cell_order order;
    struct decoding_cell c = {.o = kit->o, .threads = kit->libraries & PL_LIBRARY_HEIF};
    pid_t *pids = pl_alloc_zero((size_t)kit->o->n, sizeof(*pids));
    pl_kernels_init(&c.kernels, pl_isa_best());
    settle_signals();
    close_others(kit);
    pl_image_load_libraries(kit->libraries);
    c.base_bytes = own_addresses();
    close_doors();
    while (pids && read(kit->control, &order, sizeof(order)) == (ssize_t)sizeof(order)) {
        int channel = -1;
        struct pl_cell_end end = {.status = end_cell(pids[order.place])};
        pids[order.place] = order.begin ? begin_cell(kit, &c, order.place, &channel) : 0;
        end.os_errno = pids[order.place] < 0 ? errno : 0;
        send_end(kit->control, &end, channel);
        if (channel >= 0)
            close(channel);
    }
    for (int i = 0; pids && i < kit->o->n; i++)
        end_cell(pids[i]);
    _exit(EXIT_SUCCESS);
}
