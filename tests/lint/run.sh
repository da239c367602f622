#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh [NAME...]	runs the lints (tests/lint/NAME.sh; without a name all) and numbers their TAP lines.
#
# A lint prints "ok - what" or "not ok - what", each "not ok" followed by "# file:line: what is wrong" lines.

cd "$(dirname "$0")/../.." || exit 1
[ $# != 0 ] || set -- $(ls tests/lint/*.sh | sed 's|.*/||; s|\.sh$||' | grep -vx run)
for lint; do
	out=$(bash "tests/lint/$lint.sh" 2>&1) || { [[ $out == *"not ok"* ]] || out="$out"$'\n'"not ok - $lint: exit status $?"; }
	[[ $out == *"ok"* ]] || out="not ok - $lint: no result"
	printf '%s\n' "$out"
done | awk '
	/^ok|^not ok/ { nr++; bad += /^not/; sub(/ok /, "ok " nr " ") }
	{ print }
	END { print "1.." nr; exit bad > 0 }'
