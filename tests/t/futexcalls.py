# SPDX-License-Identifier: GPL-2.0-or-later
"""futexcalls.py said json [no-times]: each futex of tests/workloads/bare/futexcalls.c has its waits, their time, and who waited for
whom; those of a call that the kernel lacks have no row."""
import json, sys

all, bad = json.load(open(sys.argv[2])), 0
times = len(sys.argv) == 3
for line in open(sys.argv[1]):
    name, *numbers = line.split()
    n, ns, waiter, waker = map(int, numbers)
    rows = [(i, r) for i, r in enumerate(all["futexes"]) if r["symbol"] == name]
    if len(rows) != (n > 0):
        print(name, "rows", rows)
        bad = 1
    if n == 0 or len(rows) != 1:
        continue
    i, r = rows[0]
    w = [p for p in all["waiters"] if p["row"] == i]
    h = [p for p in all["holders"] if p["row"] == i]
    checks = {
        "count": (r["contended"], r["timeouts"]) == (n, 0 if waker else n),
        "time": not times or abs(r["total_wait_ns"] - ns) <= max(ns * 0.02, 5000 * n),
        "waiter": {p["tid"] for p in w} == {waiter},
        "holder": {p["tid"] for p in h} == {waker} if waker else {p["comm"] for p in h} == {"Unknown"},
        "stack": any("wait_once" in f for p in w for f in p["stack"]),
    }
    wrong = [k for k, v in checks.items() if not v]
    if wrong:
        print(name, "wrong:", wrong, line, r, w, h)
        bad = 1
sys.exit(bad)
