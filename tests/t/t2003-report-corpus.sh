#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report: shares of recordings from the world, against what upstream 7.2 printed for them'
. "$(dirname "$0")/lib.sh"

test_require CORPUS
test_lazy_prereq PYTHON 'needs python3' 'command -v python3'
test_require PYTHON
export LC_ALL=C.UTF-8

# Shares by event, command and object; those of one row of upstream may be several of ours, or the other way round.
cat >compare.py <<'EOF'
import re, sys

def table(path):
    out, rows, event, wanted = {}, {}, 0, True
    for line in open(path, errors="replace"):
        if line.startswith("# Samples:"):
            event += 1
            if len(sys.argv) > 3:	# of one event only
                wanted = line.endswith(" of event '%s'\n" % sys.argv[3])
                event = 1
        m = re.match(r" +(\d+\.\d+)%(?: +\d+\.\d+%)*  (\S.*?)  +(\S.*?)  +\[.\] ", line)
        if not m or not wanted:
            continue
        comm, dso = m.group(2), m.group(3)
        # upstream cuts names to the widest of those it saw when the column was measured
        key = (event, comm[:7],
               # an address 0 that has the kernel's mode lies nowhere
               "[unknown]" if line.split()[-1] == "0000000000000000" else "JIT" if re.match(r"\[JIT\]|perf-\d+\.map", dso) else
               "kernel" if dso in ("[kernel.vmlinux]", "[kernel.kallsyms]") else dso)
        out[key] = out.get(key, 0) + float(m.group(1))
        rows[key] = rows.get(key, 0) + 1
    return out, rows

a, na = table(sys.argv[1])
b, nb = table(sys.argv[2])
bad = ["%s: %.2f, ours %.2f" % (k, a.get(k, 0), b.get(k, 0)) for k in sorted(set(a) | set(b))
       if abs(a.get(k, 0) - b.get(k, 0)) > 0.0051 * (na.get(k, 0) + nb.get(k, 0)) + 0.0001]
print("\n".join(bad))
sys.exit(bool(bad) or not a)
EOF

for d in "$CORPUS"/*/; do
	name=$(basename "$d") event=
	case $name in *.intel_pt-*) event=cycles ;; esac	# upstream decodes the rest
	zcat "$d/report-7.2.txt.gz" 2>/dev/null | grep -q '^ *[0-9.]*%  ' || continue	# refused by upstream
	test_expect_success "$name" '
		zcat "$d/report-7.2.txt.gz" >upstream &&
		perf report --tolerant --stdio --no-children --no-inline --symfs /nonexistent -g none -i "$d/perf.data" --sort comm,dso,sym >ours 2>err &&
		python3 compare.py upstream ours $event
	'
done

test_done
