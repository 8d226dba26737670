#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What shells offer for the words of a command line: completion.sh SHELL COMPLETIONS PLATEN
set -u
shell=$1 completions=$(realpath "$2") platen=$(realpath "$3")
here=$(cd "$(dirname "$0")" && pwd)
failed=0

candidates_bash()
{
    # shellcheck source=/dev/null
    . "$completions"
    read -ra COMP_WORDS <<<"$1"
    [[ $1 != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _platen "$platen" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}"
}

candidates_zsh()
{
    PATH=$bin:$PATH zsh -f "$here/completion.zsh" "$completions" "$1"
}

# fish also offers what the word is a part of
candidates_fish()
{
    # shellcheck disable=SC2016  # fish expands it
    PATH=$bin:$PATH fish --no-config -c 'source $argv[1]; complete -C $argv[2]' -- "$completions" "$1" |
        awk -F '\t' -v word="${1##* }" 'index($1, word) == 1 { print $1 }'
}

# offers "WORDS, the last one unfinished" "words that must be among what is offered" "words that must not"
offers()
{
    local word offered
    offered=$(candidates_"$shell" "$1" | tr '\n' ' ')
    for word in $2; do
        [[ " $offered " == *" $word "* ]] || { echo "'$1' does not offer $word: $offered"; failed=1; }
    done
    for word in ${3-}; do
        [[ " $offered " != *" $word "* ]] || { echo "'$1' offers $word"; failed=1; }
    done
}

bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
ln -s "$platen" "$bin/platen"
cd "$bin" || exit 1
offers 'platen ' 'run ops detect-features bench model merge help' '--format'
offers 'platen de' 'detect-features' 'ops'
offers 'platen --' '--format --pipeline --null --resume --orient --opt-level --version' '--quantize'
offers 'platen model --q' '--quantize' '--resume'
offers 'platen -f h' 'hocr html' 'txt'
offers 'platen -f txt,p' 'txt,pdf txt,png txt,page' 'pdf'
offers 'platen -p ' '@document @receipt @clean'
offers 'platen --isa s' 'scalar' 'avx2'
offers 'platen --orient 1' '180' '90'
offers 'platen --opt-level ' 'none simd parallel full' 'auto'
offers 'platen serve --sandbox ' 'off auto require' '--queue'
offers 'platen --lm ' 'off auto' 'WEIGHT'
offers 'platen model --quantize i' 'int8' 'int4'
offers 'platen help m' 'model merge' 'run'
offers 'platen scan' '' 'run ops'            # a file: left to the shell
exit $failed
