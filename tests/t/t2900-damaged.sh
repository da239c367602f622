#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='damaged recordings: no crash, no hang, and never mute'
. "$(dirname "$0")/lib.sh"

small=$TOP/tests/data/small
copies=${DAMAGED_COPIES:-16}

test_workload damage

# Each copy goes through one command; which one changes from copy to copy.
commands=('report --stdio' 'script' 'evlist -v' 'report -D' 'report --header-only -I' 'buildid-list' 'sched latency'
'data convert -f --to-json out.json')

# show_one FILE COMMAND: the output in out, messages in err. False for a crash, a hang, a finding, or a failure without a word.
show_one () {
	# shellcheck disable=SC2086
	timeout 60 perf $2 -i "$1" >out 2>err
	local rc=$?
	case $rc in
	0) ;;
	124|137) echo "it hangs"; return 1 ;;
	1|129|255) [ -s err ] || { echo "status $rc without a message"; return 1; } ;;
	*) echo "status $rc"; tail -20 err; return 1 ;;
	esac
	! grep -e Sanitizer -e "runtime error" err
}

for base in fp dwarf sched pipe zstd stat; do
	test_expect_success "$base: damaged copies" '
		show_one "$small/$base.data" "report -D" && test_grep "PERF_RECORD_|^0x" out || return 1
		for ((seed = 1; seed <= copies; seed++)); do
			cmd=${commands[seed % ${#commands[@]}]}
			./damage $seed "$small/$base.data" bad.data || return 1
			show_one bad.data "$cmd" || { echo "damage $seed $base.data, perf $cmd"; return 1; }
			[ ! -s out ] && [ ! -s err ] || continue
			# mute: only where the whole file has nothing to show either
			show_one "$small/$base.data" "$cmd" || return 1
			[ ! -s out ] || { echo "mute: damage $seed $base.data, perf $cmd"; return 1; }
		done
	'
done

test_expect_success 'what could not be decoded is named, with its place' '
	cp "$small/fp.data" bad.data && chmod 600 bad.data &&
	at=$(perf script --dump-raw-trace -i bad.data | awk "/PERF_RECORD_MMAP2/ { print \$2; exit }") &&
	printf "\020\000" | dd of=bad.data bs=1 seek=$((at + 6)) conv=notrunc 2>/dev/null &&
	{ perf report --stdio -i bad.data >out 2>err; test_grep "the first: MMAP2 \(10\) at offset $at: the record is too short$" err; }
'
test_expect_success 'the whole ones are read without a warning' '
	for base in fp dwarf sched pipe zstd; do
		cp "$small/$base.data" whole.data &&
		perf script -i whole.data >out 2>err && [ -s out ] || { cat err; return 1; }
		! grep -i -e damaged -e "cut off" -e "left out" -e beyond err || return 1
	done
'

test_done
