#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf diff: rows of several recordings side by side, as upstream 7.2 has them'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'perf record -q -o probe.data -e cpu-clock:u true'
export LC_ALL=C.UTF-8 HOME=$PWD/home PERF_BUILDID_DIR=$PWD/home/.debug
mkdir home

cat >work.c <<'END'
#include <stdlib.h>
#define F(n) __attribute__((noinline)) void f##n(long k) { for (volatile long i = 0; i < k; i++) ; }
F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8)
int main(int argc, char **argv)
{
	long k = atol(argv[1]);
	f1(k); f2(argc > 2 ? 2 * k : k); f3(argc > 2 ? k : 2 * k); f4(k / 2); f5(k);
	if (argc > 2) { f6(k / 4); f7(k / 4); } else f8(k / 4);
	return 0;
}
END
record () {	# record FILE EVENTS ARGS...
	perf record -q -o "$1" -F 999 -e "$2" ./work "${@:3}"
}
test_expect_success RECORD,CC 'recordings of two versions of a program' '
	cc -O1 -o work work.c &&
	record old.data cpu-clock:u 320000000 && record new.data cpu-clock:u 320000000 x &&
	record third.data cpu-clock:u 160000000 &&
	record two.data cpu-clock:u,task-clock:u 160000000 && record other.data task-clock:u,page-faults:u 160000000 x
'

same () {	# same ARGS...: byte for byte what upstream prints
	"$NEWEST" diff "$@" >expect 2>/dev/null && [ -s expect ] && perf diff "$@" >actual 2>err && test_cmp expect actual || { cat err; return 1; }
}
while read -r args; do
	test_expect_success RECORD,CC,NEWEST "as 7.2: perf diff $args" "same $args"
done <<-'END'
	old.data new.data
	new.data old.data
	old.data old.data
	-c delta old.data new.data
	-c delta -o 0 old.data new.data
	-c ratio old.data new.data
	-c wdiff:1,2 old.data new.data
	-c wdiff:-3,1 new.data old.data
	-p old.data new.data
	-F old.data new.data
	-F -p -c ratio old.data new.data
	-F -p -c wdiff:1,2 old.data new.data
	-b old.data new.data
	-b -F -p -c delta old.data new.data
	-q old.data new.data
	-t, -p -F old.data new.data
	-t, -c ratio old.data new.data
	-t: -q -c wdiff:1,2 old.data new.data
	-t, -c wdiff:1,1 old.data old.data
	-c wdiff:1,1 old.data old.data
	old.data new.data third.data
	-o 2 old.data new.data third.data
	-o 2 -c delta -p -F old.data third.data new.data
	-o 1 -c wdiff:3,4 old.data new.data third.data
	-t, -c wdiff:3,4 -o 2 old.data new.data third.data
	-o 2 -c ratio old.data new.data third.data
	-b old.data new.data third.data
	two.data other.data
	other.data two.data
	-p two.data old.data
	-q two.data two.data
	-s comm old.data new.data
	-s dso old.data new.data
	-s sym old.data new.data
	-s comm,dso,sym old.data new.data
	-s sym,dso old.data new.data
	-s pid old.data new.data
	-s pid,sym -c delta old.data new.data
	-s cpu old.data new.data
	-s parent old.data new.data
	-C work -s comm,sym old.data new.data
	-d work old.data new.data
	-d work,libc.so.6 --percentage absolute old.data new.data
	--percentage relative -d work old.data new.data
	--pid 1 old.data new.data
	--time 10%-50% old.data new.data
END

test_expect_success CC,X86_64,OBJDUMP,PYTHON 'recordings with branch stacks: with lines of the source, and without' '
	cat >blocks.s <<-\END &&
		.text
		.globl loop
		.type loop,@function
	loop:	test %rdi,%rdi
		jle 4f
		mov $0,%edx
		mov $0,%eax
		jmp 3f
	1:	xor %rdx,%rax
	2:	add $7,%rax
		add $1,%rdx
		cmp %rdx,%rdi
		je 4f
	3:	test $1,%dl
		je 1b
		lea (%rdx,%rdx,2),%rcx
		add %rcx,%rax
		jmp 2b
	4:	ret
		.size loop,.-loop
		.globl other
		.type other,@function
	other:	mov $0,%ecx
		mov $1,%esi
		jmp 3f
	1:	add $2,%rsi
	2:	add $1,%rcx
		cmp %rcx,%rdi
		je 4f
	3:	test $3,%cl
		je 1b
		add %rcx,%rsi
		jmp 2b
	4:	ret
		.size other,.-other
		.globl main
		.type main,@function
	main:	call loop
		call other
		jmp main
		.size main,.-main
		.section .note.GNU-stack,"",@progbits
	END
	cc -g -no-pie -o lines blocks.s && cc -no-pie -o nolines blocks.s &&
	python3 "$TEST_DIR/branches.py" nolines b1.data 3 11,5,4 14,6,20 11,5,6/8 4,10,1 other:8,other:3,30 other:10,other:4,9 &&
	python3 "$TEST_DIR/branches.py" nolines b2.data 3 11,5,9 14,6,21 11,5,6/8 4,10,1 other:8,other:3,31 other:10,other:4,49 &&
	python3 "$TEST_DIR/branches.py" nolines b3.data 2 11,5,9 14,6,21 &&
	python3 "$TEST_DIR/branches.py" lines l1.data 3 11,5,4 14,6,20 11,5,6/8 4,10,1 other:8,other:3,30 other:10,other:4,9 &&
	python3 "$TEST_DIR/branches.py" lines l2.data 3 11,5,9 14,6,21 11,5,6/8 4,10,1 other:8,other:3,31 other:10,other:4,49
'
while read -r args; do
	test_expect_success CC,X86_64,OBJDUMP,PYTHON,NEWEST "as 7.2: perf diff -c cycles $args" "same -c cycles $args"
done <<-'END'
	b1.data b2.data
	b2.data b1.data
	b1.data b3.data
	b3.data b1.data
	l1.data l2.data
	l1.data b1.data
	b1.data b2.data b2.data
	b2.data b1.data b2.data
	-p b1.data b2.data
	-q b1.data b2.data
	-b -s sym b1.data b2.data
	-s comm,sym -o 0 b1.data b2.data
END
test_expect_success CC,X86_64,OBJDUMP,PYTHON 'blocks: a change is that of their cycles' '
	perf diff -c cycles b1.data b2.data >out && test_grep "\[other[+][0-9]+ -> other[+][0-9]+\]   40  " out &&
	perf diff -c cycles --json b1.data b2.data >out && test_grep "cycles_diff.:40," out
'
test_expect_success CC,X86_64,OBJDUMP,PYTHON 'recordings of paths' '
	cat >w.c <<-"END" &&
	int walk(int x)
	{
		int s = 0;
		for (int i = 0; i < x; i++)
			if (i & 1)
				s += i;
			else
				s ^= i;
		return s;
	}
	int main(void) { return walk(100); }
	END
	cc -g -O1 -no-pie -o w w.c && paths () { PYTHONDONTWRITEBYTECODE=1 python3 "$TEST_DIR/branchpaths.py" w walk "$@"; } &&
	blocks () { local out=$1 c; shift; paths $out $(for c; do echo "0x14::0x1e>0xe/$c;0x1e>0xe/6;1>0x21/3"; done); } &&
	blocks c1 5 6 7 9 4 5 6 5 5 && blocks c2 5 16 7 9 4 8 6 5 5 12 && blocks c3 8 8 9 && blocks c4 8 1 50 3 2 1 4 400 && blocks c5 8 &&
	blocks c6 4 9 4 9 4 9 4 9 4 && blocks c7 9 4 9 4 9 4 9 4 4 &&
	paths s1 "0x14::0x1e>0xe/5;1>0x21/5" "0x14::0x1e>0xe/6;1>0x21/6" "0x14::0x1e>0xe/6;1>0x21/6" &&
	paths s2 "0x14::0x1e>0xe/5;1>0x21/5" "0x14::0x1e>0xe/6;1>0x21/6" "0x14::0x1e>0xe/6;2>0x21/6" "0x14::0x11>0x1e/16" &&
	paths s3 "0x11::1>0x21/9" "0x14::0x1e>0xe/5;1>0x21/5" &&
	paths s4 "0x14::0x1e>0xe/5;1>0x21/5" "0x14::0x1e>0xe/6;0x11>0x21/8"
'
while read -r args; do
	test_expect_success CC,X86_64,OBJDUMP,PYTHON,NEWEST "as 7.2: perf diff $args" "same $args"
done <<-'END'
	-c cycles --cycles-hist c1 c2
	-c cycles --cycles-hist c1 c3
	-c cycles --cycles-hist c4 c1
	-c cycles --cycles-hist c1 c4
	-c cycles --cycles-hist c1 c5
	-c cycles --cycles-hist c1 c1
	-c cycles --cycles-hist c6 c7
	-c cycles --cycles-hist b1.data b2.data
	--stream s1 s2
	--stream s2 s1
	--stream c1 c2
	--stream s1 s1
END
# 7.2 has no names and no cycles for paths that began in several places, and of paths that part only what they share.
test_expect_success CC,X86_64,OBJDUMP,PYTHON '--stream: each path as a whole' '
	perf diff --stream s3 s4 >out && [ "$(grep -c "^hot chain" out)" = 3 ] && test_grep -v 0x4 out && test_grep "^hot chain pair 1:$" out &&
	test_grep "^ +cycles: 10, hits: 50.00%.* +cycles: 10, hits: 50.00%$" out && test_grep "^ +cycles: 9, hits: 50.00%$" out &&
	test_grep "cycles: 14, hits: 50.00%$" out && [ "$(grep -c "walk w.c:6$" out)" = 3 ] &&
	perf diff --stream --json s1 s2 >json && python3 -c "
import json
rows = json.load(open(\"json\"))[\"events\"][0][\"rows\"]
assert len(rows) == 2 and rows[0][\"frames\"][1] == \"walk w.c:4\" and rows[0][\"new\"] == {\"cycles\": 10, \"hits_percent\": 75.0}, rows
assert rows[1][\"old\"] == {\"cycles\": None, \"hits_percent\": None}, rows"
'
test_expect_success CC,X86_64,OBJDUMP,PYTHON '--stream, --cycles-hist: what goes with them' '
	test_status 129 perf diff --stream s1 s2 s3 2>err && test_grep "two recordings" err && test_status 129 perf diff --cycles-hist s1 s2 2>err &&
	test_grep "goes with -c cycles" err && test_status 1 perf diff --stream "$TOP/tests/data/small/fp.data" s1 2>err && test_grep "no branch stacks" err
'
test_expect_success RECORD,CC '-c cycles without branch stacks, or functions: said' '
	test_status 1 perf diff -c cycles old.data new.data 2>err && test_grep "no branch stacks" err && test_grep "record -b" err
'

test_expect_success RECORD,CC 'functions by name: the new one is new, the lost one lost' '
	perf diff old.data new.data >out &&
	test_grep "^ {12,16}[+][0-9.]+%  work +\[\.\] f6$" out &&
	test_grep "^ +[0-9.]+% {13}work +\[\.\] f8$" out
'
test_expect_success RECORD,CC 'defaults: perf.data.old and perf.data; one argument is the new one' '
	cp old.data perf.data.old && cp new.data perf.data && perf diff old.data new.data >expect &&
	perf diff >out && test_cmp expect out && perf diff new.data >out && test_cmp expect out &&
	rm perf.data perf.data.old
'
test_expect_success RECORD,CC '-S: what upstream leaves out altogether' '
	perf diff -S f1,f2 old.data new.data >out && test_grep "\[\.\] f1" out && test_grep "\[\.\] f2" out && ! grep f3 out
'
test_expect_success RECORD,CC '--time has one span for each recording' '
	perf diff --time 0%-100%:0%-1% old.data new.data >out && test_grep "f5$" out && ! grep "[+-].*f5$" out
'
test_expect_success RECORD,CC '--where' '
	perf diff --where "sym in f1,f2" old.data new.data >out && test_grep "f2$" out && ! grep "f[3-8]$" out
'
test_expect_success RECORD,CC '--chance: twice the same work differs by chance alone, twice as much does not' '
	perf diff --chance old.data new.data >out && test_grep "[+][0-9.]+% +no  work +\[\.\] f2" out &&
	perf diff --chance -t, old.data old.data >out && test_grep "[+]0.00%  *, *yes" out && ! grep "no *,work" out
'
test_expect_success RECORD,CC,PYTHON 'JSON: each row, with shares that add up' '
	perf diff --json old.data new.data third.data >out.json &&
	python3 -c "
import json
d = json.load(open(\"out.json\"))
assert [f[\"name\"] for f in d[\"files\"]] == [\"old.data\", \"new.data\", \"third.data\"]
(e,) = d[\"events\"]
assert e[\"name\"] == \"cpu-clock:u\"
rows = {r[\"symbol\"]: r for r in e[\"rows\"]}
for f in \"baseline\", \"file1\", \"file2\":
    assert abs(sum(r[f].get(\"pct\") or 0 for r in rows.values()) - 100) < 0.01, f
for r in rows.values():
    d = (r[\"file1\"].get(\"pct\") or 0) - (r[\"baseline\"][\"pct\"] or 0)
    assert r[\"file1\"][\"delta_pct\"] is None or abs(r[\"file1\"][\"delta_pct\"] - d) < 0.001, r
f2 = next(r for s, r in rows.items() if \"f2\" in s)
assert f2[\"file1\"][\"chance\"] is False
"
'
test_expect_success RECORD,CC 'configuration: diff.order, diff.compute' '
	perf diff -o 0 -c ratio old.data new.data >expect &&
	printf "[diff]\n\torder = 0\n\tcompute = ratio\n" >config && PERF_CONFIG=$PWD/config perf diff old.data new.data >out && test_cmp expect out
'
test_expect_success RECORD,CC '-D: the records of all recordings' '
	perf diff -D old.data new.data >out && grep -c "PERF_RECORD_MMAP2" out >n && [ "$(cat n)" -gt 1 ] &&
	test_grep "0x[0-9a-f]+@old.data" out && test_grep "0x[0-9a-f]+@new.data" out
'
test_expect_success RECORD,CC 'what is wrong is said' '
	test_status 129 perf diff -c foo old.data new.data 2>err && test_grep "not a way to compare: .foo." err &&
	test_status 129 perf diff -c wdiff old.data new.data 2>err && test_grep "wdiff:1,2" err &&
	test_status 129 perf diff -c wdiff:1,x old.data new.data 2>err && test_grep "two whole numbers" err &&
	test_status 129 perf diff -o 2 old.data new.data 2>err && test_grep "there are 2 recordings" err &&
	test_status 129 perf diff -t. old.data new.data 2>err && test_grep "cannot separate" err &&
	test_status 129 perf diff -t, --json old.data new.data 2>err && test_grep "exclude each other" err &&
	test_status 1 perf diff -s nokey old.data new.data 2>err && test_grep "unknown --sort key .nokey." err &&
	test_status 1 perf diff nofile old.data 2>err && test_grep "nofile" err &&
	test_status 1 perf diff old.data nofile 2>err && test_grep "nofile" err
'

# Recordings of others: unnamed samples are one row a file there, too, which upstream calls after one of their addresses.
cat >norm.py <<'END'
import re, sys
for line in open(sys.argv[1], errors="replace"):
    line = line.rstrip("\n")
    m = re.match(r"(.*?)(\S+|\[\S+\]) +(\[.\]) 0x[0-9a-f]{16} *$", line)
    if m:
        name = "" if m.group(2) == "[unknown]" else " in " + m.group(2)
        line = "%s%s %s [unknown%s]" % (m.group(1), m.group(2), m.group(3), name)
    line = line.replace("[kernel.vmlinux]", "[kernel.kallsyms]")
    print("#" if line.startswith("# .") else re.sub(" +", " ", line.rstrip()))
END
as_newest () {	# as_newest OLD NEW OPTIONS...
	local old=$(echo "$CORPUS"/*"$1"*/perf.data) new=$(echo "$CORPUS"/*"$2"*/perf.data)
	shift 2
	"$NEWEST" diff --symfs /nonexistent --kallsyms /dev/null "$@" "$old" "$new" 2>/dev/null >theirs
	[ -s theirs ] &&
	perf diff --tolerant --no-inline --symfs /nonexistent --kallsyms /dev/null "$@" "$old" "$new" 2>err >ours &&
	python3 norm.py theirs >expect && python3 norm.py ours >actual && test_cmp expect actual
}
while read -r old new args; do
	test_expect_success NEWEST,CORPUS "as 7.2, but for what samples without a name are called: $old $new $args" "as_newest $old $new $args"
done <<-'END'
	data-4d675c data-68aa5b
	data-4d675c data-97d6a1 -c ratio -p
	data-68aa5b data-97d6a1 -c delta -b
	busy.0-3.4 callgraph-3.4
	callgraph-3.4 callgraph_and_branch-3.8
	callgraph_and_branch-3.8 group_desc-4.14
	i686-3.4 intel_pt-4.14
	intel_pt-4.14 numatopology-3.2
	numatopology-3.2 singleprocess-3.8 -s comm
	systemwide.1-3.4 i686-3.4 -c wdiff:1,2
	systemwide.1-3.4 systemwide.5-3.8 -s cpu
	systemwide.1-3.4 i686-3.4 -s dso -o 0
	form-bench embedded_audio_transcoder-perf.data-4d675c
	perfparser-cpp-inlining perfparser-perf.data-7a0cb4
	perfparser-perf.data-7a0cb4 perfparser-perf.data-e82ad7 -F
	SeismicCode autofdo
END
test_done
