#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Whether a build with -Dportable=true calls nothing that Linux or glibc alone has, and includes no such header.
#   tests/portable.sh LIBRARY.a PROGRAM...
set -eu
calls='memfd_create|fallocate(64)?|pipe2|accept4|dup3|syscall|prctl|eventfd(_.*)?|signalfd|epoll_.*|inotify_.*|timerfd_.*|getauxval|sched_.*affinity|strerrordesc_np|strerrorname_np|sigdescr_np|pthread_condattr_setclock|pthread_(set|get)name_np|getrandom|renameat2|copy_file_range|sendfile(64)?|splice|statx|mremap|qsort_r|memrchr|mempcpy|strchrnul|ppoll|sigtimedwait|sigwaitinfo|sem_.*|pthread_barrier_.*|canonicalize_file_name|get_nprocs|sysinfo|execveat|fexecve|posix_fallocate(64)?|posix_fadvise(64)?|clock_nanosleep'
found=$(nm -u "$@" 2>/dev/null | sed 's/^ *U //; s/@.*//' | grep -Ex "$calls" | sort -u || true)
[ -z "$found" ] || {
    echo "called, and of Linux alone: $found"
    exit 1
}
echo "portable: ok"
