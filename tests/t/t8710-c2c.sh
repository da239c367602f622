#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf c2c: which cache lines CPUs take from each other, and from where'
. "$(dirname "$0")/lib.sh"
test_require PYTHON

test_lazy_prereq OPENS 'needs root, its own mounts, and build/helper/attr-opens (make tests)' \
	'[ "$(id -u)" = 0 ] && unshare -m true && [ -x "$BUILD/helper/attr-opens" ]'
test_lazy_prereq NO_MEM 'this machine has no memory events' \
	'! ls /sys/bus/event_source/devices/cpu*/events/mem-loads /sys/bus/event_source/devices/ibs_op /sys/bus/event_source/devices/arm_spe_0'

devices=$TOP/tests/roots/attrs/sys/bus/event_source/devices
encode () { PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/t/memstory.py" "$@"; }
head_of () {
	cat <<-\END
	node 0 0-3
	node 1 4-7
	memory 0 32,33
	memory 1 34,35
	END
}

# Two threads, on two nodes, count in two variables of one line; a third line is of one CPU alone.
cat >story <<-\END
map 100 0x7f0000000000 0x10000 //anon
comm 100 100 left
comm 100 101 right
10 0 100 100 0x401000 0x7f0000000040 0 store,hit,l1
11 5 100 101 0x401100 0x7f0000000048 700 load,hit,rcce1,hitm
12 5 100 101 0x401100 0x7f0000000048 0 store,miss,l1
13 0 100 100 0x401000 0x7f0000000040 500 load,hit,rcce1,hitm
14 0 100 100 0x401000 0x7f0000000040 300 load,hit,rcce1,hitm
15 1 100 100 0x401000 0x7f0000000040 40 load,hit,l1
16 2 100 100 0x401200 0x7f0000000080 4 load,hit,l1
17 2 100 100 0x401200 0x7f0000000080 0 store,hit,l1
18 2 100 100 0x401200 0x7f0000000080 90 load,hit,l3,hitm
END
(head_of && cat story) | encode truth.data
test_expect_success 'false sharing: the line, its places, who and how long' '
	perf c2c report --json -i truth.data -c tid,iaddr >out.json &&
	python3 - out.json <<-\END
	import json, sys
	lines = json.load(open(sys.argv[1]))["cache_lines"]
	assert [(l["address"], l["hitm_remote"], l["hitm_local"], l["samples"], l["stores"], l["cpus"]) for l in lines] == \
	    [(0x7f0000000040, 3, 0, 6, 2, 3), (0x7f0000000080, 0, 1, 3, 1, 1)], lines
	left, right = lines[0]["accesses"]
	assert (left["offset"], left["tid"], left["comm"], left["code_address"]) == (0, 100, "left", 0x401000), left
	assert (left["hitm_remote"], left["cycles_hitm_remote"], left["cycles_load"], left["stores_l1_hit"]) == (2, 400, 40, 1), left
	assert (right["offset"], right["tid"], right["hitm_remote"], right["cycles_hitm_remote"], right["stores_l1_miss"]) == (8, 101, 1, 700, 1)
	assert [{r["node"]: r["value"] for r in a["node_cpus"]} if isinstance(a["node_cpus"], list) else a["node_cpus"] for a in (left, right)] == \
	    [{"0": "0-1"}, {"1": "5"}], (left, right)
	END
'
test_expect_success 'the same as text, and only the sums' '
	perf c2c report --stdio -NN -i truth.data >out && test_grep "0.0-1.$" out && test_grep "1.5.$" out &&
	test_grep "^ +0 +0x7f0000000040 .* 75.00% +3 +0 +3 " out && perf c2c report --stats -i truth.data >sums &&
	test_grep "Load Remote HITM +: +3$" sums && test_grep "Total Shared Cache Lines +: +2$" sums && ! grep Pareto sums &&
	! grep nan sums && sed "/Data Cache Line Table/,\$d" out | sed "\$d" | sed "\$d" >head && test_cmp head sums
'
test_expect_success 'pairs of lines, all lines, other orders' '
	perf c2c report --double-cl -i truth.data >out && test_grep "Double-Cacheline" out && test_grep " 0 +0x7f0000000000 +" out &&
	perf c2c report -d lcl -i truth.data >out && test_grep "^ +0 +0x7f0000000080 " out && ! grep "^ *1 *0x7f0000000040 " out &&
	perf c2c report -d lcl --show-all -i truth.data >out && test_grep "^ +1 +0x7f0000000040 " out &&
	perf c2c report -x, -i truth.data >out && test_grep "^[0-9]+,.*,2,0,0" out
'
test_expect_success 'a file is the same memory in all processes, other memory is not' '
	(head_of && cat <<-\END) | encode maps.data && perf c2c report --json -i maps.data >out.json &&
	shared 100 0x7f2000000000 0x10000 /dev/shm/of-two
	shared 200 0x7f3000000000 0x10000 /dev/shm/of-two
	map 100 0x7f1000000000 0x10000 //anon
	map 200 0x7f1000000000 0x10000 //anon
	10 0 100 100 0x401000 0x7f2000000040 40 load,hit,l3,hitm
	11 1 200 200 0x401000 0x7f3000000040 40 load,hit,l3,hitm
	12 0 100 100 0x401000 0x7f1000000040 40 load,hit,l3,hitm
	13 1 200 200 0x401000 0x7f1000000040 40 load,hit,l3,hitm
	END
	python3 -c "import json; print(*(l[\"hitm_local\"] for l in json.load(open(\"out.json\"))[\"cache_lines\"]))" >got && echo 2 1 1 >expect &&
	test_cmp expect got
'
test_expect_success 'Arm: lines that came from other caches, unless another display is wanted' '
	(head_of && echo arch aarch64 && echo "10 0 100 100 0x401000 0x7f0000000040 40 load,hit,l3,peer") | encode arm.data &&
	perf c2c report -i arm.data >out && test_grep "sort on +: Peer Snoop" out && test_grep "^ +0 +0x7f0000000040 .* 100.00% +1 +1 +0 " out &&
	perf c2c report -d tot -i arm.data >out && ! grep "0x7f0000000040" out
'
test_expect_success 'what cannot be is said' '
	test_status 1 perf c2c report -c foo -i truth.data 2>err && test_grep "no field .foo" err && test_grep "pid, tid, iaddr, dso" err &&
	test_status 1 perf c2c report -d foo -i truth.data 2>err && test_grep "no display .foo" err &&
	test_status 1 perf c2c report -i "$TOP/tests/data/small/fp.data" 2>err && test_grep "where the data" err && test_grep "perf c2c record" err &&
	test_status 129 perf c2c 2>err && test_grep "needs a sub-command: record, report" err &&
	test_status 129 perf c2c report -g address -i truth.data 2>err && test_grep "call graphs of rows of cache lines are of functions" err &&
	test_status 129 perf c2c report --call-graph=foo -i truth.data 2>err && test_grep "foo" err
'

# ---- record ----

intel () { rm -rf root && cp -r "$devices" root && echo "event=0xcd,umask=0x1,ldlat=3" >root/cpu/events/mem-loads && echo "event=0xd0,umask=0x82" >root/cpu/events/mem-stores; }
opens () { echo "$1" | "$BUILD/helper/attr-opens" -d root line "$BUILD/perf" | grep -E "sample_type=1[04]|^refused" | grep -v "^t=1 c=9"; }
test_expect_success OPENS 'record: loads and stores, with CPUs and physical addresses' '
	intel && opens "c2c record true" >actual && grep -oE "^t=[0-9]+ c=[0-9a-f]+( c1=[0-9a-f]+)*" actual >kinds &&
	printf "%s\n" "t=4 c=1cd c1=1e" "t=4 c=82d0" >expect && test_cmp expect kinds && test_grep "sample_type=10[89a-f]*" actual &&
	opens "c2c record -e ldlat-loads -l 50 -u true" >actual && test_grep "^t=4 c=1cd c1=32 .*exclude_kernel" actual &&
	opens "c2c record -- -F 100 true" >actual && test_grep "^t=4 c=1cd" actual
'
test_expect_success NO_MEM 'record: without such events, one message' '
	test_status 1 perf c2c record true 2>err && test_grep "^Error: no PMU of this machine has events for accesses of memory$" err && test_grep "perf c2c report -i FILE" err
'

# ---- the newest upstream ----

# Where nothing missed, it divides by zero.
same () {
	"$NEWEST" c2c report --stdio "$@" 2>/dev/null | sed "s/      -nan%/       0.0%/" >theirs && perf c2c report --stdio "$@" >ours && test_cmp theirs ours ||
		{ echo "c2c report $*"; return 1; }
}
cat >prog.c <<-\END
long counter[8] __attribute__((aligned(64)));
long table[64] __attribute__((aligned(64)));
void reader(void) { for (int i = 0; i < 10; i++)
	counter[0] += table[i]; }
void writer(void) { counter[4]++;
	table[3]++; }
void longer_name_of_a_function_for_widths_of_columns(void) { table[20]++; }
int main(void) { reader(); writer(); return 0; }
END
test_expect_success CC,NEWEST 'the same text, of accesses of all kinds' '
	cc -g -O0 -no-pie -o prog prog.c && for seed in 1 2 3 4; do
		(head_of && PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/t/memrandom.py" $seed) | encode r$seed.data && same -i r$seed.data || return 1
	done
'
test_expect_success CC,NEWEST 'the same text, with all options' '
	for o in -N -NN "-d peer" "-d lcl -N" "-d rmt -N" "-d peer -N" --show-all "-c pid,tid,dso" "-c tid,iaddr" --double-cl --full-symbols --no-source --stats \
			"-g none" "-c pid,iaddr -NN -d lcl"; do
		for seed in 1 2; do same -i r$seed.data $o || return 1; done
	done
'

# ---- call graphs ----

# chained SEED: accesses of all kinds, with up to four callers each
chained () {
	PYTHONDONTWRITEBYTECODE=1 python3 "$TOP/tests/t/memrandom.py" "$1" | python3 -c '
import random, sys
r = random.Random(int(sys.argv[1]))
code = "reader+8 writer+8 main+4 main+12 0x123456 longer_name_of_a_function_for_widths_of_columns+8".split()
print("chains")
for line in sys.stdin:
    print(line.strip(), *["@"] + r.choices(code, k=r.randrange(4)) if line[0].isdigit() else [])' "$1"
}
cat >inlined.c <<-\END
long counter[8] __attribute__((aligned(64)));
static inline __attribute__((always_inline)) void inner(int i) { counter[i]++; counter[i + 1] += 3; }
__attribute__((noinline)) void outer(void) { inner(1); inner(2); counter[7] = 0; }
int main(void) { outer(); outer(); return counter[3]; }
END
cat >chains <<-\END
chains
program 100 prog
comm 100 100 left
comm 100 101 right
10 0 100 100 writer+8 counter+0 0 store,hit,l1 @ main+16
11 5 100 101 reader+12 counter+8 700 load,hit,rcce1,hitm @ main+8
12 5 100 101 reader+12 counter+8 700 load,hit,rcce1,hitm @ main+8 writer+4
13 5 100 101 reader+12 counter+8 700 load,hit,rcce1,hitm @ 0x123456 main+8
14 0 100 100 reader+12 counter+0 700 load,hit,l3,hitm @ main+8
15 0 100 100 reader+12 counter+0 500 load,hit,l3,hitm @ writer+8 main+8
16 0 100 100 reader+12 counter+16 500 load,hit,l1 @ writer+8 main+8
17 1 100 100 reader+12 table+0 40 load,hit,l3,hitm
END
cat >trees.expect <<-\END
            |
            ---reader
               |
               |--14.29%--main
               |
                --14.29%--writer
                          main

            |
            ---writer
               main

            |
            ---reader
               |
               |--28.57%--main
               |          |
               |           --14.29%--writer
               |
                --14.29%--0x123456
                          main

            |
            ---reader

END
test_expect_success CC 'call graphs: below each row, of all that its line has' '
	cc -g -O0 -no-pie -o prog prog.c && (head_of && cat chains) | encode chains.data && perf c2c report -i chains.data >out &&
	sed -n "/Pareto/,\$p" out | grep -E "^( {12}.*)?$" | grep -v "%.* 0x[0-9a-f]* .*[.]c:" | sed "s/ *\$//" | cat -s >trees &&
	test_cmp trees.expect trees && perf c2c report -i chains.data -g folded,count >out && grep -E "^[0-9]+ [a-z0-9]+(;|$)" out >lines &&
	printf "%s\n" "1 reader;main" "1 reader;writer;main" "1 writer;main" "1 reader;main;writer" "1 reader;main" "1 reader;0x123456;main" "1 reader" >expect &&
	test_cmp expect lines && perf c2c report -i chains.data -g flat >out && test_grep "^ +28.57%$" out && perf c2c report -i chains.data -g none >none &&
	! grep -e "---reader" none && perf c2c report -i chains.data --no-call-graph >no && test_cmp none no &&
	perf c2c report -i chains.data -g >out && test_grep "28.57%--main$" out && test_grep "^ +[|] +[|]--14.29%--reader$" out &&
	perf c2c report -i chains.data -g graph,30 >out && test_grep "28.57%--main$" out && ! grep -e "-14.29%" out
'
test_expect_success CC,NEWEST 'call graphs: the same as upstream' '
	cc -g -O1 -no-pie -o inlined inlined.c && (head_of && cat chains) | encode k0.data &&
	(head_of && cat <<-\END) | encode k4.data &&
	chains
	program 100 inlined
	comm 100 100 left
	10 0 100 100 outer+8 counter+0 100 store,hit,l1 @ main+9
	14 0 100 100 outer+8 counter+0 700 load,hit,l3,hitm @ outer+8 main+9
	END
	for seed in 1 2 3; do (head_of && chained $seed) | encode k$seed.data || return 1; done &&
	for f in k0 k1 k2 k3 k4; do
		for o in "" -g "-g none" "-g caller" "-g callee,0.5,2" "-g flat" "-g flat,caller" "-g fractal" "-g fractal,caller,40" "-g folded" \
				"-g folded,caller" "-g period" "-g count,caller" --no-call-graph --stats "-N -c pid,iaddr"; do
			same -i $f.data $o || return 1
		done
	done
'
test_done
