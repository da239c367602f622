#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf io: requests to block devices, from made recordings and real ones'
. "$(dirname "$0")/lib.sh"

cat >symbols <<\EOF
ffffffff81000000 T _text
ffffffff81000000 T _stext
ffffffff81100000 T submit_bio
ffffffff81101000 T read_pages
ffffffff81102000 T write_pages
ffffffff81103000 T _etext
EOF
# reader makes three reads of 4 KB on 8:16: 1 ms in the queue and 2 ms in the device; 5 ms without a queue; and one that the device
# does in two parts, after 1 and 4 ms. writer writes 64 KB on 8:16 (10 ms), into which more was merged, and flushes twice at the same
# time (2 and 3 ms). One request has no end, one no beginning, and one of another device the same sector as reader's first.
cat >story <<\EOF
event block:block_rq_insert dev:u32 sector:u64 nr_sector:u32 bytes:u32 rwbs:8
event block:block_rq_issue dev:u32 sector:u64 nr_sector:u32 bytes:u32 rwbs:8
event block:block_rq_complete dev:u32 sector:u64 nr_sector:u32 error:s32 rwbs:8
kernel ffffffff81000000 ffffffff81103000
comm 100 100 reader
comm 200 201 writer
1000 0 100 100 block:block_rq_insert 0x800010 1000 8 4096 R @ ffffffff81100010 ffffffff81101010
1500 1 200 201 block:block_rq_issue 0x800020 1000 8 4096 WS @ ffffffff81100010 ffffffff81102010
2000 0 100 100 block:block_rq_issue 0x800010 1000 8 4096 R @ ffffffff81100010
4000 0 0 0 block:block_rq_complete 0x800010 1000 8 0 R
5500 0 0 0 block:block_rq_complete 0x800020 1000 8 0 WS
6000 0 100 100 block:block_rq_issue 0x800010 2000 8 4096 RA @ ffffffff81100010 ffffffff81101010
10000 1 200 201 block:block_rq_insert 0x800010 5000 64 32768 W @ ffffffff81100010 ffffffff81102010
11000 0 0 0 block:block_rq_complete 0x800010 2000 8 0 RA
12000 1 0 0 block:block_rq_issue 0x800010 5000 128 65536 W
12000 0 100 100 block:block_rq_issue 0x800010 3000 8 4096 R @ ffffffff81100010 ffffffff81101010
13000 0 0 0 block:block_rq_complete 0x800010 3000 4 0 R
16000 0 0 0 block:block_rq_complete 0x800010 3004 4 0 R
20000 0 0 0 block:block_rq_complete 0x800010 5000 128 0 W
21000 1 200 201 block:block_rq_issue 0x800010 0 0 0 FF
21000 1 200 201 block:block_rq_issue 0x800010 0 0 0 FF
23000 0 0 0 block:block_rq_complete 0x800010 0 0 0 FF
24000 0 0 0 block:block_rq_complete 0x800010 0 0 0 FF
25000 0 0 0 block:block_rq_complete 0x800010 7777 8 0 R
26000 0 100 100 block:block_rq_issue 0x800010 8888 8 4096 R
EOF
python3 "$TOP/tests/t/tpenc.py" io.data <story || exit 1
io () { perf io -i io.data report --kallsyms symbols "$@" 2>err; }

test_expect_success 'rows of commands, devices and kinds' '
	io | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out &&
	# 7 requests, 81920 bytes, 0.031000 s
	#
	#  Share  Requests  Bytes  Time (s)   Average   Longest  In queue  Command  Device  What
	# ......  ........  .....  ........  ........  ........  ........  .......  ......  .....
	#
	  38.71%         3    12K  0.012000  0.004000  0.005000  0.000333  reader   8:16    read
	  32.26%         1    64K  0.010000  0.010000  0.010000  0.002000  writer   8:16    write
	  16.13%         2      0  0.005000  0.002500  0.003000  0.000000  writer   8:16    flush
	  12.90%         1     4K  0.004000  0.004000  0.004000  0.000000  writer   8:32    write
	EOF
	test_grep "1 requests had no end" err && test_grep "1 requests began before the recording" err
'
test_expect_success 'sizes, percentiles and the histogram' '
	io -s device,size --percentiles --histogram | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out
	# 7 requests, 81920 bytes, 0.031000 s
	#
	#  Share  Requests  Bytes  Time (s)   Average   Longest  In queue       50%       95%       99%  Device  Size from
	# ......  ........  .....  ........  ........  ........  ........  ........  ........  ........  ......  .........
	#
	  38.71%         3    12K  0.012000  0.004000  0.005000  0.000333  0.004194  0.005000  0.005000  8:16    4K
	  32.26%         1    64K  0.010000  0.010000  0.010000  0.002000  0.010000  0.010000  0.010000  8:16    64K
	  16.13%         2      0  0.005000  0.002500  0.003000  0.000000  0.002097  0.003000  0.003000  8:16    0
	  12.90%         1     4K  0.004000  0.004000  0.004000  0.000000  0.004000  0.004000  0.004000  8:32    4K

	  Times of all requests:
	           1 ms - 2 ms |        1 | 14.29% |##########
	           2 ms - 4 ms |        4 | 57.14% |########################################
	           4 ms - 8 ms |        1 | 14.29% |##########
	          8 ms - 17 ms |        1 | 14.29% |##########
	EOF
'
test_expect_success 'from where requests come' '
	io -g -s tid | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out
	# 7 requests, 81920 bytes, 0.031000 s
	#
	#  Share  Requests  Bytes  Time (s)   Average   Longest  In queue  Tid
	# ......  ........  .....  ........  ........  ........  ........  ...
	#
	  61.29%         4    68K  0.019000  0.004750  0.010000  0.000500  201
	            |
	            ---write_pages
	               submit_bio

	  38.71%         3    12K  0.012000  0.004000  0.005000  0.000333  100
	            |
	            ---read_pages
	               submit_bio

	EOF
'
test_expect_success 'JSON and CSV have the values of the text' '
	io --json -g >j && cat >check.py <<-\EOF && python3 check.py &&
	import json
	d = json.load(open("j"))
	assert (d["requests"], d["bytes"], d["total_ns"], d["unended"], d["unbegun"]) == (7, 81920, 31000000, 1, 1), d
	r = {(r["comm"], r["device"], r["op"]): r for r in d["rows"]}
	reads = r["reader", "8:16", "read"]
	assert (reads["requests"], reads["bytes"], reads["time_ns"], reads["max_ns"], reads["queue_avg_ns"]) == (3, 12288, 12000000, 5000000, 333333), reads
	assert reads["callgraph"][0]["frames"] == ["read_pages", "submit_bio"], reads
	assert r["writer", "8:16", "write"]["bytes"] == 65536 and r["writer", "8:16", "flush"]["time_ns"] == 5000000, r
	assert sum(h["count"] for h in d["histogram"]) == 7, d
	EOF
	io -x , -s op >c && sed -n 1,4p c >got && cat >expect <<-\EOF && test_cmp expect got
	share,requests,bytes,time_ns,avg_ns,max_ns,queue_avg_ns,p50_ns,p95_ns,p99_ns,op
	45.1613,2,69632,14000000,7000000,10000000,1000000,4194303,10000000,10000000,write
	38.7097,3,12288,12000000,4000000,5000000,333333,4194303,5000000,5000000,read
	16.1290,2,0,5000000,2500000,3000000,0,2097151,3000000,3000000,flush
	EOF
'
test_expect_success 'what is wrong is said' '
	test_status 1 io -s foo && test_grep "sort: there is no key .foo" err && test_grep "comm, pid, tid, device, op, size" err &&
	test_status 129 perf io 2>err && test_status 129 io report && test_grep "unexpected argument" err &&
	test_status 1 perf io report -i "$TOP/tests/data/small/fp.data" 2>err && test_grep "no events of block devices" err && test_grep "perf io record" err
'
test_expect_success ROOT,TRACEFS 'record: the events of this kernel' '
	perf io record -m 8M -o r.data -- sh -c "dd if=/dev/zero of=file bs=64k count=16 conv=fsync 2>dd.err" >out 2>err && perf evlist -i r.data >out &&
	test_grep "block:block_rq_insert" out && test_grep "block:block_rq_complete" out && perf io report -i r.data >out 2>err && test_grep "^# [0-9]* requests" out
'
test_expect_success 'live: wrong options are said' '
	test_status 129 perf io live -d 0 2>err && test_grep "is not a delay between refreshes" err &&
	test_status 1 perf io live -s foo true 2>err && test_grep "there is no key .foo" err
'
# The second table has what dd wrote, the others nothing of it; the end of the command is the end.
test_lazy_prereq DISK 'needs a directory on a block device' '[ -b "$(df --output=source . | tail -1)" ]'
# Some kernels have no events of an idle task that was interrupted at the wrong place, so of the ends of requests that it meets
# (tests/t/t6161-sched-why-live.sh): no CPU is idle.
test_expect_success ROOT,TRACEFS,DISK,PYTHON 'live: a table each time, of what was done since the last one' '
	test_spinning perf io live -d 1 -s op -- sh -c "sleep 1.3; dd if=/dev/zero of=file bs=64k count=16 conv=fsync oflag=direct 2>dd.err; sleep 1.2; exit 3" >out 2>err; test $? = 3 &&
	test "$(grep -c "^# [0-9][0-9]:[0-9][0-9]:[0-9][0-9]$" out)" -ge 3 && test "$(grep -c "^# [0-9]* requests, " out)" = "$(grep -c "^# [0-9][0-9]:" out)" &&
	awk "/^# [0-9]+ requests/ { n = \$4 > most ? \$4 : most; most = n } END { exit most < 1048576 }" out &&
	perf io live -d 0.5 --json -- sleep 1.2 >json 2>err && cat >check.py <<-\EOF && python3 check.py
	import json
	text, n, d = open("json").read().strip(), 0, json.JSONDecoder()
	while text:
	    o, end = d.raw_decode(text)
	    assert o["requests"] >= 0 and "rows" in o, o
	    text, n = text[end:].strip(), n + 1
	assert n >= 2, n
	EOF
'

# reader adds three pages and a piece of four of file 11 on 8:17, and of file 12 one; evictor takes two of them out. writer dirties
# three pieces of file 13, has to wait for 12 ms, and once not at all; the kernel's worker writes back 5 pages and, of file 14, none.
cat >pages <<\EOF
event filemap:mm_filemap_add_to_page_cache pfn:u64 i_ino:u64 index:u64 s_dev:u32 order:u8
event filemap:mm_filemap_delete_from_page_cache pfn:u64 i_ino:u64 index:u64 s_dev:u32
event writeback:writeback_dirty_folio name:32 ino:u64 index:u64
event writeback:writeback_single_inode name:32 ino:u64 wrote:u64
event writeback:balance_dirty_pages bdi:32 dirtied:u32 pause:s64
comm 100 100 reader
comm 200 201 writer
comm 300 300 evictor
comm 7 7 kworker/1
1000 0 100 100 filemap:mm_filemap_add_to_page_cache 1 11 0 0x800011 0
1001 0 100 100 filemap:mm_filemap_add_to_page_cache 2 11 1 0x800011 0
1002 0 100 100 filemap:mm_filemap_add_to_page_cache 3 11 2 0x800011 0
1003 0 100 100 filemap:mm_filemap_add_to_page_cache 4 11 3 0x800011 2
1004 0 100 100 filemap:mm_filemap_add_to_page_cache 9 12 0 0x800011 0
2000 1 200 201 writeback:writeback_dirty_folio 8:16 13 0
2001 1 200 201 writeback:writeback_dirty_folio 8:16 13 1
2002 1 200 201 writeback:writeback_dirty_folio 8:16 13 2
2003 1 200 201 writeback:balance_dirty_pages 8:16 3 12
2004 1 200 201 writeback:balance_dirty_pages 8:16 3 -5
3000 0 300 300 filemap:mm_filemap_delete_from_page_cache 1 11 0 0x800011
3001 0 300 300 filemap:mm_filemap_delete_from_page_cache 2 11 1 0x800011
4000 0 7 7 writeback:writeback_single_inode 8:16 13 5
4001 0 7 7 writeback:writeback_single_inode 8:16 14 0
EOF
python3 "$TOP/tests/t/tpenc.py" pages.data <pages || exit 1
cache () { perf io -i pages.data cache "$@" 2>err; }
test_expect_success 'cache: rows of commands and devices' '
	cache | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out && cache -s inode | awk "NR > 5 { print \$1, \$2, \$3, \$4, \$6 }" >out && cat >expect <<-\EOF && test_cmp expect out
	# 32768 bytes added, 8192 removed, 20480 written back
	#
	# Added  Removed  Dirtied  Written  Throttled (s)  Command    Device
	# .....  .......  .......  .......  .............  .........  ......
	#
	    32K        0        0        0       0.000000  reader     8:17
	      0        0        0      20K       0.000000  kworker/1  8:16
	      0        0        3        0       0.012000  writer     8:16
	      0       8K        0        0       0.000000  evictor    8:17
	EOF
	28K 8K 0 0 11
	0 0 3 20K 13
	4K 0 0 0 12
	0 0 0 0 0
	0 0 0 0 14
	EOF
'
test_expect_success 'cache: JSON and CSV, and what is wrong' '
	cache -x , -s tid,device | sed "/^$/,\$d" >out && cat >expect <<-\EOF && test_cmp expect out &&
	added,removed,dirtied,written,throttled_ns,tid,device
	32768,0,0,0,0,100,8:17
	0,0,0,20480,0,7,8:16
	0,0,3,0,12000000,201,8:16
	0,8192,0,0,0,300,8:17
	EOF
	cache --json --time 1000.002,1001 >out && test_grep "\"dirtied\": ?3" out && test_grep "\"added\": ?0" out &&
	test_status 1 cache -s foo && test_grep "sort: there is no key .foo" err && test_grep "the keys are: comm, pid, tid, device, inode$" err &&
	test_status 1 perf io cache -i io.data 2>err && test_grep "no events of the page cache|has no" err && test_grep "perf io record --cache" err
'
# The pages that a program writes, and that go when their file is removed; then those that it reads once more.
test_expect_success ROOT,TRACEFS,DISK 'cache: as many pages as a program writes and removes' '
	perf io record --cache -q -m 8M -o c.data -- sh -c "dd if=/dev/zero of=made bs=64k count=64 2>dd.err; stat -c %i made >inode; sync -f made; rm made" 2>err && perf io -i c.data cache -x , -s comm,inode >out && grep ",$(cat inode)$" out &&
	awk -F , -v inode=$(cat inode) "\$7 == inode { added += \$1; removed += \$2; written += \$4 } END { exit added != 4194304 || removed != 4194304 || written != 4194304 }" out
'
test_done
