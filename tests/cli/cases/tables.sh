# SPDX-License-Identifier: BSD-2-Clause
# Tables and fields of drawn pages: csv by files and as a stream, Markdown, json; files that an earlier run left;
# --resume; --join-lines.
. "$CASES/_lib.sh"
[ -d "$SOURCE/samples/pages" ] || skip "no samples"
mkdir in
cp "$SOURCE/samples/pages/form.png" "$SOURCE/samples/pages/letter.png" in/
cp in/form.png in/other.png
mkdir out
echo old >out/form.table-9.csv # not the next one: nobody knows whose it is
echo old >out/form.table-3.csv
echo old >out/letter.table-1.csv
"$PLATEN" -q -f csv,md,json -o out in
ls out
tr -d '\r' <out/form.table-1.csv
tr -d '\r' <out/form.table-2.csv
sed -n '/^| Title/,/^$/p' out/form.md
"$PLATEN" -q -f html in/form.png | sed -n '/^<dl>/,/^<.dl>/p' | sed '4,/MEMBER/d'
# in one stream an empty line follows each table, and a page without tables adds nothing
for page in form other; do
    for table in 1 2; do
        cat out/$page.table-$table.csv
        printf '\r\n'
    done
done >want
"$PLATEN" -q -f csv in | cmp - want
"$PLATEN" -q -o all.csv in
cmp all.csv want
"$PLATEN" -q --resume -f csv,md,json -o out in
rm out/form.table-1.csv
"$PLATEN" -q --resume -f csv,md,json -o out in
ls out/form.table-1.csv
python3 - <<'PY'
import csv, io, json
for block in json.load(open("out/form.json"))["blocks"]:
    if "table" not in block:
        continue
    t = block["table"]
    places = [(c["row"] + r, c["column"] + k) for c in t["cells"] for r in range(c["rows"]) for k in range(c["columns"])]
    assert sorted(places) == [(r, c) for r in range(t["rows"]) for c in range(t["columns"])]
    assert [i for c in t["cells"] for i in c["lines"]] == list(range(len(block["lines"])))
    print(t["rows"], t["columns"], t["head"])
PY
"$PLATEN" -q -f txt in/letter.png >lines
"$PLATEN" -q --join-lines -f txt in/letter.png >joined
sed -n '/^Thank/p' joined
python3 -c 'a, b = ("".join(open(f).read().split()).replace("-", "") for f in ("lines", "joined")); print(a == b)'
