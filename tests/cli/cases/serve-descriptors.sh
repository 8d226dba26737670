# Too few descriptors.
. "$CASES/_serve.sh"
scenario descriptors serve_strangers
