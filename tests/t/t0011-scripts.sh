#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='the scripts of the tree'
. "$(dirname "$0")/lib.sh"

test_expect_success 'all shell scripts can be parsed' '
	for f in "$TOP"/scripts/*.sh "$TOP"/tests/*.sh "$TOP"/tests/t/*.sh "$TOP"/tests/vm/*.sh "$TOP"/tests/lint/*.sh "$TOP"/.ci/run "$TOP"/scripts/completion/perf.bash; do
		[ ! -e "$f" ] || bash -n "$f" || return 1
	done
'

test_expect_success 'what is started is executable' '
	for f in "$TOP"/scripts/*.sh "$TOP"/tests/run.sh "$TOP"/tests/t/t[0-9]*.sh "$TOP"/tests/vm/fetch.sh "$TOP"/tests/vm/v[0-9]*.sh "$TOP"/.ci/run; do
		test -x "$f" || { echo "not executable: $f"; return 1; }
	done
'

test_expect_success 'deps.sh refuses what it does not know, and lists without installing' '
	test_status 129 "$TOP/scripts/deps.sh" --nosuch 2>err &&
	test_grep "usage: deps.sh" err &&
	"$TOP/scripts/deps.sh" --list >out 2>err
'

test_expect_success 'the packages of scripts/deps.sh contain those that the Makefile names' '
	sed -n "/^required=/,/^for_tests/p" "$TOP/scripts/deps.sh" >ours &&
	sed -nE "/^required :=/,/^$/s/.*:([a-z0-9.+-]+)( \\\\)?$/\1/p; s/^opt_[A-Z]*_deb := ([a-z0-9.+-]+).*/\1/p" "$TOP/Makefile" >theirs &&
	test_grep "^libelf-dev$" theirs && test_grep "^libzstd-dev$" theirs &&
	while read -r p; do
		grep -qwF -e "$p" ours || { echo "missing in scripts/deps.sh: $p"; return 1; }
	done <theirs
'

test_lazy_prereq READELF 'needs readelf and pkg-config' 'readelf --version && pkg-config --version'
test_expect_success READELF 'each library that the Makefile requires is one that perf is linked with' '
	readelf -d "$BUILD/perf" | sed -n "s/.*(NEEDED).*\[lib\([a-z]*\).*/-l\1/p" >linked && test_grep "^-lelf$" linked &&
	sed -nE "/^required :=/,/^$/s/^\t([a-z-]+):[a-z0-9.+-]+( \\\\)?$/\1/p" "$TOP/Makefile" >names && test_grep "^libdw$" names &&
	while read -r name; do
		pkg-config --libs-only-l "$name" | tr " " "\n" | grep -qxF -f linked || { echo "required, but not linked: $name"; return 1; }
	done <names
'

test_expect_success 'the workload of the demo runs, and refuses nonsense' '
	cc -O1 -pthread -D_GNU_SOURCE -o threads "$TOP/tests/workloads/threads.c" &&
	./threads 3 30 && test_status 1 ./threads 0
'

test_done
