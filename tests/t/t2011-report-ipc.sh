#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report -b: instructions a cycle of functions, and the ends of branches, byte by byte as the newest upstream perf'
. "$(dirname "$0")/lib.sh"

test_require CC,X86_64,OBJDUMP,PYTHON
. "$TEST_DIR/kinds.sh"
gcc -no-pie -Wa,--defsym,THREE=1 -o two "$TEST_DIR/branchloop.s" &&
	py branches.py two two.data 3 10,2,12/10 other:10,2,7 other:10,other:2,5 loop:10,other:2,5 10,2,20 third:2,0,3 0,third:1,2 third:5,third:2,1 main:1,third:2,1 0,main:0,2 &&
	py branches.py two single.data 2 loop:8,third:2,0/7/11 third:11,loop:8,20 main:3,third:11,5 &&
	py branches.py loop fast.data 4 10,0,1 && py branches.py loop quiet.data 4 10,0,0 || exit 1
# Ends that are mapped nowhere, in the kernel, at 0, within an instruction.
sed -n '/^cat >code.s <</,/^EOT$/p' "$TEST_DIR/t3007-script-fields.sh" | sed '1d;$d' >code.s
[ -s code.s ] && gcc -g -no-pie -o code code.s && py branchcode.py code code.data || exit 1

# From the top (2) to jnz (10) 9 instructions in 20 cycles, 350 times; to jz (5) 4 in 4, 400 times: 4750 in 8600; 2 of 12 end a block.
test_expect_success 'of the blocks that end with an instruction the longest counts' '
	perf report -i loop.data -s symbol >out && test_grep "^# Overhead  Symbol    IPC   \[IPC Coverage\]$" out && test_grep "^   100.00%  \[.\] loop  0.55  \[ 16.7%\]      $" out &&
	perf report -i fast.data -s symbol >out && test_grep "loop  11.00 \[  8.3%\]      $" out &&
	perf report -i quiet.data -s symbol >out && test_grep "loop  0.00  \[  0.0%\]      $" out
'
test_expect_success '--json has the two numbers' '
	perf report -i loop.data -s symbol --json >json && python3 -c "
import json
row, = json.load(open(\"json\"))[\"events\"][0][\"rows\"]
assert row[\"ipc_lbr\"] == {\"ipc\": 0.55, \"coverage_pct\": 16.67}, row"
'
test_expect_success 'the column comes by itself where symbols are listed; it can be asked for' '
	perf report -i loop.data >out && test_grep -v IPC out && perf report -i loop.data -s sym >out && test_grep -v IPC out &&
	perf report -i loop.data --no-branch-stack -s symbol >out && test_grep "loop  -      -            $" out &&
	perf report -i loop.data -s dso,ipc_lbr >out && test_grep "loop           0.55  \[ 16.7%\]" out && perf report -i bare.data -s symbol >out && test_grep -v IPC out &&
	test_status 1 perf report -i loop.data --no-branch-stack -s ipc_lbr 2>err && test_grep "^Error: .ipc_lbr. is a column of branches$" err
'
test_expect_success 'in a tree of rows' '
	perf report -i two.data -s symbol -H >out && test_grep "1.50  \[ 16.7%\]" out
'
test_expect_success 'as many threads as there are: the same' '
	perf report -i code.data -s symbol_from,symbol_to --jobs 1 >expect && for i in 1 2 3; do perf report -i code.data -s symbol_from,symbol_to --jobs 4 >actual && test_cmp expect actual || return 1; done
'

same () {
	local file=$1
	shift
	same_report $file --objdump "$(command -v objdump)" "$@"
}
test_expect_success NEWEST 'as the newest upstream perf' 'all 22 <<-\EOT
	loop.data -s symbol
	loop.data -s symbol_from,symbol_to
	loop.data -s comm,symbol,dso -n
	loop.data -s symbol -t ,
	loop.data -s symbol -w 10,10,30
	loop.data -F overhead,symbol -s symbol
	loop.data -s +symbol
	loop.data --no-branch-stack -s symbol
	loop.data --no-branch-stack -s symbol,comm -t ,
	loop.data -s symbol,mispredict
	far.data -s symbol
	far.data -s dso,symbol_to
	two.data -s symbol
	two.data -s symbol_from
	two.data -s symbol_from,symbol_to
	two.data -s symbol_from,cycles
	two.data -s +symbol
	two.data
	single.data -s symbol
	fast.data -s symbol
	quiet.data -s symbol
	code.data -s symbol_from,symbol_to
	EOT
'
test_expect_success NEWEST 'ends of branches as the newest upstream perf' 'all 10 <<-\EOT
	two.data -s addr_from,addr_to
	two.data -s srcline_from,srcline_to
	code.data -s symbol_from
	code.data -s srcline_from,srcline_to
	code.data -s dso_from,dso_to,cycles
	br414.data -s symbol_from,symbol_to
	br414.data -s srcline_from,srcline_to
	br414.data -s comm,symbol_to,dso_from -n
	autofdo.data -s symbol_from,symbol_to
	autofdo.data -s symbol_to
	EOT
'
test_done
