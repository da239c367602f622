#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf archive: a report elsewhere is the same'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW
test_lazy_prereq BZIP2 'needs tar and bzip2' 'tar --version && bzip2 --version'
test_require BZIP2
test_workload agent -static
export PERF_BUILDID_DIR=$TRASH/cache

test_expect_success 'the archive holds the program, by build-id' '
	perf record -q -F 2000 -e cpu-clock:u -g ./agent 300 >/dev/null &&
	perf report --stdio 2>/dev/null | grep -v Tip: >expect &&
	grep agent_leaf expect &&
	id=$(perf buildid-list -i agent) &&
	perf archive >out 2>err &&
	test_grep "tar xvf perf.data.tar.bz2 -C ~/.debug" out &&
	tar tf perf.data.tar.bz2 >list &&
	test_grep "/agent/$id/elf" list &&
	test_grep "^[.]build-id/${id:0:2}/${id:2}" list
'

test_expect_success 'unpacked where the program is gone, it gives the same report' '
	rm agent && perf archive --unpack perf.data.tar.bz2 &&
	perf report --stdio 2>/dev/null | grep -v Tip: >out &&
	test_cmp expect out
'

test_expect_success 'the recording comes along with --all' '
	perf archive --all >out 2>err &&
	mkdir there && cd there && export PERF_BUILDID_DIR=$TRASH/cache2 &&
	cp ../perf.all-*.tar.bz2 . && perf archive --unpack &&
	cmp perf.data ../perf.data &&
	perf report --stdio 2>/dev/null | grep -v Tip: >out && cd .. && export PERF_BUILDID_DIR=$TRASH/cache &&
	test_cmp expect there/out
'

test_expect_success 'build-ids can be left out' '
	perf buildid-list >ids && grep agent ids >without &&
	perf archive --exclude-buildids without >out 2>err &&
	tar tf perf.data.tar.bz2 >list && ! grep /agent/ list
'

test_expect_success 'errors say what is missing' '
	test_status 1 perf archive nonexistent 2>err && test_grep nonexistent err &&
	mkdir empty && cd empty && test_status 1 perf archive --unpack 2>../err && cd .. &&
	test_grep "name the archive" err
'

test_done
