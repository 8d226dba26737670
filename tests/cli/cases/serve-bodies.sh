# SPDX-License-Identifier: BSD-2-Clause
# Forms and bodies in chunks.
. "$CASES/_serve.sh"
scenario bodies
