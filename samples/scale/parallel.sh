#!/bin/sh
# The shares of the work on several machines, by GNU parallel over ssh. IN and OUT are on a file
# system that all of them share; HOSTS is as --sshlogin takes it, and empty for this machine alone.
#
#   IN=/scans OUT=/texts HOSTS=a,b,c,d samples/scale/parallel.sh 4
set -eu
n=$1
status=0
parallel --jobs 1 --sshlogin "${HOSTS:-:}" platen --shard "{}/$n" --resume -q \
    -f "${FORMATS:-txt,json}" -o "$OUT/" "$IN" ::: $(seq "$n") || status=$?
platen --manifest "$OUT/pages.ndjson" "$IN"
platen merge --manifest "$OUT/pages.ndjson" "$OUT" || status=$?
exit $status
