# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
mkdir in
pgm "in/with space.pgm" 9 9
cp "in/with space.pgm" "in/new
line.pgm"
cp "in/with space.pgm" in/c.pgm
find in -name '*.pgm' -print0 | sort -z | "$PLATEN" -0 --files-from - -p gray -f ndjson | sed 's/, *"page".*//'
ls in/*space.pgm in/c.pgm | "$PLATEN" --files-from=- -p gray -f ndjson | sed 's/, *"page".*//'
# lines that end as on other systems
printf 'in/c.pgm\r\nin/c.pgm\r\n\r\nin/c.pgm\r' | "$PLATEN" --files-from - -p gray -f ndjson | sed 's/, *"page".*//'
# and begin with a mark of byte order
printf '\357\273\277in/c.pgm\nin/c.pgm\n' | "$PLATEN" --files-from - -p gray -f ndjson | sed 's/, *"page".*//'
ls in/*space.pgm >list
exits 2 "$PLATEN" --files-from list --files-from nosuch -p gray
printf 'in/c.pgm\0in/c.pgm' >list0
exits 2 "$PLATEN" --files-from list0 -p gray
: >empty
exits 1 "$PLATEN" --files-from empty
exits 1 "$PLATEN" --files-from empty -o out/
