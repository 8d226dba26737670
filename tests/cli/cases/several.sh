# SPDX-License-Identifier: BSD-2-Clause
# Pictures one behind the other on standard input are read as if each were a file.
. "$CASES/_lib.sh"
pgm a.pgm 20 10
pgm b.pgm 30 10
for format in png tiff; do
    "$PLATEN" -p gray -f $format a.pgm >a.$format
done
"$PLATEN" -p gray -f pnm -o files/ a.pgm b.pgm
(cat a.png b.pgm && echo && cat b.pgm a.tiff && printf '\n') >all
"$PLATEN" -p gray -f pnm -o out/ - <all
for stem in 1 4; do
    cmp out/stdin-000$stem.pnm files/a.pnm
done
for stem in 2 3; do
    cmp out/stdin-000$stem.pnm files/b.pnm
done
ls out
for jobs in 1 2 7; do
    cat all | "$PLATEN" -j $jobs -p gray -f ndjson - | sed 's/"program".*//'
done
# where one is broken its end is not known, and all behind it fails with it
(head -c 40 a.png && cat b.pgm) | exits 1 "$PLATEN" -p gray -f ndjson - 2>/dev/null | grep -c path
(cat b.pgm && head -c 40 a.png) | exits 1 "$PLATEN" -p gray -f ndjson - | sed 's/"program".*//'
# no more is read than there is memory for
(cat all && head -c 40000000 /dev/zero) | exits 1 "$PLATEN" --max-mem 16M -p gray -f ndjson - | grep -c path
# beside another input a second picture would be lost, and is told
cat all | exits 1 "$PLATEN" -p gray -f ndjson - b.pgm | sed 's/"program".*//'
# a file is one picture, and a PNM of several, as pdftoppm writes to a pipe, tells so
cat b.pgm a.pgm >two.pgm
"$PLATEN" -p gray -f ndjson two.pgm | sed 's/"program".*//'
# and so do animations, of which the first picture is read
frame() { printf ',\0\0\0\0\1\0\1\0\0\2\2D\1\0'; }
{ printf 'GIF89a\1\0\1\0\200\0\0\377\377\377\0\0\0' && frame && printf ';'; } >still.gif
{ printf 'GIF89a\1\0\1\0\200\0\0\377\377\377\0\0\0' && frame && frame && printf ';'; } >moving.gif
# animated PICTURES FILE: the first chunk of a.png, one that tells so many pictures, and the other chunks
animated() { python3 -c 'import struct, sys, zlib
data, chunk = open("a.png", "rb").read(), b"acTL" + struct.pack(">II", int(sys.argv[1]), 0)
open(sys.argv[2], "wb").write(data[:33] + struct.pack(">I", 8) + chunk + struct.pack(">I", zlib.crc32(chunk)) + data[33:])' "$@"; }
animated 1 still.png
animated 2 moving.png
for f in still.gif moving.gif still.png moving.png; do "$PLATEN" -p gray -f pnm $f >/dev/null; done
