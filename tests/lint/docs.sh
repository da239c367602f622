#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A command is complete with its manual page, its options in it, and a test. The page's OPTIONS come from the command's own
# table where it says {options}; a page that writes them out must name each option of the table.
. tests/lint/sources.inc

perf=${BUILD:-build}/perf
[ -x "$perf" ] || { echo "ok - docs: commands and their pages # SKIP $perf is not built"; exit 0; }
cmds=$("$perf" --list-cmds | tr ' ' '\n' | sed '/^$/d')
[ -n "$cmds" ] || { echo "not ok - docs: perf --list-cmds lists nothing"; exit 1; }

page_of () { echo "Documentation/perf-$1.txt"; }

for c in $cmds; do
	[ -s "$(page_of "$c")" ] || echo "perf $c: $(page_of "$c") is missing"
done | verdict "docs: each command has a manual page"

for c in $cmds; do
	p=$(page_of "$c")
	[ -s "$p" ] || continue
	[ "$(head -n 1 "$p")" = "perf-$c(1)" ] || echo "$p:1: should be perf-$c(1)"
	for section in NAME SYNOPSIS DESCRIPTION OPTIONS; do
		grep -A1 -x "$section" "$p" | grep -qE '^-{3,}$' || echo "$p: section $section is missing, or not underlined"
	done
done | verdict "docs: pages have their sections"

for c in $cmds; do
	p=$(page_of "$c")
	[ -s "$p" ] || continue
	grep -q '^{options}$' "$p" && continue
	"$perf" "$c" --list-opts=doc </dev/null 2>/dev/null | grep -oE '^--?[A-Za-z0-9-]+|, --[A-Za-z0-9-]+' | sed 's/^, //' |
	while read -r opt; do
		grep -qE -- "(^|[^A-Za-z0-9-])$opt([^A-Za-z0-9-]|$)" "$p" || echo "$p: option $opt is missing"
	done
done | verdict "docs: pages name each option"

# "{options: NAME...}": each is in the table, and in one such line only
for c in $cmds; do
	p=$(page_of "$c")
	[ -s "$p" ] || continue
	names=$(sed -n 's/^{options: \(.*\)}$/\1/p' "$p" | tr ' ' '\n')
	[ -n "$names" ] || continue
	printf '%s\n' "$names" | sort | uniq -d | sed "s|.*|$p: option & is in two groups|"
	for n in $names; do
		"$perf" "$c" --list-opts="doc:$n" </dev/null 2>/dev/null | grep -q . || echo "$p: there is no option '$n'"
	done
done | verdict "docs: groups of options are of the table"

for c in $cmds; do
	grep -qE "perf $c( |\$|\")" tests/t/t[0-9]*.sh || echo "perf $c: no test in tests/t"
done | verdict "docs: each command has a test"

for f in $(ls Documentation/perf-*.txt 2>/dev/null); do
	c=$(basename "$f" .txt); c=${c#perf-}
	grep -q '(1)$' <(head -n 1 "$f") || continue
	printf '%s\n' "$cmds" | grep -qx -- "$c" || echo "$f: there is no such command"
done | verdict "docs: no page without a command"
