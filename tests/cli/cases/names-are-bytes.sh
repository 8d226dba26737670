# SPDX-License-Identifier: BSD-2-Clause
# Names that are no UTF-8 stay apart in every text, and a later run knows them.
. "$CASES/_lib.sh"
mkdir in
for name in 'iv\376' 'iv\377' 'iv\\xfe' 'n\303\251e' 'esc\033[2J' 'bidi\342\200\256' 'c1\302\233'; do
    pgm "in/$(printf "$name").pgm" 20 10
done
echo "ndjson, and what merge makes of it"
"$PLATEN" -j1 -p gray -f ndjson -o pages.ndjson in
sed 's/^{"path":"\([^"]*\)".*/\1/; s/{"path": *"\([^"]*\)".*/\1/' pages.ndjson | LC_ALL=C cat -v
"$PLATEN" --manifest all.ndjson in
"$PLATEN" merge --manifest all.ndjson -o merged.ndjson pages.ndjson
cmp pages.ndjson merged.ndjson
echo "a share that is missing"
grep -v 'xf[ef].pgm"' pages.ndjson >some.ndjson
exits 1 "$PLATEN" merge --manifest all.ndjson -o merged.ndjson some.ndjson
echo "two runs into a directory"
cp in/n*e.pgm keep.pgm
echo broken >"in/$(printf 'z\377')".pgm
for i in 1 2; do exits 1 "$PLATEN" -j1 -p gray -f ndjson -o out/ --resume --stats=json in 2>err; done
grep -o '"done": [0-9]*, "failed": [0-9]*, "skipped": [0-9]*' err
grep unable err | LC_ALL=C cat -v
echo "formats with the name"
for format in json hocr alto page html; do
    "$PLATEN" -j1 -p @line -f $format -o one.$format "in/$(printf 'iv\377').pgm" 2>/dev/null
    grep -o 'iv\\*xff' one.$format | head -n 1
done
