#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf heap report: memory by function, live, at the peak, leaked and freed, from made recordings'
. "$(dirname "$0")/lib.sh"

test_require PYTHON
cat >symbols <<\EOF
ffffffff81000000 T _text
ffffffff81000000 T _stext
ffffffff81100000 T make
ffffffff81101000 T parse
ffffffff81102000 T main
ffffffff81103000 T other
ffffffff8110a000 T _etext
EOF
make=ffffffff81100010 parse=ffffffff81101010 main=ffffffff81102010
made () { python3 "$TOP/tests/t/heapdata.py" "$@" || exit 1; }
heap () { perf heap report -i "${f:-e.data}" --kallsyms symbols "$@"; }

# Live: 100, 400, 1400 (parse has 1000: the peak), 1100, 1150, 150; make has that at the end of process 7, so it has leaked.
cat >story <<EOF
1000 7 comm worker
1001000 7 alloc 0x10 100 $make $main
1002000 7 alloc 0x20 300 $make $parse $main
1003000 7 alloc 0x30 1000 $parse $main
1005000 7 free 0x20
1006000 7 alloc 0x20 50 $make $main
2003000 7 free 0x30
3000000 7 exit
EOF
made e.data 1 <story

test_expect_success 'exact sums' '
	heap | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out
	# each of 4 allocations was recorded
	# allocated: 1450 bytes in 4 allocations, freed: 1300 bytes
	# live at the end: 150 bytes, of that leaked: 150 bytes
	# peak: 1400 bytes, 0.000002 s after the first allocation
	# lifetimes of what was freed, by bytes: 50% up to 0.000003 s, 95% 0.001000 s, 99% 0.001000 s
	#
	#   Share  Live  Leaked  At peak  Allocated  Freed  Times  +-  Function
	# .......  ....  ......  .......  .........  .....  .....  ..  ........
	#
	  100.00%   150     150      400        450    300      3   0  make
	EOF
'
rows () { heap -x, "$@" | awk -F, '/^share/ { on = 1; next } !NF { exit } { print $1, $NF }'; }
test_expect_success 'each measure' '
	rows --sort peak | awk "{ printf \"%.0f %s\\n\", \$1, \$2 }" >out && printf "%s\n" "71 parse" "29 make" >expect && test_cmp expect out &&
	rows --sort alloc | awk "{ printf \"%.0f %s\\n\", \$1, \$2 }" >out && printf "%s\n" "69 parse" "31 make" >expect && test_cmp expect out &&
	rows --sort allocs | awk "{ printf \"%.0f %s\\n\", \$1, \$2 }" >out && printf "%s\n" "75 make" "25 parse" >expect && test_cmp expect out &&
	rows --sort leak | awk "{ printf \"%.0f %s\\n\", \$1, \$2 }" >out && echo "100 make" >expect && test_cmp expect out
'
test_expect_success 'stacks, from either end' '
	heap --sort alloc --stacks | sed "s/ *\$//" | sed -n "/make\$/,\$p" | sed -n "1,8p" >out && cat >expect <<-\EOF && test_cmp expect out &&
	  31.03%   150     150      400        450    300      3   0  make
	            |
	            ---main
	               |
	               |--20.69%--parse
	               |          make
	               |
	                --10.34%--make
	EOF
	heap --sort alloc -g --inverted | grep -c -- "---make" >out && echo 1 >expect && test_cmp expect out
'
test_expect_success 'the keys of data' '
	heap --json >out && python3 - <<-\EOF
	import json
	d = json.load(open("out"))
	f, rows = d, d["rows"]
	assert f["period_bytes"] == 1 and f["samples"] == 4 and f["processes"] == 1 and f["lost"] == 0, f
	assert (f["alloc_bytes"], f["allocs"], f["freed_bytes"], f["live_bytes"], f["leak_bytes"]) == (1450, 4, 1300, 150, 150), f
	assert (f["peak_bytes"], f["peak_ns"], f["peak_error_bytes"], f["alloc_error_bytes"]) == (1400, 2000, 0, 0), f
	assert 3000 <= f["life_p50_ns"] <= 3400 and f["life_p99_ns"] == 1000000, f
	assert len(rows) == 1 and rows[0]["function"] == "make" and rows[0]["peak_bytes"] == 400 and rows[0]["life_p99_ns"] == 3000, rows
	EOF
'
test_expect_success 'sampled: each piece stands for the period, and the error of sums is told' '
	(for i in $(seq 100); do echo "$((1000 + i)) 7 alloc $(printf 0x%x $((i * 16))) 64 $make $main"; done
	 echo "2000 7 alloc 0x9990 5000 $parse $main") >many && made s.data 1024 <many &&
	f=s.data heap --json >out && python3 - <<-\EOF
	import json, math
	d = json.load(open("out"))
	f, rows = d, {r["function"]: r for r in d["rows"]}
	assert f["live_bytes"] == 102400 + 5000 and f["leak_bytes"] == 0 and f["allocs"] == 1601, f
	assert abs(f["live_error_bytes"] - 2 * math.sqrt(100 * 1024 * 960)) <= 1, f
	assert rows["make"]["allocs"] == 1600 and rows["make"]["error_bytes"] == f["live_error_bytes"], rows
	assert rows["parse"]["error_bytes"] == 0 and rows["parse"]["live_bytes"] == 5000, rows
	EOF
'
test_expect_success 'what an execve leaves has leaked, a free of another process is none, an unseen free is one' '
	made x.data 1 <<-EOF &&
	1000 7 alloc 0x10 100 $make $main
	1001 8 alloc 0x10 30 $parse $main
	1002 8 free 0x20
	1003 7 exec
	1004 7 free 0x10
	1005 8 alloc 0x10 7 $parse $main
	1006 8 lost 5
	EOF
	f=x.data heap 2>err >out && test_grep "^# lost: 5 samples" out && f=x.data heap --json >out 2>err && python3 - <<-\EOF
	import json
	d = json.load(open("out"))
	f, rows = d, {r["function"]: r for r in d["rows"]}
	assert (f["live_bytes"], f["leak_bytes"], f["freed_bytes"], f["peak_bytes"], f["processes"], f["lost"]) == (107, 100, 30, 130, 2, 5), f
	assert rows["make"]["leak_bytes"] == 100 and rows["parse"]["leak_bytes"] == 0 and rows["parse"]["live_bytes"] == 7, rows
	EOF
'
test_expect_success 'other commands read it' '
	perf evlist -i e.data >out && printf "%s\n" heap:alloc heap:free >expect && test_cmp expect out &&
	perf script -i e.data --kallsyms symbols -F comm,pid,event,period,addr,weight,ip,sym >out && test_grep "heap:alloc" out &&
	perf report --stdio -i e.data --kallsyms symbols --sort sym -g none >out && test_grep "make" out &&
	perf flame --folded -i e.data --kallsyms symbols >out && test_grep "^worker;main;parse 1000" out &&
	heap --flame=out.html 2>err && test_grep "<html" out.html && test_status 129 heap --flame --json
'
test_expect_success 'what cannot be' '
	test_status 129 perf heap 2>err && test_status 129 perf heap record 2>err && test_grep "what is to be recorded" err &&
	test_status 129 heap --sort size 2>err && test_grep "it is live, peak, alloc, allocs or leak" err &&
	test_status 129 perf heap record --period 0 true 2>err && test_grep "is not a number of bytes" err &&
	test_status 129 perf heap record --period 2G true 2>err && test_status 129 perf heap record --probes none true 2>err &&
	test_status 1 perf heap report -i "$TOP/tests/data/small/fp.data" 2>err && test_grep "^Hint: record them with: perf heap record -- COMMAND$" err
'
test_done
