# SPDX-License-Identifier: BSD-2-Clause
# A full queue is answered with 429, before the picture is taken.
. "$CASES/_serve.sh"
scenario full
