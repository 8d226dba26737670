# SPDX-License-Identifier: BSD-2-Clause
# Heads that two readers might end in different places.
. "$CASES/_serve.sh"
scenario framing serve_strangers
