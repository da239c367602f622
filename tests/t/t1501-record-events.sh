#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf record: what is counted is what was done'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,UPSTREAM
test_workload counted

# how many samples upstream perf's script shows, without a word of complaint; further arguments select
upstream () { local f=$1; shift; "$UPSTREAM" script -i "$f" "$@" >lines 2>upstream.err && test ! -s upstream.err; }
count () { grep -c -e "$1" lines; }
said () { sed -n 's/.*Captured and wrote .*(\([0-9]*\) samples.*/\1/p' "$1"; }
same () { [ "$1" = "$2" ] || { echo "$3: $1, not $2"; return 1; }; }

test_expect_success 'page faults: each one a sample, in its function' '
	perf record -e page-faults -c 1 -o f.data ./counted faults 700 2>err && upstream f.data -F comm,ip,sym &&
	same "$(count touch_pages)" 700 "faults" && same "$(wc -l <lines)" "$(said err)" "samples said"
'

test_expect_success 'with call graphs by frame pointers' '
	perf record -q --call-graph fp -e page-faults:u -c 1 -o g.data ./counted depth 20 faults 50 && upstream g.data -F ip,sym &&
	awk "BEGIN { RS = \"\" } /touch_pages/ { n++; if (gsub(/ down\n/, \"&\") + gsub(/ down\$/, \"&\") != 21 || !/ main\n/) bad++ }
		END { print n, bad + 0; exit !(n == 50 && !bad) }" lines
'

test_expect_success 'a second event, and groups: each sample belongs to its event' '
	perf record -q -e page-faults -e context-switches:u -c 1 -o two.data ./counted faults 300 && upstream two.data -F event,ip,sym &&
	same "$(count "page-faults:.*touch_pages")" 300 faults &&
	perf record -q -e "{page-faults,minor-faults}" -c 1 -o grp.data ./counted faults 300 && upstream grp.data -F event,ip,sym &&
	same "$(count "page-faults:.*touch_pages")" 300 faults && same "$(count "minor-faults:.*touch_pages")" 300 "minor faults" &&
	"$UPSTREAM" evlist -g -i grp.data >groups 2>upstream.err && echo "{page-faults,minor-faults}" >expect && test_cmp expect groups
'

sq="'"
test_expect_success 'the names of groups, in a file and through a pipe' '
	perf record -q -e "mine{page-faults,minor-faults},{major-faults,page-faults:u},two:{cs,cs:u}" -c 1 -o name.data ./counted faults 9 &&
	printf "%s\n" "mine{page-faults,minor-faults}" "{major-faults,page-faults:u}" "two{cs,cs:u}" >expect &&
	perf evlist -g -i name.data >out && test_cmp expect out &&
	"$UPSTREAM" evlist -g -i name.data >out 2>upstream.err && test_cmp expect out &&
	sed "s/^/# group: /" expect >expect.h && perf report --header-only -i name.data | grep "# group" >out && test_cmp expect.h out &&
	perf report --stdio -i name.data | grep -o "of events.*" >out &&
	test "$(head -n 1 out)" = "of events ${sq}mine { page-faults, minor-faults }$sq" &&
	perf record -q -e "mine{page-faults,minor-faults}" -c 1 -o - ./counted faults 9 >name.pipe && perf evlist -g -i - <name.pipe >out &&
	head -n 1 expect >expect.1 && test_cmp expect.1 out && perf report --stdio -i - <name.pipe | grep -o "of events.*" >out &&
	echo "of events ${sq}mine { page-faults, minor-faults }$sq" >expect && test_cmp expect out
'

# the growth of each counter since the sample before, whatever the kernel puts into the period of a member
test_expect_success 'groups read by their leader: each member has a row with its own count' '
	perf record -q -e "{page-faults,minor-faults}:S" -c 10 -o s.data ./counted faults 300 && upstream s.data -F event,period &&
	perf script -i s.data -F event,period >ours && test_cmp lines ours && grep -c "10 *page-faults" ours >n && grep -v " 10 " ours >rest &&
	test "$(cat n)" -ge 30 && same "$(grep -c minor ours)" "$(cat n)" "rows of the member" && same "$(wc -l <rest)" 1 "first rows" &&
	test_grep " 9 minor-faults:" rest &&
	perf record -q -e "{page-faults,minor-faults/period=1/}:S" -c 1000 -o s.data ./counted faults 300 && upstream s.data -F event,period &&
	perf script -i s.data -F event,period >ours && test_cmp lines ours && test "$(grep -c "1 *minor-faults" ours)" -ge 300
'

test_expect_success SYSCALLS 'tracepoints: each call, its fields and the children' '
	perf record -q -e syscalls:sys_enter_getppid -o tp.data ./counted getppid 123 forks 4 && upstream tp.data -F comm,event &&
	same "$(count "counted.*sys_enter_getppid")" 123 calls && same "$(count "child.*sys_enter_getppid")" 40 "calls of children" &&
	perf record -q -i -e syscalls:sys_enter_getppid -o tp.data ./counted getppid 123 forks 4 && upstream tp.data -F comm,event &&
	same "$(wc -l <lines)" 123 "calls without inheritance"
'

test_expect_success SYSCALLS 'filters' '
	perf record -q -e syscalls:sys_enter_write --filter "count > 1000" -o fl.data ./counted writes 17 small 30 &&
	{ "$UPSTREAM" script -i fl.data -F trace >lines 2>/dev/null; } && same "$(count "count: 0x00000fa0")" 17 "large writes" && same "$(wc -l <lines)" 17 all &&
	perf record -q -e syscalls:sys_enter_getppid -e syscalls:sys_enter_write --filter "count < 10" -o fl.data \
		./counted writes 17 small 30 getppid 5 && upstream fl.data -F event &&
	same "$(count write)" 30 "small writes" && same "$(count getppid)" 5 "the other event" &&
	test_status 129 perf record -e page-faults --filter "count > 1" true 2>err &&
	test_status 1 perf record -e syscalls:sys_enter_write --filter "nosuch > 1" true 2>err && test_grep "nosuch" err
'

test_expect_success SYSCALLS 'a glob of tracepoints' '
	perf record -q -e "syscalls:sys_e*_getppid" -o gl.data ./counted getppid 20 && upstream gl.data -F event &&
	same "$(count sys_enter_getppid)" 20 enter && same "$(count sys_exit_getppid)" 20 exit
'

# counted in the background, held at its first "wait"; go lets it pass, and comes back when it is at the next one
start () {
	rm -f in out && mkfifo in out && { ./counted "$@" <in >out & } && p=$! && test_kill_at_end $p && exec 5>in 6<out && at_wait
}
at_wait () { read -r -t 60 x <&6 && test "$x" = ready; }
go () { echo >&5 && at_wait; }
end () { echo >&5; exec 5>&- 6>&-; wait $p; }
# perf record in the background, ready when it has answered
attach () {
	rm -f ctl ack && mkfifo ctl ack && exec 7<>ctl 8<>ack && { perf record -q --control fifo:ctl,ack "$@" & } && r=$! &&
	test_kill_at_end $r && say ping
}
say () { echo "$1" >&7 && read -r -t 60 x <&8 && test "$x" = ack; }

test_expect_success SYSCALLS 'one thread of a process, and per-thread rings' '
	start wait getppid 11 thread getppid 22 && attach --per-thread -e syscalls:sys_enter_getppid -t $p -o pt.data &&
	end && wait $r && upstream pt.data -F comm,event && same "$(wc -l <lines)" 11 "calls of the one thread"
'

test_expect_success SYSCALLS 'a whole process, its later threads and children too' '
	start wait getppid 11 forks 2 thread getppid 22 && attach -e syscalls:sys_enter_getppid -p $p -o pr.data &&
	end && wait $r && upstream pr.data -F comm,event &&
	same "$(count "second ")" 22 "of the thread" && same "$(count "child ")" 20 "of the children" && same "$(wc -l <lines)" 53 all
'

test_expect_success 'nothing is sampled before the delay is over, or while it is disabled' '
	perf record -q -D 60000 -e page-faults -c 1 -o d.data ./counted faults 100 && upstream d.data && same "$(wc -l <lines)" 0 lines &&
	perf record -q -D -1 -e page-faults -c 1 -o d.data ./counted faults 100 && upstream d.data && same "$(wc -l <lines)" 0 lines
'

# The windows begin with the recording: what is done in them is told by the times of the samples.
test_expect_success PYTHON '-D: windows, one after the other' '
	perf record -D 300-600,900-1200 -e page-faults -c 1 -o win.data python3 -c "
import mmap, time
while time.monotonic() and time.sleep(0.01) is None:
    mmap.mmap(-1, 4096).write(b\"x\")
    if time.process_time() > 60: break" 2>err & r=$! && test_kill_at_end $r && test_wait_for 30 "test \$(grep -c \"Events disabled\" err) = 3" &&
	kill -INT $r && test_status 143 wait $r && printf "Events %s\n" disabled enabled disabled enabled disabled | cat >expect &&
	grep ^Events err | test_cmp expect - && perf script -i win.data -F time | tr -d ": " >times &&
	python3 -c "
t = [float(x) for x in open(\"times\")]
gaps = [b - a for a, b in zip(t, t[1:])]
big = [i for i, g in enumerate(gaps) if g > 0.25]
first, second = t[:big[0] + 1], t[big[0] + 1:]
assert len(big) == 1 and len(first) > 5 and len(second) > 5, (big, len(t))
assert max(first) - min(first) <= 0.32 and max(second) - min(second) <= 0.32, (first, second)"
'

test_expect_success SYSCALLS 'control: a descriptor that is passed; its end is no end' '
	start wait getppid 10 wait getppid 20 wait && rm -f ctl && mkfifo ctl && { perf record --control fd:9 \
		-e syscalls:sys_enter_getppid -p $p -o fd.data 9<ctl 2>err & } && r=$! && test_kill_at_end $r && exec 7>ctl && echo dance >&7 &&
	exec 7>&- && test_wait_for 20 "test -s fd.data" && sleep 0.3 && go && go && kill -TERM $r && test_status 143 wait $r && end &&
	upstream fd.data -F event && same "$(wc -l <lines)" 30 "calls after the channel was closed" &&
	test_grep "unknown command .dance. on the control channel" err
'

test_expect_success SYSCALLS 'control: what happens between enable and disable is recorded' '
	start wait getppid 10 wait getppid 20 wait getppid 40 wait && attach -D -1 -e syscalls:sys_enter_getppid -p $p -o c.data &&
	go && say enable && go && say disable && go && say stop && wait $r && end && upstream c.data -F event &&
	same "$(wc -l <lines)" 20 "calls while it was enabled"
'

test_expect_success SYSCALLS,PERF_CGROUP 'cgroups: only what runs in it' '
	test_have ROOT && cg=$(awk "\$3 == \"cgroup\" && \$4 ~ /perf_event/ { print \$2; exit }" /proc/mounts) &&
	cg=${cg:-$(awk "\$3 == \"cgroup2\" { print \$2; exit }" /proc/mounts)} && test -n "$cg" && name=perftest-$$ &&
	mkdir "$cg/$name" 2>/dev/null || { test_skip "no cgroup can be made"; return; }
	perf record -q -a -e syscalls:sys_enter_getppid -G $name -o cg.data sh -c "echo \$\$ >$cg/$name/cgroup.procs; exec ./counted getppid 77"
	s=$?; rmdir "$cg/$name"; test $s = 0 && upstream cg.data -F comm,event && same "$(wc -l <lines)" 77 "calls in the cgroup" &&
	test_status 1 perf record -a -G nosuchgroup true 2>err && test_grep "no access to cgroup .nosuchgroup" err
'

test_lazy_prereq TWO_CPUS 'needs root and CPUs 0 and 1' 'test_have ROOT && taskset -c 0 true && taskset -c 1 true'
test_expect_success TWO_CPUS,PYTHON '-C: a task that was started on another CPU has its name and its files' '
	cat >move.py <<-\EOF &&
	import os, time
	os.sched_setaffinity(0, {1})
	end = time.process_time() + 0.3
	while time.process_time() < end: pass
	EOF
	perf record -q -C 1 -e cpu-clock -o moved.data taskset -c 0 python3 move.py && perf script -i moved.data -F comm,cpu,dso,ip >shown &&
	test_grep "^ *python3 +\[001\] .*python3[.0-9]*\)$" shown && test_grep -v "\[000\]" shown
'
test_expect_success TWO_CPUS,STRACE '-C: the side-band is of all CPUs, samples of the chosen ones, in rings of their size' '
	strace -f -e trace=perf_event_open,mmap -o calls perf record -q -C 1 -e cpu-clock -o x.data true &&
	test "$(grep -c "PERF_COUNT_SW_DUMMY.*}, -1, [0-9]*, -1, " calls)" = "$(getconf _NPROCESSORS_ONLN)" &&
	test "$(grep -c "PERF_COUNT_SW_CPU_CLOCK.*}, -1, [0-9]*, -1, " calls)" = 1 && test_grep "SW_CPU_CLOCK.*}, -1, 1, -1, " calls &&
	grep -E "MAP_SHARED, [0-9]+, 0\) = 0x" calls | grep -oE "NULL, (528384|8392704)" | sort | uniq -c >rings &&
	test "$(awk "{ print \$3 }" rings | sort -n | tr "\n" " ")" = "528384 8392704 "
'
test_expect_success PERF_SW,UPSTREAM '-R: raw samples carry the CPU, as in upstream perf' '
	perf record -q -R -e cpu-clock -o raw.data true && perf evlist -v -i raw.data >shown && test_grep "sample_type: IP.TID.TIME.CPU.PERIOD.RAW," shown
'

test_expect_success PERF_SW '--no-timestamp: samples have no time, what they get their names from has' '
	types () { perf evlist -v -i $1 | grep -o "sample_type: [A-Z|]*" | sed "s/.*: //"; } &&
	perf record -q --no-timestamp -e cpu-clock -o untimed.data perf test -w noploop 0.3 &&
	printf "%s\n" "IP|TID|PERIOD|IDENTIFIER" "IP|TID|TIME|IDENTIFIER" >want && types untimed.data >seen && test_cmp want seen &&
	perf report -i untimed.data --stdio -s comm,sym >seen && test_grep "perf-noploop .* noploop" seen &&
	perf doctor -i untimed.data >seen && test_grep "^note  clock +samples have no time" seen &&
	test_grep "fix: record without --no-timestamp" seen &&
	echo "IP|TID|TIME|PERIOD" >want && perf record -q --no-timestamp -T -e cpu-clock -o timed.data true &&
	types timed.data >seen && test_cmp want seen &&
	perf record -q --no-timestamp -e cpu-clock/time=1/ -o timed.data true && types timed.data >seen && test_cmp want seen
'

test_done
