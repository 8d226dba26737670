# SPDX-License-Identifier: BSD-2-Clause
# Pictures that come together are read together.
. "$CASES/_serve.sh"
scenario together
