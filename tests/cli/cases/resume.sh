# SPDX-License-Identifier: BSD-2-Clause
# What is complete is not done again; what changed, failed or is missing is.
. "$CASES/_lib.sh"
mkdir -p in/x
pgm in/a.pgm 60 40
pgm in/x/b.pgm 60 40
echo broken >in/c.pgm
run() { "$PLATEN" -q --stats=json --resume "$@" 2>stats || echo "exit $?"; python3 -c '
import json; s = json.loads(open("stats").readlines()[-1]); print({k: s[k] for k in ("pages", "done", "failed", "skipped")})'; }
# every run leaves its journal, and shards that had no trouble can be merged
"$PLATEN" -p 'gray | lines' -f json -o clean in/a.pgm in/x
ls -A clean
run -p 'gray | lines' -f json -o clean in/a.pgm in/x
for s in 1/2 2/2; do "$PLATEN" --shard $s -p 'gray | lines' -f json -o shards/ in/a.pgm in/x; done
"$PLATEN" merge shards 2>&1
cmp clean/.platen-journal shards/.platen-journal
run -p 'gray | lines' -f json -o shards/ --shard 1/1 in/a.pgm in/x
"$PLATEN" -q -p 'gray | lines' -f json -o out in 2>/dev/null || echo "exit $?"
find out -type f | sort
run -p 'gray | lines' -f json -o out in
echo "an input that changed, one that is mended, an output that is gone"
pgm in/a.pgm 50 40
pgm in/c.pgm 60 40
run -p 'gray | lines' -f json -o out in
rm out/x/b.json
run -p 'gray | lines' -f json -o out in
head -c -1 out/a.json >cut && mv cut out/a.json
run -p 'gray | lines' -f json -o out in
touch -d '2020-01-02' in/a.pgm
run -p 'gray | lines' -f json -o out in
echo "another pipeline, another format"
run -p 'gray,otsu | lines' -f json -o out in
run -p 'gray,otsu | lines' -f json,page -o out in
run -p 'gray,otsu | lines' -f json,page -o out in
echo "a journal that ends in the middle of a line, and lines that are none"
head -c -20 out/.platen-journal >cut && mv cut out/.platen-journal
run -p 'gray,otsu | lines' -f json,page -o out in
printf 'nonsense\n{"output":5}\n[1]\n\0\n' >>out/.platen-journal
run -p 'gray,otsu | lines' -f json,page -o out in
echo "an input that vanishes is one page that fails"
ls in/*.pgm in/x/*.pgm >list
rm in/c.pgm
run -p 'gray,otsu | lines' -f json,page -o out2 --files-from list
echo "shards have a journal each"
mkdir in3
for i in 1 2 3 4 5 6; do ln in/a.pgm in3/$i.pgm; done
run -p gray -f pnm -o out3 --shard 1/2 in3
run -p gray -f pnm -o out3 --shard 2/2 in3
ls -A out3
run -p gray -f pnm -o out3 --shard 2/2 in3
exits 2 "$PLATEN" --resume in
# two runs into one directory
mkfifo in.pgm
"$PLATEN" -p gray -f pnm -o out4/ --resume in.pgm &
while [ ! -e out4/.platen-journal ]; do sleep 0.02; done
exits 2 "$PLATEN" -p gray -f pnm -o out4/ --resume in/a.pgm
mkfifo late.pgm
"$PLATEN" -p gray -f pnm -o out4/ in/x/b.pgm late.pgm &
second=$!
while [ ! -e out4/b.pnm ]; do sleep 0.02; done
kill -TERM $second
wait $second || echo "the second run: $?"
"$PLATEN" -p gray -f pnm -o out4/ in/a.pgm
cat in/a.pgm >in.pgm
wait
ls -A out4
