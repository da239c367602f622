# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by every tests/t/tNNNN-*.sh, which looks like this:
#
#	#!/bin/bash
#	# SPDX-License-Identifier: GPL-2.0-or-later
#	test_description='perf foo: what is tested'
#	. "$(dirname "$0")/lib.sh"
#
#	test_workload threads				# compiles tests/workloads/threads.c to ./threads
#	test_expect_success 'it counts' '
#		perf foo -o out ./threads &&
#		test_cmp expect out
#	'
#	test_expect_success NEWEST,ROOT 'only where both are' '...'
#	test_done
#
# The script runs in an empty directory of its own (the "trash"), with the built perf first in PATH, LC_ALL=C, HOME in the
# trash, and no PERF_* (but for those that name upstreams and VMs) or DEBUGINFOD_URLS. Each test is evaluated in this shell (not a
# subshell: use ( ) for cd);
# its output is shown as TAP comments if it fails. "# asan: yes" in a script lets the asan stage run it too.

set +e
TEST_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(cd "$TEST_DIR/../.." && pwd)
BUILD=${BUILD:-$TOP/build}
TEST_NAME=$(basename "$0" .sh)
test_real_home=$HOME
for test_var in $(compgen -v PERF_); do
	case $test_var in PERF_NEWEST|PERF_VMDIR|PERF_VM_NOBTF_KERNEL|PERF_ARM64_BUILD) ;; *) unset "$test_var" ;; esac
done
unset DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH PAGER LESS COLUMNS NO_COLOR MAKEFLAGS MAKELEVEL CDPATH GREP_OPTIONS test_var
export LC_ALL=C LANGUAGE=C TZ=UTC TERM=dumb
test_real_cache=${XDG_CACHE_HOME:-$test_real_home/.cache}
unset XDG_CACHE_HOME XDG_CONFIG_HOME

TRASH=$(mktemp -d "${TMPDIR:-/tmp}/t-$TEST_NAME.XXXXXX") || exit 1
cd "$TRASH" || exit 1
export RUSTUP_HOME=${RUSTUP_HOME:-$test_real_home/.rustup} CARGO_HOME=${CARGO_HOME:-$test_real_home/.cargo}
export HOME=$TRASH/.home
mkdir "$HOME"
export PATH=$BUILD:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:$PATH
exec </dev/null 3>&1 4>&2

test_nr=0 test_failed=0 test_finished= test_running=0 test_title=
declare -A test_prereq_code test_prereq_known test_prereq_reason

test_at_exit () {
	local status=$?
	[ "$BASHPID" = "$$" ] || return
	for pid in $test_background; do kill "$pid" 2>/dev/null; done
	if [ -z "$test_finished" ]; then
		echo "not ok $((test_nr + !test_running)) - $TEST_NAME ended before test_done (status $status)" >&3
		[ ! -s "$TRASH/.out" ] || tail -n 50 "$TRASH/.out" | tr -d '\000' | sed 's/^/#   /' >&3
	fi
	cd /
	if [ -n "${KEEP_TRASH:-}" ]; then echo "# kept: $TRASH" >&3; else chmod -R u+rwX "$TRASH" 2>/dev/null; rm -rf "$TRASH"; fi
	[ -n "$test_finished" ] || exit 1
}
trap test_at_exit EXIT
trap 'exit 143' TERM INT HUP

# ---- prerequisites ----

# test_lazy_prereq NAME REASON 'commands': true means it is there. Evaluated once, when first asked for.
test_lazy_prereq () {
	test_prereq_reason[$1]=$2
	test_prereq_code[$1]=$3
}

# test_have A,B,!C: sets test_missing to the reason when one is not there.
test_have () {
	local p want IFS=,
	for p in $1; do
		want=0
		case $p in !*) want=1; p=${p#!} ;; esac
		if [ -z "${test_prereq_code[$p]+x}" ]; then
			test_missing="no such prerequisite: $p"
			test_unknown_prereq=$p
			return 1
		fi
		if [ -z "${test_prereq_known[$p]+x}" ]; then
			(IFS=$' \t\n'; eval "${test_prereq_code[$p]}") >/dev/null 2>&1
			test_prereq_known[$p]=$(( $? != 0 ))
		fi
		if [ "${test_prereq_known[$p]}" != "$want" ]; then
			test_missing="${test_prereq_reason[$p]}"
			[ $want = 0 ] || test_missing="only without: $p"
			return 1
		fi
	done
	return 0
}

UPSTREAM=/usr/bin/perf
[ -n "${PERF_NEWEST:-}" ] && NEWEST=$PERF_NEWEST || NEWEST=$test_real_cache/stock-perf/perf-sid
test_event_opens () { "$BUILD/perf" stat -e "$1" true; }
test_lazy_prereq UPSTREAM 'needs upstream perf (package linux-perf) at /usr/bin/perf' '"$UPSTREAM" version'
test_lazy_prereq NEWEST 'needs the newest upstream perf (scripts/newest-upstream.sh)' '"$NEWEST" version'
test_lazy_prereq ROOT 'needs root' '[ "$(id -u)" = 0 ]'
test_lazy_prereq TRACEFS 'needs a readable tracefs' \
	'cat /sys/kernel/tracing/events/sched/sched_switch/id || cat /sys/kernel/debug/tracing/events/sched/sched_switch/id'
test_lazy_prereq SYSCALLS 'needs syscall tracepoints' \
	'cat /sys/kernel/tracing/events/raw_syscalls/sys_enter/id || cat /sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id'
test_lazy_prereq PERF_SW 'needs perf_event_open for software events' 'test_event_opens task-clock'
test_lazy_prereq PERF_HW 'needs hardware counters' '"$BUILD/perf" stat -x, -e cycles true 2>&1 | grep -q "^[0-9]"'
test_lazy_prereq KALLSYMS 'needs readable kernel symbol addresses' \
	'awk "\$1 !~ /^0+\$/ { found = 1; exit } END { exit !found }" /proc/kallsyms'
test_lazy_prereq BTF 'needs /sys/kernel/btf/vmlinux' '[ -r /sys/kernel/btf/vmlinux ]'
test_lazy_prereq BPF 'needs root, BTF and a perf built with libbpf' 'test_have ROOT,BTF && [ -d /sys/fs/bpf ] &&
	"$BUILD/perf" version --build-options | grep -q "bpf: \[ on"'
test_lazy_prereq UPROBES 'needs root and uprobe_events' \
	'test_have ROOT && { [ -w /sys/kernel/tracing/uprobe_events ] || [ -w /sys/kernel/debug/tracing/uprobe_events ]; }'
test_lazy_prereq KPROBES 'needs root and kprobe_events' \
	'test_have ROOT && { [ -w /sys/kernel/tracing/kprobe_events ] || [ -w /sys/kernel/debug/tracing/kprobe_events ]; }'
test_lazy_prereq FTRACE 'needs root and the function tracer' 'test_have ROOT &&
	{ grep -qw function /sys/kernel/tracing/available_tracers || grep -qw function /sys/kernel/debug/tracing/available_tracers; }'
test_lazy_prereq CC 'needs a C compiler' 'cc --version'
test_lazy_prereq CXX 'needs a C++ compiler (package g++)' 'c++ --version'
test_lazy_prereq RUST 'needs rustc' 'rustc --version'
test_lazy_prereq GO 'needs go' 'go version'
test_lazy_prereq CLANG 'needs clang' 'clang --version'
test_lazy_prereq NODE 'needs node (package nodejs)' 'node --version'
test_lazy_prereq CHROMIUM 'needs chromium' 'command -v chromium'
test_lazy_prereq PYTHON 'needs python3' 'python3 --version'
test_lazy_prereq PYSCRIPT 'needs libpython (package libpython3.11 or another version)' 'echo "import sys" >t-probe.py &&
	"$BUILD/perf" script -s t-probe.py -f -i "$TOP/tests/data/small/fp.data"'
test_lazy_prereq PROMETHEUS 'needs prometheus and curl' 'prometheus --version && curl --version'
test_lazy_prereq SQLITE 'needs sqlite3' 'sqlite3 --version'
test_lazy_prereq STRACE 'needs strace' 'strace -V'
test_lazy_prereq ELFUTILS 'needs eu-readelf (package elfutils)' 'eu-readelf --version'
test_lazy_prereq OBJDUMP 'needs objdump and objcopy (package binutils)' 'objdump --version && objcopy --version'
test_lazy_prereq SDT 'needs sys/sdt.h (package systemtap-sdt-dev)' 'echo "#include <sys/sdt.h>" | cc -E -'
test_lazy_prereq MAN 'needs man' 'man --version'
test_lazy_prereq PTY 'needs script(1)' 'script -qec true /dev/null'
CORPUS=${CORPUS:-$TOP/../shared/corpus}
test_lazy_prereq CORPUS 'needs the recordings in ../shared/corpus' '[ -d "$CORPUS" ]'
test_lazy_prereq JAVA 'needs a JDK' 'javac -version'
test_lazy_prereq GDB 'needs gdb' 'gdb --version'
test_lazy_prereq TMUX 'needs tmux' 'tmux -V'
# One of version 1 may own it and be mounted nowhere: then no cgroup can be named.
test_lazy_prereq PERF_CGROUP 'the cgroup hierarchy of perf_event is not mounted' \
	'! grep -q "[:,]perf_event[:,]" /proc/self/cgroup || grep -q "^[^ ]* [^ ]* cgroup [^ ]*perf_event" /proc/mounts'
test_lazy_prereq X86_64 'needs x86_64' '[ "$(uname -m)" = x86_64 ]'

# ---- tests ----

test_comment () { sed 's/^/# /' "$1" >&3; }

test_skip_ () { echo "ok $test_nr - $1 # SKIP $2" >&3; }

# test_expect_success [PREREQ,...] NAME 'commands joined by &&'
test_expect_success () {
	local prereq= status
	if [ $# = 3 ]; then prereq=$1; shift; fi
	[ $# = 2 ] || { echo "Bail out! test_expect_success wants 2 or 3 arguments" >&3; exit 1; }
	test_nr=$((test_nr + 1)) test_title=$1
	if [ -n "${TEST_ONLY:-}" ] && [ "$TEST_ONLY" != "$test_nr" ]; then test_skip_ "$1" "not asked for"; return 0; fi
	test_missing= test_unknown_prereq=
	if [ -n "$prereq" ] && ! test_have "$prereq"; then
		if [ -z "$test_unknown_prereq" ]; then test_skip_ "$1" "$test_missing"; return 0; fi
		echo "not ok $test_nr - $1" >&3
		echo "# $test_missing" >&3
		test_failed=$((test_failed + 1))
		return 0
	fi
	test_skip_reason=
	test_running=1
	test_run_ "$2" >"$TRASH/.out" 2>&1
	status=$? test_running=0
	trap - DEBUG
	cd "$TRASH"
	if [ -n "$test_skip_reason" ]; then
		test_skip_ "$1" "$test_skip_reason"
	elif [ $status = 0 ]; then
		echo "ok $test_nr - $1" >&3
	else
		test_failed=$((test_failed + 1))
		echo "not ok $test_nr - $1" >&3
		echo "# $TEST_NAME, test $test_nr, status $status:" >&3
		printf '%s\n' "$2" | sed 's/^/#  /' >&3
		test_say_step_ >&3
		echo "# its output (last 100 lines):" >&3
		tail -n 100 "$TRASH/.out" | tr -d '\000' | sed 's/^/#   /' >&3
	fi
	return 0
}

# The test's code, with what it came to last in test_step: the command that failed, where commands are joined by &&.
test_run_ () {
	test_step=
	trap '[[ ${FUNCNAME[0]} != test_run_ || $BASH_COMMAND = return* ]] || test_step=$BASH_COMMAND' DEBUG
	eval "$1"
}

# What test_step is; of a comparison also its words, asked for once more.
test_say_step_ () {
	[ -n "$test_step" ] || return 0
	printf '# its last step: %s\n' "${test_step//$'\n'/$'\n#'}"
	case $test_step in
	'[ '*) echo "# now: $(set -f; eval "printf '%s ' $test_step" 2>&1 | tr '\n' ' ')" ;;
	esac
}

# test_attempts MOST WHY command...: for what a machine can spoil although nothing is wrong; WHY says how. The attempts are
# counted: what passes at a further one is told by the runner, with WHY and what the failed one said last. For the command,
# test_attempt is the number of this attempt.
test_attempts () {
	local test_most=$1 test_why=$2 test_said=
	shift 2
	for ((test_attempt = 1; test_attempt <= test_most; test_attempt++)); do
		if "$@" >"$TRASH/.attempt" 2>&1; then
			cat "$TRASH/.attempt"
			[ $test_attempt = 1 ] ||
				echo "# attempt $test_attempt of $test_most passed: $test_title: $test_why${test_said:+ ($test_said)}" >&3
			return 0
		fi
		cat "$TRASH/.attempt" >&2
		test_said=$(tail -n 1 "$TRASH/.attempt" | tr -cd '[:print:]' | cut -c1-120)
		echo "attempt $test_attempt of $test_most failed" >&2
	done
	return 1
}

# upstream_record ARGUMENT...: "$UPSTREAM" record, for tests about its files. While a BPF program unwinds samples of the whole
# system, as those of a test beside this one may, 6.1 smashes its stack when it makes the table of build-ids; without that table
# (-B) its own script has no names. Only this crash has a further attempt, which is counted.
upstream_record () {
	test_attempts 40 'upstream perf crashed while it recorded' upstream_record_once "$@" && return "$(cat "$TRASH/.upstream")"
}
upstream_record_once () {
	"$UPSTREAM" record "$@"
	echo $? >"$TRASH/.upstream"
	[ "$(cat "$TRASH/.upstream")" != 134 ] || { sleep 2; return 1; }
}

# test_idle_seen CPU: whether the kernel shows its idle task. It can lose one for good: a count of its nested events stays up, and
# it has no events of tracepoints any more; upstream perf sees none either. Without CPU: the first one where it is so.
test_idle_seen () {
	local cpu
	for cpu in ${1:-$(seq 0 $(($(nproc) - 1)))}; do
		perf record -q -C $cpu -e sched:sched_switch -o "$TRASH/.idle" -- \
			taskset -c $cpu sh -c "sleep 0.02; sleep 0.02; sleep 0.02; sleep 0.02" >/dev/null 2>&1
		perf script -G -F trace -i "$TRASH/.idle" 2>/dev/null | grep -q "prev_pid=0 " && { echo $cpu; return 0; }
	done
	return 1
}

# test_spinning COMMAND...	runs it while no CPU is idle, for events that such a kernel does not tell of an idle task.
test_spinning () {
	local cpu spinners= status
	for cpu in /sys/devices/system/cpu/cpu[0-9]*; do
		chrt -i 0 taskset -c ${cpu##*cpu} sh -c 'while :; do :; done' & spinners="$spinners $!"
	done
	"$@"
	status=$?
	kill $spinners
	return $status
}

# Inside a test: "test_skip 'reason'; return": this one cannot be run here after all.
test_skip () { test_skip_reason=$*; }

# Before the first test: the whole script cannot be run here.
test_skip_all () {
	echo "1..0 # SKIP $*" >&3
	test_finished=1
	exit 0
}

# test_require A,B: test_skip_all unless all are there.
test_require () { test_have "$1" || test_skip_all "$test_missing"; }

test_done () {
	echo "1..$test_nr" >&3
	test_finished=1
	[ "$test_failed" = 0 ] || exit 1
	exit 0
}

# ---- helpers for use in tests; each says why it fails ----

test_cmp () { diff -u "$1" "$2"; }

# test_range NAME VALUE MIN MAX: numbers, with fractions.
test_range () {
	awk -v v="$2" -v lo="$3" -v hi="$4" 'BEGIN { exit !(v ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ && v + 0 >= lo + 0 && v + 0 <= hi + 0) }' ||
		{ echo "$1 is '$2', not within $3..$4"; return 1; }
}

# test_grep [-v] PATTERN FILE: extended regular expression; shows the file if it fails.
test_grep () {
	local not=
	if [ "$1" = -v ]; then not=1; shift; fi
	if [ ! -e "$2" ]; then echo "test_grep: no file $2"; return 1; fi
	if grep -aqE -e "$1" "$2"; then
		[ -n "$not" ] || return 0
		echo "unexpected '$1' in $2:"
	else
		[ -z "$not" ] || return 0
		echo "no '$1' in $2:"
	fi
	head -n 40 "$2"
	return 1
}

# test_status N command...: the command ends with just this exit status.
test_status () {
	local want=$1 got
	shift
	"$@"
	got=$?
	[ "$got" = "$want" ] || { echo "exit status $got, not $want: $*"; return 1; }
}

# test_must_fail command...: fails in an orderly way: no success, no signal, not "command not found".
test_must_fail () {
	local got
	"$@"
	got=$?
	case $got in
	0) echo "succeeded, but should have failed: $*"; return 1 ;;
	126|127) echo "could not be run: $*"; return 1 ;;
	13[0-9]|14[0-9]|15[0-9]) echo "died by a signal (status $got): $*"; return 1 ;;
	esac
}

# test_wait_for SECONDS 'condition': asks ten times a second.
test_wait_for () {
	local n=$(( $1 * 10 ))
	while [ $n -gt 0 ]; do
		eval "$2" && return 0
		sleep 0.1
		n=$((n - 1))
	done
	echo "gave up after $1 s waiting for: $2"
	return 1
}

# A background process that dies with the script: command & test_kill_at_end $!
test_background=
test_kill_at_end () { test_background="$test_background $1"; }

# test_workload NAME [cflags]: ./NAME from tests/workloads/NAME.c (or .cc, .cpp, .rs); without its compiler the whole
# script is skipped.
test_workload () {
	local name=$1 src
	shift
	for src in "$TOP/tests/workloads/$name".{c,cc,cpp,rs}; do [ -e "$src" ] && break; done
	case $src in
	*.c) test_require CC
		cc -g -O1 -fno-inline -fno-omit-frame-pointer -fno-optimize-sibling-calls -D_GNU_SOURCE -pthread "$@" \
			-o "$name" "$src" -lm -ldl >.cc 2>&1 ;;
	*.cc|*.cpp) test_require CXX
		c++ -g -O1 -fno-inline -fno-omit-frame-pointer -pthread "$@" -o "$name" "$src" >.cc 2>&1 ;;
	*.rs) test_require RUST
		rustc -g "$@" -o "$name" "$src" >.cc 2>&1 ;;
	esac && return 0
	sed 's/^/# /' .cc >&3
	echo "not ok $((test_nr + 1)) - workload $name does not compile" >&3
	echo "1..$((test_nr + 1))" >&3
	test_finished=1
	exit 1
}
