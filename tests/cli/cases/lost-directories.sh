# SPDX-License-Identifier: BSD-2-Clause
# A directory that cannot be listed, or an entry of unknown kind, fails and is counted.
. "$CASES/_lib.sh"
pgm a.pgm 20 10
mkdir in
cp a.pgm in/a.pgm
ln -s loop.pgm in/loop.pgm
# too deep for the system: no name for its inner directories fits
(
    cd in
    part=$(printf '%0200d' 0)
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do
        mkdir $part
        cd -P $part
    done
)
exits 1 "$PLATEN" -p gray -f ndjson in -o out.ndjson 2>err
sed "s/'in[^']*\(.........\)':/'...\1':/" err
wc -l <out.ndjson
echo "the manifest tells it, and so does every share"
exits 1 "$PLATEN" --manifest all.ndjson in 2>&1 | sed "s/'in[^']*\(.........\)':/'...\1':/"
for s in 1 2 3; do exits 1 "$PLATEN" -q --shard $s/3 -p gray -f ndjson in 2>&1 >/dev/null | grep -c 'too long'; done
chmod 755 . in
mkdir -m 644 in/shut
(cd in && rm -r 0*0 loop.pgm)
mkdir -m 755 in/open
cp a.pgm in/open
chmod 644 in/a.pgm in/open/a.pgm
chmod 755 in/shut
cp a.pgm in/shut/b.pgm
chmod 644 in/shut
if [ "$(id -u)" != 0 ]; then
    as_nobody=
elif setpriv --reuid=65534 --clear-groups "$PLATEN" --version >/dev/null 2>&1; then
    as_nobody="setpriv --reuid=65534 --clear-groups"
else
    exit 0
fi
exits 1 $as_nobody "$PLATEN" -j1 -p gray -f ndjson in 2>err >out
cat >want <<END
platen: unable to open 'in/shut/b.pgm': Permission denied
platen: 1 of 3 pages failed
END
cmp err want
chmod 755 in/shut
