#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='recordings that bring their names with them: perf record --embed, perf inject --embed'
. "$(dirname "$0")/lib.sh"

test_require PERF_SW,CXX
test_workload stackmixcxx -O2 -finline
test_workload jit

# A machine that has nothing of this one: in a root of its own perf lies with its libraries in /x, where nobody looks for
# binaries, and there is no /proc.
test_lazy_prereq ELSEWHERE 'needs root, chroot, a loader that is run by its name, and a perf without sanitizers, which read /proc' '
	test_have ROOT && ! ldd "$BUILD/perf" | grep -q libasan && make_elsewhere &&
	elsewhere version | grep -q "perf version"'
make_elsewhere () {
	[ ! -d root ] || return 0
	mkdir -p root/x root/tmp &&
	cp -L "$BUILD/perf" root/x/perf &&
	for lib in $(ldd "$BUILD/perf" | grep -o "/[^ ]*"); do cp -L "$lib" root/x/; done
}
elsewhere () {
	local libs=/x
	HOME=/ chroot root /x/$(cd root/x && ls ld-*.so* | head -n 1) --library-path $libs /x/perf "$@"
}
test_have ELSEWHERE

# same FILE EMBEDDED command...: the same output, byte by byte, and no warning more
same () {
	local plain=$1 embedded=$2
	shift 2
	cp "$embedded" root/here.data &&
	perf "$@" -i "$plain" >here 2>here.err && test -s here &&
	elsewhere "$@" -i /here.data >there 2>there.err &&
	test_cmp here there && test_cmp here.err there.err
}

# each view of FILE EMBEDDED
each_view () {
	same "$@" report --stdio &&
	same "$@" report --stdio -g caller -s comm,dso,sym &&
	same "$@" report --stdio --no-children -g none -s sym,srcline &&
	same "$@" report --stdio --no-inline -s sym &&
	same "$@" report --stdio --no-demangle -s sym &&
	same "$@" report --stdio -F overhead,sym,srcfile,symbol_size &&
	same "$@" report --json &&
	same "$@" script &&
	same "$@" script -F comm,tid,time,ip,sym,symoff,dso,dsoff,srcline &&
	same "$@" flame --folded -o - &&
	same "$@" export --format folded -o - &&
	same "$@" export --format speedscope -o - &&
	same "$@" buildid-list --with-hits
}

test_expect_success 'a recording of C++ and of the kernel: names, inlined calls, lines' '
	perf record -q -F 2000 -g -e cpu-clock -o plain.data ./stackmixcxx 1000 >/dev/null &&
	perf inject --embed -v -i plain.data -o embedded.data 2>err &&
	test_grep "^[1-9][0-9]* symbols, [1-9][0-9]* lines and [1-9][0-9]* inlined calls of [1-9][0-9]* addresses in [1-9]" err &&
	perf script -F ip,sym,srcline -i plain.data >out 2>/dev/null && test_grep "\(inlined\)" out &&
	perf report --header-only -i embedded.data >header && test_grep "^# contains names and lines .*EMBEDDED" header
'

test_expect_success ELSEWHERE 'each view of it is the same where none of the binaries is, nor the kernel' '
	each_view plain.data embedded.data
'

test_expect_success ELSEWHERE 'without --embed it is not' '
	! same plain.data plain.data report --stdio -s sym
'

test_expect_success 'other files below --symfs, another kernel, no build-id cache' '
	mkdir -p empty &&
	perf report --stdio -i plain.data >here 2>here.err &&
	PERF_BUILDID_DIR=$PWD/empty perf report --stdio --symfs "$PWD/empty" -i embedded.data >there 2>there.err &&
	test_cmp here there && test_cmp here.err there.err
'

test_expect_success 'a binary that was made anew since does not matter, nor that it is gone' '
	perf report --stdio -i plain.data >here 2>/dev/null && cp stackmixcxx kept &&
	echo "int main(void) { return 0; }" | cc -g -x c -o stackmixcxx - &&
	PERF_BUILDID_DIR=$PWD/empty perf report --stdio -i embedded.data >there 2>/dev/null &&
	test_cmp here there && rm stackmixcxx &&
	PERF_BUILDID_DIR=$PWD/empty perf report --stdio -i embedded.data >there 2>/dev/null &&
	test_cmp here there && cp kept stackmixcxx
'

test_expect_success ELSEWHERE 'record --embed: the file is as inject makes it, and the command and its status as always' '
	test_status 3 perf record --embed -F 2000 -g -e cpu-clock -o own.data sh -c "./stackmixcxx 500 >/dev/null; exit 3" 2>err &&
	test_grep "^\[ perf record: Embedded the names of [1-9][0-9]* addresses in [1-9][0-9]* binaries \([0-9]* KB\) \]" err &&
	each_view own.data own.data
'

test_expect_success ELSEWHERE 'stacks that perf record unwound' '
	perf record -q --embed -F 2000 --call-graph dwarf -e cpu-clock -o dwarf.data ./stackmixcxx 500 >/dev/null &&
	each_view dwarf.data dwarf.data
'

test_expect_success 'a recording with copies of stacks' '
	perf record -q -F 2000 --call-graph dwarf,8192,raw -e cpu-clock -o raw.data ./stackmixcxx 500 >/dev/null
'
test_expect_success 'copies of stacks are unwound, and are call chains then' '
	perf inject --embed -i raw.data -o unwound.data 2>err &&
	test_grep "^[1-9][0-9]* stack dumps were unwound, and became call chains" err &&
	[ "$(stat -c %s unwound.data)" -lt $(($(stat -c %s raw.data) / 4)) ] &&
	perf report --stdio -g caller -s sym -i raw.data 2>/dev/null | grep -v "^#" >here &&
	perf report --stdio -g caller -s sym -i unwound.data 2>/dev/null | grep -v "^#" >there &&
	test_cmp here there
'
test_expect_success ELSEWHERE 'each view of these is the same elsewhere' '
	each_view unwound.data unwound.data
'

test_expect_success '--convert-callchain does that alone' '
	perf inject --convert-callchain -i raw.data -o chains.data 2>/dev/null &&
	perf report --stdio -g caller -s sym -i chains.data 2>/dev/null | grep -v "^#" >there &&
	perf report --stdio -g caller -s sym -i raw.data 2>/dev/null | grep -v "^#" >here &&
	test_cmp here there &&
	perf report --header-only -i chains.data >header && ! test_grep EMBEDDED header
'

# Neither names nor unwind tables tell of a function where such a caller is.
cat >nocfi.c <<\EOF
volatile long n;
__attribute__((noinline)) static void inner(void) { for (long i = 0; i < 60000000; i++) n++; }
__attribute__((noinline)) static void outer(void) { inner(); n++; }
int main(void) { outer(); n++; return 0; }
EOF
test_expect_success CC 'callers of which nothing is known are the same addresses, too' '
	gcc -O1 -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -o nocfi nocfi.c && objcopy -S -R .note.gnu.build-id nocfi bare &&
	perf record -q -F 2000 --call-graph dwarf,8192,raw -e cpu-clock:u -o bare.data ./bare && perf inject --convert-callchain -i bare.data -o bare-chains.data 2>/dev/null &&
	for f in bare bare-chains; do perf report --stdio --no-children -g caller -s sym -i $f.data 2>/dev/null | grep -v "^#" >$f.txt || return 1; done &&
	test_grep "bare\+0x[0-9a-f]+$" bare.txt && test_cmp bare.txt bare-chains.txt
'

test_expect_success UPSTREAM 'upstream perf reads such chains as it reads the copies' '
	for f in raw unwound; do
		"$UPSTREAM" script --no-inline -F comm,tid,time -i $f.data 2>/dev/null >$f.times || return 1
	done && test -s raw.times && test_cmp raw.times unwound.times &&
	"$UPSTREAM" script --no-inline -F ip,sym -i unwound.data 2>/dev/null >out && test_grep " main" out
'

test_expect_success ELSEWHERE 'code of JIT compilers, from their dump and from a map of names' '
	mkdir dump && perf record -q -g -k mono -e page-faults:u -c 1 -o jit.data ./jit dump >/dev/null &&
	perf inject -j --embed -i jit.data -o jitted.data &&
	perf report --stdio -s dso,sym -i jitted.data >out 2>/dev/null && test_grep jit_first out &&
	each_view jitted.data jitted.data &&
	perf record -q -g -e page-faults:u -c 1 -o map.data ./jit dump >out && pid=$(sed -n "s/^pid //p" out) &&
	perf script -F ip,dso -i map.data 2>/dev/null | awk "/perf-$pid.map/ { print substr(\$1, 1, length(\$1) - 3) \"000 1000 named_\" n++ }" |
		sort -u -k 1,1 >map && test -s map && cp map /tmp/perf-$pid.map &&
	perf inject --embed -i map.data -o mapped.data && status=0 &&
	{ same map.data mapped.data report --stdio -s dso,sym && test_grep named_0 there &&
	same map.data mapped.data script || status=$?; rm -f /tmp/perf-$pid.map; } && [ $status = 0 ]
'

test_expect_success 'it is put into a file twice as into it once' '
	perf inject --embed -i embedded.data -o twice.data && perf inject --embed -i plain.data -o once.data &&
	cmp once.data twice.data
'

test_expect_success 'rewritten, archived or of a directory it keeps them' '
	perf inject -b -i embedded.data -o kept.data &&
	PERF_BUILDID_DIR=$PWD/empty perf report --stdio -s sym --symfs "$PWD/empty" -i kept.data >there 2>/dev/null &&
	perf report --stdio -s sym -i plain.data >here 2>/dev/null && test_cmp here there
'

# quiet PERF: its views of the embedded recording are those of the plain one, and it says nothing of it
quiet () {
	local upstream=$1 args
	for args in "report --stdio --no-inline -s comm,dso,sym" "script --no-inline" "evlist -v" "report --header-only -I" "buildid-list"; do
		"$upstream" $args -i plain.data 2>plain.err | grep -v "(Tip:\|captured on" >plain.out
		"$upstream" $args -i embedded.data 2>embedded.err | grep -v "(Tip:\|captured on" >embedded.out
		test -s plain.out && test_cmp plain.out embedded.out && test_cmp plain.err embedded.err || return 1
	done
}
test_expect_success UPSTREAM 'upstream perf does not mind' 'quiet "$UPSTREAM"'
test_expect_success NEWEST 'the newest one does not either' 'quiet "$NEWEST"'

test_expect_success 'what has no place for it is said' '
	perf record -q -o - -e cpu-clock true >pipe.data &&
	test_status 1 perf inject --embed -i pipe.data -o out.data 2>err &&
	test_grep "^Error: --embed needs a file to put the names into, and a recording that was not written to a pipe" err &&
	test_status 1 perf inject --embed -i plain.data -o - 2>err >out && test_grep "^Hint: perf record -o FILE" err &&
	! test -s out &&
	test_status 1 perf record --embed -e cpu-clock -o - true 2>err >out && test_grep "^Error: --embed goes with one file" err &&
	test_status 1 perf record --embed -e cpu-clock --switch-output=1s -o s.data true 2>err &&
	test_grep "^Hint: perf inject --embed -i FILE -o OTHER does it later" err
'

full_disk () {
	test_status 1 perf inject --embed -i plain.data -o small/out.data 2>err &&
	perf script -i small/out.data >there 2>/dev/null && perf report --header-only -i small/out.data >header
	local status=$?
	umount small
	return $status
}
test_expect_success ROOT 'a full disk: the recording is there as it was without' '
	mkdir small && mount -t tmpfs -o size=$(($(stat -c %s plain.data) / 4096 * 4 + 12))k none small && full_disk &&
	test_grep "^Error: failed to write to small/out.data: No space left" err &&
	test_grep "^# hostname" header && perf script -i plain.data >here 2>/dev/null && test_cmp here there
'

# damage.py N: embedded.data, damaged in the N-th way
cat >damage.py <<-"END"
	import random, struct, sys
	data = bytearray(open("embedded.data", "rb").read())
	off, size = struct.unpack_from("<QQ", data, 40)
	features = int.from_bytes(data[72:104], "little")
	at = off + size + 16 * bin(features & ((1 << 192) - 1)).count("1")
	place, bytes = struct.unpack_from("<QQ", data, at)
	random.seed(int(sys.argv[1]))
	how = int(sys.argv[1]) % 4
	if how == 0:		# a word that lies
	    struct.pack_into("<I", data, place + random.randrange(bytes // 4) * 4, random.choice([0xffffffff, 0x7fffffff, 0x10000000, 1 << 16]))
	elif how == 1:		# in the head
	    struct.pack_into("<I", data, place + random.choice([0, 4, 8, 12]), random.choice([0xffffffff, 0, 2, 1 << 30]))
	elif how == 2:		# cut
	    struct.pack_into("<Q", data, at + 8, random.randrange(bytes))
	else:			# any bytes
	    for i in range(50):
	        data[place + random.randrange(bytes)] = random.randrange(256)
	open("damaged.data", "wb").write(data)
END
damaged () {
	local status
	python3 damage.py $1 && perf report --stdio -i damaged.data >out 2>err
	status=$?
	[ $status -le 1 ] && test_grep "^# Samples: " out && { [ $status = 0 ] || test_grep "the EMBEDDED section" err; }
}
each_damaged () {
	local i
	for i in $(seq 1 60); do
		damaged $i || return 1
		cat err >>errs
	done
}
test_expect_success PYTHON 'a damaged section costs a warning and its names, never the recording or perf' '
	each_damaged && [ $(grep -c "EMBEDDED section) are damaged: they are not used" errs) -gt 10 ]
'

test_expect_success PYTHON 'names with control characters do nothing to a terminal' '
	python3 -c "
data = open(\"embedded.data\", \"rb\").read()
at = data.rindex(b\"main\\0\")
open(\"hostile.data\", \"wb\").write(data[:at] + b\"\\x1b]0;\" + data[at + 4:])" &&
	perf report --stdio -s sym -g none -i hostile.data >out 2>err && perf script -i hostile.data >>out 2>err &&
	perf report --json -i hostile.data >>out 2>err &&
	! grep -q "$(printf "\033")" out
'

test_done
