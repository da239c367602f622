#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report: rows, columns and groups as the options choose them'
. "$(dirname "$0")/lib.sh"

test_workload threads

test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'perf record -q -o probe.data -e cpu-clock true'

# Rows and titles without what depends on where libc's code is; the newest stock's demangler and inliner are not asked.
report () {	# report PERF FILE OPTIONS...
	local which=$1 file=$2
	shift 2
	"$which" report --stdio --no-inline -i "$file" "$@" 2>err | grep -av -e 'Tip:' -e 'libc' -e 'unknown' -e 'start_thread'
}
same_as_newest () {	# same_as_newest FILE OPTIONS...
	report "$NEWEST" "$@" >expect && report perf "$@" >actual && [ -s expect ] && test_cmp expect actual
}

test_expect_success RECORD 'a recording with call chains' '
	perf record -q -F 999 -e cpu-clock:u -g -o g.data ./threads 1 300 >/dev/null
'
test_expect_success RECORD '-S and -d with children: callers are rows with their names' '
	perf report --stdio --no-inline -i g.data -S hot -d threads -g none >out &&
	test_grep "^# symbol: hot" out &&
	test_grep "^# dso: threads" out &&
	test_grep "^# Children      Self  Command   Shared Object  Symbol" out &&
	for name in worker climb hot; do test_grep "  threads +\[\.\] $name\$" out || return 1; done &&
	test_grep -v "\[\.\] (cold|main)" out &&
	! grep "%" out | grep -v "\[[.k]\] [^ ]"
'
test_expect_success RECORD '-S and -d without children: one value is no column' '
	perf report --stdio -q -i g.data --no-children -S hot -d threads -g none -F period,comm,dso,sym >out &&
	test_grep "^ +[0-9]+  worker-0\$" out
'
test_expect_success RECORD '--symbol-filter with children picks rows, and their totals stay' '
	rows () { perf report --stdio --no-inline -q -g none -F overhead_children,overhead,sym "$@" | grep %; } &&
	rows -i g.data | grep climb >expect &&
	[ "$(wc -l <expect)" = 1 ] &&
	rows -i g.data --symbol-filter=lim >out &&
	test_cmp expect out &&
	rows -i g.data lim >out &&
	test_cmp expect out &&
	rows g.data lim >out &&
	test_cmp expect out
'
test_expect_success RECORD,NEWEST '--symbol-filter: as the newest stock' '
	same_as_newest g.data --symbol-filter=lim &&
	same_as_newest g.data --symbol-filter=lim -g none &&
	same_as_newest g.data -G lim
'
test_expect_success 'too many arguments: the first that is one is named' '
	test_status 129 perf report --stdio foo bar baz 2>err &&
	test_grep "too many arguments: .baz." err &&
	test_status 129 perf report --stdio -i foo bar baz 2>err &&
	test_grep "too many arguments: .baz." err
'
test_done
