#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched script, map, timehist and latency against the newest upstream perf, line by line: every difference has a reason that is checked'
. "$(dirname "$0")/lib.sh"

# schedcmp.py says which classes of differences there are, and checks each against the events of the file.
test_require NEWEST,PYTHON
test_workload schedmix
test_workload schedenc
test_lazy_prereq SCHED 'needs root and the scheduler tracepoints' 'perf sched record -o probe.data true && [ -s probe.data ]'
# Each fresh recording of a busy machine may have a kind of difference that nobody has looked into yet.
test_lazy_prereq FRESH 'compares fresh recordings, where new kinds of differences are still found now and then: asked for by SCHED_FRESH=1' \
	'[ -n "$SCHED_FRESH" ]'
same () { python3 "$TEST_DIR/schedcmp.py" "$BUILD/perf" "$NEWEST" "$@"; }

test_expect_success FRESH,UPSTREAM,SCHED 'a recording of the old upstream perf on this kernel' '
	"$UPSTREAM" sched record -B -o old.data ./schedmix 1 >/dev/null 2>&1 && same old.data
'
test_expect_success FRESH,SCHED 'a recording of ours' '
	perf sched record -o ours.data ./schedmix 1 >/dev/null 2>&1 && same ours.data
'
test_expect_success 'a recording of 6.1 on its own kernel, with schedstats' '
	gzip -dc "$TEST_DIR/../data/sched-6.1.data.gz" >k.data && same k.data
'
test_expect_success 'stories: preempted, blocked, moved while it waits, dead; a CPU that was never idle' '
	cat >story <<-\EOF &&
	cpus 3
	0 0 comm 100 100 hog
	0 0 comm 200 200 server
	0 0 comm 300 300 other
	1000 0 switch swapper/0:0:0 R hog:100:100
	1010 2 switch other:300 R third:400
	1100 1 switch swapper/1:0:0 R server:200
	1200 0 switch hog:100:100 R other:300
	1210 0 move 300 hog:100 0 1
	1250 0 move 300 hog:100 1 0
	1300 0 switch other:300 S hog:100:90
	1400 0 wake 100 other:300 0
	1410 0 move 300 other:300 0 1
	1430 1 switch server:200 D other:300
	1500 0 switch hog:100:100 D swapper/0:0
	1550 1 wake 300 server:200 1
	1600 1 wake 300 hog:100 0
	1700 0 switch swapper/0:0 R hog:100
	1800 1 switch other:300 R server:200
	1900 1 switch server:200 T other:300
	1950 1 wake 300 server:200 1
	1960 1 switch other:300 Z server:200
	2000 0 switch hog:100:100 S swapper/0:0
	2100 1 switch server:200 S swapper/1:0
	EOF
	./schedenc s.data <story && same s.data
'
test_expect_success 'a story with lost events' '
	sed "/^1430/d; s/^1700.*/1600 0 lost 7/" story >lost && ./schedenc l.data <lost && same l.data
'
# Upstream perf makes 1.9 ms of the delay of "late", whose first event is a running time: it was woken up 0.5 ms before it ran.
# "deaf" waits 0.3 ms after a wake-up that upstream perf does not hear, because no event told that deaf went to sleep.
test_expect_success 'a story of waits: the columns of latency, and what upstream perf has instead' '
	cat >story <<-\EOF &&
	cpus 2
	0 0 comm 100 100 late
	0 0 comm 200 200 deaf
	0 0 comm 300 300 dies
	100 1 runtime 5 late:100 50
	1000 0 switch swapper/0:0 R deaf:200
	1100 1 switch swapper/1:0 R dies:300
	1200 1 gone 300 300
	1300 1 switch dies:300 Z swapper/1:0
	1500 0 wake 5 late:100 1
	2000 1 switch swapper/1:0 R late:100
	2100 1 switch late:100 S swapper/1:0
	2400 0 switch swapper/0:0 R dies:300
	2500 0 wake 5 deaf:200 1
	2800 1 switch swapper/1:0 R deaf:200
	2900 1 switch deaf:200 S swapper/1:0
	EOF
	./schedenc w.data <story && perf sched latency -p -i w.data >out 2>/dev/null &&
	test_grep "late:100 .*[|]        1 [|] avg:   0\.500 ms" out && test_grep "deaf:200 .*[|]        1 [|] avg:   0\.300 ms" out &&
	"$NEWEST" sched latency -p -i w.data >out 2>/dev/null &&
	test_grep "late:100 .*[|]        1 [|] avg:   1\.900 ms" out && test_grep "deaf:200 .*[|]        1 [|] avg:   0\.000 ms" out &&
	same w.data
'
test_expect_success CORPUS 'switches of one program in a recording of others' '
	cp "$CORPUS"/perfparser-perf.data.zstd.unqz-3e9027/perf.data c.data && same c.data no-chains
'
test_expect_success PYTHON 'the sums of all recordings made here close' '
	python3 "$TEST_DIR/schedsums.py" "$BUILD/perf" *.data
'
test_done
