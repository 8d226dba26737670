# SPDX-License-Identifier: BSD-2-Clause
# Signals beside half a body, twice, ignored.
. "$CASES/_serve.sh"
scenario ends serve_strangers
