#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf annotate: what branch stacks tell of code: cycles, and where branches come from and go'
. "$(dirname "$0")/lib.sh"

test_require CC,X86_64,OBJDUMP
gcc -no-pie -o branched "$TEST_DIR/branchloop.s" || exit 1
# From the top (2) to jz (5): 4 instructions in 4 cycles; from there (8) to jnz (10): 3 in 10 or 12; all of the loop: 9 in 20.
python3 "$TEST_DIR/branches.py" branched b.data 8 10,2,12/10 5,8,4 10,2,20 &&
	python3 "$TEST_DIR/branches.py" branched far.data 4 10,2,12/10 8,0,1 10,2,12345,m &&
	python3 "$TEST_DIR/branches.py" branched counted.data 8 10,2,12/10,-,2/1/1/0 5,8,4,-,0/3 10,2,20,-,1/0 counters=2 &&
	python3 "$TEST_DIR/branches.py" branched quiet.data 8 10,2,0 5,8,0 && python3 "$TEST_DIR/branches.py" branched none.data 1 || exit 1

test_expect_success '--stdio2: instructions a cycle and cycles, where blocks end' '
	perf annotate --stdio2 --no-source -i b.data loop | tail -n +3 >got && sed "s/\$$//" >expect <<-EOF && test_cmp expect got
	Percent   IPC Cycle        mov  \$0x64,%ecx
	                           xor  %eax,%eax
	                      7:   add  \$0x1,%rax
	  50.00                    add  \$0x2,%rbx
	                           test \$0x1,%al
	         1.00     4      ↓ je   1b
	                           add  \$0x3,%rbx
	                           add  \$0x4,%rbx
	  50.00              1b:   add  \$0x5,%rbx
	                           dec  %ecx
	         0.45    15      ↑ jne  7
	                         ← ret
	EOF
'
test_expect_success 'the branch that a stack begins with tells its cycles, too; numbers of many digits' '
	perf annotate --stdio2 --no-source -i far.data loop >out && test_grep "^  50.00  7.00     1  1b:   add  .0x5" out && test_grep "^         1.00  6178      ↑ jne  7$" out
'
test_expect_success '--stdio: how often an instruction is come to, and left' '
	perf annotate --stdio --no-source -i b.data loop | sed -n "s/.*#/#/p" >got &&
	printf "# %s\n" "+100.00%" "-53.33% (p:100.00%)" "+53.33%" "-100.00% (p:100.00%)" >expect && test_cmp expect got &&
	perf annotate --stdio --no-source -i far.data loop | sed -n "s/.*#/#/p" >got &&
	printf "# %s\n" "+36.36%" "+63.64%" "-36.36% (p:100.00%)" "-100.00% (p:57.14%)" >expect && test_cmp expect got
'
test_expect_success 'without cycles, without branches: no columns of them' '
	perf annotate --stdio2 -i quiet.data loop >out && test_grep -v IPC out && perf annotate --stdio -i quiet.data loop >out && test_grep "# \+100.00%" out &&
	perf annotate --stdio2 -i none.data loop >out && test_grep -v IPC out && perf annotate --stdio -i none.data loop >out && test_grep -v "#" out
'
test_expect_success '--json and -x' '
	perf annotate --json -i b.data loop >out.json && python3 -c "
import json
lines = json.load(open(\"out.json\"))[\"functions\"][0][\"lines\"]
jz, jnz, top = lines[5], lines[10], lines[2]
assert (jz[\"ran\"], jz[\"branches_from\"], jz[\"branches_to\"], jz[\"predicted\"]) == (750, 400, 0, 400), jz
assert (jz[\"ipc\"], jz[\"cycles\"], jz[\"cycles_min\"], jz[\"cycles_max\"]) == (1.0, 4, 4, 4), jz
assert (jnz[\"ipc\"], jnz[\"cycles\"], jnz[\"cycles_min\"], jnz[\"cycles_max\"]) == (0.45, 15, 10, 20), jnz
assert top[\"branches_to\"] == 750 and \"cycles\" not in top, top" &&
	perf annotate -x, -i b.data loop >out && test_grep ",750,400,0,400|,750,0,400,400,1.00,4,4,4," out && perf annotate --json -i none.data loop >out.json && test_grep -v "ipc|branches_to" out.json
'
# Its percentages are of the ends of branches, ours of samples; it has no headings.
numbers () { grep "#\|↑\|↓\|1b:" | sed 's/ *$//; s/^.\{8\}//'; }
test_expect_success NEWEST 'as the newest upstream perf' '
	for data in b far; do for view in --stdio2 --stdio; do
		"$NEWEST" annotate --objdump "$(command -v objdump)" $view -i $data.data loop 2>/dev/null | numbers >expect && test -s expect &&
		perf annotate $view -i $data.data loop | numbers >got && test_cmp expect got || return 1
	done; done
'
# Letters for occurrences, rounded up; all bits of a counter set: that many, or more.
test_expect_success 'counters of branches' '
	perf annotate --stdio2 --no-source -i counted.data loop >out && test_grep "^Percent           IPC Cycle                 Branch Counter        mov  " out &&
	test_grep "^                 1.00     4                    \|-   \|BBB\+\|      ↓ je   1b" out && test_grep "^                 0.45    15                    \|AA  \|B   \|      ↑ jne  7" out &&
	perf annotate --json -i counted.data loop >out.json && python3 -c "
import json
lines = json.load(open(\"out.json\"))[\"functions\"][0][\"lines\"]
assert [(l[\"branch_counter_1\"], l[\"branch_counter_2\"]) for l in lines if \"branch_counter_1\" in l] == [(0, 3), (1.25, 0.25)], lines" &&
	perf annotate --json -i b.data loop >out.json && test_grep -v branch_counter out.json
'
test_expect_success NEWEST 'counters of branches: as the newest upstream perf' '
	"$NEWEST" annotate --objdump "$(command -v objdump)" --stdio2 -i counted.data loop 2>/dev/null | sed "s/ *\$//; s/^.\{16\}//" | grep "[↓↑]" >expect && test -s expect &&
	perf annotate --stdio2 -i counted.data loop | sed "s/ *\$//; s/^.\{16\}//" | grep "[↓↑]" >got && test_cmp expect got
'
. "$TEST_DIR/tmux.sh"
test_expect_success TMUX 'the browser: c shows the least and the most cycles' '
	on 100x24 "perf annotate -i b.data loop" && shows "^       │ IPC Cycle +mov " && shows "^       │1.00     4      ↓ je   1b$" &&
	press c && shows "^       │ IPC     Cycle\(min/max\) +mov " && shows "^       │1.00             4\(4/4\)      ↓ je   1b$" && shows "│0.45          15\(10/20\) " &&
	press c && shows "^       │ IPC Cycle +mov " && press q && ended &&
	on 100x24 "perf annotate -i none.data loop" && shows "^ *│ " && press c && shows "^no cycles of branches were recorded here" && press q && ended &&
	on 100x24 "perf report -i b.data --no-branch-stack -s sym" && shows "loop$" && press a && shows "│ IPC Cycle" && press q && press q && ended
'
code () { screen | sed -n "3,14{s/^[^│]*│//;p}"; }
# same_code KEY...
same_code () {
	on 100x24 "$NEWEST annotate --tui --objdump $(command -v objdump) -i b.data loop" && shows "│1.00 " && press "$@" && sleep 1 && code >expect && test_grep "↓ je" expect &&
	on 100x24 "perf annotate -i b.data loop" && shows "│1.00 " && press "$@" && { test_wait_for 10 "code | cmp -s - expect" || { code >got; test_cmp expect got; }; }
}
test_expect_success TMUX 'the browser: B tells the letters of counters' '
	on 100x24 "perf annotate -i counted.data loop" && shows "\|AA  \|B   \|" && press B && shows "cycles = A" && shows "branch-misses = B" && press x q && ended &&
	on 100x24 "perf annotate -i b.data loop" && shows "│1.00 " && press B && shows "^no counters of branches were recorded here" && press q && ended
'
# Names of keys that a help screen lists: "q/ESC/CTRL+C", one a line.
keys () { screen | grep -oE "│[^ │][^ │]*  +[A-Z]" | sed "s/^│//; s/ .*//; s/shift+TAB/UNTAB/" | tr / "\n" | grep . | sort -u; }
test_expect_success TMUX,NEWEST 'the browser: there are all keys that the newest upstream perf lists' '
	on 100x60 "$NEWEST annotate --tui --objdump $(command -v objdump) -i b.data loop" && shows "│1.00 " && press h && shows "Branch counter abbr" && keys >expect && test "$(wc -l <expect)" -gt 25 &&
	on 100x60 "perf annotate -i b.data loop" && shows "│1.00 " && press h && shows "Print to SYMBOL" && keys >got && ! comm -23 expect got | grep .
'
test_expect_success TMUX,NEWEST 'the browser: the same as the newest upstream perf' 'same_code j && same_code j c && same_code j c c'
test_done
