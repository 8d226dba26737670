#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What is there is used. Every kernel of simd/kernels.def is called, or handed on as a function, in
# src/: one that is only tested and timed is dead code. Every function that a header tells is named
# in another file than its own, or by another header line: else it is static there, or dead code.
set -eu
cd "${1:-.}"
failed=0
bad() { echo "$*"; failed=1; }

for name in $(sed -n 's/^PL_KERNEL(\([a-z0-9_]*\),.*/\1/p' simd/kernels.def); do
    grep -rqE "(->|\.)$name\b" src --include='*.c' --include='*.h' ||
        bad "no file in src/ calls the kernel $name"
done
told=$(find src simd -name '*.h' ! -name platen.h -exec sed -nE '/^(static|typedef|#)/d; s/^[A-Za-z].*[ *](pl_[a-z0-9_]+)\(.*/\1/p' {} + | sort -u)
unused=$(find src simd web tests bench \( -name '*.[ch]' -o -name '*.def' -o -name '*.in' \) -exec awk -v told="$told" '
BEGIN { n = split(told, list, "\n"); for (i = 1; i <= n; i++) places[list[i]] = 0 }
{
    gsub(/\/\*.*\*\/|^ *\/?\*.*/, "")           # comments call nothing
    while (match($0, /pl_[a-z0-9_]+/)) {
        name = substr($0, RSTART, RLENGTH)
        $0 = substr($0, RSTART + RLENGTH)
        place = FILENAME (FILENAME ~ /\.h$/ ? FNR : "")
        if (name in places && !((name, place) in seen)) { seen[name, place] = 1; places[name]++ }
    }
}
END { for (name in places) print name, places[name] }' {} + | awk '{ n[$1] += $2 } END { for (name in n) if (n[name] < 3) print name }' | sort)
for name in $unused; do
    bad "no other file names the function $name"
done
[ $failed = 0 ] && echo "callers: ok"
