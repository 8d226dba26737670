#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One share of the work for each task of a Slurm job array. IN and OUT are on a file system that all
# nodes share.
#
#   id=$(sbatch --parsable --export=ALL,IN=/scans,OUT=/texts samples/scale/slurm-array.sh)
#   platen --manifest /texts/pages.ndjson /scans
#   sbatch --dependency=afterany:$id --wrap 'platen merge --manifest /texts/pages.ndjson /texts'
#
# A task that was lost is started again with the same number; --resume passes over what it had done.
#SBATCH --job-name=platen
#SBATCH --array=1-8
#SBATCH --cpus-per-task=4
#SBATCH --mem=2G
#SBATCH --requeue
set -eu
exec platen --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --resume -q \
    -f "${FORMATS:-txt,json}" -o "$OUT/" "$IN"
