# SPDX-License-Identifier: BSD-2-Clause
# What a large picture took goes back to the system when there is nothing to do.
. "$CASES/_serve.sh"
! ldd "$(dirname "$PLATEN")/platen-serve" | grep -q -e libasan -e libtsan || skip "sanitizers keep what is freed"
scenario rest
