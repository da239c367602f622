# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the scripts that compare definitions of probes with the newest upstream perf's.
# A reason for each difference, or "worse": same, refused (by both), alone (only we can), more (places or arguments that the
# upstream leaves out), order.
judge () {
	awk -v ours="$1" -v upstream="$2" 'function slurp(f, a, n, l) { while ((getline l <f) > 0) { a[l]++; n++ } return n + 0 }
	function head(l) { split(l, w, " "); return w[1] " " w[2] }
	BEGIN {
		n = slurp(ours, o); m = slurp(upstream, s)
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

# "worse" that is not: upstream perf puts the probe where the function that was asked for is not (a line past its end, or of a lambda
# in it), reads stack slots before they are written, writes @SYMBOL for a program, or reads memory at a value that DWARF computes
# (DW_OP_stack_value).
# "area" of "app::box::area:2 unit"
bare_name () { printf '%s\n' "$1" | sed 's/ .*//;s/.*:://;s/[:+%].*//'; }
offsets () { sed -n 's/.*:\(0x[0-9a-f]*\).*/\1/p' "$1" | sort; }
in_plt () {
	local name addr size rest
	while read -r name _ addr _ size rest; do
		case $name in .plt*) [ $(($2)) -lt $((0x$addr)) ] || [ $(($2)) -ge $((0x$addr + 0x$size)) ] || return 0 ;; esac
	done < <(readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\] *//')
	return 1
}
# Of a kernel, whose debug information is too large to be dumped: by what we say about the variable.
excuse_kernel () {
	# "*pos" goes to the kernel as it is
	if grep -qE " \*[a-z]" s; then echo kernel-refuses
	elif [ ! -s o ] && grep -q "value is computed" ours.err && grep -qE "=[+-][0-9]+\(%" s; then echo computed
	elif [ ! -s o ] && grep -q "variable of each CPU" ours.err && grep -q "=@" s; then echo per-cpu
	else echo worse
	fi
}
excuse () {
	local func off elsewhere=1
	func=$(bare_name "$2")
	# asked by its linkage name, the event is called after what the name means
	case $2 in
	_Z*) ! sed "s,/[A-Za-z0-9_]* , ," s | cmp -s - <(sed "s,/[A-Za-z0-9_]* , ," o) || { echo demangled; return; } ;;
	esac
	# the mark of a variable that is gone in this copy: upstream perf writes it without 0x, which the kernel refuses
	! sed "s,\\\\deade12d,\\\\0xdeade12d," s | sort | cmp -s - o || { echo kernel-refuses; return; }
	# at a function's very first instruction nothing has been stored below the stack pointer, nor is there a frame
	if comm -13 o s | grep -E "[=(]-[0-9]+\(%[sb]p\)" >below && ! comm -13 o s | grep -vxFf below >/dev/null; then
		for off in $(offsets below); do
			nm "$1" | grep -qiE "^0*${off#0x} [tw] " || { elsewhere=; break; }
		done
		[ -z "$elsewhere" ] || { echo unset; return; }
		elsewhere=1
	fi
	[ -n "${probe_kernel:-}" ] && { excuse_kernel; return; }
	grep -qE "=@[a-z_]+\+0:" s && { echo kernel-refuses; return; }
	# one more place, in the table through which other libraries are called (PLT): each call would count twice
	if [ -s o ] && ! comm -13 o s | grep -v '^r:' >/dev/null; then
		for off in $(offsets s | comm -23 - <(offsets o)); do in_plt "$1" "$off" || elsewhere=; done
		[ -z "$elsewhere" ] || { echo plt; return; }
		elsewhere=1
	fi
	case $2 in
	*:[0-9]*)
		for off in $(offsets s | comm -23 - <(offsets o)); do
			! addr2line -Cfi -e "$1" "$off" | sed "/lambda\|::\$_/d;s,(.*,,;s,.*::,,;s,<.*,," | grep -qx "$func" || elsewhere=
		done
		[ -z "$elsewhere" ] || { echo elsewhere; return; } ;;
	esac
	grep -qE "=\+[0-9]+\(%[a-z]+\):" s && { eu-readelf --debug-dump=info "$1"; eu-readelf --debug-dump=loc "$1"; } 2>/dev/null | grep stack_value >/dev/null &&
		{ echo computed; return; }
	# DW_AT_bit_offset counts from the high end, the kernel from the low one: upstream perf does not turn it round
	sed "s/:b\([0-9]*\)@[0-9]*/:b\1@/" s >s1 && sed "s/:b\([0-9]*\)@[0-9]*/:b\1@/" o | cmp -s - s1 && grep -q ":b[0-9]*@" s &&
		eu-readelf --debug-dump=info "$1" 2>/dev/null | grep bit_offset >/dev/null && { echo bits; return; }
	echo worse
}

# PROGRAM: each line that specs prints, asked of both; the verdicts go to PROGRAM.verdicts. An image of a kernel when probe_kernel is set.
compare () {
	local target="-x ./$1"
	[ -z "${probe_kernel:-}" ] || target="-k ./$1"
	specs | while read -r spec; do
		perf probe -q $target -D "$spec" >ours 2>ours.err
		"$NEWEST" probe -q $target -D "$spec" >upstream 2>/dev/null
		sort -u upstream >s && sort -u ours >o
		verdict=$(judge o s)
		[ "$verdict" != worse ] || verdict=$(excuse "$1" "$spec")
		printf '%s %s\n' "$verdict" "$spec"
		test "$verdict" != worse || { echo "ours:"; cat ours ours.err; echo "upstream:"; cat upstream; } >&2
	done >"$1.verdicts"
	cut -d ' ' -f 1 "$1.verdicts" | sort | uniq -c
}
