# Completion of platen(1) for fish. Every word comes from the program's own help, so that none is forgotten.

# SECTION [COMMAND]: prints the word and the text of each entry of a section of the help; of each option, where the
# section is "options"
function __platen_entries
    set -l program (commandline -opc)[1]
    $program help $argv[2] 2>/dev/null | awk -v wanted="$argv[1]" '
        function put() { if (word != "") print word "\t" text; word = "" }
        /^[^ ]/ { put(); on = $0 == wanted; next }
        $0 == "" { put(); next }
        substr($0, 1, 26) ~ /^ *$/ { text = text (text == "" ? "" : " ") substr($0, 27); next }
        {
            put()
            text = substr($0, 25, 2) == "  " ? substr($0, 27) : ""
            if (wanted != "options") { word = on ? $1 : ""; next }
            word = match($0, /--[a-z-]+/) ? substr($0, RSTART, RLENGTH) : ""
        }
        END { put() }'
end

function __platen_command
    set -l known (__platen_entries Commands | string split -f 1 \t)
    for word in (commandline -opc)[2..-1]
        if contains -- $word $known
            echo $word
            return
        end
    end
    echo run
end

# prints the values that there are, which stand between bars behind the option
function __platen_values
    set -l option $argv[1]
    set -l program (commandline -opc)[1]
    $program help (__platen_command) 2>/dev/null |
        sed -n "s/^  \(    $option\|$option, --[a-z-]*\|-., $option\) \([^ ]*|[^ ]*\).*/\2/p" | string split '|' |
        string match -rv '[A-Z]'
end

function __platen_words
    set -l before (commandline -opc)
    set -l program $before[1]
    set -l current (commandline -ct)
    switch $before[-1]
        case -f --format
            # a list: the last of it is completed
            set -l head (string match -r '.*,' -- $current)
            __platen_entries Formats | string replace -r '^' -- "$head"
            return
        case -p --pipeline
            $program ops 2>/dev/null | sed -n 's/^  \(@[a-z]*\)  */\1\t/p'
            return
        case --isa
            $program detect-features 2>/dev/null | sed -n '/^isa/,/^[^ i]/s/^  \([a-z0-9]*\)  *available/\1/p'
            return
        case help
            __platen_entries Commands
            return
        case '-*'
            __platen_values $before[-1]
    end
    if string match -q -- '-*' $current
        __platen_entries options (__platen_command)
    else if test (count $before) -eq 1
        __platen_entries Commands
    end
end

complete -c platen -a '(__platen_words)'
