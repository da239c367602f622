#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched on recordings that lack events, CPUs, or the beginning of a story, and on those of all kernels'
. "$(dirname "$0")/lib.sh"

test_workload schedenc

# NAME: COUNT delays, MAX us, and for how many us it was in which state.
cat >story.py <<\EOF
import json, sys
d = json.load(sys.stdin)
rows = {(t["comm"], t["tid"]): t for t in d["tasks"]}
us = lambda x: " ".join("%s %d" % (k[:-3], v // 1000) for k, v in x.items() if k.endswith("_ns") and k != "seen_ns" and v)
for t in d["timelines"]:
    row = rows.get((t["comm"], t["tid"]), {"count": 0, "max_delay_ns": 0})
    print("%s:%d %d delays up to %d:" % (t["comm"], t["tid"], row["count"], row["max_delay_ns"] // 1000), us(t))
for c in d["cpus"]:
    print("CPU %d:" % c["cpu"], us(c))
EOF
tell () { perf sched latency -p --json -i "$1" 2>err | python3 story.py; }

cat >states <<\EOF
cpus 1
0 0 switch swapper/0:0 R a:7
10 0 switch a:7 S b:8
20 0 switch b:8 D c:9
30 0 switch c:9 T a:7
40 0 switch a:7 t b:8
50 0 switch b:8 S c:9
60 0 switch c:9 R+ a:7
70 0 switch a:7 R b:8
80 0 switch b:8 Z c:9
90 0 switch c:9 X swapper/0:0
EOF
test_expect_success 'prev_state means the same whatever the bits of a kernel are' '
	echo "I S D T t S R R Z X" >expect &&
	for kernel in 2.6.32 3.2 4.9 4.14; do
		./schedenc states-$kernel.data states=$kernel <states &&
		perf sched timehist --state -i states-$kernel.data 2>err | awk "\$1 ~ /^[0-9]/ { print \$NF }" | xargs >out && test_cmp expect out || { echo "$kernel"; return 1; }
	done
'
test_expect_success 'states that only old kernels have; several at once' '
	sed "s/ D / DK /; s/ X / x /" states | ./schedenc old.data states=3.2 && echo "I S D T t S R R Z x" >expect &&
	perf sched timehist --state -i old.data 2>err | awk "\$1 ~ /^[0-9]/ { print \$NF }" | xargs >out && test_cmp expect out &&
	perf script -i old.data -F trace >out && grep "prev_state=D|K ==>" out && grep "prev_state=R+ ==>" out
'
test_expect_success PYTHON 'they mean the same to the sums' '
	tell states-4.14.data >expect && grep "^b:8 .*blocked 20" expect && grep "^c:9 .*preempted 20" expect &&
	for kernel in 2.6.32 3.2 4.9; do tell states-$kernel.data >out && test_cmp expect out || { echo "$kernel"; return 1; }; done
'
test_expect_success NEWEST 'the newest upstream perf reads the same letters' '
	for f in states-*.data; do
		perf sched timehist --state -i $f 2>err | sed "s/ *\$//" >out && "$NEWEST" sched timehist --state -i $f 2>err </dev/null | sed "s/ *\$//" >upstream &&
		test_cmp upstream out || { echo "$f"; return 1; }
	done
'

cat >wakes <<\EOF
cpus 2
0 0 comm 7 7 a
0 0 comm 8 8 b
0 0 comm 10 10 d
0 0 switch swapper/0:0 R a:7
100 0 switch a:7 S swapper/0:0
200 1 wake 0 a:7 0
210 0 wakeup 0 a:7 0
300 0 switch swapper/0:0 R a:7
400 0 switch a:7 R+ b:8
600 0 switch b:8 S a:7
700 0 new 7 d:10 0
800 0 switch a:7 S d:10
900 0 switch d:10 S swapper/0:0
EOF
test_expect_success PYTHON 'switches alone: preemptions are known, wake-ups are not invented' '
	./schedenc only.data only=switch <wakes && perf evlist -i only.data >out && grep -v "^#" out >got && echo sched:sched_switch >expect && test_cmp expect got &&
	tell only.data >out && cat >expect <<-\EOF && test_cmp expect out
	a:7 1 delays up to 200: running 400 preempted 200 sleeping 300
	b:8 0 delays up to 0: running 200 sleeping 300
	d:10 0 delays up to 0: running 100
	CPU 0: running 700 idle 200
	EOF
'
test_expect_success PYTHON 'with sched_wakeup, or sched_waking, or both: then the earlier one counts' '
	for o in "wakeup 90" "wake 100" "wake,wakeup 100" "wake,new,move 100"; do
		./schedenc some.data only=switch,${o% *} <wakes && tell some.data >out || return 1
		test_grep "^a:7 2 delays up to 200: running 400 runnable ${o#* } preempted 200 sleeping $((300 - ${o#* }))\$" out || { echo "$o"; return 1; }
	done &&
	./schedenc some.data only=switch,new <wakes && tell some.data >out && test_grep "^d:10 1 delays up to 100: running 100 runnable 100\$" out
'
test_expect_success NEWEST 'map and timehist of them equal the newest upstream perf' '
	for only in switch switch,wakeup switch,wake,wakeup switch,new; do
		./schedenc some.data only=$only <wakes || return 1
		for command in map "timehist -w"; do
			perf sched $command -i some.data 2>err | sed "s/ *\$//" >out && "$NEWEST" sched $command -i some.data 2>err </dev/null | sed "s/ *\$//" >upstream &&
			test_cmp upstream out || { echo "$only $command"; return 1; }
		done
	done
'
test_expect_success 'wake-ups without switches are no story' '
	./schedenc none.data only=wake <wakes && for command in latency map timehist replay; do
		test_must_fail perf sched $command -i none.data >out 2>err && test_grep "^Error: .none.data. has no sched_switch" err && test ! -s out || { echo "$command"; return 1; }
	done
'

# CPU 1 is not recorded. What is known of 7 there: that it is woken, moved, and seen again.
cat >half <<\EOF
cpus 2
0 0 switch swapper/0:0 R a:7
100 0 switch a:7 S swapper/0:0
200 0 wake 0 a:7 0
300 0 switch swapper/0:0 R a:7
400 0 switch a:7 R+ b:8
1000 0 wake 8 a:7 1
1010 0 move 8 a:7 1 0
1100 0 switch b:8 R+ a:7
1200 0 switch a:7 S b:8
1300 0 wake 8 a:7 0
1300 0 move 8 a:7 0 1
2000 0 wake 8 a:7 1
2010 0 move 8 a:7 1 0
2050 0 switch b:8 R+ a:7
2100 0 switch a:7 S b:8
2200 0 wake 8 a:7 1
3000 0 switch b:8 S swapper/0:0
EOF
test_expect_success PYTHON 'a CPU that is not recorded: what ran there meanwhile did not wait' '
	./schedenc half.data <half && tell half.data >out && cat >expect <<-\EOF && test_cmp expect out
	a:7 3 delays up to 100: unknown 2200 running 350 runnable 250 sleeping 200
	b:8 2 delays up to 100: running 2450 preempted 150
	CPU 0: running 2800 idle 200
	EOF
'
# 7 is taken from CPU 0, which becomes idle; all that is seen is that it comes back.
cat >taken <<\EOF
cpus 2
0 0 switch swapper/0:0 R a:7
100 0 wake 7 b:8 1
200 0 switch a:7 R+ c:9
300 0 switch c:9 S swapper/0:0
900 0 switch swapper/0:0 R a:7
1000 0 switch a:7 R+ c:9
1300 0 switch c:9 S a:7
1400 0 switch a:7 S swapper/0:0
EOF
test_expect_success PYTHON 'a CPU that becomes idle was not what a task waited for, if there are others' '
	./schedenc taken.data <taken && tell taken.data >out && test_grep "^a:7 1 delays up to 300: unknown 700 running 400 preempted 300\$" out &&
	grep -v wake taken | ./schedenc throttled.data && tell throttled.data >out && test_grep "^a:7 2 delays up to 700: running 400 preempted 1000\$" out
'
test_expect_success PYTHON 'where migrations are not recorded, a task that comes to another CPU has waited' '
	./schedenc few.data only=switch,wake <half && tell few.data >out && test_grep "^a:7 3 delays up to 750:" out
'

# CPU 1 goes offline: the last that is seen is its own thread for that. It comes back, without events.
cat >offline <<\EOF
cpus 2
0 0 switch swapper/0:0 R b:8
0 1 switch swapper/1:0 R a:7
100 1 switch a:7 R migration/1:20
110 1 move 20 a:7 1 0
120 1 switch migration/1:20 S cpuhp/1:19
200 0 switch b:8 S a:7
300 0 switch a:7 S b:8
400 0 wake 8 a:7 0
400 0 move 8 a:7 0 1
900 0 wake 8 a:7 1
900 0 move 8 a:7 1 0
950 0 switch b:8 R+ a:7
1000 0 switch a:7 S swapper/0:0
EOF
test_expect_success PYTHON 'a CPU that goes offline: neither it nor its thread is thought to run' '
	./schedenc off.data <offline && tell off.data >out && cat >expect <<-\EOF && test_cmp expect out &&
	b:8 0 delays up to 0: running 850 preempted 50 sleeping 100
	a:7 2 delays up to 100: unknown 500 running 250 runnable 50 preempted 100 sleeping 100
	migration/1:20 0 delays up to 0: running 20 sleeping 880
	cpuhp/1:19 0 delays up to 0: unknown 880
	CPU 0: running 1000
	CPU 1: running 120 unknown 880
	EOF
	echo "Warning: CPU 1 went offline meanwhile: what ran there afterwards was not recorded" >expect && test_cmp expect err
'
test_expect_success 'all that show something of it tell' '
	for command in "sched latency" "sched map" "sched timehist --no-call-graph" "timechart -o o.svg"; do
		perf $command -i off.data >out 2>err && test_grep "^Warning: CPU 1 went offline meanwhile: " err || { echo "$command"; return 1; }
	done
'

# One id, three tasks: the first one was there before; names change while it runs.
cat >ids <<\EOF
cpus 1
0 0 comm 50 50 parent
0 0 switch swapper/0:0 R first:7
100 0 comm 7 7 renamed
200 0 switch renamed:7 X parent:50
200 0 gone 7 7
300 0 fork parent:50 parent:7
310 0 new 50 parent:7 0
400 0 switch parent:50 S parent:7
450 0 comm 7 7 second
500 0 switch second:7 X swapper/0:0
500 0 gone 7 7
600 0 wake 0 parent:50 0
600 0 switch swapper/0:0 R parent:50
700 0 fork parent:50 third:7
700 0 new 50 third:7 0
750 0 switch parent:50 S third:7
800 0 switch third:7 S swapper/0:0
EOF
test_expect_success PYTHON 'one id, three tasks' '
	./schedenc ids.data <ids && tell ids.data >out && grep ":7 " out >got && cat >expect <<-\EOF && test_cmp expect got
	renamed:7 0 delays up to 0: running 200 dead 600
	second:7 1 delays up to 90: unknown 10 running 100 runnable 90 dead 300
	third:7 1 delays up to 50: running 50 runnable 50
	EOF
'
test_expect_success PYTHON 'the sums of all recordings made here close' '
	python3 "$TEST_DIR/schedsums.py" "$BUILD/perf" *.data
'
test_done
