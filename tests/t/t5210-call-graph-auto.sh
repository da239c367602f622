#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='record --call-graph auto: whole stacks in plain call chains, what makes them, and what it falls back to'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,X86_64
test_lazy_prereq IN_KERNEL 'needs root, and a kernel whose BPF programs can unwind' 'perf record -q --call-graph dwarf --unwind bpf -e cpu-clock:u -o k.data true'
test_lazy_prereq MUSL 'needs musl-gcc (musl-tools)' 'musl-gcc --version'
src=$TOP/tests/workloads
gcc -g -O2 -pthread -w -D_GNU_SOURCE -o stackmix "$src/stackmix.c" -ldl || exit 1
gcc -O2 -fomit-frame-pointer -o blind "$src/blind.c" || exit 1

rec () { perf record -v -e cpu-clock:u -c 250000 "$@"; }
made_by () { perf report -f --header-only -i "$1" 2>/dev/null | sed -n 's/^# call chains : //p'; }
# whole FILE LEAST: of all user stacks so many reach the start of their thread
whole () { python3 "$TOP/tests/bench/whole.py" "$BUILD/perf" "$1" | tee ends | awk -v least="$2" 'NR == 1 { exit $2 < 100 || $1 < least * $2 }'; }

test_expect_success 'other words are refused, and the hint names it' '
	test_status 129 perf record --call-graph automatic true 2>err && test_grep "^Hint: use auto, fp, dwarf" err &&
	test_status 129 perf record --call-graph auto,8192 true 2>err && test_grep "is not a way to record" err
'

test_expect_success 'stacks are whole; the file has chains and nothing else; -v and the header say who made them' '
	rec --call-graph auto -o a.data ./stackmix 300 2>err && whole a.data 0.75 && made_by a.data >how && [ -s how ] &&
	sed -n "s/^call chains: //p" err >said && test_cmp how said &&
	perf evlist -v -i a.data >attrs && test_grep "CALLCHAIN" attrs && ! grep -E "STACK_USER|REGS_USER|exclude_callchain|sample_stack_user|sample_regs" attrs &&
	perf report --header-only -i a.data >head 2>/dev/null && ! grep -E "REGS_USER|STACK_USER" head
'
test_expect_success IN_KERNEL 'by default the kernel unwinds; with --unwind cfi perf does: the same stacks' '
	echo "unwound in the kernel at the sample" >expect && test_cmp expect how &&
	rec --call-graph auto --unwind cfi -o c.data ./stackmix 300 2>err && whole c.data 0.5 && made_by c.data >how.c && echo "unwound by perf while recording (--unwind cfi)" >expect && test_cmp expect how.c
'
stacks_of () { "$@" -F comm,tid,time,period,ip,sym --max-stack 1024 2>/dev/null; }
test_expect_success UPSTREAM 'upstream perf reads it: the same samples, and as many frames' '
	stacks_of perf script --no-inline -i a.data >mine && stacks_of "$UPSTREAM" script --no-inline -i a.data >theirs && [ $(grep -c . mine) -gt 1000 ] &&
	for f in mine theirs; do awk "/^\t/ { n++; next } NF { \$1 = \$1; print; next } { print n; n = 0 }" $f >$f.names || return 1; done && test_cmp theirs.names mine.names
'
test_expect_success NEWEST 'the newest one, too' '
	stacks_of perf script --no-inline -i a.data | awk "/^\t/ { print \$1; next } { print }" >mine && stacks_of "$NEWEST" script --no-inline -i a.data | awk "/^\t/ { print \$1; next } { print }" >theirs && test_cmp theirs mine
'

# leaf() of blind is called by functions that leave the frame pointer to other uses
test_expect_success 'code without frame pointers: fp breaks, auto does not' '
	rec --call-graph fp -o fp.data ./blind 2>/dev/null && rec --call-graph auto -o auto.data ./blind 2>/dev/null && whole auto.data 0.99 && ! whole fp.data 0.5
'

test_expect_success MUSL 'a program without unwind tables (musl), static and not' '
	for how in "-static" ""; do
		musl-gcc -O2 $how -o musl "$src/blind.c" && rec --call-graph auto -o m.data ./musl 2>/dev/null && whole m.data 0.95 && cat ends || return 1
	done
'
test_expect_success IN_KERNEL,MUSL 'the same both ways' '
	musl-gcc -O2 -o musl "$src/blind.c" && for p in ./musl ./blind; do
		rec --call-graph dwarf --unwind check -o k.data $p 2>err && sed -n "s/^stacks unwound both ways: //p" err | tee sums && awk "{ n++; other += \$(NF - 1) } END { exit n != 1 || other }" sums || return 1
	done
'

cat >made.c <<'EOF'
#include <string.h>
#include <sys/mman.h>
/* push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret */
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3 };
static volatile unsigned long sum;
static void spin(void) { for (long i = 0; i < 300000000; i++) sum += i; }
int main(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	((void (*)(void (*)(void)))memcpy(p, code, sizeof(code)))(spin);
	return 0;
}
EOF
test_expect_success 'code made at run time: through its frame pointers' '
	gcc -O1 -fomit-frame-pointer -o made made.c && rec --call-graph auto -o j.data ./made 2>err && whole j.data 0.95
'

only_fp () {	# REASON args...: frame pointers only, without a word but for -v
	reason=$1 && shift && perf record --call-graph auto "$@" -o f.data true 2>quiet && ! grep -i -E "warning|error|unw|call chains" quiet &&
	perf record -v --call-graph auto "$@" -o f.data true 2>err && test_grep "^call chains: frame pointers: $reason" err &&
	made_by f.data >how && test_grep "^frame pointers: $reason" how && perf evlist -v -i f.data | grep CALLCHAIN >/dev/null && ! perf evlist -v -i f.data | grep STACK_USER
}
test_expect_success 'frame pointers only where copies of stacks do not go, and where they might be lost' '
	only_fp "buffers are those of threads" -e cpu-clock:u --per-thread && only_fp "other options want" -e cpu-clock:u --user-regs=ip &&
	only_fp "other options want" -e cpu-clock:u --overwrite && only_fp "only the kernel" -e cpu-clock --kernel-callchains
'
test_expect_success TRACEFS,ROOT 'events that may come at each call: frame pointers' '
	only_fp "the events may come too often" -e sched:sched_switch && perf sched record --call-graph auto -o s.data -- true 2>err && made_by s.data >how && test_grep "^frame pointers: the events may come" how
'
test_expect_success ROOT 'an ordinary user: frame pointers, without noise; with large buffers perf unwinds' '
	mkdir -p home && chmod 777 home . && as_user () { HOME=$PWD/home setpriv --reuid=65534 --regid=65534 --clear-groups "$BUILD/perf" "$@"; } &&
	as_user record -v --call-graph auto -e cpu-clock:u -o home/u.data "$PWD/stackmix" 5 2>err && made_by home/u.data >how &&
	test_grep "^frame pointers: BPF is not allowed, and the buffers have no room for copies of stacks$" how && as_user record -q --call-graph auto -e cpu-clock:u -o home/u.data true 2>err && test_cmp /dev/null err &&
	if as_user record -q -m 4M -e cpu-clock:u -o home/u.data true 2>/dev/null; then as_user record -v --call-graph auto -m 4M -e cpu-clock:u -o home/u.data true 2>err && made_by home/u.data >how && test_grep "^unwound by perf while recording" how; fi
'
test_expect_success '-g of a command or a process is auto, as --call-graph auto says it' '
	rec -g -o g.data ./blind 2>err && whole g.data 0.99 && made_by g.data >how && [ -s how ] && perf record -q --call-graph auto -e cpu-clock:u -o f.data true 2>/dev/null && made_by f.data >how.auto && ! grep "^frame pointers" how how.auto &&
	{ ./blind & } && p=$! && perf record -q -g -e cpu-clock:u -o f.data -p $p sleep 0.1 2>/dev/null && wait $p && made_by f.data >how && [ -s how ] && ! grep "^frame pointers" how
'
test_expect_success '-g of what may come at any rate is fp' '
	for how in "-e page-faults:u -c 1" "-e cpu-clock:u -c 20000" "-e cpu-clock/period=1000/u"; do
		perf record -q -g $how -o f.data true 2>/dev/null && made_by f.data >how && test_grep "^frame pointers: the events may come too often" how || return 1
	done && perf record -q -g -e cpu-clock:u -c 100000 -o f.data true 2>/dev/null && made_by f.data >how && ! grep "^frame pointers" how
'
test_expect_success ROOT '-g of CPUs or a user is fp, whose chains are never lost; auto unwinds there, too, when it is asked for' '
	for whom in -a "-C 0" "-u root"; do
		perf record -q -g -e cpu-clock:u $whom -o f.data -- true 2>/dev/null && made_by f.data >how && test_grep "^frame pointers: not of a command or of processes alone [(]--call-graph auto unwinds all the same[)]$" how || return 1
	done &&
	perf record -q --call-graph auto -e cpu-clock:u -a -o f.data -- true 2>/dev/null && made_by f.data >how && ! grep "^frame pointers" how &&
	printf "[call-graph]\n\trecord-mode = auto\n" >config && PERF_CONFIG=$PWD/config perf record -q -g -e cpu-clock:u -a -o f.data -- true 2>/dev/null && made_by f.data >how && ! grep "^frame pointers" how
'
test_expect_success 'the setting is what -g means; --call-graph fp and a word in an event go before it' '
	printf "[call-graph]\n\trecord-mode = auto\n" >config && PERF_CONFIG=$PWD/config perf record -g -e cpu-clock:u -o f.data true 2>/dev/null && made_by f.data >how && [ -s how ] &&
	PERF_CONFIG=$PWD/config perf record --call-graph fp -e cpu-clock:u -o f.data true 2>/dev/null && made_by f.data >how && ! [ -s how ] &&
	perf record -e "cpu-clock/call-graph=auto/u,task-clock/call-graph=fp/u" -o f.data true 2>/dev/null && perf evlist -v -i f.data >attrs && [ $(grep -c CALLCHAIN attrs) = 2 ]
'
test_expect_success 'two events: both are unwound' '
	perf record -v --call-graph auto -e cpu-clock:u,page-faults:u -c 1000 -o f.data ./stackmix 5 2>err && made_by f.data >how && test_grep "^unwound by perf while recording, not in the kernel: there are several events with stacks" how && perf report --stats -i f.data >/dev/null
'
test_expect_success 'perf inject and a pipe keep the chains' '
	perf record -q --call-graph auto -e cpu-clock:u -c 250000 -o - ./stackmix 20 2>/dev/null >pipe && perf script -i - -F ip,sym <pipe 2>/dev/null | awk "NF" | wc -l >n && [ $(cat n) -gt 500 ] &&
	perf inject -b -i a.data -o b.data && stacks_of perf script --no-inline -i b.data >again && stacks_of perf script --no-inline -i a.data >mine && test_cmp mine again && made_by b.data >how.b && made_by a.data >how && test_cmp how how.b
'
test_lazy_prereq OLD_KERNEL 'this kernel has deferred call chains' '[ "$(printf "%s\n" 6.19 "$(uname -r)" | sort -V | head -1)" != 6.19 ]'
test_expect_success OLD_KERNEL 'fp,defer: which kernel has it is said once, and what is recorded then is fp' '
	perf record --call-graph fp,defer -e cpu-clock,task-clock -o d.data true 2>err && grep -c "no deferred call chains (Linux 6.19 has them)" err >n &&
	echo 1 >expect && test_cmp expect n && perf evlist -v -i d.data >out && test_grep "CALLCHAIN" out && ! grep defer out &&
	perf record -v --call-graph fp,defer -e cpu-clock -o d.data true 2>err && test_grep "cpu-clock: this kernel has no deferred call chains" err &&
	test_status 129 perf record --call-graph lbr,defer true 2>err && test_grep "lbr or fp,defer$" err
'
test_done
