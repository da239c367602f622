#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the lints find what they are for'
. "$(dirname "$0")/lib.sh"

mkdir -p tree/util/os tree/util/wire tree/tests/unit
cp -r "$TOP/tests/lint" tree/tests/
cp "$TOP/util/LAYERS" tree/util/
printf '# SPDX-License-Identifier: GPL-2.0-or-later\n' >tree/Makefile
printf '// SPDX-License-Identifier: GPL-2.0-or-later\nint main(void) { return 0; }\n' >tree/perf.c

# finds LINT REGEX <the text of util/os/bad.c
finds () {
	cat >tree/util/os/bad.c
	( cd tree && bash "tests/lint/$1.sh" ) >out
	grep -A5 '^not ok' out | grep -E "^# $2" || { cat out; false; }
}
spdx='// SPDX-License-Identifier: GPL-2.0-or-later'

test_expect_success 'a clean file passes' '
	printf "%s\n#include \"util/base/str.h\"\n/* strcpy(a, b) */\nconst char *f(void) { return \"sprintf(\"; }\n" "$spdx" \
		>tree/util/os/bad.c &&
	for l in layers banned text; do
		( cd tree && bash tests/lint/$l.sh ) >out && ! grep "^not ok" out && grep "^ok" out || return 1
	done
'
test_expect_success 'an include of a higher room' '
	printf "%s\n#include \"util/event/pmu.h\"\n" "$spdx" | finds layers "util/os/bad.c:2: os may not include util/event/pmu.h"
'
test_expect_success 'a private header of another room' '
	printf "%s\n#include \"util/wire/x-priv.h\"\n" "$spdx" | finds layers "util/os/bad.c:2: private header"
'
test_expect_success 'a library in the wrong file' '
	printf "%s\n#include <slang.h>\n" "$spdx" | finds layers "util/os/bad.c:2: <slang.h>"
'
test_expect_success 'banned calls' '
	printf "%s\nvoid f(char *a) { strcpy(a, \"x\"); }\n" "$spdx" | finds banned "util/os/bad.c:2:" &&
	printf "%s\nvoid f(char *a) { exit(1); }\n" "$spdx" | finds banned "util/os/bad.c:2:" &&
	printf "%s\nvoid f(char *a) { printf(\"x\"); }\n" "$spdx" | finds banned "util/os/bad.c:2:" &&
	printf "%s\nvoid f(char *a) { fprintf(stderr, \"x\"); }\n" "$spdx" | finds banned "util/os/bad.c:2:"
'
test_expect_success 'text' '
	printf "int x;\n" | finds text "util/os/bad.c: the first line is no SPDX" &&
	printf "%s\nint x; \n" "$spdx" | finds text "util/os/bad.c:2: trailing blanks" &&
	printf "%s\n        int x;\n" "$spdx" | finds text "util/os/bad.c:2: indented by blanks" &&
	printf "%s\n%150s\n" "$spdx" x | tr " " x | finds text "util/os/bad.c:2: 150 columns" &&
	printf "%s\nint x;" "$spdx" | finds text "util/os/bad.c: no newline"
'
test_done
