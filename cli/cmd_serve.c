/* SPDX-License-Identifier: BSD-2-Clause */
/* `platen serve` is a program of its own, beside this one: see cli/serve/serve.c. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static const char program[] = "platen-serve";

int cmd_serve(const struct arguments *a)
{
    char path[PATH_MAX + sizeof(program)];
    if (a->n_operands)
        return fail_usage("serve takes no inputs; see 'platen help serve'");
    /* without operands nothing was moved: these are the words as they were given */
    char **words = a->operands - 2;
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
    if (n <= 0) { /* /proc is not mounted; the shell may have found this program in PATH */
        snprintf(path, PATH_MAX, "%s", words[0]);
        n = (ssize_t)strlen(path);
    }
    while (n > 0 && path[n - 1] != '/')
        n--;
    strcpy(path + n, program);
    words[1] = path;
    execvp(path, words + 1);
    if (errno == ENOENT)
        return fail_usage("this build has no 'platen serve': it needs Linux and libmicrohttpd");
    return fail_usage("unable to run '%s': %s", path, strerror(errno));
}
