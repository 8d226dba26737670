# SPDX-License-Identifier: BSD-2-Clause
# An output never takes the place of what the run reads.
. "$CASES/_lib.sh"
pgm m.pgm 20 10
cp m.pgm m.png
mkdir md in
cp m.pgm md/m.png
cp m.pgm in/a.pgm
cp m.pgm page.ndjson
echo page.ndjson >list.ndjson
echo word >words
echo gray >spec
cp "$SOURCE"/models/eng.platen own.platen
cp "$SOURCE"/models/eng.lm.platen own.lm.platen
cp "$SOURCE"/models/eng.quick.platen own.quick.platen
ln in/a.pgm share.ndjson
find . -type f ! -name before | LC_ALL=C sort | xargs sha256sum >before
run_as() { format=$1; shift; timeout 60 "$PLATEN" -p gray -f $format "$@" && echo "exit 0: $*" || echo "exit $?"; }
run() { run_as ndjson "$@"; }
run --manifest m.png m.png
run --manifest md/m.png md
run --manifest list.ndjson --files-from list.ndjson
run --skipped list.ndjson --files-from list.ndjson
ln m.png twin.ndjson
run -o twin.ndjson m.png
run --files-from list.ndjson -o page.ndjson
run --files-from list.ndjson -o list.ndjson
run -o words -p 'gray | lines | ctc' --words words m.pgm
run -o own.platen -p 'gray | lines | ctc' --model ./own.platen m.pgm
run -o own.lm.platen -p 'gray | lines | ctc' --model ./own.platen m.pgm
run -o own.quick.platen -p 'gray | lines | ctc' --model ./own.platen m.pgm
timeout 60 "$PLATEN" -f ndjson -o spec --pipeline-file spec m.pgm || echo "exit $?"
# a share keeps the inputs of all
for i in 1 2 3; do run --shard $i/3 -o share.ndjson in m.pgm; done
# in a directory: another's input, the list, the words
mkdir x other
cp m.pgm x/b.pgm
cp m.pgm other/c.pgm
ln x/b.pgm other/b.pnm
run_as pnm -o other x/b.pgm other/c.pgm
run_as pnm -o other x/b.pgm other/b.pnm
ln list.ndjson in/m.json
run_as json -o in --files-from list.ndjson m.pgm
mkdir -p steps/m && ln in/a.pgm steps/m/01-gray.png
run --steps-out steps -o steps.ndjson m.pgm in/a.pgm
# a name that comes late, through a pipe, when other pages are read
(echo m.pgm && echo page.ndjson) | run --files-from - -o page.ndjson
sha256sum -c --quiet before
