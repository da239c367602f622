#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh [STAGE...] [PATTERN]	everything from nothing: packages, a build in which warnings are errors, all tests. The arguments
# go to tests/run.sh (all). The last line is "N passed, N failed, N skipped".

set -u
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
exec </dev/null
jobs=$(nproc 2>/dev/null || echo 2)

scripts/deps.sh --test || exit 1
echo "== build"
start=$(date +%s)
if ! make -s -j"$jobs" WERROR=1 tests; then
	echo "not ok - the build failed"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
echo "built in $(($(date +%s) - start)) s"
[ $# -gt 0 ] || set -- all
exec tests/run.sh "$@"
