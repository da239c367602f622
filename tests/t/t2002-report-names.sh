#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report: names of rows: files without symbols, inlined functions, tracepoints'
. "$(dirname "$0")/lib.sh"

test_workload threads
cat >inl.c <<'EOF'
#include <time.h>
static volatile unsigned long sum;
static inline __attribute__((always_inline)) void inner(void)
{
	for (int i = 0; i < 100000; i++)
		sum += (unsigned long)i;
}
__attribute__((noinline)) void outer(void) { inner(); sum++; }
int main(void)
{
	struct timespec t;
	do {
		outer();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (!t.tv_sec && t.tv_nsec < 400000000);
	return 0;
}
EOF
record () { perf record -q -e cpu-clock -F 499 "$@"; }
test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'record -o probe.data true && [ -s probe.data ]'
test_lazy_prereq STRIP 'needs strip' 'strip --version'

test_expect_success RECORD,STRIP,CC 'a file without symbols is one row' '
	strip -o nameless threads && rm -f threads &&
	record -o n.data ./nameless 2 300 >/dev/null &&
	perf report --stdio -q -s dso,sym -i n.data >out &&
	grep -F " nameless " out | grep -v @plt >rows &&
	[ "$(wc -l <rows)" = 1 ] &&
	grep -F "[.] [unknown in nameless]" rows
'
test_expect_success RECORD,STRIP,CC '--sort addr still shows addresses' '
	perf report --stdio -q -s dso,addr -i n.data >out &&
	grep -E " nameless +0x[0-9a-f]+" out
'
test_lazy_prereq NM 'needs nm' 'nm --version'
test_expect_success RECORD,STRIP,NM,CC 'callers without a symbol are functions of their file, the same ones in every run' '
	cc -O1 -fasynchronous-unwind-tables -o whole -x c - <<-"EOF" &&
	static volatile unsigned long sum;
	__attribute__((noinline)) static void leaf(void) { for (int i = 0; i < 30000000; i++) sum++; sum = 1; }
	__attribute__((noinline)) static void caller(void) { sum = 0; leaf(); sum = 2; }
	int main(void) { caller(); caller(); return 0; }
	EOF
	strip -o bare whole &&
	record --call-graph dwarf -o 3.data sh -c "./bare; ./bare; ./bare" &&
	place () { echo "bare+0x$(nm whole | sed -n "s/^0*\([0-9a-f]*\) . $1\$/\1/p")"; } &&
	perf report --stdio -q -g caller,0.5,callee --no-children -s dso --dso bare -i 3.data >out &&
	grep -F -e "---$(place leaf)" -A2 out >chain &&
	sed -n 2p chain | grep -F "$(place caller)" && sed -n 3p chain | grep -F "$(place main)"
'
test_expect_success RECORD,CC 'inlined functions are rows and frames' '
	cc -O2 -g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -o inl inl.c 2>cc.err || cc -O2 -g -o inl inl.c &&
	record -g -o i.data ./inl &&
	perf report --stdio -g none -s dso,sym -q -i i.data >out &&
	grep -E "inl +\[\.\] inner \(inlined\)" out &&
	grep -E "inl +\[\.\] outer$" out &&
	perf report --stdio --no-children -g folded,callee -s dso,sym -q -i i.data >out &&
	grep -E "inner \(inlined\);outer" out &&
	perf report --stdio --no-inline -g none -s dso,sym -q -i i.data >out &&
	! grep inlined out
'
test_expect_success RECORD,CC 'source lines' '
	perf report --stdio --no-children -g none -s srcline -q -i i.data >out &&
	grep -E " inl.c:[0-9]+$" out &&
	perf report --stdio --no-children -g none -s srcfile,dso -q -i i.data >out &&
	grep -E " inl.c +inl" out
'
cat >long.cpp <<\END
#include <map>
#include <string>
#include <vector>
volatile long sink;
template <class K, class V, class W> struct box {
	__attribute__((noinline)) static void spin(const std::map<K, std::vector<V>> &m, W w)
	{
		for (long i = 0; i < 100000000; i++)
			sink += i + m.size() + (long)sizeof(w);
	}
};
int main()
{
	std::map<std::string, std::vector<std::map<int, std::string>>> m;
	box<std::string, std::map<int, std::string>, std::pair<std::string, std::vector<long>>>::spin(m, {});
	return 0;
}
END
# on WIDTH OPTION...: the row of the long name on a terminal so wide, without colours
on () {
	local width=$1
	shift
	TERM=vt100 script -qec "stty cols $width; perf --no-pager report -i long.data --stdio -g none --sort dso,sym $* 2>&1" /dev/null </dev/null |
		sed 's/\x1b\[[0-9;]*m//g; s/\r//; s/ *$//' | grep -a 'box<'
}
test_expect_success RECORD,CXX,PTY 'long names are cut in the middle where the terminal is narrow' '
	c++ -O1 -g -o long long.cpp && record -o long.data ./long && perf report -i long.data --stdio -g none --sort dso,sym -q >out &&
	full=$(grep -o "box<.*" out | head -n 1) && test "${#full}" -gt 300 && ! echo "$full" | grep -qF "..." &&
	for w in 80 120 200; do
		row=$(on $w | head -n 1) && test "${#row}" -le $w && test "${#row}" -ge $((w - 12)) || { echo "$w: $row"; return 1; }
		cut=${row#*\[.\] } && case $full in "${cut%%...*}"*"${cut##*...}") ;; *) echo "$w: $row"; return 1 ;; esac
		test -n "${cut%%...*}" && test -n "${cut##*...}" || return 1
	done &&
	row=$(on 3000 | head -n 1) && test "${row#*\[.\] }" = "$full" &&
	perf report -i long.data --stdio -g none --sort sym -q --no-demangle >out && test_grep "\[.\] _ZN3box" out && ! grep -q "box<" out
'

# Upstream perf adds a dummy event with -a, which must not change the layout.
test_expect_success UPSTREAM,ROOT,TRACEFS 'tracepoints show their text, with -a too' '
	perf record -q -e sched:sched_process_exec -o one.data sh -c true &&
	perf record -q -a -e sched:sched_process_exec -o all.data sh -c true &&
	perf report --stdio -i one.data >out &&
	grep "^# Overhead  Trace output" out &&
	grep "filename=.*pid=" out &&
	perf report --stdio -i all.data >out &&
	grep "^# Overhead  Trace output" out &&
	perf report --stdio -s comm,filename -i one.data >out &&
	grep -E "^# Overhead  Command .*filename" out
'
test_done
