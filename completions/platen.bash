# Completion of platen(1) for bash. Every word comes from the program's own help, so that none is forgotten.

_platen_words()
{
    local program=$1 what=$2
    case $what in
    commands) "$program" help 2>/dev/null | sed -n '/^Commands/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' ;;
    options) "$program" help "$3" 2>/dev/null | sed -n 's/^  \(    \|-., \)\(--[a-z-]*\).*/\2/p' ;;
    # the words in small letters and figures between the bars behind an option
    values) "$program" help "$3" 2>/dev/null |
        sed -n "s/^  \(    $4\|$4, --[a-z-]*\|-., $4\) \([^ ]*|[^ ]*\).*/\2/p" | tr '|' '\n' | grep -v '[A-Z]' ;;
    formats) "$program" help 2>/dev/null | sed -n '/^Formats/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' ;;
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
    help) words=$known ;;
    -*) words=$(_platen_words "$program" values "$command" "$previous") ;;
    esac
    if [[ -z $words && $current == -* ]]; then
        words=$(_platen_words "$program" options "$command")
    elif [[ -z $words ]] && ((COMP_CWORD == 1)); then
        words=$known
    fi
    [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -o default -F _platen platen
