# SPDX-License-Identifier: BSD-2-Clause
# The manifest of an indexed Job keeps to what batch/v1 asks of one, and its command, run for each index,
# does the whole work; a page that cannot be read does not fail a pod.
. "$CASES/_lib.sh"
python3 -c 'import yaml' 2>/dev/null || skip "no python3-yaml"
mkdir -p pages/in/more bin
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    pgm pages/in/$i.pgm 2$i 30
    pgm pages/in/more/$i.pgm 3$i 40
done
echo broken >pages/in/more/13.pgm
ln -s "$PLATEN" bin/platen
export PATH=$PWD/bin:$PATH
python3 - "$SOURCE/samples/scale/kubernetes-job.yaml" <<'PY'
import os, re, subprocess, sys, yaml

with open(sys.argv[1]) as f:
    job, = yaml.safe_load_all(f)

def check(thing, **kinds):
    """Every key is known, and of its kind; those in capitals must be there."""
    known = {k.lower(): (k, kind) for k, kind in kinds.items()}
    for key, value in thing.items():
        assert isinstance(value, known[key.lower()][1]), (key, value)
    missing = [k for k in kinds if k[0].isupper() and k.lower() not in (key.lower() for key in thing)]
    assert not missing, missing

def check_name(name):
    assert re.fullmatch(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", name), name

check(job, ApiVersion=str, Kind=str, Metadata=dict, Spec=dict)
assert (job["apiVersion"], job["kind"]) == ("batch/v1", "Job")
check_name(job["metadata"]["name"])
spec = job["spec"]
check(spec, CompletionMode=str, Completions=int, Parallelism=int, backoffLimit=int, Template=dict)
assert spec["completionMode"] == "Indexed" and 1 <= spec["parallelism"] <= spec["completions"]
pod = spec["template"]["spec"]
check(pod, RestartPolicy=str, Containers=list, Volumes=list)
assert pod["restartPolicy"] in ("Never", "OnFailure")  # a Job takes no other
container, = pod["containers"]
check(container, Name=str, Image=str, Command=list, Args=list, resources=dict, VolumeMounts=list)
check_name(container["name"])
assert all(isinstance(word, str) for word in container["command"] + container["args"])
volumes = {}
for volume in pod["volumes"]:
    check(volume, Name=str, PersistentVolumeClaim=dict)
    check_name(volume["persistentVolumeClaim"]["claimName"])
    volumes[volume["name"]] = volume
for mount in container["volumeMounts"]:
    check(mount, Name=str, MountPath=str)
    assert mount["name"] in volumes and mount["mountPath"].startswith("/")
sizes = container["resources"]
for kind in sizes:
    assert kind in ("requests", "limits")
    assert re.fullmatch(r"\d+m?", sizes[kind]["cpu"]) and re.fullmatch(r"\d+[KMG]i", sizes[kind]["memory"])
print(spec["completions"], "pods")

words = [w.replace("/pages/", "pages/") for w in container["command"] + container["args"]]
for index in range(spec["completions"]):
    run = subprocess.run(words, env=dict(os.environ, JOB_COMPLETION_INDEX=str(index)), stderr=subprocess.DEVNULL)
    assert run.returncode == 0, (index, run.returncode)
PY
# what the manifest says to do afterwards
sed -n 's/^#  *\(platen --manifest\)/\1/p' "$SOURCE/samples/scale/kubernetes-job.yaml" | sed 's|/pages/|pages/|g' >afterwards
cat afterwards
exits 1 sh -eu afterwards 2>&1
rm pages/out/pages.ndjson
exits 1 platen --resume -q -f txt,json -o one/ pages/in 2>/dev/null
diff -r one pages/out
