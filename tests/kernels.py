#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kernels.py rows	prints NAME TAB COMMAND for each row of Documentation/KERNELS.md
kernels.py table DIR FILE	judges what tests/kernels.sh left in DIR and writes the table into FILE; status 1: something failed

A cell works (status 0 and the expected output is there), or says why not: by a message that REASONS expects there."""
import fnmatch
import os
import re
import sys

# name, command as root in an empty directory, what must be in its output (a regular expression; all of a list)
ROWS = [
	("stat", "perf stat calltree 300", r"[1-9]\d* +page-faults"),
	("stat -a", "perf stat -a sleep 0.2", r"[1-9][\d,.]* msec cpu-clock"),
	("stat -e tracepoint", "perf stat -e sched:sched_switch -a sleep 0.2", r"\d +sched:sched_switch"),
	("stat --bpf-counters", "perf stat --bpf-counters -e context-switches -a sleep 0.2", r"[1-9][\d,]* +context-switches"),
	("stat --for-each-cgroup", "perf stat -e context-switches --for-each-cgroup /,g -a sleep 0.2", [r"context-switches +/", r"context-switches +g"]),
	("stat --bpf-counters --for-each-cgroup", "perf stat --bpf-counters -e context-switches --for-each-cgroup /,g -a sleep 0.2",
		[r"context-switches +/", r"context-switches +g"]),
	("record", "perf record -o 1.data calltree 2000 && perf report -i 1.data --stdio", r"% +calltree +calltree +\[\.\] leaf"),
	("record -a", "perf record -a -o 1a.data calltree 2000 && perf script -i 1a.data", r"leaf"),
	("record -g", "perf record -g -o 2.data calltree 2000 && perf script -i 2.data", r"(?s)leaf.*\n.*inner_[ab].*\n.*outer.*\n.*main"),
	("record --call-graph fp", "perf record --call-graph fp -o 3.data calltree 2000 && perf script -i 3.data", r"(?s)leaf.*\n.*inner_[ab].*\n.*outer"),
	("record --call-graph dwarf", "perf record --call-graph dwarf -F 200 -o 4.data calltree 2000 && perf script -i 4.data",
		r"(?s)leaf.*\n.*inner_[ab].*\n.*outer.*\n.*main"),
	("record -e tracepoint", "perf record -o 5.data -e sched:sched_switch -a sleep 0.2 && perf script -i 5.data", r"sched:sched_switch: .*prev_comm="),
	("record --off-cpu", "perf record --off-cpu -o 6.data sleep 0.3 && perf script -i 6.data -F comm,event,period", r"sleep +\d+ +offcpu-time"),
	("record --filter (BPF)", "perf record -e cpu-clock -c 1000000 --filter 'period > 1' -o 7.data calltree 2000 && perf report -i 7.data --stdio", r"\] leaf"),
	("report", "perf report -i /root/given.data --stdio", r"leaf"),
	("report --children", "perf report -i /root/given.data --stdio --children -G", r"--.*inner_a"),
	("script", "perf script -i /root/given.data", r"leaf"),
	("annotate", "perf annotate -i /root/given.data --stdio -s leaf", [r"Percent", r"leaf"]),
	("evlist", "perf evlist -v -i /root/given.data", r"cpu-clock.*sample_freq|sample_freq"),
	("diff", "perf diff /root/given.data /root/other.data", r"leaf"),
	("data convert", "perf data convert -i /root/given.data --to-json j.json && cat j.json", r'"symbol": *"leaf"'),
	("buildid-list", "perf buildid-list -i /root/given.data", r"[0-9a-f]{40} .*calltree"),
	("buildid-cache", "perf buildid-cache -v -a /bin/calltree && perf buildid-cache -l", r"[0-9a-f]{40} .*/bin/calltree"),
	("top --stdio", "calltree 1000000 & perf top --stdio -d 1 -E 10 & p=$!; sleep 6; kill -INT $p 2>/dev/null; wait $p; r=$?; kill %1; exit $r", r"\d% +calltree +\[\.\] leaf"),
	("trace", "perf trace ls /etc/passwd", r"brk\(.*\) += 0x"),
	("trace, strings", "perf trace -e open,openat cat /etc/passwd", r'open(at)?\(.*"/etc/passwd"'),
	("trace -s", "perf trace -s ls /etc/passwd", r"brk +\d+"),
	("trace -a", "perf trace -a sleep 0.3", r"nanosleep\("),
	("sched record, latency", "perf sched record -o s.data calltree 300 && perf sched latency -i s.data", r"calltree:?.*\d+\.\d+ ms"),
	("sched timehist", "perf sched record -o s2.data calltree 300 && perf sched timehist -i s2.data", r"calltree\[\d+"),
	("sched map", "perf sched record -o s3.data calltree 3000 && perf sched map -i s3.data", r"=> (calltree|perf)"),
	("sched offcpu", "perf sched record -o s4.data sleep 0.3 && perf sched offcpu -i s4.data", r"sleep"),
	("sched offcpu live", "perf sched offcpu live sleep 0.3", r"sleep"),
	("sched stats", "perf sched stats record -o s5.data sleep 0.3 && perf sched stats report -i s5.data", r"(?i)yld|sched_yield|schedule"),
	("lock record, report", "perf lock record -o l.data lockfight 1 && perf lock report -i l.data", r"(?i)contended"),
	("lock contention", "perf lock record -o l2.data lockfight 1 && perf lock contention -i l2.data", r"(?m)^ +[1-9]\d* +.*mutex"),
	("lock contention -b", "perf lock contention -b lockfight 1", r"(?m)^ +[1-9]\d* +.*mutex"),
	("lock futex", "perf lock futex lockfight 1", r"lockfight"),
	("kmem record, stat", "perf kmem record -o k.data ls && perf kmem stat --caller -i k.data", r"Total bytes requested: +[1-9]"),
	("kmem live", "perf kmem live ls", r"[1-9]"),
	("kwork record, report", "perf kwork record -o w.data sleep 0.3 && perf kwork report -i w.data", r"(?m)(softirq|irq|workqueue|:\d+|TIMER|RCU|SCHED).* ms"),
	("kwork live", "perf kwork live sleep 0.3", r"(TIMER|RCU|SCHED).* ms"),
	("kwork top", "perf kwork -k sched record -o w2.data calltree 3000 && perf kwork top -i w2.data", r"calltree"),
	("ftrace trace", "perf ftrace trace -T vfs_open -t function -- cat /etc/passwd", r"vfs_open <-"),
	("ftrace graph", "perf ftrace -G vfs_open -- cat /etc/passwd", r"vfs_open\(\)"),
	("ftrace latency", "perf ftrace latency -T vfs_open -- cat /etc/passwd", r"(?m)[num]s +\| +[1-9]"),
	("ftrace latency -b", "perf ftrace latency -b -T vfs_open -- cat /etc/passwd", r"(?m)[num]s +\| +[1-9]"),
	("ftrace profile", "perf ftrace profile -T vfs_open -- cat /etc/passwd", r"\d +vfs_open"),
	("probe, kernel function", "perf probe vfs_open && perf stat -e probe:vfs_open cat /etc/passwd && perf probe -d probe:vfs_open",
		r"[1-9]\d* +probe:vfs_open"),
	("probe -x", "perf probe -x /bin/calltree leaf && perf stat -e probe_calltree:leaf calltree 10 && perf probe -d probe_calltree:leaf",
		r"[1-9][\d,]* +probe_calltree:leaf"),
	("probe -l", "perf probe -l", None),
	("probe -F", "perf probe -F vfs_read", r"(?m)^vfs_read$"),
	("list", "perf list", [r"context-switches", r"sched:sched_switch", r"syscalls:sys_enter_openat"]),
	("list sw", "perf list sw", r"context-switches"),
	("timechart", "perf timechart record -o t.data calltree 300 && perf timechart -i t.data -o t.svg && cat t.svg", r"calltree"),
	("mem record", "perf mem record -o m.data true && perf mem report -i m.data --stdio", r"Samples"),
	("c2c record", "perf c2c record -o c.data true && perf c2c report -i c.data --stdio", r"Shared"),
	("kvm stat", "perf kvm stat record -a -o kv.data sleep 0.2 && perf kvm stat report -i kv.data", r"(?i)vm-exit"),
	("io", "perf io record -o i.data dd if=/dev/zero of=/dev/loop0 bs=64k count=4 conv=fsync && perf io report -i i.data", r"7:0|loop0"),
	("io live", "perf io live dd if=/dev/zero of=/dev/loop0 bs=64k count=4 conv=fsync", r"7:0|loop0"),
	("io cache", "perf record -e filemap:mm_filemap_add_to_page_cache -o ic.data dd if=/dev/loop0 of=/dev/null bs=64k count=4 && perf io cache -i ic.data", r"[1-9]"),
	("heap", "perf heap record --period 1 -o h.data heaps 10 && perf heap report -i h.data", r"leak"),
	("heap live", "perf heap live --period 1 heaps 10", r"leak"),
	("flame", "perf flame -o f.svg calltree 2000 && cat f.svg", r"leaf"),
	("heatmap", "perf heatmap -o h.svg calltree 2000 && cat h.svg", r"</html>"),
	("bench", "perf bench sched pipe -l 200", r"Total time"),
	("bench syscall", "perf bench syscall basic -l 1000", r"Total time"),
	("doctor", "perf doctor || test $? = 1", r"perf_event_open"),
	("test", "perf test || test $? = 1", r"(?i)ok"),
	("check", "perf check feature bpf", r"on"),
	("daemon", "mkdir d; printf '[session-a]\\nrun = -e cpu-clock -o d.data -a\\n' >c; perf daemon start --config c --base d; sleep 1; perf daemon --config c --base d; "
		"r=$?; perf daemon stop --config c --base d; exit $r", r"a: perf record|\[\d+:a\]|\[\d+\].*a"),
	("inject", "perf inject -b -i /root/given.data -o in.data && perf report -i in.data --stdio", r"leaf"),
	("kallsyms", "perf kallsyms vfs_read", r"vfs_read: .*0x"),
	("version", "perf version", r"perf version"),
]

# kernel-variants, rows (patterns), what is missing as the message has it
REASONS = [
	("*", "mem record|c2c record", r"^Error: no PMU of this machine has events for accesses of memory"),
	("*", "kvm stat", r"^Error: no tracepoints of virtual machines below"),
	("*-nobpf", "record --off-cpu|lock contention -b|lock futex|ftrace latency -b|heap|heap live|record --filter (BPF)",
		r"^Hint: a seccomp filter, as containers have one, forbids bpf to this process"),
	("*-nobpf", "trace*|stat --bpf-counters*", r"^Warning: calls come from tracepoints instead|are counted by counters of their own|counters of its own"),
	("*-noperf", "stat*|record*|top*|sched*|lock*|kmem*|kwork*|ftrace latency -b|probe*|timechart|io*|heap*|flame|heatmap|mem*|c2c*|trace*",
		r"^Hint: a seccomp filter, as containers have one, forbids perf_event_open to this process"),
	("*-noperf", "daemon", r"^Warning: session 'a' has ended: exited, status=1; see"),
	("*-nobtf", "record --off-cpu|lock contention -b|lock futex|heap*|record --filter (BPF)",
		r"^Hint: BPF programs need the kernel's type information|^Error: cannot read '/sys/kernel/btf/vmlinux'"),
	("5.10-*", "record --off-cpu", r"^Hint: before Linux 5\.18 the kernel does not tell why"),
	("5.10-* 6.1-*", "record --filter (BPF)", r"^Hint: before Linux 6\.2 the kernel shows BPF programs nothing of a sample"),
	("5.10-*", "trace*", r"^Warning: calls come from tracepoints instead: without strings"),
	("5.10-*", "lock record, report|lock contention", r"^Hint: kernels have it from Linux 5\.19 on"),
	("5.10-*", "lock contention -b", r"^Hint: they need Linux 5\.19"),
	("5.10-*", "lock futex", r"^Hint: they need Linux 5\.11"),
	("5.10-*", "heap|heap live", r"^Hint: before Linux 5\.17 the kernel lacks what they need"),
	("5.10-*", "stat --bpf-counters --for-each-cgroup", r"^Hint: it needs Linux 5\.17"),
]

KERNELS = ["5.10", "6.1", "6.12", "sid"]
VARIANTS = {
	"plain": "as it is",
	"notracefs": "tracefs is not mounted, and mount(2) fails with EPERM",
	"nobtf": "/sys/kernel/btf is empty",
	"nobpf": "bpf(2) fails with EPERM",
	"noperf": "perf_event_open(2) fails with ENOSYS",
	"lockdown": "booted with lockdown=confidentiality",
}


def file_name(name):
	return re.sub(r"[^\w.-]+", "_", name)


def read(path):
	with open(path, errors="replace") as f:
		return f.read()


def printed(text, expected):
	every = [expected] if isinstance(expected, str) else expected or []
	return all(re.search(e, text, re.M) for e in every)


def cell(folder, where, row):
	"""What the cell says: ("works", line or None), ("why", line) or ("FAILS", line)"""
	name, _, expected = row
	path = os.path.join(folder, "rows", file_name(name))
	try:
		text, status = read(path + ".txt"), int(read(path + ".status"))
	except (OSError, ValueError):
		return "FAILS", "it did not run"
	worked = status == 0 and printed(text, expected)
	for at, rows, message in REASONS:
		if any(fnmatch.fnmatch(where, p) for p in at.split()) and any(fnmatch.fnmatch(name, p) for p in rows.split("|")):
			line = next((line for line in text.splitlines() if re.search(message, line)), None)
			if line and status < 124:
				return ("works" if worked else "why"), line.strip()
	if worked:
		return "works", None
	return "FAILS", "status %d: %s" % (status, (text.strip().splitlines() or ["nothing is printed"])[-1])


def judge(folder):
	"""The columns that are there, a line of cells for each row, the numbers of the notes, and what failed"""
	notes, lines, bad = {}, [], []
	columns = [(k, v) for v in VARIANTS for k in KERNELS if os.path.isdir(os.path.join(folder, "%s-%s" % (k, v)))]
	for row in ROWS:
		cells = []
		for kernel, variant in columns:
			where = "%s-%s" % (kernel, variant)
			verdict, line = cell(os.path.join(folder, where), where, row)
			if verdict == "FAILS":
				bad.append("%s: %s: %s" % (where, row[0], line))
				cells.append("**fails**")
				continue
			note = " [%d]" % notes.setdefault(line, len(notes) + 1) if line else ""
			cells.append(("works" if verdict == "works" else "no") + note)
		lines.append((row, cells))
	for kernel, variant in columns:
		oops = read(os.path.join(folder, "%s-%s" % (kernel, variant), "dmesg"))
		if oops:
			bad.append("%s-%s: the kernel's log: %s" % (kernel, variant, oops))
	return columns, lines, notes, bad


def tables(folder):
	"""A table for each variant, with the notes below"""
	columns, lines, notes, bad = judge(folder)
	text = ""
	for variant, title in VARIANTS.items():
		here = [i for i, c in enumerate(columns) if c[1] == variant]
		if not here:
			continue
		text += "\n## %s\n\n| command | %s |\n|---|%s\n" % (title[0].upper() + title[1:],
			" | ".join(columns[i][0] for i in here), "---|" * len(here))
		for row, cells in lines:
			text += "| %s | %s |\n" % (row[0], " | ".join(cells[i] for i in here))
	releases = ["%s is %s" % (k, read(os.path.join(folder, "%s-%s" % (k, v), "release")).strip()) for k, v in columns if v == "plain"]
	text += "\n## Notes\n\n" + "\n".join("%d. `%s`" % (n, line.replace("`", "'")) for line, n in notes.items()) + "\n"
	return text, releases, bad


INTRO = """# Kernels: which command works where

Made by `tests/kernels.sh` from virtual machines (software emulation, no PMU, root) with kernels of Debian; the command lines and what
their output must have are in `tests/kernels.py`. *works*: it ended with status 0 and printed what it is for. *works [n]*: the same,
with less, as the message says. *no [n]*: it ended with that message, which names what is missing. A crash, a command that does not
end, an empty output without a word or another message than expected would be *fails*.

"""


def main():
	if sys.argv[1:] == ["rows"]:
		for name, command, _ in ROWS:
			print("%s\t%s" % (file_name(name), command))
		return 0
	_, _, folder, out = sys.argv
	text, releases, bad = tables(folder)
	with open(out, "w") as f:
		f.write(INTRO + "Kernels: " + ", ".join(releases) + ".\n" + text)
	print("\n".join(bad) or "no failure")
	return 1 if bad else 0


if __name__ == "__main__":
	sys.exit(main())
