#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# waits: yes
test_description='perf annotate on a terminal: the browser (its keys are tested on a screen in memory: tests/unit/view)'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,TMUX
test_workload calltree
perf record -N -q -e cpu-clock:u -F 4000 -o one.data ./calltree 2000 >/dev/null &&
	perf record -N -q -e cpu-clock:u,page-faults:u -o two.data ./calltree 500 >/dev/null || exit 1
. "$TEST_DIR/tmux.sh"

test_expect_success 'the functions by share, Enter opens one, back and out' '
	on 90x24 "perf annotate -i one.data" && shows "^Samples: .* of event .cpu-clock:u., Event count" &&
	shows "^ Percent  Shared Object +Symbol" && shows "^ +[0-9.]+%  calltree +leaf$" && press Enter &&
	shows "^leaf  .*/calltree \[Percent: local period\]" && shows "^ *[0-9]+\.[0-9]+ │" && press Left &&
	shows "^ Percent  Shared Object" && press Right && shows "^leaf  " && press Escape && shows "^ Percent  Shared Object" &&
	press q && ended && screen >left && ! grep -q Samples left
'
test_expect_success 'the symbols and shares are those of the text' '
	on 120x24 "perf annotate -i one.data" && shows "^ Percent" && screen | awk "/%/ { print \$3 }" >got && press q && ended &&
	perf annotate --skip-missing --stdio2 -i one.data | sed -nE "s/^([^ ()]+)(\(\))?  *\/.*/\1/p" >expect && test -s expect && test_cmp expect got &&
	perf annotate --stdio2 -s leaf -i one.data | sed -nE "s/^ *([0-9]+\.[0-9]+) .*/\1/p" >expect && test -s expect &&
	on 120x90 "perf annotate -i one.data leaf" && shows "^leaf  " && screen | sed -nE "s/^ *([0-9]+\.[0-9]+) │.*/\1/p" >got && test_cmp expect got &&
	press q && ended
'
test_expect_success 'a symbol: its code at once, and q ends' '
	on 90x24 "perf annotate -i one.data leaf" && shows "^leaf  .*Percent: local period" && press p && shows "global period" &&
	press h && shows "Go to the hottest" && press x && press q && ended &&
	on 90x24 "perf annotate --percent-type global-hits -i one.data -s leaf" && shows "^leaf  .*Percent: global hits" && press C-c && ended
'
test_expect_success '> and < go to other functions, with the look that keys gave' '
	gcc -g -O2 -o pair -x c - <<-\EOF &&
	volatile unsigned long sum;
	__attribute__((noinline)) void more(int n) { while (n--) sum += n; }
	__attribute__((noinline)) void less(int n) { while (n--) sum ^= n; }
	int main(void) { for (int i = 0; i < 200; i++) { more(300000); less(100000); } return 0; }
	EOF
	perf record -N -q -e cpu-clock:u -F 4000 -o pair.data ./pair && on 90x24 "perf annotate -i pair.data -d pair" && shows "more$" && shows "less$" && press Enter && shows "^more  " &&
	press s x p && shows "global period" && press ">" && shows "^less  .*global period" && shows "│ .* 48 .* xor " && ! screen | grep "while (n--)" && press "<" && shows "^more  .*global period" &&
	press q && shows "^ Percent  Shared" && press q && ended &&
	on 90x24 "perf annotate -i pair.data less" && shows "^less  " && press ">" && shows "^less  " && press "]" && press "[" && press q && ended
'
# Without lines of source, of which upstream shows some more: numbers, labels, arrows, instructions.
code () { screen | sed '1,2d; /leaf():/d; s/^Percent/       /; /^$/d; $d'; }
# same_code KEY...: in $recording
recording=one.data
same_code () {
	on 90x34 "$UPSTREAM annotate --tui -i $recording leaf" && shows "^ *[0-9]+\.[0-9]+ │" && press "$@" && sleep 1 && code >expect &&
	test_grep "│ .* jne  " expect && on 90x34 "perf annotate -i $recording leaf" && shows "^ *[0-9]+\.[0-9]+ │" && press "$@" &&
	test_wait_for 10 "code | cmp -s - expect" || { code >got; test_cmp expect got; }
}
test_expect_success UPSTREAM 'the same code as upstream' 'same_code s'
test_expect_success UPSTREAM 'the same code as upstream: jumps to a target (J)' 'same_code s J'
test_expect_success UPSTREAM 'the same code as upstream: all offsets (O)' 'same_code s O O'
# Upstream also shows which comparison a jump is one with in the CPU; so the jump is one without.
test_expect_success UPSTREAM 'the same code as upstream: the arrow of a jump, also with jumps to a target (J), and none (j)' '
	gcc -O0 -g -fno-omit-frame-pointer -o calltree0 "$TOP/tests/workloads/calltree.c" && perf record -N -q -e cpu-clock:u -F 4000 -o zero.data ./calltree0 1000 >/dev/null &&
	recording=zero.data && same_code Home s Home Down Down Down Down && test_grep "┌──jmp" expect && same_code Home s J Home Down Down Down Down && test_grep "└─→" expect &&
	same_code Home s Home Down Down Down Down j && ! grep "┌──" expect
'
test_expect_success UPSTREAM 'the same code as upstream: the output of the disassembler (o)' 'same_code s o'
test_expect_success UPSTREAM 'the same code as upstream: addresses where it ran (o f)' 'same_code s o f'
test_expect_success 'settings of what it begins with' '
	cat >conf <<-EOF &&
	[annotate]
		jump_arrows = false
		use_offset = false
		show_nr_jumps = true
		hide_src_code = true
	EOF
	on 90x24 "env PERF_CONFIG=conf perf annotate -i one.data leaf" && shows "^leaf  " && shows "│ *1 +[0-9a-f]+:   mov" && press End Up Up Up && shows "[0-9a-f]+: ↑ jne +[0-9a-f]+ <leaf" &&
	press j && shows "[0-9a-f]+:└──jne" && press o && shows "└──jne +[0-9a-f]+$" && press q && ended
'
test_expect_success 'P writes what is shown' '
	on 90x24 "perf annotate -i one.data leaf" && shows "^leaf  " && press P && shows "^leaf.annotation written!" && press q && ended &&
	perf annotate --stdio2 -i one.data leaf | grep -E "^ +[0-9.]+ " >expect && grep -E "^ +[0-9.]+ " leaf.annotation | test_cmp expect -
'
test_expect_success 'several events' '
	on 80x10 "perf annotate -i two.data" && shows "event .cpu-clock:u" && press Tab && shows "event .page-faults:u" &&
	press BTab && shows "event .cpu-clock:u" && press q && ended
'
# That code cannot be shown is told in the browser: tests/unit/view/test-tui-annotate.c.
test_expect_success 'where there is nothing to browse the terminal is left, and the error is that of the text' '
	test_status 1 perf annotate -i one.data nosuch 2>expect && test_grep "no function .nosuch." expect &&
	on 120x12 "perf annotate -i one.data nosuch 2>got" && ended 1 && test_cmp expect got && ! screen | grep Samples:
'
test_expect_success 'text: in a pipe, with --stdio, --stdio2, -l, and where a terminal cannot be drawn on' '
	perf annotate -i one.data leaf >pipe 2>err && test_grep "^ Percent" pipe && test ! -s err &&
	for o in "" -l --stdio2 --json --stdio-color=never; do
		perf annotate -i one.data $o leaf >expect && test -s expect &&
		on 90x24 "env NO_COLOR=1 PERF_PAGER=\"cat >got\" perf annotate -i one.data ${o:---stdio} leaf 2>err" && ended && test_cmp expect got && test ! -s err || return 1
	done &&
	on 90x50 "env TERM=dumb NO_COLOR=1 PERF_PAGER=\"cat >got\" perf annotate -i one.data leaf 2>err" && ended && test_cmp pipe got &&
	echo "Warning: no browser: the terminal cannot be drawn on (TERM is dumb); this is the text" >expect && test_cmp expect err &&
	on 90x50 "env -u TERM NO_COLOR=1 PERF_PAGER=\"cat >got\" perf annotate -i one.data leaf 2>err" && ended && test_cmp pipe got &&
	test_grep "TERM is not set" err && test "$(wc -l <err)" = 1 &&
	perf annotate --tui -i one.data leaf >out 2>err && test_grep "no terminal; this is the text" err && test_cmp pipe out &&
	perf record -q -e cpu-clock:u -o - ./calltree 500 | perf annotate --tui -i - leaf >out 2>err && test_grep "from standard input, so there are no keys" err
'
test_expect_success 'tui.annotate' '
	printf "[tui]\n\tannotate = false\n" >config &&
	on 90x24 "env NO_COLOR=1 PERF_CONFIG=config PERF_PAGER=\"cat >got\" perf annotate -i one.data leaf" && ended && test_cmp pipe got &&
	on 90x24 "env PERF_CONFIG=config perf annotate --tui -i one.data leaf" && shows "^leaf  " && press q && ended
'
test_expect_success 'the terminal is as before after SIGSEGV, SIGTERM, SIGKILL' '
	ended_by SEGV 139 "perf annotate -i one.data leaf" && ended_by TERM 143 "perf annotate -i one.data leaf" && ended_by KILL 137 "perf annotate -i one.data leaf"
'
test_expect_success 'Ctrl-Z and fg; a terminal that is closed ends it' 'goes_on "perf annotate -i one.data leaf" && closes "perf annotate -i one.data leaf"'
test_done
