# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
mkdir in
pgm in/a.pgm 9 9
echo broken >in/b.pgm
for i in 1 2 3 4 5 6 7 8 9; do cp in/a.pgm in/c$i.pgm; done
exits 1 "$PLATEN" --fail-fast -j 1 -p gray -f pnm -o out in 2>/dev/null
ls out
exits 1 "$PLATEN" --fail-fast -j 2 -p gray -f json in 2>err >two
exits 1 "$PLATEN" --fail-fast -j 1 -p gray -f json in 2>/dev/null >one
cmp one two
wc -l <err | tr -d ' '
