#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched while CPUs go and come (6.1, in a VM)'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM,PYTHON
test_workload schedmix -static
mkdir -p files/bin && cp schedmix files/bin/
vm_copy_program files "$(type -P sleep)"
vm_files="files/bin $(ls -d files/lib* files/usr 2>/dev/null | tr '\n' ' ')"

cat >guest.sh <<\GUEST
O=/out; C=/sys/devices/system/cpu/cpu1/online; cd /root
perf sched record -o $O/off.data sh -c "sleep 0.5; echo 0 >$C; sleep 0.5; schedmix 1; echo 1 >$C; sleep 0.5; schedmix 1" || exit 1
perf sched record -o $O/gone.data sh -c "sleep 0.5; echo 0 >$C; sleep 0.5; schedmix 1; sleep 0.5" || exit 3
perf sched record -o $O/on.data sh -c "sleep 0.5; echo 1 >$C; sleep 0.5; schedmix 1" || exit 2
GUEST
cat >check.py <<\EOF
# What is thought to run does, and nobody waits as long as the other CPU was away. Which CPUs are reported, and which are mostly unknown.
import json, subprocess, sys
d = json.loads(subprocess.run([sys.argv[1], "sched", "latency", "-p", "--json", "-i", sys.argv[2]], stdout=subprocess.PIPE).stdout)
seen_ns = max(c["seen_ns"] for c in d["cpus"])
assert d["gaps"] == d["lost"] == 0, (d["gaps"], d["lost"])
assert not [t for t in d["timelines"] if t["comm"].startswith("cpuhp/") and t["running_ns"] > seen_ns // 10]
worst = max(d["tasks"], key=lambda t: t["max_delay_ns"])
assert worst["max_delay_ns"] < 450000000, worst
print([c["cpu"] for c in d["cpus"]], [c["cpu"] for c in d["cpus"] if c["unknown_ns"] > seen_ns // 4])
EOF
test_expect_success 'the guest runs to its end' 'vm_run guest.sh && mv out kept'
test_expect_success 'a CPU that goes offline' '
	python3 check.py "$BUILD/perf" kept/gone.data >out 2>err && echo "[0, 1] [1]" >expect && test_cmp expect out &&
	perf sched map -i kept/gone.data >out 2>err && test_grep "^Warning: CPU 1 went offline meanwhile: " err
'
test_expect_success 'one that comes back: only the time between is unknown' '
	python3 check.py "$BUILD/perf" kept/off.data >out 2>err && echo "[0, 1] [1]" >expect && test_cmp expect out &&
	perf sched map -i kept/off.data >out 2>err && test_grep -v "^Warning: CPU 1 went offline" err
'
test_expect_success 'one that comes online' '
	python3 check.py "$BUILD/perf" kept/on.data >out 2>err && echo "[0, 1] []" >expect && test_cmp expect out
'
test_expect_success 'the sums close' 'python3 "$TOP/tests/t/schedsums.py" "$BUILD/perf" kept/*.data'
test_expect_success 'a picture: nothing runs on CPU 1 past its end' '
	perf timechart -i kept/gone.data -o off.svg 2>err && python3 - <<-\EOF
	import re
	svg = open("off.svg").read()
	ends = [int(f) + int(d) for f, d in re.findall(r"data-f=\"(\d+)\" data-d=\"(\d+)\" data-p=\"1\" data-c=\"\"", svg)]
	total = int(re.search(r"data-ns=\"(\d+)\"", svg).group(1))
	assert ends and max(ends) < total * 3 // 4, (ends and max(ends), total)
	EOF
'
test_done
