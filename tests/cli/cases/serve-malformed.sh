# SPDX-License-Identifier: BSD-2-Clause
# What a request can have wrong, and what is told.
. "$CASES/_serve.sh"
scenario malformed
