#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf kmem: the slab and the page allocator, from made recordings and real ones'
. "$(dirname "$0")/lib.sh"

cat >symbols <<\EOF
ffffffff81000000 T _text
ffffffff81000000 T _stext
ffffffff81100000 T wasteful
ffffffff81110000 T exact
ffffffff81120000 T __alloc_pages_noprof
ffffffff81130000 T vma_alloc_folio_noprof
ffffffff81140000 T do_anonymous_page
ffffffff81150000 T get_zeroed_page_noprof
ffffffff81160000 T pgd_alloc
ffffffff81170000 T _etext
EOF
# wasteful asks three times for 40 bytes and gets 64; one piece is freed on the other CPU, then asked for again. exact gets 128.
# One free is of memory that was allocated before the recording; one piece is freed twice (the event between was lost).
cat >story <<\EOF
event kmem:kmalloc call_site:ptr ptr:ptr bytes_req:u64 bytes_alloc:u64 gfp_flags:u64 node:s32
event kmem:kfree call_site:ptr ptr:ptr
kernel ffffffff81000000 ffffffff81170000
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
# do_anonymous_page gets three times a page, one of which another CPU freed before; pgd_alloc four pages at once, and none the
# second time. A page cache of eight pages, whose type is reclaimable. One free of memory from before the recording; the last
# piece is of a kernel with other flags and types, without a call chain, and is freed.
cat >pages <<\EOF
event kmem:mm_page_alloc pfn:u64 order:u32 gfp_flags:u64 migratetype:s32
print kmem:mm_page_alloc "page=%p pfn=0x%lx order=%d migratetype=%d gfp_flags=%s", ((struct page *)(0xffffea0000000000UL)) + (REC->pfn), REC->pfn, REC->order, REC->migratetype, (REC->gfp_flags) ? __print_flags(REC->gfp_flags, "|", {0x100ccaUL, "GFP_HIGHUSER_MOVABLE"}, {0xcc0UL, "GFP_KERNEL"}, {0x100UL, "__GFP_ZERO"}, {0x40000UL, "__GFP_COMP"}, {0x2000UL, "__GFP_NOWARN"}, {0x800000UL, "__GFP_ODD"}) : "none"
event kmem:mm_page_free pfn:u64 order:u32
kernel ffffffff81000000 ffffffff81170000
comm 100 100 first
comm 200 201 second
1000 0 100 100 kmem:mm_page_alloc 0x1000 0 0x100cca 1 @ ffffffff81120010 ffffffff81130010 ffffffff81140010
1001 0 100 100 kmem:mm_page_alloc 0x1001 0 0x100cca 1 @ ffffffff81120010 ffffffff81130010 ffffffff81140010
1002 0 100 100 kmem:mm_page_alloc 0x1010 2 0xdc0 0 @ ffffffff81120010 ffffffff81150010 ffffffff81160010
1003 1 200 201 kmem:mm_page_alloc 0x2000 3 0x42cc0 2 @ ffffffff81120010 ffffffff81110030
1004 1 200 201 kmem:mm_page_free 0x1000 0 @ ffffffff81110010
1005 1 200 201 kmem:mm_page_free 0x9000 1
1006 1 200 201 kmem:mm_page_alloc 0x1000 0 0x100cca 1 @ ffffffff81120010 ffffffff81130010 ffffffff81140010
1007 1 200 201 kmem:mm_page_alloc 0xffffffffffffffff 4 0xcc0 0 @ ffffffff81120010 ffffffff81150010 ffffffff81160010
1008 1 200 201 kmem:mm_page_alloc 0x3000 1 0xcc0 3 @ ffffffff81120010 ffffffff81110010
EOF
(cat pages; echo "1009 1 200 201 kmem:mm_page_alloc 0x4000 1 0x800cc0 7"; echo "1010 1 200 201 kmem:mm_page_free 0x4000 0"; echo "1011 1 200 201 kmem:mm_page_free 0x4000 1") |
	python3 "$TOP/tests/t/tpenc.py" pages.data || exit 1
# the types that upstream perf takes for one another
awk '$5 == "kmem:mm_page_alloc" && $9 < 3 && $9 > 0 { $9 = 3 - $9 } { print }' pages | python3 "$TOP/tests/t/tpenc.py" swapped.data || exit 1
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
	test_status 1 perf kmem --page stat -i k.data 2>err && test_grep "no events of the page allocator" err && test_grep "perf kmem --page record" err &&
	test_status 1 kmem -s order stat 2>err && test_grep "no key .order" err &&
	test_status 1 kmem --page -s frag stat 2>err && test_grep "no key .frag" err && test_grep "page, callsite, bytes" err &&
	test_status 1 kmem --live stat 2>err && test_grep "needs --page" err
'
first_page () { pages --alloc -s $1 -l 1 stat | sed -n 13p | tr -d " " | cut -d "|" -f 1; }
pages () { perf kmem -i pages.data --kallsyms symbols --page "$@"; }
test_expect_success '--page: totals, callers and pages' '
	pages --caller --alloc -l 3 stat >out && cat >expect <<-\EOF && test_cmp expect out
	#
	# GFP flags
	# ---------
	# 00000cc0:       K: GFP_KERNEL
	# 00000dc0:     K|Z: GFP_KERNEL|__GFP_ZERO
	# 00042cc0: K|C|NWR: GFP_KERNEL|__GFP_COMP|__GFP_NOWARN
	# 00100cca:     HUM: GFP_HIGHUSER_MOVABLE
	# 00800cc0:   K|ODD: GFP_KERNEL|__GFP_ODD

	---------------------------------------------------------------------------------------------------------
	 Total alloc (KB) | Hits      | Order | Mig.type | GFP flags | Callsite
	---------------------------------------------------------------------------------------------------------
	               32 |         1 |     3 |  RECLAIM | K|C|NWR   | exact
	               16 |         1 |     2 | UNMOVABL | K|Z       | pgd_alloc
	               12 |         3 |     0 |  MOVABLE | HUM       | do_anonymous_page
	                8 |         1 |     1 | RESERVED | K         | exact
	                8 |         1 |     1 |  UNKNOWN | K|ODD     | unknown
	---------------------------------------------------------------------------------------------------------

	---------------------------------------------------------------------------------------------------------
	 PFN              | Total alloc (KB) | Hits      | Order | Mig.type | GFP flags | Callsite
	---------------------------------------------------------------------------------------------------------
	             8192 |               32 |         1 |     3 |  RECLAIM | K|C|NWR   | exact
	             4112 |               16 |         1 |     2 | UNMOVABL | K|Z       | pgd_alloc
	             4096 |                8 |         2 |     0 |  MOVABLE | HUM       | do_anonymous_page
	 ...              | ...              | ...       | ...   | ...      | ...       | ...
	---------------------------------------------------------------------------------------------------------

	SUMMARY (page allocator)
	========================
	Total allocation requests     :                8   [              140 KB ]
	Total free requests           :                4   [               24 KB ]

	Total alloc+freed requests    :                2   [               12 KB ]
	Total alloc-only requests     :                6   [              128 KB ]
	Total free-only requests      :                2   [               12 KB ]

	Total allocation failures     :                1   [               64 KB ]

	Order     Unmovable   Reclaimable       Movable      Reserved  CMA/Isolated
	-----  ------------  ------------  ------------  ------------  ------------
	    0             .             .             3             .             .
	    1             .             .             .             1             .
	    2             1             .             .             .             .
	    3             .             1             .             .             .
	    4             .             .             .             .             .
	    5             .             .             .             .             .
	    6             .             .             .             .             .
	    7             .             .             .             .             .
	    8             .             .             .             .             .
	    9             .             .             .             .             .
	   10             .             .             .             .             .
	EOF
'
test_expect_success '--page: what is live, sorted by each key, a span of time, addresses' '
	pages --live --caller stat | sed -n "10,16p" | tr -s " " >got && cat >expect <<-\EOF && test_cmp expect got &&
	---------------------------------------------------------------------------------------------------------
	 Live alloc (KB) | Hits | Order | Mig.type | GFP flags | Callsite
	---------------------------------------------------------------------------------------------------------
	 32 | 1 | 3 | RECLAIM | K|C|NWR | exact
	 16 | 1 | 2 | UNMOVABL | K|Z | pgd_alloc
	 8 | 2 | 0 | MOVABLE | HUM | do_anonymous_page
	 8 | 1 | 1 | RESERVED | K | exact
	EOF
	for k in page order migtype gfp hit bytes callsite; do echo $k $(first_page $k); done >got && cat >expect <<-\EOF && test_cmp expect got &&
	page 16384
	order 8192
	migtype 16384
	gfp 16384
	hit 4096
	bytes 8192
	callsite 4112
	EOF
	pages --caller --raw-ip -s hit stat | sed -n 13p >got && test_grep "[|] 0xffffffff81140010$" got &&
	pages --time 1000.001003,1000.001005 stat >out && test_grep "allocation requests *: *1 " out
'
test_expect_success '--page: as data; and both allocators in one recording' '
	pages --alloc stat --json >j && cat >check.py <<-\EOF && python3 check.py &&
	import json
	d = json.load(open("j"))
	assert d["page_allocations"] == 8 and d["page_bytes_allocated"] == 140 * 1024 and d["page_failures"] == 1, d
	assert [(c["function"], c["bytes"], c["hits"], c["gfp"]) for c in d["page_callers"]][:2] == [("exact", 32768, 1, "K|C|NWR"), ("pgd_alloc", 16384, 1, "K|Z")], d
	assert [p["pfn"] for p in d["pages"]] == [8192, 4112, 4096, 12288, 16384, 4097], d
	EOF
	{ grep -v "^[0-9]" story && grep "^event\|^print\|^comm 200" pages && grep -h "^[0-9]" story pages | sort -s -n; } | python3 "$TOP/tests/t/tpenc.py" both.data &&
	perf kmem -i both.data --kallsyms symbols --slab --page stat >out && test_grep "^Total bytes requested: 248$" out && test_grep "^Total allocation requests *: *7 " out &&
	perf kmem -i both.data --kallsyms symbols --slab --page -s hit,order,frag stat >out2 && test_cmp out out2
'
test_expect_success NEWEST '--page: upstream perf finds the same in it' '
	python3 "$TOP/tests/t/tpenc.py" p.data <pages &&
	for o in "" "--caller" "--alloc" "--caller --alloc --live -l 2" "--alloc -s page" "--alloc -s order,hit" "--alloc -s gfp" "--caller -s gfp,bytes" "--alloc --caller -s hit,bytes -l 2"; do
		"$NEWEST" kmem -i swapped.data --page $o stat 2>raw | sed "s/[^|]*$//; s/^ *//" >expect && perf kmem -i p.data --kallsyms symbols --page $o stat 2>err | sed "s/[^|]*$//; s/^ *//" >got &&
			test_cmp expect got || { echo "$o"; return 1; }
	done
'
test_expect_success NEWEST 'upstream perf finds the same in it' '
	for o in "--caller --raw-ip" "--alloc" "--caller --raw-ip -s bytes -l 1" "--alloc -s hit,ptr -l 2" ""; do
		"$NEWEST" kmem -i k.data --slab $o stat >expect 2>raw && perf kmem -i k.data $o stat >got 2>err && test_cmp expect got || { echo "$o"; return 1; }
	done
'
test_expect_success ROOT,TRACEFS 'record: the events of this kernel' '
	perf kmem record -m 8M -o r.data -- true >out 2>err && perf kmem stat -i r.data >out 2>err && test_grep "^Total bytes requested: [1-9]" out
'
test_expect_success ROOT,TRACEFS 'record: pages of this kernel, by who asked for them' '
	perf kmem --page record -m 8M -o r.data -- dd if=/dev/zero of=/dev/null bs=8M count=1 >out 2>err && perf kmem --page --caller stat -i r.data >out 2>err &&
	test_grep "^Total allocation requests *: *[1-9]" out && ! grep -q "| __*alloc_\(frozen_\)*pages" out
'
test_expect_success 'live: wrong options are said' '
	test_status 129 perf kmem live -i k.data true 2>err && test_grep "^Error: live shows what happens now" err &&
	test_status 129 perf kmem live -d 0 true 2>err && test_grep "is not a delay between refreshes" err &&
	test_status 1 perf kmem live -s foo true 2>err && test_grep "there is no key .foo" err
'
# 2,000 pipes, each of them a piece of the kernel's memory, between the first table and the second.
test_expect_success ROOT,TRACEFS,PYTHON 'live: tables of what was asked for since the last ones' '
	perf kmem live -d 1 --json --caller -- python3 -c "
import os, time
time.sleep(1.4)
for i in range(2000):
    for fd in os.pipe():
        os.close(fd)
time.sleep(1.2)" >json 2>err && cat >check.py <<-\EOF && python3 check.py &&
	import json
	text, d, pipes = open("json").read().strip(), json.JSONDecoder(), []
	while text:
	    o, end = d.raw_decode(text)
	    assert o["bytes_requested"] <= o["bytes_allocated"], o
	    pipes.append(sum(c["hits"] for c in o["callers"] if c["function"] == "alloc_pipe_info"))
	    text = text[end:].strip()
	# two pieces for each: what it is, and its buffers
	assert len(pipes) >= 3 and pipes[0] < 2000 and sum(pipes) >= 4000 and max(pipes) > 3000, pipes
	EOF
	perf kmem --page live -d 0.5 -l 3 -- sleep 1.2 >out 2>err && [ $(grep -c "^# [0-9][0-9]:[0-9][0-9]:[0-9][0-9]$" out) -ge 2 ] && test_grep "^Total allocation requests" out
'
test_done
