#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='jitdump files of broken or hostile JIT compilers: what is no code is counted, nothing crashes, fills the memory or is written elsewhere'
. "$(dirname "$0")/lib.sh"

test_require PYTHON
export PYTHONDONTWRITEBYTECODE=1
seeds=${HOSTILE_SEEDS:-16}

# limited COMMAND...: in bounded time and memory (a sanitizer's shadow has no bounds); output in out, messages in err.
limited () {
	(
		case $BUILD in *asan*) ;; *) ulimit -v 1500000 ;; esac
		exec timeout -k 1 60 "$@"
	) >out 2>err
	local rc=$?
	[ $rc -le 1 ] || { echo "status $rc: $*"; tail -20 err; return 1; }
	[ $rc = 0 ] || [ -s err ] || { echo "mute: $*"; return 1; }
	! grep -e Sanitizer -e "runtime error" err || return 1
	! grep -aq "$(printf "[\001\002\005\033\007]")" out err || { echo "terminal sequences: $*"; return 1; }
}

make_one () { rm -rf jit && mkdir jit && python3 "$TEST_DIR/hostile-jitdump.py" "$1" jit; }

test_expect_success 'seeds: perf inject -j, and what reads its result' '
	read_back=0
	mkdir elsewhere && for ((seed = 1; seed <= seeds; seed++)); do
		make_one $seed && limited perf inject -j -i jit/d.data -o jit/o.data || { echo "seed $seed"; return 1; }
		[ -z "$(ls -A jit | grep -vE "^(d.data|o.data|jit-100.dump|jitted-[0-9]+-[0-9]+.so)$")" ] || { ls -la jit; return 1; }
		[ -s jit/o.data ] || continue
		read_back=$((read_back + 1))
		limited perf script -i jit/o.data -F +srcline && limited perf report --stdio -i jit/o.data --unwind libdw || { echo "seed $seed"; return 1; }
	done && echo "$read_back of $seeds read back" && [ $read_back -ge $((seeds / 2)) ]
'

test_expect_success 'a hole of 3 GB after it is not read' '
	make_one 3 && [ -f jit/jit-100.dump ] && truncate -s 3G jit/jit-100.dump && limited perf inject -j -i jit/d.data -o jit/o.data &&
	test_grep "^Warning: .*jit-100.dump. ends within a record" err && ls jit | grep "^jitted-" >/dev/null
'

test_lazy_prereq TMPFS 'needs a tmpfs of its own' 'mkdir -p probe && mount -t tmpfs -o size=64k none probe && umount probe'
test_expect_success TMPFS 'a full disk: the half of a file is not left behind' '
	rm -rf jit && mkdir -p jit && mount -t tmpfs -o size=2m none jit && {
		python3 "$TEST_DIR/hostile-jitdump.py" 3 jit && cp jit/d.data d.data && head -c $(($(stat -f -c "%a * %S" jit) - 4096)) /dev/zero >jit/zero
		perf inject -j -i d.data -o o.data >out 2>err; rc=$?
		for f in jit/jitted-*; do [ ! -e $f ] || [ "$(head -c 4 $f | tail -c 3)" = ELF ] || rc=77; done
		ls -la jit; umount jit
	} && [ $rc = 1 ] && test_grep "^Error: cannot write .*jitted-.*No space left" err
'
test_done
