#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf lock futex: which threads wait for locks of programs, for how long and for whom, by the clock of the program'
. "$(dirname "$0")/lib.sh"

test_workload lockfight
test_workload nocall
futex () { perf lock futex "$@"; }

test_expect_success 'wrong uses' '
	test_status 1 futex -t -o true 2>err && test_grep "threads and --lock-owner exclude each other" err &&
	test_status 1 futex -k acquired true 2>err && test_grep "key: there is no field .acquired" err &&
	test_status 1 futex -Y spinlock true 2>err && test_grep "spinlock. is not a type of lock" err && test_grep "^Hint: the types are: mutex, pi-mutex, condition" err
'
# Times in us. Thread 101 waits for a mutex of glibc until 100 unlocks it; 102, too, but it had changed meanwhile. 101 waits for
# something else until a timeout (500); 102 for the same without an end.
cat >story <<\EOF
event syscalls:sys_enter_futex __syscall_nr:s32 uaddr:u64 op:u64 val:u64 utime:u64 uaddr2:u64 val3:u64
event syscalls:sys_exit_futex __syscall_nr:s32 ret:s64
comm 100 100 prog
comm 100 101 waiter
comm 100 102 other
1000 0 100 101 syscalls:sys_enter_futex 202 0x5000 128 2 0 0 0
1100 1 100 102 syscalls:sys_enter_futex 202 0x5000 128 2 0 0 0
1200 1 100 102 syscalls:sys_exit_futex 202 -11
1500 1 100 100 syscalls:sys_enter_futex 202 0x5000 129 1 0 0 0
1501 1 100 100 syscalls:sys_exit_futex 202 1
1510 0 100 101 syscalls:sys_exit_futex 202 0
2000 0 100 101 syscalls:sys_enter_futex 202 0x6000 393 7 0 0 0
2500 0 100 101 syscalls:sys_exit_futex 202 -110
3000 0 100 102 syscalls:sys_enter_futex 202 0x6000 393 7 0 0 0
EOF
cat >check-story.py <<\EOF
import json, sys
o = json.load(open(sys.argv[1]))
assert [(r["address"], r["p50_ns"], r["holder"], r["timeouts"]) for r in o["futexes"]] == [(0x5000, 510000, "prog", 0)], o
assert [(r["row"], r["tid"], r["total_wait_ns"]) for r in o["waiters"] + o["holders"]] == [(0, 101, 510000), (0, 100, 510000)], o
EOF
test_expect_success 'of a recording: who woke is who had it' '
	python3 "$TOP/tests/t/tpenc.py" f.data <story && futex -i f.data 2>err && cat >expect <<-\EOF && test_cmp expect err &&
	 contended   total wait     max wait     avg wait         type   lock

	         1    510.00 us    510.00 us    510.00 us        mutex   5000 ([unknown]) pid 100, held by prog:100 (100%)
	         1    500.00 us    500.00 us    500.00 us        futex   6000 ([unknown]) pid 100
	Warning: 1 waits had no end in the recording: they are not counted
	EOF
	futex -t -i f.data -F contended,wait_min 2>all && grep -v ^Warning all >err && cat >expect <<-\EOF && test_cmp expect err &&
	 contended     min wait   total wait          tid   comm

	         2    500.00 us      1.01 ms          101   waiter
	EOF
	futex -o -v -k contended -i f.data 2>all && grep -v ^Warning all >err && futex -q -E 1 -i f.data 2>one && [ $(wc -l <one) = 1 ] && cat >expect <<-\EOF && test_cmp expect err &&
	 contended   total wait     max wait     avg wait          tid   owner

	         1    500.00 us    500.00 us    500.00 us           -1   Unknown
	         1    500.00 us    500.00 us has it: Unknown
	         1    510.00 us    510.00 us    510.00 us          100   prog
	         1    510.00 us    510.00 us has it: prog:100
	EOF
	futex -q -Y mutex -i f.data --json >out && python3 check-story.py out && test_status 1 futex -i f.data -p 3 2>err && test_grep "whom to watch now was given, too" err &&
	test_status 1 futex -i "$TOP/tests/data/small/fp.data" 2>err && test_grep "no events of futex" err && test_grep "perf lock futex record" err
'
test_expect_success ROOT,SYSCALLS 'record: its events, with the stacks of who waits and who wakes' '
	perf lock futex record -o r.data -- ./lockfight >said 2>err && perf evlist -i r.data 2>/dev/null | grep -v "^#" >got && printf "syscalls:%s\n" sys_enter_futex sys_exit_futex >expect && { ! perf list tracepoint | grep -q "syscalls:sys_enter_futex_wait " || printf "syscalls:%s\n" sys_enter_futex_wait sys_exit_futex_wait sys_enter_futex_wake >>expect; } &&
	test_cmp expect got && futex -q -v -i r.data --output v.txt && cat v.txt && grep -E "^ +5 .* mutex   static_lock \(lockfight\) pid [0-9]+, held by holder:[0-9]+ \(100%\)$" v.txt &&
	grep -E "^	+0x[0-9a-f]+  mutex_want" v.txt
'
test_require BPF,PERF_SW
test_lazy_prereq FUTEXBPF 'needs a kernel that lets BPF watch system calls' '! futex true 2>&1 | grep "cannot load the BPF programs"'
test_expect_success 'without BPF: one message' '
	test_status 1 ./nocall bpf=EINVAL "$BUILD/perf" lock futex true 2>err && test_grep "^Error: cannot load the BPF programs that watch futexes: Invalid argument$" err && [ $(grep -c ^Error err) = 1 ]
'
test_require FUTEXBPF

cat >check.py <<\EOF
# said json: each lock that the program tells of is there, with its waits, their time, and who waited for whom.
import json, sys
said = {w[0]: [int(x) for x in w[1:]] for w in map(str.split, open(sys.argv[1])) if len(w) == 5}
all = json.load(open(sys.argv[2]))
expect = {	# type, symbol, function of the waiter, of the holder
    "mutex": ("mutex", "static_lock", "mutex_want", "mutex_hold"), "heap": ("mutex", None, "mutex_want", "mutex_hold"),
    "pi": ("pi-mutex", "pi_lock", "mutex_want", "mutex_hold"), "rwlock": ("rwlock", "rw_lock", "rw_want", "rw_hold"),
    "condition": ("condition", "is_ready", "cond_want", "cond_hold"), "semaphore": ("semaphore", "tokens", "sem_want", "sem_hold"),
}
bad = 0
for kind, (type, symbol, want, hold) in expect.items():
    n, ns, waiter, holder = said[kind]
    rows = []
    for i, r in enumerate(all["futexes"]):
        name = (r["symbol"] or "").split("+")[0] or None
        if r["type"] == type and name == symbol:
            rows.append((i, r))
    if len(rows) != 1:
        print(kind, "rows", rows); bad = 1; continue
    i, r = rows[0]
    w = [p for p in all["waiters"] if p["row"] == i]
    h = [p for p in all["holders"] if p["row"] == i]
    checks = {
        "count": r["contended"] == n, "time": abs(r["total_wait_ns"] - ns) <= max(ns * 0.02, 5000 * n),
        "percentiles": r["max_wait_ns"] >= r["p99_ns"] >= r["p50_ns"] > 0,
        "waiter": {(p["tid"], p["comm"]) for p in w} == {(waiter, "waiter")},
        "holder": {(p["tid"], p["comm"]) for p in h} == {(holder, "holder")} and (r["holder_tid"], r["holder"]) == (holder, "holder"),
    }
    checks["waiter's stack"] = sum(p["contended"] for p in w if any(f.split("+")[0] == want for f in p["stack"])) == n
    if kind != "pi":	# whose stacks are those of the wakers
        checks["holder's stack"] = sum(p["contended"] for p in h if any(f.split("+")[0] == hold for f in p["stack"])) == n
    wrong = [k for k, v in checks.items() if not v]
    if wrong:
        print(kind, "wrong:", wrong, "said", said[kind], r, w, h); bad = 1
sys.exit(bad)
EOF
test_expect_success 'each kind of lock: how often, how long, who waited where, and who had it' '
	futex -q --json ./lockfight >both && grep -E "^[a-z]+ [0-9]" both >said && sed -n "/^{/,\$p" both >json && python3 check.py said json
'
test_expect_success X86_64 'futex_waitv, and the newer calls where the kernel has them' '
	cc -g -O1 -fno-inline -fno-omit-frame-pointer -ffreestanding -fno-stack-protector -fno-pie -no-pie -nostdlib -static -o futexcalls "$TOP/tests/workloads/bare/futexcalls.c" &&
	futex -q --json ./futexcalls >both && grep -E "^[a-z_0-9]+ [0-9]" both >said && [ $(wc -l <said) = 5 ] && sed -n "/^{/,\$p" both >json && python3 "$TOP/tests/t/futexcalls.py" said json
'
test_lazy_prereq FUTEX2 'needs the system calls futex_wait and futex_wake (Linux 6.7)' 'perf list tracepoint | grep -q "syscalls:sys_enter_futex_wait "'
test_expect_success X86_64,SYSCALLS,FUTEX2 'of a recording, too: futex_wait and futex_wake, with who woke' '
	perf lock futex record -q -o n.data ./futexcalls >said && futex -q --json -i n.data >json && grep -E "^(word|newer) " said >known && [ $(wc -l <known) = 2 ] && python3 "$TOP/tests/t/futexcalls.py" known json
'
test_expect_success 'as text: rows by lock, by who waited, by who had it' '
	futex -Y mutex --output locks.txt ./lockfight >said && cat locks.txt && head -1 locks.txt >head && echo " contended   total wait     max wait     avg wait         type   lock" >expect &&
	test_cmp expect head && grep -E "^ +5 .* mutex   static_lock \(lockfight\) pid [0-9]+, held by holder:[0-9]+ \([0-9]+%\)$" locks.txt &&
	futex -t --output t.txt ./lockfight >said && test_grep "tid   comm$" t.txt && grep -E "^ +5 .* $(awk "\$1 == \"mutex\" { print \$4 }" said)   waiter$" t.txt &&
	futex -o --output o.txt ./lockfight >said && test_grep "tid   owner$" o.txt && grep -E "^ +5 .* $(awk "\$1 == \"mutex\" { print \$5 }" said)   holder$" o.txt &&
	futex -v -L static_lock --percentiles --output v.txt ./lockfight >said && cat v.txt && [ $(grep -c "(lockfight)" v.txt) = 1 ] && test_grep "50%          95%          99%" v.txt &&
	test_grep "waits: waiter:" v.txt && test_grep "has it: holder:" v.txt && grep -E "^	+0x[0-9a-f]+  mutex_want" v.txt && grep -E "^	+0x[0-9a-f]+  mutex_hold" v.txt
'
test_expect_success 'a process that runs already, and the whole system' '
	{ sh -c "kill -STOP \$\$; exec ./lockfight 60" >said & } && pid=$! && test_kill_at_end $pid && test_wait_for 10 "grep -q \"^State:.T\" /proc/$pid/status" &&
	futex -q -p $pid --output p.txt -- sh -c "kill -CONT $pid; tail --pid=$pid -f /dev/null" && wait $pid && grep "static_lock (lockfight)" p.txt &&
	futex -q -a --output a.txt ./lockfight >said && grep -E "^ +5 .* mutex   static_lock \(lockfight\)" a.txt
'
test_expect_success 'what finds no room is counted and said; as CSV' '
	futex -M 1 --output m.txt ./lockfight 2>err >said && test_grep "^Warning: [0-9]* waits of [0-9.]* ms are missing: there are more different ones" err &&
	futex -q -x , --output c.txt ./lockfight >said && head -1 c.txt | grep "^contended,total_wait_ns,max_wait_ns,avg_wait_ns,min_wait_ns,p50_ns,p95_ns,p99_ns,timeouts,type,address,symbol,dso" &&
	grep "^# waiters" c.txt && grep -E "^waiter,[0-9],5,[0-9]+,[0-9]+,[0-9]+,waiter$" c.txt && grep -E "^holder,[0-9],5,[0-9]+,[0-9]+,[0-9]+,holder$" c.txt
'
test_done
