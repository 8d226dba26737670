# SPDX-License-Identifier: BSD-2-Clause
# One output file is gone on with: what was whole when a run was killed stays, and the bytes become those
# of one run. A page on a pipe holds the runs that are killed.
. "$CASES/_lib.sh"
for i in 1 2 3 4 5 6; do pgm $i.pgm 2$i 30; done
echo broken >b.pgm
pages="1.pgm 2.pgm b.pgm x.pgm 3.pgm 4.pgm 5.pgm 6.pgm"
pgm x.pgm 40 40
mv x.pgm real
# until_noted JOURNAL N PATTERN: waits until N lines of the journal have it
until_noted()
{
    while [ "$(grep -c "$3" "$1" 2>/dev/null)" != "$2" ]; do sleep 0.02; done
}
for kind in ndjson tsv txt json layout.txt; do
    format=${kind%.txt}
    rm -f x.pgm
    cp -p real x.pgm
    exits 1 "$PLATEN" -q -j2 -p @line -f $format -o want.$kind $pages 2>/dev/null
    rm x.pgm
    mkfifo x.pgm
    "$PLATEN" -q -j2 -p @line -f $format -o out.$kind $pages 2>/dev/null & pid=$!
    until_noted .out.$kind.platen-journal 1 '"2.pgm".*ok'
    until_noted .out.$kind.platen-journal 1 '"x.pgm".*begun'
    kill -9 $pid
    wait $pid 2>/dev/null || :
    head -c "$(wc -c <out.$kind)" want.$kind | cmp - out.$kind
    printf 'a page that was cut' >>out.$kind
    rm x.pgm
    cp -p real x.pgm
    exits 1 "$PLATEN" -q -j2 --resume -p @line -f $format -o out.$kind $pages 2>/dev/null
    cmp want.$kind out.$kind
    "$PLATEN" -q -j2 --resume --stats=json -p @line -f $format -o out.$kind $pages 2>&1 |
        sed -n 's/.*\("skipped": [0-9]*\).*/\1/p'
    cmp want.$kind out.$kind
done
echo "a page that is mended, and a new one, come at the end"
cp 6.pgm b.pgm
cp 6.pgm 7.pgm
"$PLATEN" -q --resume -p 'gray | lines' -f ndjson -o out2.ndjson 1.pgm 2.pgm
"$PLATEN" -q --resume -p 'gray | lines' -f ndjson -o out2.ndjson 7.pgm 1.pgm 2.pgm
sed 's/.*"path":"\([^"]*\)".*/\1/' out2.ndjson
echo "what the journal does not know is left alone"
echo mine >mine.txt
exits 2 "$PLATEN" --resume -p @line -o mine.txt 1.pgm 2.pgm 2>&1
cat mine.txt
echo "what another pipeline made is left alone, and replaced without --resume"
exits 2 "$PLATEN" -q --resume -p 'gray,otsu | lines' -f ndjson -o out2.ndjson 1.pgm 2>&1
wc -l <out2.ndjson
"$PLATEN" -q -p 'gray,otsu | lines' -f ndjson -o out2.ndjson 1.pgm
wc -l <out2.ndjson
echo "what was there stays until a page of the new run is whole"
rm -f x.pgm
mkfifo x.pgm
"$PLATEN" -q -j1 -p 'gray | lines' -f ndjson -o out2.ndjson x.pgm 1.pgm & pid=$!
until_noted .out2.ndjson.platen-journal 1 '"x.pgm".*begun'
exits 2 "$PLATEN" -q -p 'gray | lines' -f ndjson -o out2.ndjson 1.pgm 2.pgm 2>&1
kill -9 $pid
wait $pid 2>/dev/null || :
wc -l <out2.ndjson
echo "a long name"
long=$(printf '%0248d' 0).ndjson
"$PLATEN" -q --resume -p 'gray | lines' -f ndjson -o $long 1.pgm 2.pgm
"$PLATEN" -q --resume -p 'gray | lines' -f ndjson -o $long 1.pgm 2.pgm 3.pgm
wc -l <$long
