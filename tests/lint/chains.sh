#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The steps of a test are joined: one that fails makes the test red (chains.awk says what is looked for). What is in chains.allow
# is not joined yet; the list only shrinks.
. tests/lint/sources.inc

# Each body as bash prints it, a statement a line; none of it is run.
normalized () {
	local body where
	while IFS= read -r -d $'\1' body; do
		where=${body%%$'\n'*} body=${body#*$'\n'}
		if eval "body_of_test () {
$body
}" 2>/dev/null; then
			echo "@ $where"
			declare -f body_of_test
		else
			echo "@ $where" | sed 's/$/ syntax/'
		fi
	done < <(awk -f tests/lint/chains.awk "$@")
}

[ "$1" != "-v" ] || { normalized tests/t/t[0-9]*.sh tests/vm/v[0-9]*.sh | awk -v parse=1 -v show=1 -f tests/lint/chains.awk; exit; }
found=$(normalized $(ls tests/t/t[0-9]*.sh tests/vm/v[0-9]*.sh 2>/dev/null) | awk -v parse=1 -f tests/lint/chains.awk |
	awk '{ n[$1 " " $2]++; if (!(($1 " " $2) in at)) at[$1 " " $2] = $4 } END { for (k in n) print k, n[k], at[k] }' | sort)
printf '%s\n' "$found" | sed '/^$/d' | awk -v list=tests/lint/chains.allow -f tests/lint/allowed.awk |
	verdict "chains: the steps of a test are joined"
printf '%s\n' "$found" | sed '/^$/d' | awk -v list=tests/lint/chains.allow -v stale=1 -f tests/lint/allowed.awk |
	verdict "chains: the allow-list has no stale lines"
