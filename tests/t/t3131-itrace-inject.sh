#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='inject --itrace, traces in pipes, quick decoding and last branches'
. "$(dirname "$0")/lib.sh"

. "$TEST_DIR/steps.sh"

cat >p.S <<'END'
	.globl _start, leaf, middle
	.text
	.type _start,@function
_start:	mov $3, %ecx
1:	call middle
	dec %ecx
	jnz 1b
	mov $60, %eax
	xor %edi, %edi
	syscall
	.size _start, .-_start
	.type middle,@function
middle:	call leaf
	lea leaf(%rip), %rax
	call *%rax
	ret
	.size middle, .-middle
	.type leaf,@function
leaf:	mov $2, %edx
2:	dec %edx
	jne 2b
	ret
	.size leaf, .-leaf
END
cc -nostdlib -static -o p p.S || test_skip_all 'needs an assembler and a linker for static programs'
"$BUILD/helper/steps" ./p >p.steps
encode a.data <p.steps || exit 1
awk 'NR % 20 == 10 { print "!int" } { print }' p.steps | encode int.data
encode psb.data psb=16 <p.steps
awk 'NR == 20 || NR == 30 { print "!hole" } { print }' p.steps | encode hole.data
fields="--ns -F comm,pid,tid,cpu,time,event,ip,sym,period"

for o in i0nse be ibxwpe i5ige; do
	test_expect_success "inject --itrace=$o: the samples in place of the trace" '
		for f in a int hole; do
			perf script -f -i $f.data --itrace='$o' $fields >want 2>err && perf inject -f -i $f.data --itrace='$o' -o plain.data 2>err &&
			perf script -i plain.data $fields >got 2>err2 && test -s got && test_cmp want got && test ! -s err2 &&
			perf script -D -i plain.data >dump 2>err && ! grep -q "RECORD_AUX \|AUXTRACE_INFO\|RECORD_AUXTRACE size\|ITRACE_START" dump || return 1
		done
	'
done

test_expect_success 'the events of it, and what is said' '
	perf inject -f -i a.data --itrace=ibw -v -o plain.data 2>err && test_grep "samples were made of traces" err &&
	perf evlist -i plain.data >got && printf "%s\n" intel_pt//u dummy:u branches:u instructions:u ptwrite >want && test_cmp want got &&
	perf inject -f -i a.data --itrace=ib --strip -o strip.data && perf script -D -i strip.data >out && ! grep -q "SWITCH" out &&
	perf script -i plain.data $fields >want && perf script -i strip.data $fields >got && test_cmp want got &&
	test_must_fail perf inject -f -i a.data --strip -o x.data 2>err && test_grep "[-]-strip needs --itrace" err && test ! -e x.data &&
	perf inject -i plain.data --itrace -o again.data 2>err && test_grep "there is no trace that --itrace decodes" err &&
	perf script -i again.data $fields >got && test_cmp want got
'

test_expect_success 'without --itrace the trace is copied; so is one to a pipe' '
	perf inject -f -b -i a.data -o copy.data 2>err && test ! -s err && perf script -i copy.data --itrace=be $fields >got &&
	perf script -f -i a.data --itrace=be $fields >want && test_cmp want got &&
	perf inject -f -i a.data -o - >pipe.data && perf script -i pipe.data --itrace=be $fields >got && test_cmp want got
'

test_expect_success 'a trace that comes through a pipe' '
	perf script -f -i a.data --itrace=be $fields >want && cat pipe.data | perf script -i - --itrace=be $fields >got 2>err && test_cmp want got && test ! -s err &&
	perf script -f -i a.data --itrace=i1i -F ip >want && cat pipe.data | perf script -i - --itrace=i1i -F ip >got && test_cmp want got &&
	cat pipe.data | perf report --stdio -q -i - --itrace=i1i -s sym >got 2>err && perf report -f --stdio -q -i a.data --itrace=i1i -s sym >want && test_cmp want got &&
	cat pipe.data | perf inject --itrace=be | perf script -i - $fields >got && perf script -f -i a.data --itrace=be $fields >want && test_cmp want got &&
	cat pipe.data | perf inject | perf script -i - --itrace=be $fields >got && test_cmp want got &&
	mkdir nothing && chmod 555 nothing && cat pipe.data | perf script -i - --no-itrace >got 2>err && test ! -s got && test_grep "are not decoded" err &&
	cat pipe.data | test_must_fail env TMPDIR=$PWD/absent perf script -i - --itrace=be 2>err && test_grep "goes into a file in TMPDIR" err
'

test_expect_success 'last branches' '
	perf script -f -i a.data --itrace=i0nsl2s9 -F ip,brstack >out && sed -n "1,3s/  */ /gp" out | sed "s/ *$//" >got && cat >want <<-\END && test_cmp want got
	 40101c 0x40102f/0x40101c/-/-/-/0//- 0x40102d/0x40102b/-/-/-/0//-
	 401023 0x40102f/0x40101c/-/-/-/0//- 0x40102d/0x40102b/-/-/-/0//-
	 401026 0x401023/0x401026/-/-/-/0//- 0x40102f/0x40101c/-/-/-/0//-
	END
'
test_expect_success 'quick: only where packets say that the program is; quicker: only at a PSB' '
	perf script -f -i a.data --itrace=qbi0ns -F event,ip,addr,flags >out && sed "s/  */ /g; s/^ //; s/ $//" out >got && cat >want <<-\END && test_cmp want got &&
	instructions:u: 0 401000
	branches:u: tr strt jmp 0 => 401000
	instructions:u: 0 401000
	instructions:u: 0 401026
	instructions:u: 0 401026
	instructions:u: 0 401026
	instructions:u: tr end async 0 401015
	branches:u: tr end async 401015 => 0
	END
	perf script -f -i psb.data --itrace=qqbi0ns -F event,ip >out && sed "s/  */ /g; s/^ //" out >got &&
	{ echo 401000; awk "NR > 16 && NR % 16 == 1" p.steps; } | sed "s/^/instructions:u: /" >want && test_cmp want got
'

test_expect_success 'letters that are refused say what to do' '
	for c in Z; do
		test_must_fail perf script -f -i a.data --itrace=i$c 2>err && test_grep "[-]-itrace: .$c. is not made of traces here" err && test_grep "Hint: " err || return 1
	done &&
	perf script -f -i a.data --itrace=b >want && perf script -f -i a.data --itrace=boITfmta >got && test_cmp want got &&
	test_must_fail perf script -f -i a.data --itrace=il2000 2>err && test_grep "from 1 to 1024" err
'

# A chain by the steps themselves: where calls return to, as long as the step is not reached. Steps are ticks, of which the trace tells each
# eighth: the branches up to there are known. The fifth step is in the first call of leaf, the fifteenth in the second.
test_expect_success 'G: chains of samples of other events; L: their last branches' '
	encode s.data sample=5 <p.steps && perf script -f -i s.data --itrace=G -F event,ip,sym >out &&
	[ $(grep -c "^ *cycles:u:" out) = $(($(wc -l <p.steps) / 5)) ] && awk "\$1 == \"cycles:u:\" { getline; print \$1 }" out >got &&
	awk "NR % 5 == 0 { print \$1 }" p.steps >want && test_cmp want got && sed -n "2,4p; 12,14p" out | tr -s "\t " " " >got &&
	printf " %s\n" "40102b leaf" "40101c middle" "40100a _start" "40102b leaf" "401025 middle" "40100a _start" >chain && test_cmp chain got &&
	perf script -f -i s.data --itrace=L3 -F ip,brstack >out && sed "s/^ *//; s/ .*//" out >got && test_cmp want got &&
	awk "NR > 4 && NF != 4" out >odd && test ! -s odd && perf script -f -i s.data --itrace=L3G -F ip,sym,brstack >out && test_grep "_start" out &&
	perf report -f -i s.data --stdio -q --no-children -g caller -s sym >out 2>err && test_grep "_start" out && test_grep "middle" out &&
	perf report -f -i s.data --stdio -q --itrace=e -s sym >out && ! grep -q -- "--" out &&
	perf report -f -i s.data --stdio -q --itrace=L -b -s symbol_from,symbol_to >out && test_grep "leaf .*leaf" out &&
	test_must_fail perf inject -f -i s.data --itrace=G -o x.data 2>err && test_grep "perf script and perf report have them" err && test ! -e x.data
'

test_expect_success 'd: a log of packets and instructions; d+e: only around errors' '
	perf script -f -i a.data --itrace=d >out && test ! -s out && sed -n "s/^          0*\([0-9a-f]*\):.*/\1/p" intel_pt.log >got &&
	sed "\$d" p.steps >want && test_cmp want got && [ "$(grep -c "^  0.* PSB$" intel_pt.log)" = 1 ] &&
	perf script -f -i a.data --itrace=d+o >out && test_cmp intel_pt.log out && ! grep -q ERROR out &&
	perf script -f -i a.data --itrace=d+o+e >out && test ! -s out && perf script -f -i hole.data --itrace=d+o+e >out &&
	tail -n 1 out >got && test_grep "^ERROR: Overflow packet: cpu 0 pid 100 tid 100 time 10485[0-9]* ip 0x401" got &&
	[ $(wc -c <out) -lt 17000 ] && test_must_fail perf script -f -i a.data --itrace=d+a 2>err && test_grep "the log has no records of the kernel" err &&
	mkdir -p closed/intel_pt.log && cd closed && test_must_fail perf script -f -i ../a.data --itrace=d 2>err && test_grep "intel_pt.log" err
'

. "$TEST_DIR/alike.sh"
# Upstream leaves out the address of the sample where there are callers. Where tracing ends it is one branch behind.
without_own () { awk '/cycles:u:/ { print; getline own; getline; if (NF == 0) print own } { print }'; }
test_expect_success NEWEST 'as upstream 7.2 has it: G and L' '
	for n in 3 7; do
		encode s.data sample=$n <p.steps || return 1
		for o in L L4 bL lL; do
			for p in "$NEWEST" perf; do
				$p script -f -i s.data --itrace=$o --ns -F event,time,ip,sym,brstack 2>err | grep -v " 40101[0-9] _start" >$([ "$p" = perf ] && echo ours || echo theirs) || return 1
			done && test -s theirs && theirs_are_ours $n $o || return 1
		done && for o in G G16 bG; do
			"$NEWEST" script -f -i s.data --itrace=$o --ns -F event,time,ip,sym >theirs 2>err &&
			perf script -f -i s.data --itrace=$o --ns -F event,time,ip,sym | without_own >ours && theirs_are_ours $n $o || return 1
		done || return 1
	done
'
packets_logged () { sed -n "/ PAD$/d; /^  0/p" intel_pt.log; rm intel_pt.log; }
test_expect_success NEWEST 'as upstream 7.2 has it: the packets of the log' '
	for f in a int hole psb; do
		"$NEWEST" script -f -i $f.data --itrace=d 2>err && packets_logged >theirs && perf script -f -i $f.data --itrace=d &&
		packets_logged >ours && test -s theirs && test_cmp theirs ours || return 1
	done
'
inject_both () {
	"$NEWEST" inject -i "$1" -o theirs.data --itrace=$2 2>err && perf inject -i "$1" -o ours.data --itrace=$2 2>err
}
attrs () { "$NEWEST" evlist -v -i $1 | sed "s/size: [0-9]*//"; }
what_is_in () {
	"$NEWEST" script --ns -i $1 2>err | grep -v "trace error"
	perf report --stdio -q -s comm,dso -i $1 2>err
}

times_differ () { case $1 in psbi*|psbb*) return 0 ;; *) return 1 ;; esac; }	# around a PSB

test_expect_success NEWEST 'as upstream 7.2 has it: decoding' '
	for f in a int hole psb; do
		for o in i3il i0nsl16 i5igl bl xwpl qb qi0ns qi100i qqb qqi0ns qqbp qbp qbc qi0nspe qibpe qqibpe; do
			times_differ $f$o || alike script -f -i $f.data --itrace=$o --ns -F +brstack,+ip,+flags || return 1
		done || return 1
	done
'
test_expect_success NEWEST 'as upstream 7.2 has it: inject' '
	for f in a int hole; do
		for o in be i1ie ibxwpe i5ige i3ilwpe "ibe --strip"; do
			inject_both $f.data "$o -f" || return 1
			for p in "$NEWEST" perf; do
				alike_results $p script --ns && alike_results $p report --stdio -q &&
				alike_results $p evlist || return 1
			done || return 1
			attrs theirs.data >theirs && attrs ours.data >ours && test_cmp theirs ours || return 1
		done || return 1
	done
'
intel_pt=$(ls -d $CORPUS/*intel_pt*/perf.data 2>/dev/null | head -1)
test_expect_success NEWEST,CORPUS 'and of a recording of Linux 4.14, whose binaries are not here' '
	test -n "$intel_pt" && for o in be ibwpe i100usgl; do
		inject_both "$intel_pt" $o && what_is_in theirs.data >theirs && what_is_in ours.data >ours &&
		test -s theirs && test_cmp theirs ours || return 1
	done
'
test_done
