# SPDX-License-Identifier: BSD-2-Clause
# Requests with random damage.
. "$CASES/_serve.sh"
scenario noise
