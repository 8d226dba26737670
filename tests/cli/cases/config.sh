# SPDX-License-Identifier: BSD-2-Clause
# A file of defaults: who reads it, what wins over it, and what is wrong with it.
. "$CASES/_lib.sh"
export XDG_CONFIG_HOME="$PWD/xdg"
mkdir -p xdg/platen home/.config/platen
config=xdg/platen/config
pgm a.pgm 60 40
run() { "$PLATEN" "$@" a.pgm | head -c 2; echo; }
says() { exits "$@" 2>&1 | sed "s|$PWD|HERE|; s/known: .*)/known: ...)/"; }
cat >$config <<'X'
# what I like

pipeline = gray | lines
  format	=  json  
threads = 1
lm = off
X
echo "it counts, and the command line more"
run | grep -c '{'
run -f ndjson | grep -c '{'
run -p gray -f pnm
run -p gray -o a.pnm; head -c 2 a.pnm; echo
run --no-config -p gray -f pnm
echo "a format that the pipeline lacks the stages of, and parameters without their place, do not count"
run -p gray | cksum >/dev/null
"$PLATEN" --pipeline-file /dev/null a.pgm 2>&1 | head -1
echo "it is told"
"$PLATEN" -v -p gray -f pnm a.pgm 2>&1 >/dev/null | sed -n "s|$PWD|HERE|; /defaults/p"
"$PLATEN" -v --no-config -p gray -f pnm a.pgm 2>&1 >/dev/null | grep -c defaults || :
echo "the environment wins over it"
echo 'isa = nosuch' >$config
PLATEN_ISA=scalar "$PLATEN" -p gray -f pnm a.pgm | head -c 2; echo
says 2 "$PLATEN" -p gray -f pnm a.pgm | sed 's/(.*)/(...)/; s/have: .*;/have: ...;/'
echo "merge and model do not read it"
echo 'rubbish' >$config
"$PLATEN" ops gray >/dev/null
says 2 "$PLATEN" model info
says 2 "$PLATEN" merge
echo "what is wrong"
for line in 'rubbish' 'formt = txt' 'output = x' 'resume' 'no-config' 'quantize = int8' 'quiet = yes' 'format' 'format =' \
    '= x' 'threads = many' 'sandbox = perhaps' 'format = txxt' 'words = ~/words.txt'; do
    printf '# one\n%s\n' "$line" >$config
    says 2 "$PLATEN" a.pgm
done
printf 'quiet\0\n' >$config
says 2 "$PLATEN" a.pgm
head -c 70000 /dev/zero | tr '\0' '#' >$config
says 2 "$PLATEN" a.pgm
rm $config && mkdir $config
says 2 "$PLATEN" a.pgm
rmdir $config
echo "a mark of byte order in front does not count"
printf '\357\273\277pipeline = gray\n' >$config
run -f pnm
echo "where it is"
rm $config
unset XDG_CONFIG_HOME
echo 'pipeline = gray' >home/.config/platen/config
HOME=$PWD/home "$PLATEN" -f pnm a.pgm | head -c 2; echo
HOME=$PWD/home XDG_CONFIG_HOME=relative "$PLATEN" -f pnm a.pgm | head -c 2; echo
HOME=$PWD/nobody "$PLATEN" -p gray -f pnm a.pgm | head -c 2; echo
echo "a journal knows what came from it"
export XDG_CONFIG_HOME="$PWD/xdg"
echo 'pipeline = gray' >$config
"$PLATEN" --stats=json -f pnm -o out/ a.pgm 2>&1 | grep -o '"skipped": *[0-9]*'
"$PLATEN" --stats=json --resume -f pnm -o out/ a.pgm 2>&1 | grep -o '"skipped": *[0-9]*'
"$PLATEN" --stats=json --no-config --resume -p gray -f pnm -o out/ a.pgm 2>&1 | grep -o '"skipped": *[0-9]*'
echo 'pipeline = gray,invert:always' >$config
"$PLATEN" --stats=json --resume -f pnm -o out/ a.pgm 2>&1 | grep -o '"skipped": *[0-9]*'
