# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
mkdir in
pgm in/a.pgm 60 40
pgm in/b.pgm 60 40
"$PLATEN" -p 'gray | lines' -f json,ndjson,png,pnm,overlay -o out in
ls out
"$PLATEN" -p gray -f png -o one.png in/a.pgm
cmp one.png out/a.png
"$PLATEN" -p 'gray | lines' -f ndjson -o all.ndjson in
"$PLATEN" -p 'gray | lines' -f ndjson in | cmp - all.ndjson
"$PLATEN" -p 'gray | lines' -f ndjson -o dir in
ls dir
"$PLATEN" -p 'gray | lines' -o given.any in/a.pgm
"$PLATEN" -p 'gray | lines' in/a.pgm | cmp - given.any
exits 2 "$PLATEN" -p gray in
exits 2 "$PLATEN" -p gray -o two.png in
ls two.png 2>/dev/null || echo none
# an output never takes the place of its input
cp in/a.pgm a.pnm
cp a.pnm before
exits 1 "$PLATEN" -p gray,invert:always -f pnm -o . a.pnm && mv a.pnm after
mkdir same && cp before same/x.png
"$PLATEN" -q -p gray,invert:always -f png -o same same || echo "exit $?"
cmp before same/x.png
cp before x.png
exits 2 "$PLATEN" -p gray,invert:always -f png -o same/../x.png x.png
cmp before x.png
# pipes and devices are written to, and stay what they are
mkfifo pipe
timeout 100 cat pipe >piped &
"$PLATEN" -p gray -f pnm -o pipe in/a.pgm
wait
"$PLATEN" -p gray -f pnm in/a.pgm | cmp - piped
ln -s /proc/self/fd/1 here
"$PLATEN" -p gray -f pnm -o here in/a.pgm | cmp - piped
ln -s /dev/full full
exits 1 "$PLATEN" -p gray -f pnm -o full in/a.pgm
[ -p pipe ] && [ -h here ] && [ -h full ] && ls ./*.tmp 2>/dev/null || echo as they were
# messages have one slash where the directory has one
exits 1 "$PLATEN" -p gray -f pnm -o piped/ in
# options may stand anywhere, -- ends them
cp in/a.pgm ./-x.pgm
"$PLATEN" run -fpnm -p gray -o y.pgm -- -x.pgm
"$PLATEN" in/a.pgm -p=gray 2>/dev/null || echo "exit $?"
"$PLATEN" in/a.pgm --pipeline=gray --format pnm -qj2 -o z.pgm
cmp y.pgm z.pgm
