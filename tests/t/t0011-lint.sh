#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the lints find what they are for'
. "$(dirname "$0")/lib.sh"

mkdir -p tree/util/os tree/util/wire tree/tests/unit
cp -r "$TOP/tests/lint" tree/tests/
cp "$TOP/util/LAYERS" tree/util/
: >tree/tests/lint/outfile.allow
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
test_expect_success 'an output that is opened past util/base/outfile' '
	printf "%s\nint f(char *a) { return open(a, O_RDWR | O_CREAT, 0600); }\n" "$spdx" | finds banned "util/os/bad.c: output 1" &&
	printf "%s\nvoid *f(char *a) { return fopen(a, \"we\"); }\n" "$spdx" | finds banned "util/os/bad.c: output 1" &&
	! { printf "%s\nvoid *f(char *a) { return fopen(a, \"re\"); }\n" "$spdx" | finds banned "util/os/bad.c" >/dev/null; }
'
test_expect_success 'a second reader of binaries' '
	printf "%s\nvoid f(int d) { g(elf_begin(d, 1, 0)); }\n" "$spdx" | finds banned "util/os/bad.c:2:" &&
	printf "%s\nint f(int d) { return d == DW_FORM_block1 ? 1 : 2; }\n" "$spdx" | finds banned "util/os/bad.c:2:"
'
test_expect_success 'text' '
	printf "int x;\n" | finds text "util/os/bad.c: the first line is no SPDX" &&
	printf "%s\nint x; \n" "$spdx" | finds text "util/os/bad.c:2: trailing blanks" &&
	printf "%s\n        int x;\n" "$spdx" | finds text "util/os/bad.c:2: indented by blanks" &&
	printf "%s\n%101s\n" "$spdx" x | tr " " x | finds text "util/os/bad.c:2: 101 columns" &&
	! { printf "%s\n%100s\n" "$spdx" x | tr " " x | finds text "util/os/bad.c:2" >/dev/null; } &&
	printf "%s\nint x;" "$spdx" | finds text "util/os/bad.c: no newline"
'
test_expect_success 'words of our own' '
	printf "%s\n/* what it told */\nint x;\n" "$spdx" | finds text "util/os/bad.c:2: a word of our own" &&
	printf "%s\nint lanes;\n" "$spdx" | finds text "util/os/bad.c:2: a word of our own" &&
	printf "%s\nint history, behind;\n" "$spdx" >tree/util/os/bad.c && ( cd tree && bash tests/lint/text.sh ) >out && ! grep "^not ok" out
'
test_expect_success 'what is too large' '
	{ echo "$spdx"; echo "int f(int a, int b, int c, int d, int e, int g, int (*h)(int, int))"; echo "{"; echo "	return 0;"; echo "}"; } |
		finds shape "util/os/bad.c:2: f-parameters 7" &&
	{ echo "$spdx"; echo "int f(void)"; echo "{"; seq -f "	x = %g;" 80; echo "}"; } | finds shape "util/os/bad.c:3: f-lines 82" &&
	{ echo "$spdx"; echo "int f(void)"; echo "{"; for i in 1 2 3 4 5; do echo "	if (x) {"; done
		for i in 1 2 3 4 5; do echo "	}"; done; echo "}"; } | finds shape "util/os/bad.c:3: f-nesting 5" &&
	{ echo "$spdx"; echo "struct s {"; seq -f "	int a%g, b;" 13; echo "};"; } | finds shape "util/os/bad.c:2: struct-s-fields 26" &&
	echo "util/os/gone.h struct-gone-fields 26	# why" >tree/tests/lint/shape.allow &&
	finds shape "tests/lint/shape.allow: not needed any more: util/os/gone.h struct-gone-fields" </dev/null
'
test_expect_success 'a path or a call of the kernel outside util/os' '
	mkdir -p tree/util/wire && printf "%s\n/* \"/proc/x\" poll(p) */\nint f(void) { return open(\"/proc/%%d/x\") + poll(p); }\n" "$spdx" >tree/util/wire/bad.c &&
	finds kernel "util/wire/bad.c: path 1" </dev/null && grep "^# util/wire/bad.c: call 1$" out && ! grep "path 2" out && rm tree/util/wire/bad.c
'
test_expect_success 'a command that opens a stream of its own, or polls' '
	printf "%s\nint f(void) { return stream_new(0) ? poll(0, 0, 0) : 0; }\n" "$spdx" >tree/builtin-bad.c &&
	finds kernel "builtin-bad.c:2:int f.void. . return stream_new" </dev/null && rm tree/builtin-bad.c
'
test_expect_success 'a public header that includes a private one' '
	printf "/* SPDX-License-Identifier: GPL-2.0-or-later */\n#include \"util/os/x-priv.h\"\n" >tree/util/os/bad.h &&
	finds layers "util/os/bad.h:2: a public header includes a private one" </dev/null && rm tree/util/os/bad.h
'
test_expect_success 'a design that names what is not there' '
	mkdir -p tree/Documentation && printf "%s\nstruct here { int a; };\nint there_is(void) { return 0; }\n" "$spdx" >tree/util/os/good.c &&
	printf "## 1. Tree\nutil/gone/   x\nutil/os/   y\nutil/wire/   z\n## 2. Floors\nthe \`struct here\` and \`there_is(x)\`, but\n\`struct gone\`, \`is_gone()\` of gone.c\n" \
		>tree/Documentation/DESIGN.md &&
	finds design "Documentation/DESIGN.md:7: there is no struct gone" </dev/null &&
	grep "^# Documentation/DESIGN.md:7: there is no function is_gone()" out && grep "^# Documentation/DESIGN.md: there is no file gone.c" out &&
	grep "^# Documentation/DESIGN.md: there is no room util/gone" out && ! grep "struct here\|there_is" out && rm tree/util/os/good.c
'
test_expect_success CC 'files in a circle, and a function for nobody' '
	mkdir -p tree/build/util/os && printf "objs:\n\t@ls build/util/os/*.o\n" >>tree/Makefile &&
	echo "int g(void); int f(void) { return g(); }" >f.c && echo "int f(void); int g(void) { return f(); } int lone(void) { return 1; }" >g.c &&
	cc -c -o tree/build/util/os/f.o f.c && cc -c -o tree/build/util/os/g.o g.c &&
	finds links "util/os/f.c: a circle: util/os/f.c util/os/g.c" </dev/null && grep "^# util/os/g.c: lone: no other file uses it" out &&
	echo "int g(void) { return 1; } int h(void) { return g(); }" >g.c && cc -c -o tree/build/util/os/g.o g.c && ( cd tree && bash tests/lint/links.sh ) >out &&
	grep "^ok - links: no circles" out
'

test_expect_success 'steps of a test that are not joined' '
	mkdir -p tree/tests/t &&
	chains () { tr @ "\047" >tree/tests/t/t1-bad.sh && ( cd tree && bash tests/lint/chains.sh ) >out && grep -c "^# tests/t/t1-bad.sh" out; } &&
	test "$(printf "test_expect_success @a@ @\n\tx >o\n\ttest -s o\n@\n" | chains)" = 1 && grep "^# tests/t/t1-bad.sh:1: unjoined 1$" out &&
	test "$(printf "test_expect_success A @b@ @\n\tfor i in 1 2; do x; test \$i; done\n@\n" | chains)" = 2 && grep ": loop 1$" out &&
	test "$(printf "test_expect_success @c@ @x || true@\n" | chains)" = 1 && grep ": true 1$" out &&
	test "$(printf "test_expect_success @d@ @\n\tx >o; test \$? = 3 &&\n\tfor i in 1 2; do x && y || { z; return 1; }; done\n\tw\n@\n" | chains)" = 0 &&
	test "$(printf "test_expect_success @e@ @\n\tcat >o <<-E &&\n\ta; b\n\tE\n\tp=1; q || return 1\n\tw\n@\n" | chains)" = 0 &&
	test "$(printf "test_expect_success @f@ @\n\t( x; y )\n@\n" | chains)" = 1
'

test_done
