#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# options.py NAME 'perf words before' ['words behind']: runs each option of a command that its own table lists (--list-opts=doc):
# alone, with --no-, without its argument, with an empty one and with huge ones. Says which runs ended by a signal, hung, left with a
# status that is not in perf(1), or failed without just one message. Each run has an empty directory of its own. NAME is what
# the table belongs to ("sched map"); $SKIP names spellings that are right to run without end.
import os, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

STATUSES = (0, 1, 129, 255)         # 255 only for a program that cannot be run
SECONDS = 20
HUGE = ("99999999999999999999999", "x" * 5000)

name, before, behind = sys.argv[1], sys.argv[2].split(), (sys.argv[3:] or [""])[0].split()
skip = set(os.environ.get("SKIP", "").split())


def table():
    """(name, takes an argument, which is optional); letters only where there is no long name"""
    doc = subprocess.run(["perf", *name.split(), "--list-opts=doc"], capture_output=True, text=True, check=True).stdout
    for m in re.finditer(r"^(--?)([^\s=\[<]+)(\[?)(=?[ ]?)(<.*>)?\]?::$", doc, re.M):
        if m[1] == "-" and doc[m.end() + 1:].startswith("--"):
            continue
        yield m[1] + m[2], bool(m[5]), bool(m[3])


def spellings(option, takes, optional):
    """(words, the status that is wanted or None)"""
    bare = takes and not optional                       # the argument is missing
    yield ([option], 129) if bare else ([option, *behind], None)
    if option.startswith("--"):
        yield ["--no-" + option[2:], *behind], None
        yield [option + "=", *behind], None if takes else 129
    if takes:
        for text in HUGE:
            yield [option + "=" + text if option.startswith("--") else option + text, *behind], None


def wrong(words, want):
    cmd = ["perf", *before, *words]
    with tempfile.TemporaryDirectory(dir=".") as d:
        try:
            p = subprocess.run(cmd, cwd=d, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, errors="replace",
                               env=dict(os.environ, HOME=os.path.abspath(d)))
        except subprocess.TimeoutExpired:
            return cmd, "hangs", ""
    said = [l for l in p.stderr.splitlines() if l.strip() and not l.startswith("Warning: ")]
    if p.returncode not in STATUSES or re.search("Sanitizer|runtime error", p.stderr):
        return cmd, f"status {p.returncode}", p.stderr
    if p.returncode == 255 and "cannot run" not in p.stderr:
        return cmd, "status 255", p.stderr
    if want is not None and p.returncode != want:
        return cmd, f"status {p.returncode}, not {want}", p.stderr
    if p.returncode and (not said or said[0].startswith(" Usage") or p.stderr.count("Error: ") > 1):
        return cmd, f"status {p.returncode} without just one message", p.stderr
    return None


runs = [s for o in table() for s in spellings(*o) if not skip & set(s[0])]
if not runs:
    print(f"{name}: no options")
    sys.exit(1)
with ThreadPoolExecutor(2) as pool:
    bad = [b for b in pool.map(lambda r: wrong(*r), runs) if b]
for cmd, what, text in bad:
    print(f"{' '.join(w if len(w) < 60 else w[:60] + '...' for w in cmd)}: {what}")
    print("".join(f"    {l[:200]}\n" for l in text.splitlines()[:6]), end="")
print(f"{name}: {len(runs)} runs, {len(bad)} wrong")
sys.exit(bool(bad))
