#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe -D: the definitions of the newest stock perf, or better ones for a reason that can be checked'
. "$(dirname "$0")/lib.sh"

test_require NEWEST,CC,X86_64,OBJDUMP,ELFUTILS
cp "$TOP/tests/workloads/probed.c" .
specs () {
	local f l
	for f in leaf one twice main; do
		echo "$f"; echo "$f%return"; echo "$f \$params"
		for l in 1 2 3 4 5 6 7 8; do echo "$f:$l"; done
	done
	printf '%s\n' 'leaf n' 'leaf n s:string' 'leaf np->in.more' 'leaf np->grid[1][2]' 'leaf np->pin->name:string' 'leaf:2 n' 'leaf global_count' \
		'leaf+4' 'leaf%return $retval' 'leaf%return ret=$retval:s64' 'x=leaf n' 'g:x=leaf n'
}

# A reason for each difference, or "worse": same, refused (by both), alone (only we can), more (places or arguments that the
# stock leaves out), order.
judge () {
	awk -v ours="$1" -v stock="$2" 'function slurp(f, a, n, l) { while ((getline l <f) > 0) { a[l]++; n++ } return n + 0 }
	function head(l) { split(l, w, " "); return w[1] " " w[2] }
	BEGIN {
		n = slurp(ours, o); m = slurp(stock, s)
		for (l in o) h[head(l)] = l
		for (l in s) {
			if (l in o) continue
			if (!(head(l) in h)) { worse = 1; continue }
			k = split(l, w, " ")
			for (i = 3; i <= k; i++) if (index(" " h[head(l)] " ", " " w[i] " ") == 0) worse = 1
			more = 1
		}
		for (l in o) if (!(l in s)) more = 1
		if (!n && !m) print "refused"; else if (!m) print "alone"; else if (worse || !n) print "worse"
		else if (more) print "more"; else print "same"
	}'
}

# "worse" that is not: the stock puts the probe where the function that was asked for is not (a line behind its end), writes
# @SYMBOL for a program, or reads memory at a value that DWARF computes (DW_OP_stack_value).
excuse () {
	local func=${2%%[:+% ]*} off elsewhere=1
	grep -qE "=@[a-z_]+\+0:" s && { echo kernel-refuses; return; }
	case $2 in
	*:[0-9]*)
		for off in $(sed -n 's/.*:\(0x[0-9a-f]*\).*/\1/p' s); do
			! addr2line -fi -e "$1" "$off" | grep -qx "$func" || elsewhere=
		done
		[ -z "$elsewhere" ] || { echo elsewhere; return; } ;;
	esac
	grep -qE "=\+[0-9]+\(%[a-z]+\):" s && { eu-readelf --debug-dump=info "$1"; eu-readelf --debug-dump=loc "$1"; } 2>/dev/null | grep stack_value >/dev/null &&
		{ echo computed; return; }
	# DW_AT_bit_offset counts from the high end, the kernel from the low one: the stock does not turn it round
	sed "s/:b\([0-9]*\)@[0-9]*/:b\1@/" s >s1 && sed "s/:b\([0-9]*\)@[0-9]*/:b\1@/" o | cmp -s - s1 && grep -q ":b[0-9]*@" s &&
		eu-readelf --debug-dump=info "$1" 2>/dev/null | grep bit_offset >/dev/null && { echo bits; return; }
	echo worse
}

compare () {
	specs | while read -r spec; do
		perf probe -q -x "./$1" -D "$spec" >ours 2>ours.err
		"$NEWEST" probe -q -x "./$1" -D "$spec" >stock 2>/dev/null
		sort -u stock >s && sort -u ours >o
		verdict=$(judge o s)
		[ "$verdict" != worse ] || verdict=$(excuse "$1" "$spec")
		printf '%s %s\n' "$verdict" "$spec"
		test "$verdict" != worse || { echo "ours:"; cat ours ours.err; echo "stock:"; cat stock; } >&2
	done >"$1.verdicts"
	cut -d ' ' -f 1 "$1.verdicts" | sort | uniq -c
}

for build in gcc:-O0 gcc:-O2 gcc:-O3 clang:-O0; do
	p=probed${build#*:}-${build%:*}
	test_expect_success "${build/:/ }: each definition is the stock's, or has a reason" '
		command -v ${build%:*} >/dev/null || { test_skip "needs ${build%:*}"; return; }
		${build%:*} -g ${build#*:} -w -o $p probed.c && compare $p && grep -c "^same" $p.verdicts && ! grep "^worse" $p.verdicts
	'
done

test_expect_success UPROBES 'what is called refused by the kernel is' '
	perf probe -q -x ./probed-O2-gcc -D "kr$$:leaf=leaf" >line && { tr -d "\n" <line; echo " x=@global_count+0:s32"; } >bad &&
	! cat bad >>/sys/kernel/tracing/uprobe_events
'
test_done
