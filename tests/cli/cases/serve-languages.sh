# SPDX-License-Identifier: BSD-2-Clause
# Requests name languages and the weight of language models.
. "$CASES/_serve.sh"
[ -f "$SOURCE/models/de.lm.platen" ] || skip "no language models in the tree"
scenario languages
