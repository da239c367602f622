#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf heatmap: cells, pairs and percentiles are those that are counted from perf script; a part of the page has its own flame graph'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/npm.sh"

test_workload threads

record () { perf record -q "$@"; }
heatmap () { perf heatmap "$@"; }

test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'record -o probe.data -e cpu-clock true && [ -s probe.data ]'

# Cells from the text of perf script: of samples, by their times.
cat >offsets.awk <<\END
{ split($1, t, /[.:]/); n[t[1] " " int(t[2] / row)]++; if (!least || t[1] < least) least = t[1] }
END { for (k in n) { split(k, at, " "); print at[1] - least, at[2], n[k] } }
END
# What --json says, as lines.
cat >cells.py <<\END
import json, sys
m = json.load(open(sys.argv[1]))
for c in m["cells"]:
    print(*c)
if "latency" in m:
    for k in ("n", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"):
        print(k, m["latency"][k])
    print("unpaired", m["unpaired_starts"], m["unpaired_ends"], "of", m["starts"], m["ends"])
    for c in m["columns"]:
        if c["n"]:
            print("column", c["from_ns"], c["n"], c["p50_ns"], c["p99_ns"], c["max_ns"])
END
# pairs.py PRESET COLUMN_NS ROW_NS	from the lines of perf script --ns -F tid,time,event,trace; ROW_NS 0: doubling
cat >pairs.py <<\END
import math, re, sys
preset, col, row = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
opened, found, unpaired, lone, starts, ends = {}, [], 0, 0, 0, 0
for line in sys.stdin:
    m = re.match(r"\s*(-?\d+)\s+(\d+)\.(\d{9}):\s+(\S+): (.*)", line)
    tid, t, event, text = m[1], int(m[2] + m[3]), m[4], m[5]
    begin = event.endswith(("enter", "wakeup", "wakeup_new", "issue"))
    if preset == "syscalls":
        key = tid, re.match(r"NR (-?\d+)", text)[1]
    elif preset == "block":
        key = re.match(r"(\d+,\d+) \S+ (?:\d+ )?\(.*\) (\d+) \+", text).groups()
    else:
        key = re.search(r" pid=(\d+)" if begin else r" next_pid=(\d+)", text)[1]
        if not begin:
            unpaired += opened.pop(re.search(r"prev_pid=(\d+)", text)[1], None) is not None
    if begin:
        starts += 1
        unpaired += key in opened
        opened[key] = t
        continue
    ends += 1
    if key in opened:
        found.append((t, t - opened.pop(key)))
    else:
        lone += 1
unpaired += len(opened)
first = min(t for t, _ in found) // col * col
cells, columns = {}, {}
for t, ns in found:
    at = (t - first) // col, ns // row if row else max(ns.bit_length() - 1, 0)
    cells[at] = cells.get(at, 0) + 1
    columns.setdefault(at[0], []).append(ns)
def rank(v, p):
    return sorted(v)[math.ceil(p * len(v) / 1000) - 1]
for at in sorted(cells):
    print(*at, cells[at])
all = [ns for _, ns in found]
print("n", len(all))
for name, p in (("p50_ns", 500), ("p90_ns", 900), ("p99_ns", 990), ("p999_ns", 999), ("max_ns", 1000)):
    print(name, rank(all, p))
print("unpaired", unpaired, lone, "of", starts, ends)
for c in sorted(columns):
    print("column", first + c * col, len(columns[c]), rank(columns[c], 500), rank(columns[c], 990), max(columns[c]))
END
lines () { perf script --ns -F tid,time,event,trace -i "$1" 2>/dev/null; }

test_expect_success RECORD 'one command records and draws' '
	heatmap -F 999 -e cpu-clock -g -o first.html ./threads 2 300 >out 2>err && grep "perf heatmap: [1-9][0-9]* samples in first.html" err &&
	grep "</html>" first.html && [ -s perf.data ] &&
	test_status 1 perf heatmap -o first.html -e cpu-clock sh -c "touch gone" 2>err && [ ! -e gone ] && grep "^Error: .first.html. exists" err &&
	test_status 3 perf heatmap -q -e cpu-clock -c 10000 --stdio sh -c "exit 3" >out && grep "^cpu-clock: " out
'
test_expect_success RECORD,PYTHON 'cells are the samples of perf script, second by second' '
	record -F 4999 -e cpu-clock -g -o s.data ./threads 3 2500 >/dev/null &&
	perf script --ns -F time -i s.data 2>/dev/null | awk -v row=20000000 -f offsets.awk | sort -n -k1,1 -k2,2 >expect && [ $(wc -l <expect) -gt 40 ] &&
	heatmap --json -i s.data >s.json && python3 cells.py s.json >actual && test_cmp expect actual &&
	perf script --ns -F time -i s.data 2>/dev/null | awk -v row=2000000 -f offsets.awk | sort -n -k1,1 -k2,2 >expect &&
	heatmap --json --rows 500 -i s.data -o rows.json 2>err && python3 cells.py rows.json >actual && test_cmp expect actual &&
	perf script --ns -F time --comm worker-1 -i s.data 2>/dev/null | awk -v row=20000000 -f offsets.awk | sort -n -k1,1 -k2,2 >expect &&
	heatmap --json --comm worker-1 -i s.data >one.json && python3 cells.py one.json >actual && test_cmp expect actual
'
test_expect_success RECORD 'the same whatever the number of threads' '
	for j in 1 2 5; do heatmap --jobs $j -f -o j$j -i s.data 2>err && heatmap --jobs $j --json -i s.data >json$j || return 1; done &&
	cmp j1 j2 && cmp j1 j5 && cmp json1 json2 && cmp json1 json5
'
test_expect_success SYSCALLS,PYTHON 'pairs of system calls, and their percentiles' '
	heatmap --preset syscalls --json --interval 5ms --recording calls.data -- sh -c "ls -R /usr/include >/dev/null; ./threads 3 50" >calls.out 2>err &&
	sed -n "/^{/p" calls.out >calls.json && lines calls.data | python3 pairs.py syscalls 5000000 0 >expect && [ $(wc -l <expect) -gt 20 ] &&
	python3 cells.py calls.json >actual && test_cmp expect actual &&
	heatmap --preset syscalls --json --interval 5ms --linear=10us -i calls.data >linear.json && python3 cells.py linear.json | grep -v "^column" >actual &&
	python3 - linear.json <<-\EOF &&
	import json, sys
	m = json.load(open(sys.argv[1]))
	assert m["scale"] == "linear" and m["row_ns"] >= 10000 and m["n"] == sum(c[2] for c in m["cells"])
	print(m["row_ns"])
	EOF
	lines calls.data | python3 pairs.py syscalls 5000000 $(python3 -c "import json; print(json.load(open(\"linear.json\"))[\"row_ns\"])") | grep -v "^column" >expect &&
	test_cmp expect actual
'
test_expect_success SYSCALLS,PYTHON 'and by names of events and fields' '
	heatmap --start raw_syscalls:sys_enter --end sys_exit --key tid,id --json --interval 5ms -i calls.data >own.json &&
	python3 cells.py own.json >actual && python3 cells.py calls.json >expect && test_cmp expect actual
'
test_expect_success TRACEFS,ROOT,PYTHON 'from wake-ups to the CPU' '
	heatmap --preset sched --json --interval 10ms --recording sched.data -- ./threads 4 200 >sched.out 2>err && sed -n "/^{/p" sched.out >sched.json &&
	lines sched.data | python3 pairs.py sched 10000000 0 >expect && [ $(wc -l <expect) -gt 20 ] && python3 cells.py sched.json >actual && test_cmp expect actual &&
	perf script -F comm,tid -i sched.data 2>/dev/null | awk "\$1 ~ /^worker/ { print \$2; exit }" >tid && [ -s tid ] &&
	heatmap --preset sched --tid $(cat tid) --json -i sched.data >one.json && grep -q "\"n\":[1-9]" one.json &&
	test_status 129 perf heatmap --preset sched --comm worker-1 -i sched.data 2>err && grep "threads are chosen by --tid alone" err
'
test_lazy_prereq BLOCK 'needs a disk whose requests are seen' 'test_have TRACEFS,ROOT && record -a -e block:block_rq_issue -o probe-block.data -- \
	dd if=/dev/zero of=probe-block bs=64k count=4 oflag=direct conv=fsync 2>dd && perf script -i probe-block.data | grep -q block_rq_issue'
test_expect_success BLOCK,PYTHON 'requests of disks' '
	heatmap --preset block --json --interval 1ms --recording block.data -- dd if=/dev/zero of=blocks bs=64k count=200 oflag=direct conv=fsync >block.out 2>err &&
	sed -n "/^{/p" block.out >block.json &&
	lines block.data | python3 pairs.py block 1000000 0 >expect && [ $(wc -l <expect) -gt 5 ] && python3 cells.py block.json >actual && test_cmp expect actual
'
test_expect_success RECORD 'text: blocks where the terminal has them, else signs' '
	LC_ALL=C.UTF-8 perf heatmap --stdio --title "a	title" -i s.data >text && head -n 1 text >actual && printf "%s\n" "a\\x09title" >expect && test_cmp expect actual &&
	grep "█" text && grep "^    960 ms │" text && grep "^cpu-clock: [0-9,]* samples\$" text && grep "^one column is 1 s, one row 40 ms; in the fullest place there are " text &&
	LC_ALL=C perf heatmap --stdio --width 40 -i s.data >plain && ! LC_ALL=C grep "[^ -~]" plain && grep "^    960 ms |" plain
'
test_expect_success SYSCALLS 'text of pairs: percentiles and what has no other half' '
	LC_ALL=C perf heatmap --preset syscalls --stdio -i calls.data >text && grep "^p50 [0-9.]* [mun]*s  p90 .*  p99 .*  p99.9 .*  max " text &&
	grep "^not paired: [0-9]* that did not end, [0-9]* that did not begin\$" text
'
test_expect_success RECORD 'wrong uses' '
	test_status 129 perf heatmap --stdio --json -i s.data 2>err && grep "exclude each other" err &&
	test_status 129 perf heatmap --preset syscalls --key tid -i s.data 2>err && grep "says already what" err &&
	test_status 129 perf heatmap --preset nothing -i s.data 2>err && grep "unknown preset .nothing." err &&
	test_status 129 perf heatmap --start a -i s.data 2>err && grep "belong together" err &&
	test_status 129 perf heatmap --rows 7 -i s.data 2>err && grep "cannot be divided into .7. rows" err &&
	test_status 129 perf heatmap --interval 5ms -i s.data 2>err && grep "about pairs of events" err &&
	test_status 1 perf heatmap --preset syscalls --stdio -i s.data 2>err && grep "^Error: no event .raw_syscalls:sys_enter. in .s.data." err &&
	test_status 1 perf heatmap --stdio -e cycles -i s.data 2>err && grep "^Hint: there are: cpu-clock" err &&
	test_status 129 perf heatmap -F 99 -i s.data 2>err && grep "^Error: --freq is about recording, and -i reads a recording" err
'
test_expect_success SYSCALLS 'fields that are not there, and pairs that are none' '
	test_status 1 perf heatmap --start sys_enter --end sys_exit --key nothing --stdio -i calls.data 2>err && grep "has no field .nothing." err &&
	test_status 1 perf heatmap --start sys_enter --end sys_exit --key id=ret,tid=cpu --stdio -i calls.data 2>err && grep "^Error: no pairs in .calls.data.: [0-9]* sys_enter" err
'
test_expect_success RECORD,BROWSER,PYTHON 'in a browser a part of the map has the samples and the functions of just that' '
	heatmap --no-inline -f -o s.html -i s.data 2>err && browser heat s.html 0.02 0.5 >seen && sed -n "s/^span //p" seen >span && [ -s span ] &&
	from=$(cut -d" " -f1 span) && to=$(cut -d" " -f2 span) &&
	perf script --ns -F time -i s.data 2>/dev/null | sed "s/[.:]//g" | awk -v from=$from -v to=$to "\$1 >= from && \$1 < to" | wc -l >expect && [ $(cat expect) -gt 0 ] &&
	sed -n "s/^samples //p" seen >actual && test_cmp expect actual &&
	awk -v a=$from -v b=$to "BEGIN { b--; printf \"%d.%09d,%d.%09d\", int(a / 1e9), a % 1e9, int(b / 1e9), b % 1e9 }" >times &&
	perf report --no-inline -i s.data --time "$(cat times)" --stdio -g none --percent-limit 0 -F overhead,sym 2>/dev/null | sed -n "s/^ *\([0-9.]*%\) *\[\.\] hot *\$/\1/p" >expect &&
	[ -s expect ] && sed -n "s/^row \([0-9.]*%\) .* hot\$/\1/p" seen >actual && test_cmp expect actual &&
	printf "%s\n" "link true" "keys true" "shift true" "whole true" >expect && grep "^keys\|^shift\|^link\|^whole" seen >actual && test_cmp expect actual &&
	! grep "^request\|^error\|^console\|requests\$" seen
'
test_expect_success SYSCALLS,BROWSER 'the page of pairs: what is chosen, keys, the address, and nothing from elsewhere' '
	heatmap --preset syscalls -f -o calls.html -i calls.data 2>err && browser latency calls.html >actual &&
	printf "%s\n" "whole $(sed -n "s/.*\"latency\":{\"n\":\([0-9]*\).*/\1/p" calls.json)" "drag true" "link true" "cleared true" "keys true" "lines none" "theme dark" >expect && test_cmp expect actual
'
test_expect_success RECORD,SYSCALLS,BROWSER,AXE 'the checker of accessible pages finds nothing serious' '
	for page in s.html calls.html "calls.html#s=0-3-0-2"; do browser axe "$page" >found && test_cmp /dev/null found || return 1; done
'
hostile="</script><img src=x onerror=alert(1)>"
cat >names.c <<\EOF2
#include <sys/prctl.h>
#include <unistd.h>
volatile long n;
int main(int argc, char **argv) { prctl(PR_SET_NAME, argv[argc - 1]); for (long i = 0; i < 100000000; i++) n++; for (int i = 0; i < 50; i++) getppid(); return 0; }
EOF2
test_expect_success RECORD,CC,BROWSER 'names are text, whatever they are' '
	cc -o names names.c && record -F 999 -e cpu-clock -g -o evil.data ./names "</script><b>" >/dev/null &&
	heatmap -f -o evil.html --title "$hostile" -i evil.data 2>err && browser names evil.html >actual &&
	printf "%s\n" "$hostile – heat map" "$hostile" "task all" "task </script><b>" "elements 0" >expect && grep -v "^task names" actual >out && test_cmp expect out
'
test_expect_success SYSCALLS,CC,BROWSER 'and on the page of pairs' '
	heatmap --preset syscalls -f -o evil2.html --title "$hostile" --recording evil2.data -- ./names "</script><b>" >/dev/null 2>err &&
	browser names evil2.html >actual && printf "%s\n" "$hostile – heat map" "$hostile" "elements 0" >expect && test_cmp expect actual
'
test_expect_success RECORD 'an empty recording, and a full disk: one message, no half file' '
	record -e cpu-clock -c 3000000000 -o empty.data true && test_status 1 perf heatmap -i empty.data -o none.html 2>err && [ ! -e none.html ] &&
	grep "^Error: the file .empty.data. has no samples" err &&
	test_status 1 perf heatmap -i s.data --json >/dev/full 2>err && grep -c "No space left" err >n && echo 1 >expect && test_cmp expect n
'
test_done
