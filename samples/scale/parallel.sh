#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The shares of the work on several machines, by GNU parallel over ssh. IN and OUT are on a file
# system that all of them share; HOSTS is as --sshlogin takes it, and empty for this machine alone.
# A share whose machine was lost, or ran out of memory, is tried again elsewhere, three times in all,
# and goes on from its journal. Status 1 tells of pages that cannot be read: merge names them, and
# trying again would not help.
#
#   IN=/scans OUT=/texts HOSTS=a,b,c,d samples/scale/parallel.sh 4
set -eu
n=$1
status=0
parallel --jobs 1 --retries 3 --sshlogin "${HOSTS:-:}" \
    "platen --shard {}/$n --resume -q -f ${FORMATS:-txt,json} -o '$OUT/' '$IN' || [ \$? -eq 1 ]" \
    ::: $(seq "$n") || status=$?
platen --manifest "$OUT/pages.ndjson" "$IN"
platen merge --manifest "$OUT/pages.ndjson" "$OUT" || status=$?
exit $status
