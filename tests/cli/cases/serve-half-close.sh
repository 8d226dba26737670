# SPDX-License-Identifier: BSD-2-Clause
# Clients that close their sending side.
. "$CASES/_serve.sh"
scenario half_close serve_strangers
