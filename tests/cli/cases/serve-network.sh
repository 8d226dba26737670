# SPDX-License-Identifier: BSD-2-Clause
# Addresses of the network, tokens, and pages of other sites that may ask.
. "$CASES/_serve.sh"
scenario network
