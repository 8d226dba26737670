# SPDX-License-Identifier: BSD-2-Clause
# Requests name pipelines that --allow-pipeline has.
. "$CASES/_serve.sh"
scenario pipelines
