#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf evlist and the reader of recordings: names, attrs, streams, damaged files, recordings of the world'
. "$(dirname "$0")/lib.sh"

DATA=$TOP/tests/fuzz/corpus/data
cp "$DATA"/*.data . && chmod 600 ./*.data

# Nothing on stderr but what upstream perf says about kernel addresses that are hidden from it on this machine.
no_word () { grep -viE "kptr_restrict|kallsyms|restricted|^[[:space:]]*$" err >words; test_cmp /dev/null words; }

cat >names <<'X'
cpu-clock
page-faults
# Tip: use 'perf evlist -g' to show group information
X
printf 'cpu-clock\npage-faults\n' >names.pipe

test_expect_success 'names' '
	perf evlist -i plain.data >out 2>err && test_cmp names out && test_cmp /dev/null err
'
test_expect_success '-F, -g' '
	perf evlist -F -i plain.data >out &&
	sed "s/^\(cpu-clock\|page-faults\)$/\1: sample_freq=4000/" names >expect && test_cmp expect out &&
	perf evlist -g -i plain.data >out &&
	echo "{cpu-clock,page-faults}" >expect && test_cmp expect out &&
	test_status 129 perf evlist -g -v -i plain.data
'
test_expect_success '-v' '
	perf evlist -v -i plain.data >out &&
	test_grep "^cpu-clock: type: 1 \(PERF_TYPE_SOFTWARE\), size: [0-9]+, config: 0 \(PERF_COUNT_SW_CPU_CLOCK\), " out &&
	test_grep "sample_type: IP\|TID\|TIME\|PERIOD\|IDENTIFIER, .*freq: 1, sample_id_all: 1$" out
'
test_expect_success 'pipe mode: in a file and through a pipe' '
	perf evlist -i pipe.data >out && test_cmp names.pipe out &&
	cat pipe.data | perf evlist -i - >out && test_cmp names.pipe out
'
test_expect_success 'perf.data is the default' '
	cp plain.data perf.data && perf evlist >out && test_cmp names out && rm perf.data
'
test_expect_success 'what is no recording' '
	test_status 1 perf evlist -i nosuch.data 2>err &&
	test_grep "failed to open nosuch.data: No such file or directory" err &&
	: >empty && test_status 1 perf evlist -i empty 2>err && test_grep "zero-sized data \(empty\)" err &&
	echo "hello, this is text" >text && test_status 1 perf evlist -i text 2>err &&
	test_grep "text: incompatible file format" err &&
	mkdir dir && test_status 1 perf evlist -i dir 2>err && test_grep "dir: a directory without a recording" err
'
test_expect_success 'a cut file is listed, with one warning' '
	head -c 700 plain.data >cut.data && test_status 1 perf evlist -i cut.data >out 2>err &&
	printf "cpu-clock\npage-faults\n" >expect && test_cmp expect out &&
	test_grep "cut.data: 284 of 368 bytes of its data are there" err &&
	test "$(grep -c Warning err)" = 1
'
test_expect_success 'a cut header names file and offset' '
	head -c 300 plain.data >cut.data && test_status 1 perf evlist -i cut.data 2>err &&
	test_grep "cut.data: the event attrs at offset 0x80 .* end beyond the file \(300 bytes\)" err
'
test_expect_success 'build-ids' '
	perf buildid-list -i plain.data >out &&
	echo "0102030405060708090a0b0c0d0e0f1011121314 /usr/bin/worker" >expect && test_cmp expect out &&
	perf buildid-list -i pipe.data >out && test_cmp expect out
'
test_expect_success 'raw dump' '
	perf script -D -i plain.data >out 2>err &&
	test "$(grep -c "PERF_RECORD_SAMPLE(IP, 0x2): 100/100: 0x40000" out)" = 4 &&
	test_grep "PERF_RECORD_COMM exec: worker 3:100/100" out &&
	perf report -D -i plain.data | grep -v "^#" >out.report &&
	grep -v "^ *worker" out >out.script && test_cmp out.script out.report &&
	test_grep "^\.  0000:  03 00 00 00 00 20 " out
'

# Upstream perf tools read what our writer wrote, without a word on stderr, and say the same.
for file in plain pipe zstd; do
	test_expect_success UPSTREAM "upstream perf reads our $file file" '
		"$UPSTREAM" script -i $file.data >out 2>err && no_word &&
		case $file in zstd) n=40 ;; *) n=4 ;; esac &&
		test "$(grep -c "^ *worker 3 .*/usr/bin/worker)$" out)" = $n
	'
done
test_expect_success UPSTREAM 'upstream perf shows the same header' '
	grep_header () { grep -v "^# event \|missing features\|captured on"; } &&
	"$UPSTREAM" report --header-only -I -i plain.data 2>err | grep_header >expect && no_word &&
	perf report --header-only -I -i plain.data | grep_header >out && test_cmp expect out
'
test_expect_success NEWEST 'the newest upstream perf shows the same header and attrs' '
	for file in plain pipe zstd zstd2; do
		"$NEWEST" report --header-only -I -i $file.data 2>err >expect && no_word &&
		perf report --header-only -I -i $file.data >out &&
		"$NEWEST" evlist -v -i $file.data >>expect &&
		perf evlist -v -i $file.data >>out &&
		sed -n "/^# event /p" out >events.ours && sed -n "/^# event /p" expect >events.upstream &&
		test_cmp events.upstream events.ours && sort expect >a && sort out >b &&
		case $file in pipe) sed "/^# event/d; /^# captured/d" a >x && sed "/^# event/d; /^# captured/d" b >y && test_cmp x y ;;
		*) test_cmp expect out ;; esac || return 1
	done
'

# Recordings of other people. What upstream perf printed for each lies beside it; these differ, and why:
# refused by upstream perf: flg, perf-2f50ef, perf_etm, trace_offcpu, tracepoint_event. Pipe mode, where upstream perf forgets the
# names of EVENT_DESC, or whose header came late: fibo, sleep, header_features, no_attr_ids, probe. Names that
# upstream perf took from the machine on which it ran: cpp-inlining, zstd.unqz.
differs='flg-|perf.data-2f50ef|perf_etm|trace_offcpu|tracepoint_event|compressed|header_features|no_attr_ids|probe.data|cpp-inlining|zstd.unqz'
test_expect_success CORPUS 'every recording of the corpus opens' '
	for dir in "$CORPUS"/*/; do
		perf evlist --tolerant -f -i "$dir/perf.data" >out 2>err && [ -s out ] || { echo "$dir"; cat err; return 1; }
	done
'
test_expect_success CORPUS 'its attrs are shown as the newest upstream perf shows them' '
	for dir in "$CORPUS"/*/; do
		echo "$dir" | grep -qE "$differs" && continue
		gunzip -c "$dir/evlist-7.2.txt.gz" | grep -av "^WARNING: " >expect &&
		perf evlist --tolerant -f -v -i "$dir/perf.data" >out && test_cmp expect out || { echo "$dir"; return 1; }
	done
'
# spinner: its recorder was killed, and we say how much data there is.
test_expect_success CORPUS 'its headers are shown as the newest upstream perf shows them' '
	for dir in "$CORPUS"/*/; do
		echo "$dir" | grep -qE "$differs|spinner" && continue
		gunzip -c "$dir/header-7.2.txt.gz" | grep -av -e "^# captured on" -e "^WARNING: " >expect &&
		{ perf report --tolerant --header-only -f -i "$dir/perf.data" 2>err || { cat err && false; }; } >shown &&
		grep -av "^# captured on" shown >out && test_cmp expect out || { echo "$dir"; return 1; }
	done
'
test_done
