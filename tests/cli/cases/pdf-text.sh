# SPDX-License-Identifier: BSD-2-Clause
# Pages of a PDF that have text already: kept, read as they are seen, or read anew.
. "$CASES/_lib.sh"
[ -f "$SOURCE/models/eng.platen" ] || skip "no model in the tree"
"$PLATEN" detect-features --json | grep -q '"qpdf": *"[0-9]' || skip "built without qpdf"
cat >book.py <<'PY'
# One scan, with poor hidden text in several ways, with a stamp drawn over it, and a page that is drawn.
import os, sys
sys.path.insert(0, os.environ["SOURCE"] + "/tests")
import scans
from scans import stream
w, h, picture = scans.picture(os.environ["SOURCE"] + "/samples/pages/receipt.png")
scan = b"q %f 0 0 %f 0 0 cm /I Do Q " % (w, h)
hidden = b"BT 3 Tr /F 9 Tf 10 TL 1 0 0 1 20 40 Tm (p\\)oor) Tj T* [(hid) -10 (den)] TJ (next) ' 1 2 (spaced) \" 0 Tr ET "
contents = [scan,                                                        # 1 no text
            scan + b"/Span<</MCID 0>>BDC " + hidden + b"EMC q 1 0 0 1 0 0 cm", # 2 hidden, the state is left changed
            b"q BT /F 9 Tf 20 40 Td (covered) Tj ET Q " + scan,          # 3 below the picture
            scan + b"/T Do",                                             # 4 hidden, in a form
            b"/M Do",                                                    # 5 hidden, in a form with the picture
            scan + hidden + b"BT /F 12 Tf 10 %f Td (RECEIVED) Tj ET" % (h - 12), # 6 hidden, and a stamp
            b"BT /F 14 Tf 20 %f Td (Drawn by a program) Tj ET" % (h / 2),        # 7 drawn
            scan + b"BT 3 Tr /F 9 Tf 9 9 Td /Span<</ActualText(actual)>>BDC (poor) Tj EMC 0 Tr 50 0 Td (SEEN77) Tj ET"] # 8 one object, both
objects = [b"<</Type/Catalog/Pages 2 0 R>>",
           b"<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 %f %f]/Resources<</Font<</F 4 0 R>>/XObject<</I 3 0 R/T 5 0 R/M 6 0 R>>>>>>"
           % (len(contents), b" ".join(b"%d 0 R" % (7 + 2 * i) for i in range(len(contents))), w, h),
           picture, b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
           stream(b"/Type/XObject/Subtype/Form/BBox[0 0 999 999]", hidden), stream(b"/Type/XObject/Subtype/Form/BBox[0 0 999 999]", scan + hidden)]
for i, c in enumerate(contents):
    objects += [b"<</Type/Page/Parent 2 0 R/Contents %d 0 R>>" % (8 + 2 * i), stream(b"", c)]
scans.write_objects("book.pdf", objects)
PY
python3 book.py
"$PLATEN" -q -f txt --pages 1 book.pdf | tr -s ' \n\f' '\n' | sort >read
# words of each page that are not read from the scan, and how many of those are there
words()
{
    echo "$1:"
    for p in 1 2 3 4 5 6 7 8; do
        pdftotext -f $p -l $p "$1" - | tr -s ' \n\f' '\n' | sort >found
        echo " $p: $(comm -12 read found | wc -l) of $(wc -l <read), and: $(comm -13 read found | tr '\n' ' ')"
    done
}
words book.pdf
for how in keep skip redo; do
    [ $how = keep ] && option= || option=--pdf-text=$how
    "$PLATEN" -v -f pdf $option -o $how.pdf book.pdf 2>&1 | grep '#' | sed "s/^/$how /"
    words $how.pdf
    cmp -n "$(wc -c <book.pdf)" book.pdf $how.pdf
    qpdf --check $how.pdf >check 2>&1 || cat check
    if command -v gs >/dev/null; then gs -q -o /dev/null -sDEVICE=nullpage $how.pdf 2>&1; fi
done
for how in keep skip redo; do # nothing that is seen has changed
    for f in book.pdf $how.pdf; do
        pdftoppm -r 40 -gray $f page
        cat page*.pgm | cksum
    done | uniq | wc -l
done
"$PLATEN" -q -f pdf --pdf-text redo -j1 book.pdf 2>stream.txt | cmp - redo.pdf
cat stream.txt
# with text beside the PDF, too, a page that keeps what it has is told of
"$PLATEN" -f pdf,txt --pages 7 -o beside/ book.pdf 2>&1 && grep -o Drawn beside/book-0007.txt
# again: the layer that was added is hidden text, too
"$PLATEN" -q -f pdf --pdf-text redo --pages 2 -o again.pdf redo.pdf && words again.pdf | sed -n 3p
# read as it is seen: a new document of pictures
"$PLATEN" -q -f pdf --pdf-text force --pages 5-7 -o force.pdf book.pdf && pdfinfo force.pdf | grep ^Pages
pdftotext force.pdf - | grep -o 'poor\|RECEIV\|Drawn by a program'
"$PLATEN" -q -f txt --pdf-text force --pages 6 book.pdf | grep -o RECEIV
exits 1 "$PLATEN" -f txt --pdf-text force --pages 6 --pdf-renderer off book.pdf
# other formats: read as pictures, or passed over
"$PLATEN" -v -f txt --pages 2,6 book.pdf 2>&1 >both.txt | grep '#' || :
tr -s ' \n\f' '\n' <both.txt | sort -u | comm -13 read -
"$PLATEN" -v -f txt --pages 2,6 --pdf-text skip book.pdf 2>&1 | grep '#\|[A-Z][A-Z]'
exits 2 "$PLATEN" -f pdf --pdf-text skip -o new.pdf book.pdf "$SOURCE/samples/pages/form.png"
exits 2 "$PLATEN" -f txt --pdf-text never book.pdf
