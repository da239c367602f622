#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# No mutable variables that outlive a call, but for those of globals.allow. Pointer tables that are const land in
# .data.rel.ro of position-independent code, so they are not found here.
. tests/lint/sources.inc

found=$(mktemp /tmp/t-globals.XXXXXX)
trap 'rm -f "$found"' EXIT
objs=$(make -s objs) || { echo "not ok - globals: make objs"; exit 1; }
for o in $objs; do
	[ -e "$o" ] || { echo "not ok - globals: $o is missing: build first"; exit 1; }
done
objdump -t $objs 2>/dev/null | awk '
	/file format/ { obj = $1; sub(/:$/, "", obj); sub(/^[^\/]*\//, "", obj); sub(/\.o$/, ".c", obj); next }
	# workloads are programs of their own: what their loops write, and when they stop
	obj ~ /^util\/test\// { next }
	# VALUE FLAGS SECTION<tab>SIZE NAME
	/\t/ {
		split($0, half, "\t")
		n = split(half[1], w, " ")
		section = w[n]
		split(half[2], v, " ")
		if (w[n - 1] !~ /O/ && section != "*COM*") next
		if (section !~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ || section ~ /^\.data\.rel\.ro/) next
		name = v[2]
		sub(/\.[0-9]+$/, "", name)
		print obj, name
	}' | LC_ALL=C sort -u >"$found"
allowed=$(sed -E 's/[[:space:]]*#.*//; /^[[:space:]]*$/d' tests/lint/globals.allow | LC_ALL=C sort -u)
LC_ALL=C comm -23 "$found" <(printf '%s\n' "$allowed") | sed 's/ /: mutable variable /' |
	verdict "globals: no mutable file-scope or static variables"
# a file that is not built here (its library is missing) has no stale lines
LC_ALL=C comm -13 "$found" <(printf '%s\n' "$allowed") | while read -r file name; do
	! printf '%s\n' "$objs" | grep -q "/${file%.c}\.o\$" || echo "$file $name"
done | sed 's/ /: allowed in globals.allow, but not there: /' |
	verdict "globals: the allow-list has no stale lines"
