#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""syscmp.py [--drop CALL,...] [--noret CALL,...] [--lines PERCENT] STRACE PERF: do two traces (strace -f -o, perf trace --style=strace -o) have the
same calls: name, result, errno and strings of paths, in the order of each thread? Numbers of processes, addresses and names of
temporary files are made equal; threads are compared as a set, since their numbers differ. Prints what differs, exit code 1.

Two differences are none: when a thread dies in a call, perf has what the kernel returned (ERESTARTSYS...), which a tracer is not told
any more; and the end of an execve of another thread than the first, which strace shows under the first thread's number.

With --lines so many percent of the lines must be the same text, too (that of strace -f -yy), apart from numbers of processes, ports,
inodes, addresses and times; and from what perf leaves out: the directory behind AT_FDCWD, numbers of devices behind their names, the
protocol of an unconnected socket, how many variables an environment or entries a directory has."""
import re
import sys

# Calls with paths, and how many of their strings are paths.
PATHS = {n: 1 for n in '''open openat openat2 creat stat lstat stat64 lstat64 newfstatat fstatat64 statx access faccessat faccessat2
    readlink readlinkat execve execveat unlink unlinkat mkdir mkdirat rmdir chdir chmod fchmodat chown lchown fchownat utimensat mknod
    mknodat truncate chroot umount2 statfs getxattr lgetxattr inotify_add_watch'''.split()}
PATHS.update({n: 2 for n in 'rename renameat renameat2 link linkat symlink symlinkat mount pivot_root'.split()})
ADDRESSES = set('brk mmap mmap2 mremap shmat set_thread_area'.split())
PIDS = set('''fork vfork clone clone3 wait4 waitpid waitid getpid gettid getppid getpgrp getsid setsid getpgid set_tid_address
    ptrace'''.split())
CALL = re.compile(r'^(?:(\d+) +)?(.*)$')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
RESULT = re.compile(r'\) += (.*)$')


def result(name, text, pids):
    """The result in a form that does not change from run to run."""
    m = RESULT.search(text)
    if not m:
        return '?'
    word = re.sub(r'<.*>', '', m.group(1)).split()
    if word[0] in ('?', '-1'):
        return word[1] if len(word) > 1 else word[0]
    if name in ADDRESSES and word[0] != '0':
        return 'address'
    if name in PIDS and word[0] != '0':
        return 'pid'
    return 'pid' if word[0] in pids else word[0]


def plain(text, pids):
    """A line without what differs from run to run."""
    for pattern, to in ((r'\b(%s)\b' % '|'.join(p for p in pids if p), 'PID'), (r'0x[0-9a-f]{6,}', 'ADDRESS'), (r'\) += ', ') = '),
                        (r'/tmp/cc\w{6}', '/tmp/cc'), (r'AT_FDCWD<[^>]*>', 'AT_FDCWD'), (r'<(char|block) \d+:\d+>', ''),
                        (r'\b(TCP|UDP|UNIX|UNIX-STREAM|UNIX-DGRAM|NETLINK|socket|pipe):\[\d+\]', 'socket:[N]'),
                        (r' /\* \d+ (vars|entries) \*/', ''), (r':\d+(->|\])', r':PORT\1'), (r'tv_(n|u)?sec=\d+', 'tv_sec=N'),
                        (r'/proc/\d+', '/proc/N'), (r'(getrandom\().*?,', r'\1BYTES,'), (r'sysinfo\({[^}]*}', 'sysinfo({}'),
                        (r'htons\(\d+\)', 'htons(PORT)'), (r'f_bfree=.*f_namelen', 'f_namelen')):
        text = re.sub(pattern, to, text)
    return text


def read(path, drop, noret):
    threads, begun = {}, {}
    with open(path, encoding='utf-8', errors='replace') as f:
        lines = [CALL.match(line) for line in f]
    pids = {m.group(1) for m in lines if m}
    for m in lines:
        if not m:
            continue
        tid, text = m.groups()
        if text.startswith(('+++', '---')):
            continue
        if text.startswith('<... '):
            name = text.split()[1]
            if name == 'execve' and tid not in begun:
                continue
            text = begun.pop(tid, name + '(') + text.split('resumed>', 1)[-1].lstrip()
        elif text.endswith('<unfinished ...>'):
            begun[tid] = re.sub(r', *$', ', ', text[:-len('<unfinished ...>')].rstrip())
            continue
        add(threads, tid, text, pids, drop, noret)
    for tid, text in begun.items():     # never came back
        add(threads, tid, text, pids, drop, noret)
    for calls in threads.values():
        calls[-1] = (re.sub('^(execve .*) = 0$', r'\1 = ?', calls[-1][0]), calls[-1][1])
    return sorted(threads.values(), key=lambda calls: [c for c, _ in calls])


def add(threads, tid, text, pids, drop, noret):
    name = text.split('(', 1)[0]
    if name in drop:
        return
    strings = STRING.findall(text)[:PATHS.get(name, 0)]
    call = ' '.join([name] + ['"%s"' % s for s in strings])
    call = re.sub(r'/tmp/cc\w{6}', '/tmp/cc', call)
    call = re.sub(r'/proc/\d+', '/proc/N', call)
    if name not in noret:
        call += ' = ' + result(name, text, pids)
    threads.setdefault(tid, []).append((call, plain(text, pids)))


def same(expect, actual):
    if len(expect) != len(actual):
        return False
    return all(a == b or (a.endswith(' = ?') and b.startswith(a[:-1] + 'ERESTART')) for (a, _), (b, _) in zip(expect, actual))


def compare_lines(pairs, percent):
    lines = [(a, b) for e, t in pairs for (_, a), (_, b) in zip(e, t)]
    equal = sum(a == b for a, b in lines)
    print('%d of %d lines are equal' % (equal, len(lines)))
    if equal * 100 >= percent * len(lines):
        return 0
    print('\n'.join('-%s\n+%s' % (a, b) for a, b in lines if a != b))
    return 1


def main():
    args, drop, noret, lines = sys.argv[1:], [], [], []
    while args[0].startswith('--'):
        {'--drop': drop, '--noret': noret, '--lines': lines}[args[0]].extend(args[1].split(','))
        args = args[2:]
    expect, actual = (read(a, drop, noret) for a in args)
    rest, lonely, pairs = list(actual), [], []
    for t in expect:
        like = [u for u in rest if same(t, u)]
        if like:
            rest.remove(like[0])
            pairs.append((t, like[0]))
        else:
            lonely.append(t)
    counts = '%d and %d threads, %d and %d calls' % (len(expect), len(actual), sum(map(len, expect)), sum(map(len, actual)))
    print(counts)
    if expect and not lonely and not rest:
        return compare_lines(pairs, int(lines[0])) if lines else 0
    for a, b in zip(lonely + [[]] * len(rest), rest + [[]] * len(lonely)):
        if not a and not b:
            break
        i = 0
        while i < min(len(a), len(b)) and same([a[i]], [b[i]]):
            i += 1
        print('-- after %d equal calls:' % i)
        print('\n'.join('-' + c for c, _ in a[i:i + 8]))
        print('\n'.join('+' + c for c, _ in b[i:i + 8]))
    return 1


sys.exit(main())
