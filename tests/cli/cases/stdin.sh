# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
pgm a.pgm 20 10
"$PLATEN" -p gray -f pnm a.pgm >file.pgm
"$PLATEN" -p gray -f pnm - <a.pgm >stdin.pgm
cat a.pgm | "$PLATEN" -p gray -f pnm -o - - >pipe.pgm
cmp file.pgm stdin.pgm
cmp file.pgm pipe.pgm
"$PLATEN" -p gray -f pnm -o out/ - <a.pgm
ls out
"$PLATEN" -p gray -f pnm - </dev/null || echo "exit $?"
# a second picture beside another input is not lost without a word
pgm b.pgm 30 10
cat a.pgm b.pgm | exits 1 "$PLATEN" -p gray -f ndjson - b.pgm | sed 's/, *"page".*//'
(cat a.pgm && echo) | "$PLATEN" -p gray -f pnm - | cmp - file.pgm
