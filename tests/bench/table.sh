# SPDX-License-Identifier: GPL-2.0-or-later
# The table at the end of make bench, for scripts that source this. Without BENCH_TABLE, a file, nothing is kept.

# bench_row TITLE OURS UPSTREAM TARGET: a number with its unit each; UPSTREAM may be empty. TARGET: "20x": upstream's is so many times ours or
# more; "<=300", ">=1.6": ours is; empty: none.
bench_row () {
	[ -z "${BENCH_TABLE:-}" ] || printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" >>"$BENCH_TABLE"
}

bench_table () {
	awk -F'\t' '
		function met(ours, upstream, target) {
			if (target ~ /^<=/)
				return ours <= substr(target, 3) + 0
			if (target ~ /^>=/)
				return ours >= substr(target, 3) + 0
			return upstream >= (target + 0) * ours
		}
		function dash(v) { return v == "" ? "-" : v }
		BEGIN { printf "%-52s %12s %12s %9s %8s\n", "bench", "ours", "upstream", "ratio", "target" }
		{
			known = $2 != "" && ($4 ~ /^[<>]=/ || $3 != "")
			ratio = "-"
			if ($2 + 0 > 0 && $3 != "")
				ratio = sprintf("%.1fx", $3 / $2)
			said = ""
			if ($4 != "")
				said = !known ? "not measured" : (met($2 + 0, $3 + 0, $4) ? "met" : "missed")
			printf("%-52s %12s %12s %9s %8s  %s\n", $1, dash($2), dash($3), ratio, dash($4), said)
		}' "$1"
}
