#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched why: programs that are late for a known reason, which is named first'
. "$(dirname "$0")/lib.sh"

test_workload late -pthread
test_lazy_prereq DISK 'no directory on a disk' 'd=$(df --output=source . | tail -n 1) && [ -b "$d" ]'
# A cgroup whose CPU time can be limited, of either version: $cgroup; it is there only while it is needed.
make_cgroup () {
	local d
	for d in /sys/fs/cgroup /sys/fs/cgroup/cpu /sys/fs/cgroup/unified; do
		cgroup=$d/perf-late-$$
		mkdir $cgroup 2>/dev/null || continue
		[ ! -w $cgroup/cpu.max ] && [ ! -w $cgroup/cpu.cfs_quota_us ] || return 0
		rmdir $cgroup
	done
	return 1
}
test_lazy_prereq QUOTA 'no cgroup can be made whose CPU time is limited' 'make_cgroup && rmdir $cgroup'
quota_is_named () {
	local status
	make_cgroup && is_named quota quota "quota" $cgroup
	status=$?
	rmdir $cgroup
	return $status
}

# Where the kernel has lost an idle task, it records neither what that wakes nor who runs after it: there, something else runs
# when nothing does.
spinners=
for cpu in $(seq 0 $(($(nproc) - 1))); do
	! test_idle_seen $cpu >/dev/null || continue
	chrt -i 0 taskset -c $cpu sh -c 'while :; do :; done' & spinners="$spinners $!"
done
[ -z "$spinners" ] || trap 'kill $spinners 2>/dev/null; test_at_exit' EXIT

# names WHY KIND WORDS [ARGUMENT]: recorded until it is, as a busy machine has reasons of its own; nice, so that these are few
names () {
	local status
	nice -n -20 perf sched record --why -q -m 16M -o $1.data -- ./late "$1" $4 >out 2>err
	status=$?
	[ $status = 77 ] && { echo "# $1 cannot be made here" >&3; return 0; }
	[ $status = 0 ] || { cat err; return 1; }
	perf sched why late -i $1.data --json >j 2>err || { cat err; return 1; }
	python3 - "$2" "$3" <<-\EOF
	import json, sys
	w = json.load(open("j"))["waits"][0]
	c = w["causes"]
	assert sum(x["time_ns"] for x in c) == w["delay_ns"] > 150e6, w["delay_ns"]
	for x in c[:4]:
	    print(x["share"], x["kind"], x["cause"])
	sys.exit(not (c[0]["kind"] == sys.argv[1] and sys.argv[2] in c[0]["cause"]))
	EOF
}
is_named () { test_attempts 4 "a busy machine has reasons of its own" names "$@"; }

test_expect_success ROOT,TRACEFS,PYTHON 'a lock that three others have before' 'is_named convoy lock "a futex"'
test_expect_success ROOT,TRACEFS,PYTHON,DISK 'a disk' 'is_named disk disk "waited for I/O" file'
test_expect_success ROOT,TRACEFS,PYTHON 'a task of higher priority' 'is_named hog cpu "(realtime priority 50)"'
test_expect_success ROOT,TRACEFS,PYTHON 'the holder of the lock cannot run' 'is_named inversion cpu "(realtime priority 50)"'
test_expect_success ROOT,TRACEFS,PYTHON 'the first of four processes with pipes' 'is_named pipes work "first"'
test_expect_success ROOT,TRACEFS,PYTHON 'a child process' 'is_named child work "child"'
test_expect_success ROOT,TRACEFS,PYTHON 'a server' 'is_named server work "server"'
test_expect_success ROOT,TRACEFS,PYTHON 'it was stopped' 'is_named stopped stopped "was stopped"'
test_expect_success ROOT,TRACEFS,PYTHON,QUOTA 'the quota of its cgroup' quota_is_named
test_expect_success ROOT,TRACEFS,PYTHON 'page faults' 'is_named faults page-faults "page faults"'
test_done
