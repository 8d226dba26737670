# Heads that two readers might end in different places.
. "$CASES/_serve.sh"
scenario framing serve_strangers
