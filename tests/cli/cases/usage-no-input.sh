# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
exits 2 "$PLATEN"
exits 2 "$PLATEN" run
exits 2 "$PLATEN" -- 
