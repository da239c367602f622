#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf without a command: lists, version, help, errors, pager, completion'
. "$(dirname "$0")/lib.sh"

test_expect_success 'perf alone lists the common commands and fails' '
	test_status 1 perf >out 2>err &&
	head -n 4 out >head &&
	printf "\n usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]\n\n The most commonly used perf commands are:\n" >expect &&
	test_cmp expect head &&
	test_grep "^   version         display the version of perf binary$" out &&
	test_grep "^ See .perf help COMMAND. for more information on a specific command.$" out &&
	perf --help >help && test_cmp out help
'

test_expect_success UPSTREAM 'each common command has the text that upstream perf has' '
	"$UPSTREAM" --help 2>/dev/null | grep "^   [a-z]" | sort >upstream &&
	perf --help | grep "^   [a-z]" | sort >ours &&
	join -o 1.1 <(awk "{ print \$1 }" ours | sort) <(awk "{ print \$1 }" upstream | sort) >both &&
	test -s both &&
	while read -r cmd; do
		grep "^   $cmd " upstream >s && grep "^   $cmd " ours >o && test_cmp s o || return 1
	done <both
'

test_expect_success 'an unknown command is reported, with a suggestion' '
	test_status 1 perf vresion >out 2>err &&
	printf "perf: '"'vresion'"' is not a perf-command. See '"'perf --help'"'.\n\nDid you mean version?\n" >expect &&
	test_cmp expect err && ! test -s out &&
	test_status 1 perf zzzzzz 2>err &&
	test_grep -v "Did you mean" err
'

test_expect_success NEWEST 'each command of the newest upstream perf is there' '
	perf --list-cmds | tr " " "\n" | grep . | sort -u >ours && "$NEWEST" --list-cmds 2>/dev/null | tr " " "\n" | grep . | sort -u >theirs && test -s theirs &&
	comm -13 ours theirs >missing && test_cmp /dev/null missing
'

test_expect_success 'the version, in all spellings' '
	perf version >out && test_grep "^perf version [0-9]+\.[0-9]+\.[0-9]+$" out &&
	test "$(wc -l <out)" = 1 &&
	perf --version >out2 && test_cmp out out2 &&
	perf -v >out2 && test_cmp out out2
'

test_expect_success 'build options: a name in 22 columns, on or OFF, the macro' '
	perf version --build-options >out &&
	test "$(head -n 1 out)" = "$(perf version)" &&
	sed 1d out >rows &&
	! grep -vE "^ *[a-zA-Z0-9_-]+: \[ (on |OFF) \]  # HAVE_[A-Z0-9_]+( \( tip: .* \))?$" rows &&
	! grep -vE "^.{22}: " rows &&
	for f in dwarf dwarf_getlocations glibc syscall_table libbfd libelf libnuma numa_num_possible_cpus libperl libpython \
		libslang libcrypto libunwind libdw-dwarf-unwind zlib lzma get_cpuid bpf; do
		test_grep "^ *$f: " rows || return 1
	done &&
	perf --version --build-options >out2 && test_cmp out out2
'

test_expect_success 'usage errors: status 129, the text on stderr' '
	test_status 129 perf version --nosuch >out 2>err &&
	printf "Error: unknown option \`nosuch'"'"'\n\n Usage: perf version [<options>]\n\n See '"'perf version -h'"' for the options.\n\n" >expect &&
	test_cmp expect err && ! test -s out &&
	test_status 129 perf version -Z 2>err &&
	test_grep "^Error: unknown switch .Z.$" err &&
	for c in record report script stat trace probe sched "sched map" inject; do
		test_status 129 perf $c --nosuch 2>err && [ "$(wc -l <err)" -le 12 ] && test_grep "^ Usage: perf $c" err &&
		test_grep "^ See .perf $c -h. for the options.$" err || return 1
	done &&
	test_status 129 perf data 2>err && test_grep "^Error: perf data needs a sub-command: convert$" err &&
	test_status 129 perf trace -c true 2>err && test_grep "^Error: -c is strace" err && test_grep -v "summary-strace" err &&
	test_status 129 perf --nosuch 2>err &&
	test_grep "unknown option .nosuch" err
'

test_expect_success 'options that other perfs have: what does the work instead' '
	test_status 129 perf report --pretty 2>err && test_grep "^Error: unknown option .pretty.$" err &&
	test_grep "^Hint: this perf does not have it: perf script -D shows records as they are" err &&
	test_status 129 perf script --xed 2>err && test_grep "insn-trace=disasm" err &&
	for use in "report -T" "script -d"; do
		test_status 129 perf $use 2>err && test_grep "^Error: unknown switch .${use#* -}.$" err &&
		test_grep "^Hint: this perf does not have it: .{20}" err || return 1
	done &&
	test_status 129 perf report --prettz 2>err && test_grep -v "does not have it" err
'

# Each long option of the newest upstream perf is taken, or it is said what to do without it.
test_expect_success 'what is wrong with a value is said in plain English' '
	for v in 0 x -1; do
		test_status 129 perf record -F $v true 2>err && test_grep "^Error: .$v. is not a frequency: give samples per second, or max$" err || return 1
	done
'

test_expect_success NEWEST 'no option of these commands is refused without a word' '
	for cmd in report script inject buildid-cache buildid-list stat "stat report" record list "data convert"; do
		test_status 129 perf $cmd --no-such-one=1 2>err && test_grep "unknown option" err || return 1
		"$NEWEST" $cmd -h 2>&1 | grep -oE -e "^ +(-[a-zA-Z0-9], )?--[a-z0-9-]+" | grep -oE -e "--[a-z0-9-]+" >options && test -s options || return 1
		while read -r o; do
			perf $cmd "$o=1" -i /nonexistent </dev/null >out 2>err
			! grep -q "unknown option" err || grep -q "this perf does not have it" err || { echo "perf $cmd $o"; return 1; }
		done <options
	done
'

test_expect_success NEWEST,PERF_SW 'each sort key of the newest upstream perf is taken, or it is said what shows the same' '
	perf record -q -e cpu-clock -o k.data true && "$NEWEST" report -h 2>&1 |
		sed -n "/sort by key/,/^ *-/p" | sed "s/.*sort by key(s)://; /^ *-/d" | tr -s "\t " "\n" | grep . >keys && [ $(wc -l <keys) -gt 60 ] &&
	while read -r k; do
		perf report --stdio -i k.data -s $k >out 2>err || ! grep -q "unknown --sort key" err || grep -qE "this perf does not have it: .{20}" err || { echo "$k"; cat err; return 1; }
	done <keys && test_status 1 perf report --stdio -i k.data -s nosuch 2>err && test_grep "^Hint: keys: overhead " err &&
	perf report --stdio -i k.data -s retire_lat >a && perf report --stdio -i k.data -s p_stage_cyc >b && test_cmp a b
'

test_expect_success 'every command answers -h with status 0 and its usage' '
	commands=$(perf --list-cmds) && test "$(echo $commands | wc -w)" -ge 20 &&
	for cmd in $commands; do
		perf $cmd -h >out 2>err </dev/null || { echo "perf $cmd -h: status $?"; return 1; }
		test_grep "^ Usage: perf $cmd" out && ! test -s err || { echo "perf $cmd -h"; return 1; }
	done
'

test_expect_success 'every command lists its options, has a page, and the page is in order' '
	commands=$(perf --list-cmds) && test "$(echo $commands | wc -w)" -ge 20 &&
	for cmd in $commands; do
		perf $cmd --list-opts >out </dev/null || { echo "perf $cmd --list-opts: status $?"; return 1; }
		page="$TOP/Documentation/perf-$cmd.txt" &&
		test -e "$page" || { echo "no $page"; return 1; }
		head -n 1 "$page" >first && test_grep "^perf-$cmd\(1\)$" first &&
		for s in NAME SYNOPSIS DESCRIPTION OPTIONS "SEE ALSO"; do
			grep -qx "$s" "$page" || { echo "$page: no section $s"; return 1; }
		done &&
		grep -qE "^\{options( [a-z-]+)*\}$" "$page" || { echo "$page: OPTIONS must hold the line {options}"; return 1; }
		perf $cmd --help >help </dev/null 2>&1 || { echo "perf $cmd --help: status $?"; return 1; }
		test_grep "^    perf-$cmd - " help && test_grep -v "\{options" help || return 1
		test_grep -v "(::$|^\[verse\]|^-----*$|^=====*$|linkperf)" help || { echo "$cmd"; return 1; }
	done
'

test_expect_success 'perf help CMD is perf CMD --help' '
	perf help version >out && perf version --help >out2 && test_cmp out out2 &&
	test_grep "^    --build-options$" out &&
	test_status 1 perf help nosuch 2>err &&
	test_grep "no manual entry for .perf-nosuch" err
'

test_expect_success 'perf help perf: perf(1), with the options of perf itself; examples keep their columns' '
	perf help perf >out && head -n 1 out >first && test_grep "^perf\(1\)$" first && test_grep "^    --buildid-dir=<dir>$" out &&
	test_grep "^          *1.05 msec task-clock  *#" out && test_status 1 perf help perf-nosuch 2>err &&
	test_grep "no manual entry for .perf-nosuch" err
'

test_expect_success 'perf help: its options are those of other perfs' '
	perf help >expect && test_grep "^   record  " expect &&
	for opt in -a --all all; do perf help $opt >out && test_cmp expect out || return 1; done &&
	perf help version >expect && perf help -m version >out && test_cmp expect out &&
	for opt in -i --info -w --web; do
		case $opt in *i*) kind=info ;; *) kind=web ;; esac
		test_status 1 perf help $opt record >out 2>err && ! test -s out &&
		printf "Error: this perf has no %s pages\nHint: %s\n" $kind "'"'perf help record'"' shows the manual page" >expect &&
		test_cmp expect err || return 1
	done &&
	test_status 1 perf help -i 2>err && test_grep "^Hint: .perf help. lists all commands" err
'

test_expect_success 'an option that only other perfs have is no abbreviation of one of ours' '
	test_status 129 perf script --guest-cod >out 2>err && ! test -s out &&
	test_grep "unknown option .guest-cod" err &&
	perf script --list-f >out && test_grep "^Fields: comm,tid" out
'

test_expect_success 'pages become man pages' '
	"$TOP/scripts/mkman.sh" "$BUILD/perf" man "$TOP/Documentation/perf-version.txt" "$TOP/Documentation/perf.txt" &&
	test_grep "^\.TH \"PERF.*-VERSION\" 1" man/perf-version.1 &&
	test_grep "^\.SH OPTIONS" man/perf-version.1 &&
	test_grep "build..options" man/perf-version.1 &&
	test_grep -v "\{options" man/perf-version.1 &&
	test_grep "buildid..dir" man/perf.1
'

test_expect_success 'a program called perf-CMD runs that command' '
	ln -s "$BUILD/perf" perf-version &&
	./perf-version >out && perf version >expect && test_cmp expect out && test_grep "^perf version [0-9]" out
'

test_expect_success 'global options' '
	perf --no-pager --buildid-dir x --debugfs-dir y --debug verbose=0 version >out && perf version >expect && test_cmp expect out &&
	test_grep "^perf version [0-9]" out &&
	test_status 129 perf --debug nosuch version 2>err &&
	test_grep "no such debug domain" err &&
	perf --list-cmds >cmds && test_grep "(^| )version " cmds &&
	perf --list-opts >opts && test_grep "^--help .*--no-pager " opts
'

test_expect_success 'output that cannot be written is a failure' '
	test -c /dev/full || { test_skip "needs /dev/full"; return; }
	test_status 1 perf version >/dev/full 2>err &&
	test_grep "cannot write to standard output: No space left on device" err
'

test_expect_success PTY 'on a terminal the list goes through the pager, elsewhere not' '
	cat >pager <<-\EOP &&
	#!/bin/sh
	echo PAGED
	cat
	EOP
	chmod +x pager &&
	PERF_PAGER=$TRASH/pager script -qec "perf --help" typescript >out </dev/null &&
	test_grep PAGED out && test_grep "display the version" out &&
	PERF_PAGER=$TRASH/pager perf --help >out && test_grep -v PAGED out &&
	PERF_PAGER=$TRASH/pager script -qec "perf --no-pager --help" typescript >out </dev/null &&
	test_grep -v PAGED out && test_grep "display the version" out &&
	PERF_PAGER=$TRASH/nosuch script -qec "perf --help" typescript >out </dev/null &&
	test_grep "^Warning: the pager .*/nosuch. cannot be run: PERF_PAGER" out && test_grep "display the version" out &&
	PERF_PAGER="$TRASH/pager | cat" script -qec "perf --help" typescript >out </dev/null && test_grep PAGED out &&
	env -u PERF_PAGER PATH="$PATH" PAGER=nosuch script -qec "perf --help" typescript >out </dev/null &&
	test_grep "^Warning: the pager .nosuch. cannot be run" out && test_grep "display the version" out
'

test_done
