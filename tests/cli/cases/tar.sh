# SPDX-License-Identifier: BSD-2-Clause
# Members of tar archives are read as if they were files, of all usual kinds of archives.
. "$CASES/_lib.sh"
pgm a.pgm 20 10
pgm b.pgm 30 10
python3 - <<'PY'
import io, tarfile
long = "x/" + "d" * 90 + "/" + "e" * 90 + "/a.pgm"
a, b = open("a.pgm", "rb").read(), open("b.pgm", "rb").read()

def build(name, form, members, mode="w"):
    with tarfile.open(name, mode, format=form) as t:
        for path, kind, data in members:
            m = tarfile.TarInfo(path)
            m.type, m.size, m.linkname = kind, len(data), "b.pgm" if kind in (tarfile.LNKTYPE, tarfile.SYMTYPE) else ""
            t.addfile(m, io.BytesIO(data))

members = [("x", tarfile.DIRTYPE, b""), ("x/b.pgm", tarfile.REGTYPE, b), (long, tarfile.REGTYPE, a),
           ("../out of/a.pgm", tarfile.REGTYPE, a), ("x/.hidden.pgm", tarfile.REGTYPE, a), ("x/._b.pgm", tarfile.REGTYPE, a),
           ("notes.doc", tarfile.REGTYPE, b"text"), ("link.pgm", tarfile.SYMTYPE, b""), ("no-name", tarfile.REGTYPE, b),
           ("pipe.pgm", tarfile.FIFOTYPE, b"")]
for name, form in (("ustar", tarfile.USTAR_FORMAT), ("gnu", tarfile.GNU_FORMAT), ("pax", tarfile.PAX_FORMAT)):
    build(name + ".tar", form, members)
build("second.tar", tarfile.PAX_FORMAT, [("é.pgm", tarfile.REGTYPE, b), ("bad.pgm", tarfile.REGTYPE, b"P5 no")])
PY
"$PLATEN" -p gray -f pnm -o files/ a.pgm b.pgm
for kind in ustar gnu pax; do
    "$PLATEN" --tar --skipped skipped -p gray -f pnm -o $kind/ $kind.tar
    cmp $kind/x/b.pnm files/b.pnm
    cmp "$kind/out of/a.pnm" files/a.pnm
    (cd $kind && find . -name '*.pnm' | LC_ALL=C sort | sed 's/dd*/D/; s/ee*/E/')
    LC_ALL=C sort skipped
done
# the same from a pipe, with every number of threads; archives may follow one another
for jobs in 1 2 7; do
    cat gnu.tar second.tar | exits 1 "$PLATEN" --tar -j $jobs -p gray -f ndjson - 2>/dev/null >all.$jobs
    cmp all.1 all.$jobs
done
sed 's/"page":1,.*//; s/dd*/D/; s/ee*/E/' all.1
# members found by their beginnings; names of all pages; a list of archives
"$PLATEN" --tar --all-files --manifest - pax.tar | grep no-name
echo second.tar >list
exits 1 "$PLATEN" --tar -q -p gray -f ndjson --files-from list | grep -c path
# a run that goes on reads nothing again, unless the archive changed
"$PLATEN" --tar -q -p gray -f pnm -o go/ pax.tar
"$PLATEN" --tar -q -p gray -f pnm -o go/ --resume --stats pax.tar 2>&1 | grep ^pages
touch pax.tar
"$PLATEN" --tar -q -p gray -f pnm -o go/ --resume --stats pax.tar 2>&1 | grep ^pages
# what is compressed is told
gzip -c pax.tar >pax.tar.gz
exits 1 "$PLATEN" --tar -q -p gray -f ndjson pax.tar.gz | sed "s/.*\"code/code/"
# damage costs what is behind it, and is told with its place
head -c 2200 gnu.tar >cut.tar
exits 1 "$PLATEN" --tar -q -p gray -f ndjson cut.tar | grep -c path
(head -c 1536 ustar.tar && printf X && tail -c +1538 ustar.tar) >broken.tar
exits 1 "$PLATEN" --tar -q -p gray -f ndjson broken.tar | grep -c path
exits 1 "$PLATEN" --tar -q -p gray -f ndjson a.pgm missing.tar | grep -c path
exits 1 "$PLATEN" -p gray -f ndjson pax.tar | grep -c path
# files with holes, of all formats that GNU tar has for them, fail; what is behind them is read
long=$(printf 'd%.0s' $(seq 120))
mkdir $long
truncate -s 300000 $long/holes.pgm
for at in 1 3 5 7 9 11 13; do
    head -c 8192 /dev/zero | tr '\0' X | dd of=$long/holes.pgm bs=8192 seek=$at conv=notrunc status=none
done
for form in --format=gnu "--format=posix --sparse-version=0.0" "--format=posix --sparse-version=0.1" "--format=posix --sparse-version=1.0"; do
    # shellcheck disable=SC2086 # words of options
    tar -S --hole-detection=raw $form -cf holes.tar $long/holes.pgm b.pgm
    exits 1 "$PLATEN" --tar -q -p gray -f ndjson holes.tar 2>/dev/null | sed 's/"program.*"status/"status/; s/"width.*"status/"status/; s/dddd*/D/'
done
# no more is read from a pipe than there is memory for; of a file only the members are
(cat pax.tar && head -c 40000000 /dev/zero) >long.tar
cat long.tar | exits 1 "$PLATEN" --tar --max-mem 16M -q -p gray -f ndjson - | grep -c path
"$PLATEN" --tar --max-mem 16M -q -p gray -f ndjson long.tar | grep -c path
# no output takes the place of the archive
exits 2 "$PLATEN" --tar -p gray -f ndjson -o pax.tar pax.tar
# members of one name are told with their archives
tar -cf one.tar b.pgm
cp one.tar other.tar
# of one that an archive has twice, as tar -r leaves it, the last one counts
cp a.pgm b.pgm
tar -rf one.tar a.pgm ./b.pgm
"$PLATEN" --tar --skipped - -p gray -f pnm -o last/ one.tar
ls last
cmp last/b.pnm last/a.pnm
cat one.tar | "$PLATEN" --tar -q -p gray -f ndjson - | sed 's/.*"path":"\([^"]*\)".*/\1/'
tar -cf one.tar b.pgm
exits 2 "$PLATEN" --tar -p gray -f json -o met/ one.tar other.tar
ls met 2>/dev/null || echo nothing written
# what comes from a pipe may be other pages of the same names: they are added, and that is told
for i in 1 2; do "$PLATEN" --tar --resume -p gray -f ndjson -o all.ndjson - <one.tar; done
wc -l <all.ndjson
"$PLATEN" --tar --resume -p gray -f ndjson -o file.ndjson one.tar
"$PLATEN" --tar --resume -p gray -f ndjson -o file.ndjson one.tar
wc -l <file.ndjson
