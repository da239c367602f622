#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf export and perf flame: of each function as many samples are its own as perf script and report say, whatever its chain is'
. "$(dirname "$0")/lib.sh"

small=$TOP/tests/data/small
export PERF_BUILDID_DIR=$PWD/.debug

# Samples by function, of the addresses of samples: "name count". Code without a name is "[file]" in formats of stacks.
cat >own.awk <<\EOF
{
	sub(/^ *[0-9a-f]+ /, "")
	at = 0
	for (i = length($0) - 1; i > 0 && !at; i--)
		if (substr($0, i, 2) == " (")
			at = i
	sym = substr($0, 1, at - 1)
	dso = substr($0, at + 2, length($0) - at - 2)
	sub(/\+0x[0-9a-f]+$/, "", sym)
	if (sym == "[unknown]" && dso != "[unknown]") {
		if (dso !~ /^\[/)
			sub(/.*\//, "", dso)
		if (sub(/\.ko$/, "", dso))	# a module has its name
			gsub(/-/, "_", dso)
		sym = dso ~ /^\[/ ? dso : "[" dso "]"
	}
	gsub(/;/, ":", sym)
	n[sym]++
}
END { for (s in n) print s, n[s] }
EOF
# Without what is made of traces: script makes other samples of them than export and report.
by_script () { perf script --no-itrace -G --no-inline -F ip,sym,dso "$@" 2>/dev/null | awk -f own.awk | LC_ALL=C sort; }
# The same of folded stacks.
innermost () { awk '{ n = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); own[$0] += n } END { for (s in own) print s, own[s] }' | LC_ALL=C sort; }
by_folded () { perf export --no-itrace -q --format folded --no-inline "$@" 2>/dev/null | innermost; }

same_own () {	# RECORDING...
	local f n=0
	for f; do
		by_script -i "$f" >expect
		[ -s expect ] || continue
		by_folded -i "$f" >actual && test_cmp expect actual || { echo "$f"; return 1; }
		n=$((n + 1))
	done
	[ $n -gt 0 ]
}
test_expect_success 'each function has as many samples of its own as its addresses have' 'same_own "$small"/*.data'
test_expect_success CORPUS 'also in recordings of others: precise events, chains of user space alone, of branches, groups of events' '
	same_own $(ls "$CORPUS"/*/perf.data | grep -v autofdo)
'
whole () {
	local f
	for f; do
		perf script --no-itrace -G -F period -i "$f" 2>/dev/null | awk '{ n += $1 } END { printf "%.0f\n", n }' >expect
		perf export --no-itrace -q --format folded --weight period -i "$f" 2>/dev/null | awk '{ n += $NF } END { printf "%.0f\n", n }' >actual
		test_cmp expect actual || { echo "$f"; return 1; }
	done
}
test_expect_success CORPUS 'and their weights are the sum of periods' 'whole $(ls "$CORPUS"/*/perf.data | grep -v group_desc)'

# Five samples: where the chain begins; in its caller and in the function that returned to it, as precise events have it; in the kernel, with
# a chain of user space; without a chain.
cat >program.c <<\EOF
volatile int n;
static inline __attribute__((always_inline)) void within(void) { n++; n *= 3; }
__attribute__((noinline)) void inner(void) { within(); n++; }
__attribute__((noinline)) void other(void) { n--; }
__attribute__((noinline)) void outer(void) { inner(); other(); n++; }
int main(void) { outer(); n++; return n; }
EOF
cat >make.py <<\EOF
import struct, subprocess
from perfdata import *
at = {f[2]: int(f[0], 16) for f in (l.split() for l in subprocess.run(["nm", "program"], capture_output=True, text=True, check=True).stdout.split("\n")) if len(f) == 3}
BASE, PID, CONTEXT_USER, KERNEL_IP = 0x400000000000, 7, (1 << 64) - 512, 0xffffffff81000100
inner, other, outer, main = (BASE + at[f] + 1 for f in ("inner", "other", "outer", "main"))
st = IP | TID | TIME | CALLCHAIN | PERIOD | IDENTIFIER
records = [comm(st, PID, PID, "program"), mmap2(st, PID, BASE, 0x100000, 0, "/".join([__import__("os").getcwd(), "program"]))]
def sample(ip, chain, misc=USER):
    chain = [CONTEXT_USER] + chain if chain else []
    records.append(record(SAMPLE, misc, struct.pack("<QQIIQQQ%dQ" % len(chain), 1, ip, PID, PID, 1000 + 10 * len(records), 5, len(chain), *chain)))
sample(inner, [inner, outer + 1, main + 1])
sample(outer, [inner, outer + 1, main + 1])
sample(other, [outer, main + 1])
sample(KERNEL_IP, [outer, main + 1], KERNEL)
sample(inner, [])
recording("made.data", [attr(st, extra=3 << 15)], records)
EOF
cat >stacks <<\EOF
program;inner 1
program;main;outer;[unknown] 1
program;main;outer;inner 1
program;main;outer;inner;outer 1
program;main;outer;other 1
EOF
export PYTHONPATH=$TEST_DIR PYTHONDONTWRITEBYTECODE=1
test_expect_success CC,PYTHON 'a function that the chain does not begin with is a frame of its own' '
	cc -O2 -g -no-pie -Wl,-Ttext-segment=0 -o program program.c 2>err || cc -O2 -g -pie -fPIE -o program program.c && python3 make.py &&
	perf export -q --format folded --no-inline -i made.data | LC_ALL=C sort >actual && test_cmp stacks actual &&
	perf flame --folded --no-inline -i made.data 2>err | sed "s/ 5\$/ 1/" | LC_ALL=C sort >actual && test_cmp stacks actual &&
	perf export -q --format pprof --no-inline -i made.data -o made.pb.gz && python3 "$TEST_DIR/pprof.py" made.pb.gz >decoded &&
	grep -v -e "^mapping " -e "^type " -e "^line " decoded | LC_ALL=C sort >actual && test_cmp stacks actual &&
	perf report --stdio -g none --no-children --no-inline -F sample,sym -i made.data 2>/dev/null | sed -n "s/^ *\([0-9]*\)  *\[.\] \([^ ]*\).*/\2 \1/p" | LC_ALL=C sort >expect &&
	innermost <stacks >actual && test_cmp expect actual
'
test_expect_success CC,PYTHON 'with the functions that are inlined there' '
	perf export -q --format folded -i made.data | LC_ALL=C sort >actual &&
	printf "%s\n" "program;inner 1" "program;main;outer;[unknown] 1" "program;main;outer;inner;within 1" "program;main;outer;inner;within;outer 1" \
		"program;main;outer;other 1" >expect && test_cmp expect actual
'
test_expect_success CC,PYTHON 'the chain itself is as it was recorded' '
	perf script --no-inline -F ip,sym -i made.data | awk "NF == 2 { print \$2 }" >actual &&
	printf "%s\n" inner outer main inner outer main outer main outer main >expect && test_cmp expect actual
'
test_lazy_prereq BABELTRACE 'needs babeltrace2 (package babeltrace2)' 'babeltrace2 --version'
test_expect_success CC,PYTHON,BABELTRACE 'also in ctf' '
	rm -rf ctf && perf export -q --format ctf --no-inline -i made.data -o ctf && babeltrace2 ctf | sed "s/.*perf_callchain_size = \([0-9]*\),.*perf_stack = \"\([^\"]*\)\".*/\1 \2/" >actual &&
	printf "%s\n" "3 main;outer;inner" "3 main;outer;inner;outer" "2 main;outer;other" "2 main;outer;[unknown]" "1 inner" >expect && test_cmp expect actual
'

# ---- perf data convert --all ----

test_expect_success CC,PYTHON,BABELTRACE 'records of tasks and mappings are events of ctf, where that is asked for' '
	perf data convert --all -i made.data --to-ctf all 2>err && test_grep "^. perf data convert: Converted .made.data. into CTF data .all. .5 samples, 2 non-samples. .$" err &&
	babeltrace2 --clock-cycles all >text && [ $(wc -l <text) = 7 ] && head -n 2 text | sed "s/^[^p]*//" >actual &&
	printf "%s\n" "perf_comm: { pid = 7, tid = 7, comm = \"program\" }" "perf_mmap2: { pid = 7, tid = 7, start = 0x400000000000, filename = \"$PWD/program\" }" >expect &&
	test_cmp expect actual && test_status 129 perf data convert --all -i made.data --to-json x 2>err && test_grep "^Error: --all is for --to-ctf" err && [ ! -e x ] &&
	rm -rf plain && perf data convert -q -i made.data --to-ctf plain && [ $(babeltrace2 plain | wc -l) = 5 ]
'
# The same records as perf script shows, in its order.
others () { perf script -G -F tid --show-task-events --show-mmap-events -i "$1" 2>/dev/null | grep -oE "PERF_RECORD_(COMM|FORK|EXIT|MMAP2?)" | sed 's/PERF_RECORD_//' | tr A-Z a-z; }
test_expect_success PYTHON,BABELTRACE 'as many as perf script shows' '
	for f in fp dwarf pipe zstd sched; do
		rm -rf all && perf data convert -q --all -i "$small/$f.data" --to-ctf all && babeltrace2 all >text && grep -oE " perf_(comm|fork|exit|mmap2?):" text | sed "s/ perf_//; s/://" | sort >actual &&
		others "$small/$f.data" | sort >expect && [ -s expect ] && test_cmp expect actual || { echo $f; return 1; }
	done
'
test_done
