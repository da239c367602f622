#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report: shares of recordings from the world, against what the newest stock perf printed for them'
. "$(dirname "$0")/lib.sh"

test_require CORPUS
test_lazy_prereq PYTHON 'needs python3' 'command -v python3'
test_require PYTHON
export LC_ALL=C.UTF-8

# Not compared, and why:
not_compared='
perf_data_converter-perf.data.busy.0-3.4-ed0649 samples of tasks that have ended: the stock gives them their old name here, but not in script
perf_data_converter-perf.data.callgraph-3.4-8f17bc the same
perf_data_converter-perf.data.systemwide.5-3.8-2d2a58 the same
perf_data_converter-perf.data.branch-3.8-13c6e2 the same
perf_data_converter-perf.data.raw_callgraph_branch-3.4-6efc7d the same
perfparser-perf.data.zstd.unqz-3e9027 the stock adds a column of latencies
'

# Shares by event, command and object; those of one row of the stock may be several of ours, or the other way round.
cat >compare.py <<'EOF'
import re, sys

def table(path):
    out, rows, event = {}, {}, 0
    for line in open(path, errors="replace"):
        if line.startswith("# Samples:"):
            event += 1
        m = re.match(r" +(\d+\.\d+)%(?: +\d+\.\d+%)*  (\S.*?)  +(\S.*?)  +\[.\] ", line)
        if not m:
            continue
        comm, dso = m.group(2), m.group(3)
        # the stock cuts names to the widest of those it saw when the column was measured
        key = (event, comm[:7], "JIT" if re.match(r"\[JIT\]|perf-\d+\.map", dso) else
               "kernel" if dso in ("[kernel.vmlinux]", "[kernel.kallsyms]") else dso)
        out[key] = out.get(key, 0) + float(m.group(1))
        rows[key] = rows.get(key, 0) + 1
    return out, rows

a, na = table(sys.argv[1])
b, nb = table(sys.argv[2])
bad = ["%s: %.2f, ours %.2f" % (k, a.get(k, 0), b.get(k, 0)) for k in sorted(set(a) | set(b))
       if abs(a.get(k, 0) - b.get(k, 0)) > 0.0051 * (na.get(k, 0) + nb.get(k, 0)) + 0.0001]
print("\n".join(bad))
sys.exit(bool(bad))
EOF

for d in "$CORPUS"/*/; do
	name=$(basename "$d")
	case $not_compared in *"$name "*) continue ;; esac
	zcat "$d/report-7.2.txt.gz" 2>/dev/null | grep -q '^ *[0-9.]*%  ' || continue	# refused by the stock
	test_expect_success "$name" '
		zcat "$d/report-7.2.txt.gz" >stock &&
		perf report --stdio --no-children --no-inline --symfs /nonexistent -g none -i "$d/perf.data" --sort comm,dso,sym >ours 2>err &&
		python3 compare.py stock ours
	'
done

test_done
