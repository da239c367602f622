#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls that we do not make: unbounded copies everywhere; in util/ also what ends the process or writes to the terminal.
. tests/lint/sources.inc

code=$({ c_sources; c_tests; } | xargs awk -f tests/lint/strip.awk)

# calls REGEX [FILES-REGEX [EXCEPT-REGEX]]
calls () {
	printf '%s\n' "$code" | grep -E "^${2:-}" | { if [ -n "${3:-}" ]; then grep -vE "^($3)"; else cat; fi; } |
		grep -E "(^[^:]*:[0-9]+:|[^A-Za-z0-9_.>])($1)[[:space:]]*\("
}

calls 'strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atoll|atof|gets|mktemp|tmpnam|tempnam|alloca|strdupa|strndupa' |
	verdict "banned: no unbounded or unchecked calls (strcpy strcat sprintf strtok atoi ...)"
calls 'exit|abort|assert|err|errx|perror|warn|warnx' 'util/' 'util/cli/|util/[a-z]*/[a-z0-9-]*\.bpf\.c' |
	verdict "banned: nothing in util/ exits or prints errors"
calls 'printf|puts|putchar|vprintf' 'util/' 'util/(cli|view)/|util/[a-z]*/[a-z0-9-]*\.bpf\.c' |
	verdict "banned: only cli, view and commands write to stdout"
printf '%s\n' "$code" | grep -E '^util/' | grep -vE '^util/(cli|view)/' | grep -E '(fprintf|fputs|fputc|fflush)\(([^)]*, )?(stderr|stdout)\b' |
	verdict "banned: no stderr or stdout in rooms below view"
