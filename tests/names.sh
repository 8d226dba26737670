#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The rule of names: a name in a backtrace, in a search or in a list of files says which thing it is.
# Base names of files and tags of structs are unique, no static function is called by a verb alone
# that many files could mean, and every tuned number is used.
set -eu
verbs='add begin close collect compare count decode emit failed find grow join open run take'
cd "${1:-.}"
failed=0
bad() { echo "$*"; failed=1; }

for name in $(find src simd cli -name '*.[ch]' | sed 's|.*/||' | sort | uniq -d); do
    bad "two files are called $name"
done
tags=$(find src simd cli -name '*.[ch]' -exec sed -nE 's/^(struct|union|enum) ([a-z_0-9]+) \{.*/\2/p' {} +)
for tag in $(echo "$tags" | sort | uniq -d); do
    bad "two structs are called $tag"
done
for verb in $verbs; do
    for file in $(grep -rlE "^static .*[ *]$verb\\(" src simd cli --include='*.[ch]'); do
        bad "$file: a static is called $verb"
    done
done
tuned=$(find src -name '*_tuning.def' -exec sed -nE 's/^PL_TUNE(_FLOAT|_COUNT)?\(([A-Z0-9_]+),.*/\2/p' {} + | sort -u)
used=$(grep -rhoE '[A-Z][A-Z0-9_]+' src --include='*.[ch]' | sort -u)
for number in $(printf '%s\n' "$tuned" "$used" "$used" | sort | uniq -u); do
    bad "nothing uses the tuned number $number"
done
[ $failed = 0 ] && echo "names: ok"
