# SPDX-License-Identifier: BSD-2-Clause
# SIGTERM: what is in flight is answered, nothing new is taken.
. "$CASES/_serve.sh"
scenario drain
