# Requests with random damage.
. "$CASES/_serve.sh"
scenario noise
