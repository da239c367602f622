#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How files look: the licence line, width, blanks.
. tests/lint/sources.inc

c=$(c_sources; c_tests)
scripts=$(find tests scripts -not -path 'tests/data/*' -not -path 'tests/roots/*' \( -name '*.sh' -o -name '*.awk' -o -name '*.py' \) 2>/dev/null)

awk 'FNR == 1 && !/^(\/\/ |\/\* )SPDX-License-Identifier: / { print FILENAME ": the first line is no SPDX licence line" }
	FNR == 1 { want = FILENAME ~ /\.h$/ ? "/*" : "//"; if (substr($0, 1, 2) != want) print FILENAME ": the SPDX comment is " want " here" }
	{ nextfile }' $c /dev/null | verdict "text: SPDX line first in C files"
awk 'FNR == 1 && /^#!/ { next }
	FNR <= 2 { if (!/^# SPDX-License-Identifier: /) print FILENAME ": no SPDX licence line at the top"; nextfile }' \
	$scripts Makefile | verdict "text: SPDX line first in scripts"
LC_ALL=C awk '{
		n = 0
		m = split($0, part, "\t")
		for (i = 1; i <= m; i++) {
			gsub(/[\200-\277]/, "", part[i])
			n += length(part[i])
			if (i < m) n += 8 - n % 8
		}
		if (n > 100) print FILENAME ":" FNR ": " n " columns"
	}' $c Makefile | verdict "text: at most 100 columns"
grep -nE '[[:blank:]]$' $c $scripts Makefile | sed 's/:\([0-9]*\):.*/:\1: trailing blanks/' | verdict "text: no trailing blanks"
grep -nP '^\t* {8}|^\t* +\t' $c | sed 's/:\([0-9]*\):.*/:\1: indented by blanks/' | verdict "text: indented by tabs"
grep -lP '\r$' $c $scripts Makefile | sed 's/$/: DOS line ends/' | verdict "text: no DOS line ends"
for f in $c $scripts; do
	[ ! -s "$f" ] || [ -z "$(tail -c 1 "$f")" ] || echo "$f: no newline at the end"
done | verdict "text: the last line is ended"
awk 'FNR > 1500 { print FILENAME ": more than 1500 lines: split it by noun"; nextfile }' $(c_sources) |
	verdict "text: no file above 1500 lines"
awk '/^TEST\(/ && !/^TEST\([a-z0-9_]+\)$/ { print FILENAME ":" FNR ": the list of tests will miss this: " $0 }
	/^[ \t]+TEST\(/ { print FILENAME ":" FNR ": TEST() must start the line" }' $(find tests/unit -name 'test-*.c') |
	verdict "text: unit tests are written so that the list finds them"
# The field's terms, not metaphors of our own: a thing is reported or known, a system call, a track or row of a drawing, a range of
# addresses, a backup of the old file, a .dwo, a directory, upstream perf.
grep -niP "(?<![a-z])(told|stor(y|ies)|doors?|fates?|loose|stretch(es)?|aside|lanes?|folders?|the stock)(?![a-z])" $(c_sources) \
	$(ls Documentation/*.txt Documentation/*.md README.md 2>/dev/null) | sed 's/^\([^:]*:[0-9]*\):.*/\1: a word of our own/' |
	verdict "text: the field's terms in names, comments, messages and pages"
git ls-files 2>/dev/null | grep -vE '^(\.ci|Documentation|debian|arch|include|scripts|tests|util)/|^(\.gitignore|LICENSE|Makefile|README\.md|perf\.c|builtin.*\.[ch])$' |
	sed 's/$/: left behind by something?/' | verdict "text: no stray files at the top"
