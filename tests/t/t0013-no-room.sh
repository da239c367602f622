#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='full disks, no descriptors, no home: one message with a next step, and no success that is none'
. "$(dirname "$0")/lib.sh"

small=$TOP/tests/data/small

# all of standard output is lost, at once or at the end
for c in "script -i $small/fp.data" "report --stdio -i $small/fp.data" "sched map -i $small/sched.data" \
	"script -D -i $small/fp.data" "evlist -i $small/fp.data" "list --no-desc"; do
	test_expect_success "full: ${c%% -i*}" '
		test_must_fail perf $c >/dev/full 2>err && grep "^Error: cannot write" err && grep "^Hint: " err
	'
done

test_expect_success 'full: one message, status 1' '
	for c in "report --json" "report -D" "report --header-only" "script --header" "buildid-list" "timechart -o -"; do
		f="-i $small/fp.data"
		[ "$c" = "timechart -o -" ] && f="-i $small/sched.data"
		test_status 1 perf $c $f >/dev/full 2>err && [ "$(grep -c "^Error: " err)" = 1 ] || { echo "$c"; cat err; return 1; }
	done
'

test_expect_success 'a reader that went away is no failure, also where SIGPIPE is ignored' '
	for c in "list --no-desc" "report --stdio -i $small/fp.data" "script -D -i $small/fp.data"; do
		[ "$(perf $c 2>/dev/null | wc -l)" -gt 2 ] || { echo "$c shows nothing"; return 1; }
		( trap "" PIPE; perf $c 2>err; echo $? >status ) | true
		[ "$(cat status)" = 0 ] && test_grep -v "^Error" err || { echo "$c"; cat status err; return 1; }
	done
'

test_expect_success PERF_SW,PYTHON 'full: script --per-event-dump, also where more than a buffer was lost' '
	perf record -N -e page-faults -c 1 -o e.data python3 -c "x = [bytes(8192) for i in range(1500)]" >out 2>err && [ "$(perf script -i e.data | wc -l)" -gt 1500 ] &&
	(ulimit -f 8; test_status 1 perf script --per-event-dump -i e.data >out 2>err) && test_grep -v Wrote out &&
	grep "^Error: cannot write .e.data.page-faults.dump.: File too large" err && rm e.data.page-faults.dump &&
	ln -sf /dev/full e.data.page-faults.dump && test_status 1 perf script --per-event-dump -i e.data >out 2>err &&
	grep "^Error: cannot write .e.data.page-faults.dump.: it is a device" err && grep "^Hint: remove it" err &&
	rm e.data.page-faults.dump && mkdir e.data.page-faults.dump &&
	test_status 1 perf script --per-event-dump -i e.data >out 2>err && rmdir e.data.page-faults.dump &&
	grep "^Error: cannot write .e.data.page-faults.dump.: it is a directory" err
'

test_expect_success PERF_SW 'closed descriptors: no file gets what is meant for them' '
	for e in cpu-clock task-clock; do
		perf stat record -e $e -o s.data true 2>&- && [ "$(head -c 8 s.data)" = PERFILE2 ] && perf stat report -i s.data 2>out && grep $e out &&
		perf stat record -e $e -o s.data true 0<&- >&- 2>&- && [ "$(head -c 8 s.data)" = PERFILE2 ] && perf stat report -i s.data 2>out &&
		perf record -N -e $e -c 100000 -o r.data true 0<&- >&- 2>&- && perf script -i r.data 2>err >out && [ -s out ] && ! test -s err || return 1
	done &&
	perf data convert -f --to-json c.json -i "$small/fp.data" 0<&- >&- 2>&- && python3 -m json.tool <c.json >out &&
	perf inject -b -i "$small/fp.data" -o i.data 0<&- >&- 2>&- && perf evlist -i i.data &&
	test_status 1 perf version >&- 2>err && grep "^Error: cannot write to standard output: Bad file descriptor" err
'

test_expect_success 'full: data convert' '
	test_status 1 perf data convert -f -i "$small/fp.data" --to-json /dev/full 2>err &&
	grep "^Error: cannot write ./dev/full.: No space left on device" err && grep "^Hint: " err
'

test_expect_success PERF_SW 'full: stat has no success where its table is lost' '
	perf stat -e task-clock true 2>ok && test_status 1 perf stat -e task-clock true 2>/dev/full &&
	test_status 1 perf stat -e task-clock -o /dev/full true 2>err && grep "^Error: cannot write ./dev/full.: No space left" err
'

test_expect_success ROOT,SYSCALLS 'full: trace says so, and a reader that went away is no failure' '
	test_status 1 perf trace -o /dev/full true 2>err &&
	grep "^Error: cannot write ./dev/full.: No space left on device" err && grep "^Hint: the disk is full" err &&
	perf trace record -o t.data true 2>err &&
	perf trace -i t.data 2>whole && [ -s whole ] && test_status 1 perf trace -i t.data 2>/dev/full
'

test_expect_success PERF_SW 'record: a cache that cannot be filled is a warning, -N is without' '
	: >file && HOME=$PWD/file perf record -e task-clock -c 10000 -o a.data true >out 2>err &&
	grep "^Warning: [1-9][0-9]* of the recorded binaries are not in the build-id cache: cannot create directory" err &&
	grep "^Hint: .*-N" err && [ "$(grep -c "build-id cache" err)" = 1 ] &&
	HOME=$PWD/file perf record -N -e task-clock -c 10000 -o b.data true >out 2>err && test_grep -v "build-id cache" err &&
	HOME=$PWD/file perf record -q -e task-clock -c 10000 -o b.data true 2>err && [ ! -s err ]
'

test_lazy_prereq TMPFS 'needs a tmpfs of its own' 'mkdir -p probe && mount -t tmpfs -o size=64k none probe && umount probe'
# On one CPU: the name of the program may be in the ring of the CPU where it began, and the disk full of samples of another one.
test_expect_success PERF_SW,TMPFS 'full: record of several files ends in order, and what was written is readable' '
	cat >spin.c <<-\EOT &&
	int main(void) { for (volatile unsigned i = 0; i < 100000000; i++) ; return 0; }
	EOT
	cc -o spin spin.c && mkdir -p tf && for how in "" "--switch-output=1M"; do
		mount -t tmpfs -o size=64k none tf || return 1
		taskset -c 0 perf record -N --no-bpf-event $how -e cpu-clock:u -c 20000 --call-graph dwarf,8192,raw -o tf/a.data ./spin 2>err; rc=$?
		cp tf/a.data* . && umount tf && cat err && [ $rc = 1 ] && grep "No space left on device" err &&
		for f in a.data*; do perf script --tolerant -i $f >out 2>&1 && grep spin out >/dev/null || { cat out; return 1; }; done; rc=$?
		rm -f a.data*
		[ $rc = 0 ] || return 1
	done
'

test_expect_success PERF_SW 'archive: half of one is not left behind' '
	perf record -e task-clock -c 10000 -o c.data true 2>err && perf archive -i c.data >out && [ -s c.data.tar.* ] && rm c.data.tar.* &&
	mkdir -p bin && printf "#!/bin/sh\nhead -c 10\nexit 1\n" >bin/bzip2 && chmod +x bin/bzip2 &&
	PATH=$PWD/bin:$PATH test_status 1 perf archive -i c.data 2>err && grep "^Error: tar failed" err && grep "^Hint: " err &&
	test -z "$(ls | grep "c.data.tar")"
'

test_expect_success PERF_SW 'no descriptors left' '
	( ulimit -n 6 && test_status 1 perf record -e task-clock -o d.data true ) 2>err && cat err &&
	grep "Too many open files" err && grep "^Hint: .*ulimit -n" err
'

# Root may go beyond the limit, and then has the whole report; else what is missing is reported.
test_lazy_prereq SETPRIV 'needs root and setpriv' 'test_have ROOT && setpriv --bounding-set -sys_resource true'
test_expect_success PERF_SW 'too few descriptors for the binaries: the same report, or a warning' '
	perf record -q -N -e page-faults:u -c 1 -o f.data true && perf report --stdio -i f.data >whole && [ -s whole ] &&
	( ulimit -n 6 && exec 3>&- 4>&- && exec perf report --stdio -i f.data ) >few 2>err && { cmp whole few || grep "too many were open" err; }
'
test_expect_success PERF_SW,SETPRIV 'too few descriptors: the warning' '
	( ulimit -n 6 && exec 3>&- 4>&- && exec setpriv --bounding-set -sys_resource --inh-caps -sys_resource "$BUILD/perf" report --stdio -i f.data ) \
		>few 2>err &&
	grep "^Warning: names and lines are missing: [1-9][0-9]* times a file could not be opened, since too many were open; .*ulimit -n" err
'

test_lazy_prereq UNSHARE 'needs root and mount namespaces' 'test_have ROOT && unshare -m mount -t tmpfs none /mnt'
for dir in /proc /sys; do
	test_expect_success PERF_SW,UNSHARE "without $dir: what needs it says so, the rest works" '
		cat >without.sh <<-\EOT &&
		mount -t tmpfs none "$1" || exit 1
		while read -r want command; do
			# shellcheck disable=SC2086
			timeout 60 perf $command >out 2>err </dev/null; rc=$?
			echo "$rc $command"; cat err
			[ $rc -lt 128 ] || exit 1
			[ "$want" = any ] || [ $rc = "$want" ] || exit 1
			[ $rc = 0 ] || { grep "^Error: " err && grep "^Hint: " err; } || exit 1
		done <commands
		EOT
		cat >commands <<-\EOT &&
		0 record -N -e task-clock -c 100000 -g -o g.data true
		0 record -N -a -e cpu-clock -o h.data true
		0 report --stdio -i g.data
		0 script -i g.data
		0 inject -b -i g.data -o i.data
		0 stat -e task-clock true
		0 evlist -i g.data
		0 list
		any trace true
		any probe -l
		any sched record -o j.data true
		EOT
		unshare -m bash without.sh $dir
	'
done

test_expect_success 'no home' '
	( unset HOME
	test_status 1 perf archive -i "$small/fp.data" 2>err && grep "^Hint: .*--buildid-dir" err &&
	test_status 1 perf config a.b=1 2>err && grep "^Hint: .*PERF_CONFIG" err &&
	>conf && PERF_CONFIG=$PWD/conf perf config a.b=1 && grep "b = 1" conf &&
	perf --buildid-dir="$PWD/cache" buildid-cache -l )
'
test_done
