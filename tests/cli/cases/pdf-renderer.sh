# SPDX-License-Identifier: BSD-2-Clause
# Drawn pages of a PDF become pictures by a program: by pdftoppm, or by one that takes its arguments; what it may do, and what
# becomes of a page when it fails.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
python3 - <<'PY'
# a drawn page, one that is empty, and one of which a picture covers a corner
text = b"BT /F 18 Tf 72 700 Td (The committee met in April.) Tj ET"
mixed = b"q 100 0 0 100 400 100 cm /I Do Q " + text
objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3/MediaBox[0 0 612 792]/Resources"
           b"<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/XObject<</I 8 0 R>>>>>>"]
objects += [b"<</Type/Page/Parent 2 0 R/Contents 6 0 R>>", b"<</Type/Page/Parent 2 0 R>>", b"<</Type/Page/Parent 2 0 R/Contents 7 0 R>>"]
objects += [b"<</Length %d>>stream\n%s\nendstream" % (len(s), s) for s in (text, mixed)]
objects += [b"<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Length 1>>stream\n\x80\nendstream"]
body = b"".join(b"%d 0 obj%s endobj\n" % (i + 1, o) for i, o in enumerate(objects))
open("drawn.pdf", "wb").write(b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n")
PY
exits 1 "$PLATEN" -f ndjson --pdf-renderer off drawn.pdf | grep -o '"page":[0-9]\|"status":"[a-z]*"' | tr '\n' ' '
echo
for more in --pdf-renderer=pdftoppm --isolate --sandbox=off -j1; do
    exits 0 "$PLATEN" -f txt $more drawn.pdf | tr '\f\n' '|/'
    echo
done
# a program of one's own: its arguments, its standard input, and what it may not do
pgm a.pgm 20 10
case $("$PLATEN" --sandbox require -p gray -f pnm -o a.out.pgm a.pgm 2>&1) in
*"without Landlock"*) ;;       # of a build for other systems, which have no seals either
*"no sandbox"*) touch sealed ;; # of a build with a sanitizer
*) touch bound sealed ;;
esac
cat >own <<'SH'
#!/bin/sh
cd "$(dirname "$0")"
[ -e bound ] && { echo hello >written; } 2>/dev/null && exit 3
cat "$0" >/dev/null || exit 4
[ "$(head -c 8 /dev/fd/0)" = "%PDF-1.4" ] || exit 6
printf 'P5\n40 20\n255\n'
printf '%s %800s' "$*" x
SH
chmod +x own
"$PLATEN" -p gray -f pnm -o out/ --pages 1 --pdf-renderer ./own drawn.pdf
head -c 110 out/drawn-0001.pnm | tail -n +4 | sed "s/ *$//"
[ ! -e written ] || echo "the program wrote a file"
"$PLATEN" -p gray -f ndjson --pages 1 --pdf-renderer ./own drawn.pdf | grep -o '"width":.*"dpi":[^a-z]*'
# the pages of a document share one copy, which the program cannot change where the system has seals
cat >which <<'SH'
#!/bin/sh
[ -e "$(dirname "$0")/sealed" ] && { echo hello >/dev/fd/0; } 2>/dev/null && exit 5
printf 'P5\n40 20\n255\n'
printf '%s %800s' "$(stat -L -c %i /dev/fd/0)" x
SH
chmod +x which
"$PLATEN" -j1 -p gray -f pnm -o which.out/ --pages 1,3 --pdf-renderer ./which drawn.pdf
cmp which.out/drawn-0001.pnm which.out/drawn-0003.pnm && echo "one copy"
printf '#!/bin/sh\nexit 1\n' >fails
printf '#!/bin/sh\nprintf "P5\\n400 400\\n255\\n"\nhead -c 160000 /bin/sh\n' >large
printf '#!/bin/sh\nhead -c 99 /bin/sh\n' >odd
chmod +x fails large odd
for program in ./fails ./odd ./missing; do
    "$PLATEN" -p gray -f ndjson --pages 1 --pdf-renderer $program drawn.pdf >/dev/null || echo "exit status $?"
done
"$PLATEN" -p gray -f ndjson --pages 1 --max-pixels 1000 --pdf-renderer ./large drawn.pdf >/dev/null || echo "exit status $?"
PATH=/nowhere exits 1 "$PLATEN" -p gray -f ndjson --pages 1 drawn.pdf >/dev/null
