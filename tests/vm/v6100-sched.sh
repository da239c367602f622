#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf sched on recordings of a 6.1 kernel (VM), by its own perf and by ours: equal to the newest stock but for classes that are checked; sums'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM,PYTHON
test_workload schedmix -static
mkdir -p files/bin && cp schedmix files/bin/
vm_copy_program files "$(type -P true)"
if test_have STOCK; then vm_copy_program files "$STOCK" && mv files/bin/perf files/bin/perf61; fi
vm_files="files/bin $(ls -d files/lib* files/usr 2>/dev/null | tr '\n' ' ')"

cat >guest.sh <<\GUEST
O=/out; cd /root
record () { # NAME OPTION... -- COMMAND
	name=$1; shift
	perf sched record -o $O/ours-$name.data "$@" || return 1
	[ ! -x /bin/perf61 ] || perf61 sched record -o $O/stock-$name.data "$@"
}
record plain schedmix 3 || exit 1
echo 1 >/proc/sys/kernel/sched_schedstats
record stats schedmix 2 && record chains -g schedmix 1 && record idle sleep 1
GUEST

cat >sums.py <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
for c in d["cpus"]:
    assert c["running_ns"] + c["idle_ns"] + c["unknown_ns"] == c["seen_ns"], c
for t in d["timelines"]:
    assert sum(v for k, v in t.items() if k.endswith("_ns") and k != "seen_ns") == t["seen_ns"], t
END

test_expect_success 'the guest runs to its end' 'vm_run guest.sh'
for file in ours-plain ours-stats ours-chains ours-idle stock-plain stock-stats stock-chains stock-idle; do
	[ -e "out/$file.data" ] || continue
	test_expect_success NEWEST "$file: script, map, timehist and latency against the newest stock" '
		case $file in *chains) only=no-chains ;; *) only= ;; esac
		python3 "$TOP/tests/t/schedcmp.py" "$BUILD/perf" "$NEWEST" "out/$file.data" $only
	'
	test_expect_success "$file: the sums close" '
		perf sched latency -p --json -i "out/$file.data" >json && python3 sums.py json
	'
done
test_done
