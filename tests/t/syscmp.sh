# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced after lib.sh by scripts that compare perf trace with strace.

test_lazy_prereq SYSBPF 'needs a kernel that lets BPF watch system calls' \
	'test_have BPF && ! perf trace -v -e close -o probe true 2>&1 | grep -qi "cannot load the BPF programs"'
test_require SYSBPF,CC,STRACE,PYTHON
strace -f -qq -o probe true 2>/dev/null || test_skip_all 'strace cannot trace here'

# same_as_strace DROP NORET COMMAND...: the calls in each thread's order, with results, errors and paths (syscmp.py), but for the calls in
# DROP and the results of those in NORET ("-": none). strace_how and perf_how: options. before: a command before each run.
# lines: so many percent of the lines must be equal as text.
same_as_strace () {
	test_attempts 3 'a program may differ from run to run; calls that a capture misses it misses always' calls_as_strace "$@"
}
calls_as_strace () {
	local drop=$1 noret=$2
	shift 2
	eval "$before"
	timeout 60 strace ${strace_how--f} -qq --signal=none -o strace.out "$@" >/dev/null 2>&1
	eval "$before"
	timeout 60 perf trace $perf_how --style=strace -o perf.out "$@" >/dev/null 2>&1
	python3 "$TEST_DIR/syscmp.py" ${lines:+--lines $lines} --drop "$drop" --noret "$noret" strace.out perf.out
}
before= perf_how= lines=
