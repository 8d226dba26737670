# SPDX-License-Identifier: BSD-2-Clause
# Pages of a document on sheets of one size, with margins; and the language of most pages.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/de.lm.platen" ] || skip "no language models in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
sample_pages in
pages="in/receipt.png in/columns.png"
boxes()
{
    "$PLATEN" -q "$@" -f pdf -o a.pdf $pages
    grep -ao '/MediaBox \[[^]]*\]' a.pdf
    qpdf --check a.pdf >check 2>&1 || cat check
}
boxes
cp a.pdf plain.pdf
boxes --page-size largest
# the words lie as far from each other as they did, and from the corner as much farther as the box says
for name in plain a; do pdftotext -bbox $name.pdf $name.xml; done
python3 - <<'PY'
import re
def words_of(name):  # page by page, in an order that does not depend on where the words lie on the sheet
    found = [re.findall(r'xMin="([^"]*)" yMin="([^"]*)"[^>]*>([^<]*)<', p) for p in open(name).read().split("<page ")[1:]]
    return [w for p in found for w in sorted(((float(x), float(y), w) for x, y, w in p), key=lambda w: (w[2], w[1], w[0]))]
words = [words_of(n) for n in ("plain.xml", "a.xml")]
moved = {(round(b[0] - a[0], 1), round(b[1] - a[1], 1)) for a, b in zip(*words)}
print(len(words[0]) > 100, [w[2] for w in words[0]] == [w[2] for w in words[1]], sorted(moved))
PY
boxes --page-size A4 --align top-left --margins 10
boxes --page-size 400x300 --align bottom
boxes --margins 1,2,3,4
boxes --page-size a6 # smaller than the second picture
boxes --page-size letter --pdfa --margins 5
for wrong in "--page-size A0" "--page-size 210" "--page-size 0x10" "--margins 1,2" "--margins 5," "--margins -1" "--page-size A4 --align middle"; do
    exits 2 "$PLATEN" -q $wrong -f pdf -o b.pdf $pages 2>&1
done
exits 1 "$PLATEN" -q --margins 5000 -f pdf -o b.pdf $pages 2>&1 # more than readers accept
# a journal knows the size, and a PDF becomes a new one
"$PLATEN" -q -f pdf --page-size A4 -o out/ $pages
for size in A4 A5; do
    "$PLATEN" -q --stats=json --resume --page-size $size -f pdf -o out/ $pages 2>&1 | sed 's/.*"skipped": \([0-9]*\).*/passed over: \1/'
done
"$PLATEN" -q --page-size A4 -f pdf -o again.pdf plain.pdf
grep -ao '/MediaBox \[[^]]*\]' again.pdf
# the language of two pages of three, of which the first has another one
german=$SOURCE/tests/data/lines/13-accents.png
ln -s "$german" b.png
ln -s "$german" c.png
"$PLATEN" -q -p @line --lang de+en -f pdf -o lang.pdf "$SOURCE/tests/data/lines/01-clean-serif.png" b.png c.png
grep -ao '/Type /Catalog.*/Lang ([a-z]*)' lang.pdf | grep -o 'Lang.*'
