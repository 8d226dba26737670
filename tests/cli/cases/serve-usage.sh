# SPDX-License-Identifier: BSD-2-Clause
# Wrong options.
. "$CASES/_serve.sh"
scenario usage
