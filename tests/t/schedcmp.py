#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""schedcmp.py OURS STOCK FILE [lossy] [no-chains]: do two perfs tell the same of a scheduler recording? Compares sched script, map, timehist and latency with
many options, line by line. A line that differs must belong to one of the classes below, and each is checked against the events of the
file; anything else is printed, exit code 1. Apart from that all times of ours are compared with a model of its own, made from the text of
the events (class Model). The last line counts the classes.

exited   the stock forgets a task with its EXIT record: its name (:TID), its ids (-1 at last) and its waits (0 or invented), while
         it still runs; its summary rows have only what came afterwards.
unnamed  the recording has no COMM record of the task: the stock shows :TID, ours the name that the events carry.
instant  a COMM record with the very time of the event: before or after it; timehist -P: a migration in the ns in which the run begins.
runtime  latency: the stock adds up sched_stat_runtime, ours the times between switches; both sums are checked.
waits    latency: seen once, on a 6.1 kernel with schedstats: the same number of waits and the same longest one, but the stock's sum is
         larger than what the events say; not explained.
first    latency: a task that is seen first when it gets a CPU: the stock counts a delay of 0.
cut      timehist --time: of a run that begins before the window the stock makes the wait longer; ours is told as it was.
outside  timehist --time, -C: the stock shows migrations before the window, and wake-ups and migrations of other CPUs.
told     map --cpus: what names mean that are given on a CPU that is not shown: ours tells it with the first line that has them.
letters  map --task-name: the stock keeps the name or the dash that a task had first, also when the task is called otherwise now.
prio     timehist --prio: the stock measures the waits of a task that had another priority before only from the shown runs.
long     timehist: names of more than 31 characters are cut by the stock; one of more than 30 makes the column wider from there on.
moves    timehist -s without -M: the stock shows 0 migrations.
gap      events are missing at that place (a switch does not follow the one before on its CPU): the stock invents times, ours says 0.
         With "lossy" also what the recorder wrote out of order, and lines that differ because of that, are only counted.

With "no-chains" timehist is asked for no call chains: of another kernel's file they cannot be named here."""
import collections
import re
import subprocess
import sys

EVENT = re.compile(r'^ *(.*?) +(-?\d+)(?:/-?\d+)? +\[(\d+)\] +(\d+)\.(\d+): +(\S+?):?(?: (.*)|)$')
RUN = re.compile(r'^ *(\d+\.\d{6}) \[(\d+)\]  (.*?) +(\d+\.\d{3}) +(\d+\.\d{3}) +(\d+\.\d{3}) *(.*)$')
NOTE = re.compile(r'^ *(\d+\.\d{6}) \[(\d+)\]  (.*?) +(awakened|migrated): (.*)$')
TASK = re.compile(r'^(.*)\[(-?\d+)(?:/(-?\d+))?\]$')
ROW = re.compile(r'^  (.*?) *\| *([\d.]+) ms \| *(\d+) \| avg: *([\d.]+) ms \| max: *([\d.]+) ms \| max start: *([\d.]+) s \| max end: *([\d.]+) s$')
SUM = re.compile(r'^ *(\S.*?) +(-?\d+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) *(\d*)$')

counts = collections.Counter()
errors = []


def complain(what, *lines):
    errors.append(what + ''.join('\n    %s' % l for l in lines))


def run(perf, data, *args):
    out = subprocess.run([perf, *args, '-i', data], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return out.stdout.decode('utf-8', 'replace').split('\n')[:-1]


def us(text):
    sec, frac = text.split('.')
    return int(sec) * 1000000 + int(frac[:6])


def ms_text(ns):
    return '%d.%03d' % (ns // 1000000, ns // 1000 % 1000)


class Model:
    """Waits, delays and runs of all tasks from the text of the events; None: not known."""

    def __init__(self, lines):
        self.exits, self.forks, self.comms = (collections.defaultdict(list) for _ in range(3))
        self.rows = {}                  # (time us, CPU): list of (tid, wait, delay, run, run's begin)
        self.stat_run, self.switch_run = collections.Counter(), collections.Counter()
        self.delays = collections.defaultdict(list)
        self.firsts = collections.Counter()
        self.moved = set()              # (tid, time ns)
        self.gaps = []                  # times ns
        self.gap_tids = set()           # of which a run is not known
        self.n_events = 0
        self.long = set()
        out, ready, since, wait, cur, blank, left = {}, {}, {}, {}, {}, (0, 0), {}
        waking = any(' sched:sched_waking: ' in l for l in lines)
        for line in lines:
            m = EVENT.match(line)
            if not m:
                continue
            t, cpu, name, text = int(m[4]) * 10 ** 9 + int(m[5].ljust(9, '0')), int(m[3]), m[6], m[7] or ''
            if name.startswith('PERF_RECORD_'):
                what = re.match(r'PERF_RECORD_(EXIT|FORK|COMM)', name)
                tid = re.search(r'/(\d+)$', text) or re.search(r'^\w+\(\d+:(\d+)\)', name + text)
                if what and what[1] == 'COMM':
                    pid, last = re.search(r'(\d+)/(\d+)$', text).groups()
                    full = '%s[%s]' % (text.rsplit(':', 1)[0].split(': ')[-1], pid if pid == last else last + '/' + pid)
                    self.long.update([full] if len(full) > 31 else [])
                if what and tid:
                    {'EXIT': self.exits, 'FORK': self.forks, 'COMM': self.comms}[what[1]][int(tid[1])].append(t)
                continue
            self.n_events += 1
            f = dict(re.findall(r'\b(pid|runtime|prev_pid|next_pid|prev_state|child_pid)=(\S+)', text))
            if name == 'sched:sched_stat_runtime':
                self.stat_run[int(f['pid'])] += int(f['runtime'])
            elif name == 'sched:sched_migrate_task':
                self.moved.add((int(f['pid']), t))
            elif name in ('sched:sched_waking', 'sched:sched_wakeup_new') or (name == 'sched:sched_wakeup' and not waking):
                tid = int(f['pid'])
                if tid not in since and tid not in ready:
                    ready[tid] = t
            elif name == 'sched:sched_switch':
                prev, nxt = (int(f[k]) or (-1 - cpu) for k in ('prev_pid', 'next_pid'))
                if prev != nxt and cur.get(cpu) == nxt and since.get(nxt) == t:     # told twice
                    self.rows.setdefault((t // 1000, cpu), []).append((prev, 0, 0, 0, None))
                    continue
                if cpu in cur and cur[cpu] != prev:
                    self.gaps.append(t)
                    lost = cur[cpu]
                    since.pop(lost, None)
                    out.pop(lost, None)
                begin = since.pop(prev, None)
                if begin is None and cpu in cur:
                    self.gap_tids.update((prev, cur[cpu]))
                w, d = wait.pop(prev, blank)
                self.rows.setdefault((t // 1000, cpu), []).append(
                    (prev, w, d, t - begin, begin) if begin is not None else (prev, 0, 0, 0, None))
                if begin is not None:
                    self.switch_run[prev] += t - begin
                out[prev] = t
                ready.pop(prev, None)
                if f['prev_state'][0] == 'R':
                    ready[prev] = t
                at = ready.pop(nxt, None)
                if at is not None:
                    self.delays[nxt].append((t - at, at, t))
                elif nxt not in out:
                    self.firsts[nxt] += 1
                wait[nxt] = (t - out[nxt] if nxt in out else 0, t - at if at is not None else 0)
                since[nxt] = t
                cur[cpu] = nxt

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


def name_class(model, tid, t_ns, theirs):
    """Why the stock does not have our name of a task; None: no reason."""
    if model.exited(tid, t_ns) and theirs in (':%d' % tid, ':-1'):
        return 'exited'
    if model.instant(tid, t_ns):
        return 'instant'
    if not model.named(tid, t_ns) and theirs == ':%d' % tid:
        return 'unnamed'
    return None


def compare_script(model, ours, stock, lossy):
    if lossy:       # the stock says that it has some out of order
        order = lambda l: [int(m[4]) * 10 ** 6 + int(m[5][:6]) for m in map(EVENT.match, l) if m]
        if order(ours) != sorted(order(ours)):
            complain('script: ours is not in the order of time')
        late, top = 0, 0
        for t in order(stock):
            late, top = late + (t < top), max(t, top)
        counts['gap'] += late
        ours, stock = (sorted(l, key=lambda x: (x.split('] ', 1)[-1], x)) for l in (ours, stock))
    if len(ours) != len(stock):
        return complain('script: %d lines, the stock has %d' % (len(ours), len(stock)))
    for a, b in zip(ours, stock):
        if a == b:
            counts['same'] += 1
            continue
        ma, mb = EVENT.match(a), EVENT.match(b)
        why = None
        if ma and mb and ma.groups()[2:] == mb.groups()[2:]:
            tid, t = int(ma[2]), int(ma[4]) * 10 ** 9 + int(ma[5]) * 1000 + 999
            why = name_class(model, tid, t, mb[1])
        if why:
            counts[why] += 1
        else:
            complain('script:', a, b)


def compare_map(model, what, ours, stock, lossy):
    ours, stock = ([l.rstrip() for l in out if ' secs' in l] for out in (ours, stock))
    if lossy:
        counts['gap'] += sum(a != b for a, b in zip(ours, stock))
        # Legends differ where a COMM record is lost; lines where the stock is out of order.
        if len(ours) != len(stock):
            complain('%s: %d lines, the stock has %d' % (what, len(ours), len(stock)))
        return
    extra = 0
    if len(ours) != len(stock) and '--task-name' in what:     # a task without its name is not chosen
        place = lambda l: str(letters(l))
        for mine, other in ((ours, collections.Counter(map(place, stock))), (stock, collections.Counter(map(place, ours)))):
            for l in list(mine):
                other[place(l)] -= 1
                t = us(letters(l)[1])
                tids = [r[0] for k, rows in model.rows.items() if k[0] == t for r in rows if r[0] > 0]
                if other[place(l)] < 0 and any(model.exited(x, t * 1000 + 999) or not model.named(x, t * 1000 + 999) for x in tids):
                    counts['exited'] += 1
                    mine.remove(l)
                elif other[place(l)] < 0 and extra < len(model.gaps):
                    counts['gap'] += 1
                    extra += 1
                    mine.remove(l)
    if len(ours) != len(stock):
        return complain('%s: %d lines, the stock has %d' % (what, len(ours), len(stock)))
    legend = re.compile(r'^(.* (\d+\.\d{6}) secs \S. => )(.*):(\d+)( \(CPU \d+\))?$')
    for a, b in zip(ours, stock):
        ma, mb = legend.match(a), legend.match(b)
        if a == b:
            counts['same'] += 1
        elif ma and mb and ma[1] == mb[1] and ma[4] == mb[4] and \
                name_class(model, int(ma[4]), us(ma[2]) * 1000 + 999, mb[3] if mb[3] != ma[3] else ''):
            counts['unnamed'] += 1
        elif '--cpus' in what and (ma and a.startswith(b + ' ') or '=> swapper:0' in b and b.startswith(a + ' ')):
            counts['told'] += 1
        elif '--task-name' in what and letters(a) == letters(b):
            counts['letters'] += 1
        else:
            complain('%s:' % what, a, b)


def letters(line):
    """A line of a map without the names: where the star is, and when."""
    cells, rest = re.split(r' +(?=\d+\.\d{6} secs)', line, maxsplit=1)
    return [c[0] == '*' for c in re.findall(r'[ *](?:\S\S|[-.] ?| {2})(?: |$)', cells[2:])], rest[:18].split()[0]


def options(what, flag):
    words = what.split()
    return words[words.index(flag) + 1] if flag in words else None


def window(what):
    text = options(what, '--time')
    if not text:
        return 0, 1 << 63
    begin, end = text.split(',')
    return (us(begin) * 1000 if begin else 0), (us(end) * 1000 if end else 1 << 63)


def model_row(model, a, cpu, begin, end):
    """What a run line of ours must say, as (tid, wait, delay, run, begin): among those of this time and CPU."""
    key = (us(a[1]), cpu)
    rows = list(model.rows.get(key, ()))
    if end < 1 << 63 and key[0] == end // 1000:         # cut at the end: the row comes later
        rows += [(r[0], r[1], r[2], end - max(r[4], begin), r[4]) for k, l in model.rows.items() if k[1] == cpu and k[0] >= key[0]
                 for r in l if r[4] is not None and r[4] <= end]
    return [(r[0], r[1], r[2], r[3] - (begin - r[4] if r[4] is not None and r[4] < begin and us(a[1]) * 1000 != end else 0), r[4])
            for r in rows]


def compare_run(model, what, a, b, lossy):
    """Two lines of a run; what they are (RUN matches), or None for b."""
    begin, end = window(what)
    tid = -1 - int(a[2]) if a[3].startswith('<idle>') else int(TASK.match(re.sub(r'  +-?\d+(->-?\d+)?$', '', a[3]))[2])
    cands = [r for r in model_row(model, a, int(a[2]), begin, end)
             if r[0] == tid and (a[4], a[5], a[6]) == tuple(ms_text(x) for x in r[1:4])]
    if not cands:
        if lossy:
            counts['gap'] += 1
            return
        return complain('%s: not what the events say' % what, a[0], str(model_row(model, a, int(a[2]), begin, end)))
    if b is None or a[0].rstrip() == b[0].rstrip():
        counts['same'] += 1
        return
    if a.groups()[3:] == b.groups()[3:] and (len(a[3]) > 31 and a[3][:31] == b[3] or a[3] == b[3]):
        counts['long'] += 1
        return
    t = us(a[1]) * 1000 + 999
    tail = re.sub(r'^pre-mig.*', '', a[7]) == re.sub(r'^pre-mig.*', '', b[7])
    if (a[1], a[2], a[6]) == (b[1], b[2], b[6]) and tid > 0 and \
            (model.exited(tid, t) or t // 1000 == end // 1000 and model.ever_exits(tid)):
        counts['exited'] += 1
    elif a[3].strip() == b[3].strip() and tail and a[6] == b[6] and cands[0][4] is not None and cands[0][4] < begin and \
            all(y in (ms_text(x), ms_text(x + begin - cands[0][4])) for x, y in zip(cands[0][1:3], b.groups()[3:5])):
        counts['cut'] += 1
    elif 'P' in what and a.groups()[:6] == b.groups()[:6] and (tid, cands[0][4]) in model.moved:
        counts['instant'] += 1
    elif tid in model.gap_tids or (cands[0][4] is None and not cands[0][3] and model.gaps):
        counts['gap'] += 1
    elif '--prio' in what and (a[1], a[2], a[3].strip(), a[6]) == (b[1], b[2], b[3].strip(), b[6]):
        counts['prio'] += 1
    elif (a[1], a[2]) + a.groups()[3:] == (b[1], b[2]) + b.groups()[3:] and tid > 0 and not model.named(tid, t):
        counts['unnamed'] += 1
    elif lossy:
        counts['gap'] += 1
    else:
        complain('%s:' % what, a[0], b[0])


def compare_note(model, what, a, b, lossy):
    ta, tb = (TASK.match(x) for x in (a[3], b[3]))
    wa, wb = (x[5].split(' cpu ') for x in (a, b))
    ok = a.groups()[:2] == b.groups()[:2] and a[4] == b[4] and wa[1:] == wb[1:]
    t = us(a[1]) * 1000 + 999
    reasons = []
    for x, y in ((a[3], b[3]), (wa[0], wb[0])):
        if x.strip() == y.strip():
            continue
        m, n = TASK.match(x.strip()), TASK.match(y.strip())
        reasons.append(m and name_class(model, int(m[2]), t, n[1] if n else y.strip()) or (m and model.exited(int(m[2]), t) and 'exited'))
    if ok and all(reasons):
        counts[reasons[0] if reasons else 'long'] += 1
    elif lossy:
        counts['gap'] += 1
    else:
        complain('%s:' % what, a[0], b[0])


def without_visual(what, ours, stock, lossy):
    """The columns of -V must be the same; what is left is compared as without it."""
    n = len(ours[2].split()[2]) + 2 if len(ours) > 2 else 0
    for a, b in zip(ours, stock):
        if not lossy and len(ours) == len(stock) and a[:23] == b[:23] and a[23:23 + n] != b[23:23 + n]:
            complain('%s: the columns' % what, a, b)
    return ([l[:23] + l[23 + n:] for l in lines] for lines in (ours, stock))


def cut(model, line):
    """Names of more than 31 characters as the stock has them."""
    for name in model.long:
        line = line.replace(name, name[:31])
    return line


def compare_timehist(model, what, ours, stock, lossy):
    begin, end = window(what)
    if 'V' in what:
        ours, stock = without_visual(what, ours, stock, lossy)
    cpu = options(what, '-C')
    if lossy:       # lines by place: those that are out of order are elsewhere
        place = lambda l: l[:23]
        theirs = collections.defaultdict(list)
        for l in stock:
            theirs[place(l)].append(l)
        pairs = [(l, theirs[place(l)].pop(0) if theirs[place(l)] else None) for l in ours]
        left = [l for v in theirs.values() for l in v]
    else:
        # What only the stock shows is taken out first.
        kept = []
        for l in stock:
            n = NOTE.match(l)
            if n and ((cpu and n[2].lstrip('0') != cpu.lstrip('0')) or us(n[1]) * 1000 < begin):
                counts['outside'] += 1
                continue
            kept.append(l)
        places = collections.Counter(l[:23] for l in ours)
        for l in list(kept):
            r = RUN.match(l)
            m = r and TASK.match(r[3].strip())
            if m and not places[l[:23]] and int(m[2]) in model.gap_tids:
                counts['gap'] += 1
                kept.remove(l)
        if ' -p ' in what or ' -t ' in what:    # the stock has forgotten of which process it was
            keys, mine = collections.Counter(l[:23] for l in kept), []
            for l in ours:
                r = RUN.match(l) or NOTE.match(l)
                m = r and TASK.match(r[3].strip())
                if keys[l[:23]] or not m or not model.exited(int(m[2]), us(r[1]) * 1000 + 999):
                    mine.append(l)
                    keys[l[:23]] -= 1
                else:
                    counts['exited'] += 1
            ours = mine
        if len(ours) != len(kept):
            return complain('%s: %d lines, the stock has %d' % (what, len(ours), len(kept)))
        pairs, left = list(zip(ours, kept)), []
    counts['gap'] += len(left)
    for a, b in pairs:
        if b and a != b and ' '.join(cut(model, a).split()) == ' '.join(b.split()):
            counts['long'] += 1
            continue
        if b and a != b and model.long:
            a = cut(model, a) if NOTE.match(a) else a
        ra, rb = RUN.match(a), b and RUN.match(b)
        na, nb = NOTE.match(a), b and NOTE.match(b)
        if ra and not re.search(r'awakened|migrated', a):
            compare_run(model, what, ra, rb or None, lossy) if rb or lossy else complain('%s:' % what, a, b)
        elif a == b or (b and a.rstrip() == b.rstrip()):
            counts['same'] += 1
        elif na and nb:
            compare_note(model, what, na, nb, lossy)
        elif lossy:
            counts['gap'] += 1
        else:
            complain('%s:' % what, a, str(b))


def compare_summary(model, what, ours, stock):
    """Rows of tasks that never exit are the same; the totals, too, where no task exits."""
    ra, rb = ({m[1]: m for m in map(SUM.match, l) if m} for l in (ours, stock))
    some_exit = any(model.exits.values())
    no_comm = lambda tid: not model.comms.get(tid)
    for name, a in ra.items():
        tid = int(TASK.match(name)[2])
        if len(name) > 31 and rb.get(name[:31]):
            rb[name] = rb.pop(name[:31])
        b = rb.pop(name, None) or (no_comm(tid) and rb.pop(re.sub(r'^.*\[', ':%d[' % tid, name), None)) or None
        if model.ever_exits(tid):
            counts['exited'] += 1
        elif tid in model.gap_tids:
            counts['gap'] += 1
        elif b is None:
            complain('%s: only ours has' % what, a[0])
        elif a.groups()[1:7] != b.groups()[1:7] or (a[8] != b[8] and ('--state' in what or abs(float(a[8]) - float(b[8])) > .015)):
            complain('%s:' % what, a[0], b[0])
        elif '--state' not in what and b[9] != a[9] and '-M' not in what:
            counts['moves'] += 1
            if b[9] != '0':
                complain('%s: migrations' % what, a[0], b[0])
        else:
            counts['same'] += 1
    for name, b in rb.items():
        tid = int(TASK.match(name)[2]) if TASK.match(name) else 0
        if tid != -1 and not model.ever_exits(tid) and tid not in model.gap_tids:
            complain('%s: only the stock has' % what, b[0])
    rest = [[l.rstrip() for l in out if not SUM.match(l) and not re.match('  Switches that do not follow|<no still', l)] for out in (ours, stock)]
    for a, b in zip(*rest):
        if a == b:
            counts['same'] += 1
        elif model.gaps and re.match(r' *(Total run time|CPU +\d+ idle for)', a) and a[:11] == b[:11]:
            counts['gap'] += 1
        elif some_exit and re.match(r' *Total (number of (unique tasks|context switches)|run time)', a) and a.split(':')[0] == b.split(':')[0]:
            counts['exited'] += 1
        else:
            complain('%s:' % what, a, b)


def latency_rows(lines):
    return {m[1]: m for m in map(ROW.match, lines) if m}


def compare_latency(model, what, ours, stock):
    """Each row's counts and times; the run times against the sums of both kinds."""
    ra, rb = latency_rows(ours), latency_rows(stock)
    if '-p' not in what.split():        # the stock also has tasks in its rows of which no run was seen whole
        silent = sum(1 for tid, n in model.stat_run.items() if n and not model.switch_run[tid] and not model.delays[tid])
        for name in [n for n in ra if n not in rb]:
            comm = name.rsplit(':', 1)[0]
            other = [n for n in rb if n.rsplit(':', 1)[0] == comm]
            number = lambda n: int(n.rsplit('(', 1)[1][:-1]) if n.endswith(')') else 1
            if len(other) == 1 and 0 <= number(other[0]) - number(name) <= silent + sum(model.firsts.values()):
                rb[name] = rb.pop(other[0])
                counts['first'] += 1
    order = [[m[1] for m in map(ROW.match, l) if m] for l in (ours, stock)]
    if not ra and any(model.switch_run.values()):
        return complain('%s: no rows' % what)
    per_pid = '-p' in what.split()
    for name, a in ra.items():
        tid = int(re.search(r':(\d+)$', name)[1]) if not name.endswith(')') else None
        b = rb.pop(name, None)
        if b is None and tid and not model.comms.get(tid):
            b = rb.pop(':%d:%d' % (tid, tid), None)
        if b is None:
            complain('%s: only ours has' % what, a[0])
            continue
        # Sums of one task; rows of several tasks are the sums of those of -p.
        if tid:
            want = '%.3f' % (model.switch_run[tid] / 1e6)
            if abs(float(a[2]) - float(want)) > .0011:
                complain('%s: runtime of the switches is %s' % (what, want), a[0])
            want = '%.3f' % (model.stat_run[tid] / 1e6)
            if abs(float(b[2]) - float(want)) > .0011:
                complain('%s: the stock\'s runtime is not that of sched_stat_runtime, %s' % (what, want), b[0])
            waits = [d[0] for d in model.delays[tid]]
            want = (str(len(waits)), '%.3f' % (sum(waits) // len(waits) / 1e6) if waits else '0.000', '%.3f' % (max(waits, default=0) / 1e6))
            if a.groups()[2:5] != want:
                complain('%s: the events have %s' % (what, ' '.join(want)), a[0])
        counts['runtime'] += a[2] != b[2]
        if a.groups()[2:] == b.groups()[2:]:
            counts['same'] += 1
            continue
        n = model.firsts[tid] if tid else sum(model.firsts.values())
        if tid and (a[3], a.groups()[4:]) == (b[3], b.groups()[4:]) and float(b[4]) > float(a[4]):
            counts['waits'] += 1        # ours are those of the model
        elif 0 < int(b[3]) - int(a[3]) <= n and (a[5] == b[5] or tid is None or not per_pid):
            counts['first'] += 1
        else:
            complain('%s:' % what, a[0], b[0])
        if tid and int(a[3]) != len(model.delays[tid]):
            complain('%s: the events have %d delays' % (what, len(model.delays[tid])), a[0])
    for b in rb.values():
        if b[3] != '0' and (b[4] != '0.000' or int(b[3]) > sum(model.firsts.values())):
            complain('%s: only the stock has' % what, b[0])
        else:
            counts['first'] += 1
    key = options(what, '-s')
    if key in ('max', 'switch', 'avg') or not key:
        col = {'max': 5, 'switch': 3, 'avg': 4}.get(key, 4)
        for o, r in zip(order, (latency_rows(ours), latency_rows(stock))):
            values = [float(r[n][col]) for n in o]
            if values != sorted(values, reverse=True):
                complain('%s: rows are not sorted' % what)


def main():
    ours, stock, data = sys.argv[1:4]
    lossy = 'lossy' in sys.argv[4:]
    chains = ['--no-call-graph'] if 'no-chains' in sys.argv[4:] else []
    text = run(ours, data, 'script', '--ns', '--show-task-events', '-F', 'comm,tid,cpu,time,event,trace')
    model = Model(text)
    if not model.n_events:
        sys.exit('no events')
    both = lambda *args: (run(ours, data, *args), run(stock, data, *args))
    compare_script(model, *both('sched', 'script', '-F', 'comm,tid,cpu,time,event,trace'), lossy)
    for o in ('', '--compact', '--cpus 1', '--cpus 0 --compact', '--task-name schedmix', '--task-name pong,fifo', '--task-name dan --fuzzy-name',
              '--color-cpus 1', '--color-pids 1'):
        if lossy and '-name' in o:
            continue
        compare_map(model, 'map ' + o, *both('sched', 'map', *o.split()), lossy)
    times = sorted(t for t, _ in model.rows)
    lo, hi = (times[len(times) * k // 3] for k in (1, 2))
    at = lambda t: '%d.%06d' % (t // 1000000, t % 1000000)
    busiest = max((r[0] for l in model.rows.values() for r in l if r[0] > 0), key=lambda t: model.switch_run[t])
    for o in ('', '-n', '-w', '-M', '-wMn', '-V', '-MVw', '-P', '--state', '--show-prio', '-MVwP --state --show-prio', '--prio 120', '--prio 0-99',
              '-p %d' % busiest, '-t %d,%d' % (busiest, busiest + 1), '-wM -t %d' % busiest, '-C 1', '-wM -C 0', '-I', '-I -n',
              '--time %s,%s' % (at(lo), at(hi)), '-wM --time %s,' % at(hi), '--time ,%s' % at(lo), '-I --time %s,%s' % (at(lo), at(hi))):
        compare_timehist(model, 'timehist ' + o, *both('sched', 'timehist', *chains, *o.split()), lossy)
    if not lossy:
        for o in ('-s', '-sM', '-s --state', '-I -s', '-s -C 1', '-s -p %d' % busiest, '-s --prio 120'):
            compare_summary(model, 'timehist ' + o, *both('sched', 'timehist', *chains, *o.split()))
        for o in ('-p', '', '-p -s max', '-p -s switch', '-p -s avg', '-s max,switch', '-p -s runtime'):
            compare_latency(model, 'latency ' + o, *both('sched', 'latency', *o.split()))
    for e in errors[:40]:
        print(e)
    if errors:
        sys.exit('%d differences without a reason; %s' % (len(errors), dict(counts)))
    print(' '.join('%s:%d' % kv for kv in sorted(counts.items())))


main()
