# SPDX-License-Identifier: BSD-2-Clause
# The description of the interface, and the start page.
. "$CASES/_serve.sh"
scenario described
