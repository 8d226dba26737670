# SPDX-License-Identifier: BSD-2-Clause
# Every number of threads, optimization level and instruction set gives the same bytes.
. "$CASES/_lib.sh"
mkdir in
for i in 1 2 3 4 5 6 7 8 9; do pgm in/$i.pgm ${i}00 3${i}0; done
"$PLATEN" -j 1 --isa scalar -p 'gray,background,deskew,sauvola | lines' -f json,png,overlay -o want in
[ $(find want -name '*.json' | wc -l) = 9 ]

# same OPTION...: the pages come out as they did before
same()
{
    "$PLATEN" "$@" -p 'gray,background,deskew,sauvola | lines' -f json,png,overlay -o got in
    diff -r want got
    rm -r got
}

"$PLATEN" detect-features --json |
    python3 -c 'import json, sys; [print(k) for k, v in json.load(sys.stdin)["isa"].items() if v == "available"]' >isas
grep -q scalar isas
for j in 1 2 7; do same -j $j; done
for level in none simd parallel full; do same --opt-level $level; done
while read -r isa; do same --isa $isa; done <isas
"$PLATEN" -j 1 -p 'gray | lines' -f ndjson in >want.ndjson
"$PLATEN" -j 7 -p 'gray | lines' -f ndjson in | cmp - want.ndjson

# and so does what is read
[ -f "$SOURCE/models/eng.platen" ] && [ -d "$SOURCE/samples/pages" ] || exit 0
page=$SOURCE/samples/pages/receipt.png
"$PLATEN" -f json -o want.json "$page"
while read -r isa; do "$PLATEN" --isa $isa -f json "$page" | cmp - want.json; done <isas
"$PLATEN" -j 7 -f json "$page" | cmp - want.json
[ -f "$SOURCE/models/regions.platen" ] || exit 0
"$PLATEN" -p 'gray | regions' -f json -o want.json "$page"
while read -r isa; do "$PLATEN" --isa $isa -p 'gray | regions' -f json "$page" | cmp - want.json; done <isas
"$PLATEN" -j 7 -p 'gray | regions' -f json "$page" | cmp - want.json
db="gray | db:model=$SOURCE/tests/fuzz/corpus/network/text.platen"
"$PLATEN" -q -p "$db" -f json -o want.json "$page"
while read -r isa; do "$PLATEN" -q --isa $isa -p "$db" -f json "$page" | cmp - want.json; done <isas
"$PLATEN" -q -j 7 -p "$db" -f json "$page" | cmp - want.json
