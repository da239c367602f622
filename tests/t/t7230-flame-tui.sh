#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='call stacks on a terminal: report --flame, and l in its browser (all keys are tested on a screen in memory: tests/unit/view)'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,TMUX
test_workload calltree
cat >bad.c <<\EOF
void bad(void) __asm__("\"bad\033[2Jname\"");
__attribute__((noinline)) void bad(void) { for (volatile long i = 0; i < 300000000; i++) ; }
int main(void) { bad(); return 0; }
EOF
# Watched once it works: what the dynamic linker does before would be frames beside those of main.
./calltree 4000000 & calltree=$!
test_wait_for 20 'test "$(cut -d" " -f14 /proc/$calltree/stat)" -gt 10'
perf record -q -g -e cpu-clock:u -F 4000 -p $calltree -o tree.data sleep 1 >/dev/null && kill $calltree &&
	perf record -q -g -e cpu-clock:u,page-faults:u -o two.data ./calltree 500 >/dev/null || exit 1
. "$TEST_DIR/tmux.sh"

# Of the text: level, columns, name and percentage of each frame.
frames () {
	awk -v cols="${1:-120}" '/^#/ || !/\|/ { next } {
		level++
		line = $0
		for (at = index(line, "|"); at; at = next_at) {
			rest = substr(line, at + 1)
			n = index(rest, "|")
			next_at = n ? at + n : 0
			cell = n ? substr(rest, 1, n - 1) : rest
			if (match(cell, /[0-9.]+% *$/))
				print level, (n ? n : cols - at + 1), substr(cell, 1, RSTART - 2), substr(cell, RSTART) + 0
		}
	}'
}
test_expect_success 'text: the shares are those of perf report, and so are the widths' '
	perf report --flame -i tree.data >text 2>err && test ! -s err && test_grep "^# Samples: .* of event .cpu-clock:u., Event count" text &&
	frames <text >frames && perf report --stdio -g none --no-demangle -F overhead_children,symbol -i tree.data |
		sed -nE "s/^ +([0-9.]+)% +\[.\] ([a-z_]+)$/\2 \1/p" >rows &&
	for f in main outer inner_a inner_b; do
		# a function may also be where its caller is skipped (in its first instructions): too narrow there to be drawn
		awk -v f=$f "\$3 == f && NF == 4 { a = \$4 } \$1 == f && NF == 2 { b = \$2 } END { exit !(a && b && a <= b && b - a < 100 / 120) }" frames rows || { cat frames rows; return 1; }
	done &&
	awk "\$3 == \"leaf\" { sum += \$4 } END { exit !(NR > 5 && sum > 90) }" frames &&
	awk "function abs(x) { return x < 0 ? -x : x } /leaf|inner_a|outer|main/ && abs(\$2 / 120 * 100 - \$4) > 0.9 { print \"too wide or narrow:\", \$0; bad = 1 } END { exit bad }" frames
'
test_expect_success 'text: several events, choices of samples, and none' '
	perf report --flame -i two.data >text && test "$(grep -c "^# Samples:" text)" = 2 && test_grep "of event .page-faults:u" text &&
	test_status 1 perf report --flame --comms nosuch -i tree.data 2>err && test_grep "no sample in .tree.data. passes the filters" err &&
	perf report --flame --comms calltree -i tree.data >text && test_grep "|outer [0-9.]*%" text &&
	perf record -q -g -e dummy:u -o none.data true && test_status 1 perf report --flame -i none.data 2>err && test_grep "none.data. has no samples" err &&
	perf report --flame -i - <tree.data >out && perf report --flame -i tree.data | test_cmp - out &&
	perf report --flame --tui -i tree.data >out 2>err && test_grep "no terminal; this is the text" err && perf report --flame -i tree.data | test_cmp - out
'
test_expect_success 'at once: moving, zoom, back, marks, inverted, help' '
	on 90x20 "perf report --flame -i tree.data" && shows "^Samples: .* of event .cpu-clock:u., Event count" && shows "^ user   kernel   inlined   JIT" &&
	shows "^│all 100.00%$" && shows "│inner_a [0-9.]+% +│inner_b [0-9.]+%( +│)?$" && shows "^all: total 100.00%, self 0.00%, [0-9,]+ samples" &&
	press Down End && shows "^(leaf|nothing): total" && press Home Down Down Down Down Down Down && shows "^inner_a: total [678][0-9.]+%, self [0-9.]+%, [0-9,]+ samples, calltree, calltree.c:[0-9]+$" &&
	press Right && shows "^inner_b: total [123]" && press Enter && shows "^│inner_b [0-9.]+%$" && shows "^│leaf [0-9.]+%( +│)?$" &&
	press Escape && shows "│inner_a [0-9.]+% +│inner_b" && press Left && shows "^inner_a: " &&
	press / LEAF Enter && shows "LEAF matched: [0-9.]+%" && press n && shows "^leaf: total " &&
	press i && shows "inverted" && shows "^all: " && press Down && shows "^leaf: total [0-9.]+%, self" && press i && test_wait_for 10 "! screen | grep -q inverted" &&
	press "?" && shows "Help" && press x Escape && shows "Do you really want to exit" && press Escape && press q && ended && screen >left && ! grep Samples left
'
# Not to be compared by eye alone: what the screen has is what the text has.
test_expect_success 'the screen has the frames of the text, with their widths' '
	on 120x30 "perf report --flame -i tree.data" && shows "^│all" &&
	perf report --flame -i tree.data | grep -v "^#" >expect && screen | sed -n "3,\$p" | sed "s/│/|/g; /^\$/,\$d" >got && test_cmp expect got && press q && ended
'
test_expect_success 'l in the browser of rows, and back; Ctrl-C ends both' '
	on 90x20 "perf report -i two.data" && shows "^Available samples" && press Down Enter && shows "event .page-faults:u" && press l && shows "^ user   kernel" &&
	shows "event .page-faults:u" && press Tab && shows "event .cpu-clock:u" && press q && shows "^  Children      Self" && shows "event .page-faults:u" &&
	press l && shows "^ user   kernel" && press Escape && shows "^  Children" && press l && shows "^ user" && press C-c && ended
'
test_expect_success 'other sizes' '
	on 90x20 "perf report --flame -i tree.data" && shows "^│all" && tm resize-window -t it -x 20 -y 5 && shows "^ user   kernel   inl$" && press End && shows "^(leaf|noth[.][.]): total " &&
	shows "^│leaf" && tm resize-window -t it -x 300 -y 100 && shows "^│all 100.00%$" && shows "│inner_a [0-9.]+% {100,}.*│inner_b" && press q && ended
'
test_expect_success 'names are data' '
	cc -O1 -fno-omit-frame-pointer -o badname bad.c && perf record -q -g -e cpu-clock:u -o bad.data ./badname && perf report --flame -i bad.data >text &&
	test_grep "|bad.x1b\[2Jname [0-9.]*%" text && ! grep -q "$(printf "\033")" text &&
	on 90x20 "perf report --flame -i bad.data" && shows "│bad.x1b\[2Jname [0-9.]+%" && press / "[2J" Enter && shows "\[2J matched: [0-9.]+%" && press q && ended
'
test_expect_success 'without colours, without UTF-8, and where a terminal cannot be drawn on' '
	on 90x20 "env NO_COLOR=1 perf report --flame -i tree.data" && shows "^ user   \[k\] kernel   \[i\] inlined   \[j\] JIT" && press q && ended &&
	on 90x20 "env LANG=C LC_ALL=C perf report --flame -i tree.data" && shows "^\|all 100.00%" && press q && ended &&
	on 90x30 "env TERM=dumb PERF_PAGER=cat perf report --flame -i tree.data 2>err" && ended && shows "^\|all" &&
	echo "Warning: no browser: the terminal cannot be drawn on (TERM is dumb); this is the text" >expect && test_cmp expect err &&
	on 90x30 "env PERF_PAGER=cat perf report --flame --stdio -i tree.data 2>err" && ended && shows "^\|all" && test ! -s err
'
test_expect_success 'the terminal is as before after SIGSEGV, SIGTERM, SIGKILL' '
	ended_by SEGV 139 "perf report --flame -i tree.data" && ended_by TERM 143 "perf report --flame -i tree.data" && ended_by KILL 137 "perf report --flame -i tree.data"
'
test_expect_success 'Ctrl-Z and fg; a terminal that is closed ends it' 'goes_on "perf report --flame -i tree.data" && closes "perf report --flame -i tree.data"'
test_done
