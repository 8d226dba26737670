# SPDX-License-Identifier: BSD-2-Clause
# Jobs of all kinds under --sandbox require, with the same outputs as without; what it refuses is named.
. "$CASES/_lib.sh"
mkdir in elsewhere
pgm in/a.pgm 60 40
pgm elsewhere/b.pgm 60 40
ln -s ../elsewhere/b.pgm in/b.pgm
probe=$("$PLATEN" --sandbox require -p gray in/a.pgm 2>&1 >a.png) || case $probe in
*"no sandbox"*) skip "$probe" ;;
esac
formats=$("$PLATEN" help | sed -n '/^Formats/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p')
if [ -f "$SOURCE/models/eng.platen" ] && [ -d "$SOURCE/samples/pages" ]; then
    pipeline=@document
    cp "$SOURCE"/tests/data/lines/03-screen.png in
else
    pipeline='gray | lines'
    formats='json ndjson png pnm overlay'
fi
list=$(echo $formats | tr ' ' ,)
for format in $formats; do
    "$PLATEN" --sandbox off -p "$pipeline" -f "$format" -o off/ in
    "$PLATEN" --sandbox require -p "$pipeline" -f "$format" -o new/require/ --steps-out steps in
    for file in off/*; do
        cmp "$file" "new/require/${file#off/}"
    done
done
[ $pipeline != @document ] || cp "$SOURCE"/samples/pages/letter.png "$SOURCE"/samples/pages/photo.jpg in
"$PLATEN" --sandbox off -p "$pipeline" -f "$list" -o pages/ in
"$PLATEN" --sandbox require -p "$pipeline" -f "$list" -o all/ in
diff -r -x '.*' pages all
"$PLATEN" --sandbox require --resume -p "$pipeline" -f "$list" -o all/ in
"$PLATEN" --sandbox off -p 'gray | lines' -f ndjson in >want
"$PLATEN" --sandbox require -p 'gray | lines' -f ndjson in | cmp - want
"$PLATEN" --sandbox require -p 'gray | lines' -f ndjson -o new/stream.ndjson in && cmp new/stream.ndjson want
"$PLATEN" --sandbox require -p 'gray | lines' -f ndjson -o bare.ndjson in && cmp bare.ndjson want
"$PLATEN" --sandbox off -p 'gray | lines' -f ndjson in/a.pgm >one
ln -s /proc/self/fd/1 here
"$PLATEN" --sandbox require -p 'gray | lines' -f ndjson -o here in/a.pgm | cmp - one
"$PLATEN" --sandbox require -p 'gray | lines' -f ndjson -o /dev/null in/a.pgm
"$PLATEN" --sandbox require --manifest new/manifest in
# names of lists lie anywhere
echo elsewhere/b.pgm >list
"$PLATEN" --sandbox require -p gray -f pnm --files-from list -o listed
"$PLATEN" --sandbox require -p 'gray | lines' -f ndjson --files-from - <list >stream
cmp listed/elsewhere/b.pnm elsewhere/b.pgm && wc -l <stream
"$PLATEN" --sandbox require -p gray -f pnm - <in/a.pgm | cmp - in/a.pgm
# a file that takes the place of an input while it waits was not named
mkfifo pipe
pgm late.pgm 60 40
pgm later.pgm 60 40
(exec 3>pipe && mv later.pgm late.pgm && cat in/a.pgm >&3) &
exits 1 timeout 100 "$PLATEN" --sandbox require -j1 -p gray -f pnm -o late/ pipe late.pgm
wait
ls late
exits 2 "$PLATEN" --sandbox some -p gray in/a.pgm
"$PLATEN" --sandbox require -v -p gray -f pnm in/a.pgm 2>&1 >a.pnm | grep -c 'sandbox: landlock [0-9]*, seccomp'
