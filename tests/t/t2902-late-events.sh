#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='events that are reported late: a stream whose ATTR records stand between its samples gives what it gives with all
in front, and what the same bytes give as a file'
. "$(dirname "$0")/lib.sh"

test_require PYTHON
export PYTHONDONTWRITEBYTECODE=1

cat >flat.py <<-\EOT
	import sys
	sys.path.insert(0, sys.argv[1])
	import struct, perfdata as p
	st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER
	tasks = [p.comm(st, 100, 100, "prog", 1), p.mmap2(st, 100, 0x400000, 0x10000, 0, "/nosuch/prog", 2)]
	samples = [p.record(p.SAMPLE, 2, struct.pack("<QQIIQQ", 1, 0x401000 + i % 7, 100, 100, 1000 + i, 1 + i % 3)) for i in range(int(sys.argv[2]))]
	p.recording("flat.data", [p.attr(st)], tasks + samples, [(6, p.text("x86_64"))])
EOT

# shown NAME COMMAND...: what a command makes of the three, in NAME.late, NAME.first and NAME.file. Some texts name the
# input; how wide columns are follows the names known when the first line is printed.
shown () {
	local name=$1 way
	shift
	for way in late first file; do
		rm -f -- *.dump out.data out.json
		if [ $way = file ]; then "$@" -i late.data; else cat $way.data | "$@" -i -; fi >out 2>err || { cat err; return 1; }
		! grep -e Sanitizer -e "runtime error" err || return 1
		! grep -e "left out" -e "no event" err || return 1
		[ ! -e out.data ] || perf script -i out.data >>out || return 1
		[ ! -e out.json ] || cat out.json >>out
		# shellcheck disable=SC2012
		ls -- *.dump >/dev/null 2>&1 && cat -- *.dump >>out
		sed "s/\"captured-on\":[^,]*,//; s/\"data-size\":[0-9]*/size/; s/late\.data/-/g; s/'pipe'/'-'/g; s/  */ /g" out >"$name.$way"
	done
}

# same NAME COMMAND...
same () {
	shown "$@" && { [ -s "$1.late" ] || { echo "$1: no output"; false; } } && test_cmp "$1.first" "$1.late" && test_cmp "$1.file" "$1.late"
}

for n in 1 2 50 5000; do
	test_expect_success "samples of $n late events" '
		python3 flat.py "$TEST_DIR" 4400 &&
		python3 "$TEST_DIR/late-events.py" flat.data $n late.data first.data &&
		same stats perf report --stats &&
		samples=$(sed -n "s/.*SAMPLE events: *\([0-9]*\) *(.*/\1/p" stats.late) && [ "$samples" = 4400 ] &&
		same report perf report --stdio &&
		same json perf report --json &&
		[ "$(grep -o "\"samples\":[0-9]*" json.late | awk -F: "{ s += \$2 } END { print s }")" = 4400 ] &&
		same script perf script &&
		[ "$(grep -c " 40100" script.late)" = 4400 ] &&
		same dump perf script --per-event-dump &&
		same evlist perf evlist -v &&
		[ "$(grep -c size: evlist.late)" = $((n + 1)) ] &&
		same inject perf inject -b -o out.data &&
		same convert perf data convert --to-json out.json &&
		same tasks perf report --tasks
	'
done

for n in 2 5000; do
	test_expect_success "scheduler events, $n of them late" '
		gzip -dc "$TOP/tests/data/sched-6.18.data.gz" >sched.data &&
		python3 "$TEST_DIR/late-events.py" sched.data $n late.data first.data &&
		same latency perf sched latency &&
		same timehist perf sched timehist &&
		same summary perf sched timehist -S &&
		same map perf sched map &&
		same chrome perf data convert --to-trace-json out.json &&
		same script perf script &&
		same chart perf timechart -o out.json &&
		same report perf report --stdio -s prev_comm,next_comm
	'
done

test_expect_success ROOT,SYSCALLS 'system calls, 50 events of them late' '
	perf record -q -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o sys.data ls / >/dev/null &&
	python3 "$TEST_DIR/late-events.py" sys.data 50 late.data first.data &&
	same trace perf trace -o out.json &&
	same sums perf trace -s -o out.json
'

for n in 1 2 50 5000; do
	test_expect_success "counters, $n of them late" '
		python3 "$TEST_DIR/late-events.py" "$TOP/tests/data/small/stat.data" $n late.data first.data &&
		for way in late first file; do
			if [ $way = file ]; then perf stat report -i late.data; else cat $way.data | perf stat report -i -; fi 2>stat.$way || return 1
			[ -s stat.$way ] || return 1
		done &&
		test_cmp stat.first stat.late && test_cmp stat.file stat.late
	'
done

test_done
