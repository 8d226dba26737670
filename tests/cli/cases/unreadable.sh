# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
pgm a.pgm 9 9
mkdir -p deep dir.pgm
"$PLATEN" -p gray -f ndjson nosuch.png a.pgm "$(printf 'con\033trol.png')" | sed 's/, *"page".*//' || true
exits 1 "$PLATEN" -p gray -f ndjson nosuch.png a.pgm 2>/dev/null | wc -l | tr -d ' '
long=$(printf '%0250d' 0)
exits 1 "$PLATEN" -p gray -f pnm -o x.pgm "$long.png" 2>&1 | sed 's/0*.png/LONG.png/'
# in a directory, a link that leads nowhere
mkdir links
cp a.pgm links/a.pgm
ln -s nowhere.pgm links/b.pgm
ln -s nowhere links/c
exits 1 "$PLATEN" -p gray -f pnm -o linked/ links 2>&1
ls linked
[ "$(id -u)" = 0 ] && exit
chmod 0 a.pgm deep
exits 1 "$PLATEN" -p gray -f pnm -o out/ a.pgm deep 2>err
grep -c 'Permission denied' err | grep -q 2
chmod 700 deep
