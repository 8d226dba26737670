# SPDX-License-Identifier: BSD-2-Clause
# Pages of other sites, and names bent to this machine.
. "$CASES/_serve.sh"
scenario sites serve_strangers
