# SPDX-License-Identifier: BSD-2-Clause
# SIGINT: exit 130, and what is there is whole.
. "$CASES/_lib.sh"
mkdir in
pgm in/0.pgm 700 700
i=0
while [ $i -lt 3000 ]; do i=$((i + 1)); ln in/0.pgm in/$i.pgm; done
# what a shell starts in the background has SIGINT ignored
env --default-signal=INT "$PLATEN" -j 2 -p gray,sauvola -f png -o out in 2>err &
pid=$!
while kill -0 $pid && { [ ! -d out ] || [ "$(ls out | wc -l)" -lt 3 ]; }; do sleep 0.02; done
kill -INT $pid
status=0
wait $pid || status=$?
echo "exit $status"
grep -c 'interrupted' err
[ "$(ls out | wc -l)" -lt 3001 ] || echo "it was too late"
find out -name '*.tmp*'
"$PLATEN" -p gray,sauvola -f png -o want.png in/0.pgm
for f in out/*.png; do cmp "$f" want.png; done
