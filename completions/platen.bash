# Completion of platen(1) for bash. Every word comes from the program's own help, so that none is forgotten.

_platen_words()
{
    local program=$1 what=$2
    case $what in
    commands) "$program" help 2>/dev/null | sed -n '/^Other commands/,/^$/s/^  \([a-z-]*\) .*/\1/p'; echo run ;;
    options) "$program" help "$3" 2>/dev/null | sed -n '/^Options/,/^$/s/^  \(    \|-., \)\(--[a-z-]*\).*/\2/p' ;;
    formats) "$program" help 2>/dev/null | sed -n '/^Formats/,/^$/s/^  \([a-z]*\) .*/\1/p' ;;
    presets) "$program" ops 2>/dev/null | sed -n 's/^  \(@[a-z]*\) .*/\1/p' ;;
    levels) "$program" detect-features 2>/dev/null | sed -n '/^isa/,/^[^ i]/s/^  \([a-z0-9]*\)  *available/\1/p' ;;
    esac
}

_platen()
{
    local program=$1 current=$2 previous=$3 command=run word known words=
    known=$(_platen_words "$program" commands)
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ $'\n'$known$'\n' == *$'\n'"$word"$'\n'* ]]; then
            command=$word
            break
        fi
    done
    COMPREPLY=()
    case $previous in
    -f | --format)                          # a list: the last of it is completed
        local before=
        [[ $current == *,* ]] && before=${current%,*},
        words=$(_platen_words "$program" formats)
        mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "${current##*,}")
        return ;;
    -p | --pipeline) words=$(_platen_words "$program" presets) ;;
    --isa) words=$(_platen_words "$program" levels) ;;
    --opt-level) words='none simd parallel full' ;;
    --orient) words='auto 0 90 180 270' ;;
    --lm) words='off auto' ;;
    --sandbox) words='auto off require' ;;
    --progress) words='auto always never' ;;
    help) words=$known ;;
    *)
        if [[ $current == -* ]]; then
            words=$(_platen_words "$program" options "$command")
        elif ((COMP_CWORD == 1)); then
            words=$known
        fi ;;
    esac
    [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -o default -F _platen platen
