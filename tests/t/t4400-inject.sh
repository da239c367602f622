#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf inject: code of JIT compilers, build-ids, pipes'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC
test_workload jit

# rows FILE: "samples dso symbol" of the code that was made
rows () {
	perf report -i "$1" --stdio -F sample,dso,sym 2>rows.err |
		awk '$NF ~ /^jit_/ { sub(/jitted-[0-9]+-/, "N-", $2); print $1, $2, $NF }' >rows
}

test_expect_success 'a function has the samples that it was given, and so has the next one at its place, and where that moved' '
	mkdir dump && ./jit dump >/dev/null && rm dump/* &&
	perf record -q -k mono -e page-faults:u -c 1 -o jit.data ./jit dump >out 2>err &&
	perf inject -v -j -i jit.data -o jitted.data 2>err &&
	test_grep "3 pieces of code loaded and 1 moved in 1 jitdump" err &&
	rows jitted.data &&
	printf "%s\n" "160 N-1.so jit_second" "40 N-0.so jit_first" "20 N-2.so jit_lines" >expect &&
	test_cmp expect rows
'

test_expect_success PYTHON 'a dump of this machine is that of a recording of another one only if it is the very file' '
	python3 -c "
import os
name = os.uname().nodename.encode()
data = open(\"jit.data\", \"rb\").read()
at = data.index(name + bytes(1))
open(\"other.data\", \"wb\").write(data[:at] + b\"@\" + data[at + 1:])" &&
	perf report --header-only -i other.data >header && test_grep "^# hostname : @" header &&
	perf inject -j -i other.data -o other.jit.data && rows other.jit.data && test_cmp expect rows &&
	d=$(echo dump/jit-*.dump) && cp $d kept && cp $d copy && mv copy $d &&
	! perf inject -j -i other.data -o other.jit.data 2>err &&
	test_grep "^Error: .*jit-[0-9]*.dump. is of this machine, and the recording of .@.*.: not used" err &&
	test_grep "^Hint: -f takes it all the same" err &&
	perf inject -f -j -i other.data -o other.jit.data && rows other.jit.data && test_cmp expect rows &&
	perf inject -j -i jit.data -o jitted.data && rows jitted.data && test_cmp expect rows
'

test_expect_success 'without inject there is no name' '
	rows jit.data && ! test -s rows
'

test_expect_success 'source lines that the compiler told' '
	perf report -i jitted.data --stdio -s srcline -F sample,srcline 2>/dev/null >out &&
	test_grep "20 *made.x:11" out
'

test_expect_success 'the same again gives the same' '
	perf inject -j -i jit.data -o again.data &&
	cmp jitted.data again.data
'

test_expect_success UPSTREAM 'upstream perf reads the result as we do' '
	"$UPSTREAM" report -i jitted.data --stdio -s dso,sym -n 2>/dev/null | awk "\$NF ~ /^jit_/ { print \$2, \$NF }" >rows &&
	printf "%s\n" "160 jit_second" "40 jit_first" "20 jit_lines" >expect &&
	test_cmp expect rows
'

test_expect_success 'without -k mono the times are estimated, and it says so' '
	mkdir other && perf record -q -e page-faults:u -c 1 -o nomono.data ./jit other >/dev/null &&
	perf inject -j -i nomono.data -o nomono.jit.data 2>err &&
	test_grep "not made with -k mono" err
'

test_expect_success 'a dump that is gone, damaged, cut' '
	rm -f nomono.jit.data && cp other/jit-*.dump saved && file=$(ls "$PWD"/other/jit-*.dump) &&
	rm "$file" &&
	test_status 1 perf inject -j -i nomono.data -o nomono.jit.data 2>err &&
	test_grep "cannot open .$file., which process" err &&
	echo text >"$file" &&
	test_status 1 perf inject -j -i nomono.data -o nomono.jit.data 2>err &&
	test_grep "it is no jitdump file" err &&
	head -c 300 saved >"$file" &&
	perf inject -j -i nomono.data -o nomono.jit.data 2>err &&
	test_grep "ends within a record" err
'

test_expect_success ROOT 'a stranger'"'"'s dump is refused; -f takes it' '
	cp saved "$file" && chown 12345 "$file" &&
	test_status 1 perf inject -j -i nomono.data -o nomono.jit.data 2>err &&
	test_grep "belongs to user 12345" err &&
	perf inject -f -j -i nomono.data -o nomono.jit.data
'

test_expect_success 'without any dump there is a word about it, and a copy' '
	perf record -q -e page-faults:u -c 1 -o plain.data true &&
	perf inject -j -i plain.data -o copy.data 2>err &&
	test_grep "no process of the recording mapped a jitdump" err &&
	perf script -i plain.data >expect 2>/dev/null && perf script -i copy.data >out 2>/dev/null &&
	test -s out && test_cmp expect out
'

# frames FILE: the stacks of the page faults in touch_pages, as "count frame<frame<..." up to main
frames () {
	perf script --no-inline -i "$1" -F ip,sym 2>frames.err | awk '
		NF { s = s (s ? "<" : "") $2; if ($2 == "main") over = 1; next }
		s ~ /^touch_pages/ { sub(/<main<.*/, "<main", s); n[s]++ } { s = "" } END { for (s in n) print n[s], s }' | sort -rn
}
test_expect_success X86_64 'code without frame pointers, whose unwind tables come with the dump: stacks stay until inject knows them' '
	cc -O1 -o jitframes "$TEST_DIR/../workloads/jitframes.c" && mkdir -p frames &&
	for way in dwarf dwarf,8192,raw; do
		perf record -k mono --call-graph $way -e page-faults:u -c 1 -o frames.data ./jitframes frames 2>err &&
		{ test $way != dwarf || test_grep "copies: .* jitdump" err; } &&
		perf inject -j -i frames.data -o frames.jit.data && frames frames.jit.data >out &&
		echo "40 touch_pages<jit_inner<middle<jit_outer<main" >expect && test_cmp expect out || return 1
	done
	perf record -k mono --call-graph dwarf -e page-faults:u -c 1 -o fplain.data ./jitframes frames plain 2>err && ! grep copies err
'

test_expect_success 'build-ids: of what was hit, of all' '
	perf record -q -B --no-buildid-mmap -e page-faults:u -c 1 -o noids.data true &&
	perf inject -b -i noids.data -o ids.data && perf buildid-list -i ids.data >hit &&
	perf inject --buildid-all -i noids.data -o all.data && perf buildid-list -i all.data >all &&
	test_grep "libc" hit && ! comm -23 <(sort hit) <(sort all) | grep . &&
	libc=$(awk "/libc/ { print \$2 }" hit) &&
	test "$(perf buildid-list -i "$libc")" = "$(awk "/libc/ { print \$1 }" hit)"
'

test_expect_success 'build-ids in the records of mappings' '
	perf inject -B -i noids.data -o mmap2.data &&
	perf script --show-mmap-events -i mmap2.data 2>/dev/null | grep "MMAP2.*libc" >out &&
	test_grep "<$(awk "/libc/ { print \$1 }" hit)>" out
'

# maps FILE: those of files, and the addresses of the samples with names
maps () { perf script --show-mmap-events -i "$1" 2>/dev/null | sed -n "s/.*MMAP2.*: r-xp \(\/.*\)/\1/p" | sort; }
test_expect_success '-B leaves out mappings without samples, --mmap2-buildid-all none; names are the same' '
	cc -xc -o burn - <<-\EOF &&
	#include <time.h>
	volatile long sink;
	int main(void) { while (clock() < CLOCKS_PER_SEC / 10) for (int i = 0; i < 100000; i++) sink += i; return 0; }
	EOF
	perf record -q -B --no-buildid-mmap -e cpu-clock:u -F 199 -o some.data ./burn && perf script -i some.data -F ip,sym,dso >expect &&
	perf inject -B -i some.data -o used.data && perf inject --mmap2-buildid-all -i some.data -o every.data &&
	grep -o "/[^)]*" expect | sort -u >want && maps used.data >out && test_cmp want out &&
	maps some.data >want && maps every.data >out && test_cmp want out && test_grep ld- out &&
	for f in used every; do perf script -i $f.data -F ip,sym,dso >out && test_cmp expect out || return 1; done &&
	id=$(perf buildid-list -i burn) && { test -z "$id" || test "$(perf script --show-mmap-events -i used.data | grep -c "<$id>.*/burn")" = 1; }
'

test_expect_success 'through pipes' '
	perf record -q -e page-faults:u -c 1 -o - true | perf inject -b | perf report -i - --stdio >out 2>err &&
	test_grep "page-faults" out && test_grep "libc" out &&
	perf inject -i plain.data -o - | perf script -i - >out 2>/dev/null &&
	perf script -i plain.data >expect 2>/dev/null &&
	test_cmp expect out
'

test_expect_success 'what cannot be is said' '
	test_status 1 perf inject -i plain.data -o plain.data 2>err && test_grep "at the same time" err &&
	perf record -q -e page-faults:u -c 1 -o - true >pipe.data &&
	(cat pipe.data | test_status 1 perf inject -j -o out.data) 2>err && test_grep "reads the recording twice" err &&
	perf inject --itrace=i -i plain.data -o out.data 2>err && test_grep "there is no trace that --itrace decodes" err &&
	test_status 1 perf inject -s -i plain.data -o out.data 2>err && test_grep "timehist" err &&
	test_status 129 perf inject -i plain.data -o out.data extra 2>err &&
	test_status 1 perf inject -i nothere.data -o out.data 2>err && test_grep "nothere.data" err
'

test_expect_success NODE 'node: the function that burns the time has a name' '
	cat >burn.js <<-\EOF &&
	function burn(n) { let a = 1; for (let i = 0; i < n; i++) a = (a * 31 + i) & 0xffffff; return a; }
	let sum = 0;
	while (process.cpuUsage().user < 700000) sum += burn(100000);
	EOF
	perf record -q -k mono -e task-clock:u -F 499 -o node.data node --perf-prof --interpreted-frames-native-stack burn.js &&
	perf inject -j -i node.data -o node.jit.data &&
	perf report -i node.jit.data --stdio -s dso,sym -F sample,dso,sym 2>/dev/null >out &&
	grep -E "jitted-[0-9]+-[0-9]+.so .*(JS|LazyCompile|Function):.burn" out | awk "{ n += \$1 } END { exit n < 10 }"
'

test_done
