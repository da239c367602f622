#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf timechart: an SVG that is well-formed, bounded, and holds what was recorded'
. "$(dirname "$0")/lib.sh"

test_workload threads
test_workload schedenc

sched_record () { perf sched record -o "$@"; }

test_lazy_prereq SCHED 'needs root and the scheduler tracepoints' 'sched_record probe.data true && [ -s probe.data ]'
test_lazy_prereq PYTHON 'needs python3' 'command -v python3'

test_expect_success SCHED 'a picture' '
	sched_record s.data ./threads 2 200 >/dev/null 2>&1 &&
	perf timechart -i s.data -o out.svg 2>err && grep "seconds of trace to out.svg" err
'
test_expect_success SCHED,PYTHON 'it is well-formed; bars lie inside of their lanes' '
	python3 - <<-\EOF
	import xml.etree.ElementTree as e
	root = e.parse("out.svg").getroot()
	width = float(root.get("data-w"))
	bars = [r for r in root.iter("{http://www.w3.org/2000/svg}rect") if r.get("data-t")]
	assert bars
	for b in bars:
	    x, w = float(b.get("x")), float(b.get("width"))
	    assert x >= 0 and x + w <= width + 1, (x, w, width)
	EOF
'
test_expect_success SCHED 'the selection of a task' '
	perf timechart -i s.data -T -p nosuchtask -o none.svg 2>/dev/null && ! grep "data-t=" none.svg
'
test_expect_success SCHED 'lanes as asked for' '
	perf timechart -i s.data -P -o cpus.svg 2>/dev/null && grep ">CPU 0<" cpus.svg &&
	! grep "<text class=\"n\"" cpus.svg &&
	perf timechart -i s.data -T -n 3 -o tasks.svg 2>/dev/null && ! grep ">CPU 0<" tasks.svg &&
	grep -c "<text class=\"n\"" tasks.svg >n && echo 3 >expect && test_cmp expect n
'
# Upstream perf has a lane for each name that a task had, here it has one.
test_expect_success SCHED,PYTHON,NEWEST 'each task that has a lane in the newest upstream perf has one' '
	sched_record n.data sh -c "for i in 1 2 3 4; do (n=0; while [ \$n -lt 30000 ]; do n=\$((n + 1)); done) & done; wait; sleep 0.05" >out 2>&1 && perf timechart -n 10000 -i n.data -o out.svg 2>err &&
	"$NEWEST" timechart -n 1 -i n.data -o upstream.svg >out 2>&1 </dev/null && python3 - <<-\EOF
	import re
	lanes = lambda path, pattern: set(re.findall(pattern, open(path, errors="replace").read()))
	ours = lanes("out.svg", r"<text class=\"n\"[^>]*>[^<]*:(\d+)<")
	upstream = lanes("upstream.svg", r"<text [^>]*>[^<]*:(\d+) \([^<]*</text>")
	# One that was woken by the last event of all, or ran from before the first one only, has nothing to draw here.
	assert len(upstream) > 2 and len(upstream - ours) <= 2, (upstream - ours, len(upstream), len(ours))
	EOF
'
test_lazy_prereq SYSCALLS 'needs root and the tracepoints of system calls' 'perf timechart record -I -o probe-io.data true && [ -s probe-io.data ]'

test_expect_success SCHED,SYSCALLS 'I/O calls are drawn, each with its bytes' '
	cp "$(command -v dd)" iostory &&
	perf timechart record -I -o io.data -- ./iostory if=/dev/zero of=zeros bs=64k count=20 conv=fsync >/dev/null 2>&1 &&
	perf timechart -i io.data -p iostory -o io.svg 2>err && grep ">iostory:[0-9]*<title>" io.svg &&
	n=$(grep -c "class=\"k5\".* data-b=\"65536\"" io.svg) && { test "$n" = 20 || grep "lost" err; } &&
	{ grep "class=\"k6\".*data-t=" io.svg || grep "lost" err; } &&
	grep ">write<" io.svg && ! grep "class=\"r\".*data-t" io.svg
'
test_expect_success SCHED,SYSCALLS 'calls near each other are one' '
	perf timechart -i io.data -p iostory --io-merge-dist 1000s -o one.svg 2>err &&
	n=$(grep -c "class=\"k5\".*data-t" one.svg) && test "$n" = 1
'

cat >story <<\EOF
cpus 4
core 0-3
thread 0,2
thread 1,3
0 0 comm 100 100 hog
0 0 comm 200 200 server
1000 0 switch swapper/0:0 R hog:100
1000 1 switch swapper/1:0 R server:200
1500 1 switch server:200 D swapper/1:0
1500 1 idle 2
2000 0 wake 100 server:200 1
2000 1 idle -1
2000 1 freq 2400000
2005 1 iowait server:200 500
2010 1 switch swapper/1:0 R server:200
2100 1 wake 200 hog:100 0
3000 1 switch server:200 R+ hog2:101
4000 0 switch hog:100 S swapper/0:0
4000 1 freq 1200000
4000 2 switch swapper/2:0 R reader:300
4000 3 switch swapper/3:0 R hog<3:103
4100 0 move 0 server:200 1 0
4200 0 switch swapper/0:0 R server:200
4300 2 enter 300 3
4400 2 exit 300 512
4500 1 switch hog2:101 S swapper/1:0
5000 0 switch server:200 Z swapper/0:0
5000 2 switch reader:300 S swapper/2:0
5000 3 switch hog<3:103 S swapper/3:0
EOF
cat >bars.py <<\EOF
# Each bar: lane, what it says, from and for how long in us; a lane is named by the label at its height.
import sys, xml.etree.ElementTree as e
S = "{http://www.w3.org/2000/svg}"
root = e.parse(sys.argv[1]).getroot()
lanes = {int(t.get("y")) - 13: t.text for t in root.iter(S + "text") if t.find(S + "title") is not None}
names = {d.get("id"): d.text for d in root.iter(S + "desc")}
for r in root.iter(S + "rect"):
    if r.get("data-f") is None:
        continue
    y = max(l for l in lanes if l <= int(r.get("y")))
    more = "".join(" %s=%s" % (k, r.get("data-" + k)) for k in "vbu" if r.get("data-" + k))
    print(lanes[y], r.get("class"), names.get("t" + (r.get("data-t") or ""), "-"), int(r.get("data-f")) // 1000,
          int(r.get("data-d")) // 1000, more.strip())
EOF
test_expect_success 'an encoded story' '
	./schedenc story.data <story && perf timechart -i story.data -o story.svg 2>err && grep "Written 0.0 seconds" err
'
test_expect_success PYTHON 'each bar is what the story says' '
	python3 bars.py story.svg | sed "s/ *\$//" >out && cat >expect <<-\EOF &&
	CPU 0 r hog:100 0 3000
	CPU 0 r server:200 3200 800
	CPU 1 r server:200 0 500
	CPU 1 r server:200 1010 990
	CPU 1 r hog2:101 2000 1500
	CPU 1 c2 - 500 500 v=2
	CPU 1 f - 1000 2000 v=2400000
	CPU 1 f - 3000 1000 v=1200000
	CPU 2 r reader:300 3000 1000
	CPU 3 r hog<3:103 3000 1000
	hog:100 r hog:100 0 3000
	server:200 r server:200 0 500
	server:200 r server:200 1010 990
	server:200 r server:200 3200 800
	server:200 w server:200 1000 10
	server:200 w server:200 2000 1200
	server:200 o server:200 500 500
	hog2:101 r hog2:101 2000 1500
	reader:300 r reader:300 3000 1000
	reader:300 k4 reader:300 3300 100 b=512
	hog<3:103 r hog<3:103 3000 1000
	EOF
	test_cmp expect out
'
test_expect_success PYTHON 'who waits, or is blocked, at the end' '
	printf "%s\n" "cpus 1" "0 0 switch swapper/0:0 R a:7" "100 0 switch a:7 D b:8" "200 0 new 8 c:9 0" "300 0 switch b:8 R+ d:10" "400 0 wake 10 e:11 0" \
		"500 0 wake 10 f:12 0" "500 0 switch d:10 S swapper/0:0" | ./schedenc end.data && perf timechart -T -i end.data -o end.svg 2>err &&
	python3 bars.py end.svg | grep -v " r " | sed "s/ *\$//" >out && cat >expect <<-\EOF && test_cmp expect out
	a:7 b a:7 100 400
	b:8 w b:8 300 200
	c:9 w c:9 200 300
	e:11 w e:11 400 100
	EOF
'
test_expect_success PYTHON 'tasks by name and by pid; -P, -T, -n, -w' '
	perf timechart -i story.data -T -p server,300 -o p.svg 2>/dev/null && python3 bars.py p.svg | cut -d" " -f1 | sort -u >out &&
	printf "reader:300\nserver:200\n" >expect && test_cmp expect out &&
	perf timechart -i story.data -P -w 800 -o p.svg 2>/dev/null && python3 bars.py p.svg | cut -d" " -f1 | sort -u >out &&
	echo CPU >expect && test_cmp expect out && grep " width=\"800\"" p.svg &&
	perf timechart -i story.data -T -n 2 -o p.svg 2>/dev/null && python3 bars.py p.svg | cut -d" " -f1 | sort -u | wc -l >out &&
	echo 2 >expect && test_cmp expect out
'
test_expect_success PYTHON '-p several times, and all that match: -n limits them' '
	perf timechart -i story.data -T -p server -p 300,hog2 -o p.svg 2>/dev/null && python3 bars.py p.svg | cut -d" " -f1 | sort -u >out &&
	printf "hog2:101\nreader:300\nserver:200\n" >expect && test_cmp expect out &&
	{ echo "cpus 20"; for i in 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29; do
		echo "1000 $((i - 10)) switch swapper/$((i - 10)):0 R many:1$i"; done
	  for i in 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29; do
		echo "2000 $((i - 10)) switch many:1$i S swapper/$((i - 10)):0"; done; } | ./schedenc many.data &&
	for o in "-p many 20" "-p many -n 7 7" "-p many -p 110 20" " 15" "-n 18 18"; do
		perf timechart -i many.data -T ${o% *} -o p.svg 2>/dev/null && python3 bars.py p.svg | cut -d" " -f1 | sort -u | wc -l >out &&
		echo "${o##* }" >expect && test_cmp expect out || { echo "$o"; return 1; }
	done
'
test_expect_success PYTHON 'times of --io-min-time and --io-merge-dist are in ns without a unit' '
	printf "%s\n" "cpus 1" "0 0 switch swapper/0:0 R io:7" "10 0 enter 7 0" "20 0 exit 7 5" "23 0 enter 7 0" "30 0 exit 7 6" "40 0 switch io:7 S swapper/0:0" |
		./schedenc io2.data &&
	for o in "2999 2" "3000 1" "2us 2" "3us 1"; do
		perf timechart -i io2.data --io-merge-dist ${o% *} -o m.svg 2>/dev/null &&
		test "$(python3 bars.py m.svg | grep -c " k4 ")" = "${o#* }" || { echo "$o"; return 1; }
	done &&
	for o in 20000 20us; do
		perf timechart -i io2.data -w 600 --io-min-time $o -o m.svg 2>/dev/null && grep "class=\"k4\" .*data-d=\"10000\"" m.svg |
			sed "s/.* width=\"\([0-9.]*\)\".*/\1/" || return 1
	done | uniq -c | sed "s/^ *//" >out && test "$(wc -l <out)" = 1
'
test_expect_success PYTHON '--highlight: a name, or longer than' '
	perf timechart -i story.data --highlight hog2 -o h.svg 2>/dev/null && python3 bars.py h.svg | grep " hi " >out &&
	printf "%s\n" "CPU 1 hi hog2:101 2000 1500 " "hog2:101 hi hog2:101 2000 1500 " >expect && test_cmp expect out &&
	perf timechart -i story.data --highlight 1200000 -o h.svg 2>/dev/null && python3 bars.py h.svg | grep -c " hi " >out &&
	echo 5 >expect && test_cmp expect out
'
test_expect_success PYTHON '-t: threads of a core are neighbours' '
	perf timechart -i story.data -t -P -o t.svg 2>/dev/null &&
	python3 - >out <<-\EOF &&
	import xml.etree.ElementTree as e
	S = "{http://www.w3.org/2000/svg}"
	print([t.text for t in e.parse("t.svg").getroot().iter(S + "text") if t.find(S + "title") is not None])
	EOF
	echo "['\''CPU 0'\'', '\''CPU 2'\'', '\''CPU 1'\'', '\''CPU 3'\'']" >expect && test_cmp expect out &&
	grep -v "^core\|^thread" story | ./schedenc plain.data && test_must_fail perf timechart -t -i plain.data 2>err && grep topology err
'
test_expect_success PYTHON 'power events alone are enough' '
	printf "%s\n" "cpus 1" "0 0 idle 3" "100 0 freq 800000" "200 0 idle -1" "250 0 idle 1" "300 0 idle -1" | ./schedenc power.data &&
	perf timechart -i power.data -o power.svg 2>/dev/null && python3 bars.py power.svg >out &&
	printf "%s\n" "CPU 0 c3 - 0 200 v=3" "CPU 0 c1 - 250 50 v=1" "CPU 0 f - 100 200 v=800000" >expect && test_cmp expect out
'
test_expect_success PYTHON '64 CPUs, 10 s: the picture is bounded, and the shares are kept' '
	./schedenc busy.data busy 64 10000 2000 && perf timechart -i busy.data -o busy.svg 2>/dev/null &&
	n=$(grep -c "<rect\|<text\|<line\|<desc" busy.svg) && test_range elements "$n" 5000 23000 &&
	test_range bytes "$(stat -c %s busy.svg)" 100000 4000000 &&
	python3 bars.py busy.svg | awk "\$1 == \"CPU\" { split(\$0, u, \"u=\"); ms += \$6 / 1000 * (u[2] ? u[2] : 100) / 100 } END { print ms }" >drawn &&
	perf sched latency -p --json -i busy.data >busy.json &&
	python3 -c "import json; print(sum(c[\"running_ns\"] for c in json.load(open(\"busy.json\"))[\"cpus\"]) / 1e6)" >ran &&
	test_range "drawn ms" "$(cat drawn)" "$(awk "{ print \$1 * .97 }" ran)" "$(awk "{ print \$1 * 1.03 }" ran)"
'
test_expect_success 'few CPUs and many, short and long: never more than that' '
	for o in "8 1000 2000" "8 10000 2000" "128 10000 500"; do
		./schedenc sized.data busy $o && perf timechart -i sized.data -o sized.svg 2>err &&
		test_range "elements of $o" "$(grep -c "<rect\|<text\|<line\|<desc" sized.svg)" 2000 23000 || return 1
	done && rm sized.data
'
# The page's own script, in a real browser: what a wheel, a move and a click change in the document.
test_expect_success CHROMIUM 'zoom, hover and a click in a browser' '
	sed "s|</svg>\$||; s|<rect class=\"o\"|& data-s=\"9\"|; s|^<defs>\$|&<desc id=\"s9\">do_read \&lt;- x_read</desc>|" story.svg >page.svg && cat >>page.svg <<-\EOF &&
	<script><![CDATA[
	var c = document.getElementById("chart"), r = c.querySelector("rect.o");
	function at(type, x, y, target) {
		(target || document.documentElement).dispatchEvent(new (type === "wheel" ? WheelEvent : MouseEvent)(type,
			{ clientX: x, clientY: y, deltaY: -100, bubbles: true, cancelable: true, view: window })); }
	// A busy machine has no frames for a while.
	window.requestAnimationFrame = function (f) { setTimeout(f, 0); };
	at("mousemove", 300, 300, r);
	var tip = document.getElementById("tip").textContent;
	at("wheel", 600, 300);
	at("click", 10, 10, document.querySelector("text.n"));
	setTimeout(function () {
		document.documentElement.setAttribute("data-result", tip + "|" + c.getAttribute("transform") + "|" +
			document.querySelectorAll("rect.sel").length + "|" + document.getElementById("status").textContent); }, 300);
	]]></script>
	</svg>
	EOF
	timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --user-data-dir="$PWD/chr" --virtual-time-budget=3000 \
		--dump-dom "file://$PWD/page.svg" >dom 2>/dev/null
	if [ $? = 124 ]; then test_skip "the browser did not answer within a minute"; return; fi
	grep -o "data-result=\"[^\"]*\"" dom >out && cat out &&
	grep "server:200 is blocked by I/O, CPU 1 *1000.001500 s + 500.0 usin do_read *&lt;- x_read|scale(1.25 1) translate(-[0-9.]* 0)|2|1 bars on CPUs, 3.000 ms" out
'
# Each run of the picture ends with the chain that timehist has for it.
test_expect_success SCHED,PYTHON 'record -g: where tasks left their CPUs' '
	perf timechart record -g -o g.data taskset -c 0 sleep 0.05 >/dev/null 2>&1 && perf timechart -i g.data -n 1000 -o g.svg 2>err &&
	perf sched timehist --max-stack 12 --json -i g.data >g.json 2>err && python3 - >out <<-\EOF && echo "True True True" >expect && test_cmp expect out
	import json, xml.etree.ElementTree as e
	S = "{http://www.w3.org/2000/svg}"
	root = e.parse("g.svg").getroot()
	text = {d.get("id"): d.text for d in root.iter(S + "desc")}
	t0 = int(root.get("data-t0"))
	runs = {(v["cpu"], v["time_ns"]): v for v in json.load(open("g.json"))["events"] if v["event"] == "run"}
	same = other = named = 0
	for r in root.iter(S + "rect"):
	    v = runs.get((int(r.get("data-p") or -1), t0 + int(r.get("data-f") or 0) + int(r.get("data-d") or 0)))
	    if r.get("class") != "r" or r.get("data-u") or not v or not v.get("chain"):
	        continue
	    if text.get("s" + (r.get("data-s") or "")) == v["chain"]:
	        same += 1
	        named += "sleep:" in text["t" + r.get("data-t")]
	    else:
	        other += 1
	        print(e.tostring(r), v)
	print(same > 0, other == 0, named > 0)
	EOF
'
test_lazy_prereq POWER 'needs root and the power tracepoints' 'perf timechart record -P -o probe-p.data true && [ -s probe-p.data ]'
test_expect_success POWER 'timechart record -P and -T' '
	perf timechart record -P -o p.data sleep 0.1 >/dev/null 2>&1 && perf evlist -i p.data >out && grep power:cpu_idle out && ! grep sched: out &&
	perf timechart record -T -o t.data sleep 0.1 >/dev/null 2>&1 && perf evlist -i t.data >out && grep sched:sched_switch out &&
	! grep power: out && test_status 129 perf timechart record -P -T true
'
test_expect_success 'what cannot be read or written is named' '
	test_must_fail perf timechart -i nosuch.data 2>err && grep nosuch.data err
'
test_expect_success SCHED 'an output that cannot be written is named' '
	test_must_fail perf timechart -i s.data -o nosuchdir/out.svg 2>err && grep nosuchdir/out.svg err
'
test_expect_success PYTHON 'the sums of all recordings made here close' '
	python3 "$TEST_DIR/schedsums.py" "$BUILD/perf" *.data
'
test_done
