# SPDX-License-Identifier: BSD-2-Clause
# Pictures decoded in processes of their own give the same outputs, within the sandbox and without.
. "$CASES/_lib.sh"
sample_pages in
pgm in/bar.pgm 60 40
head -c 3000 in/letter.png >in/cut.png
printf 'II*\0 and nothing more' >in/empty.tif
run()
{
    exits 1 "$PLATEN" "$@" -p 'gray,deskew | lines' -f json,png -o "out-$name" in 2>"err-$name"
}
name=plain run --sandbox off
name=isolated run --isolate -j3
name=off run --isolate=off
for name in isolated off; do
    diff -r out-plain "out-$name" && diff err-plain "err-$name"
done
if [ -f "$SOURCE/models/eng.platen" ]; then
    "$PLATEN" -f pdf,html -o plain/ in/photo.jpg in/letter.png
    "$PLATEN" --isolate -f pdf,html -o isolated/ in/photo.jpg in/letter.png
    diff -r plain isolated
fi
wc -l <err-plain
# the memory of these processes is counted: the file, the pixels on their way, and the decoder's
promised()
{
    "$PLATEN" "$@" --stats=json -p gray -f ndjson 2>&1 >/dev/null | sed -n 's/.*"promised_bytes": *\([0-9]*\).*/\1/p'
}
for page in in/photo.jpg in/letter.png; do
    more=$(($(promised --isolate "$page") - $(promised --isolate=off "$page")))
    [ "$more" -gt "$(wc -c <"$page")" ] || echo "$page: $more bytes more"
done
exits 2 "$PLATEN" --isolate=perhaps in/bar.pgm
