#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf record: --switch-output-event, --affinity, --aio, --num-thread-synthesize, -S, --latency'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW

spin='i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'
test_lazy_prereq CALLS '[ "$(id -u)" = 0 ] && perf stat -e syscalls:sys_enter_write -e syscalls:sys_enter_chdir true'
# dd_writes PERF FILE: the calls of dd in it
dd_writes () { "$1" script -i "$2" -F comm,event | grep -c "dd *syscalls:sys_enter_write:"; true; }
# A program that waits for the Nth file of NAME: whoever records may be kept waiting by others.
cat >nth <<-\EOF
	#!/bin/sh
	for k in $(seq 600); do [ "$(ls "$1".2* 2>/dev/null | wc -l)" -lt "$2" ] || exit 0; sleep 0.1; done
	exit 1
EOF
chmod +x nth
# writes NAME N...: so many calls before each chdir
writes () {
	local name=$1 k=0 n
	shift
	for n; do k=$((k + 1)); echo "dd if=/dev/zero of=/dev/null bs=1 count=$n status=none; cd /; $PWD/nth $PWD/$name $k;"; done
}

test_expect_success CALLS 'each time that the event happens a new file is begun; it is in none of them' '
	perf record -e syscalls:sys_enter_write --switch-output-event syscalls:sys_enter_chdir -o w sh -c "$(writes w 100 200 300)" 2>err &&
	for f in w.2*; do dd_writes perf $f || return 1; done >n && printf "%s\n" 100 200 300 0 | test_cmp - n &&
	test "$(grep -c "^\[ perf record: Dump w\.20" err)" = 4 && test_grep "Captured and wrote .* w.<timestamp> \]$" err &&
	for f in w.2*; do perf evlist -i $f || return 1; done | grep -v "^#" | sort -u >ev && echo syscalls:sys_enter_write | test_cmp - ev
'
test_expect_success CALLS,UPSTREAM 'upstream perf reads each' '
	for f in w.2*; do dd_writes "$UPSTREAM" $f || return 1; done | test_cmp n -
'
test_expect_success CALLS 'a count, several events, events of other tasks; --switch-max-files' '
	perf record -q -i -e syscalls:sys_enter_write --switch-output-event syscalls:sys_enter_chdir/period=2/ --switch-output-event syscalls:sys_enter_nanosleep \
		-o two taskset -c 0 sh -c "for k in 1 2 3; do cd /; cd /; $PWD/nth $PWD/two \$k; done; true" && test "$(ls two.2* | wc -l)" = 4 &&
	rm two.2* && perf record -q -e syscalls:sys_enter_write --switch-output-event syscalls:sys_enter_chdir --switch-max-files 1 \
		-o two sh -c "cd /; sleep 0.3; cd /; sleep 0.3; cd /; sleep 0.3" 2>err && test "$(ls two.2* | wc -l)" = 1 &&
	perf record -q -a -e syscalls:sys_enter_write --filter "common_pid == 0" --switch-output-event syscalls:sys_enter_chdir -o all sh -c "cd /; $PWD/nth $PWD/all 1" &&
	test "$(ls all.2* | wc -l)" -ge 2
'
test_expect_success CALLS 'samples that are kept in the buffers are written when it happens' '
	perf record -q --overwrite -e syscalls:sys_enter_write --switch-output-event syscalls:sys_enter_chdir -o o sh -c "$(writes o 100 200)" 2>err &&
	for f in o.2*; do dd_writes perf $f || return 1; done >n && printf "%s\n" 100 200 0 | test_cmp - n
'
test_expect_success 'an unknown event, standard output: one message each' '
	test_status 129 perf record -e cpu-clock --switch-output-event nosuch -o no true 2>err && test_grep "Bad event name" err && test ! -e no &&
	test_status 1 perf record -e cpu-clock --switch-output-event cs -o - true 2>err >out && test "$(wc -l <err)" = 1 &&
	test_grep "cannot be switched while it goes to standard output$" err && test ! -s out
'

test_expect_success '--affinity: all samples are there, and perf goes back to its CPUs' '
	for how in sys node cpu; do
		perf record --affinity=$how -e cpu-clock -c 1000000 -o a sh -c "$spin" 2>err &&
		n=$(sed -n "s/.*Captured and wrote .*(\([0-9]*\) samples.*/\1/p" err) && test "$n" -gt 0 &&
		test "$(perf script -i a -F time | grep -c .)" = "$n" || { echo "$how"; cat err; return 1; }
	done
'
test_expect_success '--aio and --num-thread-synthesize are taken' '
	for opt in --aio --aio=4 --no-aio --num-thread-synthesize=0 --num-thread-synthesize=4; do
		perf record -q $opt -e cpu-clock -o a true 2>err && test ! -s err && test -s a || { echo "$opt"; cat err; return 1; }
	done &&
	test_status 129 perf record --aio=many true 2>err && test_grep "^Error: .many. is not a number of blocks$" err
'
test_expect_success 'snapshots of AUX areas need one' '
	for opt in -S -Se --snapshot=e100 --aux-sample --aux-sample=4096; do
		test_status 1 perf record $opt -e cpu-clock -o no true 2>err && test "$(wc -l <err)" = 2 && test ! -e no &&
		test_grep "^Error: none of the events has an AUX area$" err && test_grep "^Hint: -S and --aux-sample go with events of Intel PT" err || { echo "$opt"; return 1; }
	done
'
test_expect_success '--latency records the switches of tasks; not of all of the system' '
	perf record -q --latency -e cpu-clock -c 1000000 -o l sh -c "$spin" && perf evlist -v -i l >ev && test_grep "context_switch: 1" ev &&
	perf report -D -i l >dump && test_grep PERF_RECORD_SWITCH dump &&
	for opt in -a "-a true"; do
		test_status 1 perf record --latency $opt -e cpu-clock -o no 2>err && test ! -e no &&
		test_grep "^Error: --latency is about the tasks of a program, not about all of the system$" err || return 1
	done && test_status 1 perf record --latency -e cpu-clock -o no 2>err && test "$(wc -l <err)" = 2
'
test_expect_success NEWEST 'upstream perf reports by latency from it' '
	"$NEWEST" report --latency --stdio -i l 2>/dev/null >report && test_grep "^# *Latency +Overhead" report && test_grep "[0-9]% +[0-9.]+% +sh " report
'

test_done
