#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
[ -n "${options_part:-}" ] || test_description='every option of every command: alone, with --no-, without its argument, with an empty and with a huge one'
. "$(dirname "$0")/lib.sh"

test_require PYTHON
small=$TOP/tests/data/small

# options_of COMMAND [words before] [words after]: of each second command; t0027 takes the others (perf is started 11,000 times)
commands= n_commands=0
options_of () {
	name=$1 before="$1 ${2:-}" behind=${3:-}
	commands="$commands $name" n_commands=$((n_commands + 1))
	[ $((n_commands % 2)) = "${options_part:-0}" ] || return 0
	test_expect_success "perf $name" '
		mkdir -p sandbox && (cd sandbox && python3 "$TOP/tests/t/options.py" "$name" "$before" "$behind")
	'
}

commands=" iostat"
[ -n "${options_part:-}" ] || test_expect_success 'perf iostat: no options but those of perf stat' '
	echo list >expect && perf iostat --list-opts | tr -d " " >got && test_cmp expect got &&
	test_status 129 perf stat --nosuch 2>expect && test_status 129 perf iostat --nosuch 2>got && test_cmp expect got
'
for c in config version list buildid-cache; do options_of $c; done
options_of test '' '-w noploop 0'
options_of check '' 'feature libelf'
options_of kallsyms '' schedule
for c in annotate buildid-list evlist report script trace; do SKIP=--no-input options_of $c "-i $small/sched.data"; done
options_of archive '' '-i nosuch'
options_of inject "-b -i $small/fp.data -o out.data"
options_of data '' 'convert -i nosuch'
options_of 'data convert' "-f -i $small/fp.data --to-json out.json"
options_of sched '' 'latency -i nosuch'
for c in latency map offcpu timehist script; do options_of "sched $c" "-i $small/sched.data"; done
options_of 'sched why' "-a -i $small/sched.data --slowest 1"
options_of 'sched replay' '' '-i nosuch'
options_of daemon
for c in start signal ping stop; do options_of "daemon $c"; done
options_of timechart "-i $small/sched.data -o out.svg"
options_of 'stat report' "-i $small/stat.data"
options_of export "-f --format folded -i $small/fp.data -o out.folded"
cp "$small/fp.data" kept.data && options_of sql "-i kept.data" 'select'
options_of diff '' "$small/fp.data $small/fp.data"
options_of doctor "-i $small/fp.data"
cat >story <<\EOF
event lock:contention_begin lock_addr:ptr flags:u32
event lock:contention_end lock_addr:ptr ret:s32
event irq:irq_handler_entry irq:s32 name:16
event irq:irq_handler_exit irq:s32 ret:s32
event sched:sched_switch prev_comm:16 prev_pid:s32 prev_prio:s32 prev_state:s64 next_comm:16 next_pid:s32 next_prio:s32
event block:block_rq_issue dev:u32 sector:u64 nr_sector:u32 bytes:u32 rwbs:8
event block:block_rq_complete dev:u32 sector:u64 nr_sector:u32 error:s32 rwbs:8
event filemap:mm_filemap_add_to_page_cache pfn:u64 i_ino:u64 index:u64 s_dev:u32 order:u8
event kvm:kvm_entry vcpu_id:u32
event kvm:kvm_exit exit_reason:u32 isa:u32
event kmem:kmalloc call_site:ptr ptr:ptr bytes_req:u64 bytes_alloc:u64 gfp_flags:u64 node:s32
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
1010 0 100 100 kmem:kmalloc 0xffffffff81100020 0xffff888100000040 40 64 0 -1
1011 0 100 100 block:block_rq_issue 0x800010 1000 8 4096 R
1012 0 0 0 block:block_rq_complete 0x800010 1000 8 0 R
1020 0 100 100 filemap:mm_filemap_add_to_page_cache 1 2 3 0x800010 0
1500 0 100 100 lock:contention_end 0xffff888100001000 0
EOF
python3 "$TOP/tests/t/tpenc.py" kernel.data <story
kernel=$PWD/kernel.data
options_of lock '' 'info -i nosuch'
for c in contention report info; do options_of "lock $c" "-i $kernel"; done
options_of 'lock futex' '' "-i $kernel"
options_of kwork '' 'report -i nosuch'
for c in report latency timehist top; do options_of "kwork $c" "-i $kernel"; done
options_of io '' 'report -i nosuch'
options_of 'io report' "-i $kernel"
options_of 'io cache' "-i $kernel"
options_of kmem '' 'stat -i nosuch'
test_have ROOT,TRACEFS && options_of 'kmem live' '-d 1' '-- /nonexistent'
options_of 'kmem stat' "--page -i $kernel"
options_of mem '' 'report -i nosuch'
python3 "$TOP/tests/t/memdata.py" mem.data && mem=$PWD/mem.data
options_of c2c '' 'report -i nosuch'
options_of 'c2c report' "-i $mem"
printf "%s\n" "1000 100 comm first" "2000 100 alloc 0x40 64 ffffffff81100020" | python3 "$TOP/tests/t/heapdata.py" heap.data 512
options_of heap '' 'report -i nosuch'
options_of 'heap report' "-i $PWD/heap.data"
options_of kvm '' 'buildid-list -i nosuch'
options_of 'kvm stat report' "-i $kernel"
test_have ROOT,TRACEFS && options_of 'kvm stat live' '-d 1' '-- /nonexistent'
test_have ROOT,TRACEFS && options_of 'sched offcpu live' '-d 1' '-- /nonexistent'
options_of ftrace '' nosuch
options_of bench '' 'sched nosuch'
options_of 'bench syscall basic' '-l 100'
options_of probe -n '-x /nonexistent -F'

test_have PERF_SW && {
	options_of record '-N -e dummy:u -o out.data' '-- true'
	options_of stat '-e dummy:u' '-- true'
	options_of heatmap '-f -N -e dummy:u -o map.html --recording out.data' '-- true'
	options_of flame '-f -N -e dummy:u -o out.html --recording out.data' '-- true'
	options_of 'stat record' '-e dummy:u -o out.data' '-- true'
}
# top goes on until it is told to end: after its first table.
test_have PERF_SW && {
	mkdir until && cat >until/perf <<-EOF && chmod +x until/perf
	#!/bin/sh
	case "\$1 \$*" in
	*--list-opts*|[!t]*|t[!o]*) exec "$BUILD/perf" "\$@" ;;
	esac
	"$BUILD/perf" "\$@" >out 2>err & top=\$!
	while kill -0 \$top 2>/dev/null && ! grep -q PerfTop out; do sleep 0.02; done
	kill -INT \$top 2>/dev/null
	wait \$top
	status=\$?
	cat out
	cat err >&2
	exit \$status
	EOF
	PATH=$PWD/until:$PATH options_of top "--stdio -d 0.01 -e cpu-clock:u -p $$"
}
# Up to the program that cannot be run.
test_have ROOT,TRACEFS && for c in 'sched record' 'io record' 'timechart record' 'trace record'; do
	options_of "$c" '-o out.data' '-- /nonexistent'
done

[ -n "${options_part:-}" ] || test_expect_success PERF_SW 'no command is forgotten' '
	all=$(perf --list-cmds) && test "$(echo $all | wc -w)" -ge 20 &&
	for c in $all; do
		[ "$c" = help ] || case "$commands " in *" $c "*) ;; *) echo "$c"; return 1 ;; esac
	done
'

test_done
