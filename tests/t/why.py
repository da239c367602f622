#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings of programs that are late for a reason: why.py DIR writes DIR/NAME for each story (for
tpenc.py), symbols for --kallsyms, and "expected": NAME, the late
task, the kind of the first cause, its time in ns, and words of it."""
import sys

FUNCTIONS = """schedule futex_wait_queue pipe_read io_schedule blkdev_read do_signal_stop do_wait do_nanosleep __mutex_lock
tcp_recvmsg asm_exc_page_fault try_to_free_pages blk_complete wake_up exit_to_user ep_poll""".split()
BASE = 0xffffffff81000000
ADDR = {name: BASE + 0x1000 * (i + 1) for i, name in enumerate(FUNCTIONS)}
HEAD = """event sched:sched_switch prev_comm:16 prev_pid:s32 prev_prio:s32 prev_state:s64 next_comm:16 next_pid:s32 next_prio:s32
print sched:sched_switch "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d", \
REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, "|", \
{ 0x1, "S" }, { 0x2, "D" }, { 0x4, "T" }, { 0x8, "t" }, { 0x10, "X" }, { 0x20, "Z" }, { 0x40, "P" }, { 0x80, "I" }) : "R", \
REC->prev_state & 0x100 ? "+" : "", REC->next_comm, REC->next_pid, REC->next_prio
event sched:sched_waking comm:16 pid:s32 prio:s32 target_cpu:s32
event lock:contention_begin lock_addr:ptr flags:u32
event lock:contention_end lock_addr:ptr ret:s32
event block:block_rq_issue dev:u32 sector:u64 nr_sector:u32 bytes:u32
event block:block_rq_complete dev:u32 sector:u64 nr_sector:u32 error:s32
event irq:softirq_entry vec:u32
event exceptions:page_fault_user address:ptr ip:ptr error_code:u64
"""
SLEEP, DISK, STOPPED, RUN, DEAD = 1, 2, 4, 0, 16


class Story:
    def __init__(self, name, task, kind, ns, words):
        self.name, self.expected, self.lines, self.prios = name, (task, kind, ns, words), [], {}
        self.on = {}

    def comm(self, task):
        return "swapper/0" if not task else "t%d" % task

    def at(self, us, cpu, task, event, *values, chain=()):
        at = " @ " + " ".join("%x" % (ADDR[f] + 16) for f in chain) if chain else ""
        self.lines.append((us, "%s %d %d %d %s %s%s" % (us, cpu, task, task, event, " ".join(map(str, values)), at)))

    def switch(self, us, cpu, next_, state=RUN, why=()):
        prev = self.on.get(cpu, 0)
        self.on[cpu] = next_
        self.at(us, cpu, prev, "sched:sched_switch", self.comm(prev), prev, self.prios.get(prev, 120), state, self.comm(next_),
                next_, self.prios.get(next_, 120), chain=("schedule",) + tuple(why) if prev else ())

    def wake(self, us, cpu, task, target=0, context="", chain=()):
        self.at(us, cpu, self.on.get(cpu, 0), "sched:sched_waking" + context, self.comm(task), task, 120, target, chain=chain)


def stories():
    # Three holders of one futex, one after the other: t1 comes last.
    s = Story("convoy", 1, "lock", 28900000, "a futex, which others had: t4 4 10.100 ms, t3 3 10.000 ms, t2 2 8.800 ms")
    s.switch(0, 0, 1)
    s.switch(0, 1, 2)
    s.switch(1000, 0, 3, SLEEP, ["futex_wait_queue"])
    s.switch(1100, 0, 4, SLEEP, ["futex_wait_queue"])
    s.switch(1200, 0, 0, SLEEP, ["futex_wait_queue"])
    s.wake(10000, 1, 3)
    s.switch(10000, 0, 3)
    s.wake(20000, 0, 4, 1)
    s.switch(20000, 1, 4)
    s.wake(30000, 1, 1)
    s.switch(30000, 0, 1)
    s.switch(31000, 0, 0, DEAD)
    yield s

    s = Story("disk", 1, "disk", 40000000, "t1 1 waited for I/O of device 8:16")
    s.switch(0, 0, 1)
    for i in range(4):
        at = 2000 + 12000 * i
        s.at(at - 10, 0, 1, "block:block_rq_issue", 8 << 20 | 16, 1000 + i, 8, 4096)
        s.switch(at, 0, 0, DISK, ["io_schedule", "blkdev_read"])
        s.at(at + 9990, 0, 0, "block:block_rq_complete!soft", 8 << 20 | 16, 1000 + i, 8, 0)
        s.wake(at + 10000, 0, 1, context="!soft", chain=["blk_complete"])
        s.switch(at + 10000, 0, 1)
    s.switch(49000, 0, 0, DEAD)
    yield s

    s = Story("hog", 1, "cpu", 25000000, "t9 9 (realtime priority 50) ran on CPU 0 instead")
    s.prios[9] = 49
    s.switch(0, 0, 1)
    s.switch(5000, 0, 9)
    s.switch(30000, 0, 7, SLEEP, ["do_nanosleep"])
    s.switch(32000, 0, 1)
    s.switch(40000, 0, 0, DEAD)
    yield s

    # t4 works, and its bytes come to t1 through t3 and t2.
    s = Story("pipes", 1, "work", 19970000, "t4 4 ran, for which it waited through a pipe")
    s.switch(0, 0, 4)
    s.switch(100, 1, 1)
    s.switch(110, 1, 2, SLEEP, ["pipe_read"])
    s.switch(120, 1, 3, SLEEP, ["pipe_read"])
    s.switch(130, 1, 0, SLEEP, ["pipe_read"])
    s.wake(20100, 0, 3, 1)
    s.switch(20110, 1, 3)
    s.wake(20300, 1, 2, 1)
    s.switch(20310, 1, 2, SLEEP, ["pipe_read"])
    s.wake(20400, 1, 1, 1)
    s.switch(20410, 1, 1, SLEEP, ["pipe_read"])
    s.switch(20500, 1, 0, DEAD)
    yield s

    s = Story("stopped", 1, "stopped", 50000000, "t1 1 was stopped, until t2 2 continued it")
    s.switch(0, 0, 1)
    s.switch(5000, 0, 0, STOPPED, ["do_signal_stop"])
    s.switch(54000, 1, 2)
    s.wake(55000, 1, 1)
    s.switch(55000, 0, 1)
    s.switch(60000, 0, 0, DEAD)
    yield s

    # 10 ms of each 50 ms
    s = Story("quota", 1, "quota", 160000000, "quota of its cgroup")
    for i in range(5):
        s.switch(i * 50000, 0, 1)
        s.switch(i * 50000 + 10000, 0, 0, RUN if i < 4 else DEAD, ["exit_to_user"])
    yield s

    s = Story("faults", 1, "page-faults", 19990000, "t1 1 had 2000 page faults")
    s.switch(0, 0, 1)
    for i in range(2000):
        s.at(1000 + i * 10, 0, 1, "exceptions:page_fault_user", i * 4096, 0, 6)
    s.switch(22000, 0, 0, DEAD)
    yield s

    s = Story("network", 1, "network", 30000000, "t1 1 waited for the network")
    s.switch(0, 0, 1)
    s.switch(1000, 0, 0, SLEEP, ["tcp_recvmsg"])
    s.at(30990, 0, 0, "irq:softirq_entry!soft", 3)
    s.wake(31000, 0, 1, context="!soft", chain=["wake_up"])
    s.switch(31000, 0, 1)
    s.switch(32000, 0, 0, DEAD)
    yield s

    s = Story("mutex", 1, "lock", 15000000, "a lock of the kernel (0xffff888100001000), which others had: t2 2 15.000 ms")
    s.switch(0, 1, 2)
    s.switch(0, 0, 1)
    s.at(4990, 0, 1, "lock:contention_begin", 0xffff888100001000, 32)
    s.switch(5000, 0, 0, DISK, ["__mutex_lock"])
    s.wake(20000, 1, 1)
    s.switch(20000, 0, 1)
    s.at(20010, 0, 1, "lock:contention_end", 0xffff888100001000, 0)
    s.switch(21000, 0, 0, DEAD)
    yield s

    s = Story("child", 1, "work", 18000000, "t2 2 ran, for which it waited through a child process")
    s.switch(0, 0, 1)
    s.switch(1000, 1, 2)
    s.switch(2000, 0, 0, SLEEP, ["do_wait"])
    s.wake(20000, 1, 1)
    s.switch(20010, 1, 0, DEAD)
    s.switch(20010, 0, 1)
    s.switch(21000, 0, 0, DEAD)
    yield s

    s = Story("swap", 1, "disk", 16000000, "t1 1 waited in a page fault for I/O of device 8:32")
    s.switch(0, 0, 1)
    for i in range(8):
        at = 500 + 2500 * i
        s.at(at - 5, 0, 1, "block:block_rq_issue", 8 << 20 | 32, 1000 + i, 8, 4096)
        s.switch(at, 0, 0, DISK, ["io_schedule", "asm_exc_page_fault"])
        s.at(at + 1990, 0, 0, "block:block_rq_complete!soft", 8 << 20 | 32, 1000 + i, 8, 0)
        s.wake(at + 2000, 0, 1, context="!soft", chain=["blk_complete"])
        s.switch(at + 2000, 0, 1)
    s.switch(21000, 0, 0, DEAD)
    yield s

    # The holder of the lock cannot run, since another task does.
    s = Story("inversion", 1, "cpu", 30000000, "t9 9 (nice 0) ran on CPU 1 instead")
    s.switch(0, 1, 2)
    s.switch(0, 0, 1)
    s.switch(1000, 0, 0, SLEEP, ["futex_wait_queue"])
    s.switch(2000, 1, 9)
    s.switch(32000, 1, 2)
    s.wake(33000, 1, 1)
    s.switch(33000, 0, 1)
    s.switch(34000, 0, 0, DEAD)
    yield s


def main():
    where = sys.argv[1]
    with open(where + "/symbols", "w") as out:
        out.write("%x T _text\n%x T _stext\n" % (BASE, BASE))
        out.write("".join("%x T %s\n" % (ADDR[f], f) for f in FUNCTIONS))
        out.write("%x T _etext\n" % (BASE + 0x1000 * (len(FUNCTIONS) + 1)))
    with open(where + "/expected", "w") as expected:
        for s in stories():
            with open(where + "/" + s.name, "w") as out:
                out.write(HEAD + "kernel %x %x\n" % (BASE, BASE + 0x1000 * (len(FUNCTIONS) + 1)))
                out.write("".join(line + "\n" for _, line in sorted(s.lines, key=lambda l: l[0])))
            expected.write("%s\tt%d\t%s\t%d\t%s\n" % ((s.name,) + s.expected))


main()
