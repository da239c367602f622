#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf annotate: listings of instructions and source with the samples of each'
. "$(dirname "$0")/lib.sh"

test_require CC

cat >hot.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>

static inline __attribute__((always_inline)) unsigned mix(unsigned x)
{
	return x * 2654435761u ^ x >> 7;
}

__attribute__((noinline)) unsigned hot(unsigned n)
{
	unsigned s = 1;

	for (unsigned i = 0; i < n; i++)
		s = mix(s + i);
	return s;
}

__attribute__((noinline)) unsigned cold(unsigned n)
{
	return n ^ 5;
}

int main(int argc, char **argv)
{
	unsigned s = 0;

	for (int i = 0; i < atoi(argv[argc - 1]); i++)
		s += hot(1000000) + cold(s);
	printf("%u\n", s);
	return 0;
}

__attribute__((noinline, used)) unsigned never(unsigned n)
{
	return n ^ 7;
}
EOF

test_expect_success 'recordings' '
	cc -g -O1 -o hot hot.c &&
	cp hot bare && strip bare &&
	perf record -q -e cpu-clock -F 2000 -o hot.data ./hot 300 >/dev/null &&
	perf record -q -e cpu-clock,task-clock -F 1000 -o two.data ./hot 200 >/dev/null &&
	perf record -q -e cpu-clock -F 1000 -o bare.data ./bare 100 >/dev/null
'
test_expect_success 'the function that was asked for, in the layout of --stdio' '
	perf annotate -i hot.data hot >out 2>err &&
	test_cmp /dev/null err &&
	test_grep "^ Percent \|	Source code & Disassembly of hot for cpu-clock \([0-9]+ samples, percent: local period\)$" out &&
	test_grep "^         :      Disassembly of section .text:$" out &&
	test_grep "^         :      [0-9a-f]{16} <hot>:$" out &&
	test_grep "^         : 9    __attribute__" out &&
	test_grep "^         :      mix\(\): \(inlined\)$" out &&
	test_grep "^         : 6            return x \* 2654435761u" out &&
	test_grep "^ +[0-9.]+ :   [0-9a-f]+:   +ret$" out &&
	awk "/^ +[0-9.]+ : / { sum += \$1 } END { exit !(sum > 99.8 && sum < 100.2) }" out
'

for which in UPSTREAM NEWEST; do
	test_expect_success UPSTREAM,$which,OBJDUMP,PYTHON "$which: numbers and instructions of all functions" '
		perf record -q -e cpu-clock -F 2000 -o up.data ./hot 200 >/dev/null &&
		"${!which}" annotate --objdump /usr/bin/objdump --stdio -i up.data >expect &&
		perf annotate -i up.data >actual &&
		python3 "$TEST_DIR/annotatecmp.py" expect actual &&
		"${!which}" annotate --objdump /usr/bin/objdump --stdio -n -i up.data hot >expect &&
		perf annotate -n -i up.data hot >actual &&
		python3 "$TEST_DIR/annotatecmp.py" expect actual
	'
done
test_expect_success X86_64,OBJDUMP,PYTHON 'instructions of the C library are those of objdump' '
	libc=$(ldd /bin/sh | awk "/libc\.so/ { print \$3 }") &&
	set -- $(readelf -SW "$libc" | sed "s/\[ *//" | awk "\$2 == \".text\" { print \$4, \$6 }") &&
	end=$(printf %x $((0x$1 + 0x$2))) &&
	"$BUILD/helper/disasm" "$libc" $1 $end >ours &&
	objdump -dw -j .text --no-show-raw-insn "$libc" >theirs &&
	awk "END { exit NR < 100000 }" ours &&
	python3 "$TEST_DIR/annotatecmp.py" --insns theirs ours
'
test_expect_success 'arrows, labels and names' '
	perf annotate -i hot.data --stdio2 --no-source hot >out &&
	test_grep "^Samples: .* of event .cpu-clock., 2000 Hz, Event count \(approx\.\): [0-9]+, \[percent: local period\]$" out &&
	test_grep "^hot\(\) .*/hot$" out &&
	test_grep "↑ jne  +[0-9a-f]+$" out &&
	test_grep "← ret$" out &&
	target=$(sed -n "s/.*↑ jne  *//p" out) &&
	test_grep " $target:   " out
'
test_expect_success 'two events apart and side by side' '
	perf annotate -i two.data hot >apart && perf annotate -i two.data --group hot >group &&
	test "$(grep -c "Source code" apart)" = 2 && test "$(grep -c "Source code" group)" = 1 &&
	test_grep "^ Percent         \|	Source code & Disassembly of hot for cpu-clock, task-clock " group &&
	test_grep "^ +[0-9.]+ +[0-9.]+ :   [0-9a-f]+:   +ret$" group
'
test_expect_success PYTHON 'as data' '
	perf annotate -i hot.data --json hot >out.json &&
	python3 - <<-EOF
	import json
	f = json.load(open("out.json"))["functions"]
	assert len(f) == 1 and f[0]["symbol"] == "hot"
	insns = [l for l in f[0]["lines"] if l["kind"] == "insn"]
	assert sum(l["samples"] for l in insns) == f[0]["samples"] > 100
	assert any(l["kind"] == "function" and l["text"] == "mix" for l in f[0]["lines"])
	EOF
'
test_expect_success 'lines that cost most' '
	perf annotate -i hot.data -l hot >out &&
	test_grep "^Sorted summary for file hot$" out &&
	test_grep "^ +[0-9.]+ hot\.c:6$" out &&
	test_grep "^ +[0-9.]+ : .* // hot\.c:6$" out
'
test_expect_success 'what cannot be shown says why' '
	test_status 1 perf annotate -i hot.data hott 2>err &&
	test_grep "no function .hott. in what was sampled" err && test_grep "did you mean .hot.\?" err &&
	test_status 1 perf annotate -i hot.data never 2>err &&
	test_grep ".never. of .*/hot. has no samples" err &&
	cc -g -O1 -Wl,--build-id=0x1234567890abcdef -o gone hot.c &&
	perf record -q -B -N -e cpu-clock -F 2000 -o gone.data ./gone 500 >/dev/null && rm gone &&
	test_status 1 perf annotate -i gone.data -d gone 2>err &&
	test_grep "^Warning: no symbols for .*/gone" err &&
	test_grep "^Error: no sample in .gone.data. is in a function with a name" err &&
	test_status 129 perf annotate -n --show-total-period 2>err &&
	test_status 129 perf annotate --percent-type local 2>err && test_grep "local-period, local-hits" err &&
	test_status 1 perf annotate -i hot.data -M sparc hot 2>err && test_grep "no disassembler style .sparc." err &&
	test_status 129 perf annotate --itrace=z 2>err && test_grep "no letter" err
'
test_expect_success 'source that is hostile' '
	mkdir bad && printf "int spin(int n)\n{\n\tvolatile int s = 0; /* \033[2J\a */\n\tfor (int i = 0; i < n; i++)\n\t\ts ^= i * s + 3;\n\treturn s;\n}\nint main(void) { int s = 0; for (int i = 0; i < 100; i++) s += spin(2000000); return s == 1; }\n" >bad/bad.c &&
	(cd bad && cc -g -O1 -fno-inline -o bad bad.c && perf record -q -e cpu-clock -F 500 -o bad.data ./bad) &&
	perf annotate -i bad/bad.data spin >out &&
	test_grep "x1b\[2J" out &&
	test_grep -v "$(printf "\033")" out &&
	head -c 700 /dev/urandom >bad/bad.c &&
	perf annotate -i bad/bad.data spin >out && test_grep -v "$(printf "\033")" out &&
	rm bad/bad.c && perf annotate -i bad/bad.data spin >out && test_grep "ret$" out
'
test_expect_success 'objdump instead says the same' '
	perf annotate -i hot.data --no-source hot >expect && perf annotate --objdump objdump -i hot.data --no-source hot >actual &&
	sed "s/  *$//" actual >trimmed && test_cmp expect trimmed &&
	test_status 1 perf annotate --objdump ./none -i hot.data hot 2>err && test_grep "none" err
'

test_expect_success 'a fixed period, which the samples do not have with them: the event says it' '
	perf record -q -e cpu-clock:u -c 1000000 -o period.data ./hot 50 >/dev/null && perf evlist -v -i period.data | grep -v "|PERIOD" &&
	perf annotate --stdio -i period.data hot >out && awk "\$2 == \":\" { n += \$1 } END { print n; exit n < 99.5 || n > 100.5 }" out &&
	n=$(perf script -F ip,sym -i period.data | grep -c " hot$") && test "$n" -gt 0 &&
	perf annotate --stdio2 -i period.data hot >out && test_grep "Event count \(approx\.\): ${n}000000," out
'
test_done
