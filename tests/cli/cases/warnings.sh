# SPDX-License-Identifier: BSD-2-Clause
# Pages that were read with a warning: one summary, all with -v, none with -q.
. "$CASES/_lib.sh"
[ -f "$SOURCE/samples/pages/photo.jpg" ] || skip "no samples"
mkdir in
for i in 1 2 3 4; do head -c -2 "$SOURCE/samples/pages/photo.jpg" >in/$i.jpg; done
run() { "$PLATEN" -j1 -p gray -f ndjson "$@" 2>&1 >/dev/null | grep -v '^platen: \(pipeline\|kernels\|device\|sandbox\)'; }
echo "one"
run in/1.jpg
echo "four"
run in
echo "all of them"
run -v in
echo "from a process of its own"
run --isolate in/1.jpg
"$PLATEN" -q --isolate -p @line -f pdf -o b.pdf in/1.jpg
grep -ac "/Predictor 15" b.pdf
echo "quiet"
run -q in || true
echo "in a document the picture has its end"
"$PLATEN" -q -p @line -f pdf -o a.pdf in/1.jpg
python3 - <<'PY'
pdf, jpeg = open("a.pdf", "rb").read(), open("in/1.jpg", "rb").read()
start = pdf.index(b"/DCTDecode")
at = pdf.index(b"stream\n", start) + 7
length = int(pdf[pdf.index(b"/Length", start):].split()[1])
print(pdf[at:at + length].endswith(b"\xff\xd9"), pdf[at:at + 2] == b"\xff\xd8")
PY
