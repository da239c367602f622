#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='what is wrong with a recording: the same words and status from each command that reads it'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq NOBODY 'needs root and setpriv' 'test_have ROOT && as_nobody true'

as_nobody () { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

small=$TOP/tests/data/small
export HOME=$PWD/home PERF_BUILDID_DIR=$PWD/home/.debug
mkdir home
perf buildid-list -i "$small/fp.data" >ids	# nothing to be packed: that takes long

# Commands that read all records, by the recording that they are about: what perf runs, FILE is the recording.
read_all () {
	cat <<-\END
	fp report --stdio -i FILE
	fp report --header --stdio -i FILE
	fp report --json -i FILE
	fp report --stats -i FILE
	fp report --tasks -i FILE
	fp report -D -i FILE
	fp script -i FILE
	fp script --header -i FILE
	fp script --show-task-events --show-mmap-events -i FILE
	fp script -D -i FILE
	fp mem report -D -i FILE
	mem c2c report -i FILE
	mem c2c report --json -i FILE
	heap heap report -g -i FILE
	heap heap report --json -i FILE
	fp annotate --stdio -i FILE
	fp diff FILE OTHER
	fp diff --json FILE OTHER
	fp script --where pid -i FILE
	fp flame --folded -i FILE
	fp doctor -i FILE
	fp doctor --json -i FILE
	fp flame -f -o out -i FILE
	fp heatmap --json -i FILE
	fp heatmap -f -o out -i FILE
	fp export -f --format folded -o out -i FILE
	fp data convert -f --to-json out -i FILE
	fp export -f --format folded -o out -i FILE
	fp export -f --format json -o out -i FILE
	fp inject -i FILE -o out
	fp inject -b -i FILE -o out
	fp inject --buildid-all -i FILE -o out
	fp inject -j -i FILE -o out
	fp buildid-list -H -i FILE
	fp buildid-list -H --json -i FILE
	fp archive --all --exclude-buildids ids -i FILE
	sched report --stdio -i FILE
	sched script -i FILE
	sched sched script -i FILE
	sched trace -i FILE
	calls trace -i FILE
	calls trace -s -i FILE
	calls trace -S -i FILE
	calls script -i FILE
	stat stat report -i FILE
	stat stat report -x, -i FILE
	stat stat report -j -i FILE
	stat script -i FILE
	stat report -D -i FILE
	schedstat sched stats report -i FILE
	schedstat sched stats diff FILE WHOLE
	schedstat sched stats diff WHOLE FILE
	END
}

# And those that need the names of the scheduler's events, which are at the end of a file.
read_sched () {
	cat <<-\END
	sched data convert -f --to-trace-json out -i FILE
	sched sched latency -i FILE
	sched sched latency --json -i FILE
	sched sched map -i FILE
	sched sched timehist -i FILE
	sched sched timehist -s -i FILE
	sched sched replay -r 1 -i FILE
	sched sched offcpu -i FILE
	sched sched offcpu --json -i FILE
	sched sched why -a --slowest 3 -i FILE
	sched timechart -i FILE -o out
	sched sched script --json -i FILE
	END
}

# The same of locks.
read_locks () {
	cat <<-\END
	kernel lock contention -i FILE
	kernel lock contention -l --json -i FILE
	kernel lock report -i FILE
	kernel lock info -i FILE
	END
}

# The same of futexes.
read_futexes () {
	cat <<-\END
	kernel lock futex -i FILE
	kernel lock futex -o --json -i FILE
	END
}

# The same of interrupts.
read_works () {
	cat <<-\END
	kernel kwork report -i FILE
	kernel kwork latency --json -i FILE
	kernel kwork timehist -i FILE
	END
}

# The same of memory.
read_memory () {
	cat <<-\END
	kernel kmem --caller --alloc stat -i FILE
	kernel kmem stat --json -i FILE
	END
}
# The same of pages.
read_pages () {
	cat <<-\END
	kernel kmem --page --caller --alloc stat -i FILE
	kernel kmem --page stat --json -i FILE
	END
}

# The same of disks.
read_disks () {
	cat <<-\END
	kernel io report -g -i FILE
	kernel io report --json -i FILE
	END
}

# The same of the page cache.
read_cache () {
	cat <<-\END
	kernel io cache -s comm,inode -i FILE
	kernel io cache --json -i FILE
	END
}

# The same of guests.
read_guests () {
	echo kernel kvm stat report -i FILE
}

# And those that look at the head alone, if it is whole.
read_heads () {
	cat <<-\END
	fp evlist -i FILE
	fp evlist -v -i FILE
	fp report --header-only -i FILE
	fp script --header-only -i FILE
	fp buildid-list -i FILE
	fp buildid-cache -M FILE
	sched evlist --trace-fields -i FILE
	stat evlist -i FILE
	END
}

# What is said of the recording FILE, with numbers of bytes and records as N. What its binaries lack is another matter.
said () {
	sed -n '/^\(Warning\|Error\|Hint\): /p' err |
	sed -e '/^Warning: no symbols for /d' -e '/^Warning: .* of the user stacks break/d' \
		-e '/ is not packed: /d' -e '/^Warning: no process of the recording mapped a jitdump/d' \
		-e "s|$1|FILE|g" -e 's/[0-9][0-9]* of [0-9][0-9]* bytes/N of N bytes/' \
		-e 's/^\(Warning: Processed\) [0-9]* /\1 N /'
}

# each FUNCTION TABLES...: FUNCTION BASE COMMAND for each command in the tables whose recording is there; all are tried.
each () {
	local do=$1 table base cmd bad=0
	shift
	for table; do
		while read -r base cmd; do
			[ -f "$base.data" ] || continue
			cmd=${cmd//WHOLE/$schedstat2}
			cmd=${cmd//OTHER/$small/fp.data}
			rm -rf out home/.debug ./*.tar.* && mkdir home/.debug
			"$do" "$base" "${cmd//FILE/$base.data}" </dev/null || { echo "# perf ${cmd//FILE/$base.data}"; bad=1; }
		done <<<"$($table)"
	done
	[ $bad = 0 ]
}

said_as_expected () {
	test_status "$status" ${as:-} perf $2 >shown 2>err && said "$1.data" >got && diff expect got || { cat err; false; }
}

# same STATUS TABLES...: each command in the tables, on BASE.data, ends so and says what is in the file expect
same () {
	local status=$1
	shift
	each said_as_expected "$@"
}

# as_whole BASE COMMAND: it shows of BASE.data what it shows of whole/BASE.data, on both outputs and in the file out. Not compared:
# bytes as such, how many the file has (doctor), what inject and archive write, the measured times of replay, and what of the head alone is not in the swapped file.
as_whole () {
	local of
	case $2 in *" -D "*|inject*|archive*|*" replay "*|*" --header "*) return 0 ;; esac
	for of in whole .; do
		(cd $of && rm -f out && perf $2 >shown 2>&1 && { [ ! -e out ] || cat out >>shown; }) || { cat $of/shown; return 1; }
		[[ $2 != doctor* ]] || sed -i -E '1s/, [0-9]+ bytes \([0-9]+ a|"bytes[a-z_]*":[0-9]+/N/g' $of/shown || return 1
	done
	diff whole/shown shown && { [ -s shown ] || [[ $2 = buildid-list* ]]; }
}

# source_of BASE: the recording that is made worse
source_of () {
	case $1 in schedstat) echo "$TOP/tests/data/schedstat-6.1.data" ;; calls | kernel | mem | heap) echo made.$1 ;; *) echo "$small/$1.data" ;; esac
}

# worse KIND BASE...: KIND of worse.py
worse () {
	local kind=$1 base
	shift
	rm -f ./*.data
	for base; do
		python3 "$TOP/tests/t/worse.py" "$kind" "$(source_of $base)" "$base.data" || return 1
	done
}

all_whole () {
	local base
	rm -f ./*.data
	for base in fp sched calls stat schedstat kernel mem heap; do cp "$(source_of $base)" $base.data || return 1; done
}

test_have PYTHON && python3 "$TOP/tests/t/worse.py" calls /dev/null made.calls
cat >story <<\EOF
event lock:contention_begin lock_addr:ptr flags:u32
event lock:contention_end lock_addr:ptr ret:s32
event irq:irq_handler_entry irq:s32 name:16
event irq:irq_handler_exit irq:s32 ret:s32
event kmem:kmalloc call_site:ptr ptr:ptr bytes_req:u64 bytes_alloc:u64 gfp_flags:u64 node:s32
event kmem:kfree call_site:ptr ptr:ptr
event kvm:kvm_entry vcpu_id:u32
event kvm:kvm_exit exit_reason:u32 isa:u32
event block:block_rq_issue dev:u32 sector:u64 nr_sector:u32 bytes:u32 rwbs:8
event block:block_rq_complete dev:u32 sector:u64 nr_sector:u32 error:s32 rwbs:8
event filemap:mm_filemap_add_to_page_cache pfn:u64 i_ino:u64 index:u64 s_dev:u32 order:u8
event kmem:mm_page_alloc pfn:u64 order:u32 gfp_flags:u64 migratetype:s32
event syscalls:sys_enter_futex uaddr:u64 op:u64 val:u64
event syscalls:sys_exit_futex ret:s64
comm 100 100 first
900 0 100 100 kvm:kvm_entry 0
910 0 100 100 kvm:kvm_exit 12 1
915 0 100 100 kvm:kvm_entry 0
1000 0 100 100 lock:contention_begin 0xffff888100001000 32 @ ffffffff81100020
1005 0 100 100 irq:irq_handler_entry 24 disk
1009 0 100 100 irq:irq_handler_exit 24 1
1007 0 100 100 kmem:kmalloc 0xffffffff81100020 0xffff888100000040 40 64 0 -1
1008 0 100 100 kmem:kfree 0xffffffff81100040 0xffff888100000040
1009 0 100 100 block:block_rq_issue 0x800010 1000 8 4096 R @ ffffffff81100020
1010 0 0 0 block:block_rq_complete 0x800010 1000 8 0 R
1009 0 100 100 kmem:mm_page_alloc 0x1000 0 0xcc0 1 @ ffffffff81100020
1010 1 300 300 syscalls:sys_enter_futex 0x5000 128 2
1020 1 300 300 syscalls:sys_exit_futex 0
1010 1 200 200 lock:contention_begin 0xffff888100001000 32 @ ffffffff81100020
1500 0 100 100 lock:contention_end 0xffff888100001000 0
1600 1 200 200 lock:contention_end 0xffff888100001000 0
EOF
test_have PYTHON && python3 "$TOP/tests/t/tpenc.py" made.kernel <story
test_have PYTHON && PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/t/memstory.py" made.mem <<\EOF
node 0 0-1
map 100 0x7f0000000000 0x10000 //anon
comm 100 100 first
1000 0 100 100 0x401000 0x7f0000000040 40 load,hit,l3,hitm
EOF
test_have PYTHON && PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/t/heapdata.py" made.heap 512 <<\EOF
1000 100 comm first
2000 100 alloc 0x40 64 ffffffff81100020
3000 100 alloc 0x80 640 ffffffff81100040 ffffffff81100020
4000 100 free 0x40
5000 100 alloc 0x40 32 ffffffff81100020
6000 100 alloc 0xc0 96 ffffffff81100020
EOF
schedstat2=$TOP/tests/data/schedstat-6.1-b.data
damaged='Error: the recording is damaged: what is shown is what could be read
Hint: with --tolerant that is no failure'
no_names="Error: it is not known which events of 'FILE' are the scheduler's: the end of the file, with their names, is missing
Hint: record them with: perf sched record -- COMMAND"
of () { sed -e "s/are the scheduler's/are of $1/" -e "s/perf sched record/perf $2 record/"; }

test_expect_success PYTHON 'whole: nothing is said' '
	all_whole && : >expect &&
	same 0 read_all read_sched read_locks read_works read_memory read_guests read_disks read_cache read_pages read_futexes read_heads
'
test_expect_success PYTHON 'it was cut off' '
	cat >cut <<-\END && (cat cut && echo "$damaged") >expect && (cat cut && echo "$no_names") >unnamed &&
	Warning: FILE: N of N bytes of its data are there
	Hint: it was cut off: the rest and the header sections after it are missing
	END
	worse cut fp sched calls stat kernel mem heap && same 1 read_all read_heads &&
	cp unnamed expect && same 1 read_sched && of locks lock <unnamed >expect && same 1 read_locks && of "futex(2)" "lock futex" <unnamed >expect && same 1 read_futexes &&
	of "interrupts and work queues" kwork <unnamed >expect && same 1 read_works &&
	of "the slab allocator" kmem <unnamed >expect && same 1 read_memory &&
	of "virtual machines" "kvm stat" <unnamed >expect && same 1 read_guests &&
	of "block devices" io <unnamed >expect && same 1 read_disks &&
	of "the page cache" io <unnamed | sed "s/io record/& --cache/" >expect && same 1 read_cache &&
	of "the page allocator" "kmem --page" <unnamed >expect && same 1 read_pages
'
test_expect_success PYTHON 'the recorder was killed' '
	cat >killed <<-\END && (cat killed && echo "$damaged") >expect && (cat killed && echo "$no_names") >unnamed &&
	Warning: FILE: its header was never completed; reading what there is
	Hint: the recorder was killed, or is still running; names of machine and command are missing then
	END
	worse killed fp sched calls stat schedstat kernel mem heap && same 1 read_all read_heads &&
	cp unnamed expect && same 1 read_sched && of locks lock <unnamed >expect && same 1 read_locks && of "futex(2)" "lock futex" <unnamed >expect && same 1 read_futexes &&
	of "interrupts and work queues" kwork <unnamed >expect && same 1 read_works &&
	of "the slab allocator" kmem <unnamed >expect && same 1 read_memory &&
	of "virtual machines" "kvm stat" <unnamed >expect && same 1 read_guests &&
	of "block devices" io <unnamed >expect && same 1 read_disks &&
	of "the page cache" io <unnamed | sed "s/io record/& --cache/" >expect && same 1 read_cache &&
	of "the page allocator" "kmem --page" <unnamed >expect && same 1 read_pages
'
test_expect_success PYTHON 'a machine of the other byte order made it: nothing is said, and all is shown' '
	mkdir -p whole && all_whole && mv ./*.data whole/ && : >expect && worse swapped fp sched calls stat schedstat kernel &&
	for f in *.data; do touch -r "whole/$f" "$f" || return 1; done &&
	same 0 read_all read_sched read_locks read_works read_memory read_guests read_disks read_cache read_pages read_futexes read_heads && each as_whole read_all read_sched read_locks read_works read_memory read_guests read_disks read_cache read_pages read_futexes
'
test_expect_success PYTHON 'records were lost' '
	cat >expect <<-\END &&
	Warning: Processed N events and lost 2 chunks!
	Hint: Check IO/CPU overload!
	END
	worse lost fp sched calls stat schedstat kernel mem heap && same 0 read_all read_sched read_locks read_works read_memory read_guests read_disks read_cache read_pages read_futexes && : >expect && same 0 read_heads
'
test_expect_success PYTHON 'records are unknown' '
	cat >expect <<-\END &&
	Warning: Found 3 unknown events!
	Hint: Is this an older tool processing a perf.data file generated by a more recent tool?
	END
	worse unknown fp sched calls stat schedstat kernel mem heap && same 0 read_all read_sched read_locks read_works read_memory read_guests read_disks read_cache read_pages read_futexes && : >expect && same 0 read_heads
'
test_expect_success NOBODY,PYTHON 'it may not be read' '
	all_whole && chmod 0 ./*.data &&
	mkdir -p bin && cp "$BUILD/perf" bin/perf && chmod 755 . bin bin/perf && chmod 777 . && PATH=$PWD/bin:$PATH &&
	cp "$schedstat2" second && chmod 644 second && schedstat2=second &&
	cat >expect <<-\END &&
	Error: failed to open FILE: Permission denied
	Hint: recordings are readable for their owner only: run as the one who recorded, or as root
	END
	chmod 777 home && as=as_nobody && same 1 read_all read_sched read_locks read_works read_memory read_guests read_disks read_cache read_pages read_futexes read_heads
'
test_expect_success PYTHON 'no command that opens a recording is left out' '
	(cd "$TOP" && grep -lE "[^_]session_open[(]|open_for_events[(]" builtin-*.c) | grep -vx builtin-dump.c | sed "s/^builtin-\([a-z0-9]*\).*/\1/" | sort -u >opens &&
	{ read_all && read_sched && read_locks && read_works && read_memory && read_guests && read_disks && read_cache && read_pages && read_futexes && read_heads; } | awk "{ print \$2 }" | sed "s/-.*//" | sort -u >tried &&
	comm -23 opens tried >left && test ! -s left || { cat left; false; }
'

test_done
