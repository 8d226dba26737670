# SPDX-License-Identifier: BSD-2-Clause
# The recipe for GNU parallel, on this machine and on two that it reaches as if by ssh: shares and their
# merge are what one run writes.
. "$CASES/_lib.sh"
command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q "^GNU" || skip "no GNU parallel"
export HOME=$PWD SHELL=/bin/sh # as a login has them
mkdir -p in/more bin
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    pgm in/$i.pgm 2$i 30
    pgm in/more/$i.pgm 3$i 40
done
ln -s "$PLATEN" bin/platen
export PATH=$PWD/bin:$PATH FORMATS=json,pnm IN=$PWD/in
cat >bin/ssh <<'END'
#!/bin/sh
# as ssh: options, the host, the command in words for the other shell
while [ "${1#-}" != "$1" ]; do shift; done
echo "$1" >>"$HOME/hosts"
shift
[ "$1" != -- ] || shift
cd /
exec sh -c "$*"
END
chmod +x bin/ssh
platen --resume -q -f json,pnm -o one/ "$IN"
echo "here"
OUT=$PWD/here "$SOURCE/samples/scale/parallel.sh" 5 2>&1
echo "by ssh"
OUT=$PWD/far HOSTS=east,west "$SOURCE/samples/scale/parallel.sh" 5 2>&1
sort -u hosts
rm here/pages.ndjson far/pages.ndjson
diff -r one here
diff -r one far
echo "a page that cannot be read"
echo broken >in/more/13.pgm
(OUT=$PWD/here exits 1 "$SOURCE/samples/scale/parallel.sh" 5 2>&1) | sed "s|'$PWD/|'|"
