/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/sandbox.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/seccomp.h"
#include "config.h"

/* Of the process, as what they tell of is: set once, before there are threads. */
static atomic_int landlock_in_force;
static atomic_bool seccomp_in_force;

bool pl_sandbox_built(void)
{
    return PL_SANDBOX;
}

int pl_sandbox_landlock(void)
{
    return atomic_load_explicit(&landlock_in_force, memory_order_relaxed);
}

bool pl_sandbox_seccomp(void)
{
    return atomic_load_explicit(&seccomp_in_force, memory_order_relaxed);
}

/* Landlock is left out where it fails and nobody requires it. */
static platen_status lack(struct pl_sandbox *sb, const char *what, struct platen_error *err)
{
    if (sb->require)
        return pl_fail_errno(err, PLATEN_ERR_UNSUPPORTED, "no sandbox: %s", what);
    pl_sandbox_done(sb);
    return PLATEN_OK;
}

platen_status pl_sandbox_begin(struct pl_sandbox *sb, bool require, struct platen_error *err)
{
    *sb = (struct pl_sandbox){.require = require, .rules = -1};
    if (!pl_sandbox_built())
        return require ? pl_fail(err, PLATEN_ERR_UNSUPPORTED, "no sandbox: " PL_NO_SANDBOX)
                       : PLATEN_OK;
    if (require && !pl_seccomp_available())
        return pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                       "no sandbox: this kernel does not filter system calls (seccomp)");
    sb->abi = pl_landlock_abi();
    if (!sb->abi)
        return require ? pl_fail(err, PLATEN_ERR_UNSUPPORTED,
                                 "no sandbox: this kernel has no Landlock, or it is switched off")
                       : PLATEN_OK;
    sb->rules = pl_landlock_new(sb->abi);
    return sb->rules < 0 ? lack(sb, "unable to make rules", err) : PLATEN_OK;
}

platen_status pl_sandbox_allow(struct pl_sandbox *sb, const char *path,
                               enum pl_landlock_grant grant, struct platen_error *err)
{
    if (sb->rules < 0 || pl_landlock_add(sb->rules, sb->abi, path, grant))
        return PLATEN_OK;
    return lack(sb, "unable to add a rule", err);
}

platen_status pl_sandbox_enter(struct pl_sandbox *sb, struct platen_error *err)
{
    platen_status s = PLATEN_OK;
    if (sb->rules >= 0 && pl_landlock_enter(sb->rules))
        atomic_store(&landlock_in_force, sb->abi);
    else if (sb->rules >= 0)
        s = lack(sb, "Landlock refuses", err);
    if (s || !pl_sandbox_built())
        return s;
    if (pl_seccomp_deny())
        atomic_store(&seccomp_in_force, true);
    else if (sb->require)
        s = pl_fail_errno(err, PLATEN_ERR_UNSUPPORTED, "no sandbox: seccomp refuses");
    return s;
}

void pl_sandbox_done(struct pl_sandbox *sb)
{
    if (sb->rules >= 0)
        close(sb->rules);
    sb->rules = -1;
}

/* Whether the modes let it be done, which is all that access() asks; what is not there yet is made
 * in the nearest directory that is. */
static bool modes_allow(const char *path, int amode)
{
    char dir[4096];
    size_t n = strlen(path);
    bool good = !access(path, amode);
    if (good || errno != ENOENT || !(amode & W_OK) || n >= sizeof(dir))
        return good;
    memcpy(dir, path, n + 1);
    while (!good && errno == ENOENT && n) {
        while (n && dir[n - 1] != '/')
            n--;
        dir[n] = '\0';
        good = !access(n ? dir : ".", amode);
        while (n && dir[n - 1] == '/')
            n--;
        dir[n] = '\0';
    }
    return good;
}

platen_status pl_sandbox_explain(struct platen_error *err, const char *path, int amode)
{
    if (!err || err->os_errno != EACCES || !pl_sandbox_landlock() || !modes_allow(path, amode))
        return err ? err->code : PLATEN_ERR_IO;
    return amode & W_OK ? pl_fail(err, err->code,
                                  "unable to write '%s': the sandbox refuses (--sandbox)", path)
                        : pl_fail(err, err->code, "the sandbox refuses (--sandbox)");
}
