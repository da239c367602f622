# SPDX-License-Identifier: GPL-2.0-or-later
# fish completion for perf: what there is comes from perf itself ("perf --complete WORD...", made of its option tables).
# Installed as share/fish/vendor_completions.d/perf.fish

function __perf_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case @file
                set -l head (string match -r -- '^--[a-z0-9-]*=' "$current")
                __fish_complete_path (string replace -- "$head" "" "$current") | string replace -r -- '^' "$head"
            case @dir
                set -l head (string match -r -- '^--[a-z0-9-]*=' "$current")
                __fish_complete_directories (string replace -- "$head" "" "$current") "" | string replace -r -- '^' "$head"
            case '@command *'
                set -l first (math (string replace '@command ' '' -- $line) + 2)
                set -l command $words[$first..-1] $current
                complete -C "$command"
            case '*'
                echo $line
        end
    end
end

complete -c perf -f -a '(__perf_complete)'
