# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
needs_model_tools
# x [1, 1, 8, -1] through one layer of every kind, in bytes: the same file and the same results on
# every level
onnx=$SOURCE/tests/fuzz/corpus/onnx/bytes.onnx
sets()
{
    printf '\223NUMPY\001\000\166\000'
    printf '%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 8, 8), }"
    i=0
    while [ $i -lt 16 ]; do
        case $(((i + $1) % 3)) in
        0) printf '\000\000\200\077\000\000\000\277\000\000\200\076\000\000\000\000' ;; # 1 -0.5 0.25 0
        1) printf '\000\000\000\100\000\000\000\000\000\000\200\277\000\000\300\077' ;; # 2 0 -1 1.5
        2) printf '\000\000\100\077\000\000\100\277\000\000\000\076\000\000\000\300' ;; # 0.75 -0.75 0.125 -2
        esac
        i=$((i + 1))
    done
}
mkdir sets
sets 0 >sets/a.npy
sets 1 >sets/b.npy
"$PLATEN" model import "$onnx" -o m.platen --quantize int8 --calibrate sets
"$PLATEN" model verify m.platen
"$PLATEN" model info m.platen
"$PLATEN" model verify m.platen --against "$onnx" --inputs sets/a.npy sets/b.npy
"$PLATEN" model verify "$onnx" --against "$onnx" --inputs sets
"$PLATEN" model run m.platen sets/a.npy -o a.npy
tail -c 32 a.npy | od -An -tx1
for isa in scalar sse42 avx2 avxvnni avx512 avx512vnni amx neon neondot; do
    "$PLATEN" model run --isa $isa m.platen sets/a.npy -o b.npy 2>/dev/null || continue
    cmp a.npy b.npy
    "$PLATEN" model import --isa $isa "$onnx" -o b.platen --quantize int8 --calibrate sets >/dev/null
    cmp m.platen b.platen
done
"$PLATEN" model import "$onnx" -o k.platen --quantize int8 --calibrate sets --per-tensor --percentile 99 --keep-float n_c2,n_c3
"$PLATEN" model info k.platen | grep -c 'Conv  '
# weights that are multiplied faster; weights in fewer bits
"$PLATEN" model import "$onnx" -o n.platen --quantize int8 --calibrate sets --narrow
"$PLATEN" model verify n.platen --against "$onnx" --inputs sets --min-sqnr 15 | head -1
"$PLATEN" model run n.platen sets/a.npy -o a.npy
for isa in scalar sse42 avx2 avxvnni avx512 avx512vnni amx neon neondot; do
    "$PLATEN" model run --isa $isa n.platen sets/a.npy -o b.npy 2>/dev/null || continue
    cmp a.npy b.npy
done
"$PLATEN" model import "$onnx" -o n.platen --quantize int8 --calibrate sets --min-sqnr 60
"$PLATEN" model verify n.platen --against "$onnx" --inputs sets --min-sqnr 15 | head -2
"$PLATEN" model import "$onnx" -o h.platen --quantize fp16 --calibrate sets
"$PLATEN" model verify h.platen --against "$onnx" --inputs sets | head -1
"$PLATEN" model info h.platen | grep -e 'quantize' -e 'DecodeWeights'
# a graph with scales of its own needs no arrays, and loses nothing
qdq=$SOURCE/tests/fuzz/corpus/onnx/qdq.onnx
"$PLATEN" model import "$qdq" -o q.platen
"$PLATEN" model info q.platen | tail -10
"$PLATEN" model verify q.platen --against "$qdq" --inputs sets --min-sqnr 50
"$PLATEN" model import "$qdq" -o q.platen --quantize none
"$PLATEN" model verify q.platen --against "$qdq" --inputs sets
# too far, and what does not go together
exits 1 "$PLATEN" model verify m.platen --against "$onnx" --inputs sets --min-sqnr 70
exits 1 "$PLATEN" model verify m.platen --against "$onnx" --inputs m.platen 2>&1
exits 1 "$PLATEN" model import "$onnx" -o k.platen --quantize int8 --calibrate sets --keep-float nosuch 2>&1
mkdir none
exits 1 "$PLATEN" model import "$onnx" -o k.platen --quantize int8 --calibrate none 2>&1
exits 1 "$PLATEN" model import "$onnx" -o k.platen --quantize int8 2>&1
exits 2 "$PLATEN" model import "$onnx" -o k.platen --quantize int9 2>&1
exits 2 "$PLATEN" model import "$onnx" -o k.platen --quantize int4 2>&1
exits 2 "$PLATEN" model verify m.platen --against "$onnx" 2>&1
exits 2 "$PLATEN" model run m.platen sets/a.npy -o y.npy --quantize int8 2>&1
exits 2 "$PLATEN" model import "$onnx" -o k.platen --quantize int8 --percentile 10 --calibrate sets 2>&1
