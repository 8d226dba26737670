# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
pgm a.pgm 20 10
"$PLATEN" --max-pixels 200 -p gray -f pnm -o out.pgm a.pgm
exits 1 "$PLATEN" --max-pixels 199 -p gray -f pnm -o out2.pgm a.pgm 2>&1 | sed "s/'a.pgm': .*/'a.pgm': .../"
