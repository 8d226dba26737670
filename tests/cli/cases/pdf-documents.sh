# SPDX-License-Identifier: BSD-2-Clause
# Below a directory every input file becomes one PDF of all its pages; what is complete is not done again.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
"$PLATEN" detect-features | grep -q "libtiff *[0-9]" || skip "built without libtiff"
mkdir -p in/sub
top 400 receipt in/x.png
top 500 form in/sub/y.png
"$PLATEN" -p gray -f pnm -o pnm/ in
cat >multi.py <<'PY'
# A TIFF of several grey pages; a page that is named "-" is cut off.
import struct, sys
out, previous = bytearray(b"II*\0\0\0\0\0"), 4
for name in sys.argv[2:]:
    width, height, data = (9, 9, b"") if name == "-" else (lambda f: (*map(int, f[1].split()), f[3]))(open(name, "rb").read().split(b"\n", 3))
    at = 1 << 30 if name == "-" else len(out)
    out += data + bytes(len(data) % 2)
    entries = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, at), (277, 3, 1), (278, 4, height), (279, 4, width * height)]
    struct.pack_into("<I", out, previous, len(out))
    out += struct.pack("<H", len(entries)) + b"".join(struct.pack("<HHII", t, k, 1, v) for t, k, v in entries)
    previous = len(out)
    out += bytes(4)
open(sys.argv[1], "wb").write(out)
PY
python3 multi.py in/x.tif pnm/x.pnm pnm/sub/y.pnm
"$PLATEN" -q -f pdf -o in/z.pdf in/x.png in/sub/y.png # two scans
run() { "$PLATEN" -q --stats=json --resume -f pdf,txt -o out in 2>stats || { echo "exit $?"; grep platen: stats; }; python3 -c '
import json; s = json.loads(open("stats").readlines()[-1]); print({k: s[k] for k in ("pages", "done", "failed", "skipped")})'; }
run
find out -type f | sort
for f in out/sub/y.pdf out/x.png.pdf out/x.tif.pdf out/z.pdf; do
    echo "$f: $(pdfinfo $f | grep ^Pages | tr -d ' ')"
    qpdf --check $f >check || cat check
    if command -v gs >/dev/null; then gs -q -o /dev/null -sDEVICE=nullpage $f 2>&1; fi
done
pdftotext -f 2 out/x.tif.pdf - | grep -c .
cmp -n "$(wc -c <in/z.pdf)" in/z.pdf out/z.pdf && echo "a PDF is a prefix"
"$PLATEN" -q -f pdf in/x.tif | cmp - out/x.tif.pdf && echo "as one alone"
for j in 1 2 7; do "$PLATEN" -q -j$j -f pdf,txt -o j$j in && diff -r -x .platen-journal out j$j; done
run
echo "an output that is gone, one that is short, a text that is gone, an input that changed"
rm out/x.tif.pdf && run
head -c -1 out/z.pdf >cut && mv cut out/z.pdf && run
rm out/x-0002.txt && run
touch -d 2020-01-02 in/sub/y.png && run
diff -r -x .platen-journal out j1
echo "another choice of pages is another document"
"$PLATEN" -q --stats=json --resume -f pdf,txt -o j1 --pages 2 in/z.pdf 2>&1 | grep -o '"skipped": *[0-9]*'
echo "shares have whole files"
for s in 1/3 2/3 3/3; do "$PLATEN" -q -f pdf -o shards/ --shard $s in; done
"$PLATEN" merge shards
find shards -name '*.pdf' | sort | while read -r f; do cmp "$f" "out/${f#shards/}"; done
"$PLATEN" -q --stats=json --resume -f pdf -o shards/ in 2>&1 | grep -o '"skipped": *[0-9]*'
echo "a page that fails is left out, and tried again with its document"
python3 multi.py in/x.tif pnm/x.pnm - pnm/x.pnm
run
pdfinfo out/x.tif.pdf | grep ^Pages
run
echo "an output that may not be written"
mkdir fixed && cp in/x.tif fixed/x.tif && mkdir -p there/x.pdf
exits 1 "$PLATEN" -q -f pdf -o there fixed/x.tif
ln -s "$PWD/fixed/x.tif" fixed/x.pdf
exits 1 "$PLATEN" -q -f pdf -o fixed fixed/x.tif
cmp fixed/x.tif in/x.tif
find . -name '.platen-tmp*'
