# SPDX-License-Identifier: BSD-2-Clause
# What zsh is told to offer: completion.zsh COMPLETIONS LINE. The functions of its completion system that
# platen's calls are replaced by ones that print.
typeset prefix=
compset() { [[ $words[CURRENT] != *,* ]] || prefix=${words[CURRENT]%,*},; }
_files() { : }
_describe()
{
    [[ $1 != -o ]] || shift
    local entry
    for entry in "${(@P)2}"; do
        entry=$prefix${entry%%:*}
        [[ $entry != ${words[CURRENT]}* ]] || print -r -- $entry
    done
}
words=(${(s: :)2})
[[ $2 != *' ' ]] || words+=('')
CURRENT=$#words
source $1
