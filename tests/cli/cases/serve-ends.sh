# Signals beside half a body, twice, ignored.
. "$CASES/_serve.sh"
scenario ends serve_strangers
