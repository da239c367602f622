#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='stacks that go on where a plain look does not find it: calls of the kernel that do not return, other stacks, the 32-bit vdso'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,X86_64
src=$TOP/tests/workloads/bare
gcc -g -O2 -w -fno-optimize-sibling-calls -o odd "$src/stackodd.c" || exit 1

# ends_of DATA: how the stacks end, as -v says
ends_of () { perf script -v --no-inline -i $1 -F ip 2>&1 >/dev/null | sed -n 's/^unwound stacks: //p' | tee ends; }

# The kernel keeps a task's registers as they were after the system call's instruction, which is not in the function any more.
test_expect_success ROOT,SYSCALLS 'in the return from a signal handler: what was interrupted' '
	perf record -q --call-graph dwarf,8192,raw -e syscalls:sys_enter_rt_sigreturn -o m.data ./odd signals 300 &&
	perf script --no-inline -i m.data -F ip,sym | awk "
		BEGIN { RS = \"\"; FS = \"\n\" }
		{ n++; whole += / __restore_rt\n/ && /\n[^\n]* signals\n[^\n]* main\n/ && \$NF ~ / _start\$/ }
		END { print n, whole; exit n != 300 || whole != 300 }" && ends_of m.data && test "$(cat ends)" = "300 of 300: complete" &&
	perf record -q --call-graph dwarf --unwind cfi -e syscalls:sys_enter_rt_sigreturn -o l.data ./odd signals 300 &&
	perf script --no-inline -i l.data -F ip,sym >live && test "$(grep -c " _start$" live)" = 300
'

test_expect_success 'a trampoline without tables: the handler and what it interrupted' '
	perf record -q --call-graph dwarf,8192,raw -e cpu-clock:u -c 250000 -o m.data ./odd untold 200 &&
	perf script --no-inline -i m.data -F ip,sym | awk "
		BEGIN { RS = \"\"; FS = \"\n\" }
		/ at_work\n/ { n++; whole += / at_work\n[^\n]* untold_return\n/ && /\n[^\n]* untold\n[^\n]* main\n/ && \$NF ~ / _start\$/ }
		END { print n, whole; exit n < 20 || whole < n }"
'
test_expect_success ROOT,SYSCALLS 'in the call of such a trampoline' '
	perf record -q --call-graph dwarf,8192,raw -e syscalls:sys_enter_rt_sigreturn -o m.data ./odd untold 20 &&
	perf script --no-inline -i m.data -F ip,sym >out && test "$(grep -c " untold$" out)" = 20 && test "$(grep -c " _start$" out)" = 20
'
test_expect_success ROOT,BPF 'the program in the kernel knows it, too' '
	perf record -v --call-graph dwarf --unwind check -e cpu-clock:u -c 250000 -o m.data ./odd untold 1500 2>err &&
	sed -n "s/^stacks unwound both ways: //p" err >sums && cat sums && awk "{ exit !(\$1 > 20 && \$(NF - 1) == 0) }" sums
'

test_expect_success 'a stack of a program'\''s own: it is not damage that ends it' '
	perf record -q --call-graph dwarf,8192,raw -e cpu-clock:u -c 250000 -o m.data ./odd switch 60 && ends_of m.data &&
	test_grep "of [0-9]*: goes on in another stack, which was not copied" ends && ! grep damaged ends
'

test_expect_success ROOT,BPF 'the program in the kernel learns what lies beyond a copy'\''s end' '
	perf record -v --call-graph dwarf --unwind bpf -e cpu-clock:u -c 250000 -o m.data ./odd switch 500 2>err &&
	grep "^stacks unwound in the kernel" err &&
	perf script --no-inline -i m.data -F ip,sym | awk "
		BEGIN { RS = \"\"; FS = \"\n\" }
		/ spin\n[^\n]* on_stack/ { n++; whole += /\n[^\n]* on_stack\n[^\n]* switches\n[^\n]* main\n/ && \$NF ~ / _start\$/ }
		END { print n, whole; exit whole < 20 }"
'

test_expect_success 'an expression without an end ends a stack with each unwinder' '
	perf record -q --call-graph dwarf,8192,raw -e cpu-clock:u -c 1000000 -o m.data ./odd endless 40 &&
	for unwinder in cfi libdw libunwind; do
		timeout 60 perf script --no-inline --unwind $unwinder -i m.data -F ip,sym >$unwinder &&
		awk "BEGIN { RS = \"\"; FS = \"\n\" } / spin\n/ { n++; ended += \$NF ~ / endless\$/ } END { print n, ended; exit n < 10 || ended < n }" $unwinder ||
			return 1
	done && ends_of m.data && test_grep ": damaged frame" ends
'

test_expect_success 'an old return address on top of the stack is no caller where a frame pointer tells another' '
	perf record -q --call-graph dwarf,8192,raw -e cpu-clock:u -c 250000 -o m.data ./odd stale 30 &&
	perf script --no-inline -i m.data -F ip,sym >cfi && awk "
		BEGIN { RS = \"\"; FS = \"\n\" }
		\$1 ~ / stale\$/ { n++; whole += \$2 ~ / stalely\$/ && \$3 ~ / main\$/ && \$NF ~ / _start\$/ }
		END { print n, whole; exit n < 20 || whole < n }" cfi
'

test_expect_success 'compiled code that calls nothing goes on to its caller' '
	perf record -q --call-graph dwarf,8192,raw -e cpu-clock:u -c 250000 -o m.data ./odd jit 30 &&
	perf script --no-inline -i m.data -F ip,sym | awk "
		BEGIN { RS = \"\"; FS = \"\n\" }
		\$1 ~ / jit_leaf\$/ { n++; whole += \$2 ~ / compiled\$/ && \$3 ~ / main\$/ && \$NF ~ / _start\$/ }
		END { print n, whole; exit n < 20 || whole < n }"
	ret=$?; rm -f /tmp/perf-$(perf script -i m.data -F pid | head -n 1 | tr -d " ").map; return $ret
'

test_lazy_prereq VDSO32 'needs a compiler for 32-bit programs, and a kernel that runs them and has a vdso for them' \
	'gcc -m32 -g -O2 -w -static -nostdlib -fno-pic -no-pie -fno-stack-protector -fomit-frame-pointer -fasynchronous-unwind-tables \
		-fno-optimize-sibling-calls -o vdso32 "$TOP/tests/workloads/bare/vdso32.c" && ./vdso32'
test_expect_success ROOT,VDSO32 'a 32-bit program: its vdso is not that of the others' '
	mkdir -p cache &&
	for kind in ,8192,raw ""; do
		perf --buildid-dir "$PWD/cache" record -q --call-graph dwarf$kind -e cpu-clock -c 100000 -o m.data ./vdso32 &&
		perf --buildid-dir "$PWD/cache" script --no-inline -i m.data -F ip,sym,dso >out && awk "
			BEGIN { RS = \"\"; FS = \"\n\" }
			/ __kernel_vsyscall \(\[vdso32\]\)/ { calls++ }
			/ __kernel_sigreturn \(\[vdso32\]\)/ { signals++ }
			/ ask / { n++; whole += \$NF ~ / _start \(/ && \$(NF - 1) ~ / bare_main \(/ }
			END { print n, whole, calls, signals; exit n < 20 || whole < 0.97 * n || calls < 10 || signals < 10 }" out || return 1
	done && perf buildid-list -i m.data | tee list && test_grep " \[vdso32\]$" list &&
	test "$(ls "cache/[vdso32]")" = "$(sed -n "s/ \[vdso32\]$//p" list)"
'

# The caller of the function whose return is probed is on no stack.
test_lazy_prereq URETPROBE 'needs root, and return probes' \
	'test_have ROOT,UPROBES && perf probe -q -x ./odd t5002p=deep4%return && perf probe -q -d "probe_odd:t5002p*"'
test_expect_success URETPROBE 'a return probe hides a caller: the stack says so, or goes on by frame pointers' '
	gcc -g -O2 -w -fno-optimize-sibling-calls -fno-omit-frame-pointer -o odd-fp "$src/stackodd.c" &&
	for prog in odd odd-fp; do
		perf probe -q -x ./$prog t5002q=deep4%return && ev=$(perf probe -l | grep -o "probe_[a-z_]*:t5002q[_0-9a-z]*" | head -n 1) &&
		perf record -q -e $ev -o /dev/null -- perf record -q --call-graph dwarf,8192,raw -e cpu-clock:u -c 250000 -o $prog.data ./$prog deep 60
		ret=$?; perf probe -q -d "$ev"; test $ret = 0 || return 1
	done &&
	perf script --no-inline -i odd.data -F ip,sym >out && ends_of odd.data && test_grep ": the return address is that of a return probe$" ends &&
	awk "BEGIN { RS = \"\"; FS = \"\n\" } / deep4(\n|\$)/ { n++; ended += \$(NF - 1) ~ / deep4\$/ } END { print n, ended; exit n < 20 || ended < n }" out &&
	perf script --no-inline -i odd-fp.data -F ip,sym >out && ends_of odd-fp.data &&
	awk "BEGIN { RS = \"\"; FS = \"\n\" } / deep4\n/ { n++; whole += / deep4\n[^\n]*\n[^\n]* deep2\n[^\n]* deep1\n[^\n]* deeply\n[^\n]* main\n/ } END { print n, whole; exit n < 20 || whole < n }" out
'

test_lazy_prereq CGO 'needs go, and its library compiled' \
	'export GOCACHE="$test_real_cache/go-build" && go version && test "$(go list -f "{{.Stale}}" runtime/cgo)" = false'
cat >cg.go <<'EOF'
package main

/*
extern int goCallback(int);
static int cwork(int n) { volatile unsigned long a = n; for (int i = 0; i < 100000; i++) a = a * 7 + i; return a; }
static int cdown(int n) { return (n ? cdown(n - 1) : goCallback(3)) + 1; }
static int ctop(int n) { return cdown(n) + cwork(2); }
*/
import "C"

//export goCallback
func goCallback(n C.int) C.int { return C.int(down(int(n) + 5)) }

//go:noinline
func down(n int) int {
	if n == 0 {
		return fill()
	}
	return down(n-1) + 1
}

//go:noinline
func fill() int {
	s := 0
	for i := 0; i < 100000; i++ {
		s += i * s ^ 3
	}
	return s
}

func main() {
	t := 0
	for i := 0; i < 400; i++ {
		t += int(C.ctop(10))
	}
	println(t)
}
EOF
test_expect_success CGO 'Go that calls C that calls Go: whole to the first, and from C no frame is invented' '
	GO111MODULE=off GOCACHE="$test_real_cache/go-build" go build -o cg cg.go &&
	perf record -q --call-graph dwarf,16384,raw -e cpu-clock:u -c 250000 -o m.data ./cg 2>/dev/null &&
	perf script --no-inline -i m.data -F ip,sym | awk "
		BEGIN { RS = \"\"; FS = \"\n\" }
		\$1 ~ / main\.fill\$/ { n++; whole += / runtime\.cgocallback[.a]/ && / runtime\.cgocall\n/ && / main\.main\n/ && / main\.down\n/ }
		\$1 ~ / cwork\$|_Cfunc_ctop\$/ { c++; ends += \$NF ~ / runtime\.asmcgocall/ }
		END { print n, whole, c, ends; exit n < 20 || whole < 0.97 * n || c < 20 || ends < 0.97 * c }" &&
	ends_of m.data && test_grep "of [0-9]*: goes on in another stack, which was not copied" ends
'
test_done
