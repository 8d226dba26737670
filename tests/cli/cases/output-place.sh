# SPDX-License-Identifier: BSD-2-Clause
# Where the output goes depends on what the input is: where that cannot be told, nothing is written in a place that was guessed.
. "$CASES/_lib.sh"
pgm a.pgm 20 10
mkdir in
cp a.pgm in/a.pgm
cp a.pgm in/b.pgm
strace -o /dev/null true 2>/dev/null || skip "strace may not trace"
exits 1 strace -f -qq -o trace -P in -e trace=newfstatat,statx -e inject=newfstatat,statx:error=EIO:when=1 \
    "$PLATEN" -q -p gray -f ndjson -o out in 2>err
grep -q INJECTED trace
grep -v '^strace:' err
[ ! -e out ]
"$PLATEN" -q -p gray -f ndjson -o out in
ls out
