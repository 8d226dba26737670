/* SPDX-License-Identifier: BSD-2-Clause */
/* What each system does in its own way: system_linux.c, or system_posix.c where there is no Linux.
 */
#ifndef PL_BASE_SYSTEM_H
#define PL_BASE_SYSTEM_H

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>

/* A new empty file without a name, closed on exec. `name` is for whoever looks at the process.
 * -1 and errno. */
int pl_system_file(const char *name);
/* From now on nobody can make the file shorter, or change it at all: then touching a mapping of it
 * cannot end this process. Systems without such seals take the other process at its word.
 * false and errno. */
bool pl_system_keep_length(int fd);
bool pl_system_keep_content(int fd);
/* Gives back the memory of a file of `bytes` bytes that nobody has mapped; then it is all zeros, or
 * empty. */
void pl_system_forget_content(int fd, size_t bytes);

/* A channel for records of some hundred bytes between two processes, and a pipe; closed on exec.
 * Writing to one whose other end is closed sends no signal (the channel, with MSG_NOSIGNAL).
 * false and errno. */
bool pl_system_channel(int ends[2]);
bool pl_system_pipe(int ends[2]);
#ifndef MSG_CMSG_CLOEXEC
#define MSG_CMSG_CLOEXEC 0
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/* Closes the descriptors from `from` on that are below `below`; INT_MAX: all of them. */
void pl_system_close_range(int from, int below);
/* This process is to end with the one that made it, where the system can do that. */
void pl_system_end_with_parent(void);

/* A file without a name in the directory; -1 and errno, EOPNOTSUPP where there is no such thing. */
int pl_system_open_unnamed(int dir_fd, mode_t mode);
/* Gives it one. false and errno. */
bool pl_system_name(int fd, int dir_fd, const char *name);
/* How a directory is opened to reach what lies in it, and nothing else. */
extern const int pl_system_directory;
/* When the file was last written. */
struct timespec pl_system_written(const struct stat *st);
/* When the file, its length, its times or its rights were changed last, which nobody can set. */
struct timespec pl_system_changed(const struct stat *st);

/* Makes a condition, and returns the clock that pthread_cond_timedwait() goes by. */
clockid_t pl_system_condition(pthread_cond_t *ret);

/* Permission for this process and its threads to use AMX, which some systems give on request. */
bool pl_system_allow_tiles(void);
/* Processors that this process may use; 1 where nobody says. */
int pl_system_processors(void);
/* The path of the running program, without a final zero; returns its length, 0 = not known. */
size_t pl_system_program(char *ret, size_t bytes);
/* In English, whatever the locale; NULL = no such number. */
const char *pl_system_error(int number);
const char *pl_system_signal(int number);

#endif
