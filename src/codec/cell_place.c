/* SPDX-License-Identifier: BSD-2-Clause */
/* The helper of the cells, and the places in which they work. */
#include "codec/cell_place.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/system.h"

/* That a cell answers about pages of one file: qpdf remembers each object that it read, some
 * kilobytes a page, and two or three requests come for each. */
#define REQUESTS_OF_CELL 128

/* There is one helper for the whole process. */
static struct {
    struct pl_cells_options o;
    struct pl_cell_place *places;
    pl_cell_helper_fn *run_helper; /* NULL = there are no cells */
    unsigned libraries;            /* that the helper loads */
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

static bool make_mapping(struct pl_cell_mapping *m)
{
    m->fd = pl_system_file("platen");
    return m->fd >= 0 && pl_system_keep_length(m->fd);
}

static void forget(struct pl_cell_mapping *m)
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
        helper(&(struct pl_cell_kit){&cells.o, cells.libraries, pair[1], in_fds, out_fds});
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
        struct pl_cell_place *p = &cells.places[i];
        p->channel = -1;
        if (!make_mapping(&p->in) || !make_mapping(&p->out))
            return false;
        in_fds[i] = p->in.fd;
        out_fds[i] = p->out.fd;
    }
    return true;
}

static void end_helper(void)
{
    for (int i = 0; cells.places && i < cells.o.n; i++) {
        struct pl_cell_place *p = &cells.places[i];
        struct pl_cell_mapping *const both[] = {&p->in, &p->out};
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
    if (s) {
        cells.run_helper = NULL;
        end_helper();
    }
    return s;
}

platen_status pl_cells_start(const struct pl_cells_options *o, pl_cell_helper_fn *helper,
                             struct platen_error *err)
{
    cells.o = *o;
    cells.run_helper = helper;
    return o->unbounded ? PLATEN_OK : start(err);
}

platen_status pl_cells_meet(unsigned which, struct platen_error *err)
{
    if (!cells.run_helper || (cells.control >= 0 && !(which & ~cells.libraries)))
        return PLATEN_OK;
    end_helper();
    cells.libraries |= which;
    return start(err);
}

void pl_cells_stop(void)
{
    cells.run_helper = NULL;
    cells.libraries = 0;
    end_helper();
}

/* Receives the helper's answer to an order, and the new cell's channel. That is lost where this
 * process may have no further descriptor. */
static bool receive_end(struct pl_cell_end *ret, int *ret_channel)
{
    struct iovec io = {ret, sizeof(*ret)};
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
    struct cmsghdr *c = n == (ssize_t)sizeof(*ret) ? CMSG_FIRSTHDR(&m) : NULL;
    *ret_channel = -1;
    if (c && c->cmsg_type == SCM_RIGHTS)
        memcpy(ret_channel, CMSG_DATA(c), sizeof(*ret_channel));
    else if (m.msg_flags & MSG_CTRUNC)
        ret->os_errno = EMFILE;
    return n == (ssize_t)sizeof(*ret);
}

int pl_cell_order(struct pl_cell_place *p, bool begin)
{
    struct pl_cell_order o = {(int)(p - cells.places), begin};
    struct pl_cell_end end = {0};
    if (p->channel >= 0)
        close(p->channel);
    p->channel = -1;
    pthread_mutex_lock(&cells.ordering);
    if (send(cells.control, &o, sizeof(o), MSG_NOSIGNAL) != (ssize_t)sizeof(o) ||
        !receive_end(&end, &p->channel))
        end.status = -1;
    pthread_mutex_unlock(&cells.ordering);
    errno = end.os_errno;
    return end.status;
}

bool pl_cells_met(void)
{
    return cells.control >= 0;
}

const struct pl_cells_options *pl_cells_options_in_force(void)
{
    return &cells.o;
}

/* ---- places ---- */

/* Returns a place for a file of n bytes, of those that are not taken: one whose cell may have it,
 * or else one whose cell has none, or any; NULL = all are taken. */
static struct pl_cell_place *choose_place(size_t n)
{
    struct pl_cell_place *best = NULL;
    for (int i = 0; i < cells.o.n; i++) {
        struct pl_cell_place *p = &cells.places[i];
        if (p->taken)
            continue;
        if (p->kept_bytes == n)
            return p;
        if (!best || (best->kept_bytes && !p->kept_bytes))
            best = p;
    }
    return best;
}

struct pl_cell_place *pl_cell_place_take(size_t n)
{
    struct pl_cell_place *p;
    pthread_mutex_lock(&cells.lock);
    while (!(p = choose_place(n)))
        pthread_cond_wait(&cells.freed, &cells.lock);
    p->taken = true;
    pthread_mutex_unlock(&cells.lock);
    return p;
}

void pl_cell_mapping_trim(struct pl_cell_mapping *m)
{
    size_t bytes = m->bytes;
    if (bytes <= PL_CELL_KEPT_BYTES)
        return;
    forget(m);
    pl_system_forget_content(m->fd, bytes);
}

/* Whether a file of n bytes may be kept while no page of it is read: of large ones one at a time,
 * since no page answers for its memory. */
static bool may_keep(size_t n)
{
    for (int i = 0; n > PL_CELL_KEPT_BYTES && i < cells.o.n; i++)
        if (!cells.places[i].taken && cells.places[i].kept_bytes > PL_CELL_KEPT_BYTES)
            return false;
    return true;
}

void pl_cell_place_leave(struct pl_cell_place *p, size_t n)
{
    pl_cell_mapping_trim(&p->out);
    pthread_mutex_lock(&cells.lock);
    p->kept_bytes = p->requests < REQUESTS_OF_CELL && may_keep(n) ? n : 0;
    if (!p->kept_bytes) {
        pl_cell_mapping_trim(&p->in);
        if (p->channel >= 0)
            close(p->channel); /* which ends a cell that waits */
        p->channel = -1;
    }
    p->taken = false;
    pthread_cond_signal(&cells.freed);
    pthread_mutex_unlock(&cells.lock);
}

platen_status pl_cell_mapping_grow(struct pl_cell_mapping *m, size_t n, struct platen_error *err)
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
