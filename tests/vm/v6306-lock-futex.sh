#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf lock futex (VM): programs of 32 bits'
. "$(dirname "$0")/../t/lib.sh"
. "$TOP/tests/vm/vm.sh"

test_require VM,PYTHON,CC
flags='-g -O1 -fno-inline -fno-omit-frame-pointer -ffreestanding -fno-stack-protector -fno-pie -no-pie -nostdlib -static'
mkdir -p files/bin
test_lazy_prereq CC32 'needs a compiler that can make programs of 32 bits' \
	'cc -m32 $flags -o files/bin/futexcalls32 "$TOP/tests/workloads/bare/futexcalls.c"'
cc $flags -o files/bin/futexcalls "$TOP/tests/workloads/bare/futexcalls.c" && test_have CC32
vm_files=files/bin

cat >guest.sh <<\GUEST
cd /out
for p in futexcalls futexcalls32; do
	[ ! -e /bin/$p ] || perf lock futex -q --json /bin/$p >$p.both || exit 1
done
GUEST
split () { grep -E "^[a-z_0-9]+ [0-9]" out/$1.both >said; sed -n "/^{/,\$p" out/$1.both >json; }

test_expect_success 'the guest runs to its end' 'vm_run guest.sh'
test_expect_success 'the same calls as here' '
	split futexcalls && [ $(wc -l <said) = 5 ] && grep "^many_b 5 " said && python3 "$TOP/tests/t/futexcalls.py" said json no-times
'
test_expect_success CC32 'a program of 32 bits: futex, futex_time64, futex_waitv' '
	split futexcalls32 && [ $(wc -l <said) = 6 ] && grep "^time64 5 " said && grep "^many_b 5 " said && python3 "$TOP/tests/t/futexcalls.py" said json no-times
'
test_done
