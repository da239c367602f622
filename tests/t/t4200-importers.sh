#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description="perf script's text in speedscope's own importer: the same as from the newest upstream perf's text"
. "$(dirname "$0")/lib.sh"

test_require NEWEST
test_workload threads

record () { perf record -q "$@"; }

test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'record -o probe.data -e cpu-clock true && [ -s probe.data ]'
test_lazy_prereq SPEEDSCOPE 'needs node, npm and its registry (package speedscope)' '
	command -v node npm && mkdir -p npm && (cd npm && HOME=$test_real_home timeout 60 npm pack --silent speedscope) && tar -xzf npm/speedscope-*.tgz &&
	ls package/dist/release/speedscope-*.js
'

import () { node "$TEST_DIR/speedscope-import.js" package/dist/release/speedscope-*.js "$1"; }

test_expect_success RECORD,SPEEDSCOPE 'every sample arrives, with the same stacks' '
	record -F 999 -e cpu-clock -g -o g.data ./threads 3 300 >/dev/null &&
	perf script --no-inline -i g.data >ours.linux-perf.txt &&
	"$NEWEST" script --no-inline -i g.data 2>/dev/null >upstream.linux-perf.txt &&
	import ours.linux-perf.txt >ours && import upstream.linux-perf.txt >upstream &&
	grep -v -e "_start" -e vdso upstream >expect && grep -v -e "_start" -e vdso ours >actual &&
	test_cmp expect actual && grep -E "^with callees: (start_thread|climb) [0-9.]*[1-9]" actual &&
	[ "$(sed -n "s/^samples //p" ours)" -gt 20 ]
'
test_done
