#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched on recordings of a 6.1 kernel (VM), by its own perf and by ours, with and without schedstats, call chains and lost events'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM,PYTHON
test_workload schedmix -static
mkdir -p files/bin && cp schedmix files/bin/
vm_copy_program files "$(type -P true)"
vm_files="files/bin $(ls -d files/lib* files/usr 2>/dev/null | tr '\n' ' ')"

# What the two show is compared by schedcmp.py; two schedmix at once with rings of a page lose events.
cat >guest.sh <<\GUEST
O=/out; cd /root
cat /proc/kallsyms >$O/kallsyms
perf sched record -o $O/ours-plain.data schedmix 3 || exit 1
perf sched record -m 1 -g -o $O/ours-lossychains.data sh -c 'schedmix 1 & schedmix 2; wait'
echo 1 >/proc/sys/kernel/sched_schedstats
perf sched record -o $O/ours-stats.data schedmix 2 && perf sched record -o $O/ours-chains.data -g schedmix 1 &&
	perf sched record -o $O/ours-idle.data sleep 1
perf sched record -m 1 -o $O/ours-lossy.data sh -c 'schedmix 2 & schedmix 2; wait'
GUEST
sed "s/perf sched/perf61 sched/; s/ours-/upstream-/" guest.sh | grep -v "^	" | sed "s/ && perf.*//" >guest61.sh

test_expect_success 'the guest runs to its end' 'vm_run guest.sh && mv out kept && mv kept/kallsyms ours-kallsyms'
# The kernel of the guest sometimes locks up under the old recorder, when the host is busy.
test_expect_success UPSTREAM 'the guest with its own perf' '
	vm_copy_program files "$UPSTREAM" && mv files/bin/perf files/bin/perf61 &&
	vm_files="files/bin $(ls -d files/lib* files/usr 2>/dev/null | tr "\n" " ")" && VM_TIMEOUT=200 vm_run guest61.sh
	case $? in 0) mv out/*.data kept/ && mv out/kallsyms upstream-kallsyms ;; 125) test_skip "the VM locked up" ;; *) false ;; esac
'
for path in kept/*.data; do
	file=$(basename "$path" .data)
	test_expect_success NEWEST,PYTHON "$file: script, map, timehist and latency against the newest upstream perf" '
		case $file in *chains) symbols=${file%%-*}-kallsyms ;; *) symbols= ;; esac
		python3 "$TOP/tests/t/schedcmp.py" "$BUILD/perf" "$NEWEST" "$path" $symbols
	'
	test_expect_success "$file: the sums close" '
		python3 "$TOP/tests/t/schedsums.py" "$BUILD/perf" "$path"
	'
done
test_done
