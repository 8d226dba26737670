# SPDX-License-Identifier: BSD-2-Clause
# Whose socket is removed.
. "$CASES/_serve.sh"
scenario sockets serve_strangers
