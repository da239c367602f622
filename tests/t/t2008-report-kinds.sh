#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report: rows and columns of recordings of many kinds, byte by byte as the newest upstream perf; blocks of code by cycles'
. "$(dirname "$0")/lib.sh"

test_require CC,X86_64,OBJDUMP
. "$TEST_DIR/kinds.sh"
py memdata.py full.data full || exit 1

same () { same_report "$@"; }

test_expect_success NEWEST 'tracepoints' 'all 13 <<-\EOT
	sched.data
	sched.data -s comm
	sched.data -s comm -n
	sched.data -s pid
	sched.data -s comm,cpu
	sched.data -s trace
	sched.data -s comm --show-total-period
	sched.data -s comm -t ,
	sched.data -s comm --percent-limit 5
	sched.data --header -s comm
	probe.data -s comm
	probe.data -s pid
	probe.data -s cpu -n
	EOT
'
test_expect_success NEWEST 'branches' 'all 19 <<-\EOT
	loop.data -s dso
	loop.data -s dso_from,dso_to
	loop.data -s mispredict
	loop.data -s comm,in_tx,abort
	loop.data --no-branch-stack
	loop.data --no-branch-stack -s sym
	loop.data --no-branch-stack -s sym,srcline
	loop.data --no-branch-stack -n --show-total-period
	loop.data -F sample,period,comm
	far.data -s mispredict
	far.data --no-branch-stack -s dso,sym
	br38.data -s comm
	br38.data -s mispredict
	br38.data -s comm,mispredict -n
	br414.data -s comm,dso_from
	br414.data -s mispredict -t ;
	autofdo.data -s comm,mispredict
	both.data -s comm
	raw.data -s mispredict
	EOT
'
test_expect_success NEWEST 'code of recordings with branches' 'all 9 <<-\EOT
	br38.data --no-branch-stack -s comm
	br38.data --no-branch-stack -s comm,dso
	br38.data --no-branch-stack -s cpu
	br38.data --no-branch-stack -s pid -n
	br414.data --no-branch-stack -s comm,dso
	autofdo.data --no-branch-stack -s dso
	both.data --no-branch-stack -g none -s comm
	both.data --no-branch-stack -g none --no-children -s comm,dso
	both.data --no-branch-stack -g none -s cpu
	EOT
'
test_expect_success NEWEST 'memory' 'all 12 <<-\EOT
	plain.data --mem-mode -s tlb
	plain.data --mem-mode -s locked
	plain.data --mem-mode -s blocked
	plain.data --mem-mode -s local_weight
	plain.data --mem-mode -s comm,local_weight -n
	plain.data -s comm
	plain.data -s pid
	plain.data -s local_weight
	plain.data -s weight
	plain.data -s comm --group
	full.data --mem-mode -s phys_daddr
	bare.data -s cpu
	EOT
'
test_expect_success NEWEST 'the whole system, and groups' 'all 15 <<-\EOT
	system.data -s comm
	system.data -s comm,dso
	system.data -s pid -n
	system.data -s cpu --show-total-period
	system.data -s comm --comms swapper,perf
	system.data -s dso --percent-limit 2
	system.data -s comm --percentage relative --comms swapper,perf
	system.data -s comm --showcpuutilization
	system.data -s dso -C 0
	system.data -s comm -w 12
	system.data -s comm -t ,
	group.data -s comm
	group.data -s comm,dso --group
	group.data -s comm -n
	group.data -s dso --group-sort-idx 1
	EOT
'

test_expect_success NEWEST 'rows as trees, their order, columns' 'all 34 <<-\EOT
	system.data -s comm,dso -H
	system.data -s comm,cpu -H -n
	system.data -s pid,comm,dso -H
	system.data -s dso,comm -H --percent-limit 5
	system.data -s comm,cpu -H -n -t ,
	system.data -s comm,dso -H -t |
	system.data -s dso,comm -H --percent-limit 5 -t ;
	system.data -s dso,comm -H -n --percent-limit 5 -t ,
	group.data -s comm,dso -H -t ,
	group.data -s comm,dso -H -n -t ; --group
	group.data -s comm,dso -H -w 3,30
	system.data -s comm,cpu -H -w 20 -n
	system.data -s comm,cpu -H -w 20,5,5 -t ,
	sched.data -s comm,pid -H
	group.data -s comm,dso -H
	loop.data --no-branch-stack -s comm,sym,dso -H
	plain.data -s comm,local_weight -H
	system.data -F overhead,comm -s comm
	system.data -F overhead,comm -s dso
	system.data -F overhead,sample -s comm
	system.data -F sample,comm -s overhead,comm
	system.data -F comm,overhead
	plain.data --mem-mode -F overhead,memory,snoop -s comm
	plain.data --mem-mode -F overhead,op,dtlb -s local_weight
	sched.data -s comm -F +period
	sched.data -s cpu,comm -n --show-total-period
	system.data -s cpu -C 1
	system.data -s socket
	busy.data -s comm_nodigit
	busy.data -s time
	loop.data -s simd
	loop.data --no-branch-stack -s symoff
	loop.data --no-branch-stack -s addr
	group.data --group -s comm -n
	EOT
'
test_expect_success NEWEST 'call graphs' 'all 8 <<-\EOT
	both.data --no-branch-stack -g none -s comm --inverted
	both.data --no-branch-stack -g none -s comm --no-children --percentage relative -c chrome
	both.data --no-branch-stack -g folded --no-children -s comm --percent-limit 20
	both.data --no-branch-stack -g folded,count,callee --no-children -s comm --percent-limit 20
	both.data --no-branch-stack -g flat,count --no-children -s comm --percent-limit 20
	both.data --no-branch-stack -g graph,3,2 --no-children -s comm
	raw.data --no-branch-stack -g none -s comm
	raw.data --no-branch-stack --no-children -g folded,address -s comm --percent-limit 30
	EOT
'

# Its shares of mean cycles are of the means of each block as often as there are rows of branches in its function.
blocks () { sed -n '/Sampled Cycles%/,$p' | sed -E 's/^( +[0-9.]+% +[0-9.KM]+) +[0-9.]+%/\1/' | grep -v -e "^#\$" -e Tip: | grep .; }
test_expect_success NEWEST '--total-cycles: as the newest upstream perf' '
	for f in loop.data far.data; do
		"$NEWEST" report --stdio -i $f --total-cycles 2>/dev/null | blocks >expect && [ "$(wc -l <expect)" = 4 ] &&
		perf report --stdio -i $f --total-cycles | blocks >actual && test_cmp expect actual || return 1
	done
'
# 400 times 20 cycles and 400 times 11 from the top to jnz, 400 times 4 to jz; means of 15 and 4.
test_expect_success '--total-cycles: blocks of code by cycles' '
	perf report -i loop.data --total-cycles >out && test_grep "^ +88.57% +12.4K +78.95% +15 +\[loop\+7 -> loop\+33\] +loop$" out &&
	test_grep "^ +11.43% +1.6K +21.05% +4 +\[loop\+7 -> loop\+17\] +loop$" out &&
	perf report --json -i loop.data --total-cycles >json && python3 -c "
import json
rows = json.load(open(\"json\"))[\"events\"][0][\"rows\"]
assert [(r[\"cycles\"], r[\"mean_cycles\"], r[\"block\"]) for r in rows] == [(12400, 15, \"[loop+7 -> loop+33]\"), (1600, 4, \"[loop+7 -> loop+17]\")], rows" &&
	test_must_fail perf report -i bare.data --total-cycles 2>err && test_grep "^Error: --total-cycles was given, but .bare.data. has no branch stacks$" err
'
test_expect_success 'columns of branches where there are none' '
	for key in symbol_from srcline_to addr_from mispredict cycles in_tx abort; do
		test_status 1 perf report -i bare.data -s $key 2>err && test_grep "^Error: .$key. is a column of branches$" err || return 1
	done &&
	test_status 1 perf report -i both.data --no-branch-stack -s comm,mispredict 2>err && test_grep "^Error: .mispredict. is a column of branches$" err
'
test_done
