#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf script -s: scripts in Python over the samples of a recording'
. "$(dirname "$0")/lib.sh"

test_require PYSCRIPT

export PYTHONDONTWRITEBYTECODE=1
small=$TOP/tests/data/small
theirs=$(dirname "$NEWEST")/root-sid/usr/lib/perf-core
script () { perf script -f -i "$small/$1.data" -s "${@:2}"; }

cat >all.py <<'END'
# everything, but for what is known to differ: where the kernel's image ends, and its functions, for which upstream takes those of
# the kernel that runs, whichever was recorded; and where a call is the last instruction of a function it names the one behind it
def norm(v):
    if isinstance(v, dict):
        if v.get('sym', {}).get('name') in ('_start', '_dl_start_user'): return v['ip']
        no = ('dso_map_end', 'symbol', 'symoff', 'sym', 'sym_off') if v.get('dso') == '[kernel.kallsyms]' else ()
        return {k: norm(x) for k, x in v.items() if k not in no}
    return [norm(x) for x in v] if isinstance(v, list) else v[:2] if isinstance(v, tuple) else v
def trace_begin(): print('begin')
def trace_end(): print('end')
def process_event(d): print(norm(d))
def trace_unhandled(n, c, d, s): print(n, norm(d), norm(s))
END

test_expect_success 'a sample: keys, their order and types' '
	cat >s.py <<-\END &&
	done = False
	def process_event(d):
	    global done
	    if done: return
	    done = True
	    for k, v in list(d.items()) + list(d["sample"].items()):
	        print(k, type(v).__name__)
	    print(list(d["callchain"][0]), list(d["callchain"][0].get("sym", {})), len(d["attr"]), d["sample"]["datasrc_decode"])
	END
	script fp s.py --no-inline >out && cat >expect <<-\END &&
	ev_name str
	attr bytes
	sample dict
	raw_buf bytes
	comm str
	dso str
	dso_bid str
	dso_map_start int
	dso_map_end int
	map_pgoff int
	callchain list
	brstack list
	brstacksym list
	id int
	stream_id int
	pid int
	tid int
	cpu int
	ip int
	time int
	period int
	phys_addr int
	addr int
	values list
	weight int
	ins_lat int
	transaction int
	datasrc int
	datasrc_decode str
	cpumode int
	END
	grep -vE "^(symbol|symoff) |^\[" out | test_cmp expect - &&
	test_grep "^\[.ip., .*\] \[.*\] 144 .OP N/A.LVL N/A.SNP N/A.TLB N/A.LCK N/A.BLK  N/A$" out
'

for f in fp dwarf sched pipe zstd; do
	test_expect_success NEWEST "the same as upstream perf: $f" '
		"$NEWEST" script --no-inline -f -i "$small/'$f'.data" -s all.py >upstream 2>err && [ $(wc -l <upstream) -gt 10 ] &&
		perf script --no-inline -f -i "$small/'$f'.data" -s all.py >ours &&
		{ test_cmp upstream ours >diff || { cut -c1-3000 diff; return 1; }; }
	'
done

test_expect_success 'tracepoints: a function of its own, with the dictionary of the sample or without it; the rest is unhandled' '
	cat >tp.py <<-\END &&
	from perf_trace_context import *
	n = {"switch": 0, "wakeup": 0, "rest": 0}
	def sched__sched_switch(event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm, common_callchain,
	        prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio):
	    n["switch"] += 1
	    assert event_name == "sched__sched_switch" and type(common_callchain) is list and type(prev_comm) is str
	    assert common_pid == prev_pid and common_flags(context) >= 0 and common_pc(context) >= 0 and common_lock_depth(context) == 0
	def sched__sched_wakeup(event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm, common_callchain,
	        comm, pid, prio, target_cpu, sample):
	    n["wakeup"] += 1
	    s = sample["sample"]
	    assert s["time"] == common_secs * 1000000000 + common_nsecs and s["cpu"] == common_cpu and sample["comm"] == common_comm
	def trace_unhandled(name, context, fields):
	    n["rest"] += 1
	    assert list(fields)[:6] == ["common_cpu", "common_s", "common_ns", "common_pid", "common_comm", "common_callchain"]
	def process_event(d):
	    assert False
	def trace_end():
	    for k, v in n.items(): print(k, v)
	END
	script sched tp.py >out &&
	perf script -f -i "$small/sched.data" -F event >events &&
	for k in switch wakeup; do echo "$k $(grep -c "sched_$k:" events)"; done >expect &&
	echo "rest $(grep -vc "sched_switch:\|sched_wakeup:" events)" >>expect && test_cmp expect out
'
test_expect_success 'what a script is handed is its own: changes are not seen by the next call' '
	cat >own.py <<-\END &&
	def process_event(d):
	    for x in [d, d["sample"]] + d["callchain"] + [f["sym"] for f in d["callchain"] if "sym" in f]:
	        assert "mine" not in x
	        x["mine"] = 1
	    for x in d["callchain"], d["sample"]["values"], d["brstack"], d["brstacksym"]:
	        assert "mine" not in x
	        x.append("mine")
	END
	script fp own.py
'
test_expect_success 'sys.argv, __name__, __file__; modules beside the script' '
	mkdir -p sub && echo "x = 42" >sub/beside.py && cat >sub/s.py <<-\END &&
	import sys, beside
	print(sys.argv, __name__, __file__, beside.x)
	END
	script fp sub/s.py one -- --two >out &&
	test_grep "^.*sub/s.py.*one.*--two.* __main__ sub/s.py 42$" out &&
	perf script -f -i "$small/fp.data" -s python:sub/s.py >out2 && test_grep "__main__ sub/s.py 42" out2
'
test_expect_success 'counts of perf stat' '
	cat >st.py <<-\END &&
	import collections
	seen = collections.Counter()
	def counter(name):
	    def f(cpu, thread, time, val, ena, run):
	        print(name, cpu, thread, val, ena, run, time)
	    return f
	for n in "task-clock", "page-faults", "context-switches", "task_clock":
	    globals()["stat__" + n] = counter(n)
	def stat__interval(time):
	    print("interval", time)
	END
	script stat st.py >out && cat out && test_grep "^interval [0-9]+$" out
'

test_expect_success 'an error: the traceback, where it was, status 1' '
	printf "def process_event(d):\n    nosuch()\n" >e.py &&
	test_status 1 script fp e.py >out 2>err && test_grep "^  File .e.py., line 2, in process_event$" err &&
	test_grep "^NameError: name .nosuch. is not defined$" err && test_grep "^Error: script .e.py. failed in process_event$" err &&
	for s in "import nosuch" "def x(:" "def trace_begin(): 1/0" "def trace_end(): 1/0"; do
		echo "$s" >e.py && test_status 1 script fp e.py >out 2>err && test_grep "^(ModuleNotFound|Syntax|ZeroDivision)Error: " err &&
		[ "$(grep -c "^Error: script .e.py. failed" err)" = 1 ] || return 1
	done
'
test_expect_success 'sys.exit(): its status, at any place; texts are printed' '
	for s in "import sys; sys.exit(3)" "import sys
def process_event(d): sys.exit(3)" "import sys
def trace_end(): sys.exit(3)"; do
		echo "$s" >e.py && test_status 3 script fp e.py >out 2>err && test_cmp /dev/null err || return 1
	done &&
	echo "import sys; sys.exit()" >e.py && script fp e.py &&
	echo "import sys; sys.exit(\"so it is\")" >e.py && test_status 1 script fp e.py 2>err && echo "so it is" | test_cmp - err
'
test_expect_success 'scripts that cannot be run' '
	test_must_fail script fp nosuch.py 2>err && test_grep "^Error: .*nosuch.py.: No such file" err &&
	echo >x.pl && test_must_fail script fp x.pl 2>err && test_grep "^Error: script .x.pl.: scripts in Perl are not run$" err && test_grep "^Hint: .*Python" err &&
	test_must_fail script fp perl:x 2>err && test_grep "scripts in Perl" err &&
	echo >x.foo && test_must_fail script fp x.foo 2>err && test_grep "^Error: script .x.foo.: its language is not known$" err &&
	printf "[script]\n\tlibpython = libnosuch.so.1\n" >cfg && test_must_fail env PERF_CONFIG=cfg "$BUILD/perf" script -f -i "$small/fp.data" -s all.py 2>err &&
	test_grep "^Error: scripts in Python cannot be run: .libnosuch.so.1. cannot be loaded" err && test_grep "^Hint: .*3.8" err
'
test_expect_success 'Ctrl-C ends the reading, and trace_end() is called; the second one ends the script' '
	cat >int.py <<-\END &&
	import os, signal
	n = 0
	def process_event(d):
	    global n
	    n += 1
	    if n == 5: os.kill(os.getpid(), signal.SIGINT)
	def trace_end():
	    print(n)
	END
	script fp int.py >out 2>err && echo 5 | test_cmp - out && test_cmp /dev/null err &&
	cat >>int.py <<-\END &&
	    os.kill(os.getpid(), signal.SIGINT)
	    while True: pass
	END
	test_status 130 script fp int.py >out 2>err && test_grep "^KeyboardInterrupt" err
'

# ---- what a function does not look at is not made: nobody sees that ----

# same BODY...: of process_event(d), with h(x) beside it; "import gc" makes everything be made
same () {
	local f=$1 body
	shift
	for body; do
		printf 'def h(x, y=0): return norm(x)\ndef process_event(d):\n%s\n' "    ${body//$'\n'/$'\n'    }" | cat norm.py - >part.py &&
		{ echo "import gc"; cat part.py; } >whole.py &&
		script "$f" part.py >part.out && script "$f" whole.py >whole.out && [ -s whole.out ] && test_cmp whole.out part.out ||
			{ echo "# $body"; return 1; }
	done
}
sed -n '/^def norm/,/^    return/p' all.py >norm.py
keys='ev_name attr sample raw_buf comm dso dso_bid dso_map_start dso_map_end map_pgoff symbol symoff callchain brstack brstacksym iregs uregs nosuch'

for f in fp dwarf zstd; do
	test_expect_success "each key alone is as among the others: $f" '
		for k in $keys; do
			same '$f' "print(d.get(\"$k\", 0), \"$k\" in d)" || return 1
		done &&
		same '$f' "print(d[\"sample\"][\"time\"], d[\"comm\"], [x[\"ip\"] for x in d[\"callchain\"]])"
	'
done
test_expect_success 'each use of the dictionary as a whole has the whole' '
	same fp "print(d)" "print(h(d))" "x = d; print(x)" "print((lambda: d)())" "print([*d])" "print({**d})" "print(len(d))" "for k in d: print(k)" \
		"print(f\"{d}\")" "print(list(d.items()))" "print(d.get(\"co\" + \"mm\"))" "k = \"comm\"; print(d[k])" "print(h(*[d]))" "print(h(y=1, x=d))" \
		"print(locals())" "print(eval(\"d\"))" "print(vars())" "import sys; print(sys._getframe().f_locals)" "print(d == {})" "print(\"comm\" in d, d)" \
		"print(d if d else 0)" "print(list(map(h, [d])))" "d[\"x\"] = d; print(d[\"x\"])" "d |= {\"x\": 1}; print(d)" "def f():
    nonlocal d
    d[1] = 2
    return d
print(f())" "del d[\"comm\"]; print(d.keys())" "print(\"a\" < \"b\" in d, \"%(comm)s\" % d, \"{comm}\".format(**d))" "class A: x = d
print(A.x)" "try: 1 / 0
except Exception as e: print(e.__traceback__.tb_frame.f_locals)" "print(d.setdefault(\"comm\", 1), d.pop(\"sample\")[\"cpu\"], dict(d))"
'
test_expect_success 'functions that are not as their text says' '
	printf "def process_event(d): print(len(d), list(d))\n" >v.py && script fp v.py >out &&
	printf "def w(f): return lambda x: print(len(x), list(x))\n@w\ndef process_event(d): pass\n" >v.py && script fp v.py | test_cmp out - &&
	printf "def process_event(d): pass\ndef w(f): return lambda x: print(len(x), list(x))\nprocess_event = w(process_event)\n" >v.py &&
	script fp v.py | test_cmp out - &&
	printf "import functools\ndef w(f):\n    @functools.wraps(f)\n    def g(d): print(len(d), list(d)); f(d)\n    return g\n@w\ndef process_event(d): pass\n" >v.py &&
	script fp v.py | test_cmp out - &&
	printf "def process_event(*a): print(len(a[0]), list(a[0]))\n" >v.py && script fp v.py | test_cmp out - &&
	printf "import sys\nsys.excepthook = lambda k, v, t: print(len(t.%s[\"d\"]), list(t.%s[\"d\"]))\ndef process_event(d): 1 / 0\n" tb_frame.f_locals tb_frame.f_locals >v.py &&
	test_must_fail script fp v.py >hook && head -n 1 out | test_cmp - hook &&
	printf "process_event = lambda d: print(len(d), list(d))\n" >v.py && script fp v.py | test_cmp out -
'
test_expect_success 'functions of perf_trace_context know the place of a sample whose dictionary nobody looks at' '
	same fp "from perf_trace_context import perf_script_context, perf_sample_insn, perf_sample_srcline
print(perf_sample_insn(perf_script_context), perf_sample_srcline(perf_script_context))"
'
test_expect_success 'arguments of tracepoints that are not looked at' '
	cat >args.py <<-\END &&
	def f(n, ctx, cpu, s, ns, pid, comm, chain, *rest): pass
	def sched__sched_switch(n, ctx, cpu, s, ns, pid, comm, chain, pcomm, ppid, pprio, state, ncomm, npid, nprio, d):
	    print(cpu, s, ns, pid, comm, pcomm, npid, d["sample"]["cpu"], d.get("comm"))
	def sched__sched_wakeup(n, ctx, cpu, s, ns, pid, comm, chain, *rest): print(n, comm, chain, rest)
	def trace_unhandled(n, ctx, fields, d): print(n, fields["common_callchain"], fields.get("comm"), d["comm"])
	END
	{ echo "import gc"; cat args.py; } >whole.py && script sched args.py >part && script sched whole.py | test_cmp - part && test_grep "^sched__" part
'

# ---- modules ----

cat >mods.py <<'END'
import os, sys
sys.path.append(os.environ['PERF_EXEC_PATH'] + '/scripts/python/Perf-Trace-Util/lib/Perf/Trace')
from perf_trace_context import *
from Core import *
from Util import *
import EventClass
def trace_begin():
    d = autodict()
    d[1][2][3] = 4
    print(dict(d[1][2]), [trace_flag_str(i) for i in (0, 1, 4, 8, 9, 16, 31)], taskState(0), taskState(1), taskState(2), taskState(99))
    # of theirs nsecs_str() is a tuple, and nsecs_secs() no whole number
    print(nsecs(3, 5), ''.join(nsecs_str(3000000005)), int(nsecs_secs(3000000005)), nsecs_nsecs(3000000005), avg(10, 4))
    s = {}
    for v in 5, 1, 9: add_stats(s, 'k', v)
    print(s, strerror(-2), strerror(13), FUTEX_WAIT, FUTEX_WAKE, FUTEX_CMD_MASK & 0x181)
    e = EventClass.create_event('n', 'c', 'd', 's', b'')
    p = EventClass.create_event('n', 'c', 'd', 's', bytes(range(176)))
    print(e.ev_type, e.name, p.ev_type, p.ip, p.lat, EventClass.EVTYPE_GENERIC, EventClass.EVTYPE_PEBS_LL)
def sched__sched_switch(name, context, cpu, secs, nsecs, pid, comm, callchain, pcomm, ppid, pprio, state, ncomm, npid, nprio):
    print([flag_str(name, 'prev_state', i) for i in (0, 1, 2, 3, state)], symbol_str(name, 'nosuch', 1))
END
test_expect_success 'perf has modules of its own where those of upstream are not installed' '
	PERF_EXEC_PATH=/nonexistent script sched mods.py >out 2>err && test_cmp /dev/null err && test_grep "^\{3: 4\} " out &&
	echo "from Util import *
def trace_begin(): print(syscall_name(0), syscall_name(100000))" >sn.py &&
	PERF_EXEC_PATH=/nonexistent script sched sn.py >name && test_grep "^[a-z_]+ 100000$" name
'
test_expect_success NEWEST 'and they say the same' '
	PERF_EXEC_PATH=/nonexistent script sched mods.py >ours && PERF_EXEC_PATH=$theirs script sched mods.py >upstream 2>err &&
	grep -vE "^(Install|For example|  #|  etc)|^$" upstream | test_cmp - ours
'

# ---- scripts that are installed ----

test_expect_success '-l, report NAME, record NAME, NAME' '
	mkdir -p core/scripts/python/bin && bin=core/scripts/python/bin && export PERF_EXEC_PATH=$PWD/core &&
	cp all.py core/scripts/python/thing.py &&
	printf "#!/bin/bash\n# description: counts things\n# args: <n> [comm]\necho report \"\$@\" \$(basename \$(command -v perf)); cat \${3:+/dev/null} | wc -c\n" >$bin/thing-report &&
	printf "#!/bin/sh\necho record \"\$@\" >>\$PERF_EXEC_PATH/log\n" >$bin/thing-record && chmod +x $bin/thing-* &&
	printf "#!/bin/sh\n#description: no arguments\n" >$bin/other-report &&
	perf script -l >out && printf "%s\n" "List of available trace scripts:" "  other                                no arguments" \
		"  thing <n> [comm]                     counts things" >expect && test_cmp expect out &&
	perf script report thing 1 2 </dev/null >out && test_grep "^report 1 2 perf$" out &&
	perf script record thing -e x true && echo "record -e x true" | test_cmp - core/log && rm core/log &&
	perf script record thing && echo "record -a" | test_cmp - core/log && rm core/log &&
	perf script thing 7 -e x true >out && test_grep "^report 7 -i - perf$" out && echo "record -q -o - -e x true" | test_cmp - core/log &&
	perf script -f -i "$small/fp.data" -s thing >out && test_grep "^end$" out &&
	test_must_fail perf script report nosuch 2>err && test_grep "^Error: no script .nosuch. is installed" err && test_grep "^Hint: perf script -l" err &&
	test_must_fail perf script report 2>err && test_grep "needs the name" err &&
	test_must_fail perf script -i x report thing 2>err && test_grep "report NAME -i FILE" err &&
	test_must_fail perf script ../x 2>err && test_grep "no script" err
'
test_expect_success 'where no scripts are, that is said' '
	test_must_fail env PERF_EXEC_PATH=/nonexistent "$BUILD/perf" script -l 2>err && test_grep "^Error: no scripts are installed in ./nonexistent/" err
'
unset PERF_EXEC_PATH

test_expect_success 'a script to begin with: each tracepoint has a function, and it runs' '
	perf script -f -i "$small/sched.data" -g python >out && echo "generated Python script: perf-script.py" | test_cmp - out &&
	test_grep "^def sched__sched_switch\(event_name, context, common_cpu," perf-script.py && test_grep "flag_str\(.sched__sched_switch., .prev_state., prev_state\)" perf-script.py &&
	script sched perf-script.py >out 2>err && test_cmp /dev/null err && test_grep "^sched__sched_switch +[0-9]+ .*prev_state=[RSDTtXZPI]" out && test_grep "^in trace_end$" out &&
	perf script -f -i "$small/fp.data" -g other.py >out && echo "generated Python script: other.py" | test_cmp - out &&
	script fp other.py >out && [ "$(grep -c "^param_dict: {" out)" = "$(perf script -f -i "$small/fp.data" -F event | grep -c :)" ] &&
	test_must_fail perf script -f -i "$small/fp.data" -g ruby 2>err && test_must_fail perf script -f -i "$small/fp.data" -g perl 2>err && test_grep "Perl" err
'
test_expect_success 'any Python from 3.8 on' '
	for l in /root/.pyenv/versions/3.{8,9,10,12,13}.*/lib/libpython3.*.so.1.0 $(ls /usr/lib/*/libpython3.*.so.1.0 2>/dev/null); do
		[ -e "$l" ] || continue
		printf "[script]\n\tlibpython = %s\n" "$l" >cfg && PERF_CONFIG=cfg script fp all.py >out.$(basename $l) && PERF_CONFIG=cfg script sched all.py >>out.$(basename $l) || return 1
	done &&
	for o in out.lib*; do test_cmp $(ls out.lib* | head -n 1) $o || return 1; done
'

test_done
