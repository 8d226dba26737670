# SPDX-License-Identifier: BSD-2-Clause
# Shares by the hash of a name: each input is in one, and stays there when others come or the
# directory moves.
. "$CASES/_lib.sh"
mkdir in
pgm in/1.pgm 9 9
i=1
while [ $i -lt 60 ]; do i=$((i + 1)); ln in/1.pgm in/$i.pgm; done
for s in 1/3 2/3 3/3; do "$PLATEN" --shard $s -p gray -f pnm -o out-$s/ in; done
ls out-1/3 out-2/3 out-3/3 | grep -c pnm
ls out-1/3 out-2/3 out-3/3 | grep pnm | sort | uniq -d
for s in 1/3 2/3 3/3; do [ $(ls out-$s | wc -l) -ge 12 ] || echo "share $s is small"; done
mkdir -p else/where
mv in else/where/in
rm else/where/in/?.pgm
"$PLATEN" --shard 2/3 -p gray -f pnm -o moved/ else/where/in
(cd out-2/3 && ls) | grep -v "^[0-9].pnm" >want
ls moved | diff want -
