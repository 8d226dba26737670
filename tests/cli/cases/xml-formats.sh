# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
sample_pages in
blank in/blank.pgm 300 200
cp in/receipt.png "in/$(printf 'q"<&>\001\377.png')"
"$PLATEN" -f hocr,alto,page -o out in
xmllint --noout --schema "$CASES/../schemas/alto.xsd" out/*.alto.xml 2>&1 | grep -vc ' validates$' || true
xmllint --noout --schema "$CASES/../schemas/page.xsd" out/*.page.xml 2>&1 | grep -vc ' validates$' || true
xmllint --noout --nonet out/*.hocr
# regions alone are PAGE, too
"$PLATEN" -p 'gray,deskew | lines' -f page in/letter.png | xmllint --noout --schema "$CASES/../schemas/page.xsd" - 2>&1
# all pages in one hOCR; one each in the others
"$PLATEN" -f hocr -o all.hocr in
"$PLATEN" -f tsv -o all.tsv in
"$PLATEN" -f ndjson -o all.ndjson in
exits 2 "$PLATEN" -f alto in
python3 - <<'PY'
import csv, json, re
import xml.etree.ElementTree as ET
tree = ET.parse("all.hocr")
nodes = {c: [e for e in tree.iter() if e.get("class") == c]
         for c in ("ocr_page", "ocr_carea", "ocr_par", "ocr_line", "ocrx_word")}
ids = [e.get("id") for e in tree.iter() if e.get("id")]
print("pages", len(nodes["ocr_page"]), "ids differ:", len(ids) == len(set(ids)))
pages = [json.loads(line) for line in open("all.ndjson")]
words = [w for p in pages for b in p["blocks"] for l in b["lines"] for w in l["words"]]
print("words as in json:", [e.text for e in nodes["ocrx_word"]] == [w["text"] for w in words])
boxes = [list(map(int, re.match(r"bbox (\d+) (\d+) (\d+) (\d+); x_wconf (\d+)", e.get("title")).groups()))
         for e in nodes["ocrx_word"]]
print("boxes as in json:", [b[:4] for b in boxes] == [w["box"] for w in words])
print("confidences as in json:", all(abs(b[4] - 100 * w["conf"]) <= .51 for b, w in zip(boxes, words)))
rows = list(csv.DictReader(open("all.tsv"), delimiter="\t", quoting=csv.QUOTE_NONE))
print("rows as in json:", [r["text"] for r in rows if r["level"] == "5"] == [w["text"] for w in words])
print("levels", sorted({r["level"] for r in rows}), "pages", len({r["page_num"] for r in rows}))
PY
