#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='names for code: debug links, deleted files, other mount namespaces, perf maps'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW
test_workload agent
opts='-q -N -F 2000 -e cpu-clock:u -g'

# rows FILE: "percent dso symbol" of each row, without call graphs
rows () { perf report -i "$1" --stdio --no-children -g none --sort dso,sym 2>.err | grep -v -e '^#' -e '^$'; }

# start NAME ARG...: in the background; its pid is in $pid once it runs
start () {
	local out=$1.pid
	shift
	rm -f "$out"
	"$@" >"$out" &
	test_background="$test_background $!"
	for i in $(seq 200); do pid=$(cat "$out" 2>/dev/null); [ -n "$pid" ] && return; sleep 0.05; done
	false
}

test_expect_success 'a stripped program with a debug link has its local names' '
	test_have OBJDUMP &&
	cp agent linked && objcopy --only-keep-debug linked linked.debug && strip linked &&
	objcopy --add-gnu-debuglink=linked.debug linked &&
	perf record $opts -o linked.data ./linked 300 >/dev/null &&
	rows linked.data >out &&
	test_grep "linked  *\[\.\] agent_leaf" out
'

test_expect_success 'without it there is one row for the whole file' '
	rm linked.debug && export HOME=$TRASH/.nohome &&
	rows linked.data >out && export HOME=$TRASH/.home &&
	! grep agent_leaf out &&
	test_grep "unknown in linked" out
'

test_expect_success 'a file of the same name but of another build is not used' '
	cp agent other && perf record $opts -o other.data ./other 300 >/dev/null &&
	rows other.data >out && test_grep agent_leaf out &&
	rm other && cc -O1 -g -DOTHER -Dagent_leaf=wrong_name -o other "$TOP/tests/workloads/agent.c" &&
	rows other.data >out &&
	! grep -e agent_leaf -e wrong_name out
'

test_expect_success 'a deleted executable is read while its process lives' '
	cp agent gone && start gone ./gone 20000 && rm gone &&
	perf record $opts -o gone.data -p $pid -- sleep 0.7 &&
	rows gone.data >out && kill $pid &&
	test_grep "agent_leaf" out
'

test_lazy_prereq CHROOT 'needs root, unshare and chroot' 'test_have ROOT && unshare -m chroot / true'
test_expect_success CHROOT 'a program in a root of its own never gets the names of the file of that path here' '
	mkdir -p root"$TRASH" && cc -O1 -g -static -fno-omit-frame-pointer -o root"$TRASH/boxed" "$TOP/tests/workloads/agent.c" &&
	cc -O1 -g -static -DOTHER -Dagent_leaf=wrong_name -o boxed "$TOP/tests/workloads/agent.c" &&
	{ perf record $opts -o boxed.data -- unshare -m chroot root "$TRASH/boxed" 20000 >boxed.pid & } &&
	test_background="$test_background $!" &&
	for i in $(seq 200); do pid=$(cat boxed.pid); [ -n "$pid" ] && break; sleep 0.05; done &&
	sleep 0.7 && kill $pid; wait $!; rows boxed.data >out &&
	! grep wrong_name out &&
	test_grep "unknown in boxed" out
'

test_expect_success X86_64 'code made at run time has the names of its perf map' '
	start jit ./agent 20000 jit &&
	perf record $opts -o jit.data -p $pid -- sleep 0.7 &&
	rows jit.data >out && rm -f /tmp/perf-$pid.map && kill $pid &&
	test_grep "jitted_loop" out
'

test_expect_success CXX 'names of C++ are readable' '
	cat >shape.cc <<-\END &&
	#include <ctime>
	#include <string>
	namespace shapes { template<class T> struct Box { __attribute__((noinline)) long area(T n) {
		volatile long s = 0; for (long i = 0; i < 100000; i++) s = s + i * n; return s; } }; }
	int main() { shapes::Box<int> b; long t = 0; while (clock() < CLOCKS_PER_SEC * 3 / 10) t += b.area(3); return t == 1; }
	END
	c++ -O1 -g -o shape shape.cc &&
	perf record $opts -o shape.data ./shape &&
	rows shape.data >out && test_grep "shapes::Box<int>::area.int." out &&
	perf report -i shape.data --stdio --no-children -g none --no-demangle >out && test_grep "_ZN6shapes3BoxIiE4areaEi" out
'

test_expect_success 'the build-id cache keeps what was hit: of a program that is gone, too' '
	cp agent gone && perf record ${opts/-N/} -o gone.data ./gone 300 >/dev/null &&
	rows gone.data >expect && rm gone &&
	test_grep agent_leaf expect &&
	rows gone.data >out && test_cmp expect out
'

test_expect_success 'nothing is kept where the configuration or an option says so' '
	export PERF_BUILDID_DIR=$TRASH/none &&
	perf record -q -N -e page-faults:u -c 1 -o no.data true && ! test -e none &&
	perf record -q --build-id=skip -e page-faults:u -c 1 -o no.data true && ! test -e none &&
	printf "[record]\n\tbuild-id = no-cache\n" >.home/.perfconfig &&
	perf record -q -e page-faults:u -c 1 -o no.data true && ! test -e none &&
	rm .home/.perfconfig &&
	perf record -q -e page-faults:u -c 1 -o no.data true && test -d none/.build-id &&
	test_status 129 perf record --build-id=maybe -o no.data true 2>err && test_grep "none of cache" err &&
	unset PERF_BUILDID_DIR
'

test_expect_success OBJDUMP 'a stripped program in the cache, of equal build-id, hides no names' '
	cp agent stripped && strip stripped && perf buildid-cache -a stripped &&
	cp agent whole && perf record $opts -o whole.data ./whole 300 >/dev/null &&
	rows whole.data >out && test_grep agent_leaf out
'

test_done
