# SPDX-License-Identifier: BSD-2-Clause
"$PLATEN" --version | grep -cE '^platen [0-9]+\.[0-9]+\.[0-9]+$'
"$PLATEN" -V | cmp - - && "$PLATEN" ops -V | grep -c platen
