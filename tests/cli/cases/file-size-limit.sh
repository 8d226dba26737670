# SPDX-License-Identifier: BSD-2-Clause
# A limit on the size of files: pages that do not fit fail, the others are whole, and later all are.
. "$CASES/_lib.sh"
mkdir in
for i in 1 2 3 4 5 6 7 8; do
    pgm in/large-$i.pgm 400 400
    pgm in/small-$i.pgm 100 100
done
run() { "$PLATEN" -j2 --resume -p gray -f pnm -o out in; }
(
    ulimit -f 100 # blocks of 512 bytes, or of 1024
    exits 1 run
) 2>&1 | sed "s/'out[^']*'/FILE/; s/large-[0-9]/large/" | sort | uniq -c | sed 's/^ *//'
ls -A out | grep -v '^small-[1-8].pnm$'
run
for i in 1 2 3 4 5 6 7 8; do cmp out/small-$i.pnm in/small-$i.pgm; cmp out/large-$i.pnm in/large-$i.pgm; done
