# SPDX-License-Identifier: BSD-2-Clause
# Without the program beside it, platen serve says what is missing.
cp "$PLATEN" .
./platen serve
