#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""whole.py PERF FILE	how many of a recording's user stacks reach the start of their thread: "whole all", then the ends of the others.

A start is where the kernel or the C library begins a program or thread: _start, clone, Go's goexit and the like, by name, or the first code of
a program or of the dynamic linker by its address (stripped files have no names). Samples without user stacks (kernel threads) do not count.
"""
import collections, re, struct, subprocess, sys

perf, path = sys.argv[1:3]
NAMES = re.compile(r"^(_start|_start_c|_dl_start_user|(__)?clone3?|start_thread|_rt0_amd64(_linux)?|runtime\."
                   r"(goexit|mstart|mstart0|rt0_go|clone|sigtramp|sigreturn|_rt0_amd64_linux|gogo|rt0_go)(__sigaction)?(\.abi0)?)$")
LINE = re.compile(r"^\s+([0-9a-f]+) (.*?) \((.*)\)$")
entries = {}

def entry_offsets(name):
    """The first 64 bytes of a file's first code, as offsets in the file."""
    if name not in entries:
        entries[name] = range(0)
        try:
            with open(name, "rb") as f:
                head = f.read(4096)
            if head[:5] == b"\x7fELF\x02":
                entry, phoff = struct.unpack_from("<QQ", head, 24)
                size, n = struct.unpack_from("<HH", head, 54)
                for i in range(n):
                    kind, _, off, va, _, bytes_ = struct.unpack_from("<IIQQQQ", head, phoff + i * size)
                    if kind == 1 and va <= entry < va + bytes_:
                        entries[name] = range(off + entry - va, off + entry - va + 64)
        except OSError:
            pass
    return entries[name]

def exits(name, off):
    """A thread's first function has no name in musl: after its call it makes the system call exit."""
    try:
        with open(name, "rb") as f:
            f.seek(off + 1)
            return b"\xb0\x3c\x0f\x05" in f.read(12)
    except OSError:
        return False

def is_start(symbol, dso):
    if NAMES.match(symbol):
        return True
    name, plus, off = dso.rpartition("+0x")
    return bool(plus) and (int(off, 16) in entry_offsets(name) or exits(name, int(off, 16)))

text = subprocess.run([perf, "script", "--no-inline", "-i", path, "-F", "ip,sym,dso,dsoff"], capture_output=True, text=True,
                      errors="replace").stdout
whole = n = 0
bad = collections.Counter()
for stack in text.split("\n\n"):
    frames = [m.groups() for m in (LINE.match(l) for l in stack.split("\n")) if m]
    user = [f for f in frames if int(f[0], 16) < 1 << 63]
    if not user:
        continue
    n += 1
    if is_start(user[-1][1], user[-1][2]):
        whole += 1
    else:
        bad[user[-1][1] + " " + user[-1][2]] += 1
print(whole, n, "%.2f%%" % (100 * whole / n if n else 0))
for end, k in bad.most_common(int(sys.argv[3]) if len(sys.argv) > 3 else 4):
    print("  ", k, end)
