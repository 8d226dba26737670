# SPDX-License-Identifier: BSD-2-Clause
. "$CASES/_lib.sh"
needs_model_tools
# x [1, 1, 8, -1] through convolutions; the same bytes from the ONNX file and from the import
onnx=$SOURCE/tests/fuzz/corpus/onnx/conv.onnx
"$PLATEN" model import "$onnx" -o conv.platen
"$PLATEN" model verify conv.platen
"$PLATEN" model info conv.platen | sed -n '1p;3,5p'
{
    printf '\223NUMPY\001\000\166\000'
    printf '%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 8, 6), }"
    i=0
    while [ $i -lt 48 ]; do
        printf '\000\000\200\077' # 1
        i=$((i + 1))
    done
} >in.npy
"$PLATEN" model run "$onnx" in.npy -o a.npy
"$PLATEN" model run conv.platen in.npy -o b.npy
cmp a.npy b.npy
head -c 69 a.npy | tail -c 59
echo
# refusals
exits 1 "$PLATEN" model run conv.platen -o c.npy 2>&1
exits 1 "$PLATEN" model run conv.platen conv.platen -o c.npy 2>&1
exits 1 "$PLATEN" model import nosuch.onnx -o c.platen 2>&1
exits 2 "$PLATEN" model import "$onnx" 2>&1
exits 2 "$PLATEN" model info conv.platen -o x 2>&1
exits 2 "$PLATEN" --model ./conv.platen in.npy 2>&1
ls
