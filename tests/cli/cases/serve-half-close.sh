# Clients that close their sending side.
. "$CASES/_serve.sh"
scenario half_close serve_strangers
