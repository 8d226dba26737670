# SPDX-License-Identifier: BSD-2-Clause
# HEIC and AVIF are read in processes of their own, beside PDFs too, and without; the pictures of one file are its pages.
. "$CASES/_lib.sh"
"$PLATEN" detect-features | grep -q 'libheif *not in' && skip "this build does not read HEIF"
mkdir in
cp "$SOURCE"/tests/data/heif/* in
head -c 600 in/turned.heic >in/cut.heic
cp in/quarters.avif in/moving.avif
printf '\000\000\000\010moov' >>in/moving.avif
for name in another z; do cp "$SOURCE/tests/fuzz/corpus/pdf/gray.pdf" in/$name.pdf; done
for how in pdf on off; do
    exits 1 "$PLATEN" --isolate=$how -p 'gray | lines' -f ndjson in >out.$how 2>err.$how
    "$PLATEN" --isolate=$how -q -p gray -o pages.$how/ in/two.heic
done
sed 's/"page": *\([0-9]*\)\(.*\)"width": *\([0-9]*\), *"height": *\([0-9]*\).*/page \1: \3 x \4/; s/, .*page/ page/' out.pdf
cat err.pdf
ls pages.pdf
for how in on off; do
    cmp out.pdf out.$how
    cmp err.pdf err.$how
    diff -r pages.pdf pages.$how
done
