# SPDX-License-Identifier: BSD-2-Clause
# 95 good and 5 broken pages: 95 outputs, 5 messages in order, exit 1.
. "$CASES/_lib.sh"
mkdir -p in/a in/b
pgm page.pgm 24 24
i=0
while [ $i -lt 95 ]; do
    i=$((i + 1))
    cp page.pgm "in/$([ $((i % 2)) = 0 ] && echo a || echo b)/p$i.pgm"
done
"$PLATEN" -p gray -f png page.pgm | head -c 40 >in/a/broken1.png
echo 'not a picture' >in/a/broken2.png
: >in/b/broken3.jpg
printf 'P5 99999 99999 255\n' >in/b/broken4.pgm
printf '\211PNG\r\n\032\n' >in/b/broken5.png
status=0
"$PLATEN" -j 3 -p 'gray | lines' -f json -o out in 2>err || status=$?
echo "exit $status"
find out -type f ! -name '.*' | wc -l | tr -d ' '
find out -name '*.json' | wc -l | tr -d ' '
sed "s|': .*|'|" err
# -q hides no failure
"$PLATEN" -q -j 1 -p 'gray | lines' -f json -o out2 in 2>err2 || echo "exit $?"
cmp err err2
diff -r out out2
# to a stream: a line for every page, in order
"$PLATEN" -q -j 3 -p 'gray | lines' -f ndjson in >pages.ndjson 2>/dev/null || true
wc -l <pages.ndjson | tr -d ' '
grep -c '"status": *"ok"' pages.ndjson
