#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf stat: cgroups counted by one BPF program, and what happens in BPF programs'
. "$(dirname "$0")/lib.sh"

unified=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
test_lazy_prereq CGROUP2 'needs root and a unified cgroup hierarchy that perf_event uses' \
	'[ "$(id -u)" = 0 ] && mkdir "$unified/perf-test-$$" && rmdir "$unified/perf-test-$$" && ! grep -q perf_event /proc/self/cgroup'

groups="perf-a-$$ perf-a-$$/b perf-c-$$"
leave () { for g in perf-a-$$/b perf-a-$$ perf-c-$$; do rmdir "$unified/$g" 2>/dev/null; done; true; }
trap 'leave; test_at_exit' EXIT
mkdir -p "$unified/perf-a-$$/b" "$unified/perf-c-$$" 2>/dev/null

# A page for each page fault, also where the kernel gives huge pages to all who ask for memory.
cat >touch.c <<'E2'
#include <stdio.h>
#include <sys/mman.h>
int main(void)
{
	char *p = mmap(NULL, 4096 * 4096UL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || madvise(p, 4096 * 4096UL, MADV_NOHUGEPAGE))
		return perror("touch"), 1;
	for (int i = 0; i < 4096; i++)
		p[i * 4096UL] = 1;
	return 0;
}
E2
cc -O1 -o touch touch.c 2>/dev/null

# A process that waits in perf-a/b, one in perf-c, moved there by another one, and then run.
cat >load.sh <<E2
rm -f f1 f2 r1 r2 && mkfifo f1 f2
sh -c ': >r1; read x <f1; i=0; while [ \$i -lt 60000 ]; do i=\$((i+1)); done' & a=\$!
sh -c ': >r2; read x <f2; exec ./touch' & b=\$!
while ! [ -e r1 ] || ! [ -e r2 ]; do sleep 0.01; done; sleep 0.1
echo \$a >$unified/perf-a-$$/b/cgroup.procs && echo \$b >$unified/perf-c-$$/cgroup.procs
echo >f1; echo >f2
wait
E2

test_expect_success CC,CGROUP2,BPF,PERF_SW 'the counts of cgroups are those that their own counters give' '
	for o in "" --bpf-counters; do
		perf stat -a $o --for-each-cgroup $(echo $groups | tr " " ,) -x, -o out$o -e cpu-clock,page-faults,cs bash load.sh 2>err && test_cmp /dev/null err || return 1
	done &&
	for f in out out--bpf-counters; do
		awk -F, -v a=perf-a-$$ -v b=perf-a-$$/b -v c=perf-c-$$ "{ v[\$4 \$3] = \$1 } END { f = \"page-faults\"
			exit !(v[c f] >= 4096 && v[c f] < 4300 && v[a f] == v[b f] && v[a f] < 50 && v[a \"cpu-clock\"] > 10 && v[a \"cpu-clock\"] - v[b \"cpu-clock\"] < 1 &&
			v[c \"cs\"] >= 1 && v[c \"cs\"] < 500) }" $f || { cat $f; return 1; }
	done
'

test_expect_success CC,CGROUP2,BPF,PERF_SW 'intervals, CPUs, runs and metrics' '
	perf stat -a -A --bpf-counters --for-each-cgroup perf-a-$$,perf-c-$$ -x, -o out -e cpu-clock,cs bash load.sh &&
	test "$(grep -c "^CPU0,.*,cs,perf-a-$$," out)" = 1 &&
	perf stat -a -I 50 --bpf-counters --for-each-cgroup perf-a-$$ -x, -o out -e cpu-clock bash load.sh &&
	awk -F, "\$4 == \"cpu-clock\" && \$2 + 0 > 1000 { bad = 1 } \$4 == \"cpu-clock\" && \$2 + 0 > 0 { n++ } END { exit bad || n < 1 }" out &&
	perf stat -a -r 2 --bpf-counters --for-each-cgroup perf-c-$$ -x, -o out -e page-faults bash load.sh &&
	awk -F, "\$3 == \"page-faults\" { exit !(\$1 > 4096 && \$1 < 4300) }" out &&
	perf stat -a --bpf-counters --for-each-cgroup perf-a-$$,perf-c-$$ -M page_faults_per_second -o out bash load.sh && test_grep "page_faults_per_second" out || { cat out; false; }
'

test_expect_success CGROUP2,BPF,PERF_SW 'many cgroups: one counter of each event on each CPU' '
	n=$(getconf _NPROCESSORS_ONLN) &&
	for i in 1 2 3 4 5 6 7 8; do mkdir -p "$unified/perf-a-$$/n$i" || return 1; done &&
	names=$(for i in 1 2 3 4 5 6 7 8; do echo perf-a-$$/n$i; done | tr "\n" ",") && names=${names%,} &&
	strace -f -e trace=perf_event_open -o trace "$BUILD/perf" stat -a --for-each-cgroup $names -o out -e cpu-clock,cs true &&
	for i in 1 2 3 4 5 6 7 8; do rmdir "$unified/perf-a-$$/n$i" || return 1; done &&
	test "$(grep -c "perf_event_open" trace)" -le $((n * 3 + 4)) && test "$(grep -c " cs " out)" = 8
'

test_expect_success CGROUP2,PERF_SW 'what BPF programs cannot count is counted one by one, and said' '
	perf stat -a --bpf-counters --for-each-cgroup perf-a-$$,perf-c-$$ -o out -e cgroup-switches true 2>err &&
	test_grep "each cgroup is counted by counters of its own" err && test "$(grep -c cgroup-switches out)" = 2 &&
	test_status 1 perf stat -a --bpf-counters --for-each-cgroup perf-a-$$,nosuchcgroup -e cs true 2>err && test_grep "no access to cgroup .nosuchcgroup." err
'

# Several perfs, one counter: who comes second opens none, and goes on when the first is gone.
table=$TRASH/bpffs/table
trap 'umount "$TRASH/bpffs" 2>/dev/null; leave; test_at_exit' EXIT
mkdir bpffs
test_lazy_prereq BPFFS 'needs root and the BPF file system' 'mountpoint -q "$TRASH/bpffs" || mount -t bpf none "$TRASH/bpffs"'
shared () { "$BUILD/perf" stat -a --bpf-counters --bpf-attr-map $table -x, -o "$@"; }
of () { awk -F, -v e="$2" "\$3 == e { print int(\$1) }" "$1"; }
test_expect_success CC,BPFFS,BPF,PERF_SW,STRACE '--bpf-counters: perfs share the counters of CPUs' '
	n=$(getconf _NPROCESSORS_ONLN) && { shared first -e cs,page-faults,cpu-clock sleep 4 2>first.err & } && sleep 2 &&
	strace -f -e trace=perf_event_open -o trace "$BUILD/perf" stat -a --bpf-counters --bpf-attr-map $table -x, -o second -e cs,page-faults ./touch 2>err &&
	test_cmp /dev/null err && test "$(grep -c "SW_CONTEXT_SWITCHES\|SW_PAGE_FAULTS" trace)" = 0 && wait $! && test_cmp /dev/null first.err &&
	test "$(of second page-faults)" -ge 4096 && test "$(of first page-faults)" -ge "$(of second page-faults)" &&
	test "$(of first cs)" -ge "$(of second cs)" && test "$(of first cpu-clock)" -ge $((n * 3900)) && ! grep "not counted" first second
'
test_expect_success CC,BPFFS,BPF,PERF_SW '--bpf-counters: counters stay with those who still count, and are made again when nobody does' '
	{ shared first -e page-faults sleep 1 2>err1 & } && sleep 0.5 && { shared second -e page-faults sh -c "sleep 3; ./touch" 2>err2 & } &&
	wait && test "$(of second page-faults)" -ge 4096 && shared third -e page-faults -r 2 ./touch 2>err3 && test "$(of third page-faults)" -ge 4096 &&
	shared fourth -I 200 -e page-faults sh -c "./touch; sleep 0.5" && awk -F, "\$4 == \"page-faults\" { n += \$2 } END { exit n < 4096 }" fourth &&
	shared fifth -e "cs:b,{page-faults,cs}" true 2>err5 && test "$(grep -c ",page-faults,\|,cs" fifth)" = 3 && cat err1 err2 err3 err5 >err && test_cmp /dev/null err
'
test_expect_success ROOT,BPF,PERF_SW '--bpf-counters: where counters cannot be shared it is said, and they are counted' '
	perf stat -a --bpf-counters --bpf-attr-map "$TRASH/x" -x, -o out -e cs true 2>err && test_grep "cannot share counters: .*events are counted by counters of their own" err && test "$(of out cs)" -ge 1
'
test_expect_success PERF_SW '--bpf-counters changes nothing for tasks; -b: what cannot be' '
	perf stat --bpf-counters -x, -o out -e page-faults true && test_grep "^[0-9]+,,page-faults," out &&
	test_status 129 perf stat -b x true 2>err && test_grep "is no list of numbers of BPF programs" err &&
	test_status 129 perf stat -b 1 -p $$ 2>err && test_grep "b excludes -p" err && test_status 129 perf stat record -b 1 true 2>err && test_grep "and stat record$" err && [ ! -e perf.data ]
'

test_expect_success ROOT,BPF,PERF_SW '-b: a program that is not there' '
	test_status 1 perf stat -b 2147483000 -e cs true 2>err && test_grep "cannot count in the BPF program 2147483000: No such file" err && test_grep "^Hint: .bpftool prog. shows" err
'

test_lazy_prereq FENTRY 'needs a kernel that lets BPF programs be attached to others, and bpftool' 'start_program && "$BUILD/perf" stat -b $program -e cpu-clock true'
start_program () {
	"$BUILD/perf" stat -a --bpf-counters --for-each-cgroup / -o "$TRASH/bg" -e cs -- sleep 20 &
	sleep 1
	program=$(bpftool prog | sed -n "s/^\([0-9]*\): perf_event .*cgcount_switch.*/\1/p" | tail -n 1)
	[ -n "$program" ]
}

test_expect_success ROOT,BPF,PERF_SW,FENTRY '-b: only what happens in the program' '
	start_program && perf stat -b $program -x, -o out -e cpu-clock,page-faults sleep 1 && awk -F, "\$3 == \"cpu-clock\" { exit !(\$1 < 900) }" out
'

test_done
