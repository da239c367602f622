#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the linker sees: files of a room that need each other in a circle, and functions that no other file asks for. Where that
# must be, links.allow says why.
. tests/lint/sources.inc

allow=tests/lint/links.allow
objs=$(make -s objs) || { echo "not ok - links: make objs"; exit 1; }
nm -A $objs 2>/dev/null | awk '
	{
		split($1, a, ":")
		file = a[1]
		sub(/^[^\/]*\//, "", file)
		sub(/\.o$/, ".c", file)
	}
	$(NF - 1) == "U" { print "uses", file, $NF }
	$(NF - 1) ~ /^[TDBRCVW]$/ { print "has", file, $NF }' >"${TMPDIR:-/tmp}/t-links.$$"
trap 'rm -f "${TMPDIR:-/tmp}/t-links.$$"' EXIT

# Each circle as one line of names
circles=$(awk '
	function room(f,  p, n) { n = split(f, p, "/"); return n < 2 ? "." : p[1] == "util" ? p[2] : p[1] }
	function reach(from, at,  i, n, to) {
		n = split(next_of[at], to, " ")
		for (i = 1; i <= n; i++)
			if (!((from, to[i]) in way)) { way[from, to[i]] = 1; reach(from, to[i]) }
	}
	$1 == "has" { home[$3] = $2; files[$2] = 1; next }
	{ uses[$2, $3] = 1 }
	END {
		for (u in uses) {
			split(u, p, SUBSEP)
			h = home[p[2]]
			if (h && h != p[1] && room(h) == room(p[1]) && !((p[1], h) in edge)) {
				edge[p[1], h] = 1
				next_of[p[1]] = next_of[p[1]] " " h
			}
		}
		for (f in files) reach(f, f)
		for (f in files)
			if (((f, f) in way))
				for (g in files) if (((f, g) in way) && ((g, f) in way)) print f, g
	}' "${TMPDIR:-/tmp}/t-links.$$" | LC_ALL=C sort | awk '
	$1 != at { if (at) print line; at = $1; line = "" }
	{ line = line (line ? " " : "") $2 }
	END { if (at) print line }' | sort -u)

# check STALE: a circle must lie within an allowed one
check_circles () {
	printf '%s\n' "$circles" | awk -v list=$allow -v stale="$1" '
		BEGIN {
			while ((getline line < list) > 0) {
				if (line !~ /^circle /) continue
				if (stale && line !~ /#[ \t]*[A-Za-z]/) print list ": without a reason: " line
				sub(/^circle /, "", line)
				sub(/[ \t]*#.*/, "", line)
				allowed[++n] = " " line " "
			}
		}
		!NF { next }
		{
			for (i = 1; i <= n; i++) {
				for (k = 1; k <= NF && index(allowed[i], " " $k " "); k++) ;
				if (k > NF) { used[i] = 1; next }
			}
			if (!stale) print $1 ": a circle: " $0
		}
		END { if (stale) for (i = 1; i <= n; i++) if (!used[i]) print list ": not needed any more: circle" allowed[i] }'
}
check_circles 0 | verdict "links: no circles between the files of a room"
{
	check_circles 1
	[ "$(grep -c '^circle ' $allow)" -le "$(sed -n 's/^circles at most //p' $allow)" ] || echo "$allow: more circles than it says itself"
} | verdict "links: the list of circles has no stale lines"

# nobody asks for main(); the flag tables of syscalls are generated for all files of the room
exports=$(awk '$1 == "has" { home[$3] = $2; next } { used[$3] = 1 }
	END { for (s in home) if (!(s in used) && s != "main") print home[s], s, 1 }' "${TMPDIR:-/tmp}/t-links.$$" | LC_ALL=C sort)
# a file that is not built here (its library is missing) has no stale lines
exported=$(sed -n 's/^export //p' $allow | awk 'NR == FNR { built[$2]; next } $1 in built' "${TMPDIR:-/tmp}/t-links.$$" -)
printf '%s\n' "$exports" | grep -v '^util/syscalls/tables\.c sysx_' |
	awk -v list=<(printf '%s\n' "$exported") -f tests/lint/allowed.awk | sed 's/ 1$/: no other file uses it: make it static/' |
	verdict "links: what a file exports, another one uses"
printf '%s\n' "$exports" | awk -v list=<(printf '%s\n' "$exported") -v stale=1 -f tests/lint/allowed.awk | sed "s|^[^:]*:|$allow:|" |
	verdict "links: the list of exports has no stale lines"
