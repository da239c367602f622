# SPDX-License-Identifier: GPL-2.0-or-later
"""What came of the cells of rights.sh, and the table of them.

judge DIR LEVEL COMMAND...	lines "level place rights command outcome text", by tabs, of the cells in DIR/PLACE/RIGHTS
check FILE|DOC		each refusal has a true cause, and what its hint says helps, by the other lines of FILE
table FILE			the tables for Documentation/RIGHTS.md
compare DOC FILE		the lines of FILE are as the document says

Outcomes: yes; user: user space only, and it is said; part: with a warning; no: an error; silent: nothing came, and nothing was said.
"""
import os
import re
import sys

LEVELS = ['-1', '0', '1', '2', '3', '4']
RIGHTS = ['none', 'syslog', 'bpf', 'perfmon', 'perfmon+syslog', 'bpf+perfmon', 'root']
PLACES = {'host': 'The machine itself', 'container': "A container with Docker's seccomp profile",
          'userns': 'A user namespace', 'readonly': 'All file systems read-only', 'nosys': 'No /sys'}
COMMANDS = {'stat': 'stat', 'stat-a': 'stat -a', 'record': 'record', 'record-a': 'record -a', 'record-g': 'record -g',
            'trace': 'trace', 'trace-a': 'trace -a', 'probe': 'probe -x', 'probe-l': 'probe -l', 'top': 'top --stdio',
            'sched': 'sched record', 'list': "list 'sched:*'", 'off-cpu': 'record --off-cpu'}


def read(path):
    try:
        with open(path, encoding='utf-8', errors='replace') as f:
            return f.read()
    except OSError:
        return ''


def plain(text, where):
    """Without what differs from run to run and from machine to machine."""
    text = text.replace(where, 'DIR')
    text = re.sub(r'for thread \d+', 'for thread N', text)
    text = re.sub(r'thread N on CPU \d+', 'thread N on CPU C', text)
    text = re.sub(r'/tmp/t-[^ /]*', 'DIR', text)
    text = re.sub(r'(paranoid (is|at \S+, (and )?it is|at 1 only, it is)) -?\d', r'\1 L', text)
    text = re.sub(r'(paranoid is)( |:)*\d', r'\1 L', text)
    return re.sub(r'\s+', ' ', text).strip()


def messages(err):
    """Errors, warnings and their hints, in order; a hint's further lines are indented."""
    kept, on = [], False
    for line in err.split('\n'):
        if re.match('(Error|Warning|Hint): ', line):
            on = True
        elif not line.startswith('      '):
            on = False
        if on:
            kept.append(line.strip())
    return ' '.join(kept)


def samples(err):
    m = re.search(r'\((\d+) samples?\)', err)
    return int(m.group(1)) if m else 0


def came(command, d, out, err):
    """Whether the command did what it is for."""
    text = read(f'{d}/{command}.text')
    if command.startswith('stat'):
        return re.search(r'^ *[\d.,]+ .*context-switches', text, re.M) and '<not' not in text
    if command.startswith('record') or command == 'off-cpu':
        return samples(err) > 0
    if command.startswith('trace'):
        return 'openat(' in text
    if command == 'top':
        return 'PerfTop' in out
    if command == 'list':
        return 'sched:sched_switch' in out
    if command == 'sched':
        return os.path.getsize(f'{d}/{command}.data') > 0
    return True


def judge(d, command):
    out, err = (read(f'{d}/{command}.{x}') for x in ('out', 'err'))
    status = read(f'{d}/{command}.status').strip()
    said = messages(err)
    if command == 'top' and 'Error: ' in said:
        status = '1'        # its own is lost in the pipe
    if status != '0':
        return 'no', said or f'status {status}: {err[:200]}'
    if not came(command, d, out, err):
        return 'silent', said or err[:200]
    if 'Warning: ' in said:
        return 'part', said
    user = re.search(r'^.*user space only.*$', err, re.M)
    if user or re.search(r'context-switches:u', read(f'{d}/{command}.text')):
        return 'user', user.group(0) if user else 'the event is context-switches:u'
    return 'yes', ''


def do_judge(top, level, *commands):
    for place in PLACES:
        for rights in RIGHTS:
            d = f'{top}/{place}/{rights}'
            if os.path.isdir(d):
                for c in commands:
                    outcome, text = judge(d, c)
                    print('\t'.join([level, place, rights, c, outcome, plain(text, os.path.abspath(d))]))


def load(path):
    cells = {}
    for line in read(path).splitlines():
        level, place, rights, c, outcome, text = line.split('\t')
        cells[level, place, rights, c] = outcome, text
    return cells


# ---- whether a message is true ----

def with_caps(rights, *more):
    """The row of these rights and more, if there is one."""
    have = set() if rights in ('none', 'root') else set(rights.split('+'))
    name = '+'.join(sorted(have | set(more)))
    return name if name in RIGHTS else None


def remedies(key, text):
    """The cells in which the command has to fare better, if the text is right."""
    level, place, rights, c = key
    for n in re.findall(r'sysctl kernel\.perf_event_paranoid=(-?\d)', text):
        if 'let everybody read' not in text:
            yield n, place, rights, c
    caps = re.findall(r'--cap-add (\w+)', text)
    if caps:
        yield level, 'container', with_caps(rights, *(x.lower() for x in caps)), c
    if re.search(r'[Rr]un as root( |$|,|\()', text) and 'root of' not in text:
        yield level, place, 'root', c
    if 'root of the machine' in text or 'outside of this user namespace' in text:
        yield level, 'host', 'root', c
    if 'or with CAP_PERFMON' in text:
        yield level, place, with_caps(rights, 'perfmon'), c
    if 'or CAP_BPF and CAP_PERFMON' in text:
        yield level, place, with_caps(rights, 'bpf', 'perfmon'), c
    if 'or with CAP_SYSLOG' in text:
        yield level, place, with_caps(rights, 'syslog'), c
    if 'mount -t sysfs' in text:
        yield level, 'host', rights, c
    if re.search('mounted read-only here|read-only: name another place', text):
        yield level, 'host', rights, c
    if 'share it with this container' in text:
        yield level, 'host', 'root', c


def doubts(key, outcome, text):
    """What is wrong with the message by itself."""
    level, place, rights, c = key
    if outcome == 'silent':
        yield 'nothing came, and nothing was said'
    if outcome in ('no', 'part') and 'Hint: ' not in text and '-v says why' not in text:
        yield 'no hint'
    if 'seccomp' in text and place != 'container':
        yield 'seccomp is blamed where there is none'
    if place == 'container' and 'perfmon' not in rights and 'cannot open event' in text and 'seccomp' not in text:
        yield 'seccomp is not blamed'
    if 'paranoid is L' in text and 'cannot open event' in text and ('perfmon' in rights or rights == 'root') and place == 'host':
        yield 'the level is blamed where it does not count'
    if 'no sysfs' in text and place != 'nosys':
        yield 'sysfs is blamed where it is there'
    if 'CONFIG_' in text and place != 'host' and 'nothing is mounted' not in text:
        yield 'the kernel is blamed'


def do_check(path):
    cells = from_doc(path) if path.endswith('.md') else load(path)
    wrong = 0
    for key, (outcome, text) in cells.items():
        bad = list(doubts(key, outcome, text))
        for other in remedies(key, text) if outcome in ('no', 'part') else ():
            if other in cells and cells[other] == (outcome, text):
                bad.append('the hint does not help: ' + ' '.join(other) + ' is the same')
            elif other in cells and cells[other][0] == 'no' and outcome == 'part':
                bad.append('the hint harms: ' + ' '.join(other))
        for b in bad:
            print(f'{" ".join(key)}: {outcome}: {b}\n    {text}')
        wrong += bool(bad)
    print(f'{len(cells)} cells, {wrong} unexplained')
    return wrong


# ---- the document ----

def levels_name(levels):
    return levels[0] if len(levels) == 1 else f'{levels[0]} to {levels[-1]}'


def do_table(path):
    cells, notes = load(path), []

    def shown(key):
        outcome, text = cells[key]
        if not text:
            return outcome
        if text not in notes:
            notes.append(text)
        return f'{outcome} [{notes.index(text) + 1}]'

    def rows_of(place, rights):
        rows = []
        for level in LEVELS:
            row = [shown((level, place, rights, c)) for c in COMMANDS]
            if rows and rows[-1][1] == row:
                rows[-1][0].append(level)
            else:
                rows.append(([level], row))
        return rows
    for place, title in PLACES.items():
        print(f'## {title} ({place})\n')
        print('| rights | level | ' + ' | '.join(COMMANDS.values()) + ' |')
        print('|---' * (2 + len(COMMANDS)) + '|')
        blocks = []
        for rights in RIGHTS:
            rows = rows_of(place, rights)
            same = [b for b in blocks if b[1] == rows]
            if same:
                same[0][0].append(rights)
            else:
                blocks.append(([rights], rows))
        for names, rows in blocks:
            for levels, row in rows:
                print(f'| {", ".join(names)} | {levels_name(levels)} | ' + ' | '.join(row) + ' |')
        print()
    print('## What is said\n')
    for i, text in enumerate(notes):
        print(f'{i + 1}. `{text}`')


def from_doc(path):
    cells, place, text = {}, None, read(path)
    notes = dict(re.findall(r'^(\d+)\. `(.*)`$', text, re.M))
    for line in text.splitlines():
        m = re.match(r'## .* \((\w+)\)$', line)
        place = m.group(1) if m else place
        row = [x.strip() for x in line.strip('|').split('|')]
        names = row[0].split(', ')
        if len(row) != 2 + len(COMMANDS) or names[0] not in RIGHTS:
            continue
        ends = row[1].split(' to ')
        for level in LEVELS[LEVELS.index(ends[0]):LEVELS.index(ends[-1]) + 1]:
            for c, cell in zip(COMMANDS, row[2:]):
                m = re.match(r'(\w+)(?: \[(\d+)\])?$', cell)
                for rights in names:
                    cells[level, place, rights, c] = m.group(1), notes[m.group(2)] if m.group(2) else ''
    return cells


def do_compare(doc, path):
    want, got, wrong = from_doc(doc), load(path), 0
    for key, cell in got.items():
        if cell != want.get(key):
            wrong += 1
            print(f'{" ".join(key)}:\n  now: {cell}\n  doc: {want.get(key)}')
    print(f'{len(got)} cells, {wrong} differ')
    return wrong or not got


if __name__ == '__main__':
    sys.exit(bool({'judge': do_judge, 'check': do_check, 'table': do_table, 'compare': do_compare}[sys.argv[1]](*sys.argv[2:])))
