# SPDX-License-Identifier: BSD-2-Clause
# What is drawn over a scan, by the content of its page or by annotations: the page is read as it is seen, and a new PDF shows it;
# without a program that renders it the scan is read, with a warning, and becomes no new PDF.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
# its last row is cut through: what the scan has of it is read otherwise than what a renderer makes of it
top 300 receipt top.png
cat >over.py <<'PY'
# A scan of 300 rows, in which GENERAL stands at 67 65, 26 points wide: one file for each thing that lies over it, or does not.
import os, sys
sys.path.insert(0, os.environ["SOURCE"] + "/tests")
import scans
from scans import stream
w, h, picture = scans.picture("top.png")
scan = b"q %f 0 0 %f 0 0 cm /I Do Q " % (w, h)
place = b"66 36 28 9"
form = lambda content: stream(b"/Type/XObject/Subtype/Form/BBox[0 0 40 10]/Resources<</Font<</F 4 0 R>>>>", content)
note = lambda kind, more, rect=b"66 36 94 45": b"/Annots[<</Type/Annot/Subtype/%s/Rect[%s]%s>>]" % (kind, rect, more)
text = form(b"BT /F 8 Tf 1 1 Td (NOTED55) Tj ET")
cases = {  # content, entries of the page, a stream that draws an annotation (object 7)
    "box": (scan + b"0 g %s re f" % place, b"", text),
    "white": (scan + b"1 g %s re f" % place, b"", text),
    "square": (scan, note(b"Square", b"/F 4/IC[0 0 0]/C[0 0 0]"), text),
    "ink": (scan, note(b"Ink", b"/F 4/C[0 0 0]/BS<</W 9>>/InkList[[66 40 94 40]]"), text),
    "redact": (scan, note(b"Redact", b"/F 4/AP<</N 7 0 R>>"), form(b"0 g 0 0 40 10 re f")),
    "unit": (scan + b"0 g %s re f" % place, b"/UserUnit 2", text), # which pdftoppm passes over
    "stamp": (scan + b"BT /F 8 Tf 2 62 Td (STAMP77) Tj ET", b"", text),
    "noted": (scan, note(b"Stamp", b"/F 4/AP<</N 7 0 R>>", b"2 60 42 70"), text),
    "field": (scan, note(b"Widget", b"/F 4/FT/Tx/V(NOTED55)/AP<</N 7 0 R>>", b"2 60 42 70"), text),
    "bordered": (scan, note(b"Link", b"/F 4/Border[0 0 1]", b"2 2 20 9"), text),
    "hidden": (scan, note(b"Square", b"/F 2/IC[0 0 0]"), text),
    "noview": (scan, note(b"Square", b"/F 32/IC[0 0 0]"), text),
    "link": (scan, note(b"Link", b"/Border[0 0 0]"), text),
    "popup": (scan, note(b"Popup", b"/F 4"), text),
    "below": (b"1 g %s re f 0 g %s re f " % (place, place) + scan, b"", text),
    "layer": (scan + b"BT 3 Tr /F 8 Tf 2 62 Td (STAMP77) Tj ET", b"", text),
}
for name, (content, entries, looks) in cases.items():
    scans.write_objects(name + ".pdf", [
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %f %f]/Contents 6 0 R/Resources<</Font<</F 4 0 R>>/XObject<</I 5 0 R>>>>%s>>" % (w, h, entries),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", picture, stream(b"", content), looks])
print(*cases)
PY
cat >same.py <<'PY'
# Whether two pages are seen alike, but for how edges fall into pixels.
import subprocess, sys
def seen(name, dpi):
    pgm = subprocess.check_output(["pdftoppm", "-r", str(dpi), "-gray", name])
    head, size, most, px = pgm.split(b"\n", 3)
    return size, px
(a, x), (b, y) = seen(sys.argv[1], 100), seen(sys.argv[2], 100)
if a != b: # twice as large
    b, y = seen(sys.argv[2], 50)
print("other sizes" if a != b else "other pixels" if sum(abs(p - q) > 128 for p, q in zip(x, y)) > len(x) / 100 else "as seen")
PY
names=$(python3 over.py)
words() { tr -s ' \n\f' '\n' | sort; }
"$PLATEN" -q -f txt top.png | words >plain
for name in $names; do
    "$PLATEN" -q -f txt $name.pdf | words >found
    echo "$name: without $(comm -23 plain found | tr '\n' ' '), and $(comm -13 plain found | tr '\n' ' ')"
    "$PLATEN" -q -f pdf --pdfa -o new.pdf $name.pdf && echo " new PDF: $(python3 same.py $name.pdf new.pdf), $(pdftotext new.pdf - | words | comm -13 plain - | tr '\n' ' ')"
    "$PLATEN" -q -f pdf -o more.pdf $name.pdf && echo " the same: $(python3 same.py $name.pdf more.pdf), without $(pdftotext more.pdf - | words | comm -23 plain - | tr '\n' ' ')"
done
"$PLATEN" -q -f pdf -o both.pdf box.pdf white.pdf && pdftotext both.pdf - | grep -c GENERAL || :
echo "without a program"
for name in $names; do
    "$PLATEN" -f txt --pdf-renderer off $name.pdf 2>&1 >found | grep -v "lies in no line" || :
    words <found | comm -13 plain -
    "$PLATEN" -q -f pdf --clean-pdf --pdf-renderer off -o no.pdf $name.pdf 2>&1 || [ ! -e no.pdf ] || echo "a PDF was made"
    rm -f no.pdf
done
# of a PDF that stays the page gets no text then, in which what is hidden could be found
"$PLATEN" -f pdf --pdf-renderer off -o stays.pdf box.pdf 2>&1
pdftotext stays.pdf - | words | wc -l
"$PLATEN" -q -f pdf,txt --pdf-renderer off -o two/ box.pdf
pdftotext two/box.pdf - | words | wc -l
# one that fails: the scan alone is read, but becomes no new PDF
printf '#!/bin/sh\nexit 1\n' >fails
chmod +x fails
"$PLATEN" -f txt --pdf-renderer ./fails box.pdf 2>&1 | grep -o 'GENERAL\|not read, and what it covers is'
exits 1 "$PLATEN" -q -f pdf --pdfa --pdf-renderer ./fails -o no.pdf box.pdf 2>&1
# the program is asked for the resolution of the scan, and not at all for a page with nothing over it
cat >own <<'SH'
#!/bin/sh
printf 'P5\n40 20\n255\n'
printf '%s %800s' "$*" x
SH
chmod +x own
"$PLATEN" -p gray -f pnm -o out/ --pdf-renderer ./own box.pdf layer.pdf
head -c 110 out/box.pnm | tail -n +4 | sed "s/ *$//"
head -c 11 out/layer.pnm | sed -n 2p
