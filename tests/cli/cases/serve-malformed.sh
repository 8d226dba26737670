# What a request can have wrong, and what is told.
. "$CASES/_serve.sh"
scenario malformed
