#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What bash offers for the words of a command line: completion.sh COMPLETIONS PLATEN
set -u
. "$1"
platen=$2
failed=0

# offers "WORDS, the last one unfinished" "words that must be among what is offered" "words that must not"
offers()
{
    local word
    read -ra COMP_WORDS <<<"$1"
    [[ $1 != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _platen "$platen" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    for word in $2; do
        [[ " ${COMPREPLY[*]} " == *" $word "* ]] || { echo "'$1' does not offer $word: ${COMPREPLY[*]}"; failed=1; }
    done
    for word in ${3-}; do
        [[ " ${COMPREPLY[*]} " != *" $word "* ]] || { echo "'$1' offers $word"; failed=1; }
    done
}

offers 'platen ' 'run ops detect-features bench model merge help' '--format'
offers 'platen de' 'detect-features' 'ops'
offers 'platen --' '--format --pipeline --null --resume --orient --version' '--quantize'
offers 'platen model --q' '--quantize' '--resume'
offers 'platen -f h' 'hocr html' 'txt'
offers 'platen -f txt,p' 'txt,pdf txt,png txt,page' 'pdf'
offers 'platen -p ' '@document @receipt @clean'
offers 'platen --isa s' 'scalar' 'avx2'
offers 'platen --orient 1' '180' '90'
offers 'platen help m' 'model merge' 'run'
offers 'platen scan' '' 'run ops'            # a file: left to bash
exit $failed
