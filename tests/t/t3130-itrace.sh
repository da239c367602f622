#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf script and report --itrace: traces of Intel PT become the instructions that really ran'
. "$(dirname "$0")/lib.sh"

# A program runs step by step (tests/helper/steps), pttrace.py makes the trace of those steps that a CPU would have written, and perf
# must find the steps again.
. "$TEST_DIR/steps.sh"

cat >p.S <<'END'
	.globl _start, leaf, middle, looped, jumped, table_target
	.macro function name
	.type \name,@function
\name:
	.endm
	.text
function _start
	mov $5, %ecx
1:	call middle
	dec %ecx
	jnz 1b
	lea table_target(%rip), %rax
	call *%rax
	call looped
	mov $39, %eax
	syscall
	mov $60, %eax
	xor %edi, %edi
	syscall
	.size _start, .-_start
function middle
	push %rcx
	call leaf
	pop %rcx
	test $1, %cl
	jz 2f
	call jumped
2:	ret
	.size middle, .-middle
function leaf
	mov $3, %edx
3:	dec %edx
	jne 3b
	ret
	.size leaf, .-leaf
function jumped
	lea 4f(%rip), %rax
	jmp *%rax
	nop
4:	ret
	.size jumped, .-jumped
function looped
	mov $40, %ecx
5:	call leaf
	loop 5b
	ret
	.size looped, .-looped
function table_target
	call 6f
6:	pop %rax
	cmp %rax, %rax
	jne 7f
	jmp leaf
7:	ud2
	.size table_target, .-table_target
END
sed -i 's/\tfunction/function/' p.S
cc -nostdlib -static -o p p.S || test_skip_all 'needs an assembler and a linker for static programs'
"$BUILD/helper/steps" ./p >p.steps
# the last one ends the program, and is not behind anything
sed '$d' p.steps >p.want

insns () { perf script -f -i "$1" --itrace=i0nse -F ip >insns 2>insns.err && sed 's/^ *//; s/ .*//' insns; }
branches () { perf script -f -i "$1" --itrace=be -F ip,addr >out 2>err && sed 's/^ *//; s/ *=> */ /' out | grep -v '^0 \| 0$'; }

test_expect_success 'the instructions are those that ran' '
	encode a.data <p.steps && insns a.data >got && test_cmp p.want got && test ! -s insns.err
'

test_expect_success 'and its branches' '
	python3 "$TEST_DIR/pttrace.py" --branches p <p.steps >all && sed "/ 401023$/d" all >want &&
	branches a.data | sed "/^401060 401065$/d" >got && test_cmp want got	# a call of what is next
'

for how in ret=0 tnt=1 "psb=37 ret=0" "mtc=0 psb=90" cyc=1 "cyc=1 mtc=0 tnt=3"; do
	test_expect_success "the same where the CPU writes it otherwise: $how" '
		encode b.data $how <p.steps && insns b.data >got && test_cmp p.want got && test ! -s insns.err
	'
done

test_expect_success 'interrupts: tracing goes off and on, no instruction is lost' '
	awk "NR % 60 == 30 { print \"!int\" } { print }" p.steps >int.steps && encode int.data <int.steps &&
	insns int.data >got && test_cmp p.want got && test ! -s insns.err &&
	perf script -f -i int.data --itrace=b -F flags,ip,addr >out && test $(grep -c "tr end  async" out) = $(($(grep -c int int.steps) + 1)) &&
	grep -q "^  tr strt jmp " out
'

test_expect_success 'lost packets are an error, and all around them is there' '
	awk "NR == 100 || NR == 150 { print \"!hole\" } { print }" p.steps >hole.steps && encode hole.data <hole.steps &&
	perf script -f -i hole.data --itrace=i0nse -F ip >out 2>err &&
	grep -c "^ instruction trace error type 1 time 0.0010486.* cpu 0 pid 100 tid 100 ip 0x4010.* code 7: Overflow packet$" out >n &&
	test "$(cat n)" = 1 && grep -qx "Warning: 1 instruction trace errors" err &&
	sed "s/^ *//" out | grep -v error >got && sed -n "150,\$p" p.want >tail && tail -n $(wc -l <tail) got >got.tail && test_cmp tail got.tail &&
	lines=$(wc -l <got) && test $lines -gt $(($(wc -l <p.want) - 60)) &&
	perf script -f -i hole.data --itrace=i0nse-o -F ip >out 2>err && ! grep error out && test ! -s err
'

test_expect_success 'code that is another one now does not fit' '
	cp p p.kept && at=$(($(nm p | awk "/ middle/ { print \"0x\" \$1 }") - 0x401000 + 0x1000)) &&
	printf "\351\000\000\000\000" | dd of=p bs=1 seek=$((at + 1)) conv=notrunc 2>/dev/null &&
	perf script -f -i a.data --itrace=i0nse -F ip >out 2>err && mv p.kept p && grep -q "code 6: Trace doesn.t match instruction$" out
'

test_expect_success 'and where it is gone that is said once' '
	mv p p.kept && perf script -f -i a.data --itrace=be -F ip,addr >out 2>err && mv p.kept p &&
	grep "trace error" out >got && test $(wc -l <got) = 1 && grep -q "ip 0x401000 code 5: Failed to get instruction$" got
'

test_expect_success 'calls, indented' '
	perf script -f -i a.data --call-trace >out && sed -n "s/^.*)\t//p" out | sed "s/ *$//" | head -9 >got && cat >want <<-\END &&
	    middle
	        leaf
	        jumped
	    middle
	        leaf
	    middle
	        leaf
	        jumped
	    middle
	END
	test_cmp want got && perf script -f -i a.data --call-ret-trace >out && sed -n "3,7s/^.*: //p" out | sed "s/(.*)/()/; s/ *$//" >got &&
	printf "%s\n" "  tr strt jmp           ()	_start" "  call                  ()	    middle" \
		"  call                  ()	        leaf" "  return                ()	        leaf" \
		"  call                  ()	        jumped" >want && test_cmp want got
'

test_expect_success 'of some functions only what they call' '
	perf script -f -i a.data --call-ret-trace --graph-function jumped,table_target >out &&
	sed "s/^.*: //; s/(.*)/()/; s/ *$//" out | sort | uniq -c | sed "s/^ *//" | sort >got && sed "s/|/ ()\t/" >want <<-\END && test_cmp want got
	1   return               |    leaf
	2   call                 |    table_target
	3   call                 |        jumped
	3   return               |        jumped
	END
'

test_expect_success 'instructions with bytes, and as text' '
	perf script -f -i a.data --insn-trace >out && sed -n "1,4s/^.* insn: //p" out >got &&
	printf "%s\n" "b9 05 00 00 00" "e8 22 00 00 00" 51 "e8 0c 00 00 00" >want && test_cmp want got &&
	perf script -f -i a.data --insn-trace=disasm >out && sed -n "3,7s/^.*) *//p" out | tr -s "\t " " " >got &&
	grep -q "^push" got && grep -q "^call" got && grep -q "^dec" got && test_must_fail perf script -f -i a.data --insn-trace=xed 2>err
'

test_expect_success 'instructions per cycle, of CYC packets' '
	encode c.data cyc=1 <p.steps && perf script -f -i c.data --itrace=b -F +ipc,-sym,-symoff,-dso >out &&
	sed -n "s/.*IPC: //p" out | head -3 >got && printf "%s \n" "0.43 (7/16)" "0.12 (2/16)" "0.75 (12/16)" >want && head -2 want >w2 && head -2 got >g2 &&
	test_cmp w2 g2
'

test_expect_success 'ptwrite, transactions and power events' '
	middle=$(nm p | sed -n "s/^0*\(.*\) t middle/\1/p; s/^0*\(.*\) T middle/\1/p") && awk -v m=$middle "{ print } \$1 == m { n++
		if (n == 1) print \"!ptw 0x123456789a\"; else if (n == 2) print \"!tx\"; else if (n == 3) print \"!commit\"
		else if (n == 4) print \"!raw 02 62 02 a2 22 04 00 00 00\" }" p.steps >more.steps &&
	encode more.data config=0x1010 <more.steps && perf script -f -i more.data --itrace=wxpe -F event,synth,ip,flags >out 2>err &&
	grep -q "ptwrite: .*IP: 1 payload: 0x123456789a *40102d$" out && grep -q "transactions: *(x) *40102d$" out &&
	test $(grep -c transactions: out) = 2 && grep -q "exstop: .*IP: 0 " out &&
	grep -q "pwrx: .*deepest cstate: 2 last cstate: 2 wake reason: 0x4 " out && grep -q "cbr: .*cbr: 20 freq: 1000 MHz (100%)" out &&
	insns more.data >got && test_cmp p.want got
'

test_expect_success 'I: interrupts, page faults, exits of guests' '
	awk "{ print } NR == 30 { print \"!raw 02 53 00 44 33 22 11 88 77 66 55\"; print \"!raw 02 53 03 09 00 00 00 00 00 00 00\"
		print \"!raw 02 13 81 0e\" } NR == 60 { print \"!raw 02 13 08 05\" }" p.steps >evt.part &&
	awk "/02 13 81/ { print; print \"!fup\"; next } { print }" evt.part >evt.steps && encode evt.data config=0x80000000 <evt.steps &&
	perf script -f -i evt.data --itrace=I -F event,ip,synth >out 2>err && sed "s/  */ /g; s/^ //; s/ $//" out >got && cat >want <<-\END &&
	evt: cfe: INTR IP: 1 vector: 14 PFA: 0x5566778811223344 EVD_3: 0x9 401043
	evt: cfe: VMEXIT IP: 0 vector: 5 401005
	END
	test_cmp want got && perf script -f -i evt.data -F event >out && test_grep "evt:" out && perf script -f -i evt.data --itrace=b -F event >out &&
	! grep evt out && insns evt.data >got && test_cmp p.want got && perf script -f -i a.data --itrace=I >out && test ! -s out
'

test_expect_success 'report: as many samples as instructions, and call chains' '
	perf report -f -i a.data --stdio --itrace=i1i --sort sym -F sample,sym >out 2>err &&
	nm p | sort >syms && awk "NR == FNR { at[n++] = \$1; name[n - 1] = \$3; next } { ip = sprintf(\"%016s\", \$1); gsub(/ /, \"0\", ip)
		for (i = n - 1; i >= 0 && at[i] > ip; i--); c[name[i]]++ } END { for (f in c) print c[f], f }" syms p.want | sort >want &&
	awk "\$2 == \"[.]\" { print \$1, \$3 }" out | sort >got && test_cmp want got &&
	perf report -f -i a.data --stdio --itrace=i1ig --no-children -g caller -S leaf >out && grep -q "_start" out && grep -q "looped" out
'

test_expect_success '--no-itrace: nothing is decoded; wrong letters are refused' '
	perf script -f -i a.data --no-itrace >out 2>err && test ! -s out && grep -q "not decoded" err &&
	test_must_fail perf script -f -i a.data --itrace=z 2>err && grep -q "there is no letter .z." err &&
	test_must_fail perf script -f -i a.data --itrace=Z 2>err && grep -q "is not made of traces here" err &&
	test_must_fail perf report -f -i a.data --itrace=ig5000 2>err && grep -q "from 1 to 1024" err &&
	test_must_fail perf script -f -i a.data --itrace=e+q 2>err
'

test_expect_success 'cut and damaged traces end with errors, not with a crash' '
	for at in 900 1000 1100 1200; do
		cp a.data bad.data && printf "\377\001\002\003\005\007" | dd of=bad.data bs=1 seek=$at conv=notrunc 2>/dev/null &&
		{ perf script -f -i bad.data --itrace=i0nse >out 2>err || test $? -lt 128; } || return 1
	done
'

compare () {
	"$NEWEST" script -f -i "$1" "${@:2}" >theirs 2>/dev/null; perf script -f -i "$1" "${@:2}" >ours 2>/dev/null
	test_cmp theirs ours
}
test_expect_success NEWEST 'as upstream 7.2 has it: an interrupt' '
	"$NEWEST" script -f -i evt.data --itrace=I --ns -F event,time,ip,synth 2>err | head -n 1 >theirs && perf script -f -i evt.data --itrace=I --ns -F event,time,ip,synth |
	head -n 1 >ours && test -s theirs && test_cmp theirs ours
'
test_expect_success NEWEST 'as upstream 7.2 has it' '
	for f in a.data int.data hole.data c.data; do
		for o in --itrace=be --itrace=i0nse --itrace=i100ie --itrace=i50ig --itrace=c --itrace=r --itrace=ibxwpe --call-trace \
			--call-ret-trace --insn-trace; do
			compare $f $o --ns || return 1
		done
	done
'

intel_pt=$(ls -d $CORPUS/*intel_pt*/perf.data 2>/dev/null | head -1)
# (7.2 says of most files twice that their code is missing.)
test_expect_success NEWEST,CORPUS 'and of a recording of Linux 4.14, whose binaries are not here' '
	test -n "$intel_pt" && for o in be p c r ibwp i100us; do
		"$NEWEST" script -i "$intel_pt" --itrace=$o --ns -F comm,pid,tid,cpu,time,event,ip,addr,flags,period,synth >theirs 2>/dev/null &&
		perf script -i "$intel_pt" --itrace=$o --ns -F comm,pid,tid,cpu,time,event,ip,addr,flags,period,synth >ours 2>/dev/null &&
		grep -v "trace error" theirs >t && grep -v "trace error" ours >o && test_cmp t o || return 1
	done
'

test_done
