# SPDX-License-Identifier: BSD-2-Clause
# All pages of a PDF or TIFF come in one answer.
. "$CASES/_serve.sh"
for library in libtiff qpdf; do
    "$PLATEN" detect-features | grep -q "$library *not" && skip "built without $library"
done
scenario documents
