# SPDX-License-Identifier: BSD-2-Clause
# A job array of Slurm (samples/scale/slurm-array.sh) on a cluster of this one machine, and the merge as
# a job behind it: what eight shards wrote is what one run writes.
. "$CASES/_lib.sh"
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch; do
    command -v $program >/dev/null || skip "no $program"
done
[ "$(id -u)" = 0 ] || skip "slurmd wants to be root"
here=$PWD
host=$(uname -n | cut -d. -f1)
stop()
{
    for pid in $(cat slurmd.pid slurmctld.pid munged.pid 2>/dev/null); do kill "$pid" || :; done
    wait
}
trap stop EXIT
# until_true COMMAND: waits until it succeeds; all waits together take 100 s at most
end=$(($(date +%s) + 100))
until_true()
{
    while [ "$(date +%s)" -lt $end ]; do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.1
    done
    echo "in vain: $*" >&2
    cat ./*.log >&2
    exit 1
}
ports=$(python3 -c 'import socket
s = [socket.create_server(("127.0.0.1", 0)) for i in range(2)]
print(*(i.getsockname()[1] for i in s))')
head -c 128 /dev/urandom >munge.key
chmod 600 munge.key
# --force: the scratch directory is closed to others
timeout 115 munged --force --foreground --socket="$here/munge.socket" --key-file="$here/munge.key" \
    --pid-file="$here/munged.pid" --seed-file="$here/munge.seed" --log-file="$here/munged.log" 2>munged.err &
cat >slurm.conf <<END
ClusterName=platen
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$here/munge.socket
StateSaveLocation=$here/state
SlurmdSpoolDir=$here/spool
SlurmctldPidFile=$here/slurmctld.pid
SlurmdPidFile=$here/slurmd.pid
SlurmctldLogFile=$here/slurmctld.log
SlurmdLogFile=$here/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=8 RealMemory=8000
PartitionName=all Nodes=$host Default=YES State=UP
END
mkdir state spool bin
export SLURM_CONF=$here/slurm.conf
until_true test -S munge.socket
timeout 115 slurmctld -D 2>slurmctld.err &
timeout 115 slurmd -D 2>slurmd.err &
idle() { sinfo -h -o %t | grep -qx idle; }
no_cgroups() { grep -qs "Unable to initialize cgroup plugin" slurmd.log; }
settled() { idle || no_cgroups; }
until_true settled
if no_cgroups; then skip "slurmd finds no cgroups here"; fi # as in a bare chroot

mkdir in in/more
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    pgm in/$i.pgm 2$i 30
    pgm in/more/$i.pgm 3$i 40
done
echo broken >in/more/13.pgm
ln -s "$PLATEN" bin/platen
export PATH=$here/bin:$PATH IN=in OUT=out FORMATS=json,pnm
platen --manifest pages.ndjson in
job=$(sbatch --parsable --export=ALL --cpus-per-task=1 --mem=200M --output=shard-%a.txt \
    "$SOURCE/samples/scale/slurm-array.sh")
sbatch --parsable --dependency=afterany:$job --output=merge.txt \
    --wrap 'platen merge --manifest pages.ndjson out; echo "exit status $?"' >/dev/null
ended() { grep -q "exit status" merge.txt; }
until_true ended
cat merge.txt
ls shard-*.txt | wc -l
exits 1 platen --resume -q -f json,pnm -o one/ in 2>/dev/null
diff -r one out
