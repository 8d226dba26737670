# SPDX-License-Identifier: BSD-2-Clause
# Descriptors 0 to 2 that are closed never become those of a file that is written.
. "$CASES/_lib.sh"
pgm a.pgm 20 10
pgm b.pgm 30 10
echo broken >bad.pgm
run() { "$PLATEN" -j1 -p gray "$@"; }
for format in ndjson pnm; do
    input="a.pgm"
    [ $format = pnm ] || input="bad.pgm a.pgm bad.pgm b.pgm"
    run -f $format -o want.$format $input 2>/dev/null || true
    for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- >&- 2>&-'; do
        rm -f got.$format
        status=0
        eval "run -f $format -o got.$format $input 2>messages $closed" || status=$?
        cmp want.$format got.$format || echo "$format with $closed differs"
        echo "$format $closed: exit $status"
    done
done
echo "a directory with its journal"
exits 1 run -f pnm -o out/ bad.pgm a.pgm 2>&-
ls -A out
[ "$(wc -l <out/.platen-journal)" = 2 ] && ! grep -v '^{.*}$' out/.platen-journal
echo "what was to go to standard output is no success"
exits 1 run -f pnm a.pgm >&-
exits 1 "$PLATEN" --version >&-
