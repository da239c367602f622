# SPDX-License-Identifier: GPL-2.0-or-later
"""What a scheduler recording says, twice, each made from the text of its events, with a clock in ns:

Truth	what happened: what perf sched has to show.
Upstream	what the newest upstream perf (7.2) makes of it, by rules that were found with experiments and predict each of its figures to the last
	digit. Where they differ from the truth is in "Differences from other versions" of perf-sched.

A task is its tid; the idle task of CPU n is -1000 - n here. Rows are tuples (tid, wait, delay, run, begin of the run or None)."""
import collections
import re

EVENT = re.compile(r'^ *(.*?) +(?:(-?\d+)/)?(-?\d+) +\[(\d+)\] +(\d+)\.(\d+): +(\S+?):?(?: (.*)|)$')
FIELD = re.compile(r'\b(pid|runtime|prev_pid|prev_prio|prev_state|next_pid|next_prio|child_pid|prio|orig_cpu|dest_cpu)=(\S+)')
NAME = re.compile(r'\b(prev_|next_|child_|parent_)?comm=(.*?) (?:\1)?pid=(-?\d+)')
TASKS = re.compile(r'(?:EXIT|FORK)\((\d+):(\d+)\):\((\d+):(\d+)\)')
FOREVER = 1 << 63
TIMEHIST = ['sched:sched_' + x for x in ('switch', 'waking', 'wakeup', 'wakeup_new', 'migrate_task')]

Event = collections.namedtuple('Event', 't cpu pid tid name text')


def idle(cpu):
    return -1000 - cpu


def events(lines):
    for m in map(EVENT.match, lines):
        if m:
            yield Event(int(m[5]) * 10 ** 9 + int(m[6].ljust(9, '0')), int(m[4]), int(m[2] or m[3]), int(m[3]), m[7], m[8] or '')


def full_name(comm, tid, pid):
    comm = ':%d' % tid if comm is None else comm
    return '<idle>' if not tid else '%s[%d]' % (comm, tid) if pid == tid else '%s[%d/%d]' % (comm, tid, pid)


def comm_record(e):
    """(name, pid, tid) of a COMM record."""
    name, pid, tid = re.match(r'(?:exec: )?(.*):(\d+)/(\d+)$', e.text).groups()
    return name, int(pid), int(tid)


def task_record(e):
    """(pid, tid, parent's pid, tid) of a FORK or EXIT record."""
    return tuple(map(int, TASKS.search(e.name + e.text).groups()))


def note_name(task):
    return task.tid, task.pid, task.text() if task.tid else 'swapper'


def fields(e):
    return dict(FIELD.findall(e.text))


class Threads:
    """Whom upstream perf knows: [process, name]; process -1: not known, and a later event tells it; 0: never; name None: shown as :TID."""

    def __init__(self, forgets=True):
        self.all, self.forgets = {0: [0, 'swapper']}, forgets
        self.parents = collections.defaultdict(lambda: -1)

    def get(self, pid, tid):
        """A thread of another process makes that known, too."""
        new = tid not in self.all
        t = self.all.setdefault(tid, [pid, None])
        if t[0] == -1 or new:
            t[0] = pid
            if pid not in (-1, tid):
                self.get(pid, pid)
        return t

    def record(self, e):
        """Returns the numbers that are forgotten, or begin anew: also that of a parent of which another process was known."""
        if 'RECORD_COMM' in e.name:
            comm, pid, tid = comm_record(e)
            self.get(pid, tid)[1] = comm
        elif 'RECORD_MMAP' in e.name:
            pid, tid = map(int, re.match(r'(-?\d+)/(-?\d+)', e.text).groups())
            if pid > 0:
                self.get(pid, tid)
        elif 'RECORD_FORK' in e.name:
            pid, tid, ppid, ptid = task_record(e)
            gone = {tid} & self.all.keys()
            if self.get(ppid, ptid)[0] != ppid:
                self.all[ptid] = [ppid, None]
                gone.add(ptid)
            self.all.pop(tid, None)
            self.get(pid, tid)[1] = self.all[ptid][1]
            self.parents[tid] = ptid
            if ptid in gone:
                self.parents.pop(ptid, None)
            return gone
        elif 'RECORD_EXIT' in e.name and self.forgets:
            tid = task_record(e)[1]
            self.all.pop(tid, None)
            self.parents.pop(tid, None)
            return {tid}
        return ()

    def comm(self, tid):
        name = self.all[tid][1]
        return ':%d' % tid if name is None else name

    def text(self, tid):
        """In timehist."""
        return full_name(self.comm(tid), tid, self.all[tid][0]) if self.all[tid][0] else self.comm(tid)


def is_wake(name, waking):
    """Where the beginning of a wake-up is recorded, its end is no second one."""
    return name in ('sched:sched_waking', 'sched:sched_wakeup_new') or (name == 'sched:sched_wakeup' and not waking)


def said_by(threads, events):
    """What script of upstream perf calls the task of each event."""
    said = collections.defaultdict(list)
    for e in events:
        threads.get(e.pid, e.tid)
        if e.name.startswith('PERF_RECORD_'):
            threads.record(e)
        else:
            said[place_of(e)].append(threads.comm(e.tid))
    return said


class Lives:
    """Whom script of ours knows: all records are known before the first event. A number of a process and of its thread can have several
    lives; what happens before the first one belongs to it, with its first name."""

    def __init__(self, records):
        self.by_tid = collections.defaultdict(list)     # lives: [pid, begin, end, [(time, name)]]
        self.add(0, 0, 0, None)
        for e in records:
            if 'RECORD_COMM' in e.name:
                name, pid, tid = comm_record(e)
                names = self.now(pid, tid, e.t)[3]
                if names[-1][0] >= e.t:
                    names[-1] = (names[-1][0], name)
                else:
                    names.append((e.t, name))
            elif 'RECORD_FORK' in e.name:
                self.fork(e.t, *task_record(e))
            elif 'RECORD_EXIT' in e.name:
                pid, tid = task_record(e)[:2]
                life = self.now(pid, tid, e.t)
                life[2] = min(life[2], e.t)

    def add(self, pid, tid, t, name):
        self.by_tid[tid].append([pid, t, FOREVER, [(t, name or (':%d' % tid if tid else 'swapper'))]])
        return self.by_tid[tid][-1]

    def now(self, pid, tid, t):
        lives = self.by_tid[tid]
        if lives and lives[-1][0] == pid and t <= lives[-1][2]:
            return lives[-1]
        return self.add(pid, tid, t if lives else 0, None)

    def fork(self, t, pid, tid, ppid, ptid):
        lives = self.by_tid[tid]
        if lives and lives[-1][:2] == [pid, t]:
            return
        if lives:
            t = max(t, lives[-1][1])
            lives[-1][2] = min(lives[-1][2], t)
        parent = self.by_tid[ptid][-1][3][-1][1] if self.by_tid[ptid] else ':'
        self.add(pid, tid, t, parent if parent[0] != ':' else None)

    def comm(self, e):
        found = None
        for life in reversed(self.by_tid[e.tid]):
            if life[0] == e.pid:
                found = life
                if life[1] <= e.t:
                    break
        if not found:
            return ':%d' % e.tid if e.tid else 'swapper'
        return ([n for t, n in found[3] if t <= e.t] or [found[3][0][1]])[-1]


def place_of(e):
    """What is the same of an event in both scripts."""
    return e.t // 1000, e.cpu, e.tid, e.name, e.text


class Task:
    """One life of a number. Times are None while they are not known."""

    def __init__(self, tid, cpu=None):
        self.tid = self.pid = tid
        self.idle = idle(cpu) if not tid else None
        self.name, self.told, self.ran = 'swapper' if not tid else None, False, False      # told: the name, by a COMM record
        self.ppid, self.parent_tid, self.prio, self.in_prio = -1, -1, 120, None
        self.out = self.ready = self.since = self.moved = self.on = None
        self.wait, self.delay, self.premig = 0, 0, 0
        self.runs, self.idles, self.delays, self.moves = [], [], [], 0
        self.stat_run, self.gap = 0, False
        self.state = self.waited = 'S'          # how it left its CPU, before the run that goes on

    def heard(self, name):
        if not self.told and self.tid:
            self.name = name

    def comm(self):
        return ':%d' % self.tid if self.name is None else self.name

    def text(self):
        return full_name(self.name, self.tid, self.pid)


Run = collections.namedtuple('Run', 't cpu task tid pid name wait delay run begin premig state prios next known first left waited')
Note = collections.namedtuple('Note', 't cpu kind who whom tail')        # who, whom: (tid, pid, name)
Lost = collections.namedtuple('Lost', 't cpu n')


class Truth:
    """Waits, delays and runs of all tasks. A task is ready from the first wake-up on, or from when it was preempted; what was
    not seen from its beginning is 0."""

    def __init__(self, lines):
        self.exits, self.forks, self.comms = (collections.defaultdict(list) for _ in range(3))
        self.tasks, self.lives, self.idles = {}, [], {}        # by tid: the newest; all; by CPU
        self.switches = []              # (time, CPU, Task that leaves, its name, Task that comes, its name)
        self.log = []                   # Run, Note, Lost
        all_events = list(events(lines))
        lives, self.said = Lives(e for e in all_events if e.name.startswith('PERF_RECORD_')), collections.defaultdict(list)
        self.left = {}                  # by CPU: the task before idle
        self.gaps = []                  # times ns
        self.lost = []                  # times ns of LOST records
        self.moved = set()              # (tid, time ns) of migrations
        self.strays = set()             # of which process they are is not told by a record
        self.twice = set()              # (time, CPU) of switches that are told again
        self.n_events = 0
        self.cur, self.seen_cpus = {}, set()
        self.waking = any(' sched:sched_waking: ' in l for l in lines)
        told = set()
        for e in all_events:
            if e.name.startswith('PERF_RECORD_'):
                told.update([comm_record(e)[2]] if 'RECORD_COMM' in e.name else [task_record(e)[1]] if 'RECORD_FORK' in e.name else [])
                self.record(e)
            else:
                self.strays.update({e.tid, int(fields(e).get('pid', 0))} - told)
                self.n_events += 1
                self.said[place_of(e)].append(lives.comm(e))
                self.event(e, fields(e))

    def event(self, e, f):
        if e.name == 'sched:sched_process_fork':
            self.fork(int(f['child_pid']), self.task(int(f['pid']), e.cpu), NAME.findall(e.text)[1][1], e.t)
        elif e.name == 'sched:sched_stat_runtime':
            self.task(int(f['pid']), e.cpu).stat_run += int(f['runtime'])
        elif e.name == 'sched:sched_migrate_task':
            self.note(e, f, 'migrated', ' cpu %s => %s' % (f['orig_cpu'], f['dest_cpu']))
            task = self.task(int(f['pid']), e.cpu)
            task.moves += 1
            self.moved.add((task.tid, e.t))
            if task.since is None:
                task.moved = e.t
        elif is_wake(e.name, self.waking):
            self.note(e, f, 'awakened', '')
            task = self.task(int(f['pid']), e.cpu)
            task.prio = int(f['prio'])
            if task.since is None and task.ready is None:
                task.ready = e.t
        elif e.name == 'sched:sched_switch':
            self.switch(e, f)

    def record(self, e):
        what = e.name[len('PERF_RECORD_'):]
        if what.startswith('LOST'):
            self.lost.append(e.t)
            self.log.append(Lost(e.t, e.cpu, int(e.text.split()[-1])))
            self.forget_cpu(e.cpu, e.t)
        elif what.startswith('COMM'):
            name, pid, tid = comm_record(e)
            task = self.task(tid)
            task.name, task.pid, task.told = name, pid, True
            self.comms[tid].append(e.t)
        elif what.startswith('EXIT'):
            self.exits[task_record(e)[1]].append(e.t)
        elif what.startswith('FORK'):
            pid, tid, ppid, ptid = task_record(e)
            self.forks[tid].append(e.t)
            if ptid != tid:
                task = self.fork(tid, self.task(ppid) if ppid else None, None, e.t)
                task.pid = pid
                task.ppid = ppid if task.ppid < 0 else task.ppid

    def task(self, tid, cpu=None):
        tasks, key = (self.tasks, tid) if tid else (self.idles, cpu)
        if key not in tasks:
            tasks[key] = Task(tid, cpu)
            self.lives.append(tasks[key])
        return tasks[key]

    def fork(self, tid, parent, name, t):
        """A number is given again only where its task has run."""
        old = self.tasks.get(tid)
        if old and old.ran and t:
            if old.since is not None:
                self.forget_cpu(old.on, t)
            del self.tasks[tid]
        task = self.task(tid)
        if parent and not task.told and (task.name is None or name is not None):
            task.name = parent.name if parent.told or name is None else name
        if parent and task.ppid < 0 and name is not None:
            task.ppid = parent.pid
        return task

    def note(self, e, f, kind, tail):
        """Who has given its number back is the task of the CPU."""
        whom = self.task(int(f['pid']), e.cpu)
        curr = self.cur.get(e.cpu)
        if e.tid == -1 and curr and curr.tid:
            who = curr
        else:
            who = self.task(e.tid, e.cpu)
        if who.tid == -1:
            who.pid, leader = e.pid, self.tasks.get(e.pid)
            who.name = leader.name if leader else None
        whom.heard(NAME.search(e.text)[2])
        self.log.append(Note(e.t, e.cpu, kind, note_name(who), note_name(whom), tail))

    def forget_cpu(self, cpu, t):
        """Nobody knows any more what runs there."""
        gone = self.cur.pop(cpu, None)
        if gone and gone.since is not None and gone.on == cpu:
            self.gaps.append(t)
            gone.gap, gone.since, gone.out = True, None, None

    def leave(self, e, f, prev, name):
        """The run that ends, as a line."""
        known = prev.since is not None
        pid_text = '%s[%s]' % (NAME.findall(e.text)[1][1], f['next_pid'])
        row = Run(e.t, e.cpu, prev, prev.tid, prev.pid, name, *((prev.wait, prev.delay, e.t - prev.since, prev.since, prev.premig)
                  if known else (0, 0, 0, None, 0)), f['prev_state'][0] if prev.tid else 'I',
                  (prev.in_prio if known else int(f['prev_prio']), int(f['prev_prio'])), pid_text, known, e.cpu not in self.seen_cpus,
                  None if prev.tid else self.left.get(e.cpu), prev.waited if known else 'S')
        self.seen_cpus.add(e.cpu)
        self.log.append(row)
        return row

    def switch(self, e, f):
        t, cpu = e.t, e.cpu
        prev, nxt = (self.task(int(f[k]), cpu) for k in ('prev_pid', 'next_pid'))
        if prev.tid and prev.tid == e.tid:
            prev.pid = e.pid            # the record tells the process of who leaves
        for task, m in zip((prev, nxt), NAME.findall(e.text)):
            task.heard(m[1])
            task.ran = True
        name = prev.text() if prev.tid else '<idle>'
        self.switches.append((t, cpu, prev, prev.comm(), nxt, nxt.comm()))
        if prev is not nxt and self.cur.get(cpu) is nxt and nxt.since == t:
            self.twice.add((t, cpu))
            self.log.append(Run(t, cpu, prev, prev.tid, prev.pid, name, 0, 0, 0, None, 0, f['prev_state'][0] if prev.tid else 'I',
                                (int(f['prev_prio']),) * 2, '%s[%s]' % (NAME.findall(e.text)[1][1], f['next_pid']), False, False, None, 'S'))
            return
        if self.cur.get(cpu, prev) is not prev:
            prev.gap = True
            self.forget_cpu(cpu, t)
        for task in (prev, nxt):
            if task.since is not None and task.on != cpu:
                self.forget_cpu(task.on, t)
        row = self.leave(e, f, prev, name)
        if not row.known:
            prev.gap = True
        else:
            prev.runs.append(row.run)
            if not prev.tid and cpu in self.left:
                self.left[cpu].idles.append(row.run)
        if prev.tid:
            self.left[cpu] = prev
        prev.out, prev.since, prev.ready, prev.prio = t, None, t if f['prev_state'][0] == 'R' else None, int(f['prev_prio'])
        prev.state = f['prev_state'][0]
        self.enter(nxt, t, cpu, int(f['next_prio']))

    def enter(self, task, t, cpu, prio):
        task.delay = task.premig = 0
        if task.ready is not None:
            task.delays.append((task.ready, t, cpu))
            task.delay = t - task.ready
            if task.moved is not None and task.moved >= task.ready:
                task.premig = task.moved - task.ready
        task.wait, task.waited = t - task.out if task.out is not None else 0, task.state
        task.since, task.on, task.ready, task.moved, task.in_prio, task.prio = t, cpu, None, None, prio, prio
        self.cur[cpu] = task

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


class Upstream:
    """lines: of its own script, in its own order: a slow recorder wrote some events late, and they are taken when they come."""

    def __init__(self, lines):
        self.events = [(e, fields(e)) for e in events(lines)]
        self.waking = any(e.name == 'sched:sched_waking' for e, _ in self.events)
        self.said = said_by(Threads(), (e for e, _ in self.events))
        times = [e.t for e, _ in self.events]
        self.late = sum(a > b for a, b in zip(times, times[1:]))
        self.cache = {}

    def latency(self, moves=False):
        return UpstreamLatency(self, moves)

    def note(self, threads, e, f, kind, tail):
        threads.get(0, int(f['pid']))
        threads.get(e.pid, e.tid)
        who = [(t, threads.all[t][0], threads.text(t) if t else 'swapper') for t in (e.tid, int(f['pid']))]
        return Note(e.t, e.cpu, kind, *who, tail)

    def timehist(self, begin=0, end=FOREVER, prios=None, moves=False, cpu=None, pid=None, tids=None, says=True):
        """A log as that of Truth, and the runs of each task, the idle times behind each, as {tid: list}, and the threads. The run is the time
        since the last switch of the CPU, whatever ran there, and belongs to the task of the sample, which is -1 when it has given
        its ids back. An EXIT record forgets the task. A switch before the window is taken as made when it begins; those of
        tasks that --prio does not choose only count for the CPU. An idle time is counted to the task before it, once."""
        key = (begin, end, str(prios), moves, cpu, pid, str(tids), says)
        if key not in self.cache:
            self.cache[key] = UpstreamHist(self, begin, end, prios, moves, cpu, pid, tids, says)
        return self.cache[key]


class UpstreamHist:
    def __init__(self, upstream, begin, end, prios, moves, cpu, pid, tids, says):
        self.says = says        # lines of tasks
        self.chosen = lambda e: cpu in (None, e.cpu) and pid in (None, self.threads.all[e.tid][0]) and (not tids or e.tid in tids)
        self.log, self.threads = [], Threads()
        self.runs, self.idles = (collections.defaultdict(list) for _ in range(2))
        self.moves = collections.Counter()
        self.window, self.prios = (begin, end), prios
        self.left, self.last, self.ready, self.before, self.in_prio, self.moved, self.state = ({} for _ in range(7))
        self.first = self.end = None            # times of shown switches
        self.passes = lambda e, prio: not e.tid or (pid in (None, self.threads.all[e.tid][0]) and (not tids or e.tid in tids))
        self.skipped = False                    # some task was not chosen
        for e, f in upstream.events:
            if e.name.startswith('PERF_RECORD_'):
                self.record(e)
            elif is_wake(e.name, upstream.waking):
                self.log.append(upstream.note(self.threads, e, f, 'awakened', ''))
                self.ready.setdefault(int(f['pid']), e.t)
            elif e.name == 'sched:sched_migrate_task' and moves:
                self.log.append(upstream.note(self.threads, e, f, 'migrated', ' cpu %s => %s' % (f['orig_cpu'], f['dest_cpu'])))
                self.moves[int(f['pid'])] += 1
                self.moved[int(f['pid'])] = e.t
            elif e.name == 'sched:sched_switch':
                self.switch(e, f)

    def record(self, e):
        for tid in self.threads.record(e):
            for table in (self.last, self.ready, self.runs, self.idles, self.in_prio, self.moved, self.moves, self.state):
                table.pop(tid, None)
        if 'RECORD_LOST' in e.name:
            self.log.append(Lost(e.t, e.cpu, int(e.text.split()[-1])))

    def who(self, e, f, shown):
        """The task of the sample: it gets its name from an event that is shown, where no record told one."""
        if not int(f['prev_pid']):
            return 0, '<idle>'
        thread = self.threads.get(e.pid, e.tid)
        if thread[1] is None and shown and self.says:
            thread[1] = NAME.search(e.text)[2]
        return thread[0], self.threads.text(e.tid)

    def switch(self, e, f):
        begin, end = self.window
        tid = e.tid if int(f['prev_pid']) else idle(e.cpu)
        self.threads.get(e.pid, e.tid)
        prio = self.in_prio.get(tid, int(f['prev_prio']))
        self.in_prio[int(f['next_pid']) or idle(e.cpu)] = int(f['next_prio'])
        at, first = self.before.get(e.cpu), e.cpu not in self.before
        self.before[e.cpu] = e.t
        if (self.prios and prio not in self.prios) or not self.passes(e, prio):
            self.skipped = True
        if self.prios and prio not in self.prios:
            return
        t, shown = min(e.t, end), e.t >= begin and (end == FOREVER or (at is not None and at <= end))
        pid, name = self.who(e, f, shown and self.chosen(e))
        wait = delay = run = premig = 0
        if at is not None and shown:
            at = max(at, begin)
            ready = self.ready.get(tid, FOREVER)
            wait, delay, run = max(at - self.last.get(tid, at), 0), at - ready if ready <= at else 0, t - at
            if ready < self.moved.get(tid, 0) < at:
                premig = self.moved[tid] - ready
        if shown:
            self.first, self.end = self.first or t, t
            left = self.left.pop(e.cpu, None) if tid == idle(e.cpu) else None
            row = (Run(t, e.cpu, tid, max(tid, 0) if tid < -1 else tid, pid, name, wait, delay, run, at, premig,
                                'I' if tid < -1 else f['prev_state'][0], (prio, int(f['prev_prio'])),
                                '%s[%s]' % (NAME.findall(e.text)[1][1], f['next_pid']), at is not None, first, left,
                                self.state.get(tid, 'S')))
            self.log.append(row)
            if tid == idle(e.cpu) or self.chosen(e):
                self.runs[tid].append(row)
            if left is not None:
                self.idles[left].append(row)
        if tid != idle(e.cpu):
            self.left[e.cpu] = tid
        self.last[tid] = e.t
        self.ready.pop(tid, None)
        self.moved.pop(tid, None)
        self.state[tid] = f['prev_state'][0]
        if f['prev_state'][0] == 'R':
            self.ready[tid] = e.t


class UpstreamLatency:
    """Rows of tasks: delays (begin, end, how it began), and the running time that sched_stat_runtime tells. The delay of a task goes from when it was
    woken up while asleep, was preempted, or is heard of first, even if only by the running time of a run that is not seen; with -C
    from each move and wake-up meanwhile (which CPU is asked for has no effect). None of all this, where a switch is older than the one
    before it on its CPU: then it gives up."""

    def __init__(self, upstream, moves):
        self.known, self.delays, self.runs = {}, collections.defaultdict(list), collections.Counter()
        self.threads, self.waking, self.moves, self.gave_up = Threads(forgets=False), upstream.waking, moves, False
        self.rows = []          # (name, tid, running time, delays)
        self.out, last = {}, {}
        for e, f in upstream.events:
            if e.name.startswith('PERF_RECORD_'):
                names = {tid: self.threads.comm(tid) for tid in self.threads.all} if 'FORK' in e.name and e.t else {}
                for tid in self.threads.record(e):
                    self.end(names.get(tid), tid)
            elif e.name == 'sched:sched_switch' and e.t < last.get(e.cpu, 0):
                self.gave_up = True
                break
            else:
                self.event(e, f)
            if e.name == 'sched:sched_switch':
                last[e.cpu] = e.t
        for tid in list(self.known):
            self.end(self.threads.comm(tid), tid)

    def end(self, comm, tid):
        """A number is given again, or all is told."""
        if tid in self.known:
            self.rows.append((comm, tid, self.runs.pop(tid, 0), self.delays.pop(tid, [])))
            del self.known[tid]

    def event(self, e, f):
        tid = int(f.get('pid', -2))
        if e.name == 'sched:sched_stat_runtime':
            self.hear(tid, e.t, 'runtime')
            self.runs[tid] += int(f['runtime'])
        elif is_wake(e.name, self.waking):
            self.threads.get(-1, tid)
            state = self.known.get(tid, ('asleep',))[0]
            if (state == 'asleep' or self.moves) and e.t >= self.out.get(tid, 0):
                self.known[tid] = ('ready', e.t, 'woken')
        elif e.name == 'sched:sched_migrate_task' and self.moves:
            self.threads.get(-1, tid)
            self.out[tid] = e.t
            if self.known.get(tid, ('ready',))[0] == 'ready':
                self.known[tid] = ('ready', e.t, 'moved')
        elif e.name == 'sched:sched_switch':
            prev, nxt = int(f['prev_pid']), int(f['next_pid'])
            self.threads.get(-1, prev)
            self.out[prev] = e.t
            self.known[prev] = ('ready', e.t, 'preempted') if f['prev_state'][0] == 'R' else ('asleep',)
            state = self.hear(nxt, e.t, 'first')
            if state[0] == 'ready' and e.t >= state[1]:
                self.delays[nxt].append((state[1], e.t, state[2]))
            if state[0] == 'ready':
                self.known[nxt] = ('runs',)

    def hear(self, tid, t, why):
        self.threads.get(-1, tid)
        return self.known.setdefault(tid, ('ready', t, why))
