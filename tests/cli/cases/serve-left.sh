# SPDX-License-Identifier: BSD-2-Clause
# A client that leaves frees its place and ends its work.
. "$CASES/_serve.sh"
scenario left
