# SPDX-License-Identifier: BSD-2-Clause
# What a file that is replaced keeps, and how long its name may be.
. "$CASES/_lib.sh"
umask 022
pgm m.pgm 20 10
mode() { stat -c '%a %n' "$@"; }
: >keep.pnm
chmod 600 keep.pnm
"$PLATEN" -p gray -f pnm -o keep.pnm m.pgm
"$PLATEN" -p gray -f pnm -o new.pnm m.pgm
mkdir out
: >out/m.pnm
chmod 660 out/m.pnm
"$PLATEN" -p gray -f pnm -o out m.pgm
ln -s keep.pnm link.pnm
"$PLATEN" -p gray -f pnm -o link.pnm m.pgm
mode keep.pnm new.pnm out/m.pnm
[ -h link.pnm ] || mode link.pnm
if [ "$(id -u)" = 0 ]; then
    chown 12345:12346 keep.pnm
    "$PLATEN" -p gray -f pnm -o keep.pnm m.pgm
    [ "$(stat -c '%u %g %a' keep.pnm)" = "12345 12346 600" ] || stat keep.pnm
fi
(umask 077 && "$PLATEN" -p gray -f pnm -o private.pnm m.pgm)
mode private.pnm
cmp keep.pnm private.pnm
# outputs with names of 248 to 255 bytes
mkdir in long
for n in 248 249 250 251; do ln m.pgm "in/$(printf "%0${n}d" 0).pgm"; done
"$PLATEN" -p gray -f pnm -o long in
"$PLATEN" -p gray -f pnm -o long in
"$PLATEN" -p gray -f pnm -o "$(printf '%0251d' 1).pnm" m.pgm
cmp "$(printf '%0251d' 1).pnm" private.pnm
for f in long/*; do cmp "$f" private.pnm; done
ls long | awk '{ print length($0) }'

# a link to a descriptor, as /dev/stdout is, stays; the file behind it grows
ln -s /proc/self/fd/1 stdout.pnm
echo before >redirected
"$PLATEN" -p gray -f pnm -o stdout.pnm m.pgm >>redirected
[ -L stdout.pnm ] && head -n 2 redirected
