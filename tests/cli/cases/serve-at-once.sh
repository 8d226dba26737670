# SPDX-License-Identifier: BSD-2-Clause
# Many clients at once; /metrics counts what they got.
. "$CASES/_serve.sh"
scenario at_once
