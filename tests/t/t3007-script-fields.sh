#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf script: fields and options on recordings of many kinds, byte by byte as the newest upstream perf'
. "$(dirname "$0")/lib.sh"

test_require CC,X86_64,OBJDUMP
cat >code.s <<'EOT'
	.text
	.globl one
	.type one,@function
one:	nop
	call two
	nopw 0x0(%rax,%rax,1)
	jmp *%rax
	.byte 0x66,0x66,0x66,0x66,0x66,0x2e,0x0f,0x1f,0x84,0,0,0,0,0
	ret
	.size one,.-one
	.globl two
	.type two,@function
two:	movabs $0x1122334455667788,%rax
	lea one(%rip),%rdi
	test %eax,%eax
	je 1f
	nop
1:	jmp *one(%rip)
	rep ret
	nop
	clc
	nop
	.size two,.-two
	.globl main
	.type main,@function
main:	call one
	jmp main
	.size main,.-main
	.globl big
	.type big,@function
big:	.rept 20000
	nop
	.endr
	ret
	.size big,.-big
	.section .note.GNU-stack,"",@progbits
EOT
. "$TEST_DIR/kinds.sh"
gcc -g -no-pie -o code code.s && py branchcode.py code code.data &&
	py branches.py loop counted.data 8 10,2,12/10,-,2/1/1/0 5,8,4,-,0/3 10,2,20,-,1/0 counters=2 || exit 1

# Of the corpus no file is here, whatever it is called.
same () {
	local file=$1 away=
	shift
	case $(readlink $file) in */corpus/*) away="--symfs /nonexistent" ;; esac
	"$NEWEST" script -i $file $away "$@" >expect 2>err.upstream
	[ -s expect ] || { echo "upstream has nothing: $file $*"; return 1; }
	perf script -i $file $away "$@" >actual 2>err && cmp -s expect actual && return
	echo "$file $*"
	cat err
	diff expect actual | head -n 20
	return 1
}

test_expect_success NEWEST 'code between branches' 'all 16 <<-\EOT
	code.data -F time,ip,sym,brstackinsn
	code.data -F time,ip,sym,brstackinsnlen,srcline
	code.data -F ip,brstackinsn,srccode
	code.data -F ip,sym,srcline,brstackinsn,srccode
	code.data -F brstackinsn
	code.data -F ip,sym,brstackinsn,brstacksym,insn
	code.data -F +brstackinsn --max-blocks 1
	loop.data -F +brstackinsn
	loop.data -F +brstackinsnlen --max-blocks 3
	loop.data -F ip,brstackinsn,srcline
	far.data -F +brstackinsn,+brstack
	far.data -F +brstackinsnlen,+brstacksym
	counted.data -F +brstackinsn,+brcntr
	counted.data -F ip,brstackinsnlen,brcntr
	br414.data -F +brstackinsn
	autofdo.data -F +brstackinsnlen
	EOT
'
test_expect_success NEWEST 'branch stacks' 'all 15 <<-\EOT
	loop.data -F +brstack
	loop.data -F +brstacksym
	loop.data -F ip,brstackoff
	loop.data -F ip,dso,brstack
	loop.data -F +brstack,+brstacksym
	far.data -F comm,brstack
	counted.data -F +brcntr
	counted.data -F brstacksym,brcntr
	br38.data -F ip,brstack
	br38.data -F time,brstacksym
	br414.data -F +brstack
	br414.data -F comm,brstack,brstacksym
	autofdo.data -F +brstack
	autofdo.data -F ip,brstacksym
	both.data -F time,brstack
	EOT
'
test_expect_success NEWEST 'instructions, and lines of the source' 'all 10 <<-\EOT
	code.data -F ip,insn,insnlen,srcline
	code.data -F time,ip,srccode
	code.data -F +insn
	code.data -F ip,sym,srcline,srccode
	loop.data -F +insn,+insnlen
	loop.data -F +srcline
	loop.data -F +srccode
	plain.data -F ip,insn
	br414.data -F +insn
	br414.data -F +insnlen
	EOT
'
test_expect_success NEWEST 'memory' 'all 12 <<-\EOT
	plain.data
	plain.data -F addr
	plain.data -F +weight,+data_src,+addr
	plain.data -F +ins_lat,+retire_lat
	plain.data -F comm,addr,ip,sym,dso
	plain.data -F data_src
	plain.data -F data_src,weight
	plain.data -C 1 -F +weight
	plain.data --tid 101
	plain.data -v -F comm,weight
	bare.data
	bare.data -F comm,addr,sym
	EOT
'
test_expect_success NEWEST 'other fields' 'all 17 <<-\EOT
	loop.data -F +misc,+flags
	loop.data -F +machine_pid,+vcpu
	loop.data -F +synth,+callindent,+ipc
	loop.data -F +dsoff
	loop.data --ns -F comm,pid,tid,time
	loop.data --reltime
	loop.data --deltatime -F time,event,ip
	system.data -F tid,cpu,time,ip
	system.data -F pid,tid,event,period
	busy.data -F pid,cpu,time,event
	group.data -F event,period,ip
	group.data -F comm,tid,time,event,misc
	sched.data -F comm,cpu,time,trace
	sched.data --ns -F trace:comm,event,time
	sched.data -L
	sched.data -C 1
	probe.data
	EOT
'
test_expect_success NEWEST 'records, times, filters' 'all 12 <<-\EOT
	loop.data --show-mmap-events --show-task-events
	system.data --show-mmap-events -F pid,tid,time
	group.data --show-task-events -F comm,pid,time,event
	br414.data --header
	system.data --tid 0 -F tid,time,ip
	system.data --comms swapper -F comm,cpu
	system.data -c perf -F comm,time,ip
	busy.data -C 0 -F cpu,time
	sched.data --comms sh
	sched.data --time 10%-50% --ns
	sched.data --switch-on sched:sched_wakeup
	autofdo.data --show-mmap-events --show-lost-events -F comm,tid,time,event
	EOT
'

# What upstream here cannot do, or does otherwise.
test_expect_success 'instructions as text' '
	perf script -i loop.data -F ip,disasm >out && test_grep "^ +401[0-9a-f]+ add +.0x5,%rbx$" out &&
	perf script -i loop.data -F ip,brstackdisasm >out && test_grep "^	0000000000401[0-9a-f]{3}	dec    %ecx $" out && test_grep "^	0.*	jne    401[0-9a-f]+ <loop\+0x7> .*	# PRED 20 cycles \[20\]$" out
'
test_expect_success 'fields that no sample has' '
	test_status 129 perf script -i loop.data -F +brcntr 2>err || test_grep "were not recorded with event .cycles.$" err && test_grep "^Hint: run .perf record -j any,counter" err &&
	f=$(echo "$CORPUS"/perfparser-perf.lbr.data*/perf.data) && if [ -e "$f" ]; then
		test_must_fail perf script -i "$f" -F +brstackinsn 2>err && test_grep "only some kinds of branches were recorded$" err
	fi &&
	test_must_fail perf script -i bare.data -F +brstackinsn 2>err && test_grep "do not have BRANCH_STACK" err
'
test_expect_success 'a stream, and any number of threads' '
	perf script -i code.data -F ip,sym,brstackinsn,srccode >expect && perf script --jobs 4 -i code.data -F ip,sym,brstackinsn,srccode >actual && test_cmp expect actual &&
	py branchcode.py code stream.data stream && cat stream.data | perf script -i - -F ip,sym,brstackinsn,srccode >actual && test_cmp expect actual &&
	perf script -i plain.data >expect && perf script --jobs 4 -i plain.data >actual && test_cmp expect actual
'
test_done
