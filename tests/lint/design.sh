#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Documentation/DESIGN.md describes what is there: structs, functions and paths that stand in `backticks`, and the rooms of its
# tree and of util/LAYERS.
. tests/lint/sources.inc

doc=Documentation/DESIGN.md
[ -e "$doc" ] || { echo "ok - design: what it names # SKIP no $doc"; exit 0; }
code=$(mktemp "${TMPDIR:-/tmp}/t-design.XXXXXX")
trap 'rm -f "$code"' EXIT
c_sources | xargs awk -f tests/lint/strip.awk | cut -d: -f3- >"$code"

# each `...` as LINE<tab>text, also where it goes on in the next line
quoted () {
	awk '/^```/ { out = !out; next } out { next } { print FNR "\t" $0 }' "$doc" | awk -F'\t' '{
		n = split($2, part, "`")
		for (i = 1; i <= n; i++) {
			if (open) { text = text (i == 1 ? " " : "") part[i] } else text = part[i]
			if (i < n) { if (open) print $1 "\t" text; open = !open; text = "" }
		}
		if (open) text = text ""
	}'
}

# there NAME KIND: is it in the code?
there () {
	case $2 in
	struct|union) grep -qE "(^|[^A-Za-z0-9_])$2 $1 *\{" "$code" ;;
	function) grep -qE "(^|[^A-Za-z0-9_])$1 ?\(" "$code" ;;
	start) grep -qE "(^|[^A-Za-z0-9_])$1[a-z0-9_]*\(" "$code" ;;
	member) grep -qE "(^|[^A-Za-z0-9_])$1([^A-Za-z0-9_]|$)" "$code" ;;
	esac
}

quoted | while IFS=$'\t' read -r nr text; do
	for kind in struct union; do
		printf '%s\n' "$text" | grep -oE "\b$kind [a-z_0-9]+" | while read -r _ name; do
			there "$name" $kind || echo "$doc:$nr: there is no $kind $name"
		done
	done
	case $text in
	*'<'*|*' '*[!\)]) ;;
	*_\*) there "${text%\*}" start || echo "$doc:$nr: no function is called $text" ;;
	[a-z]*_*\(*\)|[a-z]*\(*\)) there "${text%%(*}" function || echo "$doc:$nr: there is no function ${text%%(*}()" ;;
	*/*) [ -e "${text%/}" ] || [ -e "${text%/}.sh" ] || echo "$doc:$nr: there is no $text" ;;
	*_*) there "$text" member || echo "$doc:$nr: nothing is called $text" ;;
	esac
done | verdict "design: what it names is there"

sed '/^```/,/^```/d' "$doc" | sed 's/[*]-priv\.h//g' | grep -oE '[a-z0-9/-]*[a-z0-9]\.(bpf\.)?[ch]\b' | sort -u | while read -r file; do
	c_sources | grep -qE "(^|/)$file\$" || echo "$doc: there is no file $file"
done | verdict "design: files that it names are there"

{
	sed -n '/^## 1/,/^## 2/s|^\(util/[a-z]*\)/ .*|\1|p' "$doc" | while read -r dir; do
		[ -d "$dir" ] || echo "$doc: there is no room $dir"
	done
	for dir in util/*/; do
		dir=${dir%/}
		grep -q "^$dir/ " "$doc" || echo "$doc: its tree does not have $dir"
		grep -qE "^${dir#util/}:" util/LAYERS || echo "util/LAYERS: $dir is missing"
	done
	sed 's/#.*//' util/LAYERS | grep -oE '[a-z]+' | sort -u | while read -r room; do
		[ -d "util/$room" ] || [ -d "$room" ] || echo "util/LAYERS: there is no room $room"
	done
} | verdict "design: rooms are those of the tree"
