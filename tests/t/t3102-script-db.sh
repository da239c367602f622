#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf script -s: scripts with perf_db_export_mode put rows of tables into databases'
. "$(dirname "$0")/lib.sh"

test_require PYSCRIPT,PYTHON

export PYTHONDONTWRITEBYTECODE=1
small=$TOP/tests/data/small
theirs=$(dirname "$NEWEST")/root-sid/usr/lib/perf-core/scripts/python
ours () { perf script -f -i "$1" "${@:3}" -s "$2"; }
upstream () { "$NEWEST" script -f -i "$1" "${@:3}" -s "$2" 2>upstream.err; }

# script CALLBACKS CALLS: it prints all that it is called with
script () {
	cat <<-END
	perf_db_export_mode = True
	perf_db_export_callchains = $1
	perf_db_export_calls = $2
	def show(name):
	    def f(*a): print(name, *[x if type(x) is int else repr(x) for x in a if type(x).__name__ != 'PyCapsule'])
	    return f
	for t in 'evsel machine thread comm comm_thread dso symbol branch_type sample call_path call_return context_switch'.split():
	    globals()[t + '_table'] = show(t)
	for n in 'trace_begin trace_end trace_unhandled process_event synth_data context_switch auxtrace_error'.split():
	    globals()[n] = show(n)
	END
}
script True True >all.py
script True False >chains.py
# without branch types, which are always the same
rows () { ours "$1" all.py "${@:2}" | grep -v "^branch_type"; }

cat >made.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from perfdata import *

st = IP | TID | TIME | PERIOD | IDENTIFIER | CPU
EXEC = OUT = 1 << 13

def samp(pid, tid, t, ip=0x401000): return record(SAMPLE, USER, struct.pack('<QQIIQIIQ', 1, ip, pid, tid, t, 0, 0, 1))
def after(t, pid, tid): return struct.pack('<IIQIIQ', pid, tid, t, 0, 0, 1)
def sw(t, pid, tid, npid, ntid, out, pre=0):
    return record(SWITCH_CPU, USER | (OUT if out else 0) | pre << 14, struct.pack('<II', npid, ntid) + after(t, pid, tid))
def old_exec(st):
    a = bytearray(attr(st))
    a[43] &= ~1		# comm_exec: an old kernel does not know it
    return bytes(a)

few = [comm(st, 10, 10, 'first'), samp(10, 10, 100), comm(st, 10, 10, 'named', time=110), samp(10, 10, 120),
       comm(st, 10, 10, 'run', time=130, misc=EXEC), samp(10, 11, 140), sw(150, 0, 0, 10, 10, True), sw(151, 10, 10, 0, 0, False),
       sw(160, 10, 11, 99, 99, True, pre=1), sw(170, 0, 0, 99, 99, False)]
recording('few.data', [attr(st)], few)

names = [
    comm(st, 10, 10, 'a0'), comm(st, 10, 11, 'thr'), samp(10, 10, 100), samp(10, 11, 110),
    comm(st, 10, 10, 'a1', time=120), samp(10, 10, 123), comm(st, 10, 10, 'a2', time=125), samp(10, 10, 130), samp(10, 11, 135),
    comm(st, 10, 11, 'thr2', time=136), samp(10, 11, 137),
    comm(st, 10, 10, 'x1', time=140, misc=EXEC), samp(10, 10, 150), comm(st, 10, 10, 'n1', time=160), samp(10, 10, 170), samp(10, 11, 175),
    comm(st, 10, 10, 'x2', time=180, misc=EXEC), comm(st, 10, 10, 'n2', time=185), samp(10, 10, 190), samp(10, 11, 191),
    task(FORK, st, 20, 10, 20, 10, time=200), samp(20, 20, 205), comm(st, 20, 20, 'f1', time=206), samp(20, 20, 207),
    task(FORK, st, 20, 20, 21, 20, time=208), samp(20, 21, 209), samp(20, 20, 209),
    task(FORK, st, 20, 20, 22, 21, time=210), comm(st, 20, 22, 'w', time=211), samp(20, 22, 212),
    samp(99, 99, 300), samp(98, 97, 301), samp(0, 0, 302), samp(0xffffffff, 0xffffffff, 303),
    task(EXIT, st, 20, 10, 20, 10, time=310), task(FORK, st, 20, 10, 20, 10, time=312), samp(20, 20, 315),
    sw(400, 0, 0, 10, 10, True), sw(401, 10, 10, 0, 0, False), sw(402, 10, 10, 10, 11, True, pre=1), sw(403, 10, 11, 10, 10, False),
    sw(410, 99, 99, 0, 0, True), sw(411, 0, 0, 99, 99, False), sw(412, 99, 99, 20, 22, True), sw(413, 20, 22, 99, 99, False),
    sw(420, 97, 97, 98, 98, True), sw(421, 98, 98, 97, 97, False), sw(422, 97, 97, 0, 0, True),
    sw(430, 98, 97, 10, 10, True), sw(431, 10, 10, 98, 97, False), samp(10, 10, 440)]
recording('names.data', [attr(st)], names)
recording('oldnames.data', [old_exec(st)], names)
recording('more.data', [attr(st)], [
    comm(st, 10, 10, 'b0'), comm(st, 10, 10, 'b1'), samp(10, 10, 100), comm(st, 11, 11, 'c0'), comm(st, 11, 11, 'c1', time=105), samp(11, 11, 106),
    samp(99, 99, 110), comm(st, 99, 99, 'late', time=120), samp(99, 99, 130), comm(st, 99, 99, 'later', time=140), samp(99, 99, 150),
    comm(st, 12, 12, 'd0', time=160), comm(st, 12, 12, 'd1', time=160), samp(12, 12, 161), comm(st, 12, 12, 'd1', time=162), samp(12, 12, 163),
    comm(st, 12, 12, 'd1', time=164, misc=EXEC), samp(12, 12, 165), comm(st, 12, 12, 'd2', time=165), samp(12, 12, 165),
    task(FORK, st, 31, 77, 31, 77, time=172), samp(31, 31, 173), comm(st, 31, 31, 'e1', time=174), samp(31, 31, 175),
    task(FORK, st, 40, 99, 40, 99, time=190), task(FORK, st, 40, 40, 41, 40, time=191), comm(st, 40, 41, 'e41', time=195), samp(40, 41, 196),
    comm(st, 40, 40, 'e40', time=197, misc=EXEC), samp(40, 41, 198), samp(40, 40, 199),
    samp(50, 51, 200), comm(st, 50, 51, 'm51', time=201), samp(50, 51, 202), comm(st, 50, 50, 'm50', time=203), samp(50, 51, 204), samp(50, 50, 205),
    record(SWITCH, USER | OUT, after(210, 10, 10)), record(SWITCH, USER, after(211, 10, 10)), record(SWITCH, USER, after(212, 0, 0))])

if len(sys.argv) > 2:	# stacks of the program, its functions and what has no name
    st |= ADDR | CALLCHAIN
    def ch(t, ip, *chain, addr=0, ev=1):
        chain = ((1 << 64) - 512, ip) + chain
        return record(SAMPLE, USER, struct.pack('<QQIIQQIIQQ%dQ' % len(chain), ev, ip, 10, 10, t, addr, 0, 0, 7, len(chain), *chain))
    S, M, L, T, N = (int(x, 16) for x in sys.argv[3:8])
    recording('chains.data', [attr(st), attr(st, config=2)], [
        comm(st, 10, 10, 'p'), mmap2(st, 10, 0x401000, 0x1000, 0x1000, sys.argv[2]),
        ch(100, L, M + 5, S + 10), ch(110, L + 1, M + 5, S + 10), ch(120, M, S + 10), ch(130, 0x99000, S + 10), ch(140, L, 0x88000, S + 10),
        ch(150, N, S + 10), ch(160, L, N + 1, S + 10), ch(170, N + 1, N + 1, S + 10), ch(180, L, N + 1, N + 2, S + 10), ch(190, L),
        ch(200, S, addr=T, ev=2), ch(210, T, S + 10, addr=0x77000, ev=2), ch(220, N + 128, N + 129, addr=N + 130, ev=2),
        ch(230, 0x402f02, addr=N + 130, ev=2), ch(240, L, N + 130, 0x402f83, addr=N + 128, ev=2)])
END
PYTHONPATH= python3 made.py "$TEST_DIR"

test_expect_success 'rows of tasks, names and context switches: each before the row that needs it' '
	rows few.data >out && cat >expect <<-\END && test_cmp expect out
	trace_begin
	evsel 1 '"'cpu-clock'"'
	machine 1 -1 '"''"'
	thread 1 1 1 10 10
	comm 1 '"'first'"' 1 0 0
	comm_thread 1 1 1
	sample 1 1 1 1 1 0 0 0 4198400 100 0 0 0 0 0 1 0 0 128933429281 0 0 0 0 0 0 1 -1 0
	comm 2 '"'named'"' 1 110 0
	comm_thread 2 2 1
	sample 2 1 1 1 2 0 0 0 4198400 120 0 0 0 0 0 1 0 0 128933429281 0 0 0 0 0 0 1 -1 0
	comm 3 '"'run'"' 1 130 1
	comm_thread 3 3 1
	thread 2 1 1 10 11
	comm_thread 4 3 2
	comm 4 '"':11'"' 2 0 0
	sample 3 1 1 2 3 0 0 0 4198400 140 0 0 0 0 0 1 0 0 128933429281 0 0 0 0 0 0 1 -1 0
	thread 3 1 3 0 0
	comm 5 '"'swapper'"' 3 0 0
	comm_thread 5 5 3
	context_switch 1 1 150 0 3 5 1 3 1
	context_switch 2 1 151 0 3 5 1 3 0
	trace_end
	END
'
test_expect_success 'types of branches; tracepoints have their functions all the same' '
	ours few.data all.py | grep "^branch_type" >out && [ $(wc -l <out) = 42 ] && grep -qx "branch_type 611 .hardware interrupt / trace end." out &&
	rows "$small/sched.data" >out && [ "$(grep -c "^trace_unhandled .sched__sched_switch. " out)" = \
		"$(perf script -f -i "$small/sched.data" -F event | grep -c switch:)" ] && ! grep -q "^sample" out
'
test_expect_success 'only functions that the script has are called' '
	printf "perf_db_export_mode = True\ndef sample_table(*a): print(len(a), a[0])\ndef process_event(d): print(d)\n" >few.py &&
	ours few.data few.py >out && printf "28 %d\n" 1 2 3 | test_cmp - out &&
	printf "perf_db_export_mode = False\ndef sample_table(*a): print(a)\ndef process_event(d): print(d[\"comm\"])\n" >few.py &&
	ours few.data few.py >out && printf "%s\n" first named :11 | test_cmp - out
'
for f in few names oldnames more; do
	test_expect_success NEWEST "the same as upstream perf: $f" '
		upstream '$f'.data all.py >upstream && [ $(wc -l <upstream) -gt 60 ] && ours '$f'.data all.py >ours && test_cmp upstream ours
	'
done

# ---- functions, stacks and calls: a program whose steps are a trace (see t3130) ----

test_lazy_prereq STEPS 'needs an x86-64, an assembler, and build/helper/steps (make tests)' '
	[ "$(uname -m)" = x86_64 ] && [ -x "$BUILD/helper/steps" ] && "$BUILD/helper/steps" /bin/true | grep -q .'
cat >p.S <<'END'
	.globl _start, leaf, middle, looped, tail
	.text
.type _start,@function
_start:	mov $3, %ecx
1:	call middle
	dec %ecx
	jnz 1b
	lea tail(%rip), %rax
	call *%rax
	call looped
	mov $39, %eax
	syscall
	mov $60, %eax
	xor %edi, %edi
	syscall
.type middle,@function
middle:	push %rcx
	call leaf
	pop %rcx
	ret
.type leaf,@function
leaf:	mov $3, %edx
3:	dec %edx
	jne 3b
	ret
.type looped,@function
looped:	mov $4, %ecx
5:	call leaf
	loop 5b
	ret
.type tail,@function
tail:	call 6f
6:	pop %rax
	jmp leaf
	.size tail, .-tail
	.balign 64
	.fill 1024, 1, 0x90
END
address () { nm p | awk -v n="$1" '$3 == n { print $1 }'; }
if test_have STEPS && cc -nostdlib -static -o p p.S; then
	"$BUILD/helper/steps" ./p >p.steps
	awk 'NR % 30 == 20 { print "!int" } { print }' p.steps >int.steps
	# the trace begins in a function whose call it has not seen
	sed -n '6,60p' p.steps >mid.steps
	for f in p int mid; do python3 "$TEST_DIR/pttrace.py" $f.pt "$PWD/p" <$f.steps; done
	python3 made.py "$TEST_DIR" "$PWD/p" $(address _start) $(address middle) $(address leaf) $(address tail) \
		"$(printf %x $((0x$(address tail) + 0x200)))"
fi

test_expect_success STEPS 'calls: who, in whom, from when to when, with how many branches' '
	rows p.pt --itrace=be >out && sed -nE "s/^symbol ([0-9]+) .* .(.*).$/\1 \2/p" out >symbols &&
	awk "FILENAME == \"symbols\" { name[\$1] = \$2; next } \$1 == \"call_path\" { of[\$2] = name[\$4] }
		\$1 == \"call_return\" { n[of[\$5] \" \" \$12]++ } END { for (k in n) print k, n[k] }" symbols out | LC_ALL=C sort >calls && cat >expect <<-\END &&
	 2 1
	_start 3 1
	leaf 0 7
	leaf 6 1
	looped 0 1
	middle 0 3
	tail 0 1
	END
	test_cmp expect calls && [ "$(tail -n 1 out)" = trace_end ]
'
# how many instructions and cycles there were since the branch before is the decoder'"'"'s; all else is the same
uncounted () { awk '/^sample / { $24 = $25 = "" } /^call_return / { $14 = $15 = "" } { print }'; }
for f in p int mid; do
	for o in be ce; do
		test_expect_success STEPS,NEWEST "the same as upstream perf: calls of $f, --itrace=$o" '
			upstream '$f'.pt all.py --itrace='$o' | uncounted >upstream && grep -q "^call_return" upstream &&
			ours '$f'.pt all.py --itrace='$o' | uncounted >ours && test_cmp upstream ours
		'
	done
done
test_expect_success STEPS,NEWEST 'the same as upstream perf: stacks, code without a name, data addresses' '
	upstream chains.data chains.py --no-inline >upstream && [ $(grep -c "^call_path" upstream) -gt 10 ] &&
	ours chains.data chains.py --no-inline >ours && test_cmp upstream ours
'
test_expect_success STEPS 'branches of a trace as samples: their flags, ids as upstream perf numbers them' '
	cat >s.py <<-\END &&
	def process_event(d):
	    s = d["sample"]
	    if d["ev_name"].startswith("branches"):
	        print(s["flags"], s["flags_disp"], s["id"] == s["stream_id"] == 1000000001, s["datasrc"], s["addr_correlates_sym"], sep=",")
	    else:
	        assert "flags" not in s and "insn_cnt" not in s
	END
	ours p.pt s.py --itrace=bep | sort | uniq -c | sed "s/^ *//" | LC_ALL=C sort >out && cat >expect <<-\END && test_cmp expect out
	1 b,jmp,True,0,True
	1 bcsE,tr end  syscall,True,0,True
	1 byE,tr end  async,True,0,True
	12 br,return,True,0,True
	13 bc,call,True,0,True
	2 bB,tr strt jmp,True,0,True
	21 bo,jcc,True,0,True
	END
'
test_expect_success STEPS,NEWEST 'and all of them are as under upstream perf' '
	cat >all-samples.py <<-\END &&
	def process_event(d):
	    del d["attr"]
	    # how many it is behind which branch is the decoder'"'"'s
	    d["sample"].pop("insn_cnt", 0), d["sample"].pop("cyc_cnt", 0)
	    d["sample"]["values"] = [v[:2] for v in d["sample"]["values"]]
	    print(d)
	def auxtrace_error(*a): print(a)
	END
	for f in p int mid; do
		upstream $f.pt all-samples.py --itrace=bep >upstream && grep -q flags_disp upstream && ours $f.pt all-samples.py --itrace=bep >ours && test_cmp upstream ours || return 1
	done
'

# ---- the script of the package: its database, by as much of Qt as it uses ----

mkdir -p qt/PySide2 && : >qt/PySide2/__init__.py && cat >qt/PySide2/QtSql.py <<'END'
import sqlite3

class Error:
    def __init__(self, text): self.t = text
    def text(self): return self.t

class QSqlDatabase:
    made = {}
    @staticmethod
    def addDatabase(kind, name='default'): return QSqlDatabase.made.setdefault(name, QSqlDatabase())
    @staticmethod
    def database(name='default'): return QSqlDatabase.made[name]
    def setDatabaseName(self, path): self.path = path
    def open(self):
        self.c = sqlite3.connect(self.path, isolation_level=None)
        return True
    def close(self): self.c.close()
    def lastError(self): return Error('')

class QSqlQuery:
    def __init__(self, db=None): self.db, self.e, self.bound, self.s = db or QSqlDatabase.database(), '', [], None
    def exec_(self, text=None):
        try:
            self.rows, self.at = self.db.c.execute(text or self.s, [] if text else self.bound).fetchall(), -1
            self.bound = []
            return True
        except sqlite3.Error as e:
            self.e = str(e)
            return False
    def prepare(self, text):
        self.s = text
        return True
    def addBindValue(self, v): self.bound.append(v)
    def lastError(self): return Error(self.e)
    def next(self):
        self.at += 1
        return self.at < len(self.rows)
    def value(self, i): return self.rows[self.at][i]
END
test_lazy_prereq EXPORT 'needs the script export-to-sqlite.py of the newest upstream perf, and sqlite3' \
	'[ -e "$theirs/export-to-sqlite.py" ] && command -v sqlite3 && python3 -c "import sqlite3"'
dump () { sqlite3 "$1" 'update samples set insn_count = 0, cyc_count = 0; update calls set insn_count = 0, cyc_count = 0;' 2>/dev/null
	sqlite3 "$1" .dump; }
test_expect_success NEWEST,EXPORT,STEPS 'export-to-sqlite.py: the same database' '
	export PYTHONPATH=$PWD/qt && x=$theirs/export-to-sqlite.py &&
	for c in "p.pt all calls" "int.pt branches calls"; do
		set -- $c && rm -f ours.db upstream.db &&
		# 7.2 sometimes ends with SIGABRT when it takes its Python down
		if ! "$NEWEST" script -f --itrace=be --no-inline -i $1 -s "$x" upstream.db $2 $3 >upstream 2>&1; then
			test_skip "upstream perf crashed"; return
		fi &&
		perf script -f --itrace=be --no-inline -i $1 -s "$x" ours.db $2 $3 >ours 2>&1 &&
		dump upstream.db >upstream.sql && dump ours.db >ours.sql && [ "$(grep -c "INSERT INTO samples" ours.sql)" -gt 10 ] &&
		test_cmp upstream.sql ours.sql || return 1
	done
'

test_done
