# SPDX-License-Identifier: BSD-2-Clause
# What shards wrote becomes what one run would have written, and what is missing is told.
. "$CASES/_lib.sh"
mkdir -p in/a in/a-
for i in 1 2 3 4 5; do
    pgm in/$i.pgm 2$i 30
    pgm in/a/$i.pgm 3$i 30
    pgm in/a-/$i.pgm 4$i 30
done
run() { "$PLATEN" -q -j1 -p 'gray | lines' "$@"; }
run -f ndjson -o want.ndjson in
run --manifest pages.ndjson in
wc -l <pages.ndjson
for s in 1 2 3; do run -f ndjson --shard $s/3 -o $s.ndjson in; done
"$PLATEN" merge --manifest pages.ndjson 3.ndjson 1.ndjson 2.ndjson | cmp - want.ndjson
echo "a shard that was cut, one that did not run, a line twice, one that is none"
head -n 2 1.ndjson >cut.ndjson
tail -n 1 1.ndjson | head -c 30 >>cut.ndjson
cat 2.ndjson 2.ndjson >twice.ndjson
echo '{"path":5}' >>twice.ndjson
exits 1 "$PLATEN" merge --manifest pages.ndjson cut.ndjson twice.ndjson -o got.ndjson
cat cut.ndjson 2.ndjson | grep -c '}$'
wc -l <got.ndjson
echo "an array of a cluster, and its journals"
mkdir bin
ln -s "$PLATEN" bin/platen
export PATH=$PWD/bin:$PATH IN=in OUT=out FORMATS=json,pnm SLURM_ARRAY_TASK_COUNT=8
echo broken >in/a/6.pgm
for t in 8 2 3 1 4 5 6 7; do
    SLURM_ARRAY_TASK_ID=$t sh "$SOURCE/samples/scale/slurm-array.sh" || echo "task ends with $?"
done
exits 1 platen --resume -q -f json,pnm -o one/ in
platen --manifest pages.ndjson in
exits 1 platen merge --manifest pages.ndjson out
diff -r one out
exits 2 platen merge in
exits 2 platen merge
