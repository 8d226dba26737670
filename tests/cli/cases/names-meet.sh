# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
mkdir -p in/x other
pgm in/a.pgm 9 9
cp in/a.pgm in/a.pnm
cp in/a.pgm in/b.pgm
cp in/a.pgm in/x/a.pgm
cp in/a.pgm in/.hidden.pgm
cp in/a.pgm in/notes.txt
cp in/a.pgm other/b.pgm
mkdir in/.git && cp in/a.pgm in/.git/c.pgm
ln -s . in/loop
ln -s ../other/b.pgm in/link.PGM
"$PLATEN" -p gray -f json -o out in
(cd out && find . -type f | sort)
# a file leaves its directories behind, a list keeps them, .. goes nowhere
"$PLATEN" -p gray -f json -o single/ in/x/a.pgm
printf '%s\n' ./in/x/a.pgm "$PWD/in/a.pgm" ../$(basename "$PWD")/other/b.pgm >list
"$PLATEN" -p gray -f json -o listed --files-from list
(cd single && find . -type f | sort)
find listed -type f | sed "s|$PWD|/HERE|; s|$(basename "$PWD")|HERE|" | sort
# two that cannot be told apart are refused before anything is written
exits 2 "$PLATEN" -p gray -f json -o none in/b.pgm other/b.pgm
exits 2 "$PLATEN" -p gray -f json -o none in in/a.pgm in
ls none 2>/dev/null || echo nothing written
