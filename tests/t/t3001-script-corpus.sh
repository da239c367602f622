#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf script: recordings from the world, against what upstream 7.2 printed for them'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq PYTHON 'needs python3' 'command -v python3'
test_require CORPUS,PYTHON
export LC_ALL=C.UTF-8

# All recordings that upstream 7.2 reads are compared, line by line (no binaries are at hand: names are [unknown]). What differs, and why
# ours is right:
differ="
GoCache-perf.data-bf36fb module
SeismicCode_Optimization-perf.data-62c942 vmlinux
hotspot-perf.data.old-28b68b frames
hotspot-perf.data.true.v2-1f36e6 frames
linux-perf-data-fibo.compressed2.pipe.data-b03632 frames
perf_data_converter-perf.data.branch-3.8-13c6e2 ended
perf_data_converter-perf.data.busy.0-3.4-ed0649 ended
perf_data_converter-perf.data.callgraph-3.4-8f17bc module 127 ended
perf_data_converter-perf.data.callgraph_and_branch-3.8-d1283f module
perf_data_converter-perf.data.intel_pt-4.14-af0962 decoded
perf_data_converter-perf.data.piped.extrabyte-3.4-bb9266 module
perf_data_converter-perf.data.piped.hw_and_sw-3.4-bc92e3 cpu
perf_data_converter-perf.data.piped.no_attr_ids-4.14-d57ad6 modifier
perf_data_converter-perf.data.piped.target.throttled-3.4-9c0bc3 cpu
perf_data_converter-perf.data.raw_callgraph_branch-3.4-6efc7d module
perf_data_converter-perf.data.systemwide.5-3.8-2d2a58 ended
perfparser-cpp-inlining.perf.data-d8af26 frames
perfparser-perf.data-7a0cb4 frames
perfparser-perf.data-e82ad7 frames
perfparser-perf.data.unqz-7a0cb4 frames
perfparser-perf.data.zstd-649b77 frames
perfparser-perf.data.zstd.unqz-3e9027 frames
perfparser-perf.lbr.data.unqz-40ffb6 lbr
platform_system_extras-perf_display_bitmaps.data-7f4cba 127
platform_system_extras-perf_unwind_embedded_lib_in_apk.data-631b98 frames
zone_FD_new-perf.data-06b42c frames
"
# module	upstream shows a module as its path and, later in the same output, as [NAME]; ours is always the path
# vmlinux	upstream shows the path of a file on the recorded machine that it does not have; ours is [kernel.kallsyms]
# ended	upstream shows samples of a task that is ending as :TID where old kernels told its end twice; ours has its name
# 127	upstream cuts stacks to 127 frames by default; ours has them, as recorded
# frames	upstream's stack is the beginning of ours: what frame pointers in the stack copy, or the recorded chain, tell without the binary
# cpu	upstream shows CPU 0 for all; ours is what the samples have
# modifier	upstream makes up a name, cycles:H; ours is the recorded one
# decoded	upstream decodes Intel PT: only the event that has samples in the file is compared, without its CPU ([-01])
# lbr	compared below
cat >compare.py <<'EOF'
import re, sys

rules = sys.argv[3:]

def samples(path):
    out = []
    for line in open(path, errors="surrogateescape").read().split("\n"):
        if "module" in rules:
            line = re.sub(r"\(/lib/modules/\S*/([^/]*)\.ko\)$", lambda m: "([%s])" % m.group(1).replace("-", "_"), line)
        if "vmlinux" in rules:
            line = re.sub(r"\(/lib/modules/\S*/vmlinux\)$", "([kernel.kallsyms])", line)
        if "modifier" in rules:
            line = re.sub(r"(\w):H: ", r"\1: ", line)
        if "cpu" in rules:
            line = re.sub(r" \[\d+\] ", " ", line)
        if "decoded" in rules:
            line = re.sub(r" +", " ", line.replace(" [-01]", ""))
        if line.startswith("\t") and out:
            out[-1][1].append(line)
        elif line:
            out.append((line, []))
    if "decoded" in rules:
        out = [s for s in out if re.search(r" cycles: ", s[0])]
    return out

def same_head(a, b):
    m = re.match(r" *:(\d+) +(\d+)/(\d+) ", a)
    if "ended" in rules and m and m.group(1) == m.group(3):
        return a[m.end():] == re.sub(r"^ *\S.*? +\d+/\d+ ", "", b)
    return a == b

def same_frames(a, b):
    if a == b:
        return True
    if "frames" in rules and b[:len(a)] == a:
        return True
    return "127" in rules and len(a) == 127 and b[:127] == a

a, b = samples(sys.argv[1]), samples(sys.argv[2])
bad = len(a) != len(b) and ["%d samples, ours %d" % (len(a), len(b))] or []
for (ha, fa), (hb, fb) in zip(a, b):
    if not same_head(ha, hb):
        bad.append("%s\n%s" % (ha, hb))
    if not same_frames(fa, fb):
        n = next((i for i in range(min(len(fa), len(fb))) if fa[i] != fb[i]), min(len(fa), len(fb)))
        bad.append("%s: %d frames, ours %d, other from %d on:\n%s\n%s" % (hb, len(fa), len(fb), n, fa[n:n + 1], fb[n:n + 1]))
for text in bad[:10]:
    print(text.encode(errors="surrogateescape").decode(errors="replace"))
sys.exit(bool(bad))
EOF

# ours FIELDS
ours () {
	perf script --tolerant --no-inline --symfs /nonexistent -i "$d/perf.data" -F $1 2>err
}
for d in "$CORPUS"/*/; do
	f=$(basename "$d") rules=
	zcat "$d/script-7.2.txt.gz" 2>/dev/null | grep -v "^WARNING: " >expect
	[ -s expect ] || continue	# refused by upstream, or without samples
	rules=$(echo "$differ" | sed -n "s/^$f //p")
	[ "$rules" = lbr ] && continue
	test_expect_success "$f${rules:+: $rules}" '
		{ ours comm,pid,tid,cpu,time,event,ip,sym,dso,period >actual || ours comm,pid,tid,time,event,ip,sym,dso,period >actual; } &&
		if [ "$rules" ]; then
			python3 compare.py expect actual $rules && ! python3 compare.py expect actual >/dev/null
		else
			test_cmp expect actual
		fi
	'
done

# Upstream shows the sample's address in place of that where user space was left, which in the kernel is none of user space, and
# without a single branch whatever lies after the record.
cat >lbr.py <<'EOF'
import sys

def stacks(path):
    return [s.split("\n") for s in open(path).read().strip("\n").split("\n\n")]

a, b, kernel = stacks(sys.argv[1]), stacks(sys.argv[2]), 0
assert len(a) == len(b) == 29
for x, y in zip(a, b):
    differs = [i for i in range(len(x)) if x[i] != y[i]]
    if differs:
        i, kernel = differs[0], kernel + 1
        assert len(x) == len(y) and len(differs) == 1 and x[i].startswith("\tffffffff") and y[i].startswith("\t    "), (x, y)
        assert all(l.startswith("\tffff") for l in y[1:i]) and all(l.startswith("\t    ") for l in y[i:]), y
assert kernel == 12, kernel
EOF

test_expect_success 'stacks that the CPU kept (LBR): 29 of 29' '
	f=perfparser-perf.lbr.data.unqz-40ffb6
	[ -e "$CORPUS/$f/perf.data" ] || { test_skip "not in this corpus"; return; }
	zcat "$CORPUS/$f/script-7.2.txt.gz" >expect &&
	perf script --no-inline --symfs /nonexistent -i "$CORPUS/$f/perf.data" -F comm,pid,tid,time,event,ip,sym,dso,period >actual &&
	python3 lbr.py expect actual &&
	perf report --stdio --no-children --symfs /nonexistent -i "$CORPUS/$f/perf.data" >out 2>err && test_grep -v "broken" out &&
	perf script -D -i "$CORPUS/$f/perf.data" >out && test_grep "^\.\.\. branch callstack: nr:4" out &&
	test_grep -v "branch stack" out && [ "$(grep -c "LBR call chain" out)" = 21 ] &&
	# what the chain says of the kernel, then the calls
	awk "/^7037283204239728 /, / thread:/" out | sed "1d; \$d" >actual && cat >expect <<-\EOT && test_cmp expect actual
	... LBR call chain: nr:6
	.....  0: fffffffffffffe00
	.....  1: 000000000041b3b0
	.....  2: 0000000000417a53
	.....  3: 0000000000401581
	.....  4: 000000000042089e
	.....  5: 0000000000401b68
	... FP chain: nr:3
	.....  0: fffffffffffffe00 (PERF_CONTEXT_USER)
	.....  1: 000000000041b3b4
	.....  2: 0000000000000000
	... branch callstack: nr:5
	.....  0: 000000000041b3b0
	.....  1: 0000000000417a53
	.....  2: 0000000000401581
	.....  3: 000000000042089e
	.....  4: 0000000000401b68
	EOT
'

# Of a source of data in which nothing is set upstream says so.
test_expect_success 'memory: no operation and no lock are "No", what the processor does not tell is "N/A"' '
	f=perfparser-cpp-inlining.perf.data-d8af26
	[ -e "$CORPUS/$f/perf.data" ] || { test_skip "not in this corpus"; return; }
	perf script -i "$CORPUS/$f/perf.data" -F data_src 2>err | grep LCK | sed "s/ *$//" | sort -u >actual &&
	printf "%16s |OP %s|LVL N/A|SNP N/A|TLB N/A|LCK %s|BLK  N/A\n" 0 No No 1e05080021 N/A N/A >expect && test_cmp expect actual
'

test_expect_success 'every recording is read or refused in an orderly way' '
	for d in "$CORPUS"/*/; do
		timeout 60 perf script --no-inline -i "$d/perf.data" >out 2>err
		rc=$?
		[ $rc = 0 ] || [ $rc = 1 -a -s err ] || { echo "$d: status $rc"; head -5 err; return 1; }
	done
'

test_done
