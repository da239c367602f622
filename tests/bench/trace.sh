#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What tracing costs: W = dd of 500k single bytes, about a million calls. Each row the best of RUNS (three): wall, times native; the
# CPU of the traced program (what the kernel does for the tracer is in it), times native; the tracer's own CPU for a million calls.
# UPSTREAM and NEWER are other perf binaries. SLOW=1 runs them and strace -f, too, on a W of SLOWCOUNT (50k), for they take minutes.
top=$(cd "$(dirname "$0")/../.." && pwd)
perf=${PERF:-$top/build/perf} upstream=${UPSTREAM:-/usr/bin/perf} newer=${NEWER-} count=${COUNT:-500k} slowcount=${SLOWCOUNT:-50k}
. "$top/tests/bench/table.sh"
tmp=$(mktemp -d "${TMPDIR:-/tmp}/bench-trace.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT

set_count () {	# of the workload
	count=$1 bytes=${1%k} native=
	[ "$bytes" = "$1" ] || bytes=${bytes}000
	W="dd if=/dev/zero of=/dev/null bs=1 count=$count status=none"
	# the program says what it used itself: the rest is the tracer's
	printf '#!/bin/sh\n%s\ntimes >%s\n' "$W" "$tmp/used" >"$tmp/w"
	chmod +x "$tmp/w"
}

seconds () {	# of "0m1.234s 0m0.567s" in a line, the sum
	awk '{ for (i = 1; i <= NF; i++) { split($i, t, /[ms]/); s += t[1] * 60 + t[2] } } END { print s }'
}

row () {	# title command...: CPU is known where the command runs $tmp/w
	local title=$1 i t
	shift
	: >"$tmp/runs"
	for i in $(seq "${RUNS:-3}"); do
		rm -f "$tmp/used"
		t=$({ TIMEFORMAT='%R %U %S'; time "$@" >/dev/null 2>&1; } 2>&1)
		echo "$t $([ -e "$tmp/used" ] && seconds <"$tmp/used" || echo -1)" >>"$tmp/runs"
	done
	awk -v title="$title" -v native="$native" -v calls=$((2 * bytes)) -v last="$tmp/last" '
		{ own = $2 + $3 - $4 }
		own < 0 { own = $2 + $3 }	# upstream perf does not wait for its child
		NR == 1 || $1 < wall { wall = $1 }
		NR == 1 || $4 < prog { prog = $4 }
		NR == 1 || own < tracer { tracer = own }
		END {
			split(native, n, " ")
			if (native == "") { n[1] = wall; n[2] = prog }
			printf("%-28s %8.2f s %7.1f x", title, wall, (n[1] > 0 ? wall / n[1] : 0))
			if (prog >= 0) {
				printf("   program %7.3f s %6.1f x", prog, (n[2] > 0 ? prog / n[2] : 0))
				if (native != "")
					printf("   tracer %5.2f s a million", tracer * 1e6 / calls)
			}
			print ""
			print wall, prog >last
		}' "$tmp/runs"
	case $title in 'perf trace -o') to_table "$title" 3.5 ;; 'perf trace -s') to_table "$title" 3 ;; 'perf trace -e accept') to_table "$title" 1.6 ;; esac
	[ -n "$native" ] || native=$(cat "$tmp/last")
}

to_table () {	# TITLE TARGET: wall, times native
	bench_row "$1, times native" "$(awk -v n="${native% *}" '{ printf "%.2f", (n > 0 ? $1 / n : 0) }' "$tmp/last")" "" "<=$2"
}

lines () {
	echo "  lines: $(wc -l <"$1"), of them LOST: $(grep -c ^LOST "$1")"
}

set_count "$count"
row native "$tmp/w"
row 'perf trace -o' "$perf" trace -o "$tmp/out" "$tmp/w"
lines "$tmp/out"
row 'perf trace -s' "$perf" trace -s -o "$tmp/sum" "$tmp/w"
row 'perf trace -e accept' "$perf" trace -e accept -o "$tmp/acc" "$tmp/w"
if command -v strace >/dev/null; then
	row 'strace --seccomp-bpf accept' strace -f --seccomp-bpf -e trace=accept -o "$tmp/acc" "$tmp/w"
fi
native=
four="$W & $W & $W & $W & wait"
row 'four at once, native' sh -c "$four"
row 'four at once, perf trace -o' "$perf" trace -o "$tmp/out" sh -c "$four"
lines "$tmp/out"
native=		# times ours
for p in "$perf" "$upstream" "$newer"; do
	[ -x "$p" ] || continue
	row "${p##*/} trace true" "$p" trace -o "$tmp/true" true
	read -r wall _ <"$tmp/last"
	[ "$p" = "$perf" ] && ours=$wall best= || best=$(awk -v b="$best" -v w="$wall" 'BEGIN { print b == "" || w < b + 0 ? w : b }')
done
bench_row "trace true: wall" "$ours s" "${best:+$best s}" 3x
[ -n "$SLOW" ] || exit 0
set_count "$slowcount"
row "native, $slowcount" "$tmp/w"
row 'perf trace -o' "$perf" trace -o "$tmp/out" "$tmp/w"
for p in "$upstream" "$newer"; do
	[ ! -x "$p" ] || row "${p##*/} trace -o" "$p" trace -o "$tmp/out" "$tmp/w"
done
if command -v strace >/dev/null; then
	row 'strace -f -o' strace -f -o "$tmp/out" "$tmp/w"
	row 'strace -f -e trace=accept' strace -f -e trace=accept -o "$tmp/out" "$tmp/w"
fi
