# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
pgm a.pgm 9 9
exits 2 "$PLATEN" --isa mmx a.pgm
exits 2 env PLATEN_ISA=mmx "$PLATEN" a.pgm
exits 2 "$PLATEN" detect-features --isa mmx
case $(uname -m) in
x86_64) other=neon ;;
*) other=avx2 ;;
esac
"$PLATEN" --isa $other a.pgm 2>&1 | sed "s/'$other'/OTHER/; s/(.*)/(LIST)/"
# the option wins over the environment
PLATEN_ISA=mmx "$PLATEN" --isa scalar -p gray -f pnm a.pgm | cksum >/dev/null
