# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
[ -c /dev/full ] || skip "no /dev/full"
pgm a.pgm 9 9
exits 1 "$PLATEN" -p gray -f pnm a.pgm >/dev/full
exits 1 "$PLATEN" -p gray -f ndjson a.pgm a.pgm a.pgm >/dev/full
exits 1 "$PLATEN" ops >/dev/full
exits 1 "$PLATEN" detect-features --json >/dev/full
exits 1 "$PLATEN" help >/dev/full
exits 1 "$PLATEN" -p gray -f pnm -o a.pgm/out.pnm a.pgm
