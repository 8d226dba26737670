# SPDX-License-Identifier: BSD-2-Clause
# Without -f the name of the output chooses the format.
. "$CASES/_lib.sh"
pgm a.pgm 60 40
pgm b.pgm 60 40
p() { "$PLATEN" -p 'gray | lines' "$@"; }
p -o a.json a.pgm; head -c 1 a.json; echo
p -o a.ndjson a.pgm b.pgm; wc -l <a.ndjson
p -o a.page.xml a.pgm; head -c 5 a.page.xml; echo
p -o a.png a.pgm; head -c 4 a.png | tail -c 3; echo
p -o a.overlay.png a.pgm; cmp -s a.png a.overlay.png || echo another picture
p -f overlay -o b.png a.pgm; cmp b.png a.overlay.png
p -o a.pnm a.pgm; head -c 2 a.pnm; echo
p -o c.jsonl a.pgm b.pgm; wc -l <c.jsonl
p -o e.tif a.pgm; p -o e.tiff a.pgm; cmp e.tif e.tiff; head -c 2 e.tif; echo
p -o A.JSON a.pgm b.pgm; head -c 1 A.JSON; echo
exits 2 p -f pnm -o b.json a.pgm; ls b.json 2>/dev/null || echo none
p -o a.other a.pgm; head -c 1 a.other; echo
mkdir d.png; p -o d.png a.pgm; ls d.png
exits 2 p -o a.txt a.pgm
"$PLATEN" -p gray -o c.pnm a.pgm && head -c 2 c.pnm; echo
