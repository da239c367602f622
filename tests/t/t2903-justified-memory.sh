#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='numbers in a recording do not decide how much memory is taken: no more than its size justifies'
. "$(dirname "$0")/lib.sh"

test_require PYTHON
export PYTHONDONTWRITEBYTECODE=1
case $BUILD in *asan*) test_skip_all 'the address space of sanitizers has no bounds' ;; esac

cat >make.py <<-\EOT
	import sys, struct
	sys.path.insert(0, sys.argv[1])
	import perfdata as p
	st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER
	one = p.record(p.SAMPLE, 2, struct.pack("<QQIIQQ", 1, 0x401000, 100, 100, 5, 1))
	u32 = lambda *v: struct.pack("<%dI" % len(v), *v)
	u64 = lambda *v: struct.pack("<%dQ" % len(v), *v)
	many, words = 300000000, p.text("0-2147483647")
	arch = (6, p.text("x86_64"))
	features = {"nrcpus": [(7, u32(many, many))], "cpu_topology": [(7, u32(60000, 60000)), (13, u32(many) + words + u32(many))],
	            "numa": [(14, u32(many) + u32(0) + u64(1, 1) + words)], "cache": [(20, u32(1, many, 1, 64, 64, 8))],
	            "mem_topology": [(22, u64(1, 1 << 27, 1 << 40, 0, 1 << 40, 1 << 40))], "event_desc": [(12, u32(many, 136))],
	            "group_desc": [(17, u32(many) + p.text("g") + u32(0, many))], "pmus": [(16, u32(many, 1))],
	            "cmdline": [(11, u32(many))], "caps": [(28, u32(many))], "bpf": [(25, u32(many, many, many))],
	            "domains": [(33, u32(17, many, 0, many))], "auxtrace": [(18, u64(1 << 40, 0, 1 << 40))]}
	for name, f in features.items():
	    p.recording(name + ".data", [p.attr(st)], [one], sorted(f + [arch]))
	stat = p.attr(p.IDENTIFIER)
	cpus = p.record(p.CPU_MAP, 0, struct.pack("<HBBHH", 2, 0, 0, 0, 65535))
	threads = p.record(p.THREAD_MAP, 0, u64(2000) + b"".join(u64(i) + b"x".ljust(16, b"\0") for i in range(2000)))
	count = p.record(p.STAT, 0, u64(1) + u32(1, 0) + u64(5, 1, 1))
	p.recording("cpu_maps.data", [stat], [cpus] * 3000 + [count])
	small = p.record(p.CPU_MAP, 0, struct.pack("<HBBHH", 2, 0, 0, 0, 8000))
	p.recording("counters.data", [stat] * 100, [small, threads, count])
	chains = p.attr(st | p.CALLCHAIN | p.BRANCH | p.REGS_USER | p.STACK_USER, regs=(1 << 64) - 1, branch=8)
	lies = lambda n: p.record(p.SAMPLE, 2, struct.pack("<QQIIQQ", 1, 0x401000, 100, 100, 5, 1) + u64(n) * 8)
	p.recording("samples.data", [chains], [lies(n) for n in (many, 1 << 40, (1 << 64) - 1, (1 << 61) + 1)])
	p.recording("cpu.data", [p.attr(st | p.CPU)], [p.record(p.SAMPLE, 2, struct.pack("<QQIIQIIQ", 1, 1, 100, 100, 5, many, 0, 1))])
	# each of 3,000 attrs has all of the ids
	n, ids = 3000, b"".join(u64(i + 1) for i in range(60000))
	at = 104 + len(ids)
	rows = b"".join(p.attr(st) + u64(104, len(ids)) for _ in range(n))
	open("ids.data", "wb").write(b"PERFILE2" + u64(104, p.ATTR + 16, at, len(rows), at + len(rows), len(one), 0, 0) + bytes(32) + ids + rows + one)
	# sections of a file with holes
	p.recording("holes.data", [p.attr(st)], [one], [arch])
	with open("holes.data", "r+b") as f:
	    f.seek(104 + 8 + p.ATTR + 16 + len(one) + 8)
	    f.write(u64(1 << 40))
	    f.truncate(1 << 41)
EOT

# In 400 MB, which is what an empty run needs and some; each with a word about what is not believed, or an output.
modest () {
	( ulimit -v 400000; exec timeout 20 "$@" ) >out 2>err
	local rc=$?
	case $rc in 0|1|129|255) ;; *) echo "status $rc: $*"; tail -5 err; return 1 ;; esac
	! grep -i "out of memory" err || { echo "$*"; return 1; }
	[ -s out ] || [ -s err ] || { echo "mute: $*"; return 1; }
	[ "$(cat out err | wc -c)" -lt 40000000 ]
}

test_expect_success 'features, counters, ids, holes' '
	python3 make.py "$TEST_DIR" &&
	for f in *.data; do
		modest perf report --stdio -I --header -i $f || return 1
		modest perf script --header -D -i $f || return 1
		modest perf sched timehist -i $f || return 1
		modest perf evlist -v -i $f || return 1
		case $f in cpu_maps*|counters*) modest perf stat report -i $f || return 1 ;; esac
	done
'

test_expect_success 'timehist makes no columns for 300 million CPUs' '
	gzip -dc "$TOP/tests/data/sched-6.18.data.gz" >sched.data &&
	python3 -c "
import struct
b = bytearray(open(\"sched.data\", \"rb\").read())
at = struct.unpack_from(\"<Q\", b, 40)[0] + struct.unpack_from(\"<Q\", b, 48)[0]
for bit in range(256):
    if b[72 + bit // 8] >> bit % 8 & 1:
        if bit == 7:
            struct.pack_into(\"<II\", b, struct.unpack_from(\"<Q\", b, at)[0], 300000000, 300000000)
        at += 16
open(\"lying.data\", \"wb\").write(b)
" &&
	modest perf sched timehist -SV -i lying.data &&
	test_grep "CPU  1 idle" out &&
	test_grep "NRCPUS section tells of more CPUs" err
'

test_done
