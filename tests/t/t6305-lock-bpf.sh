#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf lock contention -b: waits for the kernel locks, summed up by BPF, by the clock of the program that waits'
. "$(dirname "$0")/lib.sh"

test_workload lockfight
test_workload nocall
live () { perf lock contention -b "$@"; }
# What the program said of its first lock: how often and how long who waited, whom for.
said () { awk -v n="$1" '$1 == "file" { print $n }' said; }
# as_said KEY VALUE <JSON: the row in which KEY is VALUE has as many waits as the program says, and their time within 2% or 5 us each.
# Of waits of less than 200 us (LEAST_NS) it says nothing: a late waiter may have such ones.
as_said () {
	python3 -c '
import json, sys
key, value, n, ns = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
rows = [r for r in json.load(sys.stdin)["locks"] if str(r[key]) == value]
got, took = sum(r["contended"] for r in rows), sum(r["total_wait_ns"] for r in rows)
print(key, value, "said", n, ns, "seen", got, took)
short = got - n
sys.exit(not 0 <= short <= 2 or not -max(ns * 0.02, 5000 * n) <= took - ns <= max(ns * 0.02, 5000 * n) + short * 200000)' "$1" "$2" "$(said 2)" "$(said 3)"
}

test_expect_success 'wrong uses' '
	test_status 1 perf lock contention -p 1 2>err && test_grep "^Error: -p is for what happens now" err && test_grep "^Hint: add -b" err &&
	test_status 1 perf lock contention true 2>err && test_grep "^Error: a command is for what happens now" err &&
	test_status 1 live -i x true 2>err && test_grep "^Error: -b watches what happens now, -i reads a recording" err &&
	test_status 1 live -o -l true 2>err && test_grep "only one of --lock-owner, --lock-cgroup and --lock-addr" err &&
	test_status 1 live -Y foo true 2>err && test_grep "foo. is not a type of lock" err &&
	test_status 129 live -J 1ms@x true 2>err && test_grep "^Error: delays are not injected" err
'

test_require BPF
test_lazy_prereq LOCKBPF 'needs a kernel (5.19) that lets BPF watch its locks' '! live true 2>&1 | grep "cannot load the BPF programs"'
test_expect_success 'without BPF, and without the right to use it: one message' '
	test_status 1 ./nocall bpf=EINVAL "$BUILD/perf" lock contention -b true 2>err && test_grep "^Error: cannot load the BPF programs that watch the kernel.s locks: Invalid argument$" err &&
	[ $(grep -c ^Error err) = 1 ] && chmod 777 . &&
	HOME=$PWD test_status 1 setpriv --reuid=65534 --regid=65534 --clear-groups "$BUILD/perf" lock contention -b true 2>err &&
	test_grep "^Error: .*not permitted" err && test_grep "^Hint: BPF programs need root, or CAP_BPF and CAP_PERFMON$" err && [ $(grep -c ^Error err) = 1 ]
'
test_require LOCKBPF

test_expect_success 'by caller, in the layout of a recording' '
	live -q -Y mutex -S lseek,fdget ./lockfight 2>err >said && [ $(wc -l <err) = 1 ] && live ./lockfight 2>err >said && head -1 err >head && echo " contended   total wait     max wait     avg wait         type   caller" >expect && test_cmp expect head &&
	grep -E "^ +$(said 2) .* mutex   .*(lseek|fdget_pos)" err && [ $(wc -l <said) = 7 ]
'
test_expect_success 'who waited, how often and how long; filters by type, function and lock' '
	live -q -t -Y mutex -S lseek,fdget --json ./lockfight >both && sed -n "/^{/,\$p" both >json && grep -v "^[{} \"]" both >said && as_said tid $(said 4) <json && as_said comm waiter <json &&
	live -l -Y mutex --output lock -x , -E 1 ./lockfight >said && cat lock && addr=$(awk -F ", " "!/^#/ { print \$5 }" lock) && [ -n "$addr" ] &&
	live -Y spinlock,rwsem,rwlock --output other ./lockfight >said && ! grep mutex other
'
# Of the program's five waits the third longest is the median, and the longest one has the other two percentiles.
test_expect_success 'percentiles' '
	live -q -t -Y mutex -S lseek,fdget --percentiles --json ./lockfight >both && sed -n "/^{/,\$p" both >json && grep -v "^[{} \"]" both >said && as_said tid $(said 4) <json &&
	python3 -c "
import json
r = [r for r in json.load(open(\"json\"))[\"locks\"] if r[\"comm\"] == \"waiter\"][0]
assert r[\"min_wait_ns\"] <= r[\"p50_ns\"] <= r[\"p95_ns\"] == r[\"p99_ns\"] == r[\"max_wait_ns\"], r
assert r[\"p50_ns\"] <= r[\"avg_wait_ns\"] * 5 / 3, r"
'
test_expect_success 'who had the lock' '
	live -o -Y mutex --output own.txt ./lockfight >said && head -1 own.txt | grep "pid   owner$" && grep -E " $(said 5)   holder$" own.txt &&
	live -o -Y mutex --output own.csv -x , ./lockfight >said && awk -F ", " -v t=$(said 5) -v n=$(said 2) -v ns=$(said 3) \
		"\$5 == t && \$1 == n && \$2 > ns * .98 - 5000 * n && \$2 < ns * 1.02 + 5000 * n { ok = 1 } END { exit !ok }" own.csv
'
test_lazy_prereq CGROUP2 'needs cgroup version 2' 'grep -q "^0::/" /proc/self/cgroup && grep -q " cgroup2 " /proc/mounts'
test_expect_success CGROUP2 'by cgroup, and only in one' '
	live --lock-cgroup -Y mutex --output cg.txt ./lockfight >said && cat cg.txt && head -1 cg.txt | grep "  cgroup$" && group=$(sed -n s/^0:://p /proc/self/cgroup) &&
	awk -v g="$group" "\$NF == g { ok = 1 } END { exit !ok }" cg.txt &&
	test_status 1 live -G /no/such/group true 2>err && test_grep "no/such/group" err && live -G "$group" -Y mutex --output in.txt ./lockfight >said && grep -E "^ +$(said 2) .* mutex" in.txt
'
test_expect_success 'a process that runs already, all of them, and those on some CPUs' '
	{ sh -c "kill -STOP \$\$; exec ./lockfight" >said & } && pid=$! && test_kill_at_end $pid && test_wait_for 10 "grep -q \"^State:.T\" /proc/$pid/status" &&
	live -t -Y mutex -p $pid --output p.txt -- sh -c "kill -CONT $pid; tail --pid=$pid -f /dev/null" && wait $pid && grep -E "^ +$(said 2) .* $(said 4)   waiter$" p.txt &&
	live -a -t -Y mutex --output a.txt ./lockfight >said && grep -E "^ +$(said 2) .* $(said 4)   waiter$" a.txt &&
	live -C 0-1023 -t -Y mutex --output c.txt ./lockfight >said && grep -E "^ +$(said 2) .* $(said 4)   waiter$" c.txt &&
	test_status 7 live --output x.txt sh -c "exit 7"
'
test_expect_success 'what finds no room is counted and said; -v shows why' '
	live -t -Y mutex -M 1 --output m.txt sh -c "./lockfight 3 >one; ./lockfight 3 >two" 2>err && [ $(grep -c "^ .*waiter" m.txt) = 1 ] &&
	test_grep "^Warning: 3 waits of [0-9.]* ms are missing: there are more different ones" err && live -v -Y mutex --output v.txt ./lockfight >said &&
	test_grep "^=== output for debug ===$" v.txt && test_grep "^bad: 0, total: [1-9]" v.txt && for w in task stack time data; do test_grep "^ *$w: 0$" v.txt || return 1; done &&
	grep -E "^	+0x[0-9a-f]+  .*lseek" v.txt
'
test_lazy_prereq UPSTREAM_LOCK 'needs an upstream perf whose lock contention uses BPF' '"$UPSTREAM" lock contention -b -E 1 true 2>&1 | grep "avg wait"'
test_expect_success UPSTREAM_LOCK 'upstream perf heads its columns the same' '
	"$UPSTREAM" lock contention -b true 2>theirs >/dev/null && live true 2>ours && sed -n 1p theirs >expect && sed -n 1p ours >got && test_cmp expect got &&
	"$UPSTREAM" lock contention -b -t true 2>theirs >/dev/null && live -t true 2>ours && sed -n 1p theirs >expect && sed -n 1p ours >got && test_cmp expect got
'
test_done
