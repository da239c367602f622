#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace: programs that say which lines their trace must have, word for word'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq SYSBPF 'needs a kernel that lets BPF watch system calls' \
	'test_have BPF && ! perf trace -v -e close -o probe true 2>&1 | grep -qi "cannot load the BPF programs"'

test_require SYSBPF,CC
test_workload syspredict

# The call and its result, without time and thread, one space before "=". Inodes are N; the argument of mremap that it does not
# look at, ANY. Whether a process's name is known by its number depends on what it did before.
calls () {
	sed -E 's/^[^:]*: [^\/]*\/[0-9]+ //; s/\) +(=|\.\.\.)/) \1/; s/(socket|pipe|ns):\[[0-9]+\]/\1:[N]/g
		s/\b([0-9]+) \((syspredict|perf)\)/\1/g; s/new_addr: (0x[0-9a-f]+|NULL)/new_addr: ANY/' "$1"
}

# predicted PART: each line that the program printed is there, whole
predicted () {
	local line name rc=0
	rm -rf dir && mkdir dir && perf trace -o out ./syspredict "$1" dir >want || return 1
	calls out >got
	[ -s want ] || return 1
	while IFS= read -r line; do
		grep -aqxF -e "$line" got && continue
		rc=1
		name=${line%%(*}
		printf 'no line: %s\n' "$line"
		grep -aF -e "$name(" got
	done <want
	return $rc
}

for part in files dirs stats times iovecs inet local messages polls signals limits children programs ioctls namespaces unknown futexes prctls memory \
	fcntls sockopts descriptors buffers kernels types; do
	test_expect_success "$part" "predicted $part"
done

test_expect_success '--force-btf: structs as the kernel has them' '
	rm -rf dir && mkdir dir && perf trace --force-btf -e nanosleep,perf_event_open -o out ./syspredict times dir >/dev/null && calls out >got &&
	grep -qxF "nanosleep(rqtp: { .tv_sec: 0, .tv_nsec: 7 }, rmtp: NULL) = 0" got &&
	perf trace --force-btf -e perf_event_open -o out ./syspredict kernels dir >/dev/null && calls out >got &&
	{ ! [ -s got ] || test_grep "\.type: 1, \.size: [0-9]+, \.config: 9, \.sample_period: 7, .*\.disabled: 1, " got; }
'

test_expect_success '--max-string' '
	rm -rf dir && mkdir dir && perf trace --max-string 4 -e write,pread64 -o out ./syspredict buffers dir >/dev/null && calls out >got &&
	test_grep "buf: \"\\\\0\\\\1\\\\37\\\\177\"\.\.\., count: 13\) = 13$" got && test_grep "buf: \"yyyy\"\.\.\., count: 300\) = 300$" got &&
	test_grep "buf: \"8yyy\"\.\.\., count: 300, pos: 12\) = 300$" got
'

test_expect_success 'JSON: each line is an object, whatever bytes the strings have' '
	test_have PYTHON || { test_skip "no python3"; return; }
	rm -rf dir && mkdir dir && perf trace --json -o out ./syspredict buffers dir >want &&
	python3 - out >calls <<-\EOF &&
	import json, sys
	for line in open(sys.argv[1], encoding="utf-8", errors="strict"):
	    o = json.loads(line)
	    assert o["type"] in ("call", "enter", "exit", "no-return", "cut"), o
	    if o["type"] == "call":
	        assert isinstance(o["ret"], int) and isinstance(o["tid"], int) and len(o["raw_args"]) <= 6
	        print("%s(%s) = %s" % (o["syscall"], o["args"], o["result"]))
	EOF
	while IFS= read -r line; do grep -aqxF -e "$line" calls || { echo "no line: $line"; return 1; }; done <want
'

test_done
