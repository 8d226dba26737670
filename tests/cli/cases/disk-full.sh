# SPDX-License-Identifier: BSD-2-Clause
# A directory that fills up: one message, exit 1, and what is there is complete and goes on later.
. "$CASES/_lib.sh"
unshare -rm true 2>/dev/null || skip "no mount namespace"
mkdir in small
pgm in/00.pgm 500 500
i=0
while [ $i -lt 40 ]; do i=$((i + 1)); cp in/00.pgm "in/$(printf %02d $i).pgm"; done
export SOURCE CASES PLATEN PLATEN_MODELS
unshare -rm sh -eu <<'SH'
mount -t tmpfs -o size=4m none small 2>/dev/null || { echo "no file system may be mounted"; exit 77; }
status=0
"$PLATEN" -j2 -p gray -f pnm -o small/out in 2>err || status=$?
echo "exit $status"
sed "s/'in[^']*'/PAGE/; s/'small[^']*'/FILE/" err | sort -u
n=$(ls small/out | wc -l)
[ $n -gt 5 ] && [ $n -lt 41 ] || echo "$n files"
for f in small/out/*; do cmp $f in/00.pgm; done
ls -A small/out | grep -v '^[0-9]*.pnm$'
mount -t tmpfs -o remount,size=16m none small # this much: an ordinary user may not look it up
"$PLATEN" -j2 --resume -p gray -f pnm -o small/out --stats=json in 2>stats
ls small/out | wc -l
for f in small/out/*; do cmp $f in/00.pgm; done
grep -q '"skipped": 0' stats && echo "nothing was taken over"
exit 0
SH
