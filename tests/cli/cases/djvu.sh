# SPDX-License-Identifier: BSD-2-Clause
# Pages of DjVu become pictures by ddjvu.
. "$CASES/_lib.sh"
command -v ddjvu >ddjvu.path || skip "no ddjvu"
folder=$(dirname "$(cat ddjvu.path)")
mkdir in
cp "$SOURCE"/tests/fuzz/corpus/djvu/* in
run() { sed 's/"program.*"width"/"width"/; s/"turn".*//; s/"program[^,]*,//'; }
"$PLATEN" -p gray -f ndjson in | run
"$PLATEN" --isolate -p gray -f ndjson in >isolated
"$PLATEN" -p gray -f ndjson in | cmp - isolated
"$PLATEN" -q -p gray -f pnm -o ours.pnm in/bitonal.djvu
ddjvu -format=pbm in/bitonal.djvu theirs.pbm
"$PLATEN" -q -p gray -f pnm -o theirs.pnm theirs.pbm
cmp ours.pnm theirs.pnm
"$PLATEN" -q -p gray -f ndjson - <in/book.djvu | wc -l
exits 1 "$PLATEN" -p gray -f ndjson --pdf-renderer off in/bitonal.djvu >off
exits 1 env PATH=/nowhere "$PLATEN" -p gray -f ndjson in/bitonal.djvu >without
# a page that ddjvu cannot read is told, and the others are read
[ -x "$folder/ddjvu" ] && head -c 120 in/book.djvu >cut.djvu
exits 1 "$PLATEN" -p gray -f ndjson cut.djvu 2>err | run
sed "s|$folder/||" err
