#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf bench: the suites say what upstream says, with other numbers'
. "$(dirname "$0")/lib.sh"

# Numbers, addresses and units of rates, which no two runs share; what is left is the form.
form () { sed -E 's/0x[0-9a-f]+/ADDR/g; s/ *[+-]?[0-9]+\.[0-9]+/ F/g; s/ *\binf\b/ F/; s/PID [0-9]+/PID N/; s/ +[0-9]+ (ops|operations|ADD|MOD|DEL|usecs|requeued)/ N \1/g; s/^[0-9]+$/N/
	s/ [0-9]+ops/ Nops/; s/(bytes|KB|MB|GB)\/sec/RATE/; s/: [0-9]+ usecs/: N usecs/; s/\( *\+- */(+- /; s/total secs = [0-9]+/total secs = N/' "$1"; }
# upstream says inf where nothing of a microsecond passed.
# A suite of ours and of upstream: the same but for the numbers.
same () {
	perf bench "$@" >ours 2>err && "$NEWEST" bench "$@" >theirs 2>err2 && form ours >got && form theirs >expect && test_cmp expect got
}

test_expect_success NEWEST 'sched' '
	same sched messaging -g 1 -l 10 && same -f simple sched messaging -g 1 -l 10 && same sched messaging -t -p -g 2 -l 5 &&
	same sched pipe -l 100 && same -f simple sched pipe -l 100 && same sched pipe -T -n -l 100 && same sched pipe -s 5000 -l 100 &&
	same sched seccomp-notify -l 100 && same -f simple sched seccomp-notify -l 100
'
test_expect_success NEWEST 'syscall' '
	same syscall basic -l 1000 && same -f simple syscall basic -l 1000 && same syscall getpgid -l 1000 && same syscall fork -l 10 && same syscall execve -l 10
'
test_expect_success NEWEST 'mem' '
	same mem memcpy && same -f simple mem memcpy -s 64kb && same mem memset -s 4MB -k 4KB && same mem mmap -s 1MB && same mem mmap -s 1MB -t 2 -f demand -r 3 &&
	same -f simple mem memset -f default && same mem find_bit -i 1 -j 1
'
test_expect_success NEWEST 'futex' '
	same futex hash -r 1 -t 2 && same futex hash -r 1 -t 1 -f 1 -s -S && same -r 3 futex wake -t 2 && same -r 2 futex wake -t 4 -w 2 -s &&
	same -r 3 futex wake-parallel -t 4 -w 2 && same -r 2 futex requeue -t 2 && same -r 2 futex requeue -t 2 -p -s &&
	same futex lock-pi -t 2 -r 1 && same futex lock-pi -t 2 -r 1 -M -s
'
test_expect_success NEWEST 'epoll' '
	same epoll wait -t 2 -r 1 && same epoll wait -t 1 -r 1 -f 1 -S -m && same epoll ctl -t 2 -r 1
'
test_expect_success NEWEST 'uprobe' '
	same uprobe baseline -l 2 && same -f simple uprobe baseline -l 2
'
test_expect_success NEWEST 'internals' '
	same internals synthesize -s -i 3 && same internals kallsyms-parse -i 2 &&
	same internals evlist-open-close -i 2 -e cpu-clock -n 3 && same internals evlist-open-close -i 2 -e page-faults -p $$
'
test_expect_success 'internals pmu-scan' '	# upstream may end without a word here
	perf bench internals pmu-scan -i 2 >out && form out >got && cat >expect <<-\EOF && test_cmp expect got
	# Running '"'internals/pmu-scan'"' benchmark:
	Computing performance of sysfs PMU event scan for 2 times
	  Average core PMU scanning took: F usec (+- F usec)
	  Average PMU scanning took: F usec (+- F usec)
	EOF
'
test_expect_success 'what is not here, and what is instead' '
	test_status 129 perf bench numa mem 2>err && test_grep "^Error: no benchmark .numa. here: perf bench mem measures" err &&
	test_status 129 perf bench internals inject-build-id 2>err && test_grep "perf inject -b on a recording" err
'
test_lazy_prereq BREAKPOINTS 'hardware breakpoints' 'perf stat -e mem:0x1000:w:u true'
test_expect_success NEWEST,BREAKPOINTS 'breakpoint' '
	same -r 2 breakpoint thread -p 2 -t 4 && same -f simple breakpoint thread && same breakpoint enable -p 1 -a 1
'

# ---- what the figures mean ----

test_lazy_prereq STRACE 'needs strace' 'strace -f true'
calls () { local call=$1; shift; strace -f -qq -e trace="$call" -e signal=none -o trace "$@" >/dev/null && grep -vc "resumed>" trace; }
test_expect_success STRACE 'as many operations as were asked for' '
	[ "$(calls getppid "$BUILD/perf" bench syscall basic -l 30)" = 30 ] &&
	[ "$(calls execve "$BUILD/perf" bench syscall execve -l 5)" = 6 ] &&
	[ "$(calls write "$BUILD/perf" bench -f simple sched pipe -l 30)" = 61 ]
'
test_expect_success 'time and rate fit' '
	perf bench sched pipe -l 2000 >out && awk "/Total time/ { t = \$3 } /usecs.op/ { u = \$1 } /ops.sec/ { n = \$1 }
		END { d = t - u * 2000 / 1e6; e = n * u / 1e6; exit !(d < 0.002 && d > -0.002 && e > 0.99 && e < 1.01) }" out
'
test_expect_success 'requeue with priority inheritance: all threads are counted once' '
	perf bench -r 5 futex requeue -t 3 -p -B >out && ! grep -E "[0-9]\+-|\+[0-9]{2}" out && [ "$(grep -c "^.Run .*(1+2) of 3 threads" out)" = 5 ]
'
test_expect_success 'wake-parallel wakes all' '
	perf bench -r 5 futex wake-parallel -t 4 -w 2 >out && [ "$(grep -c "^.Run .*waking 2/4 threads" out)" = 5 ]
'

# ---- lists and errors ----

test_expect_success 'lists' '
	perf bench >out && test_grep "^ +sched: Scheduler and IPC benchmarks$" out && test_grep "^ +all: All benchmarks$" out &&
	for c in sched syscall mem futex epoll breakpoint; do perf bench $c >out && test_grep "for collection .$c.:" out && test_grep "^ +all: Run all" out || return 1; done &&
	perf bench mem memcpy -f help >out && test_grep "^	default ... Default memcpy" out
'
test_expect_success NEWEST 'lists: all that upstream has, but for what the manual names' '
	for c in sched syscall mem futex epoll breakpoint; do perf bench $c >ours && "$NEWEST" bench $c | sed "s/^ *all: .*futex bench.*/&/" >theirs &&
		sed "/^ *all:/d" ours >got && sed "/^ *all:/d" theirs >expect && test_cmp expect got || return 1; done
'
test_expect_success 'errors' '
	test_status 129 perf bench zz 2>err && test_grep "^Error: unknown collection: .zz.; perf bench lists them$" err &&
	test_status 129 perf bench sched zz 2>err && test_grep "^Error: unknown benchmark: .zz. for collection .sched." err &&
	test_status 129 perf bench -r 0 sched pipe 2>err && test_grep "at least one run" err &&
	test_status 129 perf bench sched pipe word 2>err &&
	test_status 129 perf bench sched all -l 3 2>err && test_grep "unknown switch .l" err &&
	test_status 1 perf bench sched pipe -s 0 2>err && test_grep "write-size must be in" err &&
	test_status 1 perf bench sched pipe -G no-such-a,no-such-b -l 1 2>err && test_grep "no-such-a" err &&
	test_status 1 perf bench sched pipe -G x -l 1 2>err && test_grep "not two of them" err &&
	test_status 1 perf bench mem memcpy -f zz 2>err && test_grep "^Error: unknown function: .zz.$" err && test_grep "default ... Default" err &&
	test_status 1 perf bench mem memset -s 1X 2>err && test_grep "^Error: invalid size: .1X.$" err &&
	test_status 1 perf bench mem memset -p 8KB 2>err && test_grep "one of 4KB, 2MB, 1GB" err &&
	test_status 1 perf bench futex wake-parallel -t 3 -w 2 2>err && test_grep "must be a multiple of -w" err &&
	test_status 1 perf bench futex hash -f 0 2>err && test_grep "at least one is needed" err
'
test_done
