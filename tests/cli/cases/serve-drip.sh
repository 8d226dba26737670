# SPDX-License-Identifier: BSD-2-Clause
# A picture that comes a byte at a time gives its place in a full queue to another request.
. "$CASES/_serve.sh"
scenario drip serve_strangers
