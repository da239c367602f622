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

# The text of each option in -h: one line of at most 100 columns, in small letters (but for names), without a full stop.
for c in $cmds 'sched record' 'sched latency' 'sched map' 'sched timehist' 'sched replay' 'sched stats' 'sched script' \
	'timechart record' 'data convert' 'stat report' 'stat record' 'daemon start' 'daemon signal' 'daemon ping'; do
	"$perf" $c -h </dev/null 2>/dev/null | awk -v c="$c" '
		/^ Usage:|^ +or:|^$/ { next }
		/^    (-., )?    --|^    -/ {
			opt = $0; help = ""
			if (length($0) > 26 && substr($0, 26, 1) == " ") help = substr($0, 27)
			else { want = 1; next }
		}
		/^ {26}[^ ]/ { if (!want) { print "perf " c ": more than one line: " $0; next } help = substr($0, 27); want = 0 }
		{
			if (26 + length(help) > 100) print "perf " c ": " 26 + length(help) " columns: " help
			if (help ~ /^[A-Z][a-z]/) print "perf " c ": begins with a capital: " help
			if (help ~ /\.$/ && help !~ /\.\.\.$/) print "perf " c ": ends with a full stop: " help
			if (help ~ /(^| )(ip|cpu|cpus|pid|pids|comm|comms|dso|dsos|bpf)( |$)/) print "perf " c ": a word of the code: " help
		}'
done | verdict "docs: each option has one line of help"

for c in $cmds; do
	grep -qE "perf $c( |\$|\")" tests/t/t[0-9]*.sh || echo "perf $c: no test in tests/t"
done | verdict "docs: each command has a test"

for p in Documentation/perf*.txt; do
	grep -q '^perf[a-z0-9-]*(1)$' <(head -n 1 "$p") || continue
	awk -v p="$p" '/^EXAMPLES$/ { e = NR } /^OPTIONS$/ { o = NR }
		!/^[ \t{]/ && length($0) > 100 { print p ":" NR ": " length($0) " columns" }
		END { if (!e || e > o) print p ": examples stand before the options" }' "$p"
	sed -n '/^SEE ALSO$/,$p' "$p" | grep -oE 'perf[a-z-]*\(1\)|linkperf:perf-[a-z-]+' | sed 's/(1)//; s/linkperf://' |
	while read -r page; do
		[ -e "Documentation/$page.txt" ] || echo "$p: there is no page $page"
	done
done | verdict "docs: examples before options, pages that are referred to, 100 columns"

# Settings: those that are documented are those that are looked up or known to have no effect.
terms () {
	awk -v name="$1" '$0 == name { on = 1; next } /^(SEE ALSO|SETTINGS WITHOUT EFFECT)$/ { on = 0 } on && /::$/' \
		Documentation/perf-config.txt | sed 's/::$//' | tr -d ' ' | tr ',_' '\n-' | sed 's/COMMAND/*/' | sort
}
array () { sed -n "/ $1\[\] = {/,/^};/p" builtin-config-check.c | grep -oE '"[^"]+"' | tr -d '"'; }
{
	diff <({ array looked_up; grep -hoE 'OPT_SETTING(_FIELD)?\("[^"]+"' builtin-*.c util/*/*.c | sed 's/.*"\(.*\)"/\1/'; } | sort -u) \
		<(terms 'OTHER SETTINGS')
	diff <(array no_effect | sort) <(terms 'SETTINGS WITHOUT EFFECT')
} | sed -n 's/^</perf-config.txt: not documented:/p; s/^>/perf-config.txt: no such setting:/p' | verdict "docs: settings"

for f in $(ls Documentation/perf-*.txt 2>/dev/null); do
	c=$(basename "$f" .txt); c=${c#perf-}
	grep -q '(1)$' <(head -n 1 "$f") || continue
	printf '%s\n' "$cmds" | grep -qx -- "$c" || echo "$f: there is no such command"
done | verdict "docs: no page without a command"
