# SPDX-License-Identifier: BSD-2-Clause
# Outputs that no page of the run would write any more are told by --resume.
. "$CASES/_lib.sh"
mkdir in
pgm in/a.pgm 20 10
cp in/a.pgm in/b.pgm
echo broken >in/c.pgm
run() { "$PLATEN" -p gray -f json "$@" 2>err || echo "exit $?"; grep left err || echo "nothing is left"; }
run -o out in
run -o out --resume in
# a part of the inputs is no reason: the others are there
run -o out --resume in/a.pgm in/c.pgm
echo "another of its name comes"
cp in/a.pgm in/a.png
run -o out --resume in
rm out/a.json
echo "one is gone"
rm in/b.pgm in/a.png
mv out/a.pgm.json out/a.png.json in/ # not theirs any more
run -o out --resume in
