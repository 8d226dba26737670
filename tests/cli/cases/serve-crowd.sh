# SPDX-License-Identifier: BSD-2-Clause
# Many clients that take their time.
. "$CASES/_serve.sh"
scenario crowd serve_strangers
