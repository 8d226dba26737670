mkdir -p in/x
: >in/readme.txt
"$PLATEN" in -o out
ls out 2>/dev/null || echo nothing written
