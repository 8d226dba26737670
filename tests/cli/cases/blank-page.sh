# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
blank a.pgm 300 200
"$PLATEN" a.pgm | wc -c | tr -d ' '
"$PLATEN" -o out/ a.pgm
wc -c <out/a.txt | tr -d ' '
"$PLATEN" a.pgm a.pgm a.pgm | od -An -c | tr -d ' '
