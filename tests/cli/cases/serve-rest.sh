# SPDX-License-Identifier: BSD-2-Clause
# What a large picture took goes back to the system when there is nothing to do.
. "$CASES/_serve.sh"
pgm a.pgm 20 10
case $("$PLATEN" --sandbox require -p gray -f pnm -o b.pgm a.pgm 2>&1) in
*"this build has a sanitizer"*) skip "sanitizers keep what is freed" ;;
esac
scenario rest
