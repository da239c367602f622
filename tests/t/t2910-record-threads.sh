#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf record --threads: several files in a directory, written by several threads'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW

# count_files DIR: the samples (records of type 9) in each of its files, a line each; a record that is cut is an error
cat >count.py <<\END
import os, struct, sys
top, names = sys.argv[1], sorted(os.listdir(sys.argv[1]))
for name in [n for n in names if n != "data" and n != "kcore_dir"]:
    bytes, at, n = open(os.path.join(top, name), "rb").read(), 0, 0
    while at < len(bytes):
        type, misc, size = struct.unpack_from("<IHH", bytes, at)
        assert size >= 8 and at + size <= len(bytes), (name, at)
        n += type == 9
        at += size
    print(name, n)
END
count_files () { python3 count.py "$1"; }
# samples_in [-]PERF DIR
samples_in () { "$1" script -i "$2" -F comm,tid,time,event 2>script.err | grep -c .; }
spin='i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'

test_lazy_prereq TWO_CPUS 'taskset -c 0 true && taskset -c 1 true'
test_lazy_prereq WRITES '[ "$(id -u)" = 0 ] && perf stat -e syscalls:sys_enter_write true'

# Two writers, each on one CPU, whose calls are counted: dd writes nothing else.
write_calls='taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=2000 status=none; taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none'

test_expect_success WRITES,TWO_CPUS,PYTHON 'each call is in the file of the thread that reads its CPU' '
	perf record --threads -e syscalls:sys_enter_write -o calls sh -c "$write_calls" >out 2>err && test ! -s out &&
	test_grep "Captured and wrote [0-9.]+ MB calls \(5000 samples\) \]$" err && test "$(wc -l <err)" = 2 &&
	test "$(stat -c %a calls calls/data calls/data.0 | tr "\n" " ")" = "700 600 600 " &&
	count_files calls >files && printf "%s\n" "data.0 2000" "data.1 3000" | test_cmp - files &&
	test "$(perf script -i calls -F comm,time,event | grep -c sys_enter_write)" = 5000 &&
	perf report --stdio -i calls --sort cpu 2>err >report && test ! -s err && test_grep "^# Samples: 5K of event" report &&
	test_grep " 40.00% +000" report && test_grep " 60.00% +001" report
'
test_expect_success WRITES,TWO_CPUS 'they come in the order of time' '
	perf script -i calls -F time 2>err >times && sort -n times | test_cmp - times && test ! -s err
'
test_expect_success WRITES,TWO_CPUS,UPSTREAM 'upstream perf finds all of them' '
	test "$(samples_in "$UPSTREAM" calls)" = 5000 && test ! -s script.err &&
	"$UPSTREAM" report --header-only -i calls >header && test_grep "^# directory data version : 1$" header
'
test_expect_success WRITES,TWO_CPUS,NEWEST 'and so does the newest one' '
	test "$(samples_in "$NEWEST" calls)" = 5000 && test ! -s script.err
'
test_expect_success WRITES,TWO_CPUS 'one thread for both; a CPU that no thread was given is not left out' '
	perf record -q --threads=0-1/0 -e syscalls:sys_enter_write -o one sh -c "$write_calls" &&
	test "$(echo one/*)" = "one/data one/data.0" && test "$(perf script -i one -F time | grep -c .)" = 5000 &&
	perf record --threads=1/0-1 -e syscalls:sys_enter_write -o one sh -c "$write_calls" 2>err &&
	test_grep "CPUs that no thread of --threads was given .0. are read by the first one$" err &&
	test -d one.old && test "$(perf script -i one -F time | grep -c .)" = 5000
'
test_expect_success WRITES,TWO_CPUS,PYTHON 'packed; some CPUs only' '
	perf record -q --threads -z -e syscalls:sys_enter_write -o z sh -c "$write_calls" && test "$(perf script -i z -F time | grep -c .)" = 5000 &&
	perf report --header-only -i z >header && test_grep "^# compressed : Zstd" header &&
	perf record -q --threads -C 1 -e syscalls:sys_enter_write --filter "common_pid != 0" -o c sh -c "$write_calls" &&
	count_files c >files && awk "\$2 >= 3000 { n++ } END { exit n != 1 }" files
'
test_expect_success WRITES,TWO_CPUS,UPSTREAM 'upstream perf unpacks them' '
	test "$(samples_in "$UPSTREAM" z)" = 5000 && test ! -s script.err
'

test_expect_success UPSTREAM 'what upstream perf wrote is read' '
	upstream_record -q --threads -e cpu-clock -c 1000000 -o theirs sh -c "$spin" && n=$(samples_in "$UPSTREAM" theirs) && test "$n" -gt 0 &&
	test "$(samples_in perf theirs)" = "$n" && test ! -s script.err && perf evlist -i theirs >ev && test_grep "^cpu-clock$" ev
'
test_expect_success NEWEST 'also of the newest one, packed' '
	"$NEWEST" record -q --threads -z -e cpu-clock -c 1000000 -o theirs sh -c "$spin" 2>/dev/null && n=$(samples_in "$NEWEST" theirs) &&
	test "$n" -gt 0 && test "$(samples_in perf theirs)" = "$n" && test ! -s script.err
'

test_expect_success PYTHON 'samples said = samples in the files = samples reported, with call chains of both kinds' '
	for opt in "-g" "--call-graph dwarf,4096" "--overwrite" "--tail-synthesize" "--threads=numa" "--threads=core" "--threads=package"; do
		perf record --threads $opt -e cpu-clock -c 1000000 -o k sh -c "$spin" 2>err &&
		n=$(sed -n "s/.*Captured and wrote .*(\([0-9]*\) samples.*/\1/p" err) && test "$n" -gt 0 &&
		test "$(count_files k | awk "{ n += \$2 } END { print n }")" = "$n" &&
		test "$(samples_in perf k)" = "$n" && test ! -s script.err || { echo "$opt"; cat err script.err; return 1; }
	done
'
test_expect_success 'symbols come with the mappings of all files' '
	perf record -q --threads -e cpu-clock -c 1000000 -o k perf test -w noploop 0.3 && perf report --stdio -i k 2>/dev/null >report &&
	test_grep "[0-9]% .* noploop" report && perf buildid-list -H -i k >ids && test_grep "/perf$" ids
'
test_expect_success 'the directory replaces a file, and a file the directory; nothing else is touched' '
	perf record -q -e cpu-clock true && perf record -q --threads -e cpu-clock true && test -f perf.data.old && test -f perf.data/data.0 &&
	perf record -q -e cpu-clock true && test -f perf.data && test -f perf.data.old/data.0 &&
	mkdir other && echo mine >other/file && test_must_fail perf record --threads -e cpu-clock -o other true 2>err &&
	test_grep "^Error: cannot write other: it is a directory$" err && test "$(ls other)" = file
'
test_expect_success 'a command that does not exist leaves nothing' '
	test_status 255 perf record --threads -e cpu-clock -o none nosuchcmd 2>err &&
	echo "Error: cannot run '\''nosuchcmd'\'': No such file or directory" | test_cmp - err && test ! -e none
'

test_expect_success 'what it does not go with: one message each, and nothing is written' '
	for opt in "--per-thread" "--switch-output=1M" "--timestamp-filename" "--embed"; do
		test_status 1 perf record --threads $opt -e cpu-clock -o no true 2>err && test "$(wc -l <err)" = 1 &&
		test_grep "^Error: --threads writes a directory of several files: it does not go with " err && test ! -e no || { echo "$opt"; return 1; }
	done &&
	test_status 1 perf record --threads -e cpu-clock -o - true 2>err >out && test_grep "does not go with standard output$" err && test ! -s out
'
test_expect_success 'what no thread is: one message each' '
	bad () { test_status 129 perf record --threads="$1" -e cpu-clock -o no true 2>err && test_grep "^Error: $2$" err && test_grep "^Hint: .*0,2-3/0-3:1/1$" err; } &&
	bad foo ".foo. does not say which threads there shall be" && bad 0:1 ".0:1. does not say which threads there shall be" &&
	bad 0/0:0/0 "--threads=0/0:0/0: two threads would read CPU 0" &&
	bad 99999/0 "--threads=99999/0: there is no CPU 99999, or it is offline" &&
	bad /0 "--threads=/0: .*" && bad 0/ "--threads=0/: .*" && bad 0/0: "'"'0\/0:'"' does not say which threads there shall be"
'

# ends SIGNAL: a recorder of a long command gets it once it has written something
ends () {
	rm -rf end; perf record --threads -e cpu-clock -c 1000000 -o end sh -c "echo \$\$ >command; exec perf test -w noploop 60" >/dev/null 2>end.err &
	local p=$!

	test_kill_at_end $p
	test_wait_for 60 "[ -n \"\$(find end -name 'data.*' -size +3k 2>/dev/null)\" ]" && kill -$1 $p && { wait $p; echo $? >status; }
}
test_expect_success 'SIGINT ends it: the file is whole' '
	ends INT && test_grep "Captured and wrote" end.err && perf report --stdio -i end >report 2>err && test ! -s err && test_grep "noploop" report
'
test_expect_success 'a killed recorder: what reached the files is read, and that it is not all is said' '
	ends KILL && kill -KILL "$(cat command)" && test "$(samples_in perf end)" -gt 0 && cat script.err &&
	test_grep "^Hint: the recorder was killed, or is still running" script.err
'
test_expect_success ROOT 'a full disk is reported, the command goes on, what was written can be read' '
	mkdir small && { mount -t tmpfs -o size=160k none small 2>/dev/null || { test_skip "no tmpfs can be mounted"; return; }; } &&
	test_status 1 perf record --threads -o small/x -e page-faults -c 1 -g sh -c "i=0; while [ \$i -lt 300 ]; do /bin/true; i=\$((i+1)); done
		echo done >finished" 2>err && cp -r small/x full && umount small && cat err && test_grep "No space left" err && test_grep done finished &&
	test "$(samples_in perf full)" -gt 100 && cat script.err && ! grep -i -e error script.err && perf report --header-only -i full >header && test_grep "^# cmdline" header
'
test_expect_success '--max-size counts all files' '
	test_status 143 perf record --threads --max-size 300k -e page-faults -c 1 -g -o max sh -c "while :; do /bin/true; done" 2>err && test_grep "perf size limit reached" err &&
	test_range bytes "$(cat max/data.* | wc -c)" 150000 2000000
'

test_done
