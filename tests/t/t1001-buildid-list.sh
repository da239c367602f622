#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf buildid-list: binaries without a known build-id, and those that only call chains touch'
. "$(dirname "$0")/lib.sh"

test_require CORPUS,NEWEST
export LC_ALL=C.UTF-8

# Not compared: the vdso, which upstream copies into a file of a made-up name where there is no build-id, and maps of JIT compilers.
same () {
	local d=$CORPUS/$1/perf.data
	shift
	[ -e "$d" ] || { test_skip 'not in this corpus'; return; }
	perf buildid-list "$@" -i "$d" 2>err | grep -v "vdso\|/tmp/perf-" | sort >actual
	"$NEWEST" buildid-list "$@" -i "$d" 2>/dev/null | grep -v "vdso\|/tmp/perf-" | sort -u >expect
	[ -s expect ] && test_cmp expect actual
}

test_expect_success 'recordings without build-ids: the binaries that were hit, with blanks for their ids' '
	for f in hotspot-perf.data.true.v2-1f36e6 perf_data_converter-perf.data.piped.hw_and_sw-3.4-bc92e3 \
		perf_data_converter-perf.data.piped.no_attr_ids-4.14-d57ad6 perfparser-cpp-inlining.perf.data-d8af26 \
		perfparser-perf.data.zstd.unqz-3e9027; do
		same $f || return 1
	done && test_grep "^ {40} \\[kernel.kallsyms\\]$" expect
'

test_expect_success '-H: of samples and of their callers' '
	same SeismicCode_Optimization-perf.data-62c942 -H && test_grep "^ {40} \\[sunrpc\\]$" actual &&
	same platform_system_extras-perf_display_bitmaps.data-7f4cba -H && test_grep "core-oj.jar" actual &&
	same perf_data_converter-perf.data.callgraph-3.4-8f17bc -H
'

test_done
