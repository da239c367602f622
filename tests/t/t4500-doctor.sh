#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf doctor: each finding about a machine and a recording, and the step that helps'
. "$(dirname "$0")/lib.sh"

[ "$(id -u)" = 0 ] && sudo= || sudo='sudo '

# A machine on which all is well for a user without rights; what follows changes one thing of it.
machine () {
	rm -rf m && mkdir -p m/proc/sys/kernel m/proc/self m/sys/kernel/btf m/sys/kernel/security m/sys/bus/event_source/devices/cpu \
		m/tracing/events m/boot m/var/lib/dpkg/info &&
	set_kernel perf_event_paranoid -1 kptr_restrict 0 perf_event_mlock_kb 516 perf_event_max_sample_rate 100000 \
		perf_event_max_stack 127 perf_cpu_time_max_percent 25 nmi_watchdog 0 osrelease 6.1.0-9-amd64 &&
	printf 'Name:\tx\nCapEff:\t0000000000000000\n' >m/proc/self/status &&
	printf 'Max open files            1024                 20000                files     \n' >m/proc/self/limits &&
	echo types >m/sys/kernel/btf/vmlinux && echo 4 >m/sys/bus/event_source/devices/cpu/type &&
	for o in PERF_EVENTS KALLSYMS FTRACE_SYSCALLS KPROBE_EVENTS UPROBE_EVENTS BPF_SYSCALL DEBUG_INFO_BTF SCHEDSTATS PROC_KCORE; do
		echo "CONFIG_$o=y"
	done >m/boot/config-6.1.0-9-amd64
}
set_kernel () {
	while [ $# -gt 1 ]; do
		echo "$2" >"m/proc/sys/kernel/$1" || return 1
		shift 2
	done
}
kernel='sudo apt-get install linux-image-$(dpkg --print-architecture) && sudo reboot'
test_empty () { [ ! -s "$1" ] || { cat "$1"; false; }; }
rights () { printf 'Name:\tx\nCapEff:\t%s\n' "$1" >m/proc/self/status; }

# The findings that are not ok, but of what this perf was built without.
doctor () { DEBUGINFOD_URLS=http://d perf doctor --root m "$@"; }
findings () { doctor >out 2>err && [ ! -s err ] && grep -A1 -E '^(note|bad) ' out | grep -v '^--$\|^ok \|^#' | grep -v -A1 'perf check feature' >actual; :; }
is () { printf '%s\n' "$@" >expect && findings && sed 's/  */ /g' actual >squeezed && test_cmp expect squeezed; }

test_expect_success 'all is well: a line for each check' '
	machine && doctor >out && grep -v "perf check feature\|fix: install\|^#" out >actual &&
	cat >expect <<-\END && test_cmp expect <(sed "s/  */ /g" actual) && findings && test_empty actual
	ok perf_event_paranoid -1
	ok kptr_restrict 0
	ok perf_event_mlock_kb 516
	ok perf_event_max_sample_rate 100000
	ok perf_event_max_stack 127
	ok PMU cpu
	ok tracefs /sys/kernel/tracing
	ok BTF /sys/kernel/btf/vmlinux
	ok kernel config
	ok ulimit -n 20000
	ok debuginfod http://d
	END
'
fix="fix: ${sudo}sysctl -w"
test_expect_success 'perf_event_paranoid: what each level forbids' '
	machine && set_kernel perf_event_paranoid 0 &&
	is "note perf_event_paranoid 0: tracepoints cannot be recorded" " $fix kernel.perf_event_paranoid=-1" &&
	set_kernel perf_event_paranoid 1 && is \
		"note perf_event_paranoid 1: the whole system (-a) cannot be measured, nor can tracepoints be recorded" \
		" $fix kernel.perf_event_paranoid=-1" &&
	set_kernel perf_event_paranoid 4 && findings && test_grep "^bad   perf_event_paranoid +4: no event can be opened" actual
'
test_expect_success 'perf_event_paranoid: nothing to mend for who has CAP_PERFMON' '
	machine && set_kernel perf_event_paranoid 4 && rights 0000004400000000 && findings && test_empty actual
'
test_expect_success 'a seccomp filter, and no sysfs: they are blamed for what they hide' '
	machine && printf "Seccomp:\t2\n" >>m/proc/self/status && findings &&
	test_grep "^bad   perf_event_open +cannot open event" actual && test_grep "fix: a seccomp filter.* forbids perf_event_open to this" actual &&
	test_grep "^note  bpf +no BPF programs" actual && test_grep "fix: a seccomp filter.* forbids bpf to this" actual &&
	machine && rm -r m/sys && findings && test_grep -v "apt-get|qemu" actual && [ "$(grep -c "fix: sudo mount -t sysfs sysfs /sys$" actual)" = 2 ]
'
test_expect_success 'kptr_restrict' '
	machine && set_kernel kptr_restrict 1 && findings &&
	test_grep "^bad   kptr_restrict +1: addresses of the kernel are hidden: its functions have no names" actual &&
	test_grep "sysctl kernel.kptr_restrict=0$" actual &&
	set_kernel kptr_restrict 0 perf_event_paranoid 2 && findings &&
	test_grep "sysctl kernel.perf_event_paranoid=1$" actual &&
	set_kernel kptr_restrict 2 && rights ffffffffffffffff && is \
		"bad kptr_restrict 2: addresses of the kernel are hidden: its functions have no names" \
		" fix: sysctl kernel.kptr_restrict=1"
'
test_expect_success 'perf_event_mlock_kb; CAP_IPC_LOCK does not need it' '
	machine && set_kernel perf_event_mlock_kb 64 && is \
		"bad perf_event_mlock_kb 64: buffers are smaller than usual: samples are lost, or record fails to map them" \
		" $fix kernel.perf_event_mlock_kb=516" && rights 0000000000004000 && findings && test_empty actual
'
test_expect_success 'perf_event_max_sample_rate: also where the kernel refuses to set it' '
	machine && set_kernel perf_event_max_sample_rate 3999 && is \
		"bad perf_event_max_sample_rate 3999: fewer samples a second than record asks for (4000): they are throttled" \
		" $fix kernel.perf_event_max_sample_rate=100000" &&
	set_kernel perf_cpu_time_max_percent 0 && findings &&
	test_grep "sysctl -w kernel.perf_cpu_time_max_percent=25 kernel.perf_event_max_sample_rate=100000$" actual
'
test_expect_success 'perf_event_max_stack, nmi_watchdog' '
	machine && set_kernel perf_event_max_stack 16 nmi_watchdog 1 && is \
		"note perf_event_max_stack 16: call chains are cut early" " $fix kernel.perf_event_max_stack=127" \
		"note nmi_watchdog 1: it takes one of the hardware counters of each CPU: groups may not fit" " $fix kernel.nmi_watchdog=0"
'
test_expect_success 'no PMU' '
	machine && rm -r m/sys/bus/event_source/devices/cpu && is \
		"note PMU no hardware counters: cycles, instructions and cache events cannot be counted" \
		" fix: virtual machine: let its host pass the PMU (qemu -cpu host,pmu=on); until then: perf record -e cpu-clock"
'
test_expect_success 'lockdown' '
	machine && echo "none integrity [confidentiality]" >m/sys/kernel/security/lockdown && is \
		"bad lockdown confidentiality: the kernel allows nobody to sample it, to probe it or to read its memory" \
		" fix: boot with lockdown=integrity on the kernel'"'"'s command line" &&
	echo "none [integrity] confidentiality" >m/sys/kernel/security/lockdown && findings && test_empty actual
'
test_expect_success 'no tracefs, no types' '
	machine && rm -r m/tracing m/sys/kernel/btf && is \
		"bad tracefs no tracefs in this tree" " fix: sudo mount -t tracefs nodev /sys/kernel/tracing" \
		"note BTF no types of the kernel: trace cannot use its fast capture, nor record --off-cpu" \
		" fix: $kernel (Debian'"'"'s have CONFIG_DEBUG_INFO_BTF=y)"
'
test_expect_success 'what the kernel was built without: each option; the file may be /proc/config.gz' '
	machine && sed -i "s/.*UPROBE.*/# CONFIG_UPROBE_EVENTS is not set/; /PERF_EVENTS/d" m/boot/config-6.1.0-9-amd64 &&
	printf "%s\n" "bad CONFIG_PERF_EVENTS n: nothing can be measured" " fix: $kernel (Debian'"'"'s have CONFIG_PERF_EVENTS=y)" \
		"note CONFIG_UPROBE_EVENTS n: no probes in programs: probe -x" " fix: $kernel (Debian'"'"'s have CONFIG_UPROBE_EVENTS=y)" >expect &&
	findings && test_cmp expect <(sed "s/  */ /g" actual) &&
	gzip -c m/boot/config-6.1.0-9-amd64 >m/proc/config.gz && rm m/boot/config* && findings && test_cmp expect <(sed "s/  */ /g" actual) &&
	echo damaged >m/proc/config.gz && is "note kernel config not known: neither /boot nor /proc/config.gz has it" \
		" fix: sudo modprobe configs || sudo apt-get install linux-image-\$(uname -r)"
'
test_expect_success 'ulimit -n, debuginfod' '
	machine && sed -i "s/20000/ 4095/" m/proc/self/limits && is \
		"note ulimit -n 4095: each event needs a descriptor per CPU and thread: many events or CPUs do not fit" \
		" fix: sudo prlimit --nofile=65536 --pid \$\$" && machine && perf doctor --root m >out &&
	{ test_grep "^note  debuginfod +debug symbols that are not installed are asked for nowhere$" out &&
		test_grep "^ +fix: export DEBUGINFOD_URLS=https://debuginfod.debian.net$" out || ! perf check -q feature debuginfod; }
'
test_expect_success 'what perf was built without is what perf check feature says' '
	machine && doctor -x ";" >out &&
	perf version --build-options | awk "/OFF/ && /tip: install/ { sub(/:/, \"\"); print \$1 }" | sort >expect &&
	grep "^note;perf check feature;" out | cut -d";" -f3 | tr "," "\n" | sed "/^$/d; s/^\"//; s/\"$//" | sort >actual && test_cmp expect actual
'
test_expect_success PYTHON 'text, CSV and JSON tell the same, value by value' '
	machine && set_kernel perf_event_paranoid 3 nmi_watchdog 1 && doctor --json >j && doctor -x "|" >c && doctor >t &&
	python3 - <<-\END
	import csv, json
	j = json.load(open("j"))["findings"]
	c = list(csv.DictReader(open("c"), delimiter="|"))
	t = open("t").read().split("\n")
	assert len(j) == len(c) and {f["state"] for f in j} >= {"ok", "note", "bad"}
	for a, b in zip(j, c):
	    assert {k: v or "" for k, v in a.items()} == dict(b), (a, b)
	    line = [i for i, l in enumerate(t) if l.startswith(a["state"]) and l[6:].startswith(a["check"])]
	    what = ": ".join(x for x in (a["value"], a["finding"]) if x)
	    assert any(t[i].endswith(what) and (not a["fix"] or t[i + 1] == "      fix: " + a["fix"]) for i in line), a
	assert t[-2] == "# bad: %d, notes: %d" % tuple(sum(f["state"] == s for f in j) for s in ("bad", "note"))
	END
'
test_expect_success 'this machine: findings are no failure; wrong usage is' '
	perf doctor >out && test_grep "^# bad: [0-9]+, notes: [0-9]+$" out &&
	test_status 129 perf doctor --json -x, && test_status 129 perf doctor what &&
	test_status 1 perf doctor --root nowhere 2>err && test_grep "^Error: --root: .nowhere. is no directory$" err &&
	test_status 1 perf doctor -i nowhere 2>err && test_grep "^Error: failed to open nowhere: No such file or directory" err
'
test_expect_success 'names in sysfs do not move the cursor' '
	machine && mkdir -p m/sys/bus/event_source/devices/"$(printf "cpu_\033[2J")" && doctor >out && ! grep -q "$(printf "\033")" out &&
	test_grep "cpu_.x1b.2J" out
'

# ---- recordings ----

# 200 samples at 1000 Hz on two CPUs: 4000 were asked for; 150 in a file of a package, 30 in one of a hostile name, 20 of perf
cat >make.py <<'END'
import os, struct, sys
sys.path.insert(0, os.environ['TOP'] + '/tests/t')
from perfdata import *
st = IP | TID | TIME | CPU | PERIOD | IDENTIFIER | READ
bad = b'/opt/x\033[2J,"<b>\'y'
def tail(t, cpu): return struct.pack('<IIQIIQ', 7, 7, t, cpu, 0, 1)
def rec(kind, body, t, cpu): return record(kind, 0, body + tail(t, cpu))
def sample(n, ip, pid, cpu, running=80):
    t = 1000000 * (n + 1)
    return record(SAMPLE, USER, struct.pack('<QQIIQIIQQQQ', 1, ip, pid, pid, t, cpu, 0, 1, 2 * n + cpu + 1, n * 100, n * running))
r = [comm(st, 7, 7, 'prog', 1), comm(st, 9, 9, 'perf', 1)]
for pid in (7, 9):
    r += [mmap2(st, pid, 0x10000, 0x1000, 0, '/usr/bin/nosuchtool', 2, build_id=bytes(range(20))), mmap2(st, pid, 0x20000, 0x1000, 0, bad, 2)]
if sys.argv[1] == 'poor':
    for n in range(100):
        for cpu in (0, 1):
            i = 2 * n + cpu
            r.append(sample(n, 0x10010 if i < 150 else 0x20010, 9 if i >= 180 else 7, cpu))
    r += [rec(LOST, struct.pack('<QQ', 1, 3), 10 ** 9, 0), rec(LOST, struct.pack('<QQ', 1, 5), 10 ** 9, 1),
          rec(LOST_SAMPLES, struct.pack('<Q', 2), 10 ** 9, 1)]
    r += [rec(THROTTLE, struct.pack('<QQQ', 10 ** 9, 1, 1), 10 ** 9, 1)] * 4
(pipe if len(sys.argv) > 3 else recording)(sys.argv[2], [attr(st, config=0, read_format=3, extra=1 << 10)], r)
END
export TOP
packages () {
	machine && printf "/.\n/usr/bin\n/bin/nosuchtool\n/usr/bin/nosuchtool2\n" >m/var/lib/dpkg/info/toolbox:amd64.list &&
	printf "/usr/bin/nosuchtool.1\n" >m/var/lib/dpkg/info/other.list
}
test_expect_success PYTHON 'a poor recording: each finding, and the step that helps' '
	packages && python3 make.py poor poor.data && perf doctor --root m -i poor.data >out 2>err &&
	sed -n "/^# bad/q; p" out | sed "s/  */ /g; 1s/, [0-9]* bytes ([0-9]* a sample)/, N bytes/" >actual && cat >expect <<-\END &&
	# poor.data: 200 samples in 0.099 s, N bytes, clock monotonic
	bad lost 10 (4.8%): the recorder was too slow: records are missing, and shares may be wrong
	 fix: record with larger buffers (perf record -m 8M), or less often (-F)
	note throttled 4: the kernel stopped events until the next tick: there are gaps
	 fix: record less often (-F), or on the recorded machine: sudo sysctl -w kernel.perf_event_max_sample_rate=100000
	bad [unknown] 75.0%: /usr/bin/nosuchtool: '"'"'/usr/bin/nosuchtool'"'"' does not exist
	 fix: sudo apt-get install toolbox-dbgsym (archive debian-debug); or export DEBUGINFOD_URLS=https://debuginfod.debian.net
	bad [unknown] 25.0%: /opt/x\x1b[2J,"<b>'"'"'y: '"'"'/opt/x\x1b[2J,"<b>'"'"'y'"'"' does not exist
	 fix: of no Debian package: build it with -g and do not strip it, or name a copy of its files with --symfs
	note frequency 1000 Hz: cpu-clock: 4000 Hz were asked for
	 fix: perf record -F 1000, or on the recorded machine: sudo sysctl -w kernel.perf_event_max_sample_rate=100000
	note multiplexed 80.0%: cpu-clock: it shared its counter, and counted only so much of the time
	 fix: fewer hardware events at a time (-e), and sudo sysctl -w kernel.nmi_watchdog=0
	bad overhead 10.0%: of the samples are of perf itself
	 fix: record less often (-F), or --call-graph fp instead of copies of stacks
	END
	test_cmp expect actual
'
test_expect_success PYTHON 'the numbers: JSON value by value, CSV the same' '
	packages && python3 make.py poor poor.data && perf doctor --root m -i poor.data --json >j 2>err && python3 - <<-\END &&
	import json
	j = json.load(open("j"))
	assert (j["file"], j["samples"], j["duration_ns"], j["clock"], j["perf_samples"], j["perf_pct"]) == \
	    ("poor.data", 200, 99000000, "monotonic", 20, 10), j
	assert j["cpus"] == [{"cpu": 0, "samples": 100, "lost": 3, "throttled": 0}, {"cpu": 1, "samples": 100, "lost": 7, "throttled": 4}]
	assert j["events"] == [{"event": "cpu-clock", "samples": 200, "asked_hz": 4000, "got_hz": 1000, "running_pct": 80}]
	a, b = j["unknown"]
	assert (a["dso"], a["samples"], a["share_pct"], a["package"], a["debug_package"]) == ("/usr/bin/nosuchtool", 150, 75, "toolbox", "toolbox-dbgsym")
	assert a["build_id"] == bytes(range(20)).hex() and b["build_id"] is None and b["package"] is None
	assert b["dso"] == "/opt/x\x1b[2J,\"<b>\x27y" and b["samples"] == 50
	assert j["stacks"] == [] and j["bytes"] // 200 == j["bytes_per_sample"]
	END
	perf doctor --root m -i poor.data -x, >c 2>err && python3 - <<-\END
	import csv, io, json
	j = json.load(open("j"))
	parts = open("c", newline="").read().split("\n\n# ")
	for i, p in enumerate(parts):
	    name, _, text = p.partition("\n") if i else ("findings", "", p)
	    rows = list(csv.DictReader(io.StringIO(text)))
	    want = [{k: v for k, v in j.items() if not isinstance(v, list)}] if name == "facts" else j[name]
	    assert len(rows) == len(want), name
	    for r, w in zip(rows, want):
	        for k, v in w.items():
	            v = {None: "", True: "true", False: "false"}.get(v, v) if not isinstance(v, (int, float)) or isinstance(v, bool) else v
	            assert (float(r[k]) == v if isinstance(v, (int, float)) else r[k] in (v, v.replace("\x1b", "\\x1b"))), (name, k, v, r[k])
	assert len(parts) == 6
	END
'
test_expect_success PYTHON 'the number of threads changes nothing; from a pipe it is the same but for the size' '
	python3 make.py poor poor.data && perf doctor -i poor.data --jobs 1 --json >one 2>err && perf doctor -i poor.data --jobs 4 --json >four 2>err &&
	test_cmp one four && python3 make.py poor stream pipe && perf doctor -i - --json <stream 2>err | sed 1d >piped &&
	sed 1d one >expect && test_cmp expect piped
'
test_expect_success PYTHON 'the debug package is installed: both are to be of one version' '
	packages && : >m/var/lib/dpkg/info/toolbox-dbgsym.list && perf doctor --root m -i poor.data >out 2>err &&
	test_grep "fix: sudo apt-get install --only-upgrade toolbox toolbox-dbgsym" out
'
test_expect_success PYTHON 'nothing was sampled' '
	python3 make.py none none.data && perf doctor -i none.data >out && test_grep "^bad   samples  0: nothing was sampled$" out &&
	test_grep "fix: check the machine: perf doctor; watch all processes: perf record -a" out
'
test_expect_success PYTHON 'a cut recording: what there is, and status 1' '
	python3 make.py poor poor.data && head -c 9000 poor.data >cut.data && test_status 1 perf doctor -i cut.data >out 2>err &&
	test_grep "^bad   \[unknown\]" out && test_grep "bytes of its data are there" err && perf doctor --tolerant -i cut.data >out 2>err
'
test_expect_success PERF_SW 'stacks of code without frame pointers; by DWARF they are whole' '
	printf "%s\n" "#include <stdlib.h>" "volatile unsigned long x;" \
		"__attribute__((noinline)) void leaf(int n) { for (int i = 0; i < n; i++) x += i; }" \
		"__attribute__((noinline)) void mid(int n) { leaf(n); x++; }" \
		"int main(void) { for (int i = 0; i < 300; i++) mid(1000000); return 0; }" >b.c && gcc -O1 -fomit-frame-pointer -o b b.c &&
	perf record -q --call-graph fp -e cpu-clock:u -F 997 -o fp.data ./b && perf doctor -i fp.data --json >j 2>err && python3 - <<-\END &&
	import json
	j = json.load(open("j"))
	broken = [s for s in j["stacks"] if s["state"] == "broken"]
	assert sum(s["share_pct"] for s in broken) > 90 and broken[0]["dso"].endswith("/b"), j["stacks"]
	assert sum(s["samples"] for s in j["stacks"]) <= j["samples"]
	f = [f for f in j["findings"] if f["check"] == "stacks"][0]
	assert f["fix"] == "perf record --call-graph dwarf" and f["state"] == "bad", f
	END
	perf record -q --call-graph dwarf -e cpu-clock:u -F 997 -o dw.data ./b && perf doctor -i dw.data >out 2>err &&
	! grep "bad   stacks" out
'
test_expect_success PYTHON 'report says on a terminal that the quality is poor; in a file and in a pipe it does not' '
	python3 make.py poor poor.data && perf report --stdio -i poor.data >out 2>err && ! grep -q "perf doctor" out err &&
	python3 "$TOP/tests/t/onpty.py" screen perf report --stdio -i poor.data >out &&
	! grep -q "perf doctor" out &&
	test_grep "4.8% of the records lost, 4 times throttled: .perf doctor -i poor.data. says what helps" screen
'
test_done
