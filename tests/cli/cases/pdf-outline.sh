# SPDX-License-Identifier: BSD-2-Clause
# Bookmarks and the language of documents: of new ones, and of those that stay where they have none of their own.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
cat >scan.py <<'PY'
# Two sample pages as a document: without bookmarks and language, with both, and with the empty outline that some writers leave.
import os, sys
sys.path.insert(0, os.environ["SOURCE"] + "/tests")
import scans
kinds = {"bare": b"", "own": b"/Lang(de)/Outlines 9 0 R", "empty": b"/Lang(de)/Outlines<</Type/Outlines/Count 0>>"}
for kind, more in kinds.items():
    objects = [b"<</Type/Catalog/Pages 2 0 R%s/PageLabels<</Nums[0<</S/r/St 4>>]>>/ViewerPreferences<</FitWindow true>>>>" % more,
               b"<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>"]
    streams = []
    for i, (name, turn) in enumerate([("receipt", 90), ("letter", 0)]):
        w, h, image = scans.picture(os.environ["SOURCE"] + "/samples/pages/%s.png" % name)
        objects.append(b"<</Type/Page/Parent 2 0 R/Rotate %d/MediaBox[0 0 %f %f]/Contents %d 0 R/Resources<</XObject<</I %d 0 R>>>>>>"
                       % (turn, w + 40, h + 60, 5 + 2 * i, 6 + 2 * i))
        streams += [scans.stream(b"", b"%f 0 0 %f 20 30 cm /I Do" % (w, h)), image]
    objects += streams + [b"<</Type/Outlines/First 10 0 R/Last 10 0 R/Count 1>>", b"<</Title(Mine)/Parent 9 0 R/Dest[3 0 R/Fit]>>"]
    scans.write_objects(kind + ".pdf", objects)
PY
cat >tell.py <<'PY'
# What a document tells: language, labels and bookmarks, with how far each is from the heading that ndjson has.
import json, subprocess, sys
name, pages = sys.argv[1], [json.loads(l) for l in open(sys.argv[2])] if len(sys.argv) > 2 else []
doc = json.loads(subprocess.check_output(["qpdf", "--json", name]))
objects = doc["qpdf"][1]
catalog = objects["obj:" + objects["trailer"]["value"]["/Root"]]["value"]
print(name, "lang", catalog.get("/Lang"), "labels", [(l["index"], l["label"].get("/P"), l["label"].get("/S")) for l in doc["pagelabels"]], "preferences", "/ViewerPreferences" in catalog)
def show(marks, depth):
    for m in marks:
        place, number = m["dest"], m["destpageposfrom1"]
        headings = [b for b in pages[number - 1]["blocks"] if b["kind"] == "heading"] if pages else []
        text = lambda b: " ".join(l["text"] for l in b["lines"])
        near = ""
        for b in (b for b in headings if text(b) == m["title"]):
            page = pages[number - 1]
            scale = 72 / page["dpi"][0]
            near = "off by %.1f" % abs(place[3] - (page["height"] - b["box"][1]) * scale)
        print("  " * depth + m["title"], "page", number, near or place[1:])
        show(m["kids"], depth + 1)
show(doc["outlines"], 1)
PY
python3 scan.py
cp "$SOURCE/samples/pages/receipt.png" a.png
cp "$SOURCE/samples/pages/form.png" b.png
"$PLATEN" -q -f ndjson -o pages.ndjson a.png b.png
echo "new documents: one file, one page, several"
"$PLATEN" -q -f pdf -o new.pdf a.png && python3 tell.py new.pdf pages.ndjson
"$PLATEN" -q -f pdf -o both.pdf a.png b.png && python3 tell.py both.pdf pages.ndjson
"$PLATEN" -q -f textpdf -o both.text.pdf a.png b.png && python3 tell.py both.text.pdf pages.ndjson
"$PLATEN" -q -f pdf --pdf-text force -o forced.pdf bare.pdf && python3 tell.py forced.pdf
"$PLATEN" -q -f pdf -o mixed.pdf a.png bare.pdf && python3 tell.py mixed.pdf
echo "documents that stay"
for kind in bare own empty; do
    qpdf --object-streams=generate $kind.pdf $kind-stream.pdf
    for f in $kind $kind-stream; do
        "$PLATEN" -q -f pdf -o $f-out.pdf $f.pdf
        cmp -n "$(wc -c <$f.pdf)" $f.pdf $f-out.pdf && python3 tell.py $f-out.pdf
        qpdf --check $f-out.pdf >check || cat check
        if command -v gs >/dev/null; then gs -q -o /dev/null -sDEVICE=nullpage $f-out.pdf 2>&1; fi
        if command -v mutool >/dev/null; then mutool info $f-out.pdf 2>&1 | grep -i "error\|warn" || :; fi
    done
done
for when in off on; do "$PLATEN" -q --isolate=$when -f pdf bare.pdf | cmp - bare-out.pdf; done
"$PLATEN" -q -f pdf -o again.pdf bare-out.pdf 2>/dev/null; cmp again.pdf bare-out.pdf && echo "nothing is added twice"
