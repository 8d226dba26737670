. "$CASES/_lib.sh"
mkdir in
pgm in/1.pgm 9 9
for i in 2 3 4 5 6 7; do cp in/1.pgm in/$i.pgm; done
for s in 1/3 2/3 3/3; do "$PLATEN" --shard $s -p gray -f pnm -o out in; ls out | tr '\n' ' '; echo; done
