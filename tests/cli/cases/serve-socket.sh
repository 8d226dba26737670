# SPDX-License-Identifier: BSD-2-Clause
# The same over a Unix socket.
. "$CASES/_serve.sh"
scenario unix_socket
