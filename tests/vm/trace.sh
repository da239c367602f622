# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of perf trace in a VM share. The guest has left PART.trace and PART.want of each of $parts (the program syspredict),
# and of each of $mixes (sysmix) what BPF and what rings saw, in out/.

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
