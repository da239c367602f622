#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf config: reading, writing, errors'
. "$(dirname "$0")/lib.sh"

q="'"

test_expect_success 'set, get, list, change, unset' '
	perf config report.sort=comm,dso report.children=false &&
	perf config report.sort >out && echo report.sort=comm,dso >expect && test_cmp expect out &&
	perf config report.sort=sym &&
	perf config --list >out && printf "report.sort=sym\nreport.children=false\n" >expect && test_cmp expect out &&
	perf config --user >out && test_cmp expect out &&
	perf config --unset report.sort &&
	test_status 1 perf config report.sort >out && ! test -s out &&
	perf config >out && echo report.children=false >expect && test_cmp expect out
'

test_expect_success 'what the user wrote stays' '
	printf "# mine\n[a]\n\tx = 1\t; one\n\n[B]\ny\n" >"$HOME/.perfconfig" &&
	perf config a.z="two words " &&
	printf "# mine\n[a]\n\tx = 1\t; one\n\tz = \"two words \"\n\n[B]\ny\n" >expect &&
	test_cmp expect "$HOME/.perfconfig" &&
	perf config b.y >out && echo b.y=true >expect && test_cmp expect out
'

test_expect_success 'PERF_CONFIG and --config name the only file' '
	printf "[only]\nx = 1\n" >other &&
	perf --config other config >out && echo only.x=1 >expect && test_cmp expect out &&
	PERF_CONFIG=other perf config >out && test_cmp expect out
'

# Only a backslash that is none of a pair, outside of comments, continues a line.
cat >slashes <<\EOF
[a]
	x = c:\\
	y = 1
# \
[b]
	z = one \
two
	w = "# \\"
EOF
cat >slashes.expect <<\EOF
a.x=c:\
a.y=2
b.z=3
b.w=# \
EOF

test_expect_success 'a value that ends in a backslash, and a comment that does' '
	cp slashes "$HOME/.perfconfig" && perf config a.y=2 b.z=3 && perf config >out && test_cmp slashes.expect out &&
	perf config "a.x=d:\\" && perf config a.x=e && sed s/^a.x=.*/a.x=e/ slashes.expect >want && perf config >out && test_cmp want out
'

test_expect_success 'a link is followed, and leads to the changed file' '
	rm -f "$HOME/.perfconfig" && mkdir -p dots && printf "[a]\n\tx = 1\n" >dots/perfconfig && ln -s "$PWD/dots/perfconfig" "$HOME/.perfconfig" &&
	perf config a.x=2 && test -L "$HOME/.perfconfig" && printf "[a]\n\tx = 2\n" >expect && test_cmp expect dots/perfconfig
'

test_expect_success 'a FIFO in its place is named, not waited for' '
	rm -f "$HOME/.perfconfig" && mkfifo "$HOME/.perfconfig" && timeout -k 1 5 perf config --list >out 2>err && ! test -s out &&
	test_grep "^Warning: the configuration file is ignored: .*perfconfig. is not a regular file$" err && [ "$(wc -l <err)" = 1 ] &&
	rm "$HOME/.perfconfig"
'

# As with su -m and sudo -E: HOME, or PERF_CONFIG, of somebody else.
test_expect_success ROOT 'the file of another user is ignored and named once' '
	mkdir -p theirs && printf "[record]\n\toutput = $PWD/precious\n" >theirs/.perfconfig && chown -R 12345 theirs && echo mine >precious &&
	told="^Warning: the configuration file is ignored: .$PWD/theirs/.perfconfig. belongs to user 12345, neither to you nor to root$" &&
	HOME=$PWD/theirs perf config >out 2>err && ! test -s out && test_grep "$told" err && [ "$(wc -l <err)" = 1 ] &&
	PERF_CONFIG=$PWD/theirs/.perfconfig perf config >out 2>err && ! test -s out && test_grep "$told" err && [ "$(wc -l <err)" = 1 ] &&
	test_status 1 env HOME="$PWD/theirs" perf config a.b=c 2>err && test_grep "belongs to user 12345" err &&
	if test_event_opens dummy:u >/dev/null 2>&1; then
		HOME=$PWD/theirs perf record -N -e dummy:u -o own.data true >out 2>err && test -s own.data && test_grep "$told" err &&
		(cd theirs && HOME=$PWD/../theirs perf record -N -e dummy:u true) >out 2>err && test -s theirs/perf.data &&
		[ "$(grep -c "^Warning:" err)" = 1 ]
	fi && echo mine >expect && test_cmp expect precious && chown 0 theirs/.perfconfig &&
	HOME=$PWD/theirs perf config >out 2>err && echo "record.output=$PWD/precious" >expect && test_cmp expect out && ! test -s err
'

test_expect_success UPSTREAM 'upstream perf reads what ours wrote' '
	rm -f "$HOME/.perfconfig" &&
	perf config report.percent-limit=5 colors.top="red, blue" &&
	"$UPSTREAM" config --user --list | sort >upstream && perf config --user --list | sort >ours && test_cmp upstream ours &&
	printf "%s\n" "colors.top=red, blue" report.percent-limit=5 >expect && test_cmp expect ours
'

test_expect_success 'errors' '
	test_status 1 perf config nodot 2>err && test_grep "has no section: .nodot" err &&
	test_status 1 perf config a.b= 2>err && test_grep "no value" err &&
	test_status 1 perf config "a.b c=1" 2>err && test_grep "not a setting" err &&
	test_status 129 perf config --list a.b 2>err && test_grep "takes no arguments" err &&
	test_status 129 perf config --user --system 2>err &&
	printf "[a]\n\nnonsense here\n" >bad &&
	test_status 1 perf --config bad config 2>err &&
	test_grep "^Error: bad config line 3 in .bad.: missing" err &&
	test_status 1 perf --config nosuch config 2>err && test_grep "nosuch.*No such file" err
'

gunzip -c "$TOP/tests/data/sched-6.1.data.gz" >rec.data

test_expect_success 'each command has its options defaults there, and the command line wins' '
	rm -f "$HOME/.perfconfig" && for c in evlist script sched inject report; do perf config $c.input=rec.data || return 1; done &&
	perf evlist -F -i rec.data >expect && perf config evlist.freq=true && perf evlist >out && test_cmp expect out &&
	perf evlist --no-freq -i rec.data >out && perf --config /dev/null evlist -i rec.data >expect && test_cmp expect out &&
	perf --config /dev/null script -F comm,tid -i rec.data >expect && perf config script.fields=comm,tid && perf script >out &&
	test_cmp expect out && perf --config /dev/null sched latency -p -i rec.data >expect && perf config sched.pids=true &&
	perf sched latency >out && test_cmp expect out &&
	perf inject -o copy.data && perf --config /dev/null evlist -i copy.data >out && perf --config /dev/null evlist -i rec.data >expect &&
	test_cmp expect out && perf config script.max-stack=many && test_status 129 perf script 2>err &&
	test_grep "^Error: bad value .many. of .script.max-stack. at line [0-9]* of .*perfconfig.: expects a numerical value" err &&
	perf script -h >out && test_grep "Usage: perf script" out && rm "$HOME/.perfconfig"
'

test_expect_success 'every command stops at a file that is wrong, but those that help to mend it' '
	printf "[a]\n\nnonsense here\n" >bad &&
	for c in "evlist -i rec.data" "script -i rec.data" "report -i rec.data" "sched map -i rec.data" "record true" list; do
		test_status 1 perf --config bad $c >out 2>err && ! test -s out && test_grep "^Error: bad config line 3 in .bad.: missing" err ||
			return 1
	done && perf --config bad version >out && perf --config bad help record >out && perf --config bad record --list-opts >out &&
	perf --config bad report -h >out
'

test_lazy_prereq FAULTS 'needs the event page-faults:u' 'test_event_opens page-faults:u'

# conf KEY=VALUE...: a file with these settings alone; plain: perf without any.
conf () { rm -f conf && for kv; do perf --config conf config "$kv" 2>/dev/null || { : >conf; perf --config conf config "$kv"; } || return 1; done; }
with () { perf --config conf "$@"; }
plain () { perf --config /dev/null "$@"; }
# shows KEY=VALUE... -- OPTIONS: report with these settings is report with those options, and not what it is without.
shows () {
	settings= && while [ "$1" != -- ]; do settings="$settings $1"; shift; done && shift &&
	: >conf && conf $settings && plain report --stdio -i g.data $shown "$@" >expect 2>&1 && with report --stdio -i g.data $shown >out 2>&1 &&
	test_cmp expect out && plain report --stdio -i g.data $shown >without 2>&1 && ! cmp -s without out
}
chains () { perf evlist -v -i "$1" | grep -o "CALLCHAIN\|STACK_USER\|sample_stack_user: [0-9]*" | sort -u | tr "\n" " "; }

test_expect_success FAULTS 'call-graph.*: how chains are shown; an option wins' '
	plain record -q -e page-faults:u -c 1 -g -o g.data sh -c "ls / >/dev/null" && shown= &&
	shows call-graph.print-type=folded call-graph.order=callee -- -g folded,callee &&
	shows call-graph.print-type=fractal call-graph.threshold=10 -- -g fractal,10 &&
	shows call-graph.threshold=20 call-graph.print-limit=2 call-graph.print_type=flat -- -g flat,20,2 &&
	shows call-graph.sort-key=address call-graph.print-type=flat -- -g flat,address &&
	shows report.sort_order=comm -- -s comm && shows report.percent-limit=20 -- --percent-limit 20 &&
	shows report.children=false -- --no-children &&
	conf call-graph.order=callee && with report --stdio -i g.data -g caller >out && plain report --stdio -i g.data -g caller >expect &&
	test_cmp expect out && conf call-graph.order=sideways && test_status 129 with report -i g.data 2>err &&
	test_grep "^Error: bad value .sideways. of .call-graph.order. at line [0-9]* of .conf.: it is one of caller|callee$" err
'

test_expect_success FAULTS 'hist.percentage, and report.group, which leaves events without a group alone' '
	shown="-S $(plain report --stdio -i g.data -g none --no-children -s sym | awk "/^ .*%/ { print \$3; exit }")" &&
	shows hist.percentage=relative -- --percentage relative && shown= &&
	plain record -q -e page-faults:u,minor-faults:u -c 1 -o two.data true && plain report --stdio -i two.data >expect 2>&1 &&
	conf report.group=true && with report --stdio -i two.data >out 2>&1 && test_cmp expect out &&
	plain report --group --stdio -i two.data >out 2>&1 && ! cmp -s expect out &&
	plain record -q -e "{page-faults:u,minor-faults:u}" -c 1 -o two.data true && plain report --no-group --stdio -i two.data >expect 2>&1 &&
	conf report.group=false && with report --stdio -i two.data >out 2>&1 && test_cmp expect out
'

test_expect_success FAULTS 'call-graph.record-mode says how -g records, not that chains are recorded' '
	conf call-graph.record-mode=dwarf call-graph.dump-size=4096 &&
	with record -q -e page-faults:u -o r.data true && test -z "$(chains r.data)" &&
	with record -q --call-graph fp -e page-faults:u -o r.data true && [ "$(chains r.data)" = "CALLCHAIN " ] &&
	with record -q --call-graph dwarf,2048,raw -e page-faults:u -o r.data true && chains r.data | grep "user: 2048" &&
	conf call-graph.record-mode=dwarf,raw call-graph.dump-size=4096 &&
	with record -q -g -e page-faults:u -o r.data true && chains r.data | grep "user: 4096" &&
	conf record.call-graph=dwarf,raw && with record -q -e page-faults:u -o r.data true && test -z "$(chains r.data)" &&
	with record -q -g -e page-faults:u -o r.data true && chains r.data | grep "user: 8192" &&
	conf record.call-graph=magic && test_status 129 with record true 2>err && test_grep "bad value .magic. of .record.call-graph." err &&
	conf core.proc-map-timeout=x && test_status 129 with record true 2>err && test_grep "expects a numerical value" err
'

test_expect_success FAULTS 'buildid.dir is the cache, but for --buildid-dir; /dev/null is none' '
	unset PERF_BUILDID_DIR && rm -rf "$HOME/.debug" && conf "buildid.dir=~/kept" &&
	with record -q -e page-faults:u -c 1 -o r.data true && test -d "$HOME/kept/.build-id" && ! test -e "$HOME/.debug" &&
	plain --buildid-dir "$HOME/kept" buildid-cache -l >expect && test -s expect && with buildid-cache -l >out && test_cmp expect out &&
	perf --config conf --buildid-dir "$PWD/elsewhere" record -q -e page-faults:u -c 1 -o r.data true && test -d elsewhere/.build-id &&
	rm -rf "$HOME/kept" && conf buildid.dir=/dev/null && with record -q -e page-faults:u -c 1 -o r.data true 2>err && ! test -s err &&
	! test -e "$HOME/.debug" && ! test -e "$HOME/kept" && with report --stdio -i r.data >out && test -s out &&
	test_status 1 with buildid-cache -l 2>err && test_grep "or it is /dev/null" err
'

test_expect_success PTY 'pager.COMMAND: another pager, or none' '
	printf "#!/bin/sh\nsed s/^/PAGED./\n" >pg && chmod +x pg && unset PERF_PAGER && export PAGER=cat &&
	tty () { script -qec "perf --config conf report --header-only -i rec.data" typescript </dev/null; } &&
	conf "pager.report=$PWD/pg" pager.script=false && tty >out && test_grep "^PAGED.# captured on" out &&
	conf pager.script=$PWD/pg && tty >out && test_grep "^# captured on" out &&
	export PAGER=$PWD/pg && conf pager.report=true && tty >out && test_grep "^PAGED.# captured on" out &&
	conf pager.report=false && tty >out && test_grep "^# captured on" out && unset PAGER
'

test_expect_success '--check, and -v of any command, name what is unknown, once' '
	printf "[report]\n\tchidren = false\n\tqueue-size = 0\n\tsort_order = comm\n[call-graph]\n\torder = caller\n[buildid]\n\tdir = x\n" >conf &&
	printf "[sched]\n\tcpu-visual = true\n[gtk]\n\tannotate = red\n[nosuch]\n\tzzzzzzzzzz = 1\n[trace]\n\tshow_zeros = yes\n" >>conf &&
	printf "unknown: %sreport.chidren%s at line 2 of %sconf%s is no setting that is known: did you mean %sreport.children%s?\n" \
		"$q" "$q" "$q" "$q" "$q" "$q" >expect &&
	printf "note: %sreport.queue-size%s at line 3 of %sconf%s has no effect in this version\n" "$q" "$q" "$q" "$q" >>expect &&
	printf "note: %sgtk.annotate%s at line 12 of %sconf%s has no effect in this version\n" "$q" "$q" "$q" "$q" >>expect &&
	printf "unknown: %snosuch.zzzzzzzzzz%s at line 14 of %sconf%s is no setting that is known\n" "$q" "$q" "$q" "$q" >>expect &&
	test_status 1 with config --check >out 2>err && test_cmp expect out && ! test -s err &&
	sed -n "s/^unknown:/Warning:/p" expect >want && with sched latency -v -i rec.data 2>err >out && grep "^Warning: .*no setting" err >got &&
	test_cmp want got && with sched latency -i rec.data >out 2>err && ! grep "no setting" err &&
	conf report.children=true stat.big-num=false sched.wakeups=true record.build-id=skip && with config --check >out && ! test -s out
'

# keys SECTION: the settings that the page documents there, one a line, with a name in the place of a *
keys () {
	awk -v name="$1" '$0 == name { on = 1; next } /^(SEE ALSO|SETTINGS WITHOUT EFFECT)$/ { on = 0 } on && /::$/' \
		"$TOP/Documentation/perf-config.txt" | sed 's/::$//; s/COMMAND/report/g; s/\*/x/g' | tr -d ' ' | tr ',' '\n'
}
test_expect_success 'the settings of the manual page: all are known, and those without effect are noted, by --check and under -v' '
	keys "OTHER SETTINGS" >have && [ "$(wc -l <have)" -ge 27 ] && conf $(sed s/$/=1/ have) && with config --check >out && ! test -s out &&
	keys "SETTINGS WITHOUT EFFECT" >none && [ "$(wc -l <none)" -ge 12 ] && conf $(sed s/$/=1/ none) && with config --check >out &&
	[ "$(grep -c "^note: .* has no effect in this version$" out)" = "$(wc -l <none)" ] && [ "$(wc -l <out)" = "$(wc -l <none)" ] &&
	with sched latency -v -i rec.data 2>err >out && [ "$(grep -c "^Warning: .* has no effect in this version$" err)" = "$(wc -l <none)" ] &&
	with evlist -i rec.data 2>err >out && ! test -s err
'

test_expect_success PYTHON 'core.proc-map-timeout: the mappings of a process that has very many are not waited for' '
	python3 -c "
import mmap, time
all = [mmap.mmap(-1, 4096, prot=mmap.PROT_READ | (mmap.PROT_EXEC if i & 1 else 0)) for i in range(60000)]
open(\"ready\", \"w\").close()
time.sleep(60)" & many=$! && test_kill_at_end $many && test_wait_for 20 "[ -e ready ]" &&
	told="the mappings of.* were not all read" && plain record -v -N -e dummy:u -p $many -o r.data sleep 0.1 2>err &&
	plain script --show-mmap-events -i r.data | grep -c MMAP >whole &&
	conf core.proc-map-timeout=1 && with record -N -e dummy:u -p $many -o r.data sleep 0.1 2>short &&
	plain script --show-mmap-events -i r.data | grep -c MMAP >part && [ "$(cat part)" -lt "$(cat whole)" ] && ! cmp -s err short
'

test_lazy_prereq LOCALES 'needs localedef and the sources of locales (package locales)' \
	'mkdir locales && localedef -i en_US -f UTF-8 locales/en_US.UTF-8'
test_expect_success PERF_SW,LOCALES 'stat.big-num: no separators, in stat report, too' '
	export LOCPATH=$PWD/locales && big () { LC_ALL=en_US.UTF-8 "$@" 2>&1 | grep -E " page-faults "; } &&
	plain stat record -e page-faults -o st.data dd if=/dev/zero of=/dev/null bs=64M count=1 2>/dev/null &&
	big plain stat report -i st.data >out && test_grep "16,[0-9]{3} " out && conf stat.big-num=false &&
	big with stat report -i st.data >out && test_grep " 16[0-9]{3} " out && big with stat -e page-faults dd if=/dev/zero of=/dev/null bs=64M count=1 >out &&
	test_grep " 16[0-9]{3} " out && unset LOCPATH
'

test_expect_success PYTHON 'buildid-cache.debuginfod: those servers are asked; "system": those of DEBUGINFOD_URLS' '
	[ -n "$(plain version --build-options | grep "debuginfod: \[ on ")" ] || { test_skip "built without debuginfod"; return; }
	cat >server.py <<-\END &&
	import http.server, os
	class H(http.server.BaseHTTPRequestHandler):
	    def do_GET(self):
	        with open("asked", "a") as f: f.write(self.path + "\n")
	        self.send_error(404)
	server = http.server.HTTPServer(("127.0.0.1", 0), H)
	with open("port.new", "w") as f: f.write(str(server.server_address[1]))
	os.rename("port.new", "port")
	server.serve_forever()
	END
	{ python3 server.py >/dev/null 2>&1 & test_kill_at_end $!; } && test_wait_for 20 "[ -s port ]" && url=http://127.0.0.1:$(cat port) &&
	ask () { rm -rf dc && : >asked && DEBUGINFOD_CACHE_PATH=$PWD/dc "$@" script -i "$TOP/tests/data/small/fp.data" >out 2>err; } &&
	ask plain && ! test -s asked && conf buildid-cache.debuginfod=$url && ask with && test_grep "^/buildid/" asked &&
	conf buildid-cache.debuginfod=system && ask with && ! test -s asked && export DEBUGINFOD_URLS=$url && ask with && test_grep "^/buildid/" asked &&
	conf buildid-cache.debuginfod=http://127.0.0.1:1 && ask with && ! test -s asked && unset DEBUGINFOD_URLS
'

test_expect_success ROOT,TRACEFS 'sched.schedstat: as --schedstat, which --no-schedstat takes back' '
	conf sched.schedstat=true && PERF=plain && { plain sched record --schedstat -o s1.data true >/dev/null 2>expect; rc=$?; } &&
	{ with sched record -o s2.data true >/dev/null 2>out; [ $? = $rc ]; } &&
	sed -n "/^\(Error\|Hint\)/p" expect >a && sed -n "/^\(Error\|Hint\)/p" out >b && test_cmp a b &&
	with sched record --no-schedstat -o s3.data true 2>err && plain evlist -i s3.data >out && test_grep sched:sched_switch out
'

test_expect_success ROOT,TRACEFS,SYSCALLS 'trace.*: capture, no_inherit, tracepoint_beautifiers' '
	printf "#!/bin/sh\n/bin/true\n:\n" >twice && chmod +x twice &&
	plain trace -e execve,exit_group -o out ./twice && test_grep "true/[0-9]+ exit_group" out &&
	conf trace.no_inherit=true && with trace -e execve,exit_group -o out ./twice && test_grep "twice/[0-9]+ exit_group" out &&
	test_grep -v "true/[0-9]+ exit_group" out && plain trace -e sched:sched_process_exec -o out true && test_grep "filename: \"" out &&
	conf trace.tracepoint_beautifiers=libtraceevent && with trace -e sched:sched_process_exec -o out true && test_grep "filename=/" out &&
	conf trace.capture=rings && with trace -e execve -o out true && test_grep "execve\(filename: 0x" out &&
	conf trace.capture=nosuch && test_status 1 with trace true 2>err && test_grep "trace.capture is auto, btf, rawtp or rings, not .nosuch" err
'

test_expect_success NEWEST,PERF_SW 'report.skip-empty: whether types of records that there are none of have a row' '
	perf record -q -e cpu-clock -o empty.data true && "$NEWEST" report --stats --no-skip-empty -i empty.data >want 2>/dev/null &&
	perf report --stats --no-skip-empty -i empty.data >got && test_cmp want got && perf config report.skip-empty=false && perf config --check &&
	perf report --stats -i empty.data >got && test_cmp want got && "$NEWEST" report --stats --skip-empty -i empty.data >want 2>/dev/null &&
	perf report --stats --skip-empty -i empty.data >got && test_cmp want got && perf config --unset report.skip-empty
'

test_done
