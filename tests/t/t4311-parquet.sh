#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf export --format parquet: DuckDB finds the samples, stacks and names that perf script shows'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/npm.sh"

small=$TOP/tests/data/small
export PERF_BUILDID_DIR=$PWD/.debug

parquet () { perf export -q --format parquet -f "$@"; }

test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'perf record -q -o probe.data -e cpu-clock true && [ -s probe.data ]'

test_expect_success DUCKDB 'each sample with its time, task, CPU, event and period' '
	for f in fp dwarf pipe zstd sched; do
		parquet -i "$small/$f.data" -o $f.parquet &&
		perf script -G -F comm,pid,tid,time,event,period --ns -i "$small/$f.data" 2>/dev/null | tr -d "[]" | sed "s/\([0-9]\)\/\([0-9]\)/\1 \2/; s/: *$//" | awk "{
			n = NF; split(\$(n - 2), t, /[.:]/); sub(/^0*/, \"\", t[1]); print t[1] t[2] \"|\" \$n \"|\" \$(n - 4) \"|\" \$(n - 3) \"|\" \$(n - 1) }" | sort >expect &&
		[ -s expect ] && duckdb "select time_ns, event, pid, tid, period from \"$f.parquet\"" | sort >actual && test_cmp expect actual || { echo $f; return 1; }
	done
'
test_expect_success DUCKDB,PYTHON 'stacks folded, functions of their own: as in folded and csv' '
	for f in fp dwarf pipe zstd; do
		perf export -q --format folded -i "$small/$f.data" | LC_ALL=C sort >expect &&
		duckdb "select comm || chr(59) || stack || chr(32) || count(*) from \"$f.parquet\" group by comm, stack" | LC_ALL=C sort >actual && test_cmp expect actual &&
		perf export -q --format csv -i "$small/$f.data" >csv && python3 -c "
import csv
from collections import Counter
rows = list(csv.DictReader(open(\"csv\", newline=\"\")))
for k, n in Counter((r[\"function\"], r[\"dso\"], r[\"cpu\"], r[\"comm\"]) for r in rows).items(): print(*k, n, sep=\"|\")" | LC_ALL=C sort >expect &&
		duckdb "select function, dso, cpu, comm, count(*) from \"$f.parquet\" group by all" | LC_ALL=C sort >actual && test_cmp expect actual || { echo $f; return 1; }
	done
'
test_expect_success DUCKDB 'fields of tracepoints, the top functions of report' '
	duckdb "select fields->>^\$.comm^, fields->>^\$.pid^, fields->>^\$.runtime^ from ^sched.parquet^ where event = ^sched:sched_stat_runtime^ order by time_ns" >actual &&
	perf script -F event,trace -i "$small/sched.data" 2>/dev/null | sed -n "s/.*sched_stat_runtime:.* comm=\(.*\) pid=\([0-9]*\) runtime=\([0-9]*\) .*/\1|\2|\3/p" >expect && [ -s expect ] && test_cmp expect actual &&
	perf report -q --stdio --no-children -g none -F sample,sym -i "$small/fp.data" 2>/dev/null | sed -n "s/^ *\([0-9]*\)  *\[[^ ]*\] \(.*[^ ]\) *$/\1 \2/p" | grep -v unknown | grep -v " 0x" | sort >expect &&
	[ -s expect ] && parquet --no-inline -i "$small/fp.data" -o plain.parquet && duckdb "select count(*) || ^ ^ || function from ^plain.parquet^ where function is not null group by function" | sort >actual && test_cmp expect actual
'
test_expect_success DUCKDB,PYTHON 'several row groups, nulls, texts that are no UTF-8' '
	PYTHONPATH=$TEST_DIR PYTHONDONTWRITEBYTECODE=1 python3 -c "
import struct, perfdata as p
st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER
names = [b\"a;b\", b\"\\xff\\xfe\", b\"</script>\", chr(252).encode()]
records = [p.comm(st, 100 + i, 100 + i, n, 1 + i) for i, n in enumerate(names)]
records += [p.record(p.SAMPLE, 2, struct.pack(\"<QQIIQQ\", 1, 0x401000 + i % 1000, 100 + i % 4, 100 + i % 4, 1000 + i, 3)) for i in range(300000)]
p.recording(\"many.data\", [p.attr(st)], records, [(6, p.text(\"x86_64\"))])" &&
	parquet -i many.data -o many.parquet &&
	[ "$(duckdb "select count(*), sum(period), min(time_ns), max(time_ns), count(cpu), count(time), count(fields), count(distinct address) from \"many.parquet\"")" = "300000|900000|1000|300999|0|0|0|1000" ] &&
	duckdb "select comm, count(*) from \"many.parquet\" group by 1 order by 1" >actual && printf "%s|75000\n" "</script>" "a;b" "ü" "��" | LC_ALL=C sort >expect && LC_ALL=C sort actual >sorted && test_cmp expect sorted &&
	[ "$(duckdb "select count(distinct row_group_id) from parquet_metadata(^many.parquet^)")" = 3 ] &&
	[ "$(duckdb "select distinct compression from parquet_metadata(^many.parquet^)")" = ZSTD ] &&
	[ "$(duckdb "select stats_min_value, stats_max_value from parquet_metadata(^many.parquet^) where path_in_schema = ^time_ns^ and row_group_id = 1")" = "132072|263143" ]
'
test_expect_success RECORD,DUCKDB 'a directory with a file for each host and hour' '
	perf record -q -k CLOCK_MONOTONIC -F 500 -e cpu-clock -g -o k.data perf test -w leafloop 0.2 && n=$(perf script -G -F event -i k.data | wc -l) &&
	parquet --partition -i k.data -o parts && find parts -type f >files && grep "^parts/host=[^/]*/hour=20..-..-..T../perf-[0-9]*-[0-9]*\.parquet$" files &&
	duckdb "select count(*) from ^parts/*/*/*.parquet^" >actual && echo $n >expect && test_cmp expect actual &&
	[ "$(duckdb "select count(*), count(distinct host), bool_and(strftime(time at time zone ^UTC^, ^%Y-%m-%dT%H^) = hour), bool_and(abs(epoch(time) - epoch(now())) < 3600) from read_parquet(^parts/**/*.parquet^, hive_partitioning = true, hive_types_autocast = false)")" = "$n|1|true|true" ] &&
	cp -r parts before && test_status 1 perf export -q --format parquet --partition -i k.data -o parts 2>err && test_grep "^Error: the file .*parquet. exists" err &&
	diff -r before parts && parquet --partition -i k.data -o parts && diff -r before parts &&
	test_status 129 perf export --format csv --partition -i k.data -o parts 2>err && test_grep "is for the format parquet" err &&
	test_status 129 perf export --format parquet --partition -i k.data 2>err && test_grep "needs a directory" err
'
test_done
