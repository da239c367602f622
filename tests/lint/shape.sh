#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions fit a screen, and structs a head: at most 80 lines, 4 levels of braces, 6 parameters; 25 fields. What is larger
# stands with its reason in shape.allow.
. tests/lint/sources.inc

shapes=$(c_sources | xargs awk -f tests/lint/strip.awk | awk -f tests/lint/shape.awk | awk '
	BEGIN { most["lines"] = 80; most["nesting"] = 4; most["parameters"] = 6; most["fields"] = 25 }
	$4 > most[$3] { print $1, $2 "-" $3, $4, $5 }')
printf '%s\n' "$shapes" | awk -v list=tests/lint/shape.allow -f tests/lint/allowed.awk |
	verdict "shape: functions of 80 lines, 4 levels, 6 parameters; structs of 25 fields"
printf '%s\n' "$shapes" | awk -v list=tests/lint/shape.allow -v stale=1 -f tests/lint/allowed.awk |
	verdict "shape: the allow-list has no stale lines"
