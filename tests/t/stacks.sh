# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by tests of stacks: records programs and compares their stacks, as ours unwinds them, with those of other unwinders.
src=$TOP/tests/workloads

# Compares two lists of stacks and sorts the pairs into classes:
#	equal	the same frames
#	short	the oracle's stack is the inner part of ours, which goes on and reaches the thread's start
#	invents	both agree up to a frame; the oracle's next one lies in no code: not in a file, and the program has no executable
#		memory beside its files (checked below). Ours ends there, or goes on and reaches the start. libdw does so after the
#		last frame of a context and where a signal's handler ran on a stack of its own: it reads on in what was not copied.
#		Or ours ends in a function of Go's runtime that goes to another stack, of which its tables say nothing
#	differ	anything else
# Starts: what the kernel or the C library begins a thread or context with, or what nobody calls.
cat >compare.awk <<'EOT'
function is_start(f) { return f ~ / (_start|_dl_start_user|(__)?clone3?|_rt0_amd64_linux|runtime\.[^ ]*) / }
function starts(f, n) { return is_start(f[n]) || (n > 1 && f[n - 1] ~ / in_context /) }
function no_code(f) { return f ~ /\((\[unknown\]|\/\/anon|\[heap\]|\[stack\]|\[anon:[^)]*)\)$/ }
function leaves_stack(f) { return f ~ / runtime\.(systemstack|mcall|asmcgocall|morestack|nanotime1|walltime)[. ]/ }
function sort_pair(a, b,    f, g, n, m, i) {
	n = split(a, f, "\n")
	m = split(b, g, "\n")
	for (i = 1; i <= n && i <= m && f[i] == g[i]; i++)
		;
	if (i > m)
		return starts(f, n) ? "short" : "differ"
	if (i > n && leaves_stack(f[n]))
		return "invents"
	if (no_code(g[i]) && (i > n || starts(f, n)))
		return "invents"
	return "differ"
}
BEGIN { RS = ""; FS = "\n" }
FNR == NR { ours[FNR] = $0; n = FNR; next }
ours[FNR] == $0 { class["equal"]++; next }
{
	c = sort_pair(ours[FNR], $0)
	if (c == "differ" && !class[c]) first = "ours:\n" ours[FNR] "\noracle:\n" $0
	class[c]++
}
END {
	print n + 0, class["equal"] + 0, class["short"] + 0, class["invents"] + 0, class["differ"] + 0
	if (first) print first >"/dev/stderr"
}
EOT
# all stacks, those that reach a start
cat >starts.awk <<'EOT'
BEGIN { RS = ""; FS = "\n" }
{ n++; if ($NF ~ / (_start|_dl_start_user|(__)?clone3?|_rt0_amd64_linux|runtime\.[^ ]*) / || $(NF - 1) ~ / in_context /) whole++ }
END { print n + 0, whole + 0 }
EOT

# measure NAME ORACLES command...: records, adds a line for each oracle to "sums" and one to "ends".
measure () {
	local name=$1 oracles=$2 o
	shift 2
	perf record -q --call-graph dwarf,65528,raw -e cpu-clock:u -c 250000 -o m.data "$@" >/dev/null || return 1
	perf script --show-mmap-events -i m.data -F comm >maps 2>said || { cat said; return 1; }
	! grep -E ': [r-][w-]x[ps] (//anon|\[heap|\[stack|\[anon)' maps || return 1
	perf script -v --no-inline --unwind cfi -i m.data -F ip,sym,dso >cfi 2>stat || { cat stat; return 1; }
	[ -s cfi ] || { echo "$name: no stacks"; return 1; }
	for o in $oracles; do
		perf script --no-inline --unwind $o -i m.data -F ip,sym,dso >$o 2>said || { cat said; return 1; }
		echo "$name $o $(awk -f compare.awk cfi $o)" | tee -a sums || return 1
		[ -z "${KEEP_TRASH:-}" ] || cp $o $name.$o
	done
	echo "$name $(awk -f starts.awk cfi) $(sed -n 's/^unwound stacks: \([0-9]*\) of [0-9]*: complete$/\1/p' stat)" | tee -a ends
	grep '^unwound stacks' stat | sed "s/^/$name /" | tee -a reasons
	[ -z "${KEEP_TRASH:-}" ] || cp cfi $name.cfi
	rm -f m.data
	by_kernel "$name" "$@"
}

# by_kernel NAME command...: the same unwound at each sample both in the kernel and by the recorder; adds a line to "kernel".
test_lazy_prereq IN_KERNEL 'needs root, and a kernel whose BPF programs can unwind' 'perf record -q --call-graph dwarf --unwind bpf -o k.data true'
by_kernel () {
	local name=$1
	shift
	test_have IN_KERNEL || return 0
	perf record -v --call-graph dwarf --unwind check -e cpu-clock:u -c 250000 -o m.data "$@" >/dev/null 2>kernel.err &&
	sed -n "s/^stacks unwound both ways: /$name /p" kernel.err | tee -a kernel || return 1
	sed -n "s/^unwind: /$name: /p" kernel.err
	rm -f m.data
}

# matrix NAME ORACLES CC FLAGS: the C program with its loaded object.
matrix () {
	local name=$1 oracles=$2 cc=$3
	shift 3
	$cc -g -pthread -D_GNU_SOURCE -w "$@" -shared -fPIC -DPLUGIN -o $name.so "$src/stackmix.c" &&
	$cc -g -pthread -D_GNU_SOURCE -w "$@" -o $name "$src/stackmix.c" -ldl &&
	measure $name "$oracles" ./$name 50 ./$name.so
}

# stacks_verdict MIN WHOLE: the tests over all that was measured; MIN stacks at least, of which WHOLE (0..1) reach a start.
stacks_verdict () {
	stacks_min=$1 stacks_whole=$2
	[ -e sums ] || : >sums
	awk '{ n = $3 - $5 - $6; printf "%-12s %-9s %5d stacks, %6.2f%% of %d equal, %d go on, %d end where the other invents\n", $1, $2, $3,
		n ? 100 * $4 / n : 0, n, $5, $6 }' sums >cells
	test_comment cells
	test_expect_success 'at least 99.5% of all stacks equal those of each oracle where that does not stop short or invent frames' '
		awk "{ n[\$2] += \$3; equal[\$2] += \$4; short[\$2] += \$5; invents[\$2] += \$6; differ[\$2] += \$7 }
			END { printf \"%-10s %7s %7s %7s %7s %7s\n\", \"oracle\", \"stacks\", \"equal\", \"short\", \"invents\", \"differ\"
			for (o in n) {
				printf \"%-10s %7d %7d %7d %7d %7d\n\", o, n[o], equal[o], short[o], invents[o], differ[o]
				if (n[o] < $stacks_min || differ[o] > 0.005 * (n[o] - short[o] - invents[o]) || equal[o] < 0.9 * n[o]) bad = 1
			} exit bad }" sums
	'

	test_expect_success 'every stack reaches the start of its thread, or the statistics say why not' '
		awk "{ n += \$2; whole += \$3; complete += \$4; if (\$3 < \$4 - 0.01 * \$2 - 1) { print \"complete, but not from the start:\", \$0; bad = 1 } }
			END { print n, whole, complete; exit bad || !n || whole < $stacks_whole * n }" ends &&
		sed "s/.* of [0-9]*: //" reasons | sort | uniq -c &&
		awk "{ n += \$4 } / (code without|damaged|binary cannot|stack copy)/ { bad += \$4 } END { print bad + 0, n; exit bad > 0.01 * n }" reasons
	'

	# A stack of a signal's own hides the interrupted one from a copy, not from the kernel.
	test_expect_success IN_KERNEL 'what a program in the kernel unwinds equals what the recorder does, or goes on where the copy ends' '
		awk "{ equal += \$2; longer += \$4; other += \$(NF - 1) }
			END { print equal + 0, longer + 0, other + 0; exit equal < $stacks_min || other }" kernel
	'
}
