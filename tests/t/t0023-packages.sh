#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what is given away: the tarball, what make install installs, manual pages'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq MANDOC 'needs mandoc' 'command -v mandoc'
test_lazy_prereq XZ 'needs xz' 'xz --version'
test_lazy_prereq GIT 'needs git, and a checkout' 'git -C "$TOP" rev-parse HEAD'

# quicker; a user may set it, too
export XZ_OPT=-0

# It is made where Python is.
module=$(ls "$BUILD-python/perf.abi3.so" 2>/dev/null)

# In the tree, of what is built; nothing is built here.
in_tree () { make -s -C "$TOP" O="$BUILD" BUILT=1 "$@"; }

test_expect_success XZ,GIT 'make dist: what git knows, the same bytes each time' '
	mkdir one two && "$TOP/scripts/dist.sh" one && sleep 1 && "$TOP/scripts/dist.sh" two && cmp one/perf-*.tar.xz two/perf-*.tar.xz &&
	version=$(sed -n "s/^#define PERF_RELEASE \"\(.*\)\"/\1/p" "$TOP/builtin.h") && test -f "one/perf-$version.tar.xz" &&
	tar tJf one/perf-*.tar.xz | sed "s|^perf-$version/||" >out && sort out >names && test_cmp names out &&
	git -C "$TOP" ls-files | grep -v "^\." | while read -r f; do [ ! -e "$TOP/$f" ] && [ ! -L "$TOP/$f" ] || echo "$f"; done | sort >expect && test_cmp expect names &&
	tar tvJf one/perf-*.tar.xz | awk "{ print \$2 }" | sort -u >owners && echo 0/0 >expect && test_cmp expect owners
'

test_expect_success XZ,GIT 'a tarball of a tarball is the same' '
	tar xJf one/perf-*.tar.xz && mkdir three && (cd perf-* && SOURCE_DATE_EPOCH=$(git -C "$TOP" log -1 --format=%ct) scripts/dist.sh ../three) &&
	cmp one/perf-*.tar.xz three/perf-*.tar.xz
'

test_expect_success 'make install: the program, a page for each command, completion, the header' '
	[ -d "$BUILD/man" ] || "$TOP/scripts/mkman.sh" "$BUILD/perf" "$BUILD/man" &&
	in_tree PREFIX=/usr DESTDIR="$PWD/root" install && (cd root/usr && find . -type f | sed "s|^\./||" | grep -v "^share/doc/" | sort) >out &&
	{ sed "/^$/d" <<-EOF; for c in $(perf --list-cmds) ; do echo "share/man/man1/perf-$c.1"; done; } | sort >expect && test_cmp expect out &&
	bin/perf
	include/perf/perf_dlfilter.h
	${module:+lib/python3/dist-packages/perf.abi3.so
	lib/python3/dist-packages/perf.pyi}
	share/bash-completion/completions/perf
	share/fish/vendor_completions.d/perf.fish
	share/man/man1/perf.1
	share/man/man5/perf-data-output.5
	share/man/man5/perf-where.5
	share/zsh/site-functions/_perf
	EOF
	cmp root/usr/bin/perf "$BUILD/perf" && test -s root/usr/share/doc/perf/perf-record.txt
'

test_expect_success PYTHON 'the installed module is found, and is this perf' '
	[ "$module" ] || { test_skip "needs the module (make python)"; return; }
	PYTHONPATH=root/usr/lib/python3/dist-packages python3 -c "
import perf, os
assert os.path.realpath(perf.__file__) == os.path.realpath(\"root/usr/lib/python3/dist-packages/perf.abi3.so\"), perf.__file__
print(sum(1 for s in perf.open(\"$TOP/tests/data/small/fp.data\")))" >out &&
	perf script -f -i "$TOP/tests/data/small/fp.data" -F comm | grep -c . | test_cmp - out &&
	in_tree PREFIX="$(python3 -c "import sys; print(sys.prefix)")" DESTDIR="$PWD/own" install &&
	python3 -c "import sys; print(*sys.path, sep=\"\n\")" >path && dir=$(dirname "$(cd own && find . -name perf.abi3.so | sed "s/^\.//")") && grep -qxF "$dir" path
'

test_expect_success CC 'the installed header compiles alone' '
	echo "#include <perf/perf_dlfilter.h>" | cc -Wall -Werror -fsyntax-only -Iroot/usr/include -x c -
'

test_expect_success MANDOC 'mandoc has no complaints about the manual pages' '
	mandoc -T lint -W style root/usr/share/man/man[15]/*.[15]
'

test_expect_success MANDOC 'a SYNOPSIS has a line for each form' '
	for p in root/usr/share/man/man1/*.1; do
		page=$(basename "$p" .1) &&
		sed -n "/^SYNOPSIS$/,/^DESCRIPTION$/p" "$TOP/Documentation/$page.txt" | grep -c "^.perf" >expect &&
		mandoc -T ascii -O width=200 "$p" | sed "s/.\x08//g" | sed -n "/^SYNOPSIS$/,/^DESCRIPTION$/p" | grep -c "^ *perf" >out &&
		test_cmp expect out || { echo "$page"; return 1; }
	done
'

test_done
