#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='functions of kernel modules have names (VM): in the guest, and on the host by build-id cache, --kallsyms and --symfs'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM
# Writes to a compressed RAM disk run through four modules.
vm_modules="zsmalloc lz4_compress lz4 lz4hc_compress lz4hc zram"
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
		grep -E "\(\[(zram|zsmalloc|lz4|lz4_compress)\]\)$" out/$kind.script >frames &&
		test_grep "LZ4_compress_fast_extState \(\[lz4_compress\]\)" frames && test_grep -v unknown frames
	'
done
test_expect_success 'no debug information, no lines: a place in the function is told' '
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
test_expect_success NEWEST 'the newest stock reads the same rows from the file: kallsyms, cache' '
	fresh_cache && "$NEWEST" report --no-inline -i out/fp.data --stdio --no-children -g none --sort dso,sym --kallsyms out/kallsyms \
		2>/dev/null | rows >got && test_cmp fp.rows got &&
	fresh_cache out/cache && "$NEWEST" report --no-inline -i out/fp.data --stdio --no-children -g none --sort dso,sym 2>/dev/null |
		rows >got && test_cmp fp.rows got
'
test_done
