# SPDX-License-Identifier: BSD-2-Clause
# Words of other programs, and misspelt ones, are answered with what there is in their place.
. "$CASES/_lib.sh"
pgm a.pgm 9 9
exits 2 "$PLATEN" -l deu a.pgm
exits 2 "$PLATEN" --language=deu a.pgm
exits 2 "$PLATEN" a.pgm --psm 6
exits 2 "$PLATEN" a.pgm --oem 1
exits 2 "$PLATEN" a.pgm --dpi 300
exits 2 "$PLATEN" --list-langs
exits 2 "$PLATEN" -c tessedit_char_whitelist=0-9 a.pgm
exits 2 "$PLATEN" --jobs 4 a.pgm
exits 2 "$PLATEN" --formta txt a.pgm
exits 2 "$PLATEN" --thread 4 a.pgm
exits 2 "$PLATEN" sereve
exits 2 "$PLATEN" modle info eng
exits 2 "$PLATEN" detect-feature
exits 2 "$PLATEN" -o a.docx a.pgm
exits 2 "$PLATEN" -o a.xlsx a.pgm
exits 2 "$PLATEN" -o a.jpg a.pgm
exits 2 "$PLATEN" -o a.tar.gz a.pgm
exits 2 "$PLATEN" -o A.DOCX a.pgm
exits 2 "$PLATEN" -f hOCR a.pgm
exits 2 "$PLATEN" -p Gray a.pgm
exits 2 "$PLATEN" -p gary a.pgm
exits 2 "$PLATEN" -p @foto a.pgm
exits 2 "$PLATEN" -o a.xml a.pgm
exits 2 "$PLATEN" a.pgm a.txt
exits 2 "$PLATEN" a.pgm stdout
# this may be an input that is missing
exits 1 "$PLATEN" -p "gray | lines" -f json a.pgm out.pdf >a.json
exits 1 "$PLATEN" -p gray -f pnm -o . a.pgm out.pdf
# a file that is named like an option
cp a.pgm ./-d.pgm
exits 2 "$PLATEN" -p gray -f pnm -d.pgm
"$PLATEN" -p gray -f pnm -- -d.pgm | cmp - a.pgm
# PDFs and pictures beside what they are made of are read at the next run
mkdir mixed && cp a.pgm mixed/
"$PLATEN" -p gray -f png -o mixed mixed
"$PLATEN" -q -p gray -f ndjson -o mixed/ mixed/a.pgm
"$PLATEN" -p "gray | lines" -f json -o mixed mixed/a.pgm
# what is a file, or like no command, is an input
echo >merg
exits 1 "$PLATEN" merg
exits 1 "$PLATEN" nothing
exits 1 "$PLATEN" ./sereve
