#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf stat record and report: the same metrics and rows as live'
. "$(dirname "$0")/lib.sh"

# The rows, without titles and times that only the live run knows.
rows () { grep -vE "^ Performance|seconds (time|user|sys)" "$1" | grep . ; }

# same OPTION... : what is recorded is shown as it was live, as text and in each form of data.
same () {
	for f in "" "-x," "-j"; do
		perf stat record -o same.data $f "$@" 2>live && perf stat report -i same.data $f 2>replayed &&
		rows live >a && rows replayed >b && test -s a && test_cmp a b || return 1
	done
}

cat >metrics.json <<'E2'
[ { "MetricName": "own", "MetricExpr": "page\\-faults / #num_cpus_online if has_event(page\\-faults) else context\\-switches", "ScaleUnit": "10things", "MetricThreshold": "own > 0" },
  { "MetricName": "of_own", "MetricExpr": "own * 2 + max(context\\-switches, 1)" } ]
E2

test_expect_success PERF_SW 'metrics, those of no option and those of files' '
	same true && same -d true && same -M CPUs_utilized,page_faults_per_second true && mkdir -p m && cp metrics.json m/x.json &&
	same --metric-dir m -M own,of_own true && same --metric-dir m -M own --metric-no-threshold true &&
	same -e duration_time,user_time,num_cpus,faults true && same -e dummy:u,cs true &&
	perf stat record -o only.data --metric-only -M page_faults_per_second true 2>live && perf stat report --metric-only -i only.data 2>replayed &&
	rows live >a && rows replayed >b && test_cmp a b
'

test_expect_success PERF_SW 'a metric of a file that is gone' '
	mkdir -p m && cp metrics.json m/x.json && perf stat record -o gone.data --metric-dir m -M of_own true 2>live && rm -r m &&
	perf stat report -i gone.data 2>replayed && rows live >a && rows replayed >b && test_cmp a b && test_grep "# .* of_own" b
'

test_expect_success PERF_SW,ROOT 'each part of the machine, as recorded and afterwards' '
	for p in -A --per-core --per-cluster --per-cache --per-cache=L2 --per-die --per-socket --per-node; do
		same -a $p sleep 0.01 && same -a $p -e cs,faults sleep 0.01 || return 1
	done
	perf stat record -a -o wide.data sleep 0.05 2>live && perf stat report -i wide.data -x, 2>sum &&
	for p in -A --per-core --per-cluster --per-cache --per-cache=L1 --per-die --per-socket --per-node; do
		perf stat report -i wide.data $p -x, 2>out && n=3 && [ $p != -A ] || n=2
		for e in context-switches page-faults; do
			awk -F, -v n=$n -v e=$e "\$(n + 2) == e { s += \$n } END { print s }" out >got &&
			awk -F, -v e=$e "\$3 == e { print \$1 }" sum >expect && test_cmp expect got || return 1
		done
	done
'

test_expect_success PERF_SW 'the threads of a process' '
	perf stat record -p $$ -e cs,faults -o t.data sleep 0.01 2>/dev/null && perf stat report -i t.data --per-thread 2>out &&
	test_grep -- "-$$ .* cs( |$)" out
'

test_expect_success PERF_SW,ROOT 'cgroups, and intervals' '
	same -a --for-each-cgroup / -e cs,faults sleep 0.01 && perf stat report -i same.data 2>out && test_grep "cs +/( |$)" out &&
	same -a --for-each-cgroup / -M page_faults_per_second sleep 0.01 &&
	perf stat record -I 20 -o i.data -a -M page_faults_per_second sleep 0.07 2>live && perf stat report -i i.data 2>replayed &&
	rows live >a && rows replayed >b && test "$(grep -c "# .* page_faults_per_second" a)" -ge 3 && test_cmp a b
'

test_expect_success PERF_SW,ROOT 'through a pipe' '
	perf stat record -a -o - -M page_faults_per_second sleep 0.01 2>/dev/null >p.data &&
	for p in --per-core --per-cache --per-node; do
		perf stat report -i - $p <p.data 2>out && test_grep "^(S[0-9]|N[0-9]).* page_faults_per_second" out || return 1
	done
'

test_expect_success PERF_SW,UPSTREAM 'upstream perf reads it, and says nothing of what it does not know' '
	perf stat record -o u.data true 2>/dev/null && "$UPSTREAM" stat report -i u.data >out 2>&1 && ! grep -iE "error|invalid|unknown|failed" out && test_grep "page-faults" out &&
	perf stat record -o - true 2>/dev/null | "$UPSTREAM" stat report -i - >out 2>&1 && ! grep -iE "error|invalid|unknown|failed" out && test_grep "page-faults" out
'

test_expect_success PERF_SW,PYTHON 'a damaged section: a warning, and counts without metrics' '
	perf stat record -o d.data -M page_faults_per_second true 2>/dev/null &&
	python3 - d.data <<-\EOF &&
	import sys
	b = bytearray(open(sys.argv[1], "rb").read())
	i = b.index(b"page_faults_per_second\0faults/sec")
	e = b.index(b"page\\-faults\0" if b"page\\-faults\0" in b[i:] else b"page-faults\0", i)
	b[e + len("page-faults\0") : e + len("page-faults\0") + 4] = b"\xff\xff\xff\x7f"
	open("bad.data", "wb").write(b)
	EOF
	perf stat report -i bad.data 2>out && test_grep "^Warning: .*the COUNTS section is damaged" out && test_grep "page-faults" out && ! grep page_faults_per_second out
'

test_done
