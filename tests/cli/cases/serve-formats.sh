# SPDX-License-Identifier: BSD-2-Clause
# The bytes of an answer are those that run writes, for every format and number of threads.
. "$CASES/_serve.sh"
scenario formats
