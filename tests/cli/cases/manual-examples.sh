# SPDX-License-Identifier: BSD-2-Clause
# Every example of the manual runs.
. "$CASES/_lib.sh"
# a macro takes the quotes and the lone full stop of its line for itself, and .Fl writes one dash
! grep -nE '^\.(Ql|Dl) .*"|^\.Dl .* [.] |^\.Fl (resume|orient|words)' "$SOURCE"/man/*.[135]
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
[ -d "$SOURCE/samples/pages" ] || skip "no samples"
mkdir bin scans scans/x
ln -s "$PLATEN" bin/platen
cp "$SOURCE/samples/pages/receipt.png" scan.png
cp scan.png scans/x/a.png
cp "$SOURCE/samples/pages/photo.jpg" receipt.jpg
sed -n '/^\.Sh QUICK START/,/^\.Sh DESC/ s/^\.Dl //p; /^\.Sh EXAMPLES/,/^\.Sh DIAGNOSTICS/ s/^\.Dl //p' \
    "$SOURCE/man/platen.1" | sed 's/\\&//g' >examples
[ $(wc -l <examples) -ge 6 ] || echo "few examples"
"$PLATEN" -f pdf -o scans.pdf scan.png
cp scans.pdf mixed.pdf
command -v pdfimages pdftoppm >/dev/null || sed -i '/^mkdir pages/d' examples
while read -r line; do
    rm -rf pages
    PATH=$PWD/bin:$PATH sh -eu -c "$line" >printed </dev/null || echo "exit $?: $line"
done <examples
ls -d out/* clean/x/a.png pages.ndjson steps/receipt
sed -n '/^\.Sh QUICK START/,/^\.Sh DESC/ s/^\.Dl //p' "$SOURCE/man/platen-pipeline.5" | while read -r line; do
    PATH=$PWD/bin:$PATH sh -eu -c "$line" >printed </dev/null || echo "exit $?: $line"
done
sed -n '/^\.Sh EXAMPLES/,$ s/^\.Dl //p' "$SOURCE/man/platen-pipeline.5" | sed 's/\\e/\\/g' | while read -r spec; do
    "$PLATEN" -q -p "$spec" scan.png -f json >json || echo "exit $?: $spec"
done
sed -n '/^The same in JSON/,$ p' "$SOURCE/man/platen-pipeline.5" | sed -n '/^{/,/^}/p' >p.json
"$PLATEN" -q --pipeline-file p.json scan.png -f json | cmp - json
