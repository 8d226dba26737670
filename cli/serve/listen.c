/* SPDX-License-Identifier: BSD-2-Clause */
/* Listening sockets: TCP, or a Unix socket. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/serve/serve.h"

#define BACKLOG 128
#define KIND (SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC)

static bool is_loopback(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr);
    return ntohl(((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr) >> 24 == 127;
}

/* "127.0.0.1:8080" and "[::1]:8080" to an address; NULL when it is none. */
static struct addrinfo *resolve(const char *address)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *ret;
    char host[64];
    unsigned long long port;
    const char *colon = strrchr(address, ':');
    size_t n = colon ? (size_t)(colon - address) : 0;
    if (n >= 2 && address[0] == '[' && address[n - 1] == ']') {
        address++;
        n -= 2;
    }
    if (!n || n >= sizeof(host) || (strcmp(colon, ":0") && !read_count(colon + 1, 65535, &port)))
        return NULL;
    memcpy(host, address, n);
    host[n] = '\0';
    return getaddrinfo(host, colon + 1, &hints, &ret) ? NULL : ret;
}

static bool begin_tcp(int fd, const struct addrinfo *a)
{
    return fd >= 0 && !setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)) &&
           !bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, BACKLOG);
}

/* With the port that was chosen. */
static void show_tcp(struct listener *l)
{
    struct sockaddr_storage a;
    socklen_t n = sizeof(a);
    char host[64] = "", port[16] = "";
    getsockname(l->fd, (struct sockaddr *)&a, &n);
    getnameinfo((struct sockaddr *)&a, n, host, sizeof(host), port, sizeof(port),
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(l->shown, sizeof(l->shown), strchr(host, ':') ? "http://[%s]:%s" : "http://%s:%s",
             host, port);
}

int listen_tcp(const char *address, bool anywhere, struct listener *ret)
{
    struct addrinfo *a = resolve(address);
    if (!a)
        return fail_usage("--listen must be ADDRESS:PORT in figures, as 127.0.0.1:8080, not '%s'",
                          address);
    if (!anywhere && !is_loopback(a->ai_addr)) {
        freeaddrinfo(a);
        return fail_usage("'%s' is open to other machines: --token must say who may ask, or "
                          "--proxied that a proxy decides",
                          address);
    }
    *ret =
        (struct listener){.fd = socket(a->ai_family, KIND, 0), .is_local = is_loopback(a->ai_addr)};
    bool good = begin_tcp(ret->fd, a);
    freeaddrinfo(a);
    if (!good)
        return fail_usage("unable to listen on '%s': %s", address, strerror(errno));
    show_tcp(ret);
    snprintf(ret->host, sizeof(ret->host), "%.*s", (int)(strrchr(ret->shown, ':') - ret->shown - 7),
             ret->shown + strlen("http://"));
    return EXIT_DONE;
}

/* A socket that nobody listens on any more is in the way. */
static void remove_stale(const struct sockaddr_un *a)
{
    struct stat st;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    if (!lstat(a->sun_path, &st) && S_ISSOCK(st.st_mode) &&
        connect(fd, (const struct sockaddr *)a, sizeof(*a)) && errno == ECONNREFUSED)
        unlink(a->sun_path);
    close(fd);
}

static void note_inode(struct listener *l)
{
    struct stat st;
    if (lstat(l->path, &st))
        return;
    l->device = st.st_dev;
    l->inode = st.st_ino;
}

void unlink_listener(const struct listener *l)
{
    struct stat st;
    if (l->path && !lstat(l->path, &st) && st.st_dev == l->device && st.st_ino == l->inode)
        unlink(l->path);
}

int listen_unix(const char *path, struct listener *ret)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    if (!*path || strlen(path) >= sizeof(a.sun_path))
        return fail_usage("--socket must be a name of 1 to %zu bytes", sizeof(a.sun_path) - 1);
    strcpy(a.sun_path, path);
    remove_stale(&a);
    *ret = (struct listener){.fd = socket(AF_UNIX, KIND, 0), .path = path, .is_local = true};
    mode_t mask = umask(0177); /* for this user alone */
    bool bound = ret->fd >= 0 && !bind(ret->fd, (struct sockaddr *)&a, sizeof(a));
    umask(mask);
    if (bound)
        note_inode(ret);
    if (!bound || listen(ret->fd, BACKLOG))
        return fail_usage("unable to listen on '%s': %s", path, strerror(errno));
    snprintf(ret->shown, sizeof(ret->shown), "unix:%s", path);
    return EXIT_DONE;
}
