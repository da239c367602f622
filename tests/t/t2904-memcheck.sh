#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='ordinary recordings under valgrind: nothing uninitialised is looked at (all of them: make memcheck)'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq VALGRIND 'needs valgrind' 'valgrind --version'
test_require VALGRIND
case $BUILD in *asan*) test_skip_all 'a program has one memory checker' ;; esac

for cmd in 'evlist' 'sched latency' 'script'; do
	test_expect_success "perf $cmd" '
		# shellcheck disable=SC2086
		test_status 0 valgrind -q --error-exitcode=99 perf $cmd -i "$TOP/tests/data/small/sched.data" >out && [ -s out ]
	'
done
test_done
