/* SPDX-License-Identifier: BSD-2-Clause */
/* What is refused of a request before anybody looks at its target: heads whose end is in doubt, and
 * those that a page of a foreign site made a browser send. */
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/serve/exchange.h"

/* Of the token of RFC 9110 that s begins with; methods and names of headers are such. */
static size_t token_bytes(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && (unsigned char)s[i] > 0x20 && (unsigned char)s[i] <= 0x7e &&
           !strchr("\"(),/:;<=>?@[\\]{}", s[i]))
        i++;
    return i;
}

static bool is_token(const char *s, size_t n)
{
    return n && token_bytes(s, n) == n;
}

static size_t bytes_of(char c, const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] == c)
        i++;
    return i;
}

/* Empty lines, a method, a target, and a version, as far as they are there. */
bool can_begin_request(const char *s, size_t n)
{
    static const char version[] = "HTTP/";
    const char *end = s + n;
    while (s < end && (*s == '\r' || *s == '\n'))
        s++;
    size_t method = token_bytes(s, (size_t)(end - s));
    s += method;
    if (s == end)
        return true;
    size_t blanks = bytes_of(' ', s, (size_t)(end - s));
    if (!method || !blanks)
        return false;
    for (s += blanks; s < end && *s != ' '; s++)
        if (*s == '\n')
            return false;
    s += bytes_of(' ', s, (size_t)(end - s));
    n = (size_t)(end - s) < strlen(version) ? (size_t)(end - s) : strlen(version);
    return !memcmp(s, version, n);
}

struct header_counts {
    int lengths, codings, hosts;
    bool malformed;
};

static enum MHD_Result count_header(void *ctx, enum MHD_ValueKind kind, const char *name,
                                    size_t name_bytes, const char *value, size_t value_bytes)
{
    struct header_counts *c = ctx;
    (void)kind;
    c->lengths += !strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH);
    c->codings += !strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING);
    c->hosts += !strcasecmp(name, MHD_HTTP_HEADER_HOST);
    c->malformed =
        c->malformed || !is_token(name, name_bytes) || (value && strlen(value) != value_bytes);
    return MHD_YES;
}

/* What two readers might end in different places; the connection is closed then. */
static const char *find_fault(struct exchange *x)
{
    struct header_counts c = {0};
    MHD_get_connection_values_n(x->connection, MHD_HEADER_KIND, count_header, &c);
    if (x->hides_nul)
        return "a zero byte in the target";
    if (c.malformed)
        return "a header that is none";
    if (c.lengths > 1)
        return "several Content-Lengths";
    if (c.lengths && c.codings)
        return "a Content-Length and a Transfer-Encoding";
    return c.hosts > 1 ? "several Hosts" : NULL;
}

/* Of "localhost:8080" or "[::1]:8080", without the port. */
static size_t host_bytes(const char *host)
{
    if (*host == '[')
        return strcspn(host, "]") + (strchr(host, ']') != NULL);
    return strcspn(host, ":");
}

static bool has_port_or_end(const char *s)
{
    return !*s || (*s == ':' && strspn(s + 1, "0123456789") == strlen(s + 1));
}

/* Whether a list, parted by commas, has this name of n bytes, in letters of either case. */
static bool is_in_list(const char *list, const char *name, size_t n)
{
    for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
        if (strcspn(list, ",") == n && !strncasecmp(list, name, n))
            return true;
    return false;
}

static bool is_host(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && (unsigned char)s[i] > 0x20 && (unsigned char)s[i] != 0x7f &&
           !strchr("/@*?#", s[i]))
        i++;
    return n && i == n;
}

/* "ocr.example" or "[::1]": no Host is compared with its port. */
static bool is_host_name(const char *s, size_t n)
{
    const char *colon = memchr(s, ':', n);
    return is_host(s, n) && (!colon || (*s == '[' && s[n - 1] == ']'));
}

/* "https://scans.example", as browsers send it: without a path, not even a slash. Pages without an
 * origin of their own send "null". */
static bool is_origin(const char *s, size_t n)
{
    const char *mark = memmem(s, n, "://", 3);
    const size_t scheme = mark ? (size_t)(mark - s) : 0;
    return (n == 4 && !memcmp(s, "null", n)) ||
           (is_token(s, scheme) && is_host(mark + 3, n - scheme - 3));
}

/* What no request can have is refused at the start: nothing would tell why it does not count. */
static int check_list(const char *list, bool (*is_good)(const char *, size_t), const char *should)
{
    for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL) {
        const size_t n = strcspn(list, ",");
        if (!is_good(list, n))
            return fail_usage("%s, parted by commas, not '%.*s'", should, (int)n, list);
    }
    return EXIT_DONE;
}

int check_hosts(const char *list)
{
    return check_list(list, is_host_name,
                      "--allow-host takes names without a port, as ocr.example");
}

int check_origins(const char *list)
{
    if (list && !strcmp(list, "*"))
        return EXIT_DONE;
    return check_list(list, is_origin,
                      "--allow-origin takes * or origins, as https://scans.example");
}

/* A name that can only mean this machine, or one that the user gave. A name of somebody's own may
 * lead here as well (DNS rebinding), which does no harm where the token or a proxy decides. */
static bool is_own(const struct exchange *x, const char *host)
{
    const struct server *s = x->server;
    size_t n = host_bytes(host);
    if (!n || !has_port_or_end(host + n))
        return false;
    return (!s->listener->is_local && !s->o->hosts) ||
           is_in_list("localhost,127.0.0.1,[::1]", host, n) ||
           is_in_list(s->listener->host, host, n) || is_in_list(s->o->hosts, host, n);
}

/* A page of this server itself, by a name that is its own or the one that it was asked by. */
static bool is_own_origin(struct exchange *x, const char *origin)
{
    const char *host = strstr(origin, "://"), *asked = request_header(x, MHD_HTTP_HEADER_HOST);
    if (!host)
        return false;
    return x->server->listener->is_local ? is_own(x, host + 3)
                                         : asked && !strcasecmp(host + 3, asked);
}

/* Whether a page may ask that stands elsewhere, as its browser says. */
static bool check_origin(struct exchange *x)
{
    const char *list = x->server->o->origins, *origin = request_header(x, "Origin"),
               *site = request_header(x, "Sec-Fetch-Site");
    if (origin && list && (!strcmp(list, "*") || is_in_list(list, origin, strlen(origin)))) {
        x->origin = origin;
        return true;
    }
    return !(site && !strcasecmp(site, "cross-site")) && (!origin || is_own_origin(x, origin));
}

bool check_head(struct exchange *x)
{
    const char *fault = find_fault(x), *host = request_header(x, MHD_HTTP_HEADER_HOST);
    if (fault) {
        refuse(x, MHD_HTTP_BAD_REQUEST, "%s", fault);
        x->closes = true;
    } else if (x->server->listener->path) {
        return true; /* no browser comes there */
    } else if (host && !is_own(x, host)) {
        const size_t n = host_bytes(host), k = has_port_or_end(host + n) ? n : strlen(host);
        refuse(x, MHD_HTTP_MISDIRECTED_REQUEST,
               "this server is not '%.*s'; --allow-host makes it so", (int)(k < 100 ? k : 100),
               host);
    } else if (!check_origin(x)) {
        refuse(x, MHD_HTTP_FORBIDDEN, "pages of other sites may not ask");
    }
    return !x->status;
}
