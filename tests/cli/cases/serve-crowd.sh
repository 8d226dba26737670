# Many clients that take their time.
. "$CASES/_serve.sh"
scenario crowd serve_strangers
