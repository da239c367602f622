#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='what is given away: the tarball, what make install installs, manual pages, the Debian package, the static perf'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq MANDOC 'needs mandoc' 'command -v mandoc'
test_lazy_prereq XZ 'needs xz' 'xz --version'
test_lazy_prereq GIT 'needs git, and a checkout' 'git -C "$TOP" rev-parse HEAD'
test_lazy_prereq DEB 'needs dpkg-buildpackage and debhelper' 'dpkg-buildpackage --version && command -v dh'
test_lazy_prereq LINTIAN 'needs lintian' 'lintian --version'
test_lazy_prereq STATIC 'needs build/perf-static (make static: the libraries must be there for static linking)' '[ -x "$BUILD/perf-static" ]'
test_lazy_prereq CHROOT 'needs root, to have an own root directory' 'test_have ROOT && mkdir empty && cp "$BUILD/perf-static" empty &&
	chroot empty /perf-static version'

# quicker; a user may set it, too
export XZ_OPT=-0 DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1

# In the tree, of what is built; nothing is built here.
in_tree () { make -s -C "$TOP" O="$BUILD" BUILT=1 "$@"; }

test_expect_success XZ,GIT 'make dist: what git knows, the same bytes each time' '
	mkdir one two && "$TOP/scripts/dist.sh" one && sleep 1 && "$TOP/scripts/dist.sh" two && cmp one/perf-*.tar.xz two/perf-*.tar.xz &&
	version=$(sed -n "s/^#define PERF_RELEASE \"\(.*\)\"/\1/p" "$TOP/builtin.h") && test -f "one/perf-$version.tar.xz" &&
	tar tJf one/perf-*.tar.xz | sed "s|^perf-$version/||" >out && sort out >names && test_cmp names out &&
	git -C "$TOP" ls-files | grep -v "^\." | while read -r f; do [ ! -e "$TOP/$f" ] || echo "$f"; done | sort >expect && test_cmp expect names &&
	tar tvJf one/perf-*.tar.xz | awk "{ print \$2 }" | sort -u >owners && echo 0/0 >expect && test_cmp expect owners
'

test_expect_success XZ,GIT 'a tarball of a tarball is the same' '
	tar xJf one/perf-*.tar.xz && mkdir three && (cd perf-* && SOURCE_DATE_EPOCH=$(git -C "$TOP" log -1 --format=%ct) scripts/dist.sh ../three) &&
	cmp one/perf-*.tar.xz three/perf-*.tar.xz
'

test_expect_success 'make install: the program, a page for each command, completion, the header' '
	[ -d "$BUILD/man" ] || "$TOP/scripts/mkman.sh" "$BUILD/perf" "$BUILD/man" &&
	in_tree PREFIX=/usr DESTDIR="$PWD/root" install && (cd root/usr && find . -type f | sed "s|^\./||" | grep -v "^share/doc/" | sort) >out &&
	{ cat <<-\EOF; for c in $(perf --list-cmds) ; do echo "share/man/man1/perf-$c.1"; done; } | sort >expect && test_cmp expect out &&
	bin/perf
	include/perf/perf_dlfilter.h
	share/bash-completion/completions/perf
	share/fish/vendor_completions.d/perf.fish
	share/man/man1/perf.1
	share/man/man5/perf-data-output.5
	share/man/man5/perf-where.5
	share/zsh/site-functions/_perf
	EOF
	cmp root/usr/bin/perf "$BUILD/perf" && test -s root/usr/share/doc/perf/perf-record.txt
'

test_expect_success CC 'the installed header compiles alone' '
	echo "#include <perf/perf_dlfilter.h>" | cc -Wall -Werror -fsyntax-only -Iroot/usr/include -x c -
'

test_expect_success MANDOC 'mandoc has no complaints about the manual pages' '
	mandoc -T lint -W style root/usr/share/man/man[15]/*.[15] >out; test_cmp /dev/null out
'

test_expect_success MANDOC 'a SYNOPSIS has a line for each form' '
	for p in root/usr/share/man/man1/*.1; do
		page=$(basename "$p" .1)
		sed -n "/^SYNOPSIS$/,/^DESCRIPTION$/p" "$TOP/Documentation/$page.txt" | grep -c "^.perf" >expect &&
		mandoc -T ascii -O width=200 "$p" | sed "s/.\x08//g" | sed -n "/^SYNOPSIS$/,/^DESCRIPTION$/p" | grep -c "^ *perf" >out &&
		test_cmp expect out || { echo "$page"; return 1; }
	done
'

test_expect_success DEB,XZ,GIT 'the Debian package has what make install installs' '
	mkdir deb && tar xJf one/perf-*.tar.xz -C deb && (cd deb/perf-* && BUILT="$BUILD" DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -b -us -uc -d >../log 2>&1) ||
		{ tail -n 20 deb/log; return 1; }
	ls deb/*.deb | sed "s/.*\///; s/_.*//" | sort >out && printf "%s\n" perf perf-dbgsym >expect && test_cmp expect out &&
	dpkg-deb -c deb/perf_*.deb | awk "!/^d/ { print \$6 }" | sed "s|^\./usr/||; s/\.gz$//; s/vendor-completions/site-functions/" |
		grep -v "^share/doc/" | sort >names && (cd root/usr && find . -type f | sed "s|^\./||" | grep -v "^share/doc/" | sort) >expect &&
	test_cmp expect names && dpkg-deb -f deb/perf_*.deb Depends >out && test_grep "libdw1" out
'

test_expect_success DEB,LINTIAN,XZ,GIT 'lintian has no complaints' '
	lintian --allow-root --fail-on error,warning deb/*.changes >out 2>&1; test_cmp /dev/null out
'

test_expect_success STATIC 'the static perf is one file' '
	! { readelf -d "$BUILD/perf-static" | grep NEEDED; } && "$BUILD/perf-static" version --build-options >out &&
	test_grep "libpython: .* OFF" out && test_grep "debuginfod: .* OFF" out
'

small=$TOP/tests/data/small
test_expect_success STATIC 'the static perf reads recordings as the other one does' '
	for f in fp sched; do
		for c in "report --stdio" script "script -F comm,ip,sym" evlist; do
			perf $c -f -i "$small/$f.data" >expect 2>expect.err
			"$BUILD/perf-static" $c -f -i "$small/$f.data" >out 2>err
			test_cmp expect out && test_cmp expect.err err || { echo "$c of $f"; return 1; }
		done
	done &&
	test_status 1 "$BUILD/perf-static" script -f -i "$small/fp.data" -s x.py 2>err &&
	test_grep "this perf was built without Python" err
'

test_expect_success STATIC,CHROOT 'the static perf runs in a root directory that has nothing else' '
	cp "$small/fp.data" empty && chroot empty /perf-static report -f --stdio -i fp.data >out 2>err && test_grep "89  of event .cpu-clock" out
'

test_expect_success STATIC,CHROOT,PERF_SW 'the static perf records there' '
	chroot empty /perf-static record -o out.data -e cpu-clock /perf-static version >out 2>&1 && test -s empty/out.data
'

test_done
