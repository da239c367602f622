#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf test, its workloads; perf check; perf kallsyms'
. "$(dirname "$0")/lib.sh"

# ---- check ----

test_expect_success 'check feature: a name or a macro, in whatever case, as perf version has it' '
	perf version --build-options | grep " libelf: " >expect &&
	perf check feature libelf >out && test_cmp expect out &&
	perf check feature HAVE_libelf_SUPPORT >out && test_cmp expect out &&
	perf version --build-options | grep HAVE_LIBDW_SUPPORT >expect && [ "$(wc -l <expect)" = 3 ] &&
	perf check feature have_libdw_support >out && test_cmp expect out
'
test_expect_success 'check feature: the status is that of all of them' '
	perf check feature libelf,libdw-dwarf-unwind >out && [ "$(wc -l <out)" = 2 ] &&
	test_status 1 perf check feature libelf,libperl >out && [ "$(wc -l <out)" = 2 ] &&
	test_status 1 perf check feature nosuch >out 2>err && test_cmp /dev/null out &&
	echo "Error: unknown feature '"'nosuch'"'; '"'perf version --build-options'"' lists all" >expect && test_cmp expect err &&
	for q in "-q feature" "feature -q"; do
		perf check $q libelf >out 2>&1 && test_cmp /dev/null out &&
		test_status 1 perf check $q libperl >out 2>&1 && test_cmp /dev/null out &&
		test_status 1 perf check $q nosuch >out 2>&1 && test_cmp /dev/null out || return 1
	done
'
test_expect_success 'check without a sub-command or a feature is wrong usage' '
	test_status 129 perf check 2>err && test_status 129 perf check nosuch 2>err && test_status 129 perf check feature 2>err
'
test_expect_success NEWEST 'each feature that 7.2 names is known here' '
	"$NEWEST" version --build-options | sed -n "s/^ *\([^ ]*\): \[.*/\1/p" >names && [ "$(wc -l <names)" -gt 20 ] &&
	while read -r f; do
		perf check feature "$f" >out 2>&1
		test_grep "^ *$f: \[ (on|OFF) *\]" out || return 1
	done <names
'

# ---- kallsyms ----

test_expect_success ROOT 'kallsyms: the address of /proc/kallsyms, and an end after it' '
	perf kallsyms schedule,vfs_read vfs_write >out && [ "$(wc -l <out)" = 3 ] &&
	for f in schedule vfs_read vfs_write; do
		at=$(awk -v f=$f "\$3 == f && !\$4 { print \$1; exit }" /proc/kallsyms | sed "s/^0*//") &&
		test_grep "^$f: \[kernel\] \[kernel.kallsyms\] 0x$at-0x[0-9a-f]+ \(0x$at-0x[0-9a-f]+\)$" out || return 1
	done
'
test_expect_success ROOT 'kallsyms: what is not there, next to what is' '
	test_status 1 perf kallsyms schedule no_such_symbol_here >out && [ "$(wc -l <out)" = 2 ] &&
	test_grep "^no_such_symbol_here: not found$" out && test_grep "^schedule: " out
'
test_expect_success ROOT,NEWEST 'kallsyms prints functions as 7.2 does' '
	for f in schedule vfs_read ksys_read; do "$NEWEST" kallsyms $f; done >expect 2>/dev/null &&
	perf kallsyms schedule,vfs_read,ksys_read >out && test_cmp expect out
'
test_expect_success ROOT 'kallsyms: hidden addresses are an error that tells what helps' '
	chmod 755 . && cp "$(command -v perf)" ./perf-copy && chmod 755 perf-copy &&
	test_status 1 setpriv --reuid=65534 --regid=65534 --clear-groups ./perf-copy kallsyms schedule >out 2>err &&
	test_cmp /dev/null out && test_grep "hides the addresses in /proc/kallsyms from this user" err && test_grep "run as root" err
'

# ---- workloads ----

test_expect_success 'the workloads are listed, and one that does not exist is refused' '
	perf test --list-workloads >out && sort out >sorted &&
	printf "%s\n" brstack code_with_type context_switch_loop datasym deterministic inlineloop jitdump landlock leafloop \
		named_threads noploop sqrtloop thloop traploop >expect && test_cmp expect sorted &&
	test_status 129 perf test -w nosuch 2>err && test_grep "no workload .nosuch." err
'
test_expect_success NEWEST 'all workloads of 7.2 are there' '
	"$NEWEST" test --list-workloads | sort >theirs && comm -23 theirs sorted >out && test_cmp /dev/null out
'
test_expect_success 'arguments are numbers, and not too many' '
	test_status 1 perf test -w noploop abc 2>err && test_grep "^Error: workload .noploop.: .abc. is not a number" err &&
	test_status 1 perf test -w noploop -- -1 2>err && test_grep "is not a number from 0" err &&
	test_status 1 perf test -w landlock 1 2>err && test_grep "one argument too many" err &&
	test_status 1 perf test -w named_threads 21 2>err && test_grep "1 to 20 threads" err
'
test_expect_success 'each ends by itself, and well' '
	for w in "noploop 0.01" "thloop 0.01 3" "named_threads 20 1" "leafloop 0.01" "sqrtloop 0.01" "brstack 10" "datasym 0.01" \
		landlock "traploop 10" "inlineloop 0.01" jitdump "context_switch_loop 10" deterministic "code_with_type 0.01"; do
		timeout 20 perf test -w $w >out 2>&1 && test_cmp /dev/null out || { echo "$w"; return 1; }
	done && test -s jit-*.dump && rm jit-*.dump
'

# most WORKLOAD FUNCTION: nearly all samples of user space are in it
most () {
	perf record -q -o w.data -F 2000 -e cpu-clock:u -- perf test -w $1 >out 2>&1 &&
	perf report -i w.data --stdio -s sym -F overhead,sym >out 2>&1 &&
	test_grep "^ *([89][0-9]|100)\.[0-9]+% +\[\.\] $2 *$" out
}
test_expect_success PERF_SW 'samples are in the functions that are named' '
	most "noploop 0.6" noploop && most "thloop 0.6 2" test_loop && most "leafloop 0.6" leaf && most "sqrtloop 0.6" sqrtloop &&
	most "datasym 0.6" datasym && most "code_with_type 0.6" code_with_type
'
test_expect_success PERF_SW 'named threads: each in its function' '
	perf record -q -o w.data -F 5000 -e cpu-clock:u -- perf test -w named_threads 3 20000000 &&
	perf report -i w.data --stdio -s comm,sym -F comm,sym >out 2>&1 &&
	sed -n "s/^ *\(thread[0-9]*\) .* named_threads_\(thread[0-9]*\) *$/\1 \2/p" out | sort >pairs &&
	printf "thread%d thread%d\n" 1 1 2 2 3 3 >expect && test_cmp expect pairs
'
test_expect_success PERF_SW 'inlined functions are reported at their lines' '
	perf record -q -o w.data -g -F 1000 -e cpu-clock:u -- perf test -w inlineloop 0.1 &&
	perf script -i w.data -F comm,ip,sym,srcline >out &&
	grep -A 5 " leaf" out | head -n 6 >one && test_grep " middle$" one && test_grep " parent$" one &&
	test_grep "^ *inlineloop.c:2[0-9] \(inlined\)$" out && test_grep "^ *inlineloop.c:3[0-9]$" out
'
test_expect_success PERF_SW 'the jitdump file names what was made' '
	perf record -q -k mono -o w.data -F 2000 -e cpu-clock:u -- perf test -w jitdump && perf inject -j -i w.data -o j.data &&
	perf report -i j.data --stdio -s sym -F overhead,sym >out 2>&1 &&
	test_grep "[1-9][0-9]\.[0-9]+% +\[\.\] jitted_first" out && test_grep "[1-9][0-9]\.[0-9]+% +\[\.\] jitted_second" out
'
test_expect_success PERF_SW '--record-ctl: only the workload is recorded' '
	mkfifo ctl ack &&
	perf record -q -o w.data -F 2000 -e cpu-clock:u -D -1 --control fifo:ctl,ack -- \
		perf test --record-ctl fifo:ctl,ack -w noploop 0.2 >out 2>&1 &&
	perf report -i w.data --stdio -s sym -F overhead,sym >out 2>&1 && test_grep "^ *9[5-9]\.[0-9]+% +\[\.\] noploop|100.00% .*noploop" out &&
	test_status 1 perf test --record-ctl nosuch -w noploop 0 2>err && test_grep "is not a control channel" err
'

# ---- perf test itself ----

test_expect_success 'list, by number and by name' '
	perf test list >out && test_grep "^  1: Symbols$" out && [ "$(wc -l <out)" = 10 ] &&
	perf test list CHAINS >out && [ "$(wc -l <out)" = 2 ] &&
	test_status 1 perf test nosuchtest 2>err && test_grep "no test has a name like .nosuchtest." err
'
test_expect_success 'the symbols of this perf, and of another file' '
	perf test -vv -F Symbols >out && test_grep "^  1: Symbols +: Ok$" out && test_grep "[[:space:]]noploop$" out &&
	printf "x" >nofile && test_status 1 perf test --dso nofile 1 >out && test_grep "^  1: Symbols +: FAILED! \(no symbols" out &&
	test_grep "^0 passed, 1 failed, 0 skipped$" out
'
test_expect_success ROOT,PERF_SW,TRACEFS 'all of them pass here, and leave nothing behind' '
	mkdir tmp && TMPDIR=$PWD/tmp perf test >out 2>err && test_cmp /dev/null err &&
	tail -n 1 out >last && echo "10 passed, 0 failed, 0 skipped" >expect && test_cmp expect last && rmdir tmp
'
test_expect_success 'a skip is one, repetitions are several, and JUnit tells the same' '
	perf test -s 1 -r 2 --junit=j.xml 1 2 >out &&
	test_grep "^  1: Symbols +: Skip \(user override\)$" out && test_grep "^2 passed, 0 failed, 1 skipped$" out &&
	python3 - <<-\Y
	import xml.etree.ElementTree as e
	s = e.parse("j.xml").getroot().find("testsuite")
	assert (s.get("tests"), s.get("failures"), s.get("skipped")) == ("3", "0", "1"), s.attrib
	assert [c.get("name") for c in s] == ["Symbols"] + ["Numbers and lists (util)"] * 2
	assert [c.find("skipped") is not None for c in s] == [True, False, False]
	Y
'
test_expect_success ROOT,PERF_SW '-v shows what a failed check did' '
	mkdir gone && cat >fail.sh <<-\Y && chmod +x fail.sh &&
	exec setpriv --reuid=65534 --regid=65534 --clear-groups ./perf-copy test -v "$@"
	Y
	chmod 777 . && TMPDIR=/tmp sh fail.sh tracepoint >out 2>err &&
	test_grep "^  8: Counting a tracepoint +: Skip \(.*\)$" out && test_grep "^0 passed, 0 failed, 1 skipped$" out
'
test_done
