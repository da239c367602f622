#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the options and sort keys of upstream perf 7.2: ours has them, or tests/data/options/differences says why not'
. "$(dirname "$0")/lib.sh"

table=$TOP/tests/data/options/differences

listed () {	# of its help, long options
	PAGER=cat "$@" -h 2>&1 </dev/null | grep -oE '^ +(-[A-Za-z0-9], )?--[a-z0-9][a-z0-9-]*' | grep -oE -- '--.*' | sort -u
}
justified () {	# COMMAND
	awk -F '\t' -v c="$1" '!/^#/ { n = split($1, of, ","); for (i = 1; i <= n; i++) if (of[i] == c) print $2 }' "$table" | tr ' ' '\n' | sort -u
}

for c in stat "stat record" "stat report" record report diff annotate top script trace probe sched "sched record" "sched latency" "sched map" \
		"sched replay" "sched timehist" "sched stats" timechart "timechart record" list evlist inject "data convert" \
		buildid-cache buildid-list config version kallsyms check archive test daemon "daemon start" "daemon signal" \
		"daemon ping" "daemon stop" bench mem "mem report" "c2c report" kvm "kvm stat report" "kvm stat live" "bench sched messaging" "bench sched pipe" "bench sched seccomp-notify" \
		"bench syscall basic" "bench syscall execve" "bench mem memcpy" "bench mem memset" "bench mem find_bit" "bench mem mmap" \
		"bench futex hash" "bench futex wake" "bench futex wake-parallel" "bench futex requeue" "bench futex lock-pi" \
		"bench epoll wait" "bench epoll ctl" "bench internals synthesize" "bench internals kallsyms-parse" \
		"bench internals evlist-open-close" "bench internals pmu-scan" "bench breakpoint thread" "bench breakpoint enable" \
		"bench uprobe baseline"; do
	test_expect_success NEWEST "perf $c" '
		listed "$NEWEST" $c >theirs && listed "$BUILD/perf" $c >ours && comm -23 theirs ours >missing &&
		justified "$c" >known && test_cmp known missing
	'
done

test_expect_success 'each line of the table has three fields, and a command that is looked at' '
	awk -F "\t" "!/^#/ && (NF != 3 || !length(\$3)) { print; bad = 1 } END { exit bad }" "$table" &&
	test "$(grep -vc "^#" "$table")" -gt 10
'

test_expect_success 'sort keys: those that the table names are still refused' '
	for k in $(justified "report -s"); do
		test_status 1 perf report -i "$TOP/tests/data/small/fp.data" --stdio -s $k 2>err && test_grep "unknown --sort key .$k." err || return 1
	done
'

test_done
