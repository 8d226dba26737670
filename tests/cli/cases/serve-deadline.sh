# SPDX-License-Identifier: BSD-2-Clause
# A page that is begun and not done is answered with 504, one that waits with 503.
. "$CASES/_serve.sh"
scenario deadline
