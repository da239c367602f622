#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='names of the running kernel, its modules and vdso are those of recordings that prove to be its own'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CC,KALLSYMS,X86_64
export LC_ALL=C.UTF-8

cat >clock.c <<'EOF'
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	struct timespec t;
	while (clock() < CLOCKS_PER_SEC / 5) {
		for (int i = 0; i < 2000; i++)
			clock_gettime(CLOCK_MONOTONIC, &t);
		for (int i = 0; i < 200; i++)
			syscall(SYS_getppid);
	}
	return 0;
}
EOF
cc -O2 -o clock clock.c || test_skip_all 'the compiler does not take the program'

# names FILE [OPTION...]: whether the kernel and the vdso have names
names () {
	perf script -F ip,sym,dso -i "$@" 2>err | awk '/\[kernel.kallsyms\]|\[vdso\]/ { d = /vdso/ ? "vdso" : "kernel"; all[d]++; named[d] += !/ \[unknown\] / }
		END { for (d in all) print d, named[d] ? "named" : "none" }' | sort
}
warning='Warning: no symbols for [kernel.kallsyms]: the recording does not say which kernel it ran on (it has no build-id of it); if that was this one, --kallsyms /proc/kallsyms names its functions'
printf 'kernel named\nvdso named\n' >both
printf 'kernel none\nvdso none\n' >none
printf 'kernel named\nvdso none\n' >kernel

test_expect_success 'own recordings: with and without the table of build-ids, and through a pipe' '
	for o in "" -B -N "--no-buildid-mmap -B"; do
		perf record -q $o -e cpu-clock -c 200000 -o own.data ./clock && names own.data >out && test_cmp both out && test_cmp /dev/null err ||
			{ echo "with $o"; return 1; }
	done &&
	perf record -q -e cpu-clock -c 200000 -o - ./clock >pipe.data && names pipe.data >out && test_cmp both out
'

test_expect_success UPSTREAM 'upstream 6.1: the table of build-ids is the proof' '
	"$UPSTREAM" record -q -N -e cpu-clock -c 200000 -o six.data ./clock && names six.data >out && test_cmp both out && test_cmp /dev/null err
'

test_expect_success UPSTREAM 'upstream 6.1 without build-ids: addresses, and one line says why; the user may say that it was this kernel' '
	"$UPSTREAM" record -q -B -e cpu-clock -c 200000 -o bare.data ./clock && names bare.data >out && test_cmp none out &&
	echo "$warning" >expect && test_cmp expect err &&
	names bare.data --symfs / >out && test_cmp none out && test_cmp expect err &&
	perf report --stdio -i bare.data >out 2>err && test_cmp expect err && test_grep "\[k\] \[unknown in \[kernel.kallsyms\]\]" out &&
	names bare.data --kallsyms /proc/kallsyms >out && test_cmp kernel out && test_cmp /dev/null err
'

test_expect_success NEWEST 'upstream 7.2 has the build-id in the record of the mapping' '
	"$NEWEST" record -q -B -e cpu-clock -c 200000 -o seven.data ./clock && names seven.data >out && test_cmp both out && test_cmp /dev/null err
'

test_expect_success PYTHON 'another kernel: its build-id, one bit away' '
	perf buildid-list -i own.data | sed -n "s/ \[kernel.kallsyms\]$//p" >id && [ -s id ] &&
	python3 -c "
id = bytes.fromhex(open(\"id\").read().strip())
data = open(\"own.data\", \"rb\").read()
assert data.count(id) > 0
open(\"other.data\", \"wb\").write(data.replace(id, bytes([id[0] ^ 1]) + id[1:]))" &&
	names other.data >out && echo "kernel none" >expect && grep kernel out >got && test_cmp expect got &&
	test_grep "recorded on another kernel .build-id .*, this one has $(cat id)" err
'

# Kernels without KASLR all have _text there. Recordings of other machines, none of which has a name.
test_expect_success CORPUS 'recordings from the world: no address of their kernels has a name' '
	for d in "$CORPUS"/*/; do
		perf script --no-inline -i "$d/perf.data" -F ip,sym,dso 2>/dev/null | awk -v f="$(basename "$d")" \
			"/\[(kernel|vdso|guest)/ && !/ \[unknown\] / { n++ } END { print NR; if (n) { print f, n >\"/dev/stderr\"; exit 1 } }" || return 1
	done >rows && [ "$(sort -n rows | tail -n 1)" -gt 100 ]
'

test_done
