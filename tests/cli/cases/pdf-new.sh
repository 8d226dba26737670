# SPDX-License-Identifier: BSD-2-Clause
# A new PDF of a PDF: what it carries over (what that tells of itself, bookmarks, sizes of pages), and what it tells of the rest.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
top 300 receipt top.png
cat >rich.py <<'PY'
# Three scans of 149 x 72 points on pages of 200 x 300, the second one turned and the third one with a crop box; bookmarks of all kinds.
import os, sys
sys.path.insert(0, os.environ["SOURCE"] + "/tests")
import scans
from scans import stream
w, h, picture = scans.picture("top.png")
page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 300]/Contents 7 0 R/Resources<</XObject<</I 6 0 R>>>>%s>>"
link = b"<</Type/Annot/Subtype/Link/Rect[1 1 9 9]/Border[0 0 0]>>"
note = b"<</Type/Annot/Subtype/Text/Rect[1 1 9 9]/Contents(Pay)/F 2>>"
field = b"<</Type/Annot/Subtype/Widget/FT/Sig/Rect[0 0 0 0]>>"
mark = lambda title, more: b"<</Title %s/Parent 8 0 R%s>>" % (title, more)
objects = [
    b"<</Type/Catalog/Pages 2 0 R/Lang(fr-CA)/Outlines 8 0 R/Names<</EmbeddedFiles<</Names[]>>/Dests 14 0 R>>/AcroForm<</SigFlags 3/Fields[]>>>>",
    b"<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]>>",
    page % (b"/Annots[%s]" % link), page % (b"/Rotate 90/Annots[%s]" % note), page % (b"/CropBox[10 20 190 280]/Annots[%s]" % field),
    picture, stream(b"", b"q %f 0 0 %f 20 30 cm /I Do Q" % (w, h)),
    b"<</Type/Outlines/First 9 0 R/Last 12 0 R/Count 5>>",
    mark(b"(Part without a place)", b"/First 13 0 R/Last 13 0 R/Count 1/Next 10 0 R"),
    mark(b"(First)", b"/Dest[3 0 R/XYZ 20 102 null]/Next 11 0 R"),
    mark(b"<FEFF005400FC0072>", b"/Dest(named)/Next 12 0 R"),
    mark(b"(Web)", b"/A<</S/URI/URI(http://example.org)>>"),
    b"<</Title(Last page)/Parent 9 0 R/A<</S/GoTo/D[5 0 R/FitH 200]>>>>",
    b"<</Kids[<</Limits[(a)(z)]/Names[(b)[3 0 R/Fit](named)<</D[4 0 R/XYZ 20 30 null]>>]>>]>>",
    b"<</Title(Minutes & <more>)/Author<FEFF004A002E0020004400F6>/Subject(On tax)/Keywords(a, b)/CreationDate(D:19980512093000+02'00')>>"]
scans.write_objects("rich.pdf", objects)
text = open("rich.pdf", "rb").read()
open("rich.pdf", "wb").write(text.replace(b"/Root 1 0 R", b"/Root 1 0 R/Info 15 0 R"))
# one page that is listed twice
scans.write_objects("twice.pdf", [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 2/Kids[3 0 R 3 0 R]>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %f %f]/Contents 5 0 R/Resources<</XObject<</I 4 0 R>>>>>>" % (w, h), picture, stream(b"", b"%f 0 0 %f 0 0 cm /I Do" % (w, h))])
# drawn pages
scans.write_objects("drawn.pdf", [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]/Resources<</Font<</F 6 0 R>>>>>>"] +
    [b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %s]/Contents 7 0 R>>" % size for size in (b"300.2 99.7", b"200 300", b"612 200")] +
    [b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", stream(b"", b"BT /F 12 Tf 9 50 Td (Drawn) Tj ET")])
PY
cat >tell.py <<'PY'
import json, re, subprocess, sys
name = sys.argv[1]
subprocess.check_call(["qpdf", "--check", name], stdout=subprocess.DEVNULL)
info = subprocess.check_output(["pdfinfo", "-isodates", name], text=True)
print(name, "|", *(l for l in info.splitlines() if re.match("Title|Subject|Keywords|Author|CreationDate", l)), sep="\n  ")
sizes = subprocess.check_output(["pdfinfo", "-l", "9", name], text=True)
print(" ", *re.findall(r"Page +\d+ size: *([\d.]+ x [\d.]+)", sizes), sep="  ")
doc = json.loads(subprocess.check_output(["qpdf", "--json", name]))
objects = doc["qpdf"][1]
print("  language", objects["obj:" + objects["trailer"]["value"]["/Root"]]["value"].get("/Lang"))
def show(marks, depth):
    for m in marks:
        print("  " * depth + m["title"], "page", m["destpageposfrom1"], [round(v) for v in m["dest"][2:4]])
        show(m["kids"], depth + 1)
show(doc["outlines"], 2)
for line in re.findall(rb"<(?:dc:|xmp:|pdf:K).*", open(name, "rb").read()):
    print("  xmp", line.decode())
PY
python3 rich.py
"$PLATEN" -f pdf --pdfa -o pdfa.pdf rich.pdf
for how in --clean-pdf --pdf-text=force --page-size=A5; do
    "$PLATEN" -q -f pdf $how -o new$how.pdf rich.pdf
done
for f in pdfa new*; do python3 tell.py "${f%.pdf}.pdf"; done
# each picture is where it was
for f in rich pdfa; do pdftoppm -r 72 -gray -cropbox $f.pdf $f; done
for p in 1 2 3; do python3 -c 'import sys; a, b = (open(f, "rb").read() for f in sys.argv[1:]); print("the same place:", len(a) == len(b) and sum(abs(p - q) > 128 for p, q in zip(a, b)) < len(a) / 200)' rich-$p.pgm pdfa-$p.pgm; done
# of some pages, and of several files
"$PLATEN" -q -f pdf --pdfa --pages 2- -o some.pdf rich.pdf && python3 tell.py some.pdf
"$PLATEN" -q -f pdf -o joined.pdf top.png rich.pdf drawn.pdf && python3 tell.py joined.pdf
"$PLATEN" -f pdf --pdfa -o drawn.new.pdf drawn.pdf && python3 tell.py drawn.new.pdf
"$PLATEN" -f pdf --pdfa -o each/ drawn.pdf rich.pdf top.png && ls each
"$PLATEN" -j1 -q -f pdf --pdfa rich.pdf | cmp - pdfa.pdf
# the page that is listed twice
"$PLATEN" -f txt twice.pdf | grep -c NORTHGATE
"$PLATEN" -f pdf -o once.pdf twice.pdf && pdftotext once.pdf - | grep -c NORTHGATE
"$PLATEN" -q --isolate -f pdf --pdfa twice.pdf | pdfinfo - | grep Pages
