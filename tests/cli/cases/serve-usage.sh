# Wrong options.
. "$CASES/_serve.sh"
scenario usage
