/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The numbers are those of every architecture; headers of the build machine may be older than the
 * kernel that the program runs on. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

#define CREATE_RULESET_VERSION 1u
#define RULE_PATH_BENEATH 1

enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_DIR = 1 << 7,
    FS_MAKE_REG = 1 << 8,
    FS_TRUNCATE = 1 << 14,
    FS_IOCTL_DEV = 1 << 15,
    /* rights that have a meaning for what is no directory */
    FS_OF_FILES = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV,
};

#define NET_BIND_AND_CONNECT 3u
#define SCOPE_SOCKETS_AND_SIGNALS 3u

struct ruleset {
    uint64_t fs, net, scoped;
};

struct path_rule {
    uint64_t allowed;
    int32_t fd;
} __attribute__((packed));

/* Rights that a level knows: it refuses sets with others. */
static uint64_t known_rights(int abi)
{
    static const unsigned char rights[] = {13, 14, 15, 15, 16}; /* levels 1 to 5 */
    int last = (int)sizeof(rights);
    return ((uint64_t)1 << rights[(abi < last ? abi : last) - 1]) - 1;
}

/* Of a ruleset, as a level knows it. */
static size_t ruleset_bytes(int abi)
{
    return abi < 4 ? 8 : abi < 6 ? 16 : 24;
}

int pl_landlock_abi(void)
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    return abi > 0 ? (int)abi : 0;
}

int pl_landlock_new(int abi)
{
    struct ruleset r = {known_rights(abi), NET_BIND_AND_CONNECT, SCOPE_SOCKETS_AND_SIGNALS};
    return (int)syscall(SYS_landlock_create_ruleset, &r, ruleset_bytes(abi), 0);
}

/* No right to rename across directories (level 2) is among them: whatever is written takes its
 * name in the directory where it was made. */
static uint64_t rights_of(enum pl_landlock_grant grant)
{
    const uint64_t read = FS_READ_FILE | FS_READ_DIR;
    if (grant == PL_LANDLOCK_READ)
        return read;
    if (grant == PL_LANDLOCK_RUN)
        return read | FS_EXECUTE;
    if (grant == PL_LANDLOCK_REMOVE)
        return FS_REMOVE_FILE;
    return read | FS_WRITE_FILE | FS_TRUNCATE | FS_REMOVE_FILE | FS_MAKE_REG | FS_MAKE_DIR;
}

bool pl_landlock_add(int rules, int abi, const char *path, enum pl_landlock_grant grant)
{
    struct stat st;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP ||
               errno == ENAMETOOLONG;
    struct path_rule rule = {rights_of(grant) & known_rights(abi), fd};
    if (!fstat(fd, &st) && !S_ISDIR(st.st_mode))
        rule.allowed &= FS_OF_FILES;
    /* pipes and sockets that /dev/stdin leads to are not looked at, nor can there be rules for them
     */
    bool good = !rule.allowed ||
                !syscall(SYS_landlock_add_rule, rules, RULE_PATH_BENEATH, &rule, 0) ||
                errno == EBADFD;
    int kept = errno;
    close(fd);
    errno = kept;
    return good;
}

bool pl_landlock_enter(int rules)
{
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !syscall(SYS_landlock_restrict_self, rules, 0);
}
