# SPDX-License-Identifier: BSD-2-Clause
# Places of outputs that are no plain files.
. "$CASES/_lib.sh"
pgm a.pgm 20 10
cp a.pgm b.pgm
"$PLATEN" -p gray -f ndjson -o /dev/null a.pgm b.pgm
mkfifo pipe
cat pipe >piped &
"$PLATEN" -p gray -f ndjson -o pipe a.pgm b.pgm
wait
wc -l <piped
exits 2 "$PLATEN" -p gray -f pnm -o new --resume a.pgm
ls -d new 2>/dev/null || echo none
# a name that tells a format is no directory, and no other kind of file
exits 2 "$PLATEN" -p gray -f png,json -o new.png a.pgm
exits 2 "$PLATEN" -p gray -f json -o new.pdf a.pgm
exits 2 "$PLATEN" -p gray -f png -o new.json a.pgm
mkdir dir.png
"$PLATEN" -p gray -f png,json -o dir.png a.pgm
"$PLATEN" -p gray -f json -o dir.png/a.txt a.pgm
ls new.* 2>/dev/null || ls dir.png
# an output directory inside the input is not read; the input itself may be one
mkdir -p oi/sub
cp a.pgm oi/a.png
cp a.pgm oi/sub/b.png
for i in 1 2 3; do "$PLATEN" -p gray -f png --steps-out oi/steps -o oi/out oi; done
find oi -type f | grep -v journal | sort
"$PLATEN" -q -p gray -f json -o oi/sub oi/sub
ls oi/sub
"$PLATEN" -p gray -f json --durable -o deep/er oi/sub
"$PLATEN" -p gray -f ndjson --durable -o deep/all.ndjson oi/sub
find deep -type f | grep -v journal | sort
# a picture or a document without a page is none: what stood there stays
printf 'P5\n20 10\n255\n' >broken.pgm
for format in pdf alto tiff png; do
    echo before >kept.$format
    "$PLATEN" -f $format -o kept.$format broken.pgm 2>/dev/null || echo "exit $?, $(cat kept.$format)"
    "$PLATEN" -f $format broken.pgm 2>/dev/null | wc -c
done
"$PLATEN" -f json -o kept.json broken.pgm 2>/dev/null || grep code kept.json
