#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf kmem: the slab allocator, from made recordings and real ones'
. "$(dirname "$0")/lib.sh"

cat >symbols <<\EOF
ffffffff81000000 T _text
ffffffff81000000 T _stext
ffffffff81100000 T wasteful
ffffffff81110000 T exact
ffffffff81120000 T _etext
EOF
# wasteful asks three times for 40 bytes and gets 64; one piece is freed on the other CPU, then asked for again. exact gets 128.
# One free is of memory that was allocated before the recording; one piece is freed twice (the event between was lost).
cat >story <<\EOF
event kmem:kmalloc call_site:ptr ptr:ptr bytes_req:u64 bytes_alloc:u64 gfp_flags:u64 node:s32
event kmem:kfree call_site:ptr ptr:ptr
kernel ffffffff81000000 ffffffff81120000
comm 100 100 first
1000 0 100 100 kmem:kmalloc 0xffffffff81100020 0xffff888100000040 40 64 0 -1
1001 0 100 100 kmem:kmalloc 0xffffffff81100020 0xffff888100000080 40 64 0 -1
1002 0 100 100 kmem:kmalloc 0xffffffff81110030 0xffff888100001000 128 128 0 -1
1003 1 100 100 kmem:kfree 0xffffffff81110000 0xffff888100000040
1004 1 100 100 kmem:kmalloc 0xffffffff81100020 0xffff888100000040 40 64 0 -1
1005 0 100 100 kmem:kfree 0xffffffff81110000 0xffff888100001000
1006 0 100 100 kmem:kfree 0xffffffff81110000 0xffff888100009000
EOF
python3 "$TOP/tests/t/tpenc.py" k.data <story && (cat story; echo "1007 1 100 100 kmem:kfree 0xffffffff81110000 0xffff888100001000") |
	python3 "$TOP/tests/t/tpenc.py" twice.data || exit 1
kmem () { perf kmem -i k.data --kallsyms symbols "$@"; }

test_expect_success 'stat: totals, callers and memory' '
	kmem --caller --alloc -l 2 stat | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out
	---------------------------------------------------------------------------------------------------------
	 Callsite                           | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
	---------------------------------------------------------------------------------------------------------
	 wasteful+20                        |       192/64    |       120/40    |        3 |         1 | 37.500%
	 exact+30                           |       128/128   |       128/128   |        1 |         0 |  0.000%
	---------------------------------------------------------------------------------------------------------
	---------------------------------------------------------------------------------------------------------
	 Alloc Ptr                          | Total_alloc/Per | Total_req/Per   | Hit      | Ping-pong | Frag
	---------------------------------------------------------------------------------------------------------
	 0xffff888100000040                 |       128/64    |        80/40    |        2 |         1 | 37.500%
	 0xffff888100000080                 |        64/64    |        40/40    |        1 |         0 | 37.500%
	 ...                                | ...             | ...             | ...      | ...       | ...
	---------------------------------------------------------------------------------------------------------

	SUMMARY (SLAB allocator)
	========================
	Total bytes requested: 248
	Total bytes allocated: 320
	Total bytes freed:     192
	Net total bytes allocated: 128
	Total bytes wasted on internal fragmentation: 72
	Internal fragmentation: 22.500000%
	Cross CPU allocations: 0/4
	EOF
'
test_expect_success 'sorted as asked for; addresses; and what is freed twice counts once' '
	kmem --caller -s bytes --raw-ip stat | sed -n 4,5p | cut -c1-20 >got && printf " 0xffffffff81100020 \n 0xffffffff81110030 \n" >expect && test_cmp expect got &&
	kmem --caller -s callsite -l 1 stat | sed -n 4p | cut -c1-9 >got && echo " exact+30" >expect && test_cmp expect got &&
	perf kmem stat -i twice.data >out 2>err && test_grep "bytes freed: *192$" out
'
test_expect_success 'JSON and CSV have the values of the text' '
	kmem --alloc stat --json >j && cat >check.py <<-\EOF && python3 check.py &&
	import json
	d = json.load(open("j"))
	assert d["bytes_requested"] == 248 and d["allocations"] == 4 and d["frees"] == 3, d
	assert [(c["function"], c["offset"], c["bytes_alloc"], c["pingpong"], c["frag"]) for c in d["callers"]] == [("wasteful", 32, 192, 1, 37.5), ("exact", 48, 128, 0, 0)], d
	assert [m["hits"] for m in d["memory"]] == [2, 1, 1], d
	EOF
	kmem stat -x , >c && sed -n 2p c >got && echo "18446744071579893792,wasteful,32,192,120,3,1,37.5000" >expect && test_cmp expect got
'
test_expect_success 'what is wrong is said' '
	test_status 1 kmem -s foo stat 2>err && test_grep "sort: there is no key .foo" err && test_grep "ptr, callsite, bytes" err &&
	test_status 129 kmem -l x stat 2>err && test_grep "x. is not a number of lines" err &&
	test_status 1 perf kmem stat -i "$TOP/tests/data/small/fp.data" 2>err && test_grep "no events of the slab allocator" err && test_grep "perf kmem record" err &&
	test_status 1 perf kmem --page stat 2>err && test_grep "page allocator" err && test_grep "perf record -a -g -e kmem:mm_page_alloc" err
'
test_expect_success NEWEST 'upstream perf finds the same in it' '
	for o in "--caller --raw-ip" "--alloc" "--caller --raw-ip -s bytes -l 1" "--alloc -s hit,ptr -l 2" ""; do
		"$NEWEST" kmem -i k.data --slab $o stat >expect 2>raw && perf kmem -i k.data $o stat >got 2>err && test_cmp expect got || { echo "$o"; return 1; }
	done
'
test_expect_success ROOT,TRACEFS 'record: the events of this kernel' '
	perf kmem record -m 8M -o r.data -- true >out 2>err && perf kmem stat -i r.data >out 2>err && test_grep "^Total bytes requested: [1-9]" out
'
test_done
