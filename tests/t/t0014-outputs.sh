#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='outputs: never the input, never through what others left there, never waiting for ever'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW
perf record -q -e dummy:u -o dummy.data true || exit 1
if test_have TRACEFS; then perf record -q -N -a -e sched:sched_switch -o switch.data true; else cp dummy.data switch.data; fi || exit 1
REC='perf record -q -N -e dummy:u'

test_expect_success 'record: a FIFO that nobody named is refused' '
	mkdir f && cd f && mkfifo perf.data && test_status 1 timeout -k 1 5 $REC true 2>err &&
	printf "Error: cannot write %s: it is a FIFO\nHint: remove it, or name another file\n" "'"'perf.data'"'" >expect && test_cmp expect err &&
	test_status 1 timeout -k 1 5 perf stat record true 2>err && test_grep "^Error: cannot write .perf.data.: it is a FIFO$" err && test -p perf.data
'

test_expect_success 'record: what a link leads to is neither made nor changed' '
	mkdir l && cd l && ln -s ../made perf.data && $REC true && test -f perf.data && ! test -L perf.data && ! test -e ../made &&
	test -L perf.data.old && echo kept >../kept && ln -sf ../kept perf.data && $REC true && ! test -L perf.data &&
	echo kept >expect && test_cmp expect ../kept
'

test_expect_success ROOT,TRACEFS 'a link of another user is refused' '
	mkdir -p t && echo kept >kept && ln -sf "$PWD/kept" t/link && ln -sf "$PWD/new" t/none && chown -h 12345 t/link t/none &&
	for f in t/link t/none; do
		for c in "$REC -o $f true" "perf stat record -o $f true" "perf stat -e dummy:u -o $f true" "perf list -o $f sw" \
			"perf inject -i dummy.data -o $f" "perf data convert -f -i dummy.data --to-json $f" "perf timechart -i switch.data -o $f" \
			"perf trace -i dummy.data -o $f"; do
			test_status 1 $c >out 2>err && test_grep "is a link of user 12345" err || return 1
		done
	done && ! test -e new && echo kept >expect && test_cmp expect kept
'

test_expect_success 'links of the user are followed' '
	mkdir -p own && ln -s own/there own-link && perf stat -e dummy:u -o own-link true && test_grep "dummy:u" own/there && test -L own-link
'

test_expect_success 'the standard output and its names are written in place' '
	for f in - /dev/stdout /dev/fd/1; do
		(echo before; perf data convert -i dummy.data -q --to-json $f; echo after) >out && test_grep "linux-perf-json-version" out &&
		[ "$(head -n 1 out)" = before ] && [ "$(tail -n 1 out)" = after ] || return 1
	done && perf stat -e dummy:u -o /dev/stdout true | grep -q dummy:u && perf stat -e dummy:u -o /dev/null true && test -c /dev/null &&
	$REC -o /dev/stdout true | perf evlist -i - >out && test_grep "^dummy:u" out
'

test_expect_success TRACEFS 'never the input' '
	cp switch.data in.data && ln -sf in.data in-link &&
	for o in in.data in-link "$PWD/in.data"; do
		for c in "data convert -f -i in.data --to-json $o" "timechart -i in.data -o $o" "trace -i in.data -o $o" "inject -i in.data -o $o"; do
			test_status 1 perf $c >out 2>err && test_cmp switch.data in.data && test_grep "in(put|.data. cannot be read and written)" err || return 1
		done
	done
'

test_expect_success 'what could not be written whole leaves the old file' '
	perf record -q -N -e cpu-clock:u -c 100000 -o many.data -- sh -c "i=0; while [ \$i -lt 200000 ]; do i=\$((i+1)); done" &&
	echo old >old.json && cp old.json expect && (ulimit -f 8; trap "" XFSZ
	test_status 1 perf data convert -f -i many.data --to-json old.json 2>err) && test_cmp expect old.json && ! ls .perf-* 2>/dev/null
'

test_expect_success ROOT,TRACEFS 'a timechart of no name is not written through what others left' '
	mkdir -p tc && cd tc && cp ../switch.data perf.data && mkfifo output.svg && test_status 1 timeout -k 1 5 perf timechart 2>err &&
	test_grep "^Error: cannot write .output.svg.: it is a FIFO$" err && echo kept >kept && ln -sf kept output.svg && chown -h 12345 output.svg &&
	test_status 1 perf timechart 2>err && test_grep "is a link of user 12345" err && echo kept >expect && test_cmp expect kept
'

test_expect_success ROOT 'the recording of another user: the -f of the hint is there' '
	perf stat record -e dummy:u -o st.data true 2>/dev/null && chown 12345 st.data && test_status 1 perf stat report -i st.data 2>err &&
	test_grep "^Hint: -f reads it all the same$" err && perf stat report -f -i st.data 2>out && test_grep "dummy:u" out &&
	perf sched stats report -h 2>&1 | grep -e "-f, --force" && ln -s switch.data sw && chown -h 12345 sw &&
	test_status 1 perf evlist -i sw 2>err && test_grep "is a link of user 12345, who chose what it leads to$" err && perf evlist -f -i sw >out &&
	test -s out
'

test_expect_success 'a directory whose data.0 is a FIFO' '
	mkdir dd && cp dummy.data dd/data && mkfifo dd/data.0 && test_status 1 timeout -k 1 5 perf report --stdio -i dd 2>err &&
	test_grep "^Error: .dd/data.0. is not a regular file$" err
'

test_lazy_prereq NOPROC 'needs unshare and a mount namespace of its own' 'unshare -m sh -c "umount -l /proc"'
test_expect_success ROOT,NOPROC 'without /proc nobody says that a process does not exist' '
	unshare -m sh -c "umount -l /proc && perf stat -e dummy:u -p 1 sleep 0" 2>err; test_grep "process 1 cannot be looked at: no processes are in ./proc." err &&
	test_grep "^Hint: as root: mount -t proc proc /proc$" err
'

test_done
