# SPDX-License-Identifier: BSD-2-Clause
# Scans in a PDF are read like pictures: as a file, in a directory, page by page, in cells.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
cp "$SOURCE/samples/pages/receipt.png" a.png
cp "$SOURCE/samples/pages/form.png" b.png
"$PLATEN" -f pdf -o both.pdf a.png b.png
"$PLATEN" -f txt -o want a.png b.png
mkdir got cells mixed
"$PLATEN" -j2 -f txt -o got both.pdf
cmp want/a.txt got/both-0001.txt && cmp want/b.txt got/both-0002.txt && echo "same text"
"$PLATEN" --isolate -f txt -o cells both.pdf
cmp got/both-0002.txt cells/both-0002.txt && echo "same in cells"
# the library for it is loaded before the sandbox closes, where a PDF may come, and otherwise not at all
"$PLATEN" -f pdf -o one.pdf b.png
"$PLATEN" -p gray -f ndjson - <one.pdf | sed 's/, *"width".*//'
printf 'one.pdf\n' | "$PLATEN" -p gray -f ndjson --files-from - | sed 's/, *"width".*//'
# all pages of what stands on standard input, from a pipe or a file, and the same document with text
"$PLATEN" -f txt both.pdf | cksum >file.sum
cat both.pdf | "$PLATEN" -f txt - | cksum | cmp - file.sum
"$PLATEN" -f txt -j1 - <both.pdf | cksum | cmp - file.sum
cat both.pdf | "$PLATEN" --isolate -f txt - | cksum | cmp - file.sum
cat both.pdf | "$PLATEN" -p gray -f ndjson --pages 2 - | sed 's/, *"width".*//'
"$PLATEN" -p gray -f pnm -o pages/ - <both.pdf && ls pages
# what stands behind a document on standard input is read, too
cat both.pdf one.pdf a.png | "$PLATEN" -p gray -f ndjson - | sed 's/, *"width".*//'
"$PLATEN" -q -f pdf both.pdf | cksum >file.sum
cat both.pdf | "$PLATEN" -q -f pdf - | cksum | cmp - file.sum
# a file of several documents, of which qpdf makes one that has pages of any of them, is refused
cat one.pdf both.pdf >several.pdf
exits 1 "$PLATEN" -f txt several.pdf
# within the memory that there is
(cat both.pdf && head -c 17000000 /dev/zero) | exits 1 "$PLATEN" -p gray -f ndjson --max-mem 20M - | sed 's/, *"width".*//'
mkfifo pipe.pdf
cat one.pdf >pipe.pdf &
"$PLATEN" -p gray -f ndjson pipe.pdf | sed 's/, *"width".*//'
LD_DEBUG=files "$PLATEN" -p gray -f ndjson a.png 2>&1 | grep libqpdf && echo "loaded for a PNG"
LD_DEBUG=files "$PLATEN" -p gray -f ndjson one.pdf 2>&1 | grep -q libqpdf && echo "loaded for a PDF"
cp a.png both.pdf mixed
"$PLATEN" -p gray -f ndjson mixed | sed 's/, *"width".*//'
# cut off: what qpdf can still find is read or told, page by page
head -c 3000 both.pdf >mixed/cut.pdf
exits 1 "$PLATEN" -p gray -f ndjson mixed/cut.pdf >/dev/null
