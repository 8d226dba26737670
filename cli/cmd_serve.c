/* SPDX-License-Identifier: BSD-2-Clause */
/* `platen serve` is a program of its own, beside this one: see cli/serve/serve.c. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static const char program[] = "platen-serve";

int cmd_serve(const struct arguments *a)
{
    char path[PATH_MAX + sizeof(program)];
    if (a->n_operands)
        return fail_usage("serve takes no inputs; see 'platen help serve'");
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n <= 0)
        return fail_usage("unable to find the directory of this program: %s", strerror(errno));
    strcpy(path + n, program);
    /* without operands nothing was moved: these are the words as they were given */
    a->operands[-1] = path;
    execv(path, a->operands - 1);
    if (errno == ENOENT)
        return fail_usage("this build has no 'platen serve': it needs Linux and libmicrohttpd");
    return fail_usage("unable to run '%s': %s", path, strerror(errno));
}
