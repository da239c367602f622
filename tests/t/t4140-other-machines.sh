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
	upstream_record -q -N -e cpu-clock -c 200000 -o six.data ./clock && names six.data >out && test_cmp both out && test_cmp /dev/null err
'

test_expect_success UPSTREAM 'upstream 6.1 without build-ids: addresses, and one line says why; the user may say that it was this kernel' '
	upstream_record -q -B -e cpu-clock -c 200000 -o bare.data ./clock && names bare.data >out && test_cmp none out &&
	echo "$warning" >expect && test_cmp expect err &&
	names bare.data --symfs / >out && test_cmp none out && test_cmp expect err &&
	perf report --stdio -i bare.data >out 2>err && test_cmp expect err && test_grep "\[k\] \[unknown in \[kernel.kallsyms\]\]" out &&
	names bare.data --kallsyms /proc/kallsyms >out && test_cmp kernel out && test_cmp /dev/null err
'

# Of switches with chains: the kernel is where all of them end.
test_expect_success UPSTREAM,ROOT,TRACEFS 'trace, sched and timechart say it in the same line, and take --kallsyms, too' '
	echo "$warning" >expect &&
	upstream_record -q -B -g -e sched:sched_switch,sched:sched_wakeup -o switch.data -- sh -c "sleep 0.02; sleep 0.02" &&
	for c in trace "sched timehist" "timechart -o o.svg" "data convert --force --to-json o.json"; do
		perf $c -i switch.data >out 2>err && grep "no symbols" err >got && test_cmp expect got &&
			perf $c -i switch.data --kallsyms /proc/kallsyms >out 2>err && test_grep -v "no symbols" err || { echo "$c"; return 1; }
	done &&
	perf sched latency -i switch.data >out 2>err && test_cmp /dev/null err &&
	perf trace -q -i switch.data >out 2>err && test_grep -v "^Warning" err
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

# foreign FILE TO: the same recording, of a machine of another name
foreign () {
	python3 -c "
import os, sys
name = os.uname().nodename.encode()
data = open(sys.argv[1], \"rb\").read()
at = data.index(name + bytes(1))
open(sys.argv[2], \"wb\").write(data[:at] + b\"@\" + data[at + 1:])" "$1" "$2" &&
		perf report --header-only -i "$2" >header && test_grep "^# hostname : @" header
}
other=@$(uname -n | cut -c 2-)

cat >jit.c <<'EOF'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	/* a loop of a million rounds: mov $1000000,%eax; dec %eax; jnz; ret */
	static const unsigned char loop[] = { 0xb8, 0x40, 0x42, 0x0f, 0, 0xff, 0xc8, 0x75, 0xfc, 0xc3 };
	unsigned char *code = mmap(NULL, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *f;

	memcpy(code, loop, sizeof(loop));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	f = fopen(path, "w");
	fprintf(f, "%lx 1000 jit_loop\n", (unsigned long)code);
	fclose(f);
	fprintf(stderr, "%d\n", getpid());
	while (clock() < CLOCKS_PER_SEC / 5)
		((void (*)(void))code)();
	return 0;
}
EOF
cc -O1 -o jit jit.c || test_skip_all 'the compiler does not take the program'
# jit_names FILE [OPTION...]: what the samples of the code are called
jit_names () {
	perf script -F ip,sym,dso -i "$@" 2>err | awk '/perf-[0-9]+\.map/ { print /jit_loop/ ? "named" : "none" }' | sort -u
}

test_expect_success PYTHON 'perf maps: those of this machine are not those of a recording of another one' '
	perf record -q -N -e cpu-clock -c 200000 -o jit.data ./jit 2>pid && map=/tmp/perf-$(cat pid).map &&
	foreign jit.data jit-other.data && [ -f $map ] && jit_names jit.data >out && echo named >expect && test_cmp expect out &&
	jit_names jit-other.data >out && echo none >expect && test_cmp expect out &&
	test_grep "$map. is of this machine, and the recording of .$other.: not used .--symfs / takes files by name" err &&
	jit_names jit-other.data --symfs / >out && echo named >expect && test_cmp expect out &&
	mkdir -p its/tmp && mv $map its/tmp/ && jit_names jit-other.data --symfs its >out && test_cmp expect out &&
	jit_names jit-other.data >out && echo none >expect && test_cmp expect out && test_grep "$map. does not exist" err
'

test_expect_success 'a pipe says which machine it is of' '
	perf record -q -N -e cpu-clock -c 200000 -o - ./jit >jit.pipe 2>pid && jit_names jit.pipe >out && rm -f /tmp/perf-$(cat pid).map &&
	echo named >expect && test_cmp expect out
'

# Kernels without KASLR all have _text there. Recordings of other machines, none of which has a name.
test_expect_success CORPUS 'recordings from the world: no address of their kernels has a name' '
	for d in "$CORPUS"/*/; do
		perf script --no-inline -i "$d/perf.data" -F ip,sym,dso 2>/dev/null | awk -v f="$(basename "$d")" \
			"/\[(kernel|vdso|guest)/ && !/ \[unknown\] / { n++ } END { print NR; if (n) { print f, n >\"/dev/stderr\"; exit 1 } }" || return 1
	done >rows && [ "$(sort -n rows | tail -n 1)" -gt 100 ]
'

test_done
