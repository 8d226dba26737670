/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections: how long each may be about what it is at, and which of them make room. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "cli/cli.h"
#include "cli/serve/exchange.h"

/* The arguments of a request share its memory in libmicrohttpd, which stands still when it is full.
 */
#define MOST_ARGUMENTS 16

static struct guest *guest_of(struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* By which connections are shared out: the address of a client, or its process. */
static uint64_t sender_of(int fd)
{
    struct sockaddr_storage a = {0};
    struct ucred peer;
    socklen_t n = sizeof(a), k = sizeof(peer);
    uint64_t parts[2] = {0};
    if (getpeername(fd, (struct sockaddr *)&a, &n))
        return 0;
    if (a.ss_family == AF_INET)
        return ((const struct sockaddr_in *)(const void *)&a)->sin_addr.s_addr;
    if (a.ss_family == AF_INET6) {
        memcpy(parts, &((const struct sockaddr_in6 *)(const void *)&a)->sin6_addr, sizeof(parts));
        return parts[0] ^ parts[1];
    }
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &k) ? 0 : (uint64_t)peer.pid;
}

static void link_last(struct server *s, struct guest *g)
{
    struct guest **at = &s->guests;
    while (*at)
        at = &(*at)->next;
    g->next = NULL;
    *at = g;
}

static void unlink_guest(struct server *s, struct guest *g)
{
    struct guest **at = &s->guests;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
}

/* Past libmicrohttpd, which cannot answer in the midst of a request. */
static void send_refusal(struct server *s, struct guest *g, unsigned status, const char *text,
                         size_t n)
{
    char head[200];
    int k = snprintf(head, sizeof(head),
                     "HTTP/1.1 %u %s\r\nConnection: close\r\nContent-Type: application/json\r\n"
                     "Content-Length: %zu\r\n\r\n",
                     status, MHD_get_reason_phrase_for(status), n);
    if (send(g->fd, head, (size_t)k, MSG_DONTWAIT | MSG_NOSIGNAL | MSG_MORE) == k)
        k = (int)send(g->fd, text, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)k; /* nobody else can be told */
    s->metrics.requests[status]++;
}

/* libmicrohttpd finds the end of the connection, and does the rest. */
static void cut(struct server *s, struct guest *g)
{
    const struct exchange *x = g->exchange;
    if (x && x->status && x->text && !x->responded)
        send_refusal(s, g, x->status, x->text, x->text_bytes);
    s->n_guests--;
    g->cut = true;
    shutdown(g->fd, SHUT_RDWR);
}

static void cut_with(struct server *s, struct guest *g, unsigned status, const char *reason)
{
    char text[200];
    int n = snprintf(text, sizeof(text), "{\"status\": %u, \"error\": \"%s\"}\n", status, reason);
    send_refusal(s, g, status, text, (size_t)n);
    cut(s, g);
}

/* What a guest is at, in the order in which such guests make room for others. What holds a picture
 * makes none for connections, and what sends one slowly makes it for other pictures. */
enum business { SENDS_REFUSED_BODY, AWAITS_HEAD, TAKES_ANSWER, SENDS_SLOWLY, HOLDS_PICTURE };

/* A body is slow that has not come at this rate on the whole, when it has had the time of a head.
 */
#define LEAST_BYTES_A_SECOND 16384

static bool is_slow(const struct exchange *x, int64_t at_ms)
{
    const int64_t age_ms = at_ms - x->start_ms;
    return age_ms > x->server->o->head_ms && (int64_t)x->got * 1000 / LEAST_BYTES_A_SECOND < age_ms;
}

static enum business business_of(const struct guest *g, int64_t at_ms)
{
    const struct exchange *x = g->exchange;
    if (!x)
        return AWAITS_HEAD;
    if (x->suspended || x->request)
        return HOLDS_PICTURE;
    if (x->holds)
        return !x->responded && is_slow(x, at_ms) ? SENDS_SLOWLY : HOLDS_PICTURE;
    return x->responded ? TAKES_ANSWER : SENDS_REFUSED_BODY;
}

static size_t count_like(const struct server *s, const struct guest *g, enum business b,
                         int64_t at_ms)
{
    size_t n = 0;
    for (const struct guest *other = s->guests; other; other = other->next)
        n += !other->cut && other->sender == g->sender && business_of(other, at_ms) == b;
    return n;
}

/* The oldest one of the sender that has most of those that are at this, but not the newcomer. */
static struct guest *find_victim(const struct server *s, enum business b,
                                 const struct guest *newcomer)
{
    const int64_t at_ms = now_ms();
    struct guest *victim = NULL;
    size_t most = 0;
    for (struct guest *g = s->guests; g; g = g->next) {
        if (g->cut || g == newcomer || business_of(g, at_ms) != b ||
            (victim && victim->sender == g->sender))
            continue;
        size_t n = count_like(s, g, b, at_ms);
        if (n > most) {
            most = n;
            victim = g;
        }
    }
    return victim;
}

static void make_room(struct server *s, const struct guest *newcomer)
{
    struct guest *victim = NULL;
    for (int b = 0; b < SENDS_SLOWLY && !victim; b++)
        victim = find_victim(s, (enum business)b, newcomer);
    if (victim)
        cut(s, victim);
}

bool take_place_of_slow(struct exchange *x)
{
    struct guest *victim = find_victim(x->server, SENDS_SLOWLY, x->guest);
    if (!victim)
        return false;
    if (!victim->exchange->status)
        refuse(victim->exchange, MHD_HTTP_REQUEST_TIMEOUT,
               "the picture comes slower than %d bytes a second, and others wait",
               LEAST_BYTES_A_SECOND);
    cut(x->server, victim);
    leave_queue(victim->exchange);
    return true;
}

static void welcome(struct server *s, struct MHD_Connection *c, void **ret)
{
    struct guest *g = calloc(1, sizeof(*g));
    if (!g)
        return; /* it is cut when its head comes */
    g->fd = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    g->sender = sender_of(g->fd);
    g->until_ms = now_ms() + s->o->head_ms;
    link_last(s, g);
    *ret = g;
    if (++s->n_guests > s->most_guests)
        make_room(s, g);
}

void on_connection(void *cls, struct MHD_Connection *c, void **ctx,
                   enum MHD_ConnectionNotificationCode what)
{
    struct server *s = cls;
    struct guest *g = *ctx;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        welcome(s, c, ctx);
    } else if (g) {
        unlink_guest(s, g);
        s->n_guests -= !g->cut;
        free(g);
    }
}

/* libmicrohttpd closes a connection without a word when the first line is none of HTTP. Only the
 * first bytes of a connection can be told apart from those that it has read already. */
void look_at_first_bytes(struct server *s, int fd)
{
    char bytes[1024];
    struct guest *g = s->guests;
    while (g && (g->fd != fd || g->cut))
        g = g->next;
    if (!g || g->has_sent)
        return;
    ssize_t n = recv(fd, bytes, sizeof(bytes), MSG_PEEK | MSG_DONTWAIT);
    g->has_sent = n > 0;
    if (n > 0 && !can_begin_request(bytes, (size_t)n))
        cut_with(s, g, MHD_HTTP_BAD_REQUEST, "these bytes begin no HTTP request");
}

void *on_target(void *cls, const char *target, struct MHD_Connection *c)
{
    struct server *s = cls;
    struct guest *g = guest_of(c);
    size_t arguments = 1;
    if (!g || !target)
        return NULL;
    g->target = target;
    g->target_bytes = strlen(target);
    g->has_nul = strstr(target, "%00");
    for (const char *at = target; (at = strchr(at, '&')); at++)
        arguments++;
    if (arguments > MOST_ARGUMENTS && !g->cut)
        cut_with(s, g, MHD_HTTP_BAD_REQUEST, "too many parameters");
    return NULL;
}

/* libmicrohttpd ends the target at its first zero byte; its version follows behind a blank, in the
 * same memory. */
static bool hides_nul(const struct guest *g, const char *version)
{
    uintptr_t end = (uintptr_t)g->target + g->target_bytes;
    return g->has_nul || (g->target && (uintptr_t)version > end + 1 &&
                          (uintptr_t)version < end + MOST_HEAD_BYTES);
}

bool begin_exchange(struct exchange *x, const char *version)
{
    struct guest *g = guest_of(x->connection);
    if (!g || g->cut)
        return false;
    g->exchange = x;
    x->guest = g;
    x->hides_nul = hides_nul(g, version);
    return true;
}

void end_exchange(struct exchange *x)
{
    struct guest *g = x->guest;
    if (!g)
        return;
    g->exchange = NULL;
    x->guest = NULL;
    g->target = NULL;
    g->until_ms = now_ms() + x->server->o->head_ms;
    unlink_guest(x->server, g); /* the newest of those that wait for a head */
    link_last(x->server, g);
}

static int64_t until_ms(const struct guest *g)
{
    if (g->cut || (g->exchange && g->exchange->suspended))
        return INT64_MAX;
    return g->exchange ? g->exchange->until_ms : g->until_ms;
}

int64_t next_overdue_ms(const struct server *s)
{
    int64_t least = INT64_MAX;
    for (const struct guest *g = s->guests; g; g = g->next) {
        int64_t until = until_ms(g);
        least = until < least ? until : least;
    }
    return least;
}

void cut_overdue(struct server *s)
{
    int64_t now = now_ms();
    for (struct guest *g = s->guests; g; g = g->next) {
        if (until_ms(g) > now)
            continue;
        if (g->exchange && !g->exchange->status)
            cut_with(s, g, MHD_HTTP_REQUEST_TIMEOUT, "the request did not come in time");
        else
            cut(s, g);
    }
}

void hurry_guests(struct server *s)
{
    int64_t soon = now_ms() + s->o->head_ms;
    for (struct guest *g = s->guests; g; g = g->next)
        if (g->exchange && g->exchange->until_ms > soon)
            g->exchange->until_ms = soon;
}
