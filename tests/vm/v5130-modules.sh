#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='functions of kernel modules, and code that the kernel makes, have names (VM): in the guest, and on the host by cache, --kallsyms, --symfs'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM
# Writes to a compressed RAM disk run through four modules.
vm_modules="zsmalloc lz4_compress lz4 lz4hc_compress lz4hc zram crc-itu-t raid6_pq xor tcrypt"
place=lib/modules/$vm_kernel
mkdir -p host/$place/kernel dep/$place
for m in $vm_modules; do
	vm_copy_module host/$place/kernel/$m.ko $m && test -s host/$place/kernel/$m.ko || test_skip_all "the VM kernel has no module $m"
	echo "kernel/$m.ko:" >>dep/$place/modules.dep
done
vm_files=dep/lib

cat >guest.sh <<\GUEST
O=/out; cd /root
M=$(echo /lib/modules/*/kernel)
for m in zsmalloc lz4_compress lz4 lz4hc_compress lz4hc zram; do insmod $M/$m.ko || exit 1; done
echo lz4 >/sys/block/zram0/comp_algorithm
echo 64M >/sys/block/zram0/disksize
cat >work <<\WORK
for i in 1 2 3 4 5 6; do dd if=/bin/perf of=/dev/zram0 bs=1M conv=fsync 2>/dev/null; done
WORK
perf record -q -a -g -e cpu-clock -F 500 -o $O/fp.data sh work || exit 1
perf record -q -a --call-graph dwarf -e cpu-clock -F 500 -o $O/dwarf.data sh work || exit 1
for kind in fp dwarf; do
	perf report -i $O/$kind.data --stdio --no-children -g none --sort dso,sym >$O/$kind.report || exit 1
	perf script -i $O/$kind.data -F comm,ip,sym,dso >$O/$kind.script || exit 1
done
perf report -i $O/fp.data --stdio --no-children -g none --sort dso,sym,srcline >$O/srcline || exit 1
cat /proc/kallsyms >$O/kallsyms
cp -r /root/.debug $O/cache
# Loaded by the workload, while the recording runs.
cat >come <<\COME
sleep 0.3
for m in zsmalloc lz4_compress lz4 lz4hc_compress lz4hc zram; do insmod $M/$m.ko || exit 1; done
echo lz4 >/sys/block/zram0/comp_algorithm
echo 64M >/sys/block/zram0/disksize
sh work
grep -E "^(zram|lz4_compress) " /proc/modules >>$O/places
COME
sed -i 's/1 2 3 4 5 6/1 2/' work
go="rmmod zram lz4hc lz4 lz4hc_compress lz4_compress zsmalloc"
export M
export O
$go || exit 1
perf record -q -a -g -e cpu-clock -F 500 -o $O/later.data sh come || exit 1
perf report -i $O/later.data --stdio --no-children -g none --sort dso,sym >$O/later.report || exit 1
cat /proc/kallsyms >$O/later.kallsyms
$go || exit 1
# Gone, and loaded again at other places; at the end none of them is there.
perf record -q -a --call-graph dwarf -e cpu-clock -F 500 -o $O/again.data \
	sh -c "sh come && $go && insmod $M/crc-itu-t.ko && sh come && $go" || exit 1
perf report -i $O/again.data --stdio --no-children -g none --sort dso,sym >$O/again.report || exit 1
# Init functions that take long: they measure. The memory of the first one's is the second one's. The last one fails.
cat >init <<\INIT
for i in 1 2; do
	insmod $M/raid6_pq.ko && insmod $M/xor.ko && rmmod raid6_pq xor || exit 1
done
! insmod $M/tcrypt.ko mode=200 sec=0 2>/dev/null
INIT
perf record -q -a -g -e cpu-clock -F 1000 -o $O/init.data sh init || exit 1
perf record -q -a --kcore -g -e cpu-clock -F 1000 -o /root/kcore sh init || exit 1
rm -rf /root/.debug
perf record -q -a --call-graph dwarf -e cpu-clock -F 1000 -o $O/initdwarf.data sh init || exit 1
cp -r /root/.debug $O/initcache
for kind in init kcore initdwarf; do
	f=$O/$kind.data; [ $kind != kcore ] || f=/root/kcore
	perf report -i $f --stdio --no-children -g none --sort dso,sym >$O/$kind.report || exit 1
	perf script -i $f -F comm,ip,sym,dso >$O/$kind.script || exit 1
done
# What the kernel made before the recording: a tracer's and kprobes' trampolines, copied instructions.
T=/sys/kernel/tracing
echo p:one vfs_write >$T/kprobe_events && echo r:two ksys_read >>$T/kprobe_events && echo p:three read_zero+0x10 >>$T/kprobe_events &&
	echo 1 >$T/events/kprobes/enable && echo read_zero write_null >$T/set_ftrace_filter && echo function >$T/current_tracer || exit 1
perf record -q -a -g -e cpu-clock -F 1000 -o $O/made.data sh -c \
	'for i in 1 2 3 4 5 6 7 8 9 10; do dd if=/dev/zero of=/dev/null bs=512 count=3000 2>/dev/null; done' || exit 1
echo nop >$T/current_tracer; echo 0 >$T/events/kprobes/enable; echo >$T/kprobe_events
perf script -i $O/made.data -F comm,ip,sym,dso >$O/made.script || exit 1
perf report -i $O/made.data --stdio --no-children -g none --sort sym >$O/made.report || exit 1
GUEST

# The rows of the modules.
rows () { grep -E '^ +[0-9.]+% +\[(zram|zsmalloc|lz4|lz4_compress)\]' | sed 's/  *$//' | LC_ALL=C sort; }
host () { perf report -i out/fp.data --stdio --no-children -g none --sort dso,sym "$@" 2>err | rows; }
fresh_cache () { rm -rf "$HOME/.debug" && if [ -n "${1:-}" ]; then cp -r "$1" "$HOME/.debug"; fi; }

test_expect_success 'the guest runs to its end' 'vm_run guest.sh'
for kind in fp dwarf; do
	test_expect_success "$kind, in the guest: report and script name the modules' functions" '
		rows <out/$kind.report >$kind.rows &&
		test_grep "\[lz4_compress\] +\[k\] LZ4_compress_fast_extState$" $kind.rows && test_grep "\[zram\] +\[k\] zram_" $kind.rows &&
		test_grep -v unknown $kind.rows &&
		grep -E "\((\[|/.*/)(zram|zsmalloc|lz4|lz4_compress)(\]|\.ko(\.[a-z]+)?)\)$" out/$kind.script >frames &&
		test_grep "LZ4_compress_fast_extState \((\[lz4_compress\]|/.*/lz4_compress\.ko(\.[a-z]+)?)\)" frames && test_grep -v unknown frames
	'
done
test_expect_success 'no debug information, no lines: a place in the function is reported' '
	grep -E "\[lz4_compress\] +\[k\] LZ4_compress_fast_extState" out/srcline >lines &&
	test_grep -v "\.[ch]:[0-9]" lines && test_grep -v "\?\?:0" lines
'
test_expect_success 'on the host without anything: nothing is invented, and why is said' '
	fresh_cache && host >got && test_grep "\[lz4_compress\] +\[k\] \[unknown in \[lz4_compress\]\]" got && test_grep "no symbols for" err &&
	! grep -v "unknown in" got
'
test_expect_success 'on the host with the build-id cache of the guest: the same rows' '
	fresh_cache out/cache && host >got && test_cmp fp.rows got
'
test_expect_success 'on the host with --kallsyms: the same rows' '
	fresh_cache && host --kallsyms out/kallsyms >got && test_cmp fp.rows got
'
test_expect_success 'on the host with --symfs and the .ko files: the same rows' '
	fresh_cache && host --symfs host >got && test_cmp fp.rows got
'
test_expect_success NEWEST 'the newest upstream perf reads the same rows from the file: kallsyms, cache' '
	fresh_cache && "$NEWEST" report --no-inline -i out/fp.data --stdio --no-children -g none --sort dso,sym --kallsyms out/kallsyms \
		2>/dev/null | rows >got && test_cmp fp.rows got &&
	fresh_cache out/cache && "$NEWEST" report --no-inline -i out/fp.data --stdio --no-children -g none --sort dso,sym 2>/dev/null |
		rows >got && test_cmp fp.rows got
'
# Everything from the lowest module's address on.
unnamed () {
	perf script -i out/$1.data -G -F ip,sym,dso --symfs host 2>/dev/null | grep "^ *ffffffffc0" |
		awk '/\[unknown\]/ { bad++; print } { all++ } END { print bad + 0, "of", all; exit all < 50 || bad > 0 }'
}
for kind in later again; do
	test_expect_success "$kind: modules loaded while the recording ran have names, each function one row" '
		rows <out/$kind.report >got && test_grep "\[lz4_compress\] +\[k\] LZ4_compress_fast_extState$" got &&
		test_grep "\[zram\] +\[k\] zram_" got && test_grep -v unknown got && test_grep -v " 0x" got &&
		sed "s/^[^[]*//" got | sort >names && sort -u names >once && test_cmp once names && unnamed $kind
	'
done
test_expect_success 'they did lie in two places' '
	sed -n 3,4p out/places | grep zram >first && sed -n 5,6p out/places | grep zram >second && ! cmp -s first second
'
test_expect_success 'and the .ko files of their build-ids name them on the host' '
	fresh_cache && perf report -i out/again.data --stdio --no-children -g none --sort dso,sym --symfs host 2>err | rows >got &&
	rows <out/again.report >want && test_cmp want got
'
# An init function is what do_one_initcall() has called: the frame before it. Frames in no object are a user's chain that ran into data.
init_frames () {
	awk '/^[^\t ]/ || /^$/ { last = "" }
	/do_one_initcall/ && last != "" { print last }
	{ last = $2 " " $3 }' $1 | sort | uniq -c
}
for kind in init kcore initdwarf; do
	test_expect_success "$kind: init functions have names, also of a module that fails, and of memory that goes from one to the other" '
		init_frames out/$kind.script >frames &&
		test_grep "raid6_select_algo \(/.*/raid6_pq\.ko(\.[a-z]+)?\)" frames && test_grep "tcrypt_mod_init \(/.*/tcrypt\.ko(\.[a-z]+)?\)" frames &&
		test_grep -v unknown frames && ! grep -E "raid6_select_algo \(.*xor(\]|\.ko)" frames &&
		! grep -E "calibrate_xor_blocks \(.*(raid6_pq|tcrypt)(\]|\.ko)|tcrypt_mod_init \(.*xor(\]|\.ko)" frames &&
		test_grep -v "\[unknown\] \(\[kernel" out/$kind.script && test_grep "\[raid6_pq\] +\[k\] raid6_select_algo$" out/$kind.report
	'
done
inits () { grep -E " (raid6_select_algo|calibrate_xor_blocks|do_xor_speed|tcrypt_mod_init)$" | sed "s/  *\$//" | LC_ALL=C sort; }
test_expect_success 'the recording itself has the names: on the host without anything' '
	inits <out/init.report >want && test_grep "\[raid6_pq\]" want &&
	fresh_cache && perf report -i out/init.data --stdio --no-children -g none --sort dso,sym 2>err | inits >got && test_cmp want got
'
test_expect_success 'with the build-id cache of the guest, too, and the cache has no other names of modules than theirs' '
	inits <out/initdwarf.report >want &&
	fresh_cache out/initcache && perf report -i out/initdwarf.data --stdio --no-children -g none --sort dso,sym 2>err | inits >got &&
	test_cmp want got && perf buildid-list -i out/init.data >ids && test_grep "/raid6_pq.ko$" ids && ! grep init.text ids
'
test_expect_success NEWEST 'the newest upstream perf reads it, and names them' '
	fresh_cache && "$NEWEST" report --no-inline -i out/init.data --stdio --no-children -g none --sort sym 2>err >got &&
	test_grep "raid6_select_algo" got && ! grep -i -E "warn|error|fail|corrupt" err
'
test_expect_success 'trampolines and kprobe pages that were there before' '
	test_grep "ftrace_trampoline$" out/made.report && test_grep -v "\[unknown\] \(\[kernel" out/made.script
'
# They cut the kallsyms up before they see the mappings; so here, too, the files of the cache.
norm () { sed -E "s/ +/ /g"; }		# columns are as wide as the names in them
# But for init functions: it stretches the file of a module over their mapping.
same_as () {
	rm -rf "$HOME/.debug"
	for ko in host/$place/kernel/*.ko; do perf buildid-cache -a $ko || return 1; done
	perf report -i out/later.data --stdio --no-children -g none --sort dso,sym 2>/dev/null | rows | norm >want && test -s want &&
	"$1" report --no-inline -i out/later.data --stdio --no-children -g none --sort dso,sym 2>/dev/null | rows | norm | sort -u >got &&
	grep -v "_init$" want | sort -u | comm -23 - got >only && { ! test -s only || { cat only; return 1; }; }
}
test_expect_success NEWEST 'the newest upstream perf shows the same rows of modules that came' 'same_as "$NEWEST"'
# Not the older one: 6.1 stretches a module that it read from its file over a neighbour that came later.
test_done
