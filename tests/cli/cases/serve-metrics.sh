# SPDX-License-Identifier: BSD-2-Clause
# What /metrics says, by the rules of its format.
. "$CASES/_serve.sh"
scenario metrics
