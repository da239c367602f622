#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the code of kernels: perf buildid-cache -k, directories with kcore_dir, perf record --kcore'
. "$(dirname "$0")/lib.sh"
# asan: yes
test_require PYTHON,X86_64

# A kernel of two pages and a module of one, with the build-id that its notes tell, and names that no kernel has
cat >make.py <<\END
import struct, sys
where, delta = sys.argv[1], int(sys.argv[2], 16)
text, mod = 0xffffffff81000000 + delta, 0xffffffffc0000000
note = b"OSRELEASE=6.1.0\nBUILD-ID=00112233445566778899aabbccddeeff00112233\nPAGESIZE=4096\n"
note = struct.pack("<III", 11, len(note), 0) + b"VMCOREINFO\0\0" + note + b"\0" * (-len(note) % 4)
code = bytes(range(256)) * 32
segs = [(text, 2 * 4096, code), (text + 0x100000, 4096, b"data" * 1024), (mod, 4096, b"M" * 4096)]
off = 4096
phdrs = struct.pack("<IIQQQQQQ", 4, 0, 64 + 56 * 4, 0, 0, len(note), 0, 0)
body = b""
for va, n, b in segs:
    phdrs += struct.pack("<IIQQQQQQ", 1, 7, off + len(body), va, 0, n, n, 4096)
    body += b
head = b"\x7fELF\2\1\1" + b"\0" * 9 + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, 4, 0, 0, 0) + phdrs + note
open(where + "/kcore", "wb").write(head + b"\0" * (4096 - len(head)) + body)
with open(where + "/kallsyms", "w") as f:
    for at, t, name in ((0, "T", "_stext"), (0, "T", "_text"), (0x10, "T", "first_fn"), (0x1000, "t", "second_fn"), (0x2000, "T", "_etext"), (0x100000, "D", "_sdata")):
        f.write("%x %s %s\n" % (text + at, t, name))
    f.write("%x t mod_fn\t[somemod]\n" % (mod + 16))
open(where + "/modules", "w").write("somemod 4096 0 - Live 0x%x\nodd line\n" % mod)
END
mkdir boot1 boot2 && python3 make.py boot1 0 && python3 make.py boot2 2000000 || test_skip_all 'python3 cannot make the files'
id=00112233445566778899aabbccddeeff00112233
top=.home/.debug/[kernel.kcore]/$id

test_expect_success 'its code, kallsyms and modules are copied, for the owner only' '
	perf buildid-cache -v -k boot1/kcore >out && dir=$(ls -d "$top"/*) && echo "Added kcore $TRASH/$dir" >want &&
	test_cmp want out && basename "$dir" | grep -qE "^20[0-9]{14}$" &&
	test_cmp boot1/kallsyms "$dir/kallsyms" && test_cmp boot1/modules "$dir/modules" &&
	( cd "$dir" && stat -c "%a %n" kallsyms kcore modules . ) >modes && printf "%s\n" "400 kallsyms" "400 kcore" "400 modules" "700 ." >want &&
	test_cmp want modes &&
	readelf -lW "$dir/kcore" | awk "\$1 == \"LOAD\" { print \$3, \$5, \$6 }" >segs &&
	printf "%s\n" "0xffffffff81000000 0x002000 0x002000" "0xffffffffc0000000 0x001000 0x001000" >want && test_cmp want segs &&
	tail -c 12288 "$dir/kcore" | cmp - <(tail -c 16384 boot1/kcore | head -c 8192; tail -c 4096 boot1/kcore)
'

test_expect_success 'the same boot is not copied twice; another one is' '
	perf buildid-cache -v -k boot1/kcore >out && test "$(ls "$top" | wc -l)" = 1 && grep -q "^The same kcore is in .*$id" out &&
	perf buildid-cache -k boot2/kcore >out && test ! -s out && test "$(ls "$top" | wc -l)" = 2
'

test_expect_success 'what is no core, what is beside it, whose it is: one message each' '
	mkdir -p bad && cp boot1/kcore bad/kcore && test_must_fail perf buildid-cache -k bad/kcore 2>err && test_grep "bad/kallsyms" err &&
	sed "s/^[0-9a-f]*/0/" boot1/kallsyms >bad/kallsyms && cp boot1/modules bad/ && test_must_fail perf buildid-cache -k bad/kcore 2>err &&
	test_grep "do not tell where the kernel.s code is" err && test_grep "kptr_restrict" err &&
	cp boot1/kallsyms bad/ && sed "s/BUILD-ID/BUILD_ID/" boot1/kcore >bad/kcore && test_must_fail perf buildid-cache -k bad/kcore 2>err &&
	test_grep "does not tell its kernel.s build-id" err &&
	test_must_fail perf buildid-cache -k "$BUILD/perf" 2>err && test_grep "is not a core file" err &&
	head -c 3000 boot1/kcore >bad/kcore && perf buildid-cache -k bad/kcore 2>err; test "$(ls "$top" | wc -l)" = 2
'

test_lazy_prereq RECORD "needs a recorder that can sample cpu-clock" "perf record -q -o probe.data -e cpu-clock true && [ -s probe.data ]"
test_lazy_prereq NO_PROC_KCORE 'has /proc/kcore' '! [ -e /proc/kcore ]'

test_expect_success NO_PROC_KCORE 'record --kcore says that this kernel has none; what was there stays' '
	echo precious >perf.data && test_must_fail perf record --kcore true 2>err && test_grep "CONFIG_PROC_KCORE" err &&
	echo precious | cmp - perf.data && rm perf.data
'

test_expect_success 'it goes into one directory' '
	test_must_fail perf record --kcore -o - true >out 2>err && test_grep "one directory" err &&
	test_must_fail perf record --kcore --switch-output true 2>err && test_grep "one directory" err
'

test_expect_success RECORD 'a recording replaces one that is a directory, but no other directory' '
	mkdir perf.data && test_must_fail perf record -q true 2>err && test_grep "is a directory" err &&
	cp -r boot1 perf.data/kcore_dir && chmod 400 perf.data/kcore_dir/* && echo x >perf.data/data && echo y >perf.data/data.0 &&
	perf record -q -e task-clock true && test -f perf.data && test -d perf.data.old/kcore_dir && test -f perf.data.old/data.0 &&
	perf record -q -e task-clock true && test -f perf.data && test -f perf.data.old && rm perf.data.old &&
	mkdir -p perf.data.old/kcore_dir && echo x >perf.data.old/data && echo mine >perf.data.old/mine &&
	test_must_fail perf record -q -e task-clock true 2>err && test_grep "perf.data.old" err && grep -q mine perf.data.old/mine && rm -r perf.data.old perf.data
'

# The kernel of the recording is this one; the names of the directory win, so it is them that are read.
test_lazy_prereq KERNEL_SAMPLES 'needs root and addresses of the kernel' '
	[ "$(id -u)" = 0 ] && grep -q "^[0-9a-f]*[1-9a-f][0-9a-f]* [tT] _stext" /proc/kallsyms'
test_expect_success RECORD,KERNEL_SAMPLES 'kcore_dir beside a recording gives the names of the kernel' '
	perf record -q -o plain.data -e cpu-clock:k -c 100000 dd if=/dev/zero of=/dev/null bs=64k count=20000 2>err &&
	mkdir -p directory/kcore_dir && cp plain.data directory/data && sed "s/^\([0-9a-f]* [tTwW]\) \([^_]\)/\1 kept_\2/" /proc/kallsyms >directory/kcore_dir/kallsyms &&
	perf report -i plain.data --stdio --sort sym -g none 2>err | grep -c "\[k\] kept_" >n; grep -qx 0 n &&
	perf report -i directory --stdio --sort sym -g none | grep -c "\[k\] kept_" >n && test "$(cat n)" -ge 1 &&
	perf script -i directory -F ip,sym | grep -q kept_ && perf script -i directory --kallsyms /proc/kallsyms -F ip,sym >out && ! grep -q kept_ out
'

test_done
