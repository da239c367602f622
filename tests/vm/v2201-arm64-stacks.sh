#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='arm64 (VM): stacks are what the programs do, with and without frame pointers, signed, through signals; the unit tests'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"
. "$TOP/tests/vm/arm64.sh"

arm64_require
flags='-static -O2 -fno-optimize-sibling-calls'
arm64_cc frames $flags -fno-omit-frame-pointer "$TOP/tests/vm/turns.c" && arm64_cc none $flags -fomit-frame-pointer "$TOP/tests/vm/turns.c" &&
arm64_cc signed $flags -fno-omit-frame-pointer -mbranch-protection=standard "$TOP/tests/vm/turns.c" &&
arm64_cc stackmix -static -DSTATIC -O2 "$TOP/tests/workloads/stackmix.c" || exit 1
cp "$arm64_build/perf-unit" . || exit 1
vm_files="frames none signed stackmix perf-unit $TOP/tests/data $TOP/tests/roots"

cat >guest.sh <<'GUEST'
O=/out; cd /root
stacks () {	# NAME PROGRAM OPTIONS...
	f=$1; p=$2; shift 2
	perf record -q -e cycles:u -c 100000 "$@" -o x.data $p 3000000 >/dev/null 2>$O/$f.err && perf report --stdio --no-children -g folded -s sym -i x.data >$O/$f
}
stacks fp /frames --call-graph fp
stacks fpsigned /signed --call-graph fp
stacks dwarf /none --call-graph dwarf
stacks auto /signed -g
stacks raw /signed --call-graph dwarf,8192,raw
stacks rawnone /none --call-graph dwarf,8192,raw
perf record -q -e cycles:u -c 100000 --call-graph fp -o leaf.data perf test -w leafloop 0.05
perf script -G -F comm -i leaf.data >/dev/null; perf report --stdio --no-children -g folded,caller -s sym -i leaf.data >$O/leaf
perf record -q -e cycles:u -c 100000 --call-graph dwarf,65528,raw -o mix.data /stackmix 5 2>$O/mix.err
perf script --no-inline -i mix.data -F ip,sym >$O/mix
mkdir -p /perf/build /perf/tests /dev/pts; ln -s /data /roots /perf/tests/; mount -t devpts devpts /dev/pts
cd /perf && /perf-unit >$O/unit 2>&1
echo $? >$O/unit.status
exit 0
GUEST

test_expect_success 'the guest runs to its end' 'VM_TIMEOUT=550 vm_run guest.sh'

for f in fp fpsigned dwarf auto raw rawnone; do
	test_expect_success "$f: both loops with all their callers" '
		grep -E "^[0-9.]+% (heavy|light);" out/$f >got && cat got && rest="both;main;__libc_start_call_main;__libc_start_main_impl;_start" &&
		printf "75.00%% heavy;first;$rest\n25.00%% light;second;$rest\n" >want && test_cmp want got
	'
done
test_expect_success 'fp: the caller of a leaf, which is in the link register alone' 'test_grep ";leafloop;parent;leaf *$" out/leaf'
test_expect_success 'stacks of all sorts reach their start, but from a stack of a signal that hides the interrupted one' '
	awk "BEGIN { RS = \"\"; FS = \"\n\" } { n++; alt = / on_signal\n/ && \$NF ~ / __pthread_kill_impl/ }
		\$NF ~ / (_start|thread_start)\$/ || (\$(NF - 1) ~ / in_context\$/) { whole++; next } alt { hidden++; next } { print }
		END { print n, whole, hidden; exit n < 100 || whole + hidden < n || hidden > n / 4 }" out/mix
'
test_expect_success 'a signal: its trampoline by name, and after it the instruction that was interrupted' '
	awk "BEGIN { RS = \"\"; FS = \"\n\" } / on_signal\n/ { n++ } / on_signal\n/ && / _start\$/ { whole++ }
		/ on_signal\n[^\n]* __kernel_rt_sigreturn\n[^\n]* __pthread_kill_impl/ { good++ }
		END { print n, good, whole; exit !n || good != n || whole < n / 3 }" out/mix
'
test_expect_success 'the unit tests' 'test_grep -v "^not ok" out/unit && test "$(cat out/unit.status)" = 0 && test "$(grep -c "^ok" out/unit)" -gt 600'
test_done
