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
	perf probe -l "probe_t0017$$:*" >expect; perf probe -l "probe_t0017$$:*" --json >l.json;
	perf probe -l "probe_t0017$$:*" --field-separator=, >l.csv; perf probe -q -d "probe_t0017$$:*" &&
	test $(grep -c t0017 expect) = 2 && sound PROBE l.json l.csv && of_json l.json "
for p in d[\"probes\"]:
    where = p[\"function\"] + (\":%d\" % p[\"line\"] if \"line\" in p else \"%return\" if p[\"return\"] else \"\")
    print(\"  %-20s (on %s@%s in %s%s)\" % (p[\"group\"] + \":\" + p[\"event\"], where, p[\"file\"], p[\"binary\"],
          \" with \" + \" \".join(p[\"args\"]) if p[\"args\"] else \"\"))" >out && test_cmp expect out
'
test_expect_success '-x and --json exclude each other; a separator is not empty' '
	for c in "evlist -i plain.data" "buildid-list -i fp.data" "list sw" "buildid-cache -l"; do
		test_status 129 perf $c -x, --json 2>err && test_grep "exclude each other" err &&
		test_status 129 perf $c -x "" 2>err && test_grep "one character or more" err || { echo "$c"; return 1; }
	done &&
	perf evlist -i plain.data -x "\\t" | head -n 1 >out && test_grep "^name$(printf "\\t")group" out
'
test_expect_success 'only the JSON renderer of view writes JSON (sched and trace follow)' '
	echo util/view/json.c >expect && (cd "$TOP" && grep -l "base/json\.h" util/view/*.[ch]) |
	grep -v "/sched\|/sys" >out && test_cmp expect out
'
test_done
