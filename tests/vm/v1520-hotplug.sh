#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='CPUs that go offline and come back (VM): record, stat and trace go on with them'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM,CC
mkdir -p files/bin
cc -O1 -static -D_GNU_SOURCE -o files/bin/first "$TOP/tests/workloads/pinned.c" || test_skip_all 'needs a static C library (libc6-dev)'
cp files/bin/first files/bin/again
vm_files=files/bin

cat >guest.sh <<\GUEST
O=/out; C=/sys/devices/system/cpu/cpu1/online; cd /root
try () { f=$1; shift; "$@" >$O/$f.out 2>$O/$f.err; echo $? >$O/$f.status; }
cat >/cycle <<-\EOF
	C=/sys/devices/system/cpu/cpu1/online
	first 1 0.3 500; echo 0 >$C; sleep 0.1; echo 1 >$C; sleep 0.2; again 1 0.3 700
	echo 0 >$C; echo 1 >$C; sleep 0.2; again 1 0.3 1000
EOF
cat >/late <<-\EOF
	sleep 0.2; echo 1 >/sys/devices/system/cpu/cpu1/online; sleep 0.2; again 1 0.3 700
EOF
uname -r >$O/release
try one perf record -a -e cpu-clock -F 1000 -o one.data sh /cycle
try two perf record -a -e cpu-clock/freq=1000/,syscalls:sys_enter_getppid -o two.data sh /cycle
try threads perf record --threads -a -e cpu-clock/freq=1000/,syscalls:sys_enter_getppid -o threads.data sh /cycle
try filter perf record -a -e syscalls:sys_enter_getppid --filter 'common_pid != 1' -o filter.data sh /cycle
try dwarf perf record -a -e cpu-clock -F 1000 --call-graph dwarf -o dwarf.data sh /cycle
try over perf record -a -e cpu-clock -F 500 --overwrite -o over.data sh /cycle
try narrow perf record -C 1 -e cpu-clock -F 1000 -o narrow.data sh /cycle
perf record -a -e cpu-clock,cs -F 1000 -o - sh /cycle 2>$O/pipe.err >pipe.data
try stat perf stat -a -x, -e syscalls:sys_enter_getppid sh /cycle
try percpu perf stat -a -A -x, -e syscalls:sys_enter_getppid,cpu-clock sh /cycle
try delayed perf stat -a -x, -D 1 -I 200 -e syscalls:sys_enter_getppid sh /cycle
try trace perf trace -a --no-bpf -e getppid -o $O/trace.lines sh /cycle
echo 0 >$C
try task perf record -e cpu-clock -F 1000 -o task.data sh /late
try task-back perf record --sample-cpu -e cpu-clock -F 1000 -o task-back.data sh /cycle
echo 0 >$C
try late perf record -a -e cpu-clock/freq=1000/,syscalls:sys_enter_getppid -o late.data sh /late
echo 0 >$C
try latethreads perf record --threads -a -e cpu-clock/freq=1000/,syscalls:sys_enter_getppid -o latethreads.data sh /late
ls latethreads.data >$O/latethreads.ls
echo 0 >$C
try latestat perf stat -a -x, -e syscalls:sys_enter_getppid sh /late
echo 0 >$C
try latetrace perf trace -a --no-bpf -e getppid -o $O/latetrace.lines sh /late
for f in one two threads filter dwarf over narrow late latethreads task-back; do
	perf script -i $f.data -F comm,cpu,event,ip,sym >$O/$f.script 2>$O/$f.script.err
	perf report -i $f.data --header-only >$O/$f.header 2>&1
done
cp two.data late.data $O
exit 0
GUEST
# calls FILE COMM: its lines of getppid in perf script's text; on_cpu FILE COMM: its samples of the clock on CPU 1
calls () { grep -cE "^ *$2 +\[001\] +syscalls:sys_enter_getppid" "kept/$1.script"; }
on_cpu () { grep -cE "^ *$2 +\[001\] +cpu-clock" "kept/$1.script"; }

test_expect_success 'the guest runs to its end' 'vm_run guest.sh && mv out kept && test "$(cat kept/*.status | sort -u)" = 0'
test_expect_success 'record: a CPU that came back, twice, is sampled again, and that is said' '
	{ echo "CPU 1 went offline" && echo "CPU 1 is online: it is recorded from here on"; } >once && cat once once >want || return 1
	for f in one two threads filter dwarf over narrow; do
		head -n 4 kept/$f.err | test_cmp want - && test ! -s kept/$f.script.err || return 1
	done
	for f in one two threads dwarf over narrow; do
		test "$(on_cpu $f first)" -gt 20 && test "$(on_cpu $f again)" -gt "$(on_cpu $f first)" || return 1
	done
'
test_expect_success 'record: each call, by its event and through its filter' '
	test "$(calls two first) $(calls two again)" = "500 1700" && test "$(calls threads first) $(calls threads again)" = "500 1700" && test "$(calls filter first) $(calls filter again)" = "500 1700"
'
test_expect_success 'record: stacks that are unwound meanwhile' '
	test "$(grep -cE "^[[:space:]]+[0-9a-f]+ spin$" kept/dwarf.script)" -ge "$(($(on_cpu dwarf again) / 2))" && test "$(on_cpu dwarf again)" -gt 20
'
test_expect_success UPSTREAM 'upstream perf finds the same events of the same counters' '
	"$UPSTREAM" script -i kept/two.data -F comm,cpu,event >theirs 2>err &&
	test "$(grep -cE "^ *again +\[001\] +syscalls:sys_enter_getppid" theirs)" = 1700
'
test_expect_success 'record: a CPU that was not there at the start' '
	head -n 1 kept/late.err >got && echo "CPU 1 is online: it is recorded from here on" >want && test_cmp want got &&
	test "$(calls late again)" = 700 && test "$(on_cpu late again)" -gt 20 &&
	test "$(calls latethreads again)" = 700 && test "$(on_cpu latethreads again)" -gt 20 && printf "%s\n" data data.0 | test_cmp - kept/latethreads.ls &&
	test_grep "CPUs that no thread of --threads was given .1. are read by the first one" kept/latethreads.err
'
test_expect_success 'record of a command: a CPU that was not there at the start is said, one that came back is recorded' '
	test "$(grep -c "^Warning: CPU 1 is online: what runs there is not recorded (-a follows CPUs)$" kept/task.err)" = 1 &&
	! grep CPU kept/task-back.err && test "$(on_cpu task-back first)" -gt 20 && test "$(on_cpu task-back again)" -gt 20
'
test_expect_success 'record: a stream says from when on it is missing' '
	test "$(grep -c "^Warning: CPU 1 is online, but from here on what runs there is not recorded: " kept/pipe.err)" = 2
'
# a call or two are those of the shells
test_expect_success 'stat: counts go on, also by CPU, by interval and after a delay; a new CPU is said' '
	sum () { awk -F, -v n="$2" "{ sum += \$n } END { print (sum >= 2200 && sum < 2220) ? \"all\" : sum }" "$1"; }
	test "$(sum kept/stat.err 1)" = all && grep "^CPU1.*getppid" kept/percpu.err >cpu1 && test "$(sum cpu1 2)" = all &&
	test "$(sum kept/delayed.err 2)" = all && test_grep "^CPU 1 is online: what runs there is not counted$" kept/latestat.err
'
test_expect_success 'trace: calls by events' '
	test "$(grep -c "first/.* getppid()" kept/trace.lines) $(grep -c "again/.* getppid()" kept/trace.lines)" = "500 1700" &&
	test "$(grep -c "again/.* getppid()" kept/latetrace.lines)" = 700
'
test_done
