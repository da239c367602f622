# SPDX-License-Identifier: GPL-2.0-or-later
"""The lines of perf sched map and timehist, as ours and the newest upstream perf have to print them: made of what schedmodel.py says."""
import collections

from schedmodel import FOREVER, Lost, Note, Run, Threads, comm_record, task_record


class MapTask:
    """What a map knows of a task."""

    def __init__(self):
        self.letters, self.told, self.wanted = None, None, False


class Map:
    """All lines of perf sched map. A letter pair has so many digits: upstream perf begins again behind Z9."""

    def __init__(self, what, digits):
        words = what.split()
        self.compact, self.fuzzy = '--compact' in words, '--fuzzy-name' in words
        self.cpus = words[words.index('--cpus') + 1].split(',') if '--cpus' in words else None
        self.names = words[words.index('--task-name') + 1].split(',') if '--task-name' in words else None
        self.digits, self.next, self.idle = digits, 0, MapTask()
        self.runs, self.order, self.lines, self.glue = {}, [], [], False

    def wants(self, comm):
        return not self.names or any(n in comm if self.fuzzy else n == comm for n in self.names)

    def letters(self):
        n = self.next % (26 * len(self.digits))
        self.next += 1
        return chr(65 + n % 26) + self.digits[n // 26]

    def line(self, t, cpu, text, leaves=False):
        cells = ''
        for c in self.order if self.compact else range(max(self.order) + 1):
            name = '' if c not in self.runs else '-' if leaves and c == cpu else self.shown(self.runs[c])
            cells += '%s%-2s ' % ('*' if c == cpu else ' ', name)
        line = '  %s  %5d.%06d secs %s' % (cells, t // 10 ** 9, t // 1000 % 10 ** 6, text)
        if self.glue:
            self.lines[-1] += line
        else:
            self.lines.append(line)
        self.glue = False

    def place(self, cpu):
        """Whether it is the CPU's first switch."""
        if cpu in self.order:
            return False
        self.order.append(cpu)
        return True

    def is_hidden(self, cpu):
        return self.cpus and str(cpu) not in self.cpus


class TrueMap(Map):
    """A task has letters while its name is wanted, and they are told when they are seen first, and with each new name."""

    def __init__(self, what, switches):
        Map.__init__(self, what, '0123456789abcdefghijklmnopqrstuvwxyz')
        self.tasks, self.idle_told = {}, False
        for t, cpu, prev, prev_comm, nxt, comm in switches:
            new_cpu, idle = self.place(cpu), not nxt.tid
            task, left = self.look(nxt, comm), self.look(prev, prev_comm, False)
            tell_idle, self.idle_told = idle and not self.idle_told, self.idle_told or idle
            self.runs[cpu] = task
            if self.is_hidden(cpu):
                continue
            if not self.names or (task.wanted and not idle):
                tell = tell_idle if idle else task.told != comm
                task.told = comm
                self.line(t, cpu, ('%-2s => %s:%d' % (self.shown(task), comm, nxt.tid) if tell else '') +
                          (' (CPU %d)' % cpu if self.compact and new_cpu else ''))
            if self.names and left.wanted and prev.tid:
                self.line(t, cpu, '', leaves=True)

    def look(self, task, comm, comes=True):
        if not task.tid:
            self.idle.wanted, self.idle.letters = True, '.'
            return self.idle
        m = self.tasks.setdefault(id(task), MapTask())
        m.wanted = self.wants(comm)
        if comes and m.wanted and not m.letters:
            m.letters = self.letters()
        return m

    def shown(self, m):
        return m.letters if m.wanted and m.letters else '-'


class UpstreamMap(Map):
    """Letters, or a dash, go by the name that the task has first ("swapper": a dot). They are told on the line where they are given, if that is shown, and
    again on the first one behind a COMM record (that was written by it: those of an upstream perf's recorder say task 0). A FORK record begins a new task, an EXIT record says nothing."""

    def __init__(self, what, events):
        Map.__init__(self, what, '0123456789')
        self.tasks, threads = collections.defaultdict(MapTask), Threads(forgets=False)
        last = {}
        for e, f in events:
            if e.name == 'sched:sched_switch' and e.t < last.get(e.cpu, 0):
                break
            if e.name == 'sched:sched_switch':
                last[e.cpu] = e.t
            if e.name.startswith('PERF_RECORD_'):
                for tid in threads.record(e):
                    self.tasks.pop(tid, None)
                if 'RECORD_COMM' in e.name and e.tid in threads.all:
                    self.tasks[e.tid].told = False
            if e.name == 'sched:sched_switch':
                self.switch(e, *(int(f[k]) for k in ('prev_pid', 'next_pid')), threads)

    def switch(self, e, prev, tid, threads):
        new_cpu = self.place(e.cpu)
        threads.get(-1, prev)
        threads.get(-1, tid)
        comm, task = threads.comm(tid), self.tasks[tid]
        tell = task.told is False
        if not task.letters:
            task.letters, tell = '.' if comm == 'swapper' else self.letters() if self.wants(comm) else '-', True
        self.runs[e.cpu] = task
        if self.is_hidden(e.cpu):
            return
        if self.wants(comm) and (tid or not self.names):
            self.line(e.t, e.cpu, ('%-2s => %s:%d' % (task.letters, comm, tid) if tell else '') +
                      (' (CPU %d)' % e.cpu if self.compact and new_cpu else ''))
            task.told = True
        if not self.names or not prev or not self.wants(threads.comm(prev)):
            return
        if self.tasks[prev].letters:
            self.line(e.t, e.cpu, '', leaves=True)
        else:           # one that was not seen to come: no line, but also no end of that before
            self.glue = self.wants(comm) and tid

    def shown(self, m):
        return m.letters


def option(what, flag):
    words = what.split()
    return words[words.index(flag) + 1] if flag in words else None


def seconds(text):
    sec, _, frac = text.partition('.')
    return int(sec) * 10 ** 9 + int(frac.ljust(9, '0'))


def window(what):
    text = option(what, '--time')
    if not text:
        return 0, FOREVER
    begin, end = text.split(',')
    return seconds(begin) if begin else 0, seconds(end) if end else FOREVER


def prios(what):
    text = option(what, '--prio')
    if not text:
        return None
    low, _, high = text.partition('-')
    return set(range(int(low), int(high or low) + 1))


def ms(ns):
    ns %= 1 << 64
    return '%d.%03d' % (ns // 1000000, ns // 1000 % 1000)


class Hist:
    """Lines of timehist without call chains."""

    def __init__(self, what, n_cpus, cut):
        self.flags = ''.join(w[1:] for w in what.split()[1:] if w[0] == '-' and w[1:2] != '-')
        self.what, self.n_cpus, self.cut, self.width = what, n_cpus, cut, 30
        self.window, self.prios = window(what), prios(what)
        self.pid, self.tids, self.cpu = option(what, '-p'), option(what, '-t'), option(what, '-C')
        self.tids = set(map(int, self.tids.split(','))) if self.tids else None
        self.lines, self.made = [], []          # and what each is made of

    def name(self, text):
        if len(text) > self.width:
            self.width = 31
        return text[:31] if self.cut else text

    def front(self, t, cpu, mark_cpu=-1, mark=''):
        text = '%8d.%06d [%04d] ' % (t // 10 ** 9, t // 1000 % 10 ** 6, cpu)
        if 'V' in self.flags:
            text += ' %s ' % ''.join(mark if i == mark_cpu else ' ' for i in range(self.n_cpus))
        return text + ' '

    def add(self, text, entry):
        self.lines.append(text.rstrip())
        self.made.append(entry)

    def run(self, r):
        """r with its times as they are to be shown."""
        is_idle = r.name == '<idle>'
        text = self.front(r.t, r.cpu, r.cpu, 'i' if is_idle else 's')
        name = self.name(r.name)
        text += name.ljust(self.width)
        if '--show-prio' in self.what:
            text += '  %-8s' % ('%d' % r.prios[0] if r.prios[0] == r.prios[1] else '%d->%d' % r.prios)
        for ns in (r.wait, r.delay, r.run) + ((r.premig,) if 'P' in self.flags else ()):
            text += ('  %9s' if ns >= 0 else ' %10s') % ms(ns)
        text += ' '
        if '--state' in self.what:
            text += ' %5s ' % r.state
        if 'n' in self.flags:
            text += ' next: %-24s' % r.next
        self.add(text, r)

    def note(self, n):
        who = self.name(n.who[2])
        if n.kind == 'awakened':
            text = self.front(n.t, n.cpu) + who.ljust(self.width + 2) + ' ' * 33 + 'awakened: '
        else:
            text = self.front(n.t, n.cpu, n.cpu + 1, 'm') + ('  ' if 'V' in self.flags else '') + who.ljust(self.width) + ' ' * 35 + 'migrated: '
        self.add(text + self.name(n.whom[2]) + n.tail, n)

    def lost(self, l):
        self.add('%8d.%06d lost %d events on cpu %d' % (l.t // 10 ** 9, l.t // 1000 % 10 ** 6, l.n, l.cpu), l)

    def wanted(self, pid, tid, prio=None):
        return (not self.pid or pid == int(self.pid)) and (not self.tids or tid in self.tids) and \
            (not self.prios or prio is None or prio in self.prios)

    def walk(self, log):
        for x in log:
            if isinstance(x, Run):
                self.on_run(x)
            elif isinstance(x, Note):
                if ('w' if x.kind == 'awakened' else 'M') in self.flags and 'I' not in self.flags and self.sees(x) and \
                        (self.wanted(x.who[1], x.who[0]) or self.wanted(x.whom[1], x.whom[0])):
                    self.note(x)
            else:
                self.lost(x)
        return self


class TrueHist(Hist):
    def __init__(self, what, truth, n_cpus):
        Hist.__init__(self, what, n_cpus, False)
        self.shown, self.times, self.skipped = [], [], False
        self.walk(truth.log)

    def sees(self, n):
        return self.window[0] <= n.t <= self.window[1] and (not self.cpu or n.cpu == int(self.cpu))

    def on_run(self, r):
        """The part of a run in the window."""
        begin, end = self.window
        if end < FOREVER and not r.known and r.first:
            return
        if r.t < begin or (r.t > end and (not r.known or r.begin > end)):
            return
        if r.known:
            at, t = max(r.begin, begin), min(r.t, end)
            r = r._replace(t=t, begin=at, run=t - at)
        self.times.append(r.t)
        self.skipped |= not self.wanted(r.pid, r.tid, r.prios[0])
        if (self.cpu and r.cpu != int(self.cpu)) or not self.wanted(r.pid, r.tid, r.prios[0]):
            return
        self.shown.append(r)
        if 'I' not in self.flags or (r.name == '<idle>' and r.known):
            self.run(r)


class UpstreamLines(Hist):
    def __init__(self, what, hist, n_cpus):
        Hist.__init__(self, what, n_cpus, True)
        self.shown = []
        self.walk(hist.log)

    def sees(self, n):
        return n.t <= self.window[1] and (n.kind == 'migrated' or n.t >= self.window[0])

    def on_run(self, r):
        if (self.cpu and r.cpu != int(self.cpu)) or not self.wanted(r.pid, r.tid):
            return
        self.shown.append(r)
        if 'I' not in self.flags or r.left is not None:
            self.run(r)


class Summary:
    """What stands below: rows (name, parent, figures) and totals."""

    def __init__(self, what, rows, idle, wall, n_cpus, skipped, tails={}):
        """rows: (name, parent, moves, runs, tid); idle: by CPU the idle runs; tails: by CPU on which tasks ran, how long it idles at the end."""
        self.rows, self.totals, self.tids = [], [], [r[4] for r in rows]
        states = '--state' in what and ' -I' not in what
        for name, parent, moves, runs, _ in rows:
            times = [r.run % (1 << 64) for r in runs]      # of late events upstream perf makes huge ones
            if states:
                by = lambda letters: sum(r.wait for r in runs if (r.waited if r.waited in 'RD' else 'S') in letters)
                figures = (ms(sum(times)), ms(by('S')), ms(by('D')), ms(by('R')), ms(sum(r.delay for r in runs)))
            else:
                figures = (ms(sum(times)), ms(min(times)), sum(times) / len(times) / 1e6, ms(max(times)), spread(times), '%d' % moves)
            self.rows.append((name, '%d' % parent, '%d' % len(runs)) + figures)
        if skipped:
            return
        cpu = option(what, '-C')
        for i in range(n_cpus):
            runs = idle.get(i, ())
            if cpu and int(cpu) != i:
                continue
            ns = sum(r.run for r in runs) if runs else tails.get(i, 0)
            text = 'idle for %10s  msec  (%6.2f%%)' % (ms(ns), 100.0 * ns / wall if wall else 0)
            self.totals.append('    CPU %2d %s' % (i, text if runs or i in tails else 'idle entire time window'))
        n, run = sum(len(r[3]) for r in rows), sum(x.run for r in rows for x in r[3])
        self.totals += ['    Total number of unique tasks: %d' % len(rows),
                        'Total number of context switches: %d' % (n + sum(map(len, idle.values()))),
                        '           Total run time (msec): %6s' % ms(run),
                        '    Total scheduling time (msec): %6s  (x %d)' % (ms(wall), n_cpus)]


def spread(times):
    """The standard error of the mean in percent."""
    n, mean = len(times), sum(times) / len(times)
    if n < 2 or mean <= 0:
        return 0.0
    return 100 * (sum((t - mean) ** 2 for t in times) / (n - 1) / n) ** .5 / mean


def true_summary(what, truth, n_cpus):
    hist = TrueHist(what, truth, n_cpus)
    is_idle = '-I' in what.split()
    runs, idle = collections.defaultdict(list), collections.defaultdict(list)
    for r in hist.shown:
        if not r.tid:
            idle[r.cpu].append(r)
        task = r.task if r.tid and not is_idle else r.left if r.left and r.known and is_idle else None
        if task:
            runs[id(task)].append(r)
    rows = [(t.text(), t.ppid, t.moves, runs[id(t)], t.tid) for t in truth.lives if id(t) in runs]
    end, tails = max(hist.times, default=0), {}
    for r in hist.shown:
        if r.tid:
            now = truth.cur.get(r.cpu)
            tails[r.cpu] = end - now.since if now and not now.tid and now.since is not None else 0
    return Summary(what, rows, idle, end - min(hist.times) if hist.times else 0, n_cpus, hist.skipped, tails)


def upstream_summary(what, hist, n_cpus):
    is_idle, cpu, idle = '-I' in what.split(), option(what, '-C'), {}
    for tid, runs in hist.runs.items():
        runs = [r for r in runs if not cpu or r.cpu == int(cpu)]
        if runs and tid < -1:
            idle[-1000 - tid] = runs
    table = hist.idles if is_idle else hist.runs
    rows = [(hist.threads.text(tid)[:31], hist.threads.parents[tid], hist.moves[tid], runs, tid)
            for tid, runs in table.items() if tid >= -1 and runs and tid in hist.threads.all]
    return Summary(what, rows, idle, hist.end - hist.first if hist.first else 0, n_cpus, hist.skipped)
