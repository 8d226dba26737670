# SPDX-License-Identifier: BSD-2-Clause
# A run that is killed behind its last page, before it has put the lines of its journal in order, leaves that to the next
# one, which has nothing else to do.
. "$CASES/_lib.sh"
mkdir in
for i in 1 2 3; do pgm in/$i.pgm 30 20; done
"$PLATEN" -q -p gray -f pnm -o out/ in
cp out/.platen-journal want
{ sed -n 2p want; sed -n 3p want; sed -n 1p want; } >out/.platen-journal
"$PLATEN" -q -p gray -f pnm --resume -o out/ in
cmp want out/.platen-journal
{ sed -n '1s/"output_bytes.*/"status":"begun","begun":"1"}/p' want; cat want; } >out/.platen-journal
"$PLATEN" -q -p gray -f pnm --resume -o out/ in
cmp want out/.platen-journal
