#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf trace: arguments in memory that is read from a disk first'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq SYSBPF 'needs a kernel that lets BPF watch system calls' \
	'test_have BPF && ! perf trace -v -e close -o probe true 2>&1 | grep -qi "cannot load the BPF programs"'

test_workload syscold
./syscold exec true
[ $? != 77 ] || test_skip_all "pages of files in $TRASH cannot be evicted"
printf '\1\2\3' >junk
printf '#!/bin/true\n' >script
chmod +x junk script

# ENGINE ARGS... : the lines of the first thread from its calls with cold arguments on, without times, descriptors' names, addresses
cold () {
	local engine=$1
	shift
	printf '[trace]\n\tcapture = %s\n' "$engine" >engine
	PERF_CONFIG=engine perf trace -o out \
		-e openat,rename,clock_nanosleep,connect,write,writev,sendmsg,select,execve,execveat,getppid ./syscold "$@" || return
	sed -E 's/.*\): [^ ]+\/([0-9]+) +/\1 /' out |
		awk '!tid { tid = $1 } $1 != tid { next } { sub(/^[0-9]+ /, "") } on { print } /cold-memory/ { on = 1 }' |
		sed -E 's/<[^<>]*>//g; s/0x[0-9a-f]{4,}/ADDR/g; s/fd: [0-9]+/fd: N/g; s/\) +(=|\.\.\.)/) \1/'
}

cat >calls <<\X
openat(dfd: CWD, filename: "/cold/name", flags: RDONLY) = -1 ENOENT (No such file or directory)
rename(oldname: "/cold/from", newname: "/cold/to") = -1 ENOENT (No such file or directory)
clock_nanosleep(which_clock: MONOTONIC, flags: 0, rqtp: { .tv_sec: 0, .tv_nsec: 1000 }, rmtp: NULL) = 0
connect(fd: N, uservaddr: { .family: LOCAL, path: /cold/socket }, addrlen: 110) = -1 ENOENT (No such file or directory)
write(fd: N, buf: "buffer\n", count: 7) = 7
writev(fd: N, vec: [{ .base: "one ", .len: 4 }, { .base: "two\n", .len: 4 }], vlen: 2) = 8
sendmsg(fd: N, msg: { .iov: [{ .base: "one ", .len: 4 }, { .base: "two\n", .len: 4 }] }, flags: 0) = 8
select(n: 0, inp: NULL, outp: NULL, exp: NULL, tvp: ADDR) = 0 (Timeout)
openat(dfd: CWD, filename: 0x8, flags: RDONLY) = -1 EFAULT (Bad address)
X

for engine in btf rawtp; do
	argv='["cold", "argument"]'
	[ $engine = btf ] || argv=ADDR		# of a new program's arguments only the types tell where they are
	test_expect_success SYSBPF "$engine: strings, buffers and structs; not what the call has changed by then" '
		cold $engine calls >actual && test_cmp calls actual
	'
	test_expect_success SYSBPF "$engine: while another thread makes calls" '
		cold $engine threads >actual &&		# those that sleep for other reasons have two lines
		test_cmp <(grep -vE "^(clock_nanosleep|select)" calls) <(grep -E "^(openat|rename|connect|write|sendmsg)" actual)
	'
	test_expect_success SYSBPF "$engine: a program that runs, one that cannot, a script" '
		cold $engine exec-ok /bin/true >actual &&
		echo "execve(filename: \"/bin/true\", argv: $argv, envp: NULL) = 0" >expect &&
		test_cmp expect <(head -n 1 actual) &&
		cold $engine exec-fails ./junk >actual &&
		echo "execve(filename: \"./junk\", argv: [\"cold\", \"argument\"], envp: NULL) = -1 ENOEXEC (Exec format error)" >expect &&
		test_cmp expect actual &&
		cold $engine exec-script ./script >actual &&
		echo "execve(filename: \"./script\", argv: ADDR, envp: NULL) = 0" >expect &&
		test_cmp expect <(head -n 1 actual)
	'
done

test_expect_success SYSBPF 'a program by a directory' '
	cold btf exec-at /bin true >actual &&
	echo "execveat(fd: N, filename: \"true\", argv: [\"cold\", \"argument\"], envp: NULL, flags: 0) = 0" >expect &&
	test_cmp expect <(sed 1d actual | head -n 1)
'

test_expect_success SYSBPF 'a call that sleeps for long has its arguments before its end' '
	rm -f out && { perf trace -e clock_nanosleep -e getppid -o out ./syscold wait & } && tracer=$! && test_kill_at_end $tracer &&
	test_wait_for 20 "grep -q \"rqtp: { .tv_sec: 1000, .tv_nsec: 0 }, rmtp: NULL) *\\.\\.\\.\" out 2>/dev/null"
	status=$?
	kill -INT $tracer; wait $tracer
	grep -c "clock_nanosleep" out && test $status = 0
'

test_done
