# SPDX-License-Identifier: BSD-2-Clause
# A page that ended a run: the next run reads it last and alone, and when it ends that one too, a third
# one reports it as failed. Pages on pipes stand for it: they are begun and go no further.
. "$CASES/_lib.sh"
for i in 1 2 3 4 5 6; do pgm $i.pgm 2$i 30; done
mkfifo x.pgm y.pgm
# start OPTION...: over all pages, the pipes in the midst of them
start()
{
    "$PLATEN" -q -j2 -p 'gray | lines' -f json -o out/ --resume "$@" 1.pgm 2.pgm x.pgm y.pgm 3.pgm 4.pgm 5.pgm 6.pgm &
    pid=$!
}
# until_noted N PATTERN: waits until N lines of the journal have it
until_noted()
{
    while [ "$(grep -c "$2" out/.platen-journal 2>/dev/null)" != "$1" ]; do sleep 0.02; done
}
# lines: what the journal says, without the sizes and times
lines() { sed 's/{"output":"\(.\)".*"status":"\([a-z]*\)".*"begun":"\(.\)"}/\1 \2 \3/; s/{"output":"\(.\)".*"status":"\([a-z]*\)".*/\1 \2/' out/.platen-journal; }
died() { kill -9 $1; wait $1 2>/dev/null || :; }

echo "killed while x and y are read"
start
until_noted 1 '"x".*begun'
until_noted 1 '"y".*begun'
died $pid
lines | grep "^[xy]" | sort # two workers note them, in either order
"$PLATEN" merge out 2>&1 || echo "exit $?"

echo "the others come first; x is read alone, then y"
start
until_noted 4 '"[3456]".*ok'
until_noted 1 '"x".*"begun":"2"'
cat 6.pgm >x.pgm
until_noted 1 '"y".*"begun":"2"'
died $pid
lines | tail -n 4 | sed '1s/[3-6]/another/'

echo "y is given up, and not tried"
status=0
"$PLATEN" -j2 --resume -p 'gray | lines' -f json -o out/ [1-6].pgm y.pgm 2>&1 || echo "exit $?"
lines | grep y
"$PLATEN" -j2 --resume -p 'gray | lines' -f json -o out/ [1-6].pgm y.pgm 2>&1 || echo "exit $?"

echo "unless that is asked for"
"$PLATEN" -q -j2 --resume --retry-fatal -p 'gray | lines' -f json -o out/ [1-6].pgm y.pgm &
pid=$!
cat 5.pgm >y.pgm
wait $pid
lines | grep y

echo "one that changed is tried as if it were new"
rm -r out
start
until_noted 1 '"x".*begun'
died $pid
rm x.pgm y.pgm
pgm x.pgm 40 40
pgm y.pgm 40 41
start
wait $pid
lines

echo "a run that is asked to end has left its pages, not died with them"
rm x.pgm
mkfifo x.pgm
for signal in TERM INT; do
    before=$(grep -c '"x".*begun' out/.platen-journal || :) # that it was left by the run before is noted, too
    start 2>err # whether it was interrupted, or done with the page, is all one
    until_noted $((before + 1)) '"x".*begun'
    kill -$signal $pid
    cat 6.pgm >x.pgm & feeder=$! # for a run that goes on waiting for the pipe
    wait $pid || :
    kill $feeder 2>/dev/null || :
    wait
    lines | grep x | grep -v -e ok -e 'left 0' || :
    rm -f out/x.json
done
