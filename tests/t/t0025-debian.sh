#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the Debian package, of what is built'
. "$(dirname "$0")/lib.sh"

test_lazy_prereq XZ 'needs xz' 'xz --version'
test_lazy_prereq GIT 'needs git, and a checkout' 'git -C "$TOP" rev-parse HEAD'
test_lazy_prereq DEB 'needs dpkg-buildpackage and debhelper' 'dpkg-buildpackage --version && command -v dh'
test_lazy_prereq LINTIAN 'needs lintian' 'lintian --version'

# quicker; a user may set it, too
export XZ_OPT=-0 DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1

test_expect_success DEB,XZ,GIT 'the Debian package has what make install installs' '
	mkdir deb && "$TOP/scripts/dist.sh" . && tar xJf perf-*.tar.xz -C deb && test -d "$BUILD/man" &&
	make -s -C "$TOP" O="$BUILD" BUILT=1 PREFIX=/usr DESTDIR="$PWD/root" install &&
	(cd deb/perf-* && BUILT="$BUILD" DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -b -us -uc -d) &&
	ls deb/*.deb | sed "s/.*\///; s/_.*//" | sort >out && printf "%s\n" perf perf-dbgsym >expect && test_cmp expect out &&
	dpkg-deb -c deb/perf_*.deb | awk "!/^d/ { print \$6 }" | sed "s|^\./usr/||; s/\.gz$//; s/vendor-completions/site-functions/" |
		grep -v -e "^share/doc/" -e "^share/lintian/" | sort >names && (cd root/usr && find . -type f | sed "s|^\./||" | grep -v "^share/doc/" | sort) >expect &&
	test_cmp expect names && dpkg-deb -f deb/perf_*.deb Depends >out && test_grep "libdw1" out
'

test_expect_success DEB,LINTIAN,XZ,GIT 'lintian has no complaints' '
	lintian --allow-root --fail-on error,warning deb/*.changes
'

test_done
