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

# Outputs are base/outfile's: it follows no links of others, and what is written appears whole.
opened=$(c_sources | grep -vE '^util/base/outfile\.c$|^util/test/|\.bpf\.c$' | xargs awk -v keep=1 -f tests/lint/strip.awk |
	grep -E '[^A-Za-z0-9_](f(re|d)?open(at)?\([^"]*"[wa]|open(at)?\(.*O_(CREAT|TMPFILE)|(creat|mkostemps?|mkstemps?|tmpfile)\()' |
	grep -v 'fdopen(' | cut -d: -f1 | sort | uniq -c | awk '{ print $2, "output", $1 }')
printf '%s\n' "$opened" | sed '/^ *$/d' | awk -v list=tests/lint/outfile.allow -f tests/lint/allowed.awk |
	verdict "banned: outputs are opened by util/base/outfile alone"
printf '%s\n' "$opened" | sed '/^ *$/d' | awk -v list=tests/lint/outfile.allow -v stale=1 -f tests/lint/allowed.awk |
	verdict "banned: the list of other outputs has no stale lines"
calls 'elf_begin|elf_memory|dwarf_begin|dwarf_begin_elf' '' 'util/dwarf/|tests/' |
	verdict "banned: only util/dwarf opens files for libelf and libdw"
printf '%s\n' "$code" | grep -E '^(util|arch|builtin)' | grep -vE '^util/dwarf/form\.c:' |
	grep -E '\bDW_FORM_(block|block1|block2|block4|exprloc|data16|ref_sig8|strp_sup[0-9]|ref_sup[48])\b' |
	verdict "banned: only util/dwarf/form.c knows how long the values of forms are"
