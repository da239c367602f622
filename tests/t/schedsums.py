#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""schedsums.py PERF FILE...: the sums of each scheduler recording close (files without switches are left out). Of each CPU running, idle and
unknown time are the time that was seen; of each task the times of all states; and what the CPUs ran is what the tasks did."""
import json
import os
import subprocess
import sys


def check(perf, path):
    """How many parts were added up; None: no scheduler recording."""
    out = subprocess.run([perf, 'sched', '-f', '-i', path, 'latency', '-p', '--json'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    if out.returncode and (b'no scheduler events' in out.stderr or b'no sched_switch events' in out.stderr):
        return None
    if out.returncode:
        sys.exit('%s: %s' % (path, out.stderr.decode('utf-8', 'replace')))
    d = json.loads(out.stdout)
    for c in d['cpus']:
        assert c['running_ns'] + c['idle_ns'] + c['unknown_ns'] == c['seen_ns'], (path, c)
    for t in d['timelines']:
        assert sum(v for k, v in t.items() if k.endswith('_ns') and k != 'seen_ns') == t['seen_ns'], (path, t)
    running, by_task = (sum(x['running_ns'] for x in d[k]) for k in ('cpus', 'timelines'))
    # A task can be thought to run where events are missing.
    assert d['gaps'] or d['lost'] or abs(running - by_task) <= running // 100, (path, running, by_task)
    assert sum(t['runtime_ns'] for t in d['tasks']) <= by_task or d['gaps'] or d['lost'], path
    return len(d['cpus']) + len(d['timelines'])


seen = [n for n in (check(sys.argv[1], path) for path in sys.argv[2:] if os.path.getsize(path)) if n is not None]
if not seen:
    sys.exit('no recording has switches')
print('%d recordings, %d sums' % (len(seen), sum(seen)))
