#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='completion: what perf --complete says from the option tables, and how bash, zsh and fish show it'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq ZSH 'needs zsh' 'zsh --version'
test_lazy_prereq FISH 'needs fish' 'fish --version'
shells=$TOP/scripts/completion

# complete WORD...: the candidates for the last one, without what is said of them
complete () { perf --complete "$@" | cut -f1; }

# completes_to 'CANDIDATE...' WORD...: exactly these, in this order
completes_to () {
	local want=$1
	shift
	complete "$@" >out && { [ -z "$want" ] || printf '%s\n' "$want" | sed 's/ \([^ 0-9]\)/\n\1/g'; } >expect && test_cmp expect out || { echo "perf $*"; return 1; }
}

test_expect_success 'commands, sub-commands and theirs' '
	completes_to "record report" re && completes_to "sched script" help sc && completes_to "" nosuch x &&
	completes_to "record replay" sched re && completes_to "map" sched m &&
	completes_to "record report diff" sched stats "" && completes_to diff sched -v stats d &&
	completes_to messaging bench sched mess && completes_to feature check "" && completes_to "start stop" daemon st &&
	complete stat "" | head -n 2 >out && printf "record\nreport\n" >expect && test_cmp expect out
'

test_expect_success 'options, with their texts, those of all commands on the way' '
	perf --complete record --all-cp >out && printf "%s\t%s\n" --all-cpus "watch all processes on all CPUs" >expect && test_cmp expect out &&
	completes_to --no-pager --no-p && completes_to "--force --field-separator" sched stats report --f &&
	completes_to --pipe bench sched messaging --pi && completes_to --schedstat sched record --sch &&
	completes_to --call-graph kmem record --call && completes_to --call-graph trace record --call &&
	completes_to --sort mem report --sor && completes_to --no-children report --no-ch && completes_to --help report --hel
'

test_expect_success 'values: of one word, of lists, behind = and as the next word, behind a letter' '
	completes_to "auto fp dwarf lbr" record --call-graph "" && completes_to --call-graph=dwarf record --call-graph=d &&
	completes_to dwarf record -a --call-graph d && completes_to auto top --call-graph a &&
	complete report --sort comm,symbol_s >out && test_grep "^comm,symbol_size$" out &&
	complete diff -s sym >out && test_grep "^symbol$" out && complete mem report --sort lo >out && test_grep "^local_weight$" out &&
	complete report -scomm,symbol_s >out && test_grep "^-scomm,symbol_size$" out &&
	completes_to "--call-graph=graph,0.5,caller --call-graph=graph,0.5,callee" report --call-graph=graph,0.5,cal &&
	complete report -g graph,call >out && test_grep "^graph,caller$" out && completes_to "always never auto" report --stdio-color "" &&
	completes_to "runtime switch avg max" sched latency --sort "" && completes_to avg,max kwork latency --sort avg,m &&
	completes_to contended lock contention --key cont && completes_to "samples period" export --weight "" &&
	completes_to "comm,tid comm,time" script -F comm,ti && completes_to any_call,cond record -j any_call,con &&
	completes_to "monotonic mono monotonic_raw" record --clockid m && completes_to libelf,zlib check feature libelf,zl
'

test_expect_success 'each format, sort key, branch filter, clock and call graph that is offered is known' '
	for k in $(complete report --sort ""); do
		perf report -f --stdio -i "$TOP/tests/data/small/fp.data" --sort "$k" >out 2>err </dev/null ||
			test_grep -v "unknown --sort key" err || return 1
	done &&
	known () { test_status 129 perf record "$1" "$2" --nosuch 2>err && test_grep "unknown option .nosuch" err; } &&
	for w in $(complete record -j ""); do known -j $w || return 1; done &&
	for w in $(complete record --clockid ""); do known --clockid $w || return 1; done &&
	for w in $(complete record --call-graph ""); do known --call-graph $w || return 1; done &&
	for w in $(complete export -F ""); do
		test_status 129 perf export -F $w --nosuch 2>err && test_grep "unknown option .nosuch" err || return 1
	done
'

test_expect_success 'events and system calls' '
	completes_to cpu-clock record -e cpu-cl && completes_to "{task-clock,cpu-clock" record -e "{task-clock,cpu-cl" &&
	complete trace -e openat,readlinka >out && test_grep "^openat,readlinkat$" out &&
	complete trace -e "!openat,proces" >out && test_grep "^!openat,process$" out && completes_to cpu-clock list cpu-cl
'

test_expect_success 'files, directories, and the commands that are measured' '
	completes_to @file report -i "" && completes_to @dir --buildid-dir "" && completes_to @file annotate "" &&
	completes_to "@command 1" record "" && completes_to "@command 3" record -a -- ls "" &&
	completes_to "@command 5" record -e x -o y ls -l ""
'

test_expect_success 'nothing is run, and nothing is left' '
	for c in $(complete ""); do
		complete $c - </dev/null >out 2>err && test -s out || { echo "$c"; return 1; }
	done &&
	for c in $(complete "" | grep -vx -e help -e list -e test); do
		for s in $(complete $c "" | grep "^[a-z]"); do
			complete $c $s - >out 2>err </dev/null && complete $c $s "" >out 2>err </dev/null || { echo "$c $s"; return 1; }
		done
	done && test_status 2 ls perf.data output.svg 2>err
'

cat >complete.sh <<\EOF
. "$1"
COMP_LINE=$2 COMP_POINT=${#2}
# as bash cuts it
read -ra COMP_WORDS <<<"$(printf '%s' "$2" | sed 's/[=:]/ & /g')"
case $2 in *" ") COMP_WORDS+=("") ;; esac
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_perf
printf '%s\n' "${COMPREPLY[@]}"
EOF
in_bash () { bash complete.sh "$shells/perf.bash" "$1" >out 2>&1; }

test_expect_success 'bash' '
	in_bash "perf vers" && echo version >expect && test_cmp expect out &&
	in_bash "perf version --bu" && echo --build-options >expect && test_cmp expect out &&
	in_bash "perf report --stdio-color=al" && echo always >expect && test_cmp expect out &&
	in_bash "perf report --stdio-color=" && printf "%s\n" always never auto >expect && test_cmp expect out &&
	in_bash "perf report --sort comm,symbol_si" && echo comm,symbol_size >expect && test_cmp expect out &&
	touch some.data && in_bash "perf report -i so" && echo some.data >expect && test_cmp expect out &&
	in_bash "perf record -a -- tou" && test_grep "^touch$" out &&
	in_bash "perf record -a -- touch so" && echo some.data >expect && test_cmp expect out
'

test_expect_success TRACEFS 'bash: an event whose name has a colon' '
	in_bash "perf record -e sched:sched_wakeup_n" && echo sched_wakeup_new >expect && test_cmp expect out
'

# zsh shows what it is given only on a terminal: its own functions are replaced.
cat >zsh.sh <<\EOF
compadd () { print -l -- "${(@P)argv[-1]}" }
_call_program () { shift; eval "$*" }
_files () { print -l -- "files $*" }
_normal () { print -l -- "normal $CURRENT $words" }
compset () { }
script=$1
shift
words=("$@") CURRENT=$#
set --
source $script
EOF
in_zsh () { zsh -f zsh.sh "$shells/_perf" "$@" >out 2>&1; }
test_expect_success ZSH 'zsh' '
	in_zsh perf vers && echo version >expect && test_cmp expect out &&
	in_zsh perf report --stdio-color "" && printf "%s\n" always never auto >expect && test_cmp expect out &&
	in_zsh perf report -i "" && test_grep "^files" out &&
	in_zsh perf record -a -- touch so && echo "normal 2 touch so" >expect && test_cmp expect out
'

in_fish () { fish --no-config -c "source $shells/perf.fish; complete -C '$1'" 2>&1 | cut -f1 >out; }
test_expect_success FISH 'fish' '
	in_fish "perf vers" && echo version >expect && test_cmp expect out &&
	in_fish "perf report --stdio-color " && sort out >words && printf "%s\n" always auto never >expect && test_cmp expect words &&
	in_fish "perf report --stdio-color=al" && echo --stdio-color=always >expect && test_cmp expect out &&
	touch some.data && in_fish "perf report -i so" && echo some.data >expect && test_cmp expect out &&
	in_fish "perf record -a -- touch so" && echo some.data >expect && test_cmp expect out
'

test_done
