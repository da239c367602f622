#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf script: order, threads, pipes, errors'
. "$(dirname "$0")/lib.sh"

test_workload story

record () { perf record -q "$@"; }

test_lazy_prereq RECORD 'needs a recorder that can sample page faults' 'record -o probe.data -e page-faults -c 1 true && [ -s probe.data ]'

test_expect_success RECORD 'recordings' '
	record -e page-faults -c 1 -g -o g.data ./story &&
	record -e page-faults -c 1 -g -o many.data ./story 2500
'
test_expect_success RECORD 'any number of threads prints the same bytes' '
	perf script --jobs 1 -i many.data >one && perf script --jobs 2 -i many.data >two && perf script --jobs 7 -i many.data >seven &&
	[ $(grep -c "page-faults:" one) -gt 2000 ] &&
	cmp one two && cmp one seven
'
test_expect_success RECORD 'tasks and files of the story' '
	perf script --no-inline -i g.data >out &&
	for comm in "story" "first" "second one" "child" "executed"; do
		perf script -i g.data --comms "$comm" -F comm,sym,ip >one && grep "	.* touch\$" one >touches &&
		[ $(wc -l <touches) -ge 100 ] || { echo "$comm"; cat one | head -20; return 1; }
	done &&
	test_grep "	.* __lgamma_[^ ]* \(.*/libm\.so\.6\)$" out
'
test_expect_success RECORD 'time goes on' '
	perf script -i many.data -F time | sed "s/[:. ]//g" >times && [ "$(grep -cE "^[0-9]+$" times)" -gt 2000 ] && sort -n -s times | cmp - times
'
test_expect_success RECORD 'pipe mode is read as it comes' '
	record -e page-faults -c 1 -g -o - ./story 50 >pipe.data &&
	perf script --no-inline -i pipe.data >file.txt && perf script --no-inline -i - <pipe.data >in.txt &&
	cat pipe.data | perf script --no-inline -i - >through.txt &&
	cmp file.txt through.txt && cmp in.txt through.txt && [ $(grep -c page-faults: file.txt) -gt 100 ]
'
test_expect_success RECORD 'a recording in a file does not come through a pipe, and that is said' '
	cat g.data | test_must_fail perf script -i - 2>err && grep "cannot be read through a pipe" err &&
	perf script -i - <g.data >in.txt && perf script -i g.data >file.txt && cmp in.txt file.txt
'
test_expect_success RECORD 'a reader that leaves is no error' '
	perf script -i many.data 2>err | head -n 1 >first && [ -s first ] && test_cmp /dev/null err
'
test_expect_success RECORD 'a file per event' '
	record -e page-faults,cpu-clock -o two.data ./story 100 &&
	perf script -i two.data --per-event-dump >log && cat log &&
	[ $(wc -l <two.data.page-faults.dump) = $(sed -n "s/.*page-faults.dump (\([0-9]*\) samples.*/\1/p" log) ] &&
	[ -e two.data.cpu-clock.dump ]
'
test_expect_success RECORD 'fields that cannot be are named' '
	test_must_fail perf script -i g.data -F nosuch 2>err && grep "^Error: there is no field .nosuch.$" err &&
	test_must_fail perf script -i g.data -F smy 2>err && grep "did you mean .sym" err &&
	test_must_fail perf script -i g.data -F cpu 2>err &&
	grep "^Error: samples for .page-faults. event do not have CPU attribute set: cannot print .cpu. field$" err &&
	test_must_fail perf script -i g.data -F comm,-time 2>err && grep "^Error: -F chooses fields or changes" err && grep "^Hint: .*-F comm,time -F +ip$" err && perf script -i g.data -F comm,time -F +ip >out &&
	test_must_fail perf script -i g.data -F xx:comm 2>err && grep "^Error: there is no type of events .xx. for -F$" err &&
	test_must_fail perf script -i g.data -F "" 2>err && grep "^Error: -F names no field" err &&
	test_must_fail perf script -i g.data -C 0 2>err && grep "^Error: the samples of this recording do not have their CPU" err && grep "^Hint: leave -C out" err &&
	test_must_fail perf script -i g.data --time 5,x 2>err && grep "invalid time string .5,x" err
'
test_expect_success RECORD 'a task that is not there is said to be missing' '
	perf script -i g.data -c nobody >out 2>err && test_cmp /dev/null out && grep "no sample of a task named .nobody.*story" err
'
test_expect_success 'files that cannot be read' '
	test_must_fail perf script -i nosuch.data 2>err && grep "nosuch.data" err &&
	echo hello >bad.data && test_must_fail perf script -i bad.data 2>err && grep "bad.data" err &&
	: >empty.data && test_must_fail perf script -i empty.data 2>err && grep "empty.data" err
'
test_expect_success RECORD 'a recording that was cut off shows what is there' '
	size=$(stat -c %s many.data) && head -c $((size / 2)) many.data >cut.data &&
	test_status 1 perf script -i cut.data >out 2>err && [ $(grep -c page-faults: out) -gt 500 ] && [ -s err ]
'

test_expect_success PERF_SW 'what perf stat recorded: a line a counter, and what it counted in each round' '
	perf stat record -o stat.data -e page-faults,task-clock true 2>/dev/null &&
	perf stat report -i stat.data -x, 2>&1 | cut -d, -f1,3 | sort >expect &&
	perf script -i stat.data >out &&
	test_grep "^CPU   THREAD             VAL             ENA             RUN            TIME EVENT$" out &&
	awk "NR > 1 { v = \$3; if (\$7 == \"task-clock\") v = sprintf(\"%.2f\", v / 1e6); print v \",\" \$7 }" out | sort >actual &&
	test_cmp expect actual &&
	perf stat record -o - -e page-faults true 2>/dev/null | perf script -i - >out && test_grep "^ -1 +[0-9]+ +[0-9]+ .* page-faults$" out &&
	perf stat record -I 20 -o rounds.data -e page-faults sleep 0.05 >/dev/null 2>&1 &&
	perf script -i rounds.data | awk "NR > 1 { n += \$3; rounds++ } END { print n, (rounds > 1) }" >actual &&
	perf stat report -i rounds.data -x, 2>&1 | awk -F, "{ n += \$2 } END { print n, 1 }" >expect && test_cmp expect actual
'
test_expect_success PERF_SW,UPSTREAM 'what perf stat recorded: as upstream perf shows it, of files of both' '
	perf stat record -a -A -o ours.data -e page-faults,task-clock sleep 0.01 2>/dev/null &&
	"$UPSTREAM" stat record -a -A -o theirs.data -e page-faults,task-clock sleep 0.01 2>/dev/null &&
	for file in ours theirs stat; do
		"$UPSTREAM" script -i $file.data >expect && perf script -i $file.data >actual && [ -s expect ] && test_cmp expect actual || return 1
	done
'
test_done
