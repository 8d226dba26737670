#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every kernel of simd/kernels.def is called, or handed on as a function, in src/: one that is only
# tested and timed is dead code.
set -eu
cd "${1:-.}"
failed=0
for name in $(sed -n 's/^PL_KERNEL(\([a-z0-9_]*\),.*/\1/p' simd/kernels.def); do
    grep -rqE "(->|\.)$name\b" src --include='*.c' --include='*.h' || {
        echo "no file in src/ calls the kernel $name"
        failed=1
    }
done
[ $failed = 0 ] && echo "callers: ok"
