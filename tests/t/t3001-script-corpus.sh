#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf script: recordings from the world, against what the newest stock perf printed for them'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq PYTHON 'needs python3' 'command -v python3'
test_require CORPUS,PYTHON
export LC_ALL=C.UTF-8

# Files whose text is the stock's, byte for byte (no binaries are at hand: names are [unknown]). Not here: recorded stacks (ours
# show what can be told without the binary), LBR (below), modules' paths, vdso names, files that the stock refuses.
files='CWM-project-perf.data-345547 autofdo-hierarchical_discriminator_test.x86_64.perf.data-6a66e1
embedded_audio_transcoder-perf.data-4d675c embedded_audio_transcoder-perf.data-68aa5b embedded_audio_transcoder-perf.data-97d6a1
form-bench-perf.data-d20022 nku-parallel-hw-perf.data-a0da6e perf_data_converter-perf.data.branch-4.14-59f4a2
perf_data_converter-perf.data.busy.0-3.4-ed0649 perf_data_converter-perf.data.group_desc-4.14-2c4004
perf_data_converter-perf.data.i686-3.4-6b091c perf_data_converter-perf.data.numatopology-3.2-198b7f
perf_data_converter-perf.data.singleprocess-3.8-5554e8 perf_data_converter-single-event-multi-process.perf.data-abc5f6
perfparser-probe.data.stream-1a6130 platform_system_extras-perf_with_kernel_symbols_available_false.data-396ce3
platform_system_extras-perf_with_multiple_pids_and_tids.data-36c496 platform_system_extras-perf_with_symbols.data-613a96
platform_system_extras-runtest_two_functions_arm64_perf.data-e29501'

for f in $files; do
	test_expect_success "$f" '
		[ -e "$CORPUS/$f/script-7.2.txt.gz" ] || { test_skip "not in this corpus"; return; }
		zcat "$CORPUS/$f/script-7.2.txt.gz" >expect &&
		{ perf script --no-inline --symfs /nonexistent -i "$CORPUS/$f/perf.data" \
			-F comm,pid,tid,cpu,time,event,ip,sym,dso,period >actual 2>err ||
		perf script --no-inline --symfs /nonexistent -i "$CORPUS/$f/perf.data" \
			-F comm,pid,tid,time,event,ip,sym,dso,period >actual; } &&
		test_cmp expect actual
	'
done

# Upstream shows the sample's address in place of that where user space was left, which in the kernel is none of user space, and
# without a single branch whatever lies behind the record.
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
	test_grep -v "branch stack" out
'

test_expect_success 'every recording is read or refused in an orderly way' '
	for d in "$CORPUS"/*/; do
		timeout 60 perf script --no-inline -i "$d/perf.data" >out 2>err
		rc=$?
		[ $rc = 0 ] || [ $rc = 1 -a -s err ] || { echo "$d: status $rc"; head -5 err; return 1; }
	done
'

test_done
