# SPDX-License-Identifier: BSD-2-Clause
# Signals while platen waits for its input, or for somebody to take its output.
. "$CASES/_lib.sh"
python3 "$SOURCE/tests/cli/signals.py"
