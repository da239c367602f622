#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='results as data: what text shows, CSV (-x) and JSON (--json) have, value by value'
. "$(dirname "$0")/lib.sh"

DATA=$TOP/tests/fuzz/corpus/data SMALL=$TOP/tests/data/small PAGE=$TOP/Documentation/perf-data-output.txt
cp "$DATA"/*.data . && cp "$SMALL/fp.data" . && chmod 600 ./*.data

results () { python3 "$TEST_DIR/results.py" "$@"; }
# sound SECTION FILE.json FILE.csv [SEP]: both have the same values, all keys are documented, and no number is a text.
sound () { results same "$2" "$3" "${4:-,}" && results documented "$PAGE" "$1" "$2" && results numbers "$2"; }
# of_json FILE PYTHON: prints what the expressions make of d
of_json () { python3 -c "
import json, sys
d = json.load(open(sys.argv[1]))
$2" "$1"; }

test_expect_success PYTHON 'evlist' '
	for f in plain.data fp.data; do
		perf evlist -i $f --json >e.json && perf evlist -i $f -x, >e.csv && sound EVLIST e.json e.csv &&
		perf evlist -F -i $f | grep -v "^#" >expect &&
		of_json e.json "for e in d[\"events\"]: print(\"%s: sample_freq=%d\" % (e[\"name\"], e[\"sample_freq\"]))" >out &&
		test_cmp expect out && perf evlist -v -i $f | grep -o "sample_type: [A-Z|_]*" >expect &&
		of_json e.json "for e in d[\"events\"]: print(\"sample_type: \" + \"|\".join(e[\"sample_type\"]))" >out &&
		test_cmp expect out || return 1
	done
'
test_expect_success PYTHON,PERF_SW 'evlist: groups, periods, flags' '
	perf record -q -o g.data -e "{cs,page-faults}" -e task-clock -c 1000 true 2>err &&
	perf evlist -i g.data --json >e.json && perf evlist -i g.data -x ";" >e.csv && sound EVLIST e.json e.csv ";" &&
	of_json e.json "print([(e[\"name\"], e.get(\"group\"), e[\"sample_period\"]) for e in d[\"events\"] if not e[\"name\"].startswith(\"dummy\")])" >out &&
	echo "[(\"cs\", 0, 1000), (\"page-faults\", 0, 1000), (\"task-clock\", None, 1000)]" | tr "\"" "\047" >expect &&
	test_cmp expect out &&
	for f in inherit mmap comm sample_id_all; do
		perf evlist -v -i g.data | grep -c ", $f: 1" >expect &&
		of_json e.json "print(sum(\"$f\" in e[\"flags\"] for e in d[\"events\"]))" >out && test_cmp expect out || return 1
	done
'
test_expect_success PYTHON 'buildid-list' '
	perf buildid-list -i fp.data --json >b.json && perf buildid-list -i fp.data -x, >b.csv && sound "BUILDID-LIST, BUILDID-CACHE" b.json b.csv &&
	perf buildid-list -i fp.data >expect && test -s expect &&
	of_json b.json "for b in d[\"build_ids\"]: print(b[\"build_id\"] or \" \" * 40, b[\"path\"])" >out && test_cmp expect out
'
test_expect_success PYTHON 'buildid-cache -l' '
	export PERF_BUILDID_DIR="$PWD/cache" &&
	perf buildid-cache -a "$BUILD/perf" && perf buildid-cache -l >expect && test -s expect &&
	perf buildid-cache -l --json >b.json && perf buildid-cache -l -x, >b.csv && sound "BUILDID-LIST, BUILDID-CACHE" b.json b.csv &&
	of_json b.json "for b in d[\"build_ids\"]: print(b[\"build_id\"], b[\"path\"])" >out && test_cmp expect out &&
	unset PERF_BUILDID_DIR
'
test_expect_success PYTHON 'list' '
	perf list -j sw >l.json && perf list -x, sw >l.csv && sound LIST l.json l.csv &&
	perf list --details -d sw >expect &&
	of_json l.json "
for e in d:
    name = e[\"EventName\"] + (\" OR \" + e[\"EventAlias\"] if \"EventAlias\" in e else \"\")
    print(\"  %-50s [%s]%s\" % (name, e[\"EventType\"], \"\" if e.get(\"Supported\", True) else \" (not supported here)\"))
    if \"BriefDescription\" in e: print(\"       [%s]\" % e[\"BriefDescription\"])
    print(\"        \" + e[\"Encoding\"])" >out && test_cmp expect out
'
test_expect_success PYTHON 'report' '
	perf report --json -i fp.data --no-children -s cpu,pid,time,dso,addr -g none 2>/dev/null >r.json &&
	results documented "$PAGE" REPORT /dev/stdin <<<"{\"lost\":0,\"events\":[{\"name\":\"\",\"samples\":1,\"period\":1,\"rows\":[]}]}" &&
	results numbers r.json && perf report -i fp.data --no-children -s cpu,pid,time,dso,addr -g none -t ";" -q 2>/dev/null >expect &&
	of_json r.json "
for r in d[\"events\"][0][\"rows\"]:
    t = r[\"time\"] // 1000
    print(\";\".join([\"%.2f%%\" % r[\"overhead\"], \"-001\" if r[\"cpu\"] is None else \"%03d\" % r[\"cpu\"],
          \"%7d:%s\" % (r[\"pid\"][\"id\"], r[\"pid\"][\"comm\"]), \"%d.%06d\" % (t // 1000000, t % 1000000), r[\"dso\"],
          \"%#x\" % r[\"addr\"]]))" | sed "s/0x0$/0/" | sort >out &&
	sed "/^\$/d; s/ *;/;/g; s/ *\$//; s/^ *//" expect | sort >rows && sed "s/ *;/;/g" out >out2 &&
	test -s rows && test_cmp rows out2
'
test_expect_success PYTHON 'report --stats, --tasks' '
	for f in fp.data plain.data; do
		perf report --stats --json -i $f >s.json 2>err && perf report --stats -t, -i $f >s.csv 2>err &&
		sound "REPORT --STATS, REPORT --TASKS" s.json s.csv && perf report --stats -i $f 2>err >expect &&
		of_json s.json "
print()
print(\"Aggregated stats:\")
print(\"%20s events: %10d\" % (\"TOTAL\", d[\"total\"]))
for r in d[\"records\"]: print(\"%20s events: %10d  (%4.1f%%)\" % (r[\"type\"], r[\"count\"], r[\"share_pct\"]))
for e in d[\"events\"]: print(e[\"name\"], \"stats:\\n%20s events: %10d\" % (\"SAMPLE\", e[\"samples\"]))
last = None
for k in d[\"stacks\"]:
    if k[\"copied\"] != last: print(\"User stacks, unwound from copies:\" if k[\"copied\"] else \"User stacks, recorded as call chains:\")
    last = k[\"copied\"]
    print(\"%20d  (%5.1f%%)  %s\" % (k[\"samples\"], k[\"share_pct\"], k[\"end\"]))" >out && test_cmp expect out &&
		perf report --tasks --json -i $f >t.json 2>err && perf report --tasks -t ";" -i $f >t.csv 2>err &&
		sound "REPORT --STATS, REPORT --TASKS" t.json t.csv ";" && perf report --tasks -i $f 2>err | sed 1d | sed "s/| */|/" >expect &&
		of_json t.json "for t in d[\"tasks\"]: print(\"%10d %8d %8d |%s\" % (t[\"pid\"], t[\"tid\"], -1 if t[\"ppid\"] is None else t[\"ppid\"], t[\"comm\"]))" >out &&
		test -s expect && test_cmp expect out || return 1
	done &&
	test_status 129 perf report --stats --tasks --json -i fp.data >out 2>err &&
	test_grep "as data, --stats and --tasks are asked for one by one" err
'
test_expect_success PYTHON 'report: why a function has no name' '
	perf report --json -i fp.data --no-children -s dso,symbol -g none >r.json 2>err &&
	results documented "$PAGE" REPORT /dev/stdin <<<"{\"unknown\":\"\",\"inlined\":true}" &&
	of_json r.json "
for r in d[\"events\"][0][\"rows\"]:
    if r[\"symbol\"].startswith(\"[unknown\"): print(r[\"symbol\"], r[\"unknown\"], sep=\": \")" | sort -u >out &&
	grep -c "^\[unknown.*: the file has no symbols\|^\[unknown.*: the file has no function there\|^\[unknown\]: nothing" out >n &&
	grep -c . out >all && test_cmp all n && ! grep -qx 0 all
'
test_expect_success PYTHON,PERF_SW,TRACEFS,ROOT 'report: fields of tracepoints are members of their own' '
	perf record -q -o t.data -e sched:sched_switch sleep 0.01 2>err &&
	perf report --json -i t.data -s prev_pid,next_prio,prev_comm --no-children >r.json 2>err &&
	of_json r.json "
for r in d[\"events\"][0][\"rows\"]: print(type(r[\"prev_pid\"]).__name__, type(r[\"next_prio\"]).__name__, type(r[\"prev_comm\"]).__name__)" |
	sort -u >out && echo "int int str" >expect && test_cmp expect out
'
test_expect_success PYTHON,PERF_SW 'stat: the values of text are in CSV and JSON' '
	perf stat record -o s.data -e task-clock,cs,page-faults,cycles -- sh -c "i=0; while [ \$i -lt 2000 ]; do i=\$((i+1)); done" >/dev/null 2>err &&
	perf stat report -i s.data 2>s.txt && perf stat report -i s.data -x ";" 2>s.csv && perf stat report -i s.data -j 2>s.json &&
	python3 - s.txt s.csv s.json "$PAGE" <<-\PY
	import json, re, sys
	text = open(sys.argv[1]).read()
	csv = [l.rstrip("\n").split(";") for l in open(sys.argv[2])]
	rows = [json.loads(l) for l in open(sys.argv[3])]
	page = open(sys.argv[4]).read()
	assert len(csv) == len(rows) == 4, (csv, rows)
	for c, j in zip(csv, rows):
	    v = j["counter-value"]
	    if not v.startswith("<"):
	        v = "%.2f" % float(v) if "." in c[0] else "%.0f" % float(v)
	    m = j.get("metric-value", "")
	    got = [v, j["unit"], j["event"], str(j["event-runtime"]), "%.2f" % j["pcnt-running"]]
	    assert got == c[:5] and j.get("metric-unit", "") == c[6], (c, j)
	    assert m == c[5] or abs(float(m) - float(c[5])) <= 0.006, (c, j)
	    line = [l for l in text.split("\n") if "stats for" not in l and re.search(r"\b%s\b" % j["event"], l)]
	    assert len(line) == 1 and line[0].split()[0].replace(",", "") == (c[0] if c[0][0] != "<" else c[0].split()[0]), (c, line)
	    assert all("\x27%s\x27" % k in page for k in j), j
	PY
'
test_expect_success PYTHON,CC 'probe -F, -L, -V' '
	cat >p.c <<-\EOF &&
	static int add(int left, int right)
	{
	        int sum = left + right;

	        return sum;
	}
	int main(int argc, char **argv)
	{
	        return add(argc, argv[0][0]) == 0;
	}
	EOF
	cc -g -O0 -o p p.c &&
	for what in "-F" "-L add" "-L p.c" "-V add" "-V add:2 --range"; do
		perf probe -x ./p $what --json >p.json && perf probe -x ./p $what --field-separator=, >p.csv &&
		sound PROBE p.json p.csv && perf probe -x ./p $what >expect && cp p.json "p${what//[^A-Za-z]/}.json" || { echo "$what"; return 1; }
	done &&
	perf probe -x ./p -F >expect && of_json pF.json "for f in d[\"functions\"]: print(f[\"function\"])" >out && test_cmp expect out &&
	perf probe -x ./p -L add >expect && of_json pLadd.json "
r = d[\"lines\"]
print(\"<%s@%s:%d>\" % (r[0][\"function\"], r[0][\"file\"], r[0][\"first\"]))
for l in r: print((\"%7d  \" % l[\"line\"] if l[\"probe\"] else \" \" * 9) + l[\"source\"])" >out && test_cmp expect out &&
	perf probe -x ./p -V add >expect && of_json pVadd.json "
print(\"Available variables at add\")
print(\"\\t@<%s+%d>\" % (d[\"variables\"][0][\"symbol\"], d[\"variables\"][0][\"offset\"]))
for v in d[\"variables\"]: print(\"\\t\\t%s\\t%s\" % (v[\"type\"], v[\"name\"]))" >out && test_cmp expect out &&
	test_grep "left" out
'
test_expect_success PYTHON,CC,UPROBES 'probe -l' '
	cp p "t0017$$" && perf probe -q -x "./t0017$$" -a "t0017add=add left right" -a "t0017ret=add%return" 2>err &&
	perf probe -l "probe_t0017$$:*" >expect && perf probe -l "probe_t0017$$:*" --json >l.json &&
	perf probe -l "probe_t0017$$:*" --field-separator=, >l.csv && perf probe -q -d "probe_t0017$$:*" &&
	test $(grep -c t0017 expect) = 2 && sound PROBE l.json l.csv && of_json l.json "
for p in d[\"probes\"]:
    where = p[\"function\"] + (\":%d\" % p[\"line\"] if \"line\" in p else \"%return\" if p[\"return\"] else \"\")
    print(\"  %-20s (on %s@%s in %s%s)\" % (p[\"group\"] + \":\" + p[\"event\"], where, p[\"file\"], p[\"binary\"],
          \" with \" + \" \".join(p[\"args\"]) if p[\"args\"] else \"\"))" >out && test_cmp expect out
'
# What the scheduler did, in text and in data: the lines of text are made again of the JSON.
cat >sched.py <<\EOF
import json, re, sys
ms = lambda ns: "%d.%03d" % (ns // 10**6, ns // 1000 % 1000)
secs = lambda ns: "%d.%06d" % (ns // 10**9, ns // 1000 % 10**6)
rounded = lambda ns: "%.3f" % (ns / 1e6)
EOF
gunzip -c "$TOP/tests/data/sched-6.1.data.gz" >sched.data
test_expect_success PYTHON 'sched latency' '
	for o in "" "-p -s max" "-C 1"; do
		perf sched latency -i sched.data $o --percentiles --histogram >l.txt && perf sched latency -i sched.data $o --json >l.json &&
		perf sched latency -i sched.data $o -x, >l.csv && sound "SCHED LATENCY" l.json l.csv && python3 - l.json >out <<-\PY &&
		from sched import *
		d = json.load(open(sys.argv[1]))
		for t in d["tasks"]:
		    name = "  %s:%s " % (t["comm"], "(%d)" % t["tasks"] if t["tasks"] > 1 else t["tid"])
		    print("%-24s|%11s ms |%9d | avg:%8s ms | max:%8s ms | max start: %12s s | max end: %12s s" % (
		        name, rounded(t["runtime_ns"]), t["count"], rounded(t["avg_delay_ns"]), rounded(t["max_delay_ns"]),
		        secs(t["max_start_ns"]), secs(t["max_end_ns"])) +
		        "".join(" | p%d:%8s ms" % (p, rounded(t["p%d_ns" % p])) for p in (50, 95, 99)))
		print("  TOTAL:                |%11s ms |%9d |" % (rounded(sum(t["runtime_ns"] for t in d["tasks"])), sum(t["count"] for t in d["tasks"])))
		print("  INFO: %.3f%% of the context switches do not follow the one before: events are missing (%d out of %d)" % (
		    100 * d["gaps"] / d["switches"], d["gaps"], d["switches"]))
		unit = lambda ns: "%d ns" % ns if ns < 1000 else "%.0f us" % (ns / 1e3) if ns < 10**6 else "%.0f ms" % (ns / 1e6)
		h = d["histogram"]
		for r in h:
		    print("  %20s |%9d |%6.2f%% |%s" % (unit(r["from_ns"]) + " - " + unit(r["to_ns"]), r["count"],
		          100 * r["count"] / sum(x["count"] for x in h), "#" * (40 * r["count"] // max(x["count"] for x in h))))
		PY
		grep -e " ms |" -e TOTAL -e INFO -e "%" l.txt | grep -v "Runtime ms" | grep -v " |        0 |  0.00% |" >expect &&
		test "$(grep -c . expect)" -gt 15 && test_cmp expect out || { echo "$o"; return 1; }
	done
'
# trace_text: of JSON rows of a summary, the text that perf trace -s makes of them.
trace_text () { python3 -c "
import json, sys
rows, last = [json.loads(l) for l in open(sys.argv[1])], None
print(\"\\n Summary of events:\\n\")
for r in rows:
    key = r.get(\"tid\", r.get(\"cgroup\"))
    if last is None or key != last[0]:
        if last: print(\"\\n\")
        name = \"total\" if \"events_pct\" not in r else r[\"cgroup\"] if \"cgroup\" in r else \"%s (%d)\" % (r[\"comm\"] or \":%d\" % key, key)
        share = \", %.1f%%\" % r[\"events_pct\"] if \"events_pct\" in r else \"\"
        run = \", %.3f msec\" % (r[\"runtime_ns\"] / 1e6) if \"runtime_ns\" in r else \"\"
        print(\" %s, %d events%s%s\\n\" % (name, r[\"events\"], share, run))
        print(\"   syscall            calls  errors  total       min       avg       max       stddev\")
        print(\"                                     (msec)    (msec)    (msec)    (msec)        (%)\")
        print(\"   --------------- --------  ------ -------- --------- --------- ---------     ------\")
        last = [key]
    ms = [r[\"total_ns\"], r[\"min_ns\"], r[\"total_ns\"] / r[\"calls\"], r[\"max_ns\"]]
    print(\"   %-15s %8d %6d\" % (r[\"syscall\"], r[\"calls\"], r[\"errors\"]), *[\"%9.3f\" % (v / 1e6) for v in ms], \"%9.2f%%\" % r[\"stddev_pct\"])
    for e, n in r.get(\"errnos\", {}).items(): print(\"\\t\\t\\t\\t%s: %d\" % (e, n))
print(\"\\n\")" "$1"; }
# same_text A B: but for the last digit of percents, which were rounded twice.
same_text () { python3 -c "
import sys
a, b = [open(f).read().split(\"\\n\") for f in sys.argv[1:]]
def same(x, y):
    return x == y or x[-1:] == y[-1:] == \"%\" and abs(float(x[:-1]) - float(y[:-1])) < .101 - .09 * (len(x.split(\".\")[1]) > 2)
assert len(a) == len(b), (len(a), len(b))
for x, y in zip(a, b): assert x == y or all(map(same, x.split(), y.split())) and len(x) == len(y), (x, y)
" "$1" "$2"; }
test_expect_success PYTHON,ROOT,TRACEFS 'trace -s: by thread and of all, with errors and time on a CPU' '
	perf trace record -q -o t.data -- sh -c "cat /nonexistent; sleep 0.01; :" >/dev/null 2>&1 && test -s t.data &&
	for o in "" "--errno-summary" "--sched" "--summary-mode total --errno-summary" "--max-summary 3"; do
		perf trace -i t.data -s $o -o expect && perf trace -i t.data -s $o --json -o t.json && perf trace -i t.data -s $o -x, -o t.csv &&
		sound TRACE t.json t.csv && trace_text t.json >out && same_text expect out && grep -c "^   [a-z]" out >n &&
		test $(cat n) -gt 3 && cp out "text$o" || { echo "$o"; return 1; }
	done && test_grep "ENOENT: [0-9]" text--errno-summary && test_grep "^ sleep .*, [0-9.]+ msec" text--sched
'
test_expect_success PYTHON,ROOT,TRACEFS 'trace -s: live, by cgroup' '
	perf trace -s --json -o t.json true && results documented "$PAGE" TRACE t.json && results numbers t.json && test_grep "\"syscall\":\"execve\"" t.json &&
	perf trace -s -x ";" -o t.csv true && test_grep "^comm;tid;events;events_pct;syscall;nr;calls;errors;total_ns;min_ns;max_ns;stddev_pct\$" t.csv &&
	perf trace -s --summary-mode cgroup --json -o t.json true && results documented "$PAGE" TRACE t.json && test_grep "\"cgroup\":\"/" t.json
'
test_expect_success PYTHON,ROOT,TRACEFS 'trace --json: lines, events, what was lost' '
	perf trace --json --tool_stats -i t.data -o t.json && results documented "$PAGE" TRACE t.json &&
	results documented "$PAGE" TRACE /dev/stdin <<<"{\"type\":\"lost\",\"tid\":-1,\"records\":3}" &&
	results documented "$PAGE" TRACE /dev/stdin <<<"{\"type\":\"event\",\"event\":\"\",\"frames\":[],\"args\":\"\"}" &&
	of_json <(sed -n "\$p" t.json) "print(sorted(d))" >out && echo "[\"lines\", \"lost\", \"type\"]" | tr "\"" "\047" >expect && test_cmp expect out
'
test_expect_success '-x of trace is of the summary alone' '
	test_status 129 perf trace -x, true 2>err && test_grep "summary alone" err &&
	test_status 129 perf trace -S -x, true 2>err && test_grep "summary alone" err
'
test_expect_success PYTHON 'sched map' '
	for o in "" "--cpus 1"; do
		perf sched map -i sched.data $o >m.txt && perf sched map -i sched.data $o --json >m.json &&
		perf sched map -i sched.data $o -x, >m.csv && sound "SCHED MAP" m.json m.csv && python3 - m.json >out <<-\PY &&
		from sched import *
		told = {}
		for e in json.load(open(sys.argv[1]))["map"]:
		    new = e["name"] not in ".-" and told.get(e["name"]) != e["comm"]
		    told[e["name"]] = e["comm"]
		    print(e["cpu"], e["name"], secs(e["time_ns"]), "%-2s => %s:%d" % (e["name"], e["comm"], e["tid"]) if new and e["name"] != "-" else "")
		PY
		python3 - m.txt >expect <<-\PY &&
		from sched import *
		for l in open(sys.argv[1]):
		    m = re.match(r"^(.*)\*(..) (.*) (\d+\.\d+) secs (.*)$", l)
		    if m: print((len(m[1]) - 2) // 4, m[2].strip(), m[4], m[5].rstrip())
		PY
		sed -i "s/ .  => swapper:0//; s/ $//" out expect && test "$(grep -c . expect)" -gt 200 && test_cmp expect out || { echo "$o"; return 1; }
	done
'
test_expect_success PYTHON 'sched timehist: events' '
	perf sched timehist -i sched.data -wMnPV --state --show-prio >t.txt 2>err && perf sched timehist -i sched.data -wM --json >t.json 2>err &&
	perf sched timehist -i sched.data -wM -x, >t.csv 2>err && sound "SCHED TIMEHIST" t.json t.csv && python3 - t.json >out <<-\PY &&
	from sched import *
	def name(t):
	    return "<idle>" if not t["tid"] else "%s[%d%s]" % (t["comm"], t["tid"], "/%d" % t["pid"] if t["pid"] != t["tid"] else "")
	for e in json.load(open(sys.argv[1]))["events"]:
	    words = [secs(e["time_ns"]), "[%04d]" % e["cpu"], {"run": "i" if not e["task"]["tid"] else "s", "wakeup": "", "migration": "m"}[e["event"]]]
	    if e["event"] == "run":
	        prio = "%d" % e["prio"] if e["prio"] == e["start_prio"] else "%d->%d" % (e["start_prio"], e["prio"])
	        words += [name(e["task"]), prio] + [ms(e[k + "_ns"]) for k in ("wait", "delay", "run", "pre_migration")] + [e["state"][0]]
	        words += ["next: [%d]" % e["next"]["tid"]]	# text has the name of the event, which was cut
	    elif e["event"] == "wakeup":
	        words += [name(e["by"]).replace("<idle>", "swapper"), "awakened:", name(e["task"])]
	    else:
	        words += [name(e["by"]).replace("<idle>", "swapper"), "migrated:", name(e["task"]), "cpu %d => %d" % (e["from_cpu"], e["to_cpu"])]
	    print(" ".join(w for w in words if w))
	PY
	grep "^ *[0-9]*\.[0-9]* \[" t.txt | sed "s/next: .*\[/next: [/; s/  */ /g; s/^ //; s/ $//" >expect && test "$(grep -c . expect)" -gt 1000 && test_cmp expect out
'
test_expect_success PYTHON 'sched timehist: sums' '
	for o in -s "-s --state" "-s -I" "-s -C 1" "-s -p 141"; do
		perf sched timehist -i sched.data $o >t.txt 2>err && perf sched timehist -i sched.data $o --json >t.json 2>err &&
		perf sched timehist -i sched.data $o -x, >t.csv 2>err && sound "SCHED TIMEHIST" t.json t.csv && python3 - t.json "$o" >out <<-\PY &&
		from sched import *
		d, o = json.load(open(sys.argv[1])), sys.argv[2]
		for s in d["summary"]:
		    t = s["task"]
		    words = ["%s[%d%s]" % (t["comm"], t["tid"], "/%d" % t["pid"] if t["pid"] != t["tid"] else ""),
		             "%d" % (-1 if s["parent"] is None else s["parent"]), "%d" % s["count"]]
		    if "--state" in o:
		        words += [ms(s[k + "_ns"]) for k in ("sum", "slept", "blocked", "preempted", "delay")]
		    else:
		        words += [ms(int(s[k + "_ns"])) for k in ("sum", "min", "avg", "max")] + ["%.2f" % s["stddev_pct"], "%d" % s["migrations"]]
		    print(*words)
		for c in d.get("idle", []):
		    print("CPU %d idle" % c["cpu"], "entire time window" if c["entire"] else "for %s msec (%s%%)" % (
		        ms(c["idle_ns"]), ("%6.2f" % c["idle_pct"]).replace("  ", " ")))
		if "wall_ns" in d:
		    print("Total number of unique tasks: %d\nTotal number of context switches: %d" % (d["tasks"], d["switches"]))
		    print("Total run time (msec): %s\nTotal scheduling time (msec): %s (x %d)" % (ms(d["run_ns"]), ms(d["wall_ns"]), d["cpus"]))
		    print("Switches that do not follow the one before (events are missing): %d" % d["gaps"])
		PY
		sed -n "/^-----/,\$p" t.txt | sed "1d; s/  */ /g; s/^ //; s/ $//; /^Idle stats/d; /^$/d" >expect &&
		test "$(grep -c . expect)" -ge 1 && test_cmp expect out || { echo "$o"; return 1; }
	done
'
test_expect_success PYTHON 'sched replay' '
	perf sched replay -i sched.data -r 2 >r.txt && perf sched replay -i sched.data -r 2 --json >r.json &&
	results documented "$PAGE" "SCHED REPLAY" r.json && results numbers r.json && of_json r.json "
for k in \"run\", \"sleep\", \"wakeup\": print(\"%-22s%d\" % (\"nr_%s_events:\" % k, d[k + \"_events\"]))
for i, t in enumerate(d[\"tasks\"]): print(\"task %6d (%20s:%10d), nr_events: %d\" % (i, t[\"comm\"], t[\"tid\"], t[\"events\"]))
assert len(d[\"rounds\"]) == 2" >out &&
	grep -e "^nr_" -e "^task" r.txt >expect && test "$(grep -c . expect)" -gt 5 && test_cmp expect out &&
	perf sched replay -i sched.data -r 1 -x, >r.csv && of_json r.json "
print(\"comm,tid,events\")
for t in d[\"tasks\"]: print(t[\"comm\"], t[\"tid\"], t[\"events\"], sep=\",\")" >expect && sed "/^\$/,\$d" r.csv >out && test_cmp expect out
'
cp "$TOP/tests/data/schedstat-6.1.data" stats.data && cp "$TOP/tests/data/schedstat-6.1-b.data" stats-b.data && chmod 600 stats*.data
test_expect_success PYTHON 'sched stats report' '
	for o in "" "-C 1"; do
		perf sched stats report -i stats.data $o >s.txt && perf sched stats report -i stats.data $o --json >s.json &&
		perf sched stats report -i stats.data $o -x, >s.csv && results same s.json s.csv && results numbers s.json &&
		python3 - s.json >out <<-\PY &&
		import json, sys
		d, lead = json.load(open(sys.argv[1])), ("cpu", "domain", "domain_name", "domain_cpus")
		print("elapsed", d["elapsed_jiffies"])
		for r in [r for r in d["rows"] if "cpu" not in r] + [r for r in d["rows"] if "cpu" in r]:
		    print("CPU:", r.get("cpu", "<ALL CPUS SUMMARY>"), *(["| DOMAIN:", r.get("domain_name", r["domain"])] if "domain" in r else []),
		          *(["| DOMAIN_CPUS:", r["domain_cpus"]] if "domain_cpus" in r else []))
		    for k, v in r.items():
		        if k not in lead: print(k, v)
		PY
		sed -n "s/^Time elapsed.*: */elapsed /p; /^CPU:/p; s/^\([a-z][a-z_]*\) *: *\([0-9]*\)\( .*\)*\$/\1 \2/p" s.txt >expect &&
		test "$(grep -c . expect)" -gt 90 && test_cmp expect out || { echo "$o"; return 1; }
	done
'
test_expect_success PYTHON 'sched stats diff' '
	perf sched stats diff stats.data stats-b.data >s.txt && perf sched stats diff stats.data stats-b.data --json >s.json &&
	perf sched stats diff stats.data stats-b.data -x, >s.csv && results same s.json s.csv && results numbers s.json &&
	results documented "$PAGE" "SCHED STATS" /dev/stdin <<<"{\"sides\":[{\"side\":\"old\",\"elapsed_jiffies\":1,\"rows\":[{\"cpu\":0,\"domain\":0,\"domain_name\":\"\",\"domain_cpus\":\"\"}]}]}" &&
	of_json s.json "
a, b = d[\"sides\"]
assert (a[\"side\"], b[\"side\"]) == (\"old\", \"new\")
print(\"elapsed\", a[\"elapsed_jiffies\"], b[\"elapsed_jiffies\"])
for x, y in zip(*[[r for r in s[\"rows\"] if \"cpu\" not in r] for s in (a, b)]):
    for k in x:
        if not k.startswith(\"domain\"): print(k, x[k], y[k])" >out &&
	sed -n "s/^Time elapsed.*: *\([0-9]*\), *\([0-9]*\)/elapsed \1 \2/p; s/^\([a-z][a-z_]*\) *: *\([0-9]*\), *\([0-9]*\) .*/\1 \2 \3/p" s.txt >expect &&
	test "$(grep -c . expect)" -gt 40 && test_cmp expect out
'
test_expect_success '-x and --json exclude each other; a separator is not empty' '
	for c in "evlist -i plain.data" "buildid-list -i fp.data" "list sw" "buildid-cache -l" "sched latency -i sched.data" "sched timehist -i sched.data" "sched map -i sched.data" "sched stats report -i stats.data"; do
		test_status 129 perf $c -x, --json 2>err && test_grep "exclude each other" err &&
		test_status 129 perf $c -x "" 2>err && test_grep "one character or more" err || { echo "$c"; return 1; }
	done &&
	perf evlist -i plain.data -x "\\t" | head -n 1 >out && test_grep "^name$(printf "\\t")group" out
'
test_expect_success 'only the JSON renderer of view writes JSON' '
	printf "util/view/%s\n" json-flame.c json-heatmap.c json-why.c json.c >expect && (cd "$TOP" && grep -l "base/json\.h" util/view/*.[ch]) >out && test_cmp expect out
'
test_done
