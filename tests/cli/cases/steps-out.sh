# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
mkdir in
pgm in/a.pgm 30 20
pgm in/b.pgm 30 20
"$PLATEN" -p 'gray,invert:always,sauvola' -f pnm -o out --steps-out steps in
(cd steps && find . -type f | sort)
"$PLATEN" -p gray,invert:always -f png -o want.png in/a.pgm
cmp want.png steps/a/02-invert.png
# they change nothing else
"$PLATEN" -p 'gray,invert:always,sauvola' -f pnm -o out2 in
diff -r out out2
