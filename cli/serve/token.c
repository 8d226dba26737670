/* SPDX-License-Identifier: BSD-2-Clause */
/* The token that requests must bring where others than users of this machine can ask. */
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/serve/exchange.h"

int read_token(const char *path, char ret[static MOST_TOKEN_BYTES + 1])
{
    char line[MOST_TOKEN_BYTES + 2] = "";
    FILE *f = fopen(path, "re");
    if (!f)
        return fail_usage("unable to open '%s': %s", path, strerror(errno));
    bool read = fgets(line, sizeof(line), f);
    fclose(f);
    size_t n = strcspn(line, "\r\n");
    line[n] = '\0';
    for (size_t i = 0; i < n; i++)
        read = read && line[i] > 0x20 && line[i] < 0x7f;
    if (!read || n < LEAST_TOKEN_BYTES || n > MOST_TOKEN_BYTES)
        return fail_usage(
            "'%s' must begin with a line of %d to %d letters, digits and signs, which "
            "is the token",
            path, LEAST_TOKEN_BYTES, MOST_TOKEN_BYTES);
    memcpy(ret, line, n + 1);
    return EXIT_DONE;
}

/* In a time that does not tell how much of it is right. */
static bool is_token_of(const char *token, const char *given)
{
    size_t n = strlen(token), k = strlen(given);
    unsigned char differs = n != k;
    for (size_t i = 0; i < n; i++)
        differs |= (unsigned char)(token[i] ^ given[k ? i % k : 0]);
    return !differs;
}

bool check_token(struct exchange *x)
{
    static const char scheme[] = "Bearer ";
    const char *token = x->server->o->token,
               *given = request_header(x, MHD_HTTP_HEADER_AUTHORIZATION);
    if (!token)
        return true;
    if (given && !strncasecmp(given, scheme, strlen(scheme))) {
        const char *brought = given + strlen(scheme);
        if (is_token_of(token, brought + strspn(brought, " "))) /* RFC 9110, 11.4: 1*SP */
            return true;
    }
    refuse(x, MHD_HTTP_UNAUTHORIZED, given ? "the token is wrong" : "a token is needed");
    return false;
}
