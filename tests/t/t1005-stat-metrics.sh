#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf stat: metrics, columns and keys as the newest upstream perf has them, events of perf itself'
. "$(dirname "$0")/lib.sh"

# Numbers are N, "nan" and nothing too: upstream's duration_time of a command is 0.
csv_shape () { sed -E 's/(^|,)(nan|[0-9]+(\.[0-9]+)?)%?(,|$)/\1N\4/g; s/(^|,)(nan|[0-9]+(\.[0-9]+)?)%?(,|$)/\1N\4/g; s/,,CPUs /,N,CPUs /; s/^[0-9.]+/N/'; }
json_shape () { sed -E 's/: "?(nan|[0-9]+(\.[0-9]+)?)"?/: N/g; s/ N[0-9.]+/ N/g'; }

# same SHAPE OPTION... : both print the same, but for numbers.
same () {
	local shape=$1
	shift
	perf stat -o ours.out "$@" && "$NEWEST" stat -o theirs.out "$@" &&
	grep -v "^#" ours.out | grep . | $shape | sort -u >ours && grep -v "^#" theirs.out | grep . | $shape | sort -u >theirs &&
	test -s theirs && test_cmp theirs ours
}

places="-A --per-socket --per-die --per-core --per-cache --per-cluster --per-node"

test_expect_success NEWEST,ROOT '-x: the columns of every aggregation' '
	for place in "" $places; do
		for more in "-e cs,task-clock,page-faults" "" "-r 2" "-M cs_per_second,page_faults_per_second" \
			"-M cs_per_second,page_faults_per_second -r 2" "-M CPUs_utilized"; do
			echo "# $place $more" && same csv_shape -a $place -x, $more sleep 0.01 || return 1
		done
	done
'

test_expect_success NEWEST,ROOT '-j: the keys of every aggregation' '
	for place in "" $places; do
		for more in "-e cs,task-clock,page-faults" "" "-r 2" "-M cs_per_second,page_faults_per_second" \
			"-M cs_per_second,page_faults_per_second -r 2" "-M CPUs_utilized"; do
			echo "# $place $more" && same json_shape -a $place -j $more sleep 0.01 || return 1
		done
	done
'

test_expect_success NEWEST,ROOT '-x and -j: intervals, and metrics alone' '
	for place in "" ${places% *}; do	# upstream leaves the name of a column out with --per-node
		for more in "-I 20 -e cs,faults" "--metric-only -M cs_per_second,page_faults_per_second" \
			"--metric-only -M cs_per_second,page_faults_per_second -I 20"; do
			echo "# $place $more" && same csv_shape -a $place -x, $more sleep 0.05 &&
			same json_shape -a $place -j $more sleep 0.05 || return 1
		done
	done
'

test_expect_success NEWEST,ROOT 'a level of caches that the kernel does not show' '
	perf stat -a --per-cache=L4 -e cs -o ours sleep 0.01 && grep "^S" ours | cut -d" " -f1 >names &&
	printf "S%d-D0-L-1-ID-1\n" $(cat /sys/devices/system/cpu/cpu*/topology/physical_package_id | sort -un) >expect &&
	test_cmp expect names &&
	same csv_shape -a --per-cache=L4 -x, -e cs sleep 0.01 && same json_shape -a --per-cache=L4 -j -e cs sleep 0.01
'

test_expect_success NEWEST,PERF_SW '-x and -j of a command' '
	for more in "" "-e cs,faults" "-M cs_per_second" "-r 2" "-e duration_time,user_time,system_time,cs"; do
		echo "# $more" && same csv_shape -x, $more true && same json_shape -j $more true || return 1
	done
'

test_expect_success PERF_SW 'a metric is what its events say' '
	perf stat -x, -o out -M page_faults_per_second,CPUs_utilized sh -c "i=0; while [ \$i -lt 20000 ]; do i=\$((i+1)); done" &&
	awk -F, "/page-faults/ { n = \$1; rate = \$6 } /task-clock/ { ms = \$1; used = \$6 } /duration_time/ { ns = \$1 }
		END { d = rate / (n * 1000 / ms); u = ms * 1e6 / ns; exit !(d > 0.99 && d < 1.01 && used - u < 0.06 && u - used < 0.06) }" out
'

test_expect_success PERF_SW 'metric files: expressions, other metrics, thresholds, in JSON and in colour' '
	mkdir -p metrics/more &&
	cat >metrics/more/m.json <<-\EOF &&
	[
	  { "EventName": "passed over", "EventCode": "0x3c" },
	  { "MetricName": "faults_of_switches", "MetricGroup": "mine;others", "ScaleUnit": "100%",
	    "MetricExpr": "d_ratio(page\\-faults, switches_plus) if #num_cpus > 0 else 7",
	    "MetricThreshold": "faults_of_switches > 0" },
	  { "MetricName": "switches_plus", "MetricGroup": "mine", "MetricExpr": "context\\-switches + 1" },
	  { "MetricName": "one", "MetricGroup": "mine", "MetricExpr": "max(1, has_event(cs)) - strcmp_cpuid_str(nothing) if source_count(cs) else 3",
	    "MetricThreshold": "one > 2" }
	]
	EOF
	perf stat --metric-dir metrics -j -o out -M mine true &&
	python3 - out <<-\EOF &&
	import json, sys
	rows = [json.loads(l) for l in open(sys.argv[1])]
	v = {r["metric-unit"]: r for r in rows if "metric-unit" in r}
	n = {r["event"]: float(r["counter-value"]) for r in rows if "event" in r}
	assert float(v["switches_plus"]["metric-value"]) == n["context-switches"] + 1, v
	assert abs(float(v["%  faults_of_switches"]["metric-value"]) - 100 * n["page-faults"] / (n["context-switches"] + 1)) < 0.01
	assert v["%  faults_of_switches"]["metric-threshold"] == "bad" and v["one"]["metric-threshold"] == "good"
	assert float(v["one"]["metric-value"]) == 1 and "metric-threshold" not in v["switches_plus"]
	EOF
	perf stat --metric-dir metrics --metric-no-threshold -j -o out -M mine true && ! grep threshold out &&
	script -qec "perf stat --metric-dir metrics -M faults_of_switches,one true" /dev/null >out && test_grep "\[31m *[0-9.]*" out && test_grep "\[32m *1\.00" out
'

test_expect_success PERF_SW 'what is wrong with a metric or a file is shown at its place' '
	test_status 1 perf stat -M insn_per_cycl true 2>err && test_grep "there is no metric and no group .insn_per_cycl." err && test_grep "did you mean .insn_per_cycle.?" err &&
	mkdir -p bad && printf "[\n{\"MetricName\": \"m\",\n \"MetricExpr\": \"1 + * 2\"}]\n" >bad/a.json &&
	test_status 1 perf stat --metric-dir bad -M m true 2>err &&
	cat >expect <<-\EOF &&
	'"'bad/a.json:2': metric 'm'"': metric expression: a value is expected
	  1 + * 2
	      ^
	EOF
	test_cmp expect err &&
	printf "[\n{\"MetricName\": \"m\"\n \"MetricExpr\": \"1\"}]\n" >bad/a.json &&
	test_status 1 perf stat --metric-dir bad -M m true 2>err && test_grep "bad/a.json:3.: a .,. or .}. is expected" err &&
	printf "[{\"MetricName\": \"m\", \"MetricExpr\": \"nosuchevent + 1\"}]\n" >bad/a.json &&
	test_status 1 perf stat --metric-dir bad -M m true 2>err && test_grep "metric .m.: event syntax error: .nosuchevent." err &&
	printf "[{\"MetricName\": \"m\", \"MetricExpr\": \"m + 1\"}]\n" >bad/a.json &&
	test_status 1 perf stat --metric-dir bad -M m true 2>err && test_grep "the metric .m. is made of itself" err
'

test_expect_success PERF_SW 'events of perf itself' '
	perf stat -x, -o out -e duration_time,tool/num_cpus/,num_cpus_online,user_time,tool/system_time/ sh -c "i=0; while [ \$i -lt 100000 ]; do i=\$((i+1)); done" &&
	v () { awk -F, -v e="$1" "\$3 == e { print \$1 }" out; } &&
	test "$(v num_cpus_online)" = "$(nproc --all)" && test "$(v duration_time)" -gt 1000000 && test "$(v user_time)" -gt 1000000 &&
	test_status 129 perf stat -e tool/nosuch/ true 2>err && test_grep "there is no such tool event" err &&
	test_status 129 perf record -e duration_time true 2>err && test_grep "can be counted .perf stat., not sampled" err
'

test_expect_success PERF_SW 'time before -D is not counted' '
	perf stat -D 300 -o out -e duration_time sleep 0.6 2>err &&
	d=$(awk "/duration_time/ { gsub(\",\", \"\"); print \$1 }" out) && e=$(awk "/elapsed/ { print int(\$1 * 1e9) }" out) &&
	test_range duration "$d" 200000000 $((e + 50000000)) && test "$e" -lt 590000000
'

test_expect_success PERF_SW '--hide-zero-events' '
	perf stat -x, -o out --hide-zero-events -e alignment-faults,page-faults true && ! grep alignment out && grep page-faults out
'

test_expect_success PERF_SW '--format openmetrics: sums since the start, and a file that is whole' '
	perf stat -I 50 --interval-count 3 --format openmetrics -e faults,cs 2>out &&
	test "$(grep -c "^# EOF$" out)" = 3 && test "$(grep -c "^perf_event_total{event=\"faults\"} [0-9]*$" out)" = 3 &&
	awk "/total.event=.faults/ { if (\$2 < last) exit 1; last = \$2 }" out &&
	perf stat --format openmetrics -o file.prom -M page_faults_per_second true &&
	test_grep "^perf_metric{metric=\"faults/sec  page_faults_per_second\"} [0-9.]*$" file.prom && test "$(tail -n 1 file.prom)" = "# EOF" &&
	test_status 129 perf stat --format xml true 2>err && test_grep "is no format" err &&
	test_status 129 perf stat --format openmetrics -j true 2>err
'

cat >scrape.py <<\EOF
import http.client, re, sys
where = re.search(r"http://([^/]+)/", open(sys.argv[1]).read()).group(1)
def ask(method, path, **k):
    c = http.client.HTTPConnection(where, timeout=10)
    c.request(method, path, **k)
    r = c.getresponse()
    return r.status, r.getheader("Content-Type"), r.read().decode()
status, kind, text = ask("GET", "/metrics")
assert status == 200 and kind.startswith("application/openmetrics-text") and text.endswith("# EOF\n"), (status, kind, text)
open("scraped", "w").write(text)
assert ask("GET", "/metrics?x=1")[0] == 200 and ask("HEAD", "/metrics")[2] == "" and ask("HEAD", "/metrics")[0] == 200
assert ask("GET", "/")[0] == 404 and ask("POST", "/metrics", body="x")[0] == 405
assert ask("GET", "/metrics", headers={"X": "y" * 9000})[0] == 431
EOF

# serving OPTION... : perf stat with --listen on a free port, in the background, until its first interval has ended.
serving () {
	rm -f served; perf stat -I 50 "$@" 2>served & server=$!
	test_kill_at_end $server && test_wait_for 20 "grep -q Serving served" && sleep 0.3
}

test_expect_success PERF_SW,PYTHON '--listen: the last interval, to who asks for /metrics; nothing else is there' '
	serving --listen 127.0.0.1:0 -e page-faults,cs sleep 60 && python3 scrape.py served && test_grep "^perf_event_total.event=.page-faults.. [0-9]+$" scraped &&
	port=$(sed -n "s,.*127.0.0.1:\([0-9]*\)/.*,\1,p" served) && kill $server && test_status 143 wait $server && ! curl -s -m 2 http://127.0.0.1:$port/metrics &&
	test "$(grep -c . served)" = 1
'

test_expect_success PERF_SW,PYTHON '--listen: clients that say nothing, or do not read, keep nobody waiting' '
	serving --listen 127.0.0.1:0 -e page-faults sleep 60 && python3 - served <<-\EOF &&
	import re, socket, sys
	host, port = re.search(r"http://([^/:]+):(\d+)/", open(sys.argv[1]).read()).groups()
	idle = [socket.create_connection((host, int(port))) for i in range(20)]
	for s in idle[:5]: s.send(b"GET /met")
	for s in idle[5:9]: s.send(b"GET /metrics HTTP/1.1\r\n\r\n")
	for s in idle[9:12]: s.close()
	import runpy
	runpy.run_path("scrape.py")
	EOF
	kill $server && test_status 143 wait $server && test_grep "^perf_event_total" scraped
'

test_expect_success PERF_SW,PROMETHEUS '--listen: a real Prometheus takes it' '
	serving --listen 127.0.0.1:0 -e page-faults,cs -M page_faults_per_second sleep 60 && port=$(sed -n "s,.*127.0.0.1:\([0-9]*\)/.*,\1,p" served) &&
	printf "%s\n" "global: {scrape_interval: 1s}" "scrape_configs: [{job_name: perf, static_configs: [{targets: [\"127.0.0.1:$port\"]}]}]" >prom.yml &&
	own=$((port + 1 < 65536 ? port + 1 : port - 1)) && { prometheus --config.file=prom.yml --storage.tsdb.path=tsdb --web.listen-address=127.0.0.1:$own >prom.log 2>&1 & } &&
	test_kill_at_end $! && test_wait_for 60 "curl -s \"http://127.0.0.1:$own/api/v1/query?query=perf_event_total\" | grep -q page-faults" &&
	curl -s "http://127.0.0.1:$own/api/v1/query?query=up" | grep -q "\"1\"" && kill $server
'

test_expect_success PERF_SW '--listen: what cannot be' '
	test_status 129 perf stat --listen 127.0.0.1:0 true 2>err && test_grep "listen needs -I" err &&
	test_status 129 perf stat -I 100 -x, --listen 127.0.0.1:0 true 2>err &&
	for a in :9100 9100 127.0.0.1 127.0.0.1:x 127.0.0.1:99999 localhost:9100 example.com:80 "[::1"; do
		test_status 1 perf stat -I 100 --listen $a -e cs touch ran 2>err && test_grep "^Error: .* is no address to listen on$" err && test_grep "^Hint: 127.0.0.1:9100" err && ! test -e ran || return 1
	done &&
	test_status 1 perf stat -I 100 --listen 203.0.113.7:0 -e cs true 2>err && test_grep "cannot listen on .203.0.113.7:0." err
'

test_done
