# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
[ -f "$SOURCE/samples/pages/letter.png" ] || skip "no samples"
mkdir in
cp "$SOURCE/samples/pages/letter.png" in/
"$PLATEN" --min-conf 0 -f json -o all.json in/letter.png
"$PLATEN" --min-conf 0.998 -f json -o few.json in/letter.png
"$PLATEN" -p 'gray,invert:auto,orient,deskew | lines' -f json -o two.json in/letter.png
"$PLATEN" --min-conf 1 -o none.txt in/letter.png # told: nothing is so sure
python3 - <<'PY'
import json
for name in "all", "few", "two":
    page = json.load(open(name + ".json"))
    leftover = page["leftover"]
    lines = [line for block in page["blocks"] for line in block["lines"]]
    empty = sum(not line.get("text", "x") for line in lines) + sum(not b["lines"] for b in page["blocks"])
    classes = "in_lines", "unread", "rules", "graphics", "specks", "unexplained"
    ink = sum(leftover[k]["px"] for k in classes if k in leftover)
    print(name, "lines:", len(lines), "unread:", len(leftover.get("unread_boxes", [])) > 0,
          "empty:", empty, "ink adds up:", ink == leftover["ink_px"])
PY
"$PLATEN" -q --min-conf 0.998 -f page,alto,hocr,tsv -o out in
for name in letter.page.xml letter.alto.xml letter.hocr; do
    echo "$name: $(grep -c '<TextLine\|class="ocr_line"' out/$name)"
done
echo "letter.tsv: $(grep -c '^4' out/letter.tsv)"
