. "$CASES/_lib.sh"
pgm a.pgm 20 10
"$PLATEN" -p gray -f pnm a.pgm >file.pgm
"$PLATEN" -p gray -f pnm - <a.pgm >stdin.pgm
cat a.pgm | "$PLATEN" -p gray -f pnm -o - - >pipe.pgm
cmp file.pgm stdin.pgm
cmp file.pgm pipe.pgm
"$PLATEN" -p gray -f pnm -o out/ - <a.pgm
ls out
"$PLATEN" -p gray -f pnm - </dev/null || echo "exit $?"
