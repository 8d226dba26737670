# SPDX-License-Identifier: BSD-2-Clause
# What others put under the names that platen uses is neither opened, followed, waited for nor destroyed.
. "$CASES/_lib.sh"
pgm m.pgm 20 10
run() { timeout 60 "$PLATEN" -p gray -f pnm "$@" || echo "exit $?"; }
echo "a user's own file, and a link, under the name that temporaries had"
mkdir out
echo precious >victim
echo mine >res.pnm.tmp
ln -s ../victim out/m.pnm.tmp
run -o res.pnm m.pgm
run -o out m.pgm
cat victim res.pnm.tmp
[ -h out/m.pnm ] || cmp out/m.pnm m.pgm
cmp res.pnm m.pgm
echo "a link and a pipe as the journal"
for kind in link pipe twin; do
    mkdir $kind
    case $kind in
    link) ln -s ../victim link/.platen-journal ;;
    pipe) mkfifo pipe/.platen-journal ;;
    twin) ln victim twin/.platen-journal ;;
    esac
    run -o $kind m.pgm
    run -o $kind --resume m.pgm
    ls $kind
done
if [ "$(id -u)" = 0 ]; then
    mkdir theirs
    : >theirs/.platen-journal
    chown 12345 theirs/.platen-journal
    "$PLATEN" -p gray -f pnm -o theirs m.pgm 2>&1 | grep -q 'it belongs to another user' || echo "taken"
fi
cat victim
echo "a pipe in the place of an output; one that is a link is replaced"
mkdir place
mkfifo place/m.pnm
run -o place m.pgm
[ -p place/m.pnm ] && rm place/m.pnm && ln -s ../victim place/m.pnm
run -o place m.pgm
[ -h place/m.pnm ] || cmp place/m.pnm m.pgm
cat victim
echo "a link in the place of a directory of the tree leads nowhere"
mkdir -p in/sub outside tree
cp m.pgm in/sub/a.pgm
cp m.pgm in/b.pgm
ln -s ../outside tree/sub
run -o tree in
timeout 60 "$PLATEN" -p gray -f ndjson --steps-out tree -o pages.ndjson in || echo "exit $?"
ls -A outside
find tree -type f | grep -v journal | sort
echo "the directory itself may be one"
mkdir real
ln -s real named
run -o named m.pgm
ls real
echo "temporaries of killed runs go, and nothing else does"
mkdir left
for i in 0 1 2 3; do echo part >left/.platen-tmp-000000000000000$i; done
echo mine >left/.platen-tmp-mine
rm left/.platen-tmp-0000000000000001
ln -s ../victim left/.platen-tmp-0000000000000001
ln victim left/.platen-tmp-0000000000000002.not
echo old >left/m.pnm
exec 9<left/.platen-tmp-0000000000000003
flock 9
run -o left m.pgm
exec 9<&-
ls -A left | grep -v journal
cmp left/m.pnm m.pgm
