#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='exit statuses: one table for all commands, as perf(1) has it'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq TRACEPOINTS 'needs root and tracepoints' 'test_have ROOT,TRACEFS,SYSCALLS'

# statuses COMMAND...: with a program that ends by itself, by a signal, and one that cannot be run
statuses () {
	test_status 0 "$@" true >out 2>&1 && test_status 7 "$@" sh -c "exit 7" >out 2>&1 &&
	test_status 143 "$@" sh -c "kill \$\$" >out 2>&1 && test_status 255 "$@" ./nosuch >out 2>err &&
	grep -x "Error: cannot run .\./nosuch.: No such file or directory" err && [ "$(grep -c "Error: " err)" = 1 ] &&
	test_status 255 "$@" /etc/passwd >out 2>err && grep "^Error: cannot run ./etc/passwd.: Permission denied" err
}

for c in stat "stat record -o a.data" "record -N -o a.data"; do
	test_expect_success PERF_SW "perf $c: the status of the program" 'statuses perf $c -e dummy:u'
done
for c in trace "trace -s" "trace --no-bpf" "trace record -o a.data" "sched record -o a.data" "timechart -o a.data record"; do
	test_expect_success TRACEPOINTS "perf $c: the status of the program" 'statuses perf $c'
done

test_expect_success PERF_SW 'stat: what is wrong with the events or targets is no program that cannot be run' '
	for o in "-p x" "-t ," "-C x" "-u nosuchuser"; do
		test_status 1 perf stat $o true >out 2>err && [ "$(grep -c "^Error: " err)" = 1 ] || { cat err; return 1; }
	done
'

# What is left of a recording is shown, and the status says that it was not all: files that end in their data, and some where the last
# quarter of the data is zero (the sections after it, with the formats of tracepoints, are whole).
small=$TOP/tests/data/small
cut () { head -c $(($(stat -c %s "$1") * 3 / 4)) "$1"; }
blank () {
	local at
	read -r -a at < <(od -An -tu8 -j40 -N16 "$1") &&
	cp "$1" "$2" && dd if=/dev/zero of="$2" bs=1 seek=$((at[0] + at[1] * 3 / 4)) count=$((at[1] / 4)) conv=notrunc status=none
}
for f in fp stat zstd pipe; do cut "$small/$f.data" >$f.data; done
mv fp.data cut.data && blank "$small/sched.data" sched.data

# damaged COMMAND...: 1 with something shown and one error; 0 with --tolerant, and the same is shown
damaged () {
	test_status 1 "$@" >out 2>err && grep "^Warning: .*\.data: " err && [ "$(grep -c "^Error: " err)" = 1 ] &&
	grep -x "Error: the recording is damaged: what is shown is what could be read" err && [ "$(sed -n "\$p" err)" = "Hint: with --tolerant that is no failure" ] &&
	rm -f o.* && "$@" --tolerant >out2 2>err2 && test_grep -v "^Error" err2 && test_cmp out out2
}
while read -r c; do
	test_expect_success "damaged: perf ${c%% -i*}" 'damaged perf $c && [ "$(cat out o.* err2 2>/dev/null | wc -l)" -gt 3 ]'
done <<-\EOT
report --stdio -i cut.data
report --stdio -i zstd.data
report --stdio -i pipe.data
report --json -i cut.data
report --stats -i cut.data
report --header-only -i cut.data
script -i cut.data
script -D -i cut.data
script --header-only -i cut.data
evlist -i cut.data
buildid-list -i cut.data
buildid-cache -M cut.data
data convert -f --to-json o.json -i cut.data
data convert -f --to-trace-json o.json -i sched.data
inject -b -i cut.data -o o.data
sched latency -i sched.data
sched map -i sched.data
sched timehist -i sched.data
sched script -i sched.data
timechart -i sched.data -o o.svg
trace -i sched.data
stat report -i stat.data
EOT

test_expect_success PERF_SW 'damaged: archive' '
	perf record -e cpu-clock -c 100000 -g -o a.data perf version >out 2>&1 && cut a.data >b.data && cat b.data >a.data &&
	test_status 1 perf archive -i a.data >out 2>err && [ -s a.data.tar.* ] && grep "^Error: the recording is damaged" err &&
	perf archive --tolerant -i a.data
'

test_expect_success 'damaged: a whole one is no failure' '
	for f in fp sched zstd pipe stat dwarf; do
		perf evlist -i "$small/$f.data" >out && [ -s out ] && perf script -i "$small/$f.data" >out 2>err && [ -s out ] || return 1
		test_grep -v "damaged|cut off" err || return 1
	done
'

test_expect_success 'the table is in perf(1)' '
	sed -n "/^EXIT STATUS/,/^ENVIRONMENT/p" "$TOP/Documentation/perf.txt" >table &&
	for s in 0 1 "128 . n" 129 255; do grep -x "$s::" table || return 1; done
'

test_done
