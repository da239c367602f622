#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='recordings whose records lie: no crash, no hang, never mute, and no control characters'
. "$(dirname "$0")/lib.sh"

test_require PYTHON
export PYTHONDONTWRITEBYTECODE=1
case $BUILD in *asan*) few=3 ;; *) few=8 ;; esac
seeds=${HOSTILE_SEEDS:-$few}

# limited COMMAND...: in bounded time and memory (a sanitizer's shadow has no bounds); output in out, messages in err.
limited () {
	(
		case $BUILD in *asan*) ;; *) ulimit -v 2000000 ;; esac
		exec timeout -k 1 60 "$@"
	) >out 2>err
	local rc=$?
	case $rc in 0|1|129|255) ;; *) echo "status $rc: $*"; tail -20 err; return 1 ;; esac
	[ $rc = 0 ] || [ -s err ] || { echo "mute: $*"; return 1; }
	[ ! -s out ] || shown=$((shown + 1))
	! grep -e Sanitizer -e "runtime error" err || return 1
	! grep -aq "$(printf "[\001\002\005\033\007]")" out err || { echo "terminal sequences: $*"; return 1; }
}

# Most seeds have something that can be shown. That of one is the same in each run.
shown=0
commands=('report --stdio' 'script' 'report --stdio --children -g caller --unwind libdw' 'script -F +brstacksym,+srcline,+insn,+addr,+data_src'
'report --stdio --no-children -s sym,dso,srcline' 'script -D' 'inject -b -o o.data' 'inject -j -o o.data' 'inject --mmap2-buildids -o o.data'
'buildid-list' 'archive' 'evlist -v' 'report --stdio --header -I --stats' 'report --stdio --tasks --mmaps' 'report --stdio --mem-mode'
'report --stdio -b' 'sched timehist' 'trace' 'script --show-mmap-events --show-task-events' 'data convert -f --to-json o.json')

test_expect_success 'seeds, each through five commands' '
	for ((seed = 1; seed <= seeds; seed++)); do
		python3 "$TEST_DIR/hostile-data.py" $seed d.data /bin/true || return 1
		for ((k = 0; k < 5; k++)); do
			rm -rf o.data o.json d.data.tar*
			# shellcheck disable=SC2086
			limited perf ${commands[(seed * 5 + k) % ${#commands[@]}]} -i d.data </dev/null || { echo "seed $seed"; return 1; }
		done
	done && echo "$shown of $((seeds * 5)) showed something" && [ "$shown" -ge "$seeds" ]
'

test_expect_success 'through a pipe' '
	before=$shown
	for ((seed = 1; seed <= seeds / 2; seed++)); do
		python3 "$TEST_DIR/hostile-data.py" $seed d.data /bin/true || return 1
		for cmd in "report --stdio" script "inject -b -o o.data"; do
			# shellcheck disable=SC2086
			limited perf $cmd -i - <d.data || { echo "seed $seed, $cmd"; return 1; }
		done
	done && echo "$((shown - before)) showed something" && [ $((shown - before)) -ge $((seeds / 2)) ]
'

test_expect_success 'many: a hundred thousand processes that fork in rings, 40,000 mappings' '
	cat >many.py <<-\EOT &&
	import sys
	sys.path.insert(0, sys.argv[1])
	import struct, perfdata as p
	st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER
	a, t = [p.attr(st)], p.trailer(st, time=5)
	forks = b"".join(p.task(p.FORK, st, 1 + i % 100000, 1 + i * 7 % 100000, 1 + i % 100000, 1 + i * 7 % 100000, i) for i in range(100000))
	one = lambda ip: p.record(p.SAMPLE, 2, struct.pack("<QQIIQQ", 1, ip, 100, 100, 1 << 40, 1))
	p.recording("forks.data", a, forks + one(0x401000), [(6, p.text("x86_64"))])
	head, tail = struct.pack("<IHH", p.MMAP, 2, 48 + len(t)) + struct.pack("<II", 100, 100), p.name("/x") + t
	maps = b"".join(head + struct.pack("<QQQ", 0x400000 + i * 4096 % 0x10000000 + i % 3 * 64, 8192, i) + tail for i in range(40000))
	p.recording("maps.data", a, maps + one(0x401000), [(6, p.text("x86_64"))])
	EOT
	python3 many.py "$TEST_DIR" && for f in forks maps; do
		limited perf report --stdio -i $f.data && test_grep "100.00%" out && limited perf script -i $f.data && [ "$(grep -c 401000 out)" = 1 ] || return 1
	done
'
test_done
