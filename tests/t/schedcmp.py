#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""schedcmp.py OURS STOCK FILE [no-chains | KALLSYMS]: do two perfs tell the same of a scheduler recording? Compares sched script, map, timehist and latency
with many options, line by line. Each figure of ours must be what happened, each of the stock what its rules make of the events (both in
schedmodel.py, to the last digit); a line that differs must belong to one of the classes below, and lines must be in the same
order. Anything else is printed, exit code 1. The last line counts the classes.

exited   the stock forgets a task with its EXIT record: its name (:TID), its ids (-1 at last) and its waits (0 or invented), while
         it still runs; its summary rows have only what came afterwards.
unnamed  the recording has no COMM record of the task: the stock shows :TID, ours the name that the events carry.
instant  a COMM record with the very time of the event: before or after it; timehist -P: a migration in the ns in which the run begins.
lost     the recorder lost the records that name a task, or tell its process: ours has the name that the events carry.
again    map: more than 260 tasks: the stock gives letters a second time. Who runs where is checked in both.
order    the recorder wrote events too late: the stock takes them when they come, ours in the order of time.
gap      events are missing at that place (a switch does not follow the one before on its CPU): the stock invents times, ours says 0.
twice    a switch is told again with the same time: the stock counts it again.
runtime  latency: the stock adds up sched_stat_runtime, ours the times between switches; both sums are checked.
first    latency: a task that is seen first when it gets a CPU: the stock counts a delay of 0. One that is heard of first by the
         running time of a run that is not seen: the stock counts a delay from there on.
deaf     latency: events are missing, and the stock believes that a task still runs: it counts no delay for its next wake-up.
cut      timehist --time: of a run that begins before the window the stock makes the wait longer; ours is told as it was.
outside  timehist --time, -C: the stock shows migrations before the window, and wake-ups and migrations of other CPUs.
told     map: the stock tells a name again to which a task came back after another one. map --cpus: what names mean that are given on a
         CPU that is not shown: ours tells it with the first line that has them.
letters  map --task-name: the stock keeps the name or the dash that a task had first, also when the task is called otherwise now.
prio     timehist --prio: the stock measures the waits of a task that had another priority before only from the shown runs.
long     timehist: names of more than 31 characters are cut by the stock; one of more than 30 makes the column wider from there on.
symbols  timehist of a file with KALLSYMS: where no other file may be looked at, ours has symbols of programs by their build-ID.
creator  timehist -s: the parent of a thread: ours has the process, the stock the thread that made it.
moves    timehist -s without -M: the stock shows 0 migrations.

With "no-chains" timehist is asked for no call chains: of another kernel's file they cannot be named here, unless KALLSYMS is given."""
import collections
import re
import subprocess
import sys

from schedmodel import EVENT, FOREVER, Stock, Truth, idle

RUN = re.compile(r'^ *(\d+\.\d{6}) \[(\d+)\]  (.*?) +(\d+\.\d{3}) +(\d+\.\d{3}) +(\d+\.\d{3}) *(.*)$')
NOTE = re.compile(r'^ *(\d+\.\d{6}) \[(\d+)\]  (.*?) +(awakened|migrated): (.*)$')
TASK = re.compile(r'^(.*)\[(-?\d+)(?:/(-?\d+))?\]$')
PRIO = re.compile(r'  +-?\d+(->-?\d+)? *$')
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


def ms_text(ns):
    return '%d.%03d' % (ns // 1000000, ns // 1000 % 1000)


def option(what, flag):
    words = what.split()
    return words[words.index(flag) + 1] if flag in words else None


def window(what):
    text = option(what, '--time')
    if not text:
        return 0, FOREVER
    begin, end = text.split(',')
    return (us(begin) * 1000 if begin else 0), (us(end) * 1000 if end else FOREVER)


def prios(what):
    text = option(what, '--prio')
    if not text:
        return None
    low, _, high = text.partition('-')
    return set(range(int(low), int(high or low) + 1))


def name_class(truth, tid, t_ns, name, theirs):
    """Why the stock does not have our name of a task; None: no reason."""
    if truth.exited(tid, t_ns) and (theirs in (':%d' % tid, ':-1') or '[-1' in theirs):
        return 'exited'
    if truth.instant(tid, t_ns):
        return 'instant'
    if not truth.named(tid, t_ns) and theirs.split('[')[0] == ':%d' % tid:
        return 'unnamed'
    if truth.lost and name in truth.names[tid]:
        return 'lost'
    return None


def pair(what, stock_model, ours, stock, place):
    """Lines of the same place: pairs, and what only ours or only the stock has."""
    theirs = collections.defaultdict(collections.deque)
    for l in stock:
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
    if not stock_model.late:
        left = collections.Counter(map(place, rest))
        order = []
        for l in reversed(stock):
            p = place(l)
            if left[p]:
                left[p] -= 1
            else:
                order.append(p)
        if order[::-1] != [place(a) for a, _ in pairs]:
            complain('%s: the order of lines is another one' % what)
    return pairs, only, rest


def compare_script(truth, model, ours, stock):
    times = [(int(m[4]), int(m[5])) for m in map(EVENT.match, ours) if m]
    if times != sorted(times):
        complain('script: ours is not in the order of time')
    counts['order'] += model.late
    place = lambda l: EVENT.match(l).groups()[2:] if EVENT.match(l) else l
    pairs, only, rest = pair('script', model, ours, stock, place)
    for l in only:
        complain('script: only ours has', l)
    for l in rest:
        complain('script: only the stock has', l)
    for a, b in pairs:
        if a == b:
            counts['same'] += 1
            continue
        ma, mb = EVENT.match(a), EVENT.match(b)
        why = name_class(truth, int(ma[2]), int(ma[4]) * 10 ** 9 + int(ma[5]) * 1000 + 999, ma[1], mb[1])
        if why:
            counts[why] += 1
        else:
            complain('script:', a, b)


# --- map ---

def cells(line):
    text, rest = re.split(r' +(?=\d+\.\d{6} secs)', line, maxsplit=1)
    return re.findall(r'[ *](?:\S\S|[-.] ?| {2})(?: |$)', text[2:]), rest[:18].split()[0]


def letters(line):
    """A line of a map without the names: where the star is, and when."""
    row, t = cells(line)
    return [c[0] == '*' for c in row], t


def check_map(model, what, lines):
    """That each CPU has the task that it runs, in the order in which the events are taken."""
    runs, tids = {}, collections.defaultdict(set, {'.': {0}})       # with many tasks letters are given again
    switches = [(e, int(f['next_pid'])) for e, f in model.events if e.name == 'sched:sched_switch']
    if len(switches) != len(lines):
        return complain('%s: %d lines for %d switches' % (what, len(lines), len(switches)))
    for line, (e, tid) in zip(lines, switches):
        m = LEGEND.match(line)
        if m:
            tids[m[3]].add(int(m[5]))
        row, t = cells(line)
        runs[e.cpu] = tid
        want = [runs.get(i) for i in range(max(runs) + 1)]
        have = [tids.get(c[1:].strip(), {c}) if c.strip() else {None} for c in row]
        have += [{None}] * (len(want) - len(have))
        star = [c[0] for c in row].index('*')
        if (star, us(t)) != (e.cpu, e.t // 1000) or len(have) != len(want) or not all(x in y for x, y in zip(want, have)):
            complain('%s: cpu %d, %s' % (what, e.cpu, want), line)


def compare_map(truth, models, what, ours, stock):
    ours, stock = ([l.rstrip() for l in out if ' secs' in l] for out in (ours, stock))
    if not what.split()[1:]:
        for who, model, lines in zip(('ours', 'stock'), models, (ours, stock)):
            check_map(model, '%s of %s' % (what, who), lines)
    tasks = {f['next_pid'] for e, f in models[0].events if e.name == 'sched:sched_switch'}
    if models[1].late or len(tasks) > LETTERS:      # the letters are others
        counts['order' if models[1].late else 'again'] += sum(a != b for a, b in zip(ours, stock))
        return
    ours, stock = unchosen(truth, what, ours, stock)
    if len(ours) != len(stock):
        return complain('%s: %d lines, the stock has %d' % (what, len(ours), len(stock)))
    for a, b in zip(ours, stock):
        ma, mb = LEGEND.match(a), LEGEND.match(b)
        why = None
        if ma and mb and ma[1] == mb[1] and ma[5] == mb[5]:
            why = name_class(truth, int(ma[5]), us(ma[2]) * 1000 + 999, ma[4], mb[4] if mb[4] != ma[4] else '')
        if a == b:
            counts['same'] += 1
        elif why:
            counts[why] += 1
        elif ma and a.startswith(b + ' ') and truth.lost and ma[4] in truth.names[int(ma[5])]:
            counts['lost'] += 1     # the new name is told
        elif mb and b.startswith(a + ' ') and truth.comms.get(int(mb[5])):
            counts['told'] += 1
        elif '--cpus' in what and (ma and a.startswith(b + ' ') or '=> swapper:0' in b and b.startswith(a + ' ')):
            counts['told'] += 1
        elif '--task-name' in what and letters(a) == letters(b):
            counts['letters'] += 1
        else:
            complain('%s:' % what, a, b)


def unchosen(truth, what, ours, stock):
    """Without the lines of --task-name that one of the two does not have, because it has another name for the task."""
    if len(ours) == len(stock) or '--task-name' not in what:
        return ours, stock
    place = lambda l: str(letters(l))
    extra = 0
    result = []
    for mine, other in ((ours, collections.Counter(map(place, stock))), (stock, collections.Counter(map(place, ours)))):
        kept = []
        for l in mine:
            other[place(l)] -= 1
            t = us(letters(l)[1])
            tids = [r[0] for k, rows in truth.rows.items() if k[0] == t for r in rows if r[0] > 0]
            if other[place(l)] >= 0:
                kept.append(l)
            elif any(truth.exited(x, t * 1000 + 999) or not truth.named(x, t * 1000 + 999) for x in tids):
                counts['exited'] += 1
            elif truth.lost:
                counts['lost'] += 1
            elif extra < len(truth.gaps):
                counts['gap'] += 1
                extra += 1
            else:
                kept.append(l)
        result.append(kept)
    return result


# --- timehist ---

def true_rows(truth, what, t_us, cpu):
    """What a run line of ours may say at this place."""
    begin, end = window(what)
    rows = list(truth.rows.get((t_us, cpu), ()))
    if end < FOREVER and t_us == end // 1000:       # cut at the end: the row comes later
        rows += [(r[0], r[1], r[2], end - max(r[4], begin), r[4]) for k, l in truth.rows.items() if k[1] == cpu and k[0] >= t_us
                 for r in l if r[4] is not None and r[4] <= end]
    return [(r[0], r[1], r[2], r[3] - (begin - r[4] if r[4] is not None and r[4] < begin and t_us * 1000 != end else 0), r[4])
            for r in rows]


def stock_rows(model, what, t_us, cpu):
    return model.timehist(*window(what), prios(what))[0].get((t_us, cpu), ())


def why_times(truth, what, row, theirs, t_us):
    """Why the stock has other times of a run."""
    begin, _ = window(what)
    tid, t = row[0], t_us * 1000 + 999
    if tid > 0 and (truth.exited(tid, t) or theirs[0] == -1 or (window(what)[1] < FOREVER and truth.ever_exits(tid))):
        return 'exited'
    if (t_us, theirs[-1]) in truth.twice:
        return 'twice'
    if row[4] is not None and row[4] < begin and all(y in (x, x + begin - row[4]) for x, y in zip(row[1:3], theirs[1:3])):
        return 'cut'
    if tid in truth.gap_tids or (row[4] is None and truth.gaps):
        return 'gap'
    if prios(what):
        return 'prio'
    return None


def same_chain(a, b):
    a, b = (x.split(' <- ') for x in (a, b))
    return len(a) == len(b) and all(x.split() == y.split() or y.strip() == '[unknown]' for x, y in zip(a, b))


def compare_run(truth, model, what, a, b):
    """Two lines of a run, as RUN matches."""
    t_us, cpu = us(a[1]), int(a[2])
    tid = idle(cpu) if a[3].startswith('<idle>') else int(TASK.match(PRIO.sub('', a[3]))[2])
    mine = [r for r in true_rows(truth, what, t_us, cpu) if r[0] == tid and a.groups()[3:6] == tuple(map(ms_text, r[1:4]))]
    if not mine:
        return complain('%s: not what the events say' % what, a[0], true_rows(truth, what, t_us, cpu))
    theirs = [r for r in stock_rows(model, what, t_us, cpu) if b.groups()[3:6] == tuple(map(ms_text, r[1:4]))]
    if not theirs:
        return complain('%s: not what the stock makes of the events' % what, b[0], stock_rows(model, what, t_us, cpu))
    if a[0].rstrip() == b[0].rstrip():
        counts['same'] += 1
        return
    reasons = set()
    if a.groups()[3:6] != b.groups()[3:6]:
        reasons.add(why_times(truth, what, mine[0], theirs[0] + (cpu,), t_us))
    names = [PRIO.sub('', m[3]).strip() for m in (a, b)]
    if names[0][:31] != names[1][:31]:
        t = window(what)[1] if t_us == window(what)[1] // 1000 and truth.ever_exits(tid) else t_us * 1000 + 999
        why = name_class(truth, tid, t, names[0].split('[')[0], names[1])
        if not why and truth.ever_exits(tid) and window(what)[1] < FOREVER:
            why = 'exited'
        if not why and truth.lost and TASK.match(names[1]) and TASK.match(names[1])[1] == names[0].split('[')[0]:
            why = 'lost'        # of which process it is
        reasons.add(why)
    elif a[3] != b[3] and names[0] == names[1]:
        reasons.add(None if PRIO.search(a[3]) and not prios(what) and not reasons and a[3].strip() != b[3].strip() else 'long')
    elif a[3] != b[3]:
        reasons.add('long')
    if a[7] != b[7]:
        premig = 'P' in what and re.sub(r'^\S+ *', '', a[7]) == re.sub(r'^\S+ *', '', b[7])
        if premig and (tid, mine[0][4]) in truth.moved:
            reasons.add('instant')
        elif premig and why_times(truth, what, mine[0], theirs[0] + (cpu,), t_us):
            reasons.add(why_times(truth, what, mine[0], theirs[0] + (cpu,), t_us))
        elif a[7].split() != b[7].split():
            reasons.add('symbols' if same_chain(a[7], b[7]) else None)
    if None in reasons:
        complain('%s:' % what, a[0], b[0])
    counts[sorted(r or '' for r in reasons)[0] if reasons else 'same'] += 1


def compare_note(truth, what, a, b):
    wa, wb = (re.split(r'(?= cpu \d+ => \d+$)', x[5]) for x in (a, b))
    reasons = [] if a.groups()[:2] == b.groups()[:2] and a[4] == b[4] and wa[1:] == wb[1:] else [None]
    t = us(a[1]) * 1000 + 999
    for x, y in ((a[3].strip(), b[3].strip()), (wa[0].strip(), wb[0].strip())):
        m, n = TASK.match(x), TASK.match(y)
        if x == y or (len(x) > 31 and x[:31] == y):
            continue
        why = m and (name_class(truth, int(m[2]), t, m[1], n[1] if n else y) or truth.exited(int(m[2]), t) and 'exited')
        if not why and m and truth.lost and n and m[1] == n[1]:
            why = 'lost'
        reasons.append(why)
    if all(reasons):
        counts[reasons[0] if reasons else 'long'] += 1
    else:
        complain('%s:' % what, a[0], b[0])


def without_visual(model, what, ours, stock):
    """The columns of -V must be the same; what is left is compared as without it."""
    n = len(ours[2].split()[2]) + 2 if len(ours) > 2 else 0
    for a, b in zip(ours, stock):
        if not model.late and len(ours) == len(stock) and a[:23] == b[:23] and a[23:23 + n] != b[23:23 + n]:
            complain('%s: the columns' % what, a, b)
    return ([l[:23] + l[23 + n:] for l in lines] for lines in (ours, stock))


def why_alone(truth, what, l, is_ours):
    """Why only one of the two has a line."""
    m = RUN.match(l) or NOTE.match(l)
    if not m:
        return None
    cpu, t = option(what, '-C'), us(m[1]) * 1000 + 999
    if not is_ours and NOTE.match(l) and ((cpu and int(m[2]) != int(cpu)) or us(m[1]) * 1000 < window(what)[0]):
        return 'outside'
    task = TASK.match(PRIO.sub('', m[3]).strip())
    if {'-p', '-t', '--prio'} & set(what.split()) and task and (is_ours or prios(what)) and truth.exited(int(task[2]), t):
        return 'exited'         # the stock has forgotten of which process it was, and its priority
    if {'-p', '-t'} & set(what.split()) and truth.lost:
        return 'lost'           # of which process it is, or that it exits
    if RUN.match(l) and (int(task[2]) if task else idle(int(m[2]))) in truth.gap_tids:
        return 'gap'
    return None


def compare_timehist(truth, model, what, ours, stock):
    if 'V' in what:
        ours, stock = without_visual(model, what, ours, stock)
    kind = lambda l: NOTE.match(l)[4] if NOTE.match(l) else 'run' if RUN.match(l) else l.strip()
    pairs, only, rest = pair(what, model, ours, stock, lambda l: (l[:23], kind(l)))
    for l, is_ours in [(l, True) for l in only] + [(l, False) for l in rest]:
        why = why_alone(truth, what, l, is_ours)
        if why:
            counts[why] += 1
        else:
            complain('%s: only %s has' % (what, 'ours' if is_ours else 'the stock'), l)
    for a, b in pairs:
        note = NOTE.match(a)
        if RUN.match(a) and not note:
            compare_run(truth, model, what, RUN.match(a), RUN.match(b))
        elif a.rstrip() == b.rstrip():
            counts['same'] += 1
        elif note:
            compare_note(truth, what, note, NOTE.match(b))
        else:
            complain('%s:' % what, a, b)


def sums(runs):
    """Columns of a summary: count, sum, least, average, most."""
    return ('%d' % len(runs),) + tuple(map(ms_text, (sum(runs), min(runs), sum(runs) // len(runs), max(runs)))) if runs else None


def close(a, b):
    """Averages are made of doubles: the last digit can be another one."""
    return a == b or (a and b and a[:3] + a[4:] == b[:3] + b[4:] and abs(float(a[3]) - float(b[3])) < .0015)


def row_tid(name):
    """-1: one that has given its ids back. Of which process a task is can have been lost."""
    m = TASK.match(name)
    return int(m[2]) if m else int(name[1:]) if re.match(r':\d+$', name) else -1


def compare_summary(truth, model, what, ours, stock):
    """Rows of tasks that never exit are the same; those of others are what the events say and what the stock makes of them."""
    ra, rb = ({m[1]: m for m in map(SUM.match, l) if m} for l in (ours, stock))
    whole = not set(what.split()) & {'-C', '--prio', '--state'}
    mine = collections.defaultdict(list)
    for rows in truth.rows.values():
        for r in rows:
            mine[r[0]].append(r[3])
    theirs = model.timehist()[1]
    if '-I' in what:
        mine, theirs = truth.idles, model.timehist()[2]
    for name, a in ra.items():
        tid = int(TASK.match(name)[2])
        if len(name) > 31 and rb.get(name[:31]):
            rb[name] = rb.pop(name[:31])
        same_tid = [n for n in rb if row_tid(n) == tid]
        b = rb.pop(name, None) or (len(same_tid) == 1 and rb.pop(same_tid[0])) or None
        if whole and not close(sums(mine[tid]), a.groups()[2:7]) and len(truth.forks.get(tid, ())) < 2:
            complain('%s: not what the events say' % what, a[0], sums(mine[tid]))
        if whole and b and not close(sums(theirs[tid]), b.groups()[2:7]):
            complain('%s: not what the stock makes of the events' % what, b[0], sums(theirs[tid]))
        if truth.ever_exits(tid):
            counts['exited'] += 1
        elif tid in truth.gap_tids or (whole and '-I' in what and truth.gaps and theirs[tid] != mine[tid]):
            counts['gap'] += 1
        elif truth.lost and b is None and not theirs[tid]:
            counts['lost'] += 1     # that its ids are given back
        elif truth.lost and model.late and b and sums(theirs[tid]) != sums(mine[tid]):
            counts['order'] += 1
        elif b is None:
            complain('%s: only ours has' % what, a[0])
        elif a.groups()[2:7] != b.groups()[2:7] or (a[8] != b[8] and ('--state' in what or abs(float(a[8]) - float(b[8])) > .015)):
            complain('%s:' % what, a[0], b[0])
        elif a[1] == b[1] and a[2] != b[2] and a[2] == TASK.match(name)[3]:
            counts['creator'] += 1
        elif (a[1][:31], a[2]) != (b[1][:31], b[2]) and (truth.comms.get(tid) or truth.forks.get(tid)) and not truth.lost:
            complain('%s:' % what, a[0], b[0])
        elif '--state' not in what and b[9] != a[9] and '-M' not in what:
            counts['moves'] += 1
            if b[9] != '0':
                complain('%s: migrations' % what, a[0], b[0])
        else:
            counts['same'] += 1
    for name, b in rb.items():
        tid = row_tid(name)
        if whole and tid != -1 and not close(sums(theirs[tid]), b.groups()[2:7]):
            complain('%s: not what the stock makes of the events' % what, b[0], sums(theirs[tid]))
        if '-I' in what and truth.gaps and not mine[tid]:
            counts['gap'] += 1
        elif (tid != -1 or not any(truth.exits.values())) and not truth.ever_exits(tid) and tid not in truth.gap_tids and not (' -p ' in what and truth.lost):
            complain('%s: only the stock has' % what, b[0])
    compare_totals(truth, model, what, ours, stock)


def figureless(line):
    return ' '.join(re.sub(r'[\d.]+', '', line).split())


def compare_totals(truth, model, what, ours, stock):
    some_exit = any(truth.exits.values())
    rest = [[l.rstrip() for l in out if not SUM.match(l) and not re.match('  Switches that do not follow|<no still', l)] for out in (ours, stock)]
    if model.late:
        rest = [[l for l in lines if ' lost ' not in l] for lines in rest]
    texts = set(map(figureless, rest[1]))
    for a, b in zip(*rest):
        if a == b:
            counts['same'] += 1
        elif truth.gaps and re.match(r' *(Total (run|scheduling) time|CPU +\d+( idle for|:)|[\d.]+ +\d+  )', a) and figureless(a) in texts:
            counts['gap'] += 1
        elif some_exit and re.match(r' *Total (number of (unique tasks|context switches)|run time)', a) and a.split(':')[0] == b.split(':')[0]:
            counts['exited'] += 1
        else:
            complain('%s:' % what, a, b)


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


def compare_waits(truth, model, what, tid):
    """Why the lists of waits of a task are not the same."""
    mine, theirs = ([(d[0], d[1]) for d in side.delays[tid]] for side in (truth, model))
    if mine == theirs:
        counts['same'] += 1
        return
    begins = {d[1]: d[2] for d in model.delays[tid]}
    ends = {d[1] for d in truth.delays[tid]}
    for d in set(theirs) - set(mine):
        if begins[d[1]] in ('first', 'runtime'):
            counts['first'] += 1
        elif tid in truth.gap_tids:
            counts['gap'] += 1
        elif model.late:
            counts['order'] += 1
        else:
            complain('%s: task %d: only the stock has the wait' % what, tid, d)
    for d in set(mine) - set(theirs):
        if tid in truth.gap_tids or d[1] in begins:
            counts['deaf'] += d[1] not in begins
        elif model.late:
            counts['order'] += 1
        else:
            complain('%s: task %d: only ours has the wait' % (what, tid), d, sorted(ends)[:3])


def compare_latency(truth, model, what, ours, stock):
    """Each row's counts and times; the run times against the sums of both kinds."""
    ra, rb = latency_rows(ours), latency_rows(stock)
    tid_of = lambda m: int(m[1].rsplit(':', 1)[1])
    for who, side, rows, runs in (('ours', truth, ra, truth.switch_run), ('the stock', model, rb, truth.stat_run)):
        seen = set()
        for m in rows:
            tid = tid_of(m)
            seen.add(tid)
            if truth.forks.get(tid, ()) and len(truth.forks[tid]) > 1:
                continue        # several tasks had this number
            if abs(float(m[2]) - runs[tid] / 1e6) > .0011:
                complain('%s: the running time of %s is not %.3f' % (what, who, runs[tid] / 1e6), m[0])
            if not near(waits_text(side.delays[tid]), m.groups()[2:]):
                complain('%s: %s is not what the events make' % (what, who), m[0], waits_text(side.delays[tid]))
        for tid in [t for t in side.delays if t > 0 and side.delays[t] and t not in seen]:
            complain('%s: %s has no row of task %d' % (what, who, tid))
    for tid in {tid_of(m) for m in ra + rb}:
        counts['runtime'] += truth.switch_run[tid] != truth.stat_run[tid]
        compare_waits(truth, model, what, tid)


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


def compare_latencies(truth, model, both):
    single = both('sched', 'latency', '-p')
    if not latency_rows(single[0]) and any(truth.switch_run.values()):
        complain('latency -p: no rows')
    for o in ('-p', '-p -s max', '-p -s switch', '-p -s avg', '-p -s runtime'):
        out = both('sched', 'latency', *o.split())
        compare_latency(truth, model, 'latency ' + o, *out)
        for lines in out:
            check_sorted('latency ' + o, latency_rows(lines))
    for o in ('', '-s max,switch'):
        silent = [tid for tid in model.known if not model.delays[tid]]
        extras = (0, 0), (len(silent), sum(truth.stat_run[tid] for tid in silent) / 1e6)
        for lines, alone, extra in zip(both('sched', 'latency', *o.split()), single, extras):
            compare_merged('latency ' + o, lines, alone, *extra)
            check_sorted('latency ' + o, latency_rows(lines))


# --- all ---

MAPS = ('', '--compact', '--cpus 1', '--cpus 0 --compact', '--task-name schedmix', '--task-name pong,fifo', '--task-name dan --fuzzy-name',
        '--color-cpus 1', '--color-pids 1')
TIMEHISTS = ('', '-n', '-w', '-M', '-wMn', '-V', '-MVw', '-P', '--state', '--show-prio', '-MVwP --state --show-prio', '--prio 120', '--prio 0-99',
             '-p {busiest}', '-t {busiest},{next}', '-wM -t {busiest}', '-C 1', '-wM -C 0', '-I', '-I -n', '--time {lo},{hi}', '-wM --time {hi},',
             '--time ,{lo}', '-I --time {lo},{hi}')
SUMMARIES = ('-s', '-sM', '-s --state', '-I -s', '-s -C 1', '-s -p {busiest}', '-s --prio 120')


def main():
    ours, stock, data = sys.argv[1:4]
    mode = sys.argv[4] if len(sys.argv) > 4 else None
    chains = ['--no-call-graph'] if mode == 'no-chains' else ['--kallsyms', mode, '--symfs', '/nonexistent'] if mode else []
    both = lambda *args: (run(ours, data, *args), run(stock, data, *args))
    with_ns = both('script', '--ns', '--show-task-events', '--show-lost-events', *SCRIPT)
    truth, models = Truth(with_ns[0]), [Stock(lines) for lines in with_ns]
    model = models[1]
    if not truth.n_events:
        sys.exit('no events')
    compare_script(truth, model, *both('sched', 'script', *SCRIPT))
    for o in MAPS:
        compare_map(truth, models, 'map ' + o, *both('sched', 'map', *o.split()))
    times = sorted(t for t, _ in truth.rows)
    lo, hi = ('%d.%06d' % divmod(times[len(times) * k // 3], 1000000) for k in (1, 2))
    busiest = max((r[0] for l in truth.rows.values() for r in l if r[0] > 0), key=lambda t: truth.switch_run[t])
    fill = lambda o: o.format(lo=lo, hi=hi, busiest=busiest, next=busiest + 1)
    for o in map(fill, TIMEHISTS):
        compare_timehist(truth, model, 'timehist ' + o, *both('sched', 'timehist', *chains, *o.split()))
    for o in map(fill, SUMMARIES):
        compare_summary(truth, model, 'timehist ' + o, *both('sched', 'timehist', *chains, *o.split()))
    compare_latencies(truth, model, both)
    for e in errors[:40]:
        print(e)
    if errors:
        sys.exit('%d differences without a reason; %s' % (len(errors), dict(counts)))
    print(' '.join('%s:%d' % kv for kv in sorted(counts.items()) if kv[1]))


main()
