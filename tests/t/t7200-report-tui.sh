#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# waits: yes
test_description='perf report on a terminal: the browser (its keys are tested on a screen in memory: tests/unit/view)'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,TMUX
test_workload calltree
# Upstream makes the column of the dso 16 wide for a row without a name, also for one that the limit hides; and it has no row for
# what is broken, as the chain of a sample in the C library can be: the loader has run when the first sample is taken.
names_only () {
	perf record -q --call-graph fp -e cpu-clock:u -F 4000 -D 10 -o tree.data ./calltree 8000 >/dev/null &&
	perf script -F ip,sym -i tree.data >syms 2>err && ! grep "\[unknown\]" syms &&
	perf report --stdio --percent-limit 0 -g caller,0 -i tree.data >rows 2>err && ! grep "broken chain" rows
}

cat >bad.c <<\EOF
void bad(void) __asm__("\"bad\033[2Jname\"");
__attribute__((noinline)) void bad(void) { for (volatile long i = 0; i < 300000000; i++) ; }
int main(void) { bad(); return 0; }
EOF
. "$TEST_DIR/tmux.sh"

test_expect_success 'recordings' '
	test_attempts 10 "a sample can be in code without a name, or its chain broken" names_only &&
	perf record -q -e cpu-clock:u,page-faults:u -o two.data ./calltree 500 >/dev/null
'
test_expect_success 'rows, chains, zoom, back, quit' '
	on 90x24 "perf report -i tree.data" && shows "^Samples: .* of event .cpu-clock:u., Event count" &&
	shows "^  Children      Self  Command   Shared Object +Symbol" && shows "\[\.\] outer$" &&
	press + && shows "^-  " && press E && shows "^ +- .*outer$" && shows "^ +[-+] 7[0-9]\.[0-9]+% inner_a$" && press C d &&
	shows "^Samples: .*, DSO: " && press Escape && shows "^Samples: .*[0-9]$" &&
	press h && shows "Show this window" && press x && press q && ended && screen >left && ! grep -q Samples left
'
# What is open is the same text; the tip and a mark of where one is are not.
same_as_upstream () {
	on 90x30 "$UPSTREAM report --percent-limit 1 --tui -i tree.data $2" && shows "^Samples:" && press $1 && sleep 1 && screen | sed "\$d" >expect &&
	on 90x30 "perf report --percent-limit 1 -i tree.data $2" && shows "^Samples:" && press $1 &&
	test_wait_for 10 "screen | sed \\\$d | cmp -s - expect" || { screen | sed "\$d" >got; test_cmp expect got; }
}
test_expect_success UPSTREAM 'the same screen as upstream: rows' 'same_as_upstream Home'
test_expect_success UPSTREAM 'the same screen as upstream: one level' 'same_as_upstream +'
test_expect_success UPSTREAM 'the same screen as upstream: all call trees' 'same_as_upstream E'
# A function that does a part itself and calls one other has one branch below it, which needs no percentage.
cat >steps.c <<\EOF
#define CODE __attribute__((noinline, optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")))
#define WORK(n) for (unsigned i = 0; i < n; i++) sum += i
static volatile unsigned long sum;
CODE void nothing(void) { __asm__ volatile("" ::: "memory"); }
CODE void third(void) { WORK(20000); nothing(); __asm__ volatile("" ::: "memory"); }
CODE void second(void) { WORK(8000); third(); __asm__ volatile("" ::: "memory"); }
CODE void first(void) { WORK(8000); second(); __asm__ volatile("" ::: "memory"); }
CODE int main(void) { for (int i = 0; i < 8000; i++) { WORK(4000); first(); } return 0; }
EOF
test_expect_success UPSTREAM,CC 'the same screen as upstream: functions that do a part themselves' '
	cc -O1 -o steps steps.c && perf record -q -g -e cpu-clock:u -F 2000 -D 10 -o steps.data ./steps >/dev/null && same_as_upstream E "-i steps.data"
'
test_expect_success UPSTREAM 'the same screen as upstream: rows that hold others' 'same_as_upstream Home "--hierarchy --no-children"'
test_expect_success UPSTREAM 'the same screen as upstream: what they hold' 'same_as_upstream + "--hierarchy --no-children"'
test_expect_success UPSTREAM 'the same screen as upstream: all that they hold' 'same_as_upstream E "--hierarchy --no-children"'
test_expect_success 'T shows rows as a tree, and as a list' '
	on 90x24 "perf report --no-children -g none -i tree.data" && shows "^Overhead  Command   Shared Object +Symbol" && press T &&
	shows "^  Overhead        Command / Shared Object / Symbol" && shows "^\+ +[0-9.]+%        calltree$" && press E && shows "^ +[0-9.]+%        \[\.\] leaf$" &&
	press T && shows "\[\.\] leaf$" && screen | grep -q "^Overhead  Command" && press q && ended
'
test_expect_success 'stacks one by one: -g flat, -g folded' '
	on 90x24 "perf report --no-children -g flat -i tree.data" && shows "\[\.\] leaf$" && press + && shows "^   \+ 7[0-9]\.[0-9]+% leaf$" && press Down + && shows "^   - 7[0-9.]+% leaf$" &&
	shows "^        inner_a$" && shows "^        main$" && press q && ended &&
	perf report --stdio --no-children -g folded -i tree.data | grep "leaf;" | sort >text && test -s text &&
	on 90x24 "perf report --no-children -g folded -i tree.data" && shows "\[\.\] leaf$" && press + && shows "leaf;inner_a;outer;main" &&
	screen | grep "leaf;" | sed "s/^ *//" | sort | test_cmp text - && press q && ended &&
	on 90x24 "perf report --no-children -g graph,caller -i tree.data" && shows "\[\.\] leaf$" && press E && shows "^   - outer$" && shows "^      - 7[0-9.]+% inner_a$" && shows "^ +leaf$" && press q && ended
'
test_expect_success 'several events' '
	on 80x10 "perf report -i two.data" && shows "^Available samples" && shows "^[0-9K]+ cpu-clock:u$" && press Down Enter &&
	shows "event .page-faults:u" && press Tab && shows "event .cpu-clock:u" && press BTab && shows "event .page-faults:u" &&
	press Escape && shows "^Available samples" && press q && ended
'
test_expect_success 'P writes what is open' '
	rm -f perf.hist.* && on 90x24 "perf report -i tree.data" && shows "outer$" && press e P && shows "^perf.hist.0 written!" &&
	test_grep "^ +- .*outer$" perf.hist.0 && press P && shows "^perf.hist.1 written!" && cmp perf.hist.0 perf.hist.1 && press q && ended
'
test_lazy_prereq MOUNTS 'needs its own mounts' 'unshare -m true'
test_expect_success MOUNTS 'a machine without S-Lang: the text, and what to install' '
	lib=$(ldconfig -p | sed -n "s,.*libslang[.]so[.]2 .* => ,,p") && ! readelf -d "$(readlink -f "$(command -v perf)")" | grep -q slang &&
	on 90x50 "unshare -m sh -c \"mount --bind /dev/null $(readlink -f "$lib") && PERF_PAGER=cat perf report -i tree.data 2>err\"" && ended && shows "^# .Tip" &&
	test_grep "^Warning: no browser: S-Lang cannot be loaded: .*libslang.so.2: file too short; this is the text$" err
'
test_expect_success 'text: in a pipe, with --stdio, and where a terminal cannot be drawn on' '
	perf report -i tree.data >pipe 2>err && test_grep "^# Samples: " pipe && test ! -s err &&
	on 90x24 "perf report -i tree.data --stdio | cat >text 2>err" && ended && sed "/Tip/d; /^#$/d" text >got && sed "/Tip/d; /^#$/d" pipe | test_cmp - got &&
	on 90x50 "env TERM=dumb PERF_PAGER=cat perf report -i tree.data 2>err" && ended && shows "^# .Tip" &&
	echo "Warning: no browser: the terminal cannot be drawn on (TERM is dumb); this is the text" >expect && test_cmp expect err &&
	on 90x50 "env -u TERM PERF_PAGER=cat perf report -i tree.data 2>err" && ended && test_grep "TERM is not set" err && test "$(wc -l <err)" = 1 &&
	perf report --tui -i tree.data >out 2>err && test_grep "no terminal; this is the text" err && test_cmp pipe out &&
	perf record -q -e cpu-clock:u -o - ./calltree 500 | perf report --tui -i - >out 2>err && test_grep "from standard input, so there are no keys" err
'
test_expect_success 'a shows the code, and goes back' '
	on 90x24 "perf report --no-children -i tree.data" && shows "\[\.\] leaf$" && press a && shows "^leaf  .*/calltree \[Percent: local period\]" &&
	shows "^ *[0-9]+\.[0-9]+ │" && press p && shows "Percent: global period" && press q && shows "^  Overhead" && press q && ended
'
test_expect_success 'how the code looks is said by the options of perf annotate, and its settings' '
	on 100x24 "perf report --no-children -i tree.data -M intel --asm-raw --no-source --percent-type global-hits" && shows "\[\.\] leaf$" && press a && shows "^leaf  .*Percent: global hits" &&
	shows "48 01 .* add +r[a-z]+,r[a-z]+$" && ! screen | grep "while (n--)" && press s && shows "while \(n--\)" && press q && shows "^  Overhead" && press q && ended &&
	printf "[annotate]\n\thide_src_code = true\n\tshow_nr_jumps = true\n" >conf &&
	on 100x24 "env PERF_CONFIG=conf perf report --no-children -i tree.data --objdump $(command -v objdump)" && shows "\[\.\] leaf$" && press a && shows "│ *1 +[0-9a-f]+:   mov" && ! screen | grep "while (n--)" && press q q && ended &&
	on 100x24 "perf report --no-children -i tree.data --objdump ./none" && shows "\[\.\] leaf$" && press a && shows "cannot run .\./none." && press q && ended &&
	test_status 1 perf report -i tree.data -M sparc 2>err && test_grep "no disassembler style .sparc." err &&
	test_status 129 perf report -i tree.data --prefix-strip 1 2>err && test_grep "prefix-strip is about --prefix" err && test_status 129 perf report --percent-type most 2>err && test_grep "global-hits, not .most." err
'
test_expect_success 'r shows samples as text, through the pager, and goes back' '
	on 100x24 "env -u PAGER -u LESS -u PERF_PAGER perf report --no-children --comms calltree -i tree.data" && shows "\[\.\] leaf$" && press r && shows "Show individual samples of symbol \[leaf\]" && press Enter &&
	shows "^calltree +[0-9]+ .*cpu-clock:u:" && shows "leaf\+0x[0-9a-f]+ \(.*/calltree\)" && ! screen | grep Samples: && press C-c && shows "^Samples:" && shows "\[\.\] leaf$" &&
	press d && shows ", DSO: calltree" && press r && shows "custom" && press End Enter && shows "Arguments" && press " -F comm,pid,time" Enter && shows "^ *calltree +[0-9]+ +[0-9]+\.[0-9]+:" && press q && shows "DSO: calltree" && press q && ended &&
	on 100x24 "env PERF_PAGER=cat perf report --no-children -i tree.data" && shows "\[\.\] leaf$" && press r && shows "custom" && press End Enter && shows "Arguments" && press " -F nosuch" Enter && shows "nosuch" && shows "Enter goes back" &&
	press Enter && shows "^perf script ended with status [1-9]" && press a && shows "^leaf  " && press r && shows "leaf\+0x" && shows "Enter goes back" && press Enter && shows "^leaf  " && press C-c && ended
'
test_expect_success 's goes to another recording of the directory, with the same options, and back' '
	rm -rf dir && mkdir -p dir/sub.data && cp tree.data dir/one.data && cp two.data "dir/b c.data" && echo text >dir/notes && mkfifo dir/fifo &&
	on 90x24 "sh -c \"cd dir; perf report --no-children -i one.data\"" && shows "^  Overhead" && press s && shows "Recordings" && screen | grep -v fifo | grep -v notes |
		grep -A3 Recordings >list && test_grep "b c.data" list && test_grep "one.data" list && ! screen | grep -E "fifo|notes|sub.data" && press Escape && shows "leaf$" &&
	press s && shows "Recordings" && press Enter && shows "^Available samples" && press Enter && shows "event .cpu-clock:u" && shows "^Overhead" && press s && shows "Recordings" &&
	press Down Enter && shows "^  Overhead" && shows "\[\.\] leaf$" && press q && ended && screen >left && ! grep Samples left &&
	on 90x24 "sh -c \"mkdir -p empty; cd empty; perf report -i ../tree.data\"" && shows "outer$" && press s && shows "there is no recording in this directory" && press q && ended
'
test_expect_success 'the terminal is as before after SIGSEGV' 'ended_by SEGV 139 "perf report -i tree.data"'
test_expect_success 'the terminal is as before after SIGTERM' 'ended_by TERM 143 "perf report -i tree.data"'
test_expect_success 'the terminal is as before after SIGKILL' 'ended_by KILL 137 "perf report -i tree.data"'
test_expect_success 'a terminal that is closed ends it' 'closes "perf report -i tree.data"'
test_expect_success 'a recording without samples: the screen is left, and the error is that of the text' '
	perf record -q -e alignment-faults:u -o empty.data true >/dev/null && test_status 1 perf report -i empty.data >out 2>expect && test_grep "no samples" expect &&
	on 90x12 "perf report -i empty.data 2>got" && ended 1 && test_cmp expect got && ! screen | grep Samples:
'
test_expect_success 'names are data' '
	cc -O1 -fno-omit-frame-pointer -o badname bad.c && perf record -q -g -e cpu-clock:u -o bad.data ./badname >/dev/null &&
	on 90x20 "perf report --no-children -i bad.data" && shows "\[\.\] bad.x1b\[2Jname$" && press E && shows "^ +bad.x1b\[2Jname$" && press T E && shows "\[\.\] bad.x1b\[2Jname$" &&
	press End && press Up Up Up && press Home n "[2J" Enter && shows "bad.x1b" && press a && shows "^bad.x1b\[2Jname  " && press q q && ended
'
test_expect_success 'Ctrl-Z and fg' '
	gone && tm new-session -d -s it -x 90 -y 24 "PATH='"'$PATH'"' PS1=prompt: bash --norc --noprofile -i" &&
	shows "^prompt:" && press "perf report -i tree.data" Enter && shows "^Samples:" && press C-z && shows "Stopped" &&
	! screen | grep Samples: && press fg Enter && shows "^Samples:" && press + && shows "^-  " && press q && shows "^prompt:$"
'
test_done
