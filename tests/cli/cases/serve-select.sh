# SPDX-License-Identifier: BSD-2-Clause
# More connections than descriptors that libmicrohttpd waits for.
. "$CASES/_serve.sh"
[ "$(ulimit -Hn)" = unlimited ] || [ "$(ulimit -Hn)" -ge 2000 ] || skip "few descriptors are allowed"
scenario more_than_select_knows serve_strangers
