#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace: everything is shown while it happens, with and without BPF'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq SYSBPF 'needs a kernel that lets BPF watch system calls' \
	'test_have BPF && ! perf trace -v -e close -o probe true 2>&1 | grep -qi "cannot load the BPF programs"'

test_require ROOT,TRACEFS,SYSCALLS,CC
test_workload syslines
test_workload sysmix
mkdir d

# A command that ends with 7 as soon as the output has a line that matches.
cat >waits <<\EOF
for i in $(seq 200); do
	mkdir -p w
	grep -qE "$1" out && exit 7
	sleep 0.05
done
exit 8
EOF

# Names in each thread's order, one thread a line; what differs from run to run is left out.
sequences () {
	awk '{
		tid = $1; sub(/^[0-9]+ +/, "")
		if ($0 ~ /^(<\.\.\. |\+\+\+|---|LOST)/) next
		sub(/\(.*/, "")
		if ($0 ~ /^(futex|pread64|clock_nanosleep|munmap)$/) next
		s[tid] = s[tid] " " $0
	} END { for (t in s) print s[t] }' "$1" | sort
}

test_expect_success 'without BPF, calls while the program runs' '
	perf trace --no-bpf -e mkdir -o out sh waits "mkdir\(pathname: 0x.*(EEXIST|= 0)"
	test $? = 7
'

test_expect_success SYSBPF 'calls and events while the program runs' '
	perf trace -e mkdir --event sched:sched_process_exec -o out sh waits "mkdir\(pathname: \"w\""
	test $? = 7 &&
	perf trace -e mkdir --event sched:sched_process_exec -o out sh waits "sched_process_exec\(.*sleep"
	test $? = 7
'

test_expect_success 'the same without BPF' '
	perf trace --no-bpf -e mkdir --event sched:sched_process_exec -o out sh waits "sched_process_exec\(.*sleep"
	test $? = 7
'

test_expect_success 'a running process, calls and events, until a signal' '
	rm -f out && { sh -c "while :; do mkdir -p w; sleep 0.02; done" & } && pid=$! && test_kill_at_end $pid &&
	for how in "" --no-bpf; do
		rm -f out; perf trace $how -p $pid -e mkdir --event sched:sched_process_exec -o out & tracer=$!
		test_kill_at_end $tracer
		test_wait_for 20 "grep -q mkdir/.*mkdir\( out && grep -q sched_process_exec.*mkdir out" || return 1
		kill -INT $tracer && wait $tracer || return 1
	done
'

# ENGINE ARGS... : calls watched in this way
by () {
	local how=$1
	shift
	printf '[trace]\n\tcapture = %s\n' "$how" >engine
	PERF_CONFIG=engine perf trace "$@"
}

# same_calls HOW PART: watched in this way and by the types of the kernel
same_calls () {
	by btf --style=strace -o btf.out ./sysmix $2 >/dev/null 2>&1
	by $1 --style=strace -o other.out ./sysmix $2 >/dev/null 2>&1
	sequences btf.out >expect && sequences other.out >actual && [ -s expect ] && test_cmp expect actual
}

for how in rawtp rings; do
	test_expect_success SYSBPF "$how and btf show the same calls of threads, children and signals" '
		local part parts="threads vfork clone3 signals stopped thread-exec"

		# what seccomp refuses has an end alone: the registers tell more
		[ $how = rings ] || parts="$parts seccomp"
		for part in $parts; do
			test_attempts 3 "two runs of the program may differ" same_calls $how $part || { echo "part: $part"; return 1; }
		done
	'
done

# What stands in a line but numbers that differ and names of files behind descriptors.
bare () {
	grep -v getrandom "$1" | sed -E "s/^[0-9]+ +//; s/([0-9])<[^<]*:\[[^]]*\]>/\1/g; s/([0-9])<[^<>]*(<[^>]*>)?>/\1/g; s/0x[0-9a-f]+/ADDR/g; s/[0-9]{3,}/N/g; s/ +=/ =/"
}

test_expect_success SYSBPF 'without type information lines lack the files behind descriptors, nothing else' '
	by btf --style=strace -e quiet=exit -o btf.out ./syslines d >/dev/null &&
	by rawtp --style=strace -o raw.out ./syslines d >/dev/null &&
	grep -q "[0-9]<.*/My-File-Name>" btf.out && ! grep -q "[0-9]<" raw.out && grep -q "\"My-File-Name\"" raw.out &&
	bare btf.out >expect && bare raw.out >actual && test_cmp expect actual
'

# Reading it takes longer than all else at the start.
test_expect_success SYSBPF 'the type information of the kernel is opened once' '
	test -r /sys/kernel/btf/vmlinux || { test_skip "this kernel has no type information"; return; }
	perf trace -e open,openat -o out perf trace -e openat -o inner true && test_grep "openat\(.*\) += [0-9]" inner &&
	test "$(grep -c "btf/vmlinux" out)" = 1
'

test_expect_success 'an unknown way is refused' '
	test_must_fail by magic true 2>err && test_grep "trace.capture is auto, btf, rawtp or rings, not .magic." err
'

plain () { sed -E 's/^ *[0-9?.]+ \([^)]*\): //; s/0x[0-9a-f]+/ADDR/g; s|/[0-9]+ |/N |; s/ +=/ =/' "$1"; }

test_expect_success 'a recording shown later has the same lines' '
	perf trace --no-bpf -o live ./syslines d >/dev/null &&
	perf trace record -q -o t.data ./syslines d >/dev/null 2>&1 && perf trace -i t.data >later 2>&1 &&
	plain live | grep -vE "execve|brk|pid|= [0-9]{2,}$|ADDR" >expect && plain later | grep -vE "execve|brk|pid|= [0-9]{2,}$|ADDR" >actual &&
	test "$(wc -l <expect)" -gt 10 && test_cmp expect actual
'

counts () { sed -nE 's/^   ([a-z_0-9]+) +([0-9]+) +([0-9]+) +[0-9.]+ .*/\1 \2 \3/p' "$1" | sort; }

test_expect_success SYSBPF '-s counts the same in all ways' '
	perf trace -s -o bpf ./syslines d >/dev/null && perf trace --no-bpf -s -o rings ./syslines d >/dev/null &&
	by rawtp -s -o raw ./syslines d >/dev/null &&
	counts bpf >expect && counts rings >actual && test -s expect && test_cmp expect actual &&
	counts raw >actual && test_cmp expect actual
'

test_expect_success 'page faults between calls' '
	perf trace -F all -e openat -o out ./syslines d >/dev/null &&
	grep -nE "openat\(" out | cut -d: -f1 >calls && grep -nE " minfault \[" out | cut -d: -f1 >faults &&
	test "$(head -n 1 faults)" -lt "$(tail -n 1 calls)" && test "$(tail -n 1 faults)" -gt "$(head -n 1 calls)"
'

test_expect_success 'probes with stacks between calls' '
	perf probe -q -x ./syslines -a "trace_live_files=files" 2>probe.err || { test_skip "no probe: $(head -n 1 probe.err)"; return; }
	perf trace -e "fsync,probe_syslines:trace_live_files/call-graph=dwarf/" -o out ./syslines d >/dev/null; rc=$?
	perf probe -q -d "probe_syslines:trace_live_files"
	test $rc = 0 && test_grep "probe_syslines:trace_live_files\(__probe_ip: 0x" out && test_grep "^ {38}main \(.*/syslines\)$" out &&
	test_grep " fsync\(fd: " out &&
	test "$(grep -nE "trace_live_files" out | head -n 1 | cut -d: -f1)" -lt "$(grep -nE "fsync\(" out | cut -d: -f1)"
'

test_expect_success 'what is lost is counted and said: rings' '
	perf trace --no-bpf -m 16 -o out sh -c "kill -STOP \$PPID; dd if=/dev/zero of=/dev/null bs=1 count=20k status=none; kill -CONT \$PPID" 2>err &&
	test_grep "^LOST [0-9]+ events!$" out && test_grep "[0-9]+ records were lost" err
'

test_expect_success SYSBPF 'what is lost is counted and said: BPF' '
	perf trace -m 1M -o out sh -c "kill -STOP \$PPID; dd if=/dev/zero of=/dev/null bs=1 count=60k status=none; kill -CONT \$PPID" 2>err &&
	test_grep "^LOST [0-9]+ (events|records of [0-9]+)!$" out && test_grep "[0-9]+ records were lost" err
'

# 120,000 records of 160 bytes: some twenty times round the ring. A slow machine may lose some, but then it says how many.
test_expect_success SYSBPF 'a small ring that goes round and round: each record is whole, or counted as lost' '
	perf trace -m 1M -e read,write -o out dd if=/dev/zero of=/dev/null bs=1 count=60000 status=none 2>err &&
	awk "/: dd\\/[0-9]+ read\\(fd: 0<\\/dev\\/zero>, buf: \"..\", count: 1\\) += 1\$/ { r++; next }
	     /: dd\\/[0-9]+ write\\(fd: 1<\\/dev\\/null>, buf: \"..\", count: 1\\) += 1\$/ { w++; next }
	     /^LOST/ { lost += \$2; next }
	     { other++ }
	     END { print r + 0, w + 0, lost + 0, other + 0; exit !(r <= 60000 && w <= 60000 && r + w + lost + other >= 120000 && other < 20) }" out >sums ||
	{ cat sums; tail -n 3 out; false; }
'

test_expect_success SYSBPF 'a kernel that answers EINVAL to the BPF programs is no wrong request: tracepoints' '
	test_workload nocall && ./nocall bpf=EINVAL perf trace -v -e openat ls / >o 2>err &&
	test_grep "^Warning: cannot load the BPF programs .*: Invalid argument$" err &&
	test_grep "calls come from tracepoints instead: without strings" err && test_grep "openat\(dfd: CWD, filename: 0x.*\) += [0-9]" err &&
	test_status 1 ./nocall bpf=EINVAL perf trace -p 12x >o 2>err && test_grep "is not a process id" err
'

# CAPS COMMAND... : as nobody, with these capabilities
nobody_with () {
	local caps=$1
	shift
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps "$caps" --ambient-caps "$caps" "$@"
}

test_expect_success 'an ordinary user with capabilities: what they are enough for' '
	cp "$(command -v perf)" p && chmod 755 . p &&
	nobody_with +perfmon,+dac_read_search true 2>/dev/null || { test_skip "no capabilities here"; return; }
	nobody_with +perfmon,+dac_read_search ./p trace -v ls / >o 2>err &&
	test_grep "CAP_BPF and CAP_PERFMON" err && test_grep "calls come from tracepoints instead: without strings" err &&
	test_grep "openat\(dfd: CWD, filename: 0x" err && test_grep "exit_group\(" err || return 1
	test_have SYSBPF || return 0
	nobody_with +perfmon,+bpf,+dac_read_search ./p trace ls / >o 2>err &&
	test_grep "openat\(dfd: CWD, filename: \"/" err
'

test_expect_success 'an ordinary user hears what his own commands need' '
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 1 ] || { test_skip "perf_event_paranoid lets everybody"; return; }
	nobody_with +dac_read_search true 2>/dev/null || { test_skip "no capabilities here"; return; }
	test_must_fail nobody_with +dac_read_search ./p trace true 2>err &&
	test_grep "raw_syscalls:sys_enter" err && test_grep "perf_event_paranoid at 1 only" err
'

# A loop of mkdir in a cgroup two levels below the mount of a hierarchy; the rest of the test follows with its pid.
in_cgroup () {
	local top=$1 pid rc
	mkdir "$top/perf-t7020" "$top/perf-t7020/inner" 2>/dev/null || { test_skip "no cgroup can be made below $top"; return 0; }
	sh -c "while :; do mkdir -p w; sleep 0.02; done" & pid=$!
	echo $pid >"$top/perf-t7020/inner/cgroup.procs" && check_cgroup
	rc=$?
	kill $pid; wait $pid 2>/dev/null
	for i in $(seq 100); do
		rmdir "$top/perf-t7020/inner" 2>/dev/null && break
		sleep 0.05
	done
	rmdir "$top/perf-t7020"
	return $rc
}

unified=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)

# Two traces of the same program: the second one may have an address where the first one has what is there, and no files.
cat >lines.py <<\EOF
import re, sys
def lines(path):
    for l in open(path, errors='replace'):
        l = re.sub(r'^[^:]*\): ', '', l.rstrip('\n'))
        l = re.sub(r'(\d)<(?:->|[^<>])*>', r'\1', l)		# files of descriptors
        l = re.sub(r'"(\\.|[^"\\])*"(\.\.\.)?', lambda m: re.sub(r'[0-9]{4,}', 'N', m[0]), l)
        l = re.sub(r'0x[0-9a-f]{6,}', 'ADDR', re.sub(r' +(=|\.\.\.)', r' \1', l))
        l = re.sub(r'^(\S+?)/\d+ ', r'\1/N ', l)		# processes may have small numbers
        yield re.sub(r'\b[0-9]{4,}\b', 'N', l)		# processes and ports
full, less = list(lines(sys.argv[1])), list(lines(sys.argv[2]))
wild = [re.escape(l).replace('ADDR', '.*') for l in less]
bad = [(a, b) for a, b, w in zip(full, less, wild) if not re.fullmatch(w, a) and 'getrandom' not in a]
for a, b in bad[:10]:
    print('-%s\n+%s' % (a, b))
sys.exit(bool(bad) or len(full) != len(less) or len(full) < 60)
EOF

# same_calls HOW PART: watched in this way and by the types of the kernel
same_calls () {
	by btf --style=strace -o btf.out ./sysmix $2 >/dev/null 2>&1
	by $1 --style=strace -o other.out ./sysmix $2 >/dev/null 2>&1
	sequences btf.out >expect && sequences other.out >actual && [ -s expect ] && test_cmp expect actual
}

for how in rawtp rings; do
	test_expect_success SYSBPF,PYTHON "$how and btf: the same lines, but for files, and without BPF for memory" '
		by btf -o btf.out ./syslines d >/dev/null && by $how -o other.out ./syslines d >/dev/null &&
		python3 lines.py btf.out other.out
	'
done

test_expect_success SYSBPF '-G: a cgroup and those below it, by name and by path; sums by cgroup' '
	[ -n "$unified" ] || { test_skip "no cgroup2 is mounted"; return; }
	check_cgroup () {
		perf trace -e mkdir --max-events 5 -G perf-t7020 -o one sleep 5 &&
		perf trace -e mkdir --max-events 5 -G "$unified/perf-t7020/inner" -o two sleep 5 &&
		perf trace -s --summary-mode=cgroup -G perf-t7020 -o sum sleep 0.3 &&
		test "$(grep -c "mkdir/[0-9]* mkdir(pathname: \"w\"" one)" = 5 && test "$(grep -c "mkdir(pathname: \"w\"" two)" = 5 &&
		test_grep "^ perf-t7020/inner, [0-9]+ events, 100.0%$" sum
	}
	in_cgroup "$unified"
'

test_expect_success '-G: a hierarchy of version 1' '
	v1=$(awk "\$3 == \"cgroup\" && \$4 ~ /perf_event/ { print \$2; exit }" /proc/mounts)
	[ -n "$v1" ] || { test_skip "perf_event has no hierarchy of version 1 (mounting one would change what others see)"; return; }
	check_cgroup () {
		perf trace -e mkdir --max-events 5 -G perf-t7020/inner -o one sleep 5 && test "$(grep -c "mkdir(pathname: 0x" one)" = 5
	}
	in_cgroup "$v1"
'

test_expect_success PERF_CGROUP '-G: a group that is not there is named' '
	test_must_fail perf trace -G no/such true 2>err && test_grep "cgroup .no/such." err && test_grep "[Hh]int: looked for /.*/no/such" err
'

test_done
