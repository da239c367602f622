#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='fuzz targets: their corpus, and the corpus changed here and there, neither crash nor hang them'
. "$(dirname "$0")/lib.sh"

for target in "$TOP"/tests/fuzz/fuzz-*.c; do
	name=$(basename "$target" .c)
	case $name in	# whole commands and files take long
	fuzz-commands) rounds=5 ;;
	fuzz-options) rounds=1 ;;
	fuzz-tree) rounds=10 ;;
	*) rounds=100 ;;
	esac
	test_expect_success "$name: corpus" '
		ls "$TOP/tests/fuzz/corpus/${name#fuzz-}"/* >files &&
		xargs "$BUILD/$name" <files
	'
	test_expect_success "$name: changed corpus" '
		xargs "$BUILD/$name" -r ${FUZZ_ROUNDS:-$rounds} -k last-input <files || { od -A x -t x1z last-input | head -n 40; false; }
	'
done
test_done
