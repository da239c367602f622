#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the static perf'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq STATIC 'needs build/perf-static (make static: the libraries must be there for static linking)' '[ -x "$BUILD/perf-static" ]'
test_lazy_prereq CHROOT 'needs root, to have an own root directory' 'test_have ROOT && mkdir empty && cp "$BUILD/perf-static" empty &&
	chroot empty /perf-static version'

test_expect_success STATIC 'the static perf is one file' '
	! { readelf -d "$BUILD/perf-static" | grep NEEDED; } && "$BUILD/perf-static" version --build-options >out &&
	test_grep "libpython: .* OFF" out && test_grep "debuginfod: .* OFF" out
'

small=$TOP/tests/data/small
test_expect_success STATIC 'the static perf reads recordings as the other one does' '
	for f in fp sched; do
		for c in "report --stdio" script "script -F comm,ip,sym" evlist; do
			perf $c -f -i "$small/$f.data" >expect 2>expect.err &&
			"$BUILD/perf-static" $c -f -i "$small/$f.data" >out 2>err &&
			test_cmp expect out && test_cmp expect.err err || { echo "$c of $f"; return 1; }
		done
	done &&
	test_status 1 "$BUILD/perf-static" script -f -i "$small/fp.data" -s x.py 2>err &&
	test_grep "this perf was built without Python" err
'

test_expect_success STATIC,CHROOT 'the static perf runs in a root directory that has nothing else' '
	cp "$small/fp.data" empty && chroot empty /perf-static report -f --stdio -i fp.data >out 2>err && test_grep "89  of event .cpu-clock" out
'

test_expect_success STATIC,CHROOT,PERF_SW 'the static perf records there' '
	chroot empty /perf-static record -o out.data -e cpu-clock /perf-static version >out 2>&1 && test -s empty/out.data
'

test_done
