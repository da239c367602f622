#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf timechart: an SVG that is well-formed, bounded, and holds what was recorded'
. "$(dirname "$0")/lib.sh"

test_workload threads

sched_record () { perf sched record -o "$@"; }

test_lazy_prereq SCHED 'needs root and the scheduler tracepoints' 'sched_record probe.data true && [ -s probe.data ]'
test_lazy_prereq PYTHON 'needs python3' 'command -v python3'

test_expect_success SCHED 'a picture' '
	sched_record s.data ./threads 2 200 >/dev/null 2>&1 &&
	perf timechart -i s.data -o out.svg 2>err && grep "seconds of trace to out.svg" err
'
test_expect_success SCHED,PYTHON 'it is well-formed; bars lie inside of their lanes' '
	python3 - <<-\EOF
	import xml.etree.ElementTree as e
	root = e.parse("out.svg").getroot()
	width = float(root.get("data-w"))
	bars = [r for r in root.iter("{http://www.w3.org/2000/svg}rect") if r.get("data-t")]
	assert bars
	for b in bars:
	    x, w = float(b.get("x")), float(b.get("width"))
	    assert x >= 0 and x + w <= width + 1, (x, w, width)
	EOF
'
test_expect_success SCHED 'the selection of a task' '
	perf timechart -i s.data -T -p nosuchtask -o none.svg 2>/dev/null && ! grep "data-t=" none.svg
'
test_expect_success SCHED 'lanes as asked for' '
	perf timechart -i s.data -P -o cpus.svg 2>/dev/null && grep ">CPU 0<" cpus.svg &&
	! grep "class=\"n\"" cpus.svg &&
	perf timechart -i s.data -T -n 3 -o tasks.svg 2>/dev/null && ! grep ">CPU 0<" tasks.svg &&
	grep -c "class=\"n\"" tasks.svg >n && echo 3 >expect && test_cmp expect n
'
test_lazy_prereq SYSCALLS 'needs root and the tracepoints of system calls' 'perf timechart record -I -o probe-io.data true && [ -s probe-io.data ]'

test_expect_success SCHED,SYSCALLS 'I/O calls are drawn, each with its bytes' '
	cp "$(command -v dd)" iostory &&
	perf timechart record -I -o io.data -- ./iostory if=/dev/zero of=zeros bs=64k count=20 conv=fsync >/dev/null 2>&1 &&
	perf timechart -i io.data -p iostory -o io.svg 2>err &&
	n=$(grep -c "iostory:[0-9]* writes 65536 bytes" io.svg) && { test "$n" = 20 || grep "lost" err; } &&
	{ grep "iostory:[0-9]* syncs" io.svg || grep "lost" err; } &&
	grep ">write<" io.svg && ! grep "class=\"r\" x=\"[0-9.]*\" y=\"[0-9]*\" width=\"[0-9.]*\" height=\"[0-9]*\" data-t" io.svg
'
test_expect_success SCHED,SYSCALLS 'calls near each other are one' '
	perf timechart -i io.data -p iostory --io-merge-dist 1000s -o one.svg 2>err &&
	n=$(grep -c "iostory:[0-9]* writes" one.svg) && test "$n" = 1
'
test_expect_success 'what cannot be read or written is named' '
	test_must_fail perf timechart -i nosuch.data 2>err && grep nosuch.data err
'
test_expect_success SCHED 'an output that cannot be written is named' '
	test_must_fail perf timechart -i s.data -o nosuchdir/out.svg 2>err && grep nosuchdir/out.svg err
'
test_done
