#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Recordings of accesses to memory, made of text: what a test says is what happened.

    memstory.py OUT <STORY

Lines of a story:
    node N CPUS                 a NUMA node and its CPUs (0-3,8)
    memory N BLOCKS             the blocks of 128 MB of a node; an access is to 4 GB + the address' low 32 bits
    event NAME                  the next event's name (default: cpu/mem-loads,ldlat=30/P and cpu/mem-stores/P)
    arch NAME                   of the recorded machine (default x86_64)
    cachelines SIZE             what its caches have (feature 20)
    chains                      samples have call chains
    without phys                no physical addresses
    program PID FILE            its code and its data are mapped (linked at fixed addresses)
    map PID START LENGTH NAME   memory for data; shared PID START LENGTH NAME: of MAP_SHARED
    comm PID TID NAME
    TIME CPU PID TID IP ADDR WEIGHT SOURCE [EVENT] [@ IP ...]
        times in us; IP and ADDR: hexadecimal numbers with 0x, or SYMBOL+OFFSET of a program; SOURCE: the
        words below, joined by commas, or a number with 0x; after @ the callers"""
import os, struct, subprocess, sys
import perfdata as p

WORDS = {}
for shift, names in ((0, 'opna load store pfetch exec'), (5, 'lvlna hit miss l1 lfb l2 l3 ram rram1 rram2 rcce1 rcce2 io unc'),
                     (19, 'snpna snpnone snphit snpmiss hitm'), (24, 'lckna locked'),
                     (26, 'tlbna tlbhit tlbmiss tlbl1 tlbl2 walk os'), (38, 'fwd peer'), (40, 'blkna blkdata blkaddr')):
    for i, word in enumerate(names.split()):
        WORDS[word] = 1 << shift + i
for value, word in enumerate('- L1 L2 L3 L4 L2MHB MSC - uncached CXL IO any LFB RAM PMEM'.split()):
    WORDS[word] = value << 33
WORDS.update(remote=1 << 37, hops0=1 << 43, hops1=2 << 43, hops2=3 << 43, hops3=4 << 43)
symbols, nodes, memory, names, flags, records = {}, [], [], [], set(), []
arch, caches = 'x86_64', []


def place(word):
    name, _, off = word.partition('+')
    return symbols[name] + int(off or '0', 0) if name in symbols else int(word, 16)


def source(words):
    return int(words, 16) if words.startswith('0x') else sum(WORDS[w] for w in words.split(','))


def program(pid, path):
    path = os.path.abspath(path)
    for f in (line.split() for line in subprocess.run(['nm', path], capture_output=True, text=True).stdout.split('\n')):
        if len(f) == 3:
            symbols[f[2]] = int(f[0], 16)
    for f in (line.split() for line in subprocess.run(['readelf', '-lW', path], capture_output=True, text=True).stdout.split('\n')):
        if f[:1] == ['LOAD'] and 'E' in f[6:] + f[7:]:
            add_map(pid, f, path, 5, p.USER)
        elif f[:1] == ['LOAD'] and f[6] == 'RW':
            add_map(pid, f, path, 3, p.USER | 1 << 13)


def add_map(pid, f, path, prot, misc):
    off, va, size = int(f[1], 16), int(f[2], 16), int(f[5], 16)
    page = va & 0xfff
    records.append(p.mmap2(SAMPLE, pid, va - page, (size + page + 0xfff) & ~0xfff, off - page, path, prot=prot, misc=misc))


def sample(w, callers):
    time, cpu, pid, tid, ip, addr = float(w[0]), int(w[1]), int(w[2]), int(w[3]), place(w[4]), place(w[5])
    src, mode = source(w[7]), p.KERNEL if ip >> 63 else p.USER
    event = int(w[8]) if len(w) > 8 else 2 if src & 4 else 1
    b = struct.pack('<QQIIQQIIQ', event, ip, pid, tid, int(time * 1000) + 10**9, addr, cpu, 0, 1)
    if 'chains' in flags:
        chain = [0xffffffffffffff80 if mode == p.KERNEL else 0xfffffffffffffe00, ip] + callers
        b += struct.pack('<Q%dQ' % len(chain), len(chain), *chain)
    b += struct.pack('<IHHQ', int(w[6]), 0, 0, src)
    if 'without' not in flags:
        b += struct.pack('<Q', 0x100000000 | addr & 0xffffffff)
    records.append(p.record(p.SAMPLE, mode, b))


lines = [line.split() for line in sys.stdin]
lines = [w for w in lines if w and w[0][0] != '#']
flags |= {w[0] for w in lines if w[0] in ('chains', 'without')}
SAMPLE = p.IP | p.TID | p.TIME | p.ADDR | p.CPU | p.PERIOD | p.IDENTIFIER | p.WEIGHT_STRUCT | p.DATA_SRC
SAMPLE |= (p.CALLCHAIN if 'chains' in flags else 0) | (p.PHYS if 'without' not in flags else 0)
for w in lines:
    if w[0] == 'node':
        nodes.append((int(w[1]), w[2]))
    elif w[0] == 'memory':
        memory.append((int(w[1]), sum(1 << int(b) for b in w[2].split(','))))
    elif w[0] == 'event':
        names.append(w[1])
    elif w[0] == 'arch':
        arch = w[1]
    elif w[0] == 'cachelines':
        caches = [int(w[1])]
    elif w[0] == 'program':
        program(int(w[1]), w[2])
    elif w[0] in ('map', 'shared'):
        records.append(p.mmap2(SAMPLE, int(w[1]), int(w[2], 16), int(w[3], 16), 0, w[4], prot=3, misc=p.USER | 1 << 13))
        r, anon = records[-1], w[4].startswith(('//', '['))
        records[-1] = r[:40] + (bytes(24) if anon else r[40:64]) + r[64:68] + struct.pack('<I', 1 if w[0] == 'shared' else 2) + r[72:]
    elif w[0] == 'comm':
        records.append(p.comm(SAMPLE, int(w[1]), int(w[2]), w[3]))
    elif w[0] not in flags:
        at = w.index('@') if '@' in w else len(w)
        sample(w[:at], [place(a) for a in w[at + 1:]])
names = names or ['cpu/mem-loads,ldlat=30/P', 'cpu/mem-stores/P']
attrs = [p.attr(SAMPLE, kind=4, config=(0x1cd, 0x82d0)[i % 2], extra=3 << 15) for i in range(len(names))]
desc = struct.pack('<II', len(names), p.ATTR)
for i, name in enumerate(names):
    desc += attrs[i] + struct.pack('<I', 1) + p.text(name) + struct.pack('<Q', i + 1)
last = max([int(part.split('-')[-1]) for _, cpus in nodes for part in cpus.split(',')] + [0])
features = [(3, p.text('host')), (4, p.text('6.12.0')), (6, p.text(arch)), (7, struct.pack('<II', last + 1, last + 1)), (12, desc)]
if nodes:
    features.append((14, struct.pack('<I', len(nodes)) + b''.join(struct.pack('<IQQ', n, 1 << 20, 1 << 19) + p.text(cpus) for n, cpus in nodes)))
if memory:
    features.append((22, struct.pack('<QQQ', 1, 128 << 20, len(memory)) + b''.join(struct.pack('<QQQQ', n, bin(bits).count('1'), 64, bits) for n, bits in memory)))
if caches:
    features.append((20, struct.pack('<II', 1, 1) + struct.pack('<IIII', 1, caches[0], 64, 8) + p.text('Data') + p.text('32K') + p.text('0')))
p.recording(sys.argv[1], attrs, records, features=features)
