#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""schedcmp.py OURS UPSTREAM FILE [no-chains | KALLSYMS] [some=SEED]: do two perfs tell the same of a scheduler recording? Runs sched script,
map, timehist and latency with many options. Each line of ours must be what happened, each line of upstream perf what its rules make of the
events: both are predicted from the events alone, to the last digit (schedmodel.py, schedlines.py). UPSTREAM may be "-": then only ours is
looked at. What the two have differently belongs to one of the classes below; anything else is printed, exit code 1. The last line
counts the classes.

exited   upstream perf forgets a task with its EXIT record: its name (:TID), its ids (-1 at last) and its waits (0 or invented), while
         it still runs; its summary rows have only what came afterwards.
unnamed  the recording has no COMM record of the task: upstream perf shows :TID, ours the name that the events carry.
instant  a COMM record with the very time of the event: before or after it; timehist -P: a migration in the ns in which the run begins.
lost     the recorder lost the records that name a task, or tell its process: ours has the name that the events carry.
again    map: more than 260 tasks: upstream perf gives letters a second time. Else: several tasks had a number one after the other.
order    the recorder wrote events too late: upstream perf takes them when they come, ours in the order of time.
gap      events are missing at that place (a switch does not follow the one before on its CPU): upstream perf invents times, ours says 0.
twice    a switch is told again with the same time: upstream perf counts it again.
runtime  latency: upstream perf adds up sched_stat_runtime, ours the times between switches; both sums are checked.
first    latency: a task that is seen first when it gets a CPU: upstream perf counts a delay of 0. One that is heard of first by the
         running time of a run that is not seen: upstream perf counts a delay from there on.
deaf     latency: events are missing, and upstream perf believes that a task still runs: it counts no delay for its next wake-up.
moved    latency -C: upstream perf shows all CPUs, and begins a delay anew with each move and each further wake-up.
cut      timehist --time: of a run that begins before the window upstream perf makes the wait longer; ours is told as it was.
outside  timehist --time, -C: upstream perf shows migrations before the window, and wake-ups and migrations of other CPUs.
told     map: upstream perf tells a name again to which a task came back after another one. map --cpus: what names mean that are given on a
         CPU that is not shown: ours tells it with the first line that has them.
letters  map --task-name: upstream perf keeps the name or the dash that a task had first, also when the task is called otherwise now.
prio     timehist --prio: upstream perf measures the waits of a task that had another priority before only from the shown runs.
         --show-prio: of one whose priority changed the two say otherwise with which it got the CPU.
long     timehist: names of more than 31 characters are cut by upstream perf; one of more than 30 makes the column wider from there on.
symbols  timehist of a file with KALLSYMS: where no other file may be looked at, ours has symbols of programs by their build-ID.
creator  timehist -s: the parent of a thread: ours has the process, upstream perf the thread that made it.
moves    timehist -s without -M: upstream perf shows 0 migrations.

With "no-chains" timehist is asked for no call chains: of another kernel's file they cannot be named here, unless KALLSYMS is given.
With "some" the seed chooses a few of the variants, for many recordings in a short time."""
import collections
import re
import subprocess
import sys

from schedlines import UpstreamLines, UpstreamMap, TrueHist, TrueMap, option, prios, upstream_summary, true_summary, window
from schedmodel import EVENT, Note, Run, Upstream, Truth

ROW = re.compile(r'^  (.*?) *\| *([\d.]+) ms \| *(\d+) \| avg: *([\d.]+) ms \| max: *([\d.]+) ms \| max start: *([\d.]+) s \| max end: *([\d.]+) s$')
SUM = re.compile(r'^ *(\S.*?) +(-?\d+) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) *(\d*)$')
LEGEND = re.compile(r'^(.* (\d+\.\d{6}) secs (\S+) => )(.*):(\d+)( \(CPU \d+\))?$')
LETTERS = 260      # A0 to Z9
SCRIPT = ('-F', 'comm,tid,cpu,time,event,trace')

counts = collections.Counter()
errors = []


def complain(what, *lines):
    errors.append(what + ''.join('\n    %s' % str(l) for l in lines))


def run(perf, data, *args):
    out = subprocess.run([perf, *args, '-i', data], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return out.stdout.decode('utf-8', 'replace').split('\n')[:-1]


def us(text):
    sec, frac = text.split('.')
    return int(sec) * 1000000 + int(frac[:6])


def sides(lines, wants):
    """Without an upstream perf: only ours."""
    return [x for x in zip(('ours', 'upstream perf'), lines, wants) if x[1] is not None]


def name_class(truth, tid, t_ns):
    """Why upstream perf calls a task otherwise; what each calls it is checked."""
    if truth.exited(tid, t_ns):
        return 'exited'
    return 'instant' if truth.instant(tid, t_ns) else 'lost' if truth.named(tid, t_ns) else 'unnamed'


def pair(what, upstream_model, ours, upstream, place):
    """Lines of the same place: pairs, and what only ours or only upstream perf has."""
    theirs = collections.defaultdict(collections.deque)
    for l in upstream:
        theirs[place(l)].append(l)
    mine, there = collections.Counter(map(place, ours)), {p: len(q) for p, q in theirs.items()}
    pairs, only = [], []
    for l in ours:
        q = theirs[place(l)]
        if q and l in q:
            q.remove(l)
            pairs.append((l, l))
        elif q and mine[place(l)] <= there[place(l)]:
            pairs.append((l, q.popleft()))
        else:
            only.append(l)
    rest = [l for q in theirs.values() for l in q]
    if not upstream_model.late:
        left = collections.Counter(map(place, rest))
        order = []
        for l in reversed(upstream):
            p = place(l)
            if left[p]:
                left[p] -= 1
            else:
                order.append(p)
        if order[::-1] != [place(a) for a, _ in pairs]:
            complain('%s: the order of lines is another one' % what)
    return pairs, only, rest


def compare_script(truth, model, ours, upstream):
    times = [(int(m[5]), int(m[6])) for m in map(EVENT.match, ours) if m]
    if times != sorted(times):
        complain('script: ours is not in the order of time')
    if upstream is None:
        return check_names('script of ours', truth, ours)
    counts['order'] += model.late
    place = lambda l: EVENT.match(l).groups()[2:] if EVENT.match(l) else l
    pairs, only, rest = pair('script', model, ours, upstream, place)
    for l in only:
        complain('script: only ours has', l)
    for l in rest:
        complain('script: only upstream perf has', l)
    check_names('script of ours', truth, ours)
    check_names('script of upstream perf', model, upstream)
    for a, b in pairs:
        m = EVENT.match(a)
        counts['same' if a == b or not m else name_class(truth, int(m[3]), int(m[5]) * 10 ** 9 + int(m[6]) * 1000 + 999)] += 1


def check_names(what, side, lines):
    for l in lines:
        m = EVENT.match(l)
        if not m or m[1].strip() not in said_at(side, m):
            complain('%s: should have %s' % (what, m and said_at(side, m)), l)


def said_at(side, m):
    return side.said.get((int(m[5]) * 1000000 + int(m[6]), int(m[4]), int(m[3]), m[7], m[8] or ''), ())


# --- map ---

def compare_map(truth, models, what, ours, upstream):
    """Both are predicted line by line; what differs has a class by what the line is about."""
    wants = [[l.rstrip() for l in m.lines] for m in (TrueMap(what, truth.switches), UpstreamMap(what, models[1].events))]
    ours, upstream = ([l.rstrip() for l in out if ' secs' in l] if out is not None else None for out in (ours, upstream))
    for who, lines, want in sides((ours, upstream), wants):
        if lines != want:
            i = next((i for i, (a, b) in enumerate(zip(lines, want)) if a != b), min(len(lines), len(want)))
            complain('%s: line %d of %d (%d) of %s' % (what, i, len(lines), len(want), who), *(lines[i:i + 1] + want[i:i + 1]))
    if upstream is None:
        return
    same = collections.Counter(ours) & collections.Counter(upstream)
    counts['same'] += sum(same.values())
    for l in (collections.Counter(ours) - same).elements():
        counts[map_class(truth, models, what, l)] += 1


def map_class(truth, models, what, line):
    m = LEGEND.match(line)
    if models[1].late:
        return 'order'
    if '--task-name' in what:
        return 'letters'
    if len({id(x[4]) for x in truth.switches}) > LETTERS:
        return 'again'
    return name_class(truth, int(m[5]), us(m[2]) * 1000 + 999) if m else 'told'


# --- timehist ---

def hists(truth, model, what, n_cpus):
    return TrueHist(what, truth, n_cpus), UpstreamLines(what, upstream_hist(model, what), n_cpus)


def upstream_hist(model, what):
    number = lambda flag: int(option(what, flag)) if option(what, flag) else None
    tids = set(map(int, option(what, '-t').split(','))) if option(what, '-t') else None
    return model.timehist(*window(what), prios(what), bool(set('MP') & set(flags(what))), number('-C'), number('-p'), tids,
                          not set('Is') & set(flags(what)))


def flags(what):
    return ''.join(w[1:] for w in what.split()[1:] if w[0] == '-' and w[1:2] != '-')


def compare_timehist(truth, model, what, ours, upstream):
    """Both are predicted, but for the call chains behind the lines; what differs has a class by what it is about."""
    n_cpus = len(ours[2].split()[2]) if 'V' in flags(what) else 0
    wants = hists(truth, model, what, n_cpus)
    chains = []
    for who, lines, want in sides((ours[3:], upstream and upstream[3:]), wants):
        chains.append(check_lines('%s of %s' % (what, who), [l.rstrip() for l in lines], want.lines))
    for a, b in differing(*wants) if upstream is not None else ():
        why = hist_class(truth, model, what, a, b)
        counts[why or 'none'] += 1
        if not why:
            complain('%s: nobody knows why' % what, a, b)
    for place in chains[0].keys() & chains[-1].keys():
        if chains[0][place] != chains[-1][place]:
            if not same_chain(chains[0][place], chains[-1][place]):
                complain('%s: call chains at %s' % (what, place), chains[0][place], chains[-1][place])
            counts['symbols'] += 1


def check_lines(what, lines, want):
    """Returns the call chains behind them, by time and CPU."""
    chains = {}
    for i, (a, b) in enumerate(zip(lines, want)):
        if a != b and (not a.startswith(b + ' ') or 'awakened' in a or 'migrated' in a):
            complain('%s: line %d' % (what, i), a, b)
            return chains
        if a != b:
            chains[a[:23]] = a[len(b):].strip()
    if len(lines) != len(want):
        n = min(len(lines), len(want))
        complain('%s: %d lines, not %d' % (what, len(lines), len(want)), *(lines[n:n + 1] + want[n:n + 1]))
    return chains


def same_chain(a, b):
    a, b = (x.split(' <- ') for x in (a, b))
    return len(a) == len(b) and all(x.split() == y.split() or y.strip() == '[unknown]' for x, y in zip(a, b))


def differing(mine, theirs):
    """(ours, upstream perf's) of lines that are not the same in both, by their places; None: only one has it."""
    same = collections.Counter(mine.lines) & collections.Counter(theirs.lines)
    counts['same'] += sum(same.values())
    place = lambda x: (type(x), x.t // 1000, x.cpu, x.kind if isinstance(x, Note) else None)
    rest = []
    for side in (mine, theirs):
        left, queue = collections.Counter(same), collections.defaultdict(collections.deque)
        for text, x in zip(side.lines, side.made):
            left[text] -= 1
            if left[text] < 0:
                queue[place(x)].append(x)
        rest.append(queue)
    for key in rest[0].keys() | rest[1].keys():
        a, b = (side[key] for side in rest)
        while a or b:
            yield (a.popleft() if a else None), (b.popleft() if b else None)


def hist_class(truth, model, what, a, b):
    """Why a line of timehist is another one; None: no reason."""
    x = a or b
    if model.late:
        return 'order'
    if a and b:
        return run_class(truth, what, a, b) if isinstance(a, Run) else note_class(truth, a, b)
    cpu, t = option(what, '-C'), x.t + 999
    if isinstance(x, Note) and not a and ((cpu and x.cpu != int(cpu)) or x.t < window(what)[0]):
        return 'outside'
    tids = [x.tid] if isinstance(x, Run) else [x.who[0], x.whom[0]]
    if set(what.split()) & {'-p', '-t', '--prio'}:
        if any(truth.exited(tid, t) or tid == -1 for tid in tids):
            return 'exited'         # of which process it was is forgotten, and its priority
        if any(not truth.forks.get(tid) or tid in truth.strays for tid in tids):
            return 'lost'           # of which process it is
    return 'gap' if truth.gaps or (isinstance(x, Run) and not x.known) else None


def run_class(truth, what, a, b):
    begin, t = window(what)[0], a.t + 999
    gone = a.tid and (truth.exited(a.tid, t) or (window(what)[1] <= a.t and truth.ever_exits(a.tid)))
    if a[6:9] != b[6:9]:            # the times
        if gone or b.tid == -1:
            return 'exited'
        if (a.t, a.cpu) in truth.twice:
            return 'twice'
        if begin and a.begin == begin:
            return 'cut'
        if a.tid in truth.strays:
            return 'lost'
        return 'gap' if not a.known or a.task.gap or truth.gaps else 'prio' if prios(what) else None
    if a.name != b.name and b.name != a.name[:31]:
        return 'exited' if gone else name_class(truth, a.tid, t)
    if a.premig != b.premig and 'P' in flags(what):
        return 'instant' if (a.tid, a.begin) in truth.moved else 'gap' if truth.gaps else None
    if a.prios != b.prios and '--show-prio' in what:
        return 'gap' if truth.gaps or not a.known else 'exited' if gone else 'prio'
    return 'long'


def note_class(truth, a, b):
    for x, y in ((a.who, b.who), (a.whom, b.whom)):
        if x[2] != y[2] and y[2] != x[2][:31]:
            return 'exited' if y[0] == -1 or x[0] == -1 else name_class(truth, x[0], a.t + 999)
    return 'long'


def compare_summary(truth, model, what, ours, upstream):
    """Rows and totals are predicted; the rest must be the same."""
    n_cpus = [int(m[1]) for m in map(re.compile(r'.*Total scheduling time.* \(x (\d+)\)').match, ours) if m] or [0]
    wants = true_summary(what, truth, n_cpus[0]), upstream_summary(what, upstream_hist(model, what), n_cpus[0])
    have = []
    for who, lines, want in sides((ours, upstream), wants):
        rows = [m.groups()[:8] + ((m[9],) if m[9] else ()) for m in map(SUM.match, lines) if m]
        check_rows('%s of %s' % (what, who), rows, want.rows)
        missing = [t for t in want.totals if t not in map(str.rstrip, lines)]
        if missing:
            complain('%s of %s: no such line' % (what, who), *missing)
        have.append([l.rstrip() for l in lines if not SUM.match(l) and l.rstrip() not in want.totals and
                     not re.match('  Switches that do not follow|<no still', l)])
    if upstream is None:
        return
    compare_rest(truth, model, what, *have)
    theirs = dict(zip(wants[1].tids, wants[1].rows))
    for tid, row in zip(wants[0].tids, wants[0].rows):
        why = row_class(truth, model, what, tid, row, theirs.pop(tid, None))
        counts[why or 'none'] += 1
        if not why:
            complain('%s: nobody knows why' % what, row, dict(zip(wants[1].tids, wants[1].rows)).get(tid))
    for tid, row in theirs.items():
        why = 'exited' if tid == -1 else row_class(truth, model, what, tid, row, None)
        counts[why or 'none'] += 1
        if not why:
            complain('%s: nobody knows why only upstream perf has' % what, row)


def check_rows(what, rows, want):
    left = list(rows)
    for w in want:
        found = next((r for r in left if same_row(r, w)), None)
        if found:
            left.remove(found)
        else:
            complain('%s: no such row' % what, w, *[r for r in left if r[0] == w[0]])
    for r in left:
        complain('%s: a row too many' % what, r)


def same_row(row, want):
    """Averages and deviations are rounded from doubles."""
    return len(row) == len(want) and all(x == y if isinstance(y, str) else abs(float(x) - y) < max(.0021 if i == 5 else .015, y * 1e-9)
                                         for i, (x, y) in enumerate(zip(row, want)))


def row_class(truth, model, what, tid, a, b):
    """Why rows of a task are not the same; None: no reason."""
    if a == b:
        return 'same'
    if model.late:
        return 'order'
    if truth.ever_exits(tid):
        return 'exited'
    if b is None or a[2:8] != b[2:8]:
        task = truth.tasks.get(tid)
        return 'again' if len(truth.forks.get(tid, ())) > 1 else 'gap' if truth.gaps or (task and task.gap) or '-I' in what else 'lost' if \
            tid in truth.strays else 'prio' if prios(what) else None
    if a[0] != b[0] and a[0][:31] != b[0]:
        return name_class(truth, tid, 1 << 62)
    if a[1] != b[1]:
        return 'creator' if b[1] != '-1' else 'lost'
    return 'moves' if a[8:] != b[8:] else 'long'


def figureless(line):
    return ' '.join(re.sub(r'[\d.]+', '', line).split())


def compare_rest(truth, model, what, ours, upstream):
    """Idle times by call chain, and lost events."""
    if model.late:
        ours, upstream = ([l for l in lines if ' lost ' not in l] for lines in (ours, upstream))
    texts = set(map(figureless, upstream))
    for a, b in zip(ours, upstream):
        if a == b:
            counts['same'] += 1
        elif truth.gaps and re.match(r' *(CPU +\d+:|[\d.]+ +\d+  )', a) and figureless(a) in texts:
            counts['gap'] += 1
        else:
            complain('%s:' % what, a, b)
    if len(ours) != len(upstream) and not truth.gaps:
        complain('%s: %d lines, upstream perf has %d' % (what, len(ours), len(upstream)))


# --- latency ---

def latency_rows(lines):
    return [m for m in map(ROW.match, lines) if m]


def waits_text(delays):
    """The columns of a list of waits."""
    waits = [d[1] - d[0] for d in delays]
    top = max(delays, key=lambda d: d[1] - d[0], default=None)
    if not waits or not max(waits):
        top = (0, 0)
    return ('%d' % len(waits), '%.3f' % (sum(waits) // max(len(waits), 1) / 1e6), '%.3f' % ((top[1] - top[0]) / 1e6),
            '%.6f' % (top[0] / 1e9), '%.6f' % (top[1] / 1e9))


def near(a, b):
    """Times are rounded from doubles."""
    return a[:1] == b[:1] and all(abs(float(x) - float(y)) < (.0011 if i < 2 else 2.1e-6) for i, (x, y) in enumerate(zip(a[1:], b[1:])))


def true_rows(truth, what):
    """(name, tid, running time, delays) of each task."""
    cpu = option(what, '-C')
    runs = collections.Counter()
    for r in truth.log:
        if isinstance(r, Run) and r.known and r.tid and cpu in (None, str(r.cpu)):
            runs[id(r.task)] += r.run
    rows = [(t, t.comm(), t.tid, runs[id(t)], [d for d in t.delays if cpu in (None, str(d[2]))]) for t in truth.lives if t.tid]
    return [r[1:] for r in rows if r[3] or r[4]]


def upstream_rows(hist):
    return [r for r in hist.rows if r[3] and r[1] and r[0] != 'swapper' and not hist.gave_up]


def compare_latency(truth, model, what, ours, upstream):
    """Each row's name, counts and times are predicted."""
    hist = model.latency('-C' in what)
    wants = true_rows(truth, what), upstream_rows(hist)
    for who, lines, want in sides((ours, upstream), wants):
        rows = latency_rows(lines)
        for name, tid, run, delays in want:
            label = '%s:%d' % (name, tid)
            found = [m for m in rows if m[1] == label and abs(float(m[2]) - run / 1e6) < .0011 and near(waits_text(delays), m.groups()[2:])]
            if found:
                rows.remove(found[0])
            else:
                complain('%s of %s: no such row' % (what, who), '%s %.3f' % (label, run / 1e6), waits_text(delays), *[m[0] for m in rows if m[1] == label])
        for m in rows:
            complain('%s of %s: a row too many' % (what, who), m[0])
    if upstream is None:
        return
    mine, theirs = ({r[1]: r for r in rows} for rows in wants)
    for tid in mine.keys() | theirs.keys():
        counts[waits_class(truth, model, hist, what, tid, mine.get(tid), theirs.get(tid))] += 1


def waits_class(truth, model, hist, what, tid, mine, theirs):
    """Why the delays, or running times, of a task are not the same."""
    if mine and theirs and mine == (theirs[:3] + ([d[:2] + e[2:] for d, e in zip(theirs[3], mine[3])],)) and len(mine[3]) == len(theirs[3]):
        return 'same'
    if hist.gave_up or model.late:
        return 'order'
    if '-C' in what:
        return 'moved'
    mine, theirs = (side[3] if side else () for side in (mine, theirs))
    kinds = {d[2] for d in theirs if d[:2] not in [x[:2] for x in mine]}
    if kinds & {'first', 'runtime'}:
        return 'first'
    if [d[:2] for d in mine] == [d[:2] for d in theirs]:
        return 'runtime'
    return 'deaf' if len(mine) > len(theirs) else 'gap' if truth.gaps else 'exited'


def compare_merged(what, merged, single, silent, silent_ms):
    """Rows of names are the sums of those of tasks with that name, of the same perf; of silent tasks the number and the
    running time is in it, but they have no row of their own."""
    want = collections.defaultdict(lambda: [0, 0.0, 0, 0.0, 0.0])
    for m in latency_rows(single):
        w = want[m[1].rsplit(':', 1)[0]]
        w[:] = w[0] + 1, w[1] + float(m[2]), w[2] + int(m[3]), w[3] + int(m[3]) * float(m[4]), max(w[4], float(m[5]))
    rows = latency_rows(merged)
    for m in rows:
        name, tail = m[1].rsplit(':', 1)
        n, runtime, delays, total, most = want.pop(name, (0, 0, 0, 0, 0))
        average = total / delays if delays else 0
        if not 0 <= (int(tail[1:-1]) if tail.startswith('(') else 1) - n <= silent or int(m[3]) != delays or float(m[5]) != most or \
                not -.0011 * n < float(m[2]) - runtime < .0011 * (n + silent) + silent_ms or abs(float(m[4]) - average) > .0021:
            complain('%s: not the sum of %d tasks' % (what, n), m[0])
        else:
            counts['same'] += 1
    for name in want:
        complain('%s: no row of %s' % (what, name))


def check_sorted(what, rows):
    column = {'max': 5, 'switch': 3, 'avg': 4, 'runtime': 2, 'max,switch': 5, None: 4}[option(what, '-s')]
    values = [float(m[column]) for m in rows]
    if values != sorted(values, reverse=True):
        complain('%s: rows are not sorted' % what)


def compare_latencies(truth, model, both, options):
    single = both('sched', 'latency', '-p')
    hist = model.latency()
    for o in options:
        out = both('sched', 'latency', *o.split())
        if '-p' in o.split():
            compare_latency(truth, model, 'latency ' + o, *out)
        else:
            silent = [r for r in hist.rows if not r[3]]
            extras = (0, 0), (len(silent), sum(r[2] for r in silent) / 1e6)
            for lines, alone, extra in zip(out, single, extras):
                if lines is None:
                    continue
                compare_merged('latency ' + o, lines, alone, *extra)
        for lines in out[:2 if out[1] is not None else 1]:
            check_sorted('latency ' + o, latency_rows(lines))


# --- all ---

MAPS = ('', '--compact', '--cpus 1', '--cpus 0 --compact', '--task-name schedmix', '--task-name pong,fifo', '--task-name dan --fuzzy-name',
        '--color-cpus 1', '--color-pids 1')
TIMEHISTS = ('', '-n', '-w', '-M', '-wMn', '-V', '-MVw', '-P', '--state', '--show-prio', '-MVwP --state --show-prio', '--prio 120', '--prio 0-99',
             '-p {busiest}', '-t {busiest},{next}', '-wM -t {busiest}', '-C 1', '-wM -C 0', '-I', '-I -n', '--time {lo},{hi}', '-wM --time {hi},',
             '--time ,{lo}', '-I --time {lo},{hi}')
LATENCIES = ('-p', '-p -C 0', '-p -s max', '-p -s switch', '', '-p -C 1', '-p -s avg', '-p -s runtime', '-s max,switch')
SUMMARIES = ('-s', '-sM', '-s --state', '-I -s', '-s -C 1', '-s -p {busiest}', '-s --prio 120')


def some_of(variants, seed):
    """A few, for each seed others."""
    return [v for i, v in enumerate(variants) if (i + seed) % 5 == 0] if seed is not None else variants


def main():
    ours, upstream, data = sys.argv[1:4]
    mode, seed = None, None
    for word in sys.argv[4:]:
        if word.startswith('some='):
            seed = int(word[5:])
        else:
            mode = word
    chains = ['--no-call-graph', '--kallsyms', '/dev/null'] if mode == 'no-chains' else ['--kallsyms', mode, '--symfs', '/nonexistent'] if mode else []
    both = lambda *args: (run(ours, data, *args), run(upstream, data, *args) if upstream != '-' else None)
    nobody = ('--kallsyms', '/dev/null')        # events have no symbols
    with_ns = both('script', '--ns', '--show-task-events', '--show-lost-events', '--show-mmap-events', *nobody, '-F', 'comm,pid,tid,cpu,time,event,trace')
    truth, models = Truth(with_ns[0]), [Upstream(lines or with_ns[0]) for lines in with_ns]
    model = models[1]
    if not truth.n_events:
        sys.exit('no events')
    compare_script(truth, model, *both('sched', 'script', *nobody, *SCRIPT))
    for o in some_of(MAPS, seed):
        compare_map(truth, models, 'map ' + o, *both('sched', 'map', *o.split()))
    times = sorted(x.t // 1000 for x in truth.log if isinstance(x, Run))
    lo, hi = ('%d.%06d' % divmod(times[len(times) * k // 3], 1000000) for k in (1, 2))
    busiest = max((sum(t.runs), t.tid) for t in truth.lives if t.tid)[1]
    fill = lambda o: o.format(lo=lo, hi=hi, busiest=busiest, next=busiest + 1)
    for o in map(fill, some_of(TIMEHISTS, seed)):
        compare_timehist(truth, model, 'timehist ' + o, *both('sched', 'timehist', *chains, *o.split()))
    for o in map(fill, some_of(SUMMARIES, seed)):
        compare_summary(truth, model, 'timehist ' + o, *both('sched', 'timehist', *chains, *o.split()))
    compare_latencies(truth, model, both, some_of(LATENCIES, seed))
    for e in errors[:40]:
        print(e)
    if errors:
        sys.exit('%d differences without a reason; %s' % (len(errors), dict(counts)))
    print(' '.join('%s:%d' % kv for kv in sorted(counts.items()) if kv[1]))


main()
