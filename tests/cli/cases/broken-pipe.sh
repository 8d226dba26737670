# SPDX-License-Identifier: BSD-2-Clause
# A reader that leaves ends the run quietly.
. "$CASES/_lib.sh"
mkdir in
pgm in/1.pgm 40 40
i=1
while [ $i -lt 400 ]; do i=$((i + 1)); ln in/1.pgm in/$i.pgm; done
{ "$PLATEN" -p 'gray | lines' -f json in; echo "exit $?" >status; } | head -n 1
cat status
{ "$PLATEN" ops --json; echo "exit $?" >status; } | true
cat status
