#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='HOWTO-fleet.md: its script, and its questions to the profiles of many hosts (FLEET_HOSTS says how many)'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/npm.sh"

howto=$TOP/Documentation/HOWTO-fleet.md
hosts=${FLEET_HOSTS:-20}
export PERF_BUILDID_DIR=$PWD/.debug

# block KIND N: the N-th block of that language
block () { awk -v kind="\`\`\`$1" -v want="$2" '$0 == "```" { on = 0 } on { print } $0 == kind { on = ++n == want }' "$howto"; }
seconds () { date +%s.%N; }
figure () { [ -z "${FLEET_HOSTS:-}" ] || echo "# $*" >&3; }

test_lazy_prereq SYSTEM_WIDE 'needs a recorder of the whole machine' 'perf record -q -a -e cpu-clock -o probe.data true && [ -s probe.data ]'

test_expect_success SYSTEM_WIDE 'the script makes a profile of this host, and leaves nothing else' '
	block sh 1 >perf-fleet && PERF_FLEET_DIR=$PWD/spool PERF_FLEET_SECONDS=0.5 PERF_FLEET_HZ=200 sh perf-fleet &&
	find spool -type f >files && grep "^spool/parquet/host=[^/]*/hour=20..-..-..T../perf-[0-9]*-[0-9]*\.parquet$" files && [ $(wc -l <files) -le 2 ] &&
	[ "$(ls spool)" = parquet ]
'
test_expect_success SYSTEM_WIDE,DUCKDB,PYTHON 'many hosts: each recording is found as it is' '
	for w in leafloop brstack datasym; do
		perf record -q -a -k CLOCK_MONOTONIC -F ${FLEET_HZ:-499} -e cpu-clock -g -o $w.data perf test -w $w >/dev/null 2>&1 || return 1
	done &&
	set -- leafloop brstack datasym && begin=$(seconds) &&
	for i in $(seq $hosts); do
		w=$(shift $((i % 3)); echo $1) &&
		python3 "$TEST_DIR/rehost.py" $w.data host.data "web-$(printf %04d $i).example" $((i % 5 * 1200)) &&
		perf export -q --format parquet --partition -i host.data -o perf && rm host.data || return 1
	done && end=$(seconds) &&
	for i in $(seq $hosts); do echo $((i % 3)); done | sort | uniq -c | while read n i; do
		w=$(shift $i; echo $1) && echo $((n * $(perf script -G -F event -i $w.data | wc -l))) || return 1
	done | awk "{ n += \$1 } END { print n }" >expect &&
	duckdb "select count(*) from ^perf/**/*.parquet^" >actual && test_cmp expect actual &&
	[ $(duckdb "select count(distinct host) from read_parquet(^perf/**/*.parquet^, hive_partitioning = true)") = $hosts ] &&
	figure "$hosts hosts: $(cat expect) samples, $(du -sk perf | cut -f1) KB in $(find perf -type f | wc -l) files, exported in $(echo "$end - $begin" | bc) s"
'
test_expect_success SYSTEM_WIDE,DUCKDB,PYTHON 'the top functions are those of perf report' '
	for w in leafloop brstack datasym; do
		perf export -q --format folded --by none -i $w.data >$w.folded || return 1
	done && set -- leafloop brstack datasym &&
	for i in $(seq $hosts); do (shift $((i % 3)) && cat $1.folded) || return 1; done | sed "s/^\(.*;\)*//" | awk "{ n = \$NF; sub(/ [0-9]*\$/, \"\"); sum[\$0] += n } END { for (f in sum) print f \"|\" sum[f] }" | grep -v "^\[" | sort >expect &&
	duckdb "select function, count(*) from ^perf/**/*.parquet^ where function is not null group by 1" | sed "s/;/:/g" | sort >actual && test_cmp expect actual
'
test_expect_success SYSTEM_WIDE,DUCKDB,PYTHON 'the questions of the page are answered' '
	for q in 1 2 3 4 5; do
		block sql $q >q.sql && [ -s q.sql ] && begin=$(seconds) && duckdb "$(cat q.sql)" >q.$q && figure "question $q: $(echo "$(seconds) - $begin" | bc) s, $(wc -l <q.$q) rows" || return 1
	done &&
	[ $(wc -l <q.1) = 20 ] && [ $(cut -d"|" -f1 q.2 | sort -u | wc -l) = $hosts ] && [ $(cut -d"|" -f2 q.2 | sort -u | wc -l) -ge 2 ] && [ -s q.4 ] &&
	duckdb "select count(*) from ^perf/**/*.parquet^" >expect && awk -F"|" "{ n += \$3 } END { print n }" q.2 >actual && test_cmp expect actual &&
	awk "{ n += \$NF } END { print n }" fleet.folded >actual && test_cmp expect actual
'
test_done
