# SPDX-License-Identifier: GPL-2.0-or-later
"""What a scheduler recording says, twice, each made from the text of its events, with a clock in ns:

Truth	what happened: what perf sched has to show.
Stock	what the newest stock (7.2) makes of it, by rules that were found with experiments and predict each of its figures to the last
	digit. Where they differ from the truth is in "Differences from other versions" of perf-sched.

A task is its tid; the idle task of CPU n is -1000 - n here. Rows are tuples (tid, wait, delay, run, begin of the run or None)."""
import collections
import re

EVENT = re.compile(r'^ *(.*?) +(-?\d+)(?:/-?\d+)? +\[(\d+)\] +(\d+)\.(\d+): +(\S+?):?(?: (.*)|)$')
FIELD = re.compile(r'\b(pid|runtime|prev_pid|prev_prio|prev_state|next_pid|next_prio|child_pid)=(\S+)')
NAME = re.compile(r'\b(?:(prev|next|child|parent)_)?comm=(.*?) (?:\1_)?pid=(\d+)')
FOREVER = 1 << 63

Event = collections.namedtuple('Event', 't cpu tid name text')


def idle(cpu):
    return -1000 - cpu


def events(lines):
    for m in map(EVENT.match, lines):
        if m:
            yield Event(int(m[4]) * 10 ** 9 + int(m[5].ljust(9, '0')), int(m[3]), int(m[2]), m[6], m[7] or '')


def is_wake(name, waking):
    """Where the beginning of a wake-up is recorded, its end is no second one."""
    return name in ('sched:sched_waking', 'sched:sched_wakeup_new') or (name == 'sched:sched_wakeup' and not waking)


class Truth:
    """Waits, delays and runs of all tasks; None: not known. A task is ready from the first wake-up on, or from when it was preempted; what was
    not seen from its beginning is 0."""

    def __init__(self, lines):
        self.exits, self.forks, self.comms = (collections.defaultdict(list) for _ in range(3))
        self.names = collections.defaultdict(set)       # what events call a task
        self.rows = {}                  # (time us, CPU): list of rows
        self.left = {}                  # by CPU: the task before idle
        self.idles = collections.defaultdict(list)      # idle times behind each task
        self.stat_run, self.switch_run = collections.Counter(), collections.Counter()
        self.delays = collections.defaultdict(list)     # (begin, end, CPU of the end)
        self.moved = set()              # (tid, time ns)
        self.gaps = []                  # times ns
        self.gap_tids = set()           # of which a run is not known
        self.lost = []                  # times ns of LOST records
        self.twice = set()              # (time us, CPU) of switches that are told again
        self.n_events = 0
        self.long = set()
        self.out, self.ready, self.since, self.wait, self.cur, self.on = {}, {}, {}, {}, {}, {}
        waking = any(' sched:sched_waking: ' in l for l in lines)
        for e in events(lines):
            if e.name.startswith('PERF_RECORD_'):
                self.record(e)
                continue
            self.n_events += 1
            for m in NAME.finditer(e.text):
                self.names[int(m[3])].add(m[2])
            f = dict(FIELD.findall(e.text))
            if e.name == 'sched:sched_stat_runtime':
                self.stat_run[int(f['pid'])] += int(f['runtime'])
            elif e.name == 'sched:sched_migrate_task':
                self.moved.add((int(f['pid']), e.t))
            elif is_wake(e.name, waking):
                if int(f['pid']) not in self.since:
                    self.ready.setdefault(int(f['pid']), e.t)
            elif e.name == 'sched:sched_switch':
                self.switch(e, f)

    def record(self, e):
        what, whole = e.name[len('PERF_RECORD_'):], e.name + ' ' + e.text
        if what.startswith('LOST'):
            self.lost.append(e.t)
            self.forget_cpu(e.cpu, e.t)
        elif what.startswith('COMM'):
            pid, tid = re.search(r'(\d+)/(\d+)$', e.text).groups()
            self.comms[int(tid)].append(e.t)
            full = '%s[%s]' % (e.text.rsplit(':', 1)[0].split(': ')[-1], pid if pid == tid else tid + '/' + pid)
            self.long.update([full] if len(full) > 31 else [])
        elif what.startswith(('EXIT', 'FORK')):
            (self.exits if what[0] == 'E' else self.forks)[int(re.search(r'\(\d+:(\d+)\)', whole)[1])].append(e.t)

    def forget_cpu(self, cpu, t):
        """Nobody knows any more what runs there."""
        gone = self.cur.pop(cpu, None)
        if gone in self.since and self.on.get(gone) == cpu:
            self.gaps.append(t)
            self.gap_tids.add(gone)
            del self.since[gone]
            self.out.pop(gone, None)

    def switch(self, e, f):
        t, cpu = e.t, e.cpu
        prev, nxt = (int(f[k]) or idle(cpu) for k in ('prev_pid', 'next_pid'))
        rows = self.rows.setdefault((t // 1000, cpu), [])
        if prev != nxt and self.cur.get(cpu) == nxt and self.since.get(nxt) == t:
            self.twice.add((t // 1000, cpu))
            rows.append((prev, 0, 0, 0, None))
            return
        if self.cur.get(cpu, prev) != prev:
            self.gap_tids.add(prev)
            self.forget_cpu(cpu, t)
        for tid in {prev, nxt}:
            if tid in self.since and self.on[tid] != cpu:
                self.forget_cpu(self.on[tid], t)
        begin = self.since.pop(prev, None)
        w, d = self.wait.pop(prev, (0, 0))
        if begin is None:
            self.gap_tids.add(prev)
            rows.append((prev, 0, 0, 0, None))
        else:
            rows.append((prev, w, d, t - begin, begin))
            self.switch_run[prev] += t - begin
            if prev == idle(cpu) and cpu in self.left:
                self.idles[self.left[cpu]].append(t - begin)
        if prev != idle(cpu):
            self.left[cpu] = prev
        self.out[prev] = t
        self.ready.pop(prev, None)
        if f['prev_state'][0] == 'R':
            self.ready[prev] = t
        at = self.ready.pop(nxt, None)
        if at is not None:
            self.delays[nxt].append((at, t, cpu))
        self.wait[nxt] = (t - self.out[nxt] if nxt in self.out else 0, t - at if at is not None else 0)
        self.since[nxt], self.cur[cpu], self.on[nxt] = t, nxt, cpu

    def exited(self, tid, t_ns):
        """By its record, and not begun anew since."""
        gone = [e for e in self.exits.get(tid, ()) if e // 1000 <= t_ns // 1000]
        return bool(gone) and not any(f > gone[-1] and f <= t_ns for f in self.forks.get(tid, ()))

    def ever_exits(self, tid):
        return bool(self.exits.get(tid))

    def named(self, tid, t_ns):
        return any(c // 1000 <= t_ns // 1000 for c in self.comms.get(tid, ()))

    def instant(self, tid, t_ns):
        return any(c // 1000 == t_ns // 1000 for c in self.comms.get(tid, ()))


class Stock:
    """lines: of its own script, in its own order: a slow recorder wrote some events late, and they are taken when they come."""

    def __init__(self, lines):
        self.events = [(e, dict(FIELD.findall(e.text))) for e in events(lines)]
        self.waking = any(e.name == 'sched:sched_waking' for e, _ in self.events)
        times = [e.t for e, _ in self.events]
        self.late = sum(a > b for a, b in zip(times, times[1:]))
        self.known, self.cache = {}, {}
        self.delays = collections.defaultdict(list)     # (begin, end, how it began)
        for e, f in self.events:
            self.latency(e, f)

    def latency(self, e, f):
        """The delay of a task goes from when it was woken up while asleep, was preempted, or is heard of first, even if only by the
        running time of a run that is not seen."""
        if e.name == 'sched:sched_stat_runtime':
            self.known.setdefault(int(f['pid']), ('ready', e.t, 'runtime'))
        elif is_wake(e.name, self.waking):
            if self.known.get(int(f['pid']), ('asleep',))[0] == 'asleep':
                self.known[int(f['pid'])] = ('ready', e.t, 'woken')
        elif e.name == 'sched:sched_switch':
            prev, nxt = int(f['prev_pid']), int(f['next_pid'])
            self.known[prev] = ('ready', e.t, 'preempted') if f['prev_state'][0] == 'R' else ('asleep',)
            state = self.known.setdefault(nxt, ('ready', e.t, 'first'))
            if state[0] == 'ready':
                self.delays[nxt].append((state[1], e.t, state[2]))
                self.known[nxt] = ('runs',)

    def timehist(self, begin=0, end=FOREVER, prios=None):
        """All rows as {(time us, CPU): list}, the runs of each task, and the idle times behind each, as {tid: list}. The run is the time since the last switch of the CPU,
        whatever ran there, and belongs to the task of the sample, which is -1 when it has given its ids back. An EXIT
        record forgets the task. A switch before the window is taken as made when it begins; those of tasks that --prio does not
        choose only count for the CPU."""
        key = (begin, end, str(prios))
        if key in self.cache:
            return self.cache[key]
        rows, runs, idles = (collections.defaultdict(list) for _ in range(3))
        left, last, ready, before, in_prio = {}, {}, {}, {}, {}
        for e, f in self.events:
            if e.name.startswith('PERF_RECORD_EXIT'):
                tid = int(re.search(r'\(\d+:(\d+)\)', e.name + e.text)[1])
                for table in (last, ready, runs, idles, in_prio):
                    table.pop(tid, None)
            elif is_wake(e.name, self.waking):
                ready.setdefault(int(f['pid']), e.t)
            elif e.name == 'sched:sched_switch':
                tid = e.tid if int(f['prev_pid']) else idle(e.cpu)
                prio = in_prio.get(tid, int(f['prev_prio']))
                in_prio[int(f['next_pid']) or idle(e.cpu)] = int(f['next_prio'])
                at = before.get(e.cpu)
                before[e.cpu] = e.t
                if prios and prio not in prios:
                    continue
                t, shown = min(e.t, end), e.t >= begin and (end == FOREVER or (at is not None and at <= end))
                if at is not None and shown:
                    at = max(at, begin)
                    row = (tid, max(at - last.get(tid, at), 0), at - ready[tid] if ready.get(tid, FOREVER) <= at else 0, t - at, at)
                else:
                    row = (tid, 0, 0, 0, None)
                if shown:
                    rows[t // 1000, e.cpu].append(row)
                    runs[tid].append(row[3])
                    if tid == idle(e.cpu) and e.cpu in left:
                        idles[left[e.cpu]].append(row[3])
                if tid != idle(e.cpu):
                    left[e.cpu] = tid
                last[tid] = e.t
                ready.pop(tid, None)
                if f['prev_state'][0] == 'R':
                    ready[tid] = e.t
        self.cache[key] = rows, runs, idles
        return self.cache[key]
