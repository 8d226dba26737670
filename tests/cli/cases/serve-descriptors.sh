# SPDX-License-Identifier: BSD-2-Clause
# Too few descriptors.
. "$CASES/_serve.sh"
scenario descriptors serve_strangers
