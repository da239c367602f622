# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of perf trace in a VM share. The guest has left PART.trace and PART.want of each of $parts (the program syspredict),
# and of each of $mixes (sysmix) what BPF and what rings saw, in out/.

# Static programs for the guest, into vm_files.
build_guest_programs ()
{
	local w
	for w in "$@"; do
		cc -O1 -static -pthread -D_GNU_SOURCE -o "$w" "$TOP/tests/workloads/$w.c" 2>/dev/null ||
			test_skip_all 'needs a static C library (libc6-dev)'
	done
	vm_files=$*
}

# What the guest does in each of these tests; its own lines follow.
guest_begins ()
{
	printf 'parts="%s" mixes="%s"\n' "$parts" "$mixes"
	cat <<-\GUEST
	O=/out
	try () { f=$1; shift; "$@" >$O/$f.out 2>$O/$f.err; echo $? >$O/$f.status; }
	mkdir d; ifconfig lo 127.0.0.1 up
	for p in $parts; do
		rm -rf d; mkdir d
		perf trace -o $O/$p.trace /syspredict $p d >$O/$p.want 2>$O/$p.err
	done
	for p in $mixes; do
		perf trace --style=strace -o $O/$p.bpf /sysmix $p >/dev/null 2>&1
		perf trace --no-bpf --style=strace -o $O/$p.rings /sysmix $p >/dev/null 2>&1
	done
	try ls perf trace -v -e openat ls /
	GUEST
}

# Names in each thread's order, one thread a line, without what differs from run to run.
sequences () {
	awk '{
		tid = $1; sub(/^[0-9]+ +/, "")
		if ($0 ~ /^<\.\.\. / || $0 ~ /^(---|\+\+\+)/ || $0 ~ /^LOST/) next
		sub(/\(.*/, "")
		if ($0 ~ /^(futex|pread64|clock_nanosleep|munmap|madvise|mprotect)$/) next
		s[tid] = s[tid] " " $0
	} END { for (t in s) print s[t] }' "$1" | sort
}

# expect_predicted FILTER: each line that a program told of itself is in its trace, both as FILTER FILE shows them.
expect_predicted () {
	local part
	for part in $parts; do
		test_expect_success "predicted: $part" "
			$1 out/$part.trace >got; $1 out/$part.want >want; test -s want || return 1
			while IFS= read -r line; do
				grep -aqxF -e \"\$line\" got || { echo \"no line: \$line\"; grep -aF -e \"\${line%%(*}(\" got; return 1; }
			done <want
		"
	done
}

expect_same_mixes () {
	local part
	for part in $mixes; do
		test_expect_success "the same calls with and without BPF: $part" "
			sequences out/$part.bpf >expect; sequences out/$part.rings >actual; test -s expect && test_cmp expect actual
		"
	done
}
