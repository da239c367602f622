#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='perf export: other tools find the samples, stacks and names that perf script shows'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/npm.sh"

small=$TOP/tests/data/small
export PERF_BUILDID_DIR=$PWD/.debug
test_workload threads

record () { perf record -q "$@"; }
export_to () { perf export -q --format "$@"; }
fold () { perf script -F comm,tid,time,event,ip,sym,dso "$@" 2>/dev/null | python3 "$TEST_DIR/fold.py" | LC_ALL=C sort; }
events () { perf script -G -F event "$@" 2>/dev/null | wc -l; }

test_lazy_prereq RECORD 'needs a recorder that can sample cpu-clock' 'record -o probe.data -e cpu-clock true && [ -s probe.data ]'

test_lazy_prereq PROTOC 'needs protoc (package protobuf-compiler)' 'protoc --version'
test_lazy_prereq GOPPROF 'needs go tool pprof (package golang-go)' 'HOME=$PWD go tool pprof -h 2>&1 | grep -q sample_index'

# A program with inlined functions and lines, and several threads.
cat >inlined.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static volatile unsigned long sink;
static inline __attribute__((always_inline)) void innermost(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i * i;
}
static inline __attribute__((always_inline)) void middle(unsigned long n) { innermost(n); innermost(n / 2); }
__attribute__((noinline)) void outer(unsigned long n) { middle(n); sink++; }
static void *run(void *arg) { for (int i = 0; i < 20; i++) outer((unsigned long)arg); return NULL; }
int main(int argc, char **argv)
{
	pthread_t t[3];
	unsigned long n = strtoul(argv[argc - 1], NULL, 0);

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, run, (void *)n);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END

test_expect_success RECORD,CC 'recordings' '
	cc -g -O2 -fno-omit-frame-pointer -pthread -o inlined inlined.c &&
	record -F 2000 -e cpu-clock -g -o live.data ./inlined 2000000 &&
	record -F 500 -e cpu-clock -e task-clock:u -g -o two.data ./inlined 3000000 &&
	[ $(events -i live.data) -gt 30 ]
'

# ---- folded ----

test_expect_success PYTHON 'folded: as a folding of the text of perf script' '
	for f in fp dwarf pipe zstd sched; do
		fold -i "$small/$f.data" >expect &&
		export_to folded -i "$small/$f.data" | LC_ALL=C sort >actual && [ -s expect ] &&
		test_cmp expect actual || return 1
	done
'
test_expect_success RECORD,CC,PYTHON 'folded: inlined functions are frames, or with --no-inline not' '
	fold -i live.data >expect && export_to folded -i live.data | LC_ALL=C sort >actual && test_cmp expect actual &&
	grep ";outer;middle;innermost " actual &&
	fold --no-inline -i live.data >expect &&
	export_to folded --no-inline -i live.data | LC_ALL=C sort >actual && test_cmp expect actual && ! grep innermost actual
'
test_expect_success RECORD,CC,PYTHON 'folded: several events, one of them' '
	fold -i two.data >expect && export_to folded -i two.data | LC_ALL=C sort >actual && test_cmp expect actual &&
	grep -c "^cpu-clock;inlined;" actual && grep "^task-clock:u;inlined;" actual &&
	sed -n "s/^task-clock:u;//p" actual >expect && export_to folded -e task-clock:u -i two.data | LC_ALL=C sort >actual && test_cmp expect actual &&
	export_to folded -e "task*" -i two.data | LC_ALL=C sort >actual && test_cmp expect actual &&
	test_must_fail perf export --format folded -e cycles -i two.data 2>err && test_grep "^Error: there is no event .cycles. in .two.data." err &&
	test_grep "^Hint: its events: cpu-clock, task-clock:u" err
'
test_expect_success RECORD,CC 'folded: trees by command, process, thread, or none' '
	n=$(events -i live.data) &&
	for by in none comm pid tid; do
		[ $(export_to folded --by $by -i live.data | awk "{ n += \$NF } END { print n }") = $n ] || return 1
	done &&
	export_to folded --by none -i live.data | cut -d";" -f1 | sort -u >roots && ! grep inlined roots &&
	perf script -G -F comm,pid,tid -i live.data | sed -n "s/^ *\([^ ].*[^ ]\)  *\([0-9]*\)\/\([0-9]*\) *$/\1-\2\/\3/p" | sort -u >expect &&
	export_to folded --by tid -i live.data | cut -d";" -f1 | sort -u >roots && test_cmp expect roots && [ $(wc -l <roots) -ge 3 ]
'
test_expect_success RECORD,CC 'the filters of report, with the counts of script' '
	tid=$(perf script -G -F tid -i live.data | sort | uniq -c | sort -rn | awk "NR == 2 { print \$2 }") &&
	for f in "--tid $tid" "--comms inlined" "--time 20%-60%" "--symbols innermost" "--symbols outer" "--dsos inlined" "--dsos nosuch"; do
		[ "$(export_to folded $f -i live.data | awk "{ n += \$NF } END { print n + 0 }")" = "$(events $f -i live.data)" ] ||
			{ echo "$f"; return 1; }
	done
'
test_expect_success RECORD,CC '--weight period' '
	perf script -G -F period -i live.data | awk "{ n += \$1 } END { printf \"%.0f\\n\", n }" >expect &&
	export_to folded --weight period -i live.data | awk "{ n += \$NF } END { printf \"%.0f\\n\", n }" >actual && test_cmp expect actual
'

# ---- pprof ----

export_pprof () { rm -f out.pb.gz && export_to pprof -o out.pb.gz "$@" && python3 "$TEST_DIR/pprof.py" out.pb.gz >decoded; }
decoded_stacks () { grep -v -e "^mapping " -e "^type " -e "^line " decoded | LC_ALL=C sort; }

test_expect_success PYTHON 'pprof: the stacks of perf script' '
	for f in fp dwarf pipe zstd sched; do
		fold -i "$small/$f.data" >expect && export_pprof -i "$small/$f.data" && decoded_stacks >actual &&
		[ -s expect ] && test_cmp expect actual || { echo $f; return 1; }
	done
'
test_expect_success RECORD,CC,PYTHON 'pprof: inlined functions, lines, build-ids, both values' '
	fold -i live.data >expect && export_pprof -i live.data && decoded_stacks >actual && test_cmp expect actual &&
	perf buildid-list -i live.data | sed -n "s/^\([0-9a-f]*\) \(.*\/inlined\)$/mapping \2 \1/p" >expect && [ -s expect ] &&
	grep "^mapping .*/inlined" decoded >actual && test_cmp expect actual &&
	test_grep "^type samples count $(events -i live.data)$" decoded &&
	test_grep "^type cpu-clock nanoseconds $(perf script -G -F period -i live.data | awk "{ n += \$1 } END { printf \"%.0f\", n }")$" decoded &&
	test_grep "^line innermost inlined.c:7$" decoded && test_grep "^line middle inlined.c:9$" decoded && test_grep "^line outer inlined.c:10$" decoded
'
test_expect_success RECORD,CC,PYTHON 'pprof: several events' '
	fold -i two.data >expect && export_pprof -i two.data && decoded_stacks >actual && test_cmp expect actual &&
	for e in cpu-clock task-clock:u; do
		n=$(export_to folded -e $e -i two.data | awk "{ n += \$NF } END { print n }") && test_grep "^type $e samples count $n$" decoded || return 1
	done
'
test_expect_success RECORD,CC,PROTOC 'pprof: protoc reads it by the description of the format' '
	export_to pprof -f -o out.pb.gz -i live.data && gzip -dc out.pb.gz | protoc --decode=perftools.profiles.Profile -I "$TOP/tests/data/proto" profile.proto >text &&
	[ "$(sed -n "/^sample {/,/^}/s/^  value: \([0-9]*\)$/\1/p" text | awk "NR % 2 { n += \$1 } END { print n }")" = "$(events -i live.data)" ] &&
	! grep -E "^ *[0-9]+[:{ ]" text
'
test_expect_success RECORD,CC,GOPPROF 'pprof: go tool pprof counts as perf report does' '
	export_to pprof -f -o out.pb.gz -i live.data &&
	HOME=$PWD go tool pprof -top -sample_index=samples -nodecount=1000 -nodefraction=0 -edgefraction=0 out.pb.gz >top 2>err && cat top &&
	n=$(events -i live.data) && test_grep "^Showing nodes accounting for $n, 100% of $n total" top &&
	perf script -F ip,sym -i live.data | awk "first && NF > 1 { sub(/\\+0x.*/, \"\", \$2); print \$2 } { first = !NF }" | sort | uniq -c | sort -rn | head -1 | awk "{ print \$2, \$1 }" >expect &&
	awk "NR > 1 && \$1 ~ /^[0-9]+$/ { print \$6, \$1; exit }" top >actual && test_cmp expect actual
'

# ---- documents of JSON, CSV ----

# stacks_of FORMAT RECORDING: as fold.py has them
stacks_of () {
	export_to $1 -i "$2" >document && python3 "$TEST_DIR/exported.py" $1 document >stacks && LC_ALL=C sort stacks
}

for format in speedscope gecko csv json trace-json perfetto otlp; do
	case $format in gecko|trace-json) comm=--no-comm ;; *) comm= ;; esac
	scheduler=sched
	[ $format != trace-json ] || scheduler=	# is about tasks then: below
	test_expect_success PYTHON "$format: the stacks of perf script" '
		for f in fp dwarf pipe zstd $scheduler; do
			perf script -F comm,tid,time,event,ip,sym,dso -i "$small/$f.data" 2>/dev/null | python3 "$TEST_DIR/fold.py" $comm | LC_ALL=C sort >expect &&
			stacks_of $format "$small/$f.data" >actual && [ -s expect ] && test_cmp expect actual || { echo $f; return 1; }
		done
	'
	test_expect_success RECORD,CC,PYTHON "$format: inlined functions, threads, several events" '
		for f in live two; do
			perf script -F comm,tid,time,event,ip,sym,dso -i $f.data 2>/dev/null | python3 "$TEST_DIR/fold.py" $comm | LC_ALL=C sort >expect &&
			stacks_of $format $f.data >actual && test_cmp expect actual || { echo $f; return 1; }
		done
	'
done
# sums_of OPTION...: samples by function, of their own and with callees, of more than 5
sums_of () {
	for by in self total; do
		export_to folded --by none "$@" -i live.data | awk -v by=$by '{ n = $NF; sub(/ [0-9]*$/, ""); k = split($0, f, ";"); delete seen
			for (i = by == "self" ? k : 1; i <= k; i++) if (!(f[i] in seen)) { seen[f[i]]; sum[f[i]] += n } }
			END { for (i in sum) if (i !~ /^\[/) print (by == "self" ? "" : "with callees: ") i, sum[i] }'
	done | awk '$NF > 5' | LC_ALL=C sort
}
# sums_in FORMAT NAME UNIT OPTION...: what speedscope finds, in that file
sums_in () {
	export_to $1 -f -o "$2" "${@:4}" -i live.data && speedscope "$2" "$2" | sed -n '/^samples/,$p' |
		awk -v unit=$3 'NR > 1 { n = $NF / unit; sub(/ [0-9.]*$/, ""); if (n > 5.5) print $0, n }' | grep -v -F -e '[' -e 'with callees: inlined ' | LC_ALL=C sort
}
test_expect_success RECORD,CC,SPEEDSCOPE 'speedscope itself reads speedscope, folded and pprof (of which it takes no inlined functions): as they are' '
	sums_of >expect && grep "^innermost " expect && grep "^with callees: outer " expect &&
	sums_in speedscope a.speedscope.json 1 >actual && test_cmp expect actual && sums_in folded a.collapsedstack.txt 1 >actual && test_cmp expect actual &&
	sums_of --no-inline >expect && sums_in pprof a.pb.gz $(perf script -G -F period -i live.data | head -1) --no-inline >actual && test_cmp expect actual
'
test_expect_success RECORD,CC,PYTHON 'csv and json: each sample with its time, task, CPU, period and function' '
	record -F 500 -e cpu-clock -d -g --sample-cpu -o cpu.data ./inlined 3000000 &&
	perf script -G -F comm,pid,tid,cpu,time,event,period --ns -i cpu.data | tr -d "[]:" | sed "s/\//  /" | awk "{
		sub(/^0*/, \"\", \$4); split(\$5, t, \".\"); print t[1] t[2], \$7, \$2, \$3, \$1, \$4 + 0, \$6 }" >expect && [ $(wc -l <expect) -gt 20 ] &&
	for format in csv json perfetto; do
		export_to $format -i cpu.data >document && python3 "$TEST_DIR/exported.py" $format document samples | cut -d" " -f1-7 >actual &&
		test_cmp expect actual || return 1
	done
'
test_expect_success PYTHON 'trace-json: the spans of perf data convert, of a scheduler recording' '
	perf data convert -q -i "$small/sched.data" --to-trace-json spans && export_to trace-json -i "$small/sched.data" >actual && test_cmp spans actual &&
	grep -q "\"ph\":\"X\"" actual
'
test_expect_success PYTHON 'json: fields of tracepoints' '
	perf script -F event,trace -i "$small/sched.data" 2>/dev/null | sed -n "s/.*sched_stat_runtime:.* comm=\(.*\) pid=\([0-9]*\) runtime=\([0-9]*\) .*/\1 \2 \3/p" >expect &&
	export_to json -i "$small/sched.data" | python3 -c "
import json, sys
for s in json.load(sys.stdin)[\"samples\"]:
    if s[\"event\"] == \"sched:sched_stat_runtime\":
        print(s[\"fields\"][\"comm\"], s[\"fields\"][\"pid\"], s[\"fields\"][\"runtime\"])" >actual && [ -s expect ] && test_cmp expect actual
'

test_expect_success PROTOC,PYTHON 'perfetto: protoc reads it by the description of the format; switches of the scheduler' '
	export_to perfetto -f -o trace --lines -i "$small/sched.data" && protoc --decode=perfetto.protos.Trace -I "$TOP/tests/data/proto" perfetto.proto <trace >text &&
	! grep -E "^ *[0-9]+[:{ ]" text && [ $(grep -c "^  perf_sample {" text) = $(events -i "$small/sched.data") ] &&
	perf script -G -F cpu,time,event,trace --ns -i "$small/sched.data" | sed -n "s/^ *\[0*\([0-9]*\)\] *\([0-9]*\)\.\([0-9]*\): *sched:sched_switch: prev_comm=\(.*\) prev_pid=\([0-9]*\) prev_prio=\([0-9]*\) prev_state=.* ==> next_comm=\(.*\) next_pid=\([0-9]*\) next_prio=\([0-9]*\)$/\2\3 \1 \4 \5 \6 \7 \8 \9/p" | sed "s/ \( [^ ]* [0-9]* \)/ 0\1/" >expect &&
	python3 "$TEST_DIR/exported.py" perfetto trace switches >actual && [ -s expect ] && test_cmp expect actual
'
test_expect_success RECORD,CC,PROTOC,PYTHON 'otlp: protoc reads it by the description of the format; binaries, lines, periods' '
	export_to otlp -f -o profiles -i live.data && protoc --decode=opentelemetry.proto.profiles.v1development.ProfilesData -I "$TOP/tests/data/proto" otlp-profiles.proto <profiles >text &&
	! grep -E "^ *[0-9]+[:{ ]" text && python3 "$TEST_DIR/exported.py" otlp profiles >stacks 2>more &&
	perf buildid-list -i live.data | sed -n "s/^\([0-9a-f]*\) \(.*\/inlined\)$/mapping \2 \1/p" >expect && [ -s expect ] && grep "^mapping .*/inlined" more >actual && test_cmp expect actual &&
	test_grep "^line innermost inlined.c:7$" more && test_grep "^line middle inlined.c:9$" more && test_grep "^line outer inlined.c:10$" more &&
	export_to otlp -f -o profiles --weight period -i live.data && python3 "$TEST_DIR/exported.py" otlp profiles 2>more | awk "{ n += \$NF } END { printf \"%.0f\\n\", n }" >actual &&
	perf script -G -F period -i live.data | awk "{ n += \$1 } END { printf \"%.0f\\n\", n }" >expect && test_cmp expect actual
'

# ---- outputs ----

formats="folded speedscope pprof gecko csv json trace-json perfetto otlp parquet"	# ctf, sqlite: below

test_expect_success 'formats: as the page, the help and the error list them' '
	test_status 129 perf export 2>err && test_grep "^Error: give a --format: $(echo $formats ctf sqlite | sed "s/ /, /g")$" err &&
	test_status 129 perf export --format nosuch 2>err && test_grep "there is no format .nosuch." err && test_grep "^Hint: formats: folded, " err &&
	for f in $formats ctf sqlite; do test_grep "^$f::" "$TOP/Documentation/perf-export.txt" || return 1; done
'
test_expect_success 'an output that exists is kept unless -f is given; the full disk leaves nothing' '
	for f in $formats; do
		echo precious >kept && echo precious >expect &&
		test_status 1 perf export -q --format $f -i "$small/fp.data" -o kept 2>err && test_grep "^Error: the file .kept. exists" err &&
		test_cmp expect kept && perf export -q -f --format $f -i "$small/fp.data" -o kept && ! test_cmp expect kept >/dev/null &&
		test_status 1 perf export -q -f --format $f -i "$small/fp.data" -o /dev/full 2>err && test_grep "^Error: cannot write ./dev/full.: No space left" err &&
		test_status 1 perf export -q --format $f -i "$small/fp.data" >/dev/full 2>err && [ $(grep -c "^Error: " err) = 1 ] || { echo $f; cat err; return 1; }
	done
'
test_expect_success 'to a file and to standard output: the same; of a recording that is not there no file' '
	for f in $formats; do
		rm -f whole && perf export -q --format $f -i "$small/fp.data" -o whole && perf export -q --format $f -i "$small/fp.data" -o - | cmp - whole &&
		perf export -q --format $f -i - <"$small/pipe.data" >piped && perf export -q --format $f -i "$small/pipe.data" >file && [ -s piped ] || { echo $f; return 1; }
		rm -f whole && test_status 1 perf export -q --format $f -i "$small/nosuch.data" -o whole 2>err && [ ! -e whole ] || return 1
	done
'
test_expect_success 'the same with any number of threads' '
	for f in $formats; do
		perf export -q --jobs 1 --format $f -i "$small/fp.data" >one && perf export -q --jobs 3 --format $f -i "$small/fp.data" | cmp - one || { echo $f; return 1; }
	done
'
test_expect_success PYTHON 'no samples, or none left: one message, no file' '
	PYTHONPATH=$TEST_DIR PYTHONDONTWRITEBYTECODE=1 python3 -c "
import perfdata as p
st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER
p.recording(\"empty.data\", [p.attr(st)], [p.comm(st, 100, 100, \"prog\", 1)], [(6, p.text(\"x86_64\"))])" &&
	for f in $formats; do
		test_status 1 perf export --format $f -i empty.data -o none 2>err && test_grep "^Error: the file .empty.data. has no samples$" err && [ $(wc -l <err) = 1 ] &&
		[ ! -e none ] &&
		test_status 1 perf export --format $f -i empty.data >none 2>err && [ ! -s none ] && rm none &&
		test_status 1 perf export --format $f --comms nosuch -i "$small/fp.data" -o none 2>err && [ $(grep -c "^Error: " err) = 1 ] &&
		test_grep "^Error: no sample in .*fp.data. is left (.89 samples.)$" err && [ ! -e none ] || { echo $f; cat err; return 1; }
	done
'

# ---- CTF: a directory ----

test_lazy_prereq BABELTRACE 'needs babeltrace2 (package babeltrace2)' 'babeltrace2 --version'

ctf_of () { rm -rf ctf && export_to ctf -o ctf "$@" && babeltrace2 --clock-cycles ctf >text; }

test_expect_success BABELTRACE 'ctf: babeltrace2 finds each sample with its time, task, CPU, period and stack' '
	for f in fp dwarf pipe zstd sched; do
		ctf_of -i "$small/$f.data" && perf export -q --format csv -i "$small/$f.data" >csv && [ "$(find ctf -type f | sort | tr "\n" " ")" = "ctf/metadata ctf/perf_stream_0 " ] &&
		python3 -c "
import csv
for r in csv.DictReader(open(\"csv\", newline=\"\")):
    print(int(r[\"time_ns\"]), r[\"event\"], r[\"pid\"], r[\"tid\"], r[\"comm\"], r[\"period\"], r[\"stack\"].rsplit(\";\", 1)[-1], r[\"stack\"])" >expect &&
		sed -n "s/^\[0*\([0-9]*\)\].* \([^ ]*\): { perf_cpu = [-0-9]*, perf_pid = \([0-9]*\), perf_tid = \([0-9]*\), perf_comm = \"\([^\"]*\)\", perf_period = \([0-9]*\), perf_ip = [^,]*, perf_symbol = \"\([^\"]*\)\", .* perf_stack = \"\([^\"]*\)\".*/\1 \2 \3 \4 \5 \6 \7 \8/p" text >actual &&
		[ -s expect ] && test_cmp expect actual || { echo $f; return 1; }
	done
'
test_expect_success BABELTRACE 'ctf: fields of tracepoints, the addresses of the chain, the time of the day' '
	ctf_of -i "$small/sched.data" && sed -n "s/.* sched:sched_stat_runtime: .*, comm = \"\(.*\)\", pid = \([0-9]*\), runtime = \([0-9]*\).*/\1 \2 \3/p" text >actual &&
	perf script -F event,trace -i "$small/sched.data" 2>/dev/null | sed -n "s/.*sched_stat_runtime:.* comm=\(.*\) pid=\([0-9]*\) runtime=\([0-9]*\) .*/\1 \2 \3/p" >expect && [ -s expect ] && test_cmp expect actual &&
	ctf_of -i "$small/fp.data" && grep -o "\[[0-9]*\] = 0x[0-9A-F]*" text | sed "s/.*0x//" | tr A-F a-f >actual &&
	perf script --no-inline -F ip -i "$small/fp.data" 2>/dev/null | awk "NF { print \$1 }" >expect && [ -s expect ] && test_cmp expect actual
'
test_expect_success BABELTRACE 'ctf: perf data convert --to-ctf writes the same; --time, --tod, what does not go together' '
	export_to ctf -i "$small/fp.data" -o ctf1 -f && perf data convert -i "$small/fp.data" --to-ctf ctf2 2>err && test_cmp ctf1/metadata ctf2/metadata && cmp ctf1/perf_stream_0 ctf2/perf_stream_0 &&
	test_grep "^. perf data convert: Converted .*fp.data. into CTF data .ctf2. .89 samples. .$" err &&
	n=$(perf script -G -F event --time 0%-30% -i "$small/fp.data" | wc -l) && perf data convert -q -f -i "$small/fp.data" --time 0%-30% --to-ctf ctf2 && [ "$n" -lt 89 ] && [ $(babeltrace2 ctf2 | wc -l) = $n ] &&
	test_status 1 perf data convert -i "$small/fp.data" --tod --to-ctf ctf3 2>err && ! [ -e ctf3 ] &&
	test_grep "^Error: the recording .*fp.data. does not say the time of day" err && test_grep "^Hint: perf record -k CLOCK_MONOTONIC records it" err &&
	test_status 129 perf data convert -i "$small/fp.data" --tod --to-json x 2>err && test_grep "^Error: --tod is for --to-ctf" err && test_status 129 perf data convert -i "$small/fp.data" --to-ctf - 2>err
'
test_expect_success RECORD,BABELTRACE 'ctf: the time of the day; an output that exists; names that somebody chose' '
	perf record -q -k CLOCK_MONOTONIC -F 500 -e cpu-clock -o tod.data perf test -w leafloop 0.1 && ctf_of -i tod.data && perf data convert -q -i tod.data --tod --to-ctf ctf4 && test_cmp ctf/metadata ctf4/metadata &&
	perf data convert -q -f -i tod.data --to-ctf ctf4 && ! grep offset ctf4/metadata && babeltrace2 --clock-seconds ctf | head -1 | sed "s/^\[\([0-9]*\).*/\1/" >first &&
	[ $(($(date +%s) - $(cat first))) -lt 3600 ] && [ $(($(date +%s) - $(cat first))) -ge 0 ] &&
	cp -r ctf before && test_status 1 perf export -q --format ctf -i "$small/fp.data" -o ctf 2>err && test_grep "^Error: the file .ctf/perf_stream_0. exists" err && diff -r before ctf &&
	export_to ctf -f -i "$small/fp.data" -o ctf && [ $(babeltrace2 ctf | wc -l) = 89 ] &&
	test_status 129 perf export --format ctf -i "$small/fp.data" 2>err && test_grep "the format ctf needs a directory" err &&
	[ -e empty.data ] && test_status 1 perf export -q --format ctf -i empty.data -o noctf 2>err && [ ! -e noctf ]
'

# ---- names that somebody chose ----

cat >hostile.py <<\END
import struct, perfdata as p
st = p.IP | p.TID | p.TIME | p.PERIOD | p.IDENTIFIER
names = [b"a;b", b"a,b", b"say \"hi\"", b"x\ny", b"\r\n", b"</script>", b"<!-- &amp;", b"\x1b[31mred", b"\xff\xfe", "\u00fcber\u2028".encode(), b"\\", b"=1+1", b" 42", b"%n%s", b"'; drop --", b"\x01\x7f"]
records = []
for i, n in enumerate(names):
    records.append(p.comm(st, 100 + i, 100 + i, n, 1 + i))
    records.append(p.mmap2(st, 100 + i, 0x400000, 0x10000, 0, b"/nosuch/" + n.replace(b"/", b"|"), 2 + i))
for i in range(len(names)):
    for k in range(i + 1):
        records.append(p.record(p.SAMPLE, 2, struct.pack("<QQIIQQ", 1, 0x401000 + i % 7, 100 + i, 100 + i, 1000 + 100 * i + k, 3)))
p.recording("hostile.data", [p.attr(st)], records, [(6, p.text("x86_64"))])
END
cat >names.py <<\END
import csv, json, sys
exec(open("hostile.py").read().split("records =")[0])
want = sorted(i + 1 for i in range(len(names)))
text = [n.decode(errors="replace") for n in names]
d = json.load(open("json"))
got = {}
for s in d["samples"]:
    got[s["comm"]] = got.get(s["comm"], 0) + 1
assert {k.replace("\ufffd", "?"): v for k, v in got.items()} == {t.replace("\ufffd", "?"): i + 1 for i, t in enumerate(text)}, got
assert {s["stack"][0]["dso"] for s in d["samples"]} == {"/nosuch/" + t.replace("/", "|") for t in text}
rows = list(csv.reader(open("csv", newline="")))
assert len(rows) == 1 + sum(want) and {len(r) for r in rows} == {len(rows[0])}
assert not any(ord(c) < 32 or ord(c) == 127 for r in rows for f in r for c in f)
for plain in "a,b", "say \"hi\"", "a;b", "</script>", "=1+1", "'; drop --":
    assert plain in {r[4] for r in rows}, plain
lines = open("folded", encoding="utf-8", errors="surrogateescape", newline="").read().split("\n")
assert lines.pop() == "" and len(lines) == len(names), lines
assert sorted(int(l.rsplit(" ", 1)[1]) for l in lines) == want
assert all(l.count(";") == 1 and not any(ord(c) < 32 or ord(c) == 127 for c in l) for l in lines)
d = json.load(open("speedscope"))
assert sorted(p["endValue"] for p in d["profiles"]) == want
d = json.load(open("gecko"))
assert sorted(len(t["samples"]["data"]) for t in d["threads"]) == want and {t["name"] for t in d["threads"]} >= {"a;b", "</script>", "say \"hi\""}
d = json.load(open("trace-json"))
assert {e["args"]["name"] for e in d["traceEvents"] if e["ph"] == "M"} >= {"a;b", "</script>", "x\ny"}
END
test_expect_success PYTHON 'hostile names are data in each format' '
	export PYTHONPATH=$TEST_DIR PYTHONDONTWRITEBYTECODE=1 &&
	python3 hostile.py &&
	for f in $formats; do export_to $f -f -o $f -i hostile.data || return 1; done &&
	export_to ctf -o hostilectf -i hostile.data && { ! babeltrace2 --version || [ $(babeltrace2 hostilectf | grep -c "perf_period = 3") = 136 ]; } &&
	python3 names.py && python3 "$TEST_DIR/pprof.py" pprof >decoded && [ $(grep -c "^mapping /nosuch/" decoded) = 16 ] && test_grep "^type samples count 136$" decoded &&
	[ $(python3 "$TEST_DIR/exported.py" perfetto perfetto samples | wc -l) -ge 136 ] && [ $(python3 "$TEST_DIR/exported.py" otlp otlp 2>more | grep -c " [0-9]*$") = 16 ]
'

# ---- SQLite ----

sql () { perf sql -q -x "|" "$@" | tail -n +2; }

test_lazy_prereq SQLITE_BUILT 'needs a perf built with libsqlite3' 'perf sql -q -i "$small/fp.data" "select 1"'

test_expect_success SQLITE,SQLITE_BUILT 'sqlite: the counts of perf script, with and without callees' '
	for f in fp dwarf sched; do
		rm -f db && export_to sqlite -i "$small/$f.data" -o db && [ "$(sqlite3 db "pragma integrity_check; pragma foreign_key_check")" = ok ] &&
		perf script -F event -G -i "$small/$f.data" 2>/dev/null | sed "s/^ *//; s/: *$//" | sort | uniq -c | awk "{ print \$2 \"|\" \$1 }" >expect &&
		sqlite3 db "select event, count(*) from sample_list group by 1 order by 1" >actual && test_cmp expect actual &&
		sqlite3 db "select event, sum(samples) from functions_self group by 1 order by 1" >actual && test_cmp expect actual || { echo $f; return 1; }
	done
'
test_expect_success RECORD,CC,SQLITE,SQLITE_BUILT 'sqlite: stacks, inlined functions, lines' '
	rm -f db && export_to sqlite -i live.data -o db && export_to folded -i live.data | LC_ALL=C sort >expect &&
	sqlite3 db "with recursive path(id, text) as (select k.id, coalesce(f.name, char(63)) from stacks k join frames f on f.id = k.frame_id where k.parent_id is null
		union all select k.id, path.text || char(59) || coalesce(f.name, char(63)) from path join stacks k on k.parent_id = path.id join frames f on f.id = k.frame_id)
		select c.name || char(59) || path.text || char(32) || count(*) from samples s join path on path.id = s.stack_id join comms c on c.id = s.comm_id
		group by c.name, path.text" | grep -v "?" | LC_ALL=C sort >actual && grep -v "\[unknown\]" expect >named && test_cmp named actual &&
	awk "/;innermost / || /;innermost;/ { n += \$NF } END { print n }" expect >want &&
	sqlite3 db "select samples from functions_total where function = char(105,110,110,101,114,109,111,115,116)" >got && test_cmp want got &&
	sqlite3 db "select distinct line from frames where inlined and file like \"%inlined.c\" order by 1" >lines && grep -x 7 lines && grep -x 9 lines
'
test_expect_success SQLITE_BUILT 'perf sql: a table, CSV, JSON; of a database; what is no question' '
	[ "$(sql -i "$small/fp.data" "select count(*) from samples")" = 89 ] &&
	[ "$(sql -i "$small/sched.data" -e sched:sched_switch "select count(*) from samples")" = 11 ] &&
	perf sql -q --json -i "$small/fp.data" "select count(*) as n from samples" >json && grep "{\"n\":89}" json &&
	perf sql -q -i "$small/fp.data" "select count(*) as n from samples" >text && grep "^ *89$" text &&
	rm -f db && export_to sqlite -i "$small/fp.data" -o db && [ "$(sql -i db "select count(*) from samples")" = 89 ] &&
	test_status 1 perf sql -q -i db "delete from samples" 2>err && test_grep "^Error: not a question: " err &&
	test_status 1 perf sql -q -i db "select 1; select 2" 2>err && test_grep "^Error: a query is one statement" err &&
	test_status 1 perf sql -q -i db "select nosuch from samples" 2>err && test_grep "no such column: nosuch" err && test_grep "^Hint: " err &&
	test_status 129 perf sql -i db 2>err && test_status 1 perf sql -i nosuch.data "select 1" 2>err && test_grep nosuch.data err &&
	[ -z "$(ls /tmp/perf-sql.db 2>/dev/null)" ]
'
test_expect_success SQLITE_BUILT 'perf sql --keep: made once, and again when the recording or the options are others' '
	mkdir keep-it && cp "$small/fp.data" keep-it/r.data && perf sql --keep -x "|" -i keep-it/r.data "select count(*) from samples" >out 2>err && test_grep "^89$" out &&
	test_grep "^. perf sql: .keep-it/r.data.sqlite. is kept for the next question .$" err && ls -i keep-it/r.data.sqlite >one &&
	perf sql --keep --json -i keep-it/r.data "select count(*) as n from samples" >out 2>err && test_grep "{\"n\":89}" out && ! [ -s err ] &&
	ls -i keep-it/r.data.sqlite >two && test_cmp one two && [ "$(sql -i keep-it/r.data.sqlite "select count(*) from samples")" = 89 ] &&
	[ "$(sql --keep -i keep-it/r.data --time 0, "select count(*) from samples where 1")" = 89 ] && ls -i keep-it/r.data.sqlite >two && ! cmp one two &&
	cp "$small/sched.data" keep-it/r.data && sql -i keep-it/r.data "select count(*) from samples" >expect && sql --keep -i keep-it/r.data "select count(*) from samples" >actual &&
	test_cmp expect actual && touch -d "2001-01-01" keep-it/r.data && ls -i keep-it/r.data.sqlite >one && sql --keep -i keep-it/r.data "select 1" && ls -i keep-it/r.data.sqlite >two && ! cmp one two &&
	[ "$(ls keep-it)" = "$(printf "%s\n" r.data r.data.sqlite)" ]
'
test_expect_success SQLITE_BUILT 'perf sql --keep: what is there and is no such database stays as it is' '
	mkdir other && cp "$small/fp.data" other/r.data && echo mine >other/r.data.sqlite && test_status 1 perf sql --keep -i other/r.data "select 1" 2>err &&
	printf "%s\n" "Error: '\''other/r.data.sqlite'\'' is there, and is no database that perf sql keeps" "Hint: move it away, or ask without --keep" >expect && test_cmp expect err &&
	[ "$(cat other/r.data.sqlite)" = mine ] && rm other/r.data.sqlite && export_to sqlite -i "$small/fp.data" -o other/r.data.sqlite &&
	test_status 1 perf sql --keep -i other/r.data "select 1" 2>err && test_cmp expect err && rm other/r.data.sqlite && mkfifo other/r.data.sqlite &&
	test_status 1 timeout 10 "$BUILD/perf" sql --keep -i other/r.data "select 1" 2>err && test_cmp expect err && rm other/r.data.sqlite &&
	echo elsewhere >target && ln -s ../target other/r.data.sqlite && test_status 1 perf sql --keep -i other/r.data "select 1" 2>err && test_cmp expect err && [ "$(cat target)" = elsewhere ] &&
	rm other/r.data.sqlite target && test_status 129 perf sql --keep -i - "select 1" <"$small/fp.data" 2>err && test_status 129 perf sql --keep -i db "select 1" 2>err
'
test_expect_success SQLITE_BUILT,ROOT 'perf sql --keep: a file or link of somebody else is not looked at' '
	mkdir foreign && cp "$small/fp.data" foreign/r.data && sql --keep -i foreign/r.data "select 1" && chown 12345 foreign/r.data.sqlite &&
	test_status 1 perf sql --keep -i foreign/r.data "select 1" 2>err && test_grep "^Error: .foreign/r.data.sqlite. is not yours" err && chown 0 foreign/r.data.sqlite &&
	mv foreign/r.data.sqlite true.sqlite && ln -s ../true.sqlite foreign/r.data.sqlite && sql --keep -i foreign/r.data "select 1" && chown -h 12345 foreign/r.data.sqlite &&
	test_status 1 perf sql --keep -i foreign/r.data "select 1" 2>err && test_grep "^Error: .foreign/r.data.sqlite. is not yours" err
'
test_expect_success SQLITE_BUILT,PYTHON 'sqlite: hostile names are data; existing files; what is no file' '
	export_to sqlite -f -i hostile.data -o db && perf sql -q --json -i db "select name from comms" >json && python3 -c "
import json
names = {r[\"name\"] for r in json.load(open(\"json\"))[\"rows\"]}
assert len(names) == 16 and {\"a;b\", \"</script>\", chr(39) + \"; drop --\", \"x\\ny\"} <= names, names" &&
	test_status 1 perf export -q --format sqlite -i hostile.data -o db 2>err && test_grep "^Error: the file .db. exists" err &&
	test_status 1 perf export -q -f --format sqlite -i hostile.data -o /dev/full 2>err && test_grep "needs a regular file" err &&
	test_status 129 perf export --format sqlite -i hostile.data 2>err && test_grep "needs a file: name it with -o" err &&
	test_status 1 perf export -q --format sqlite -i empty.data -o none 2>err && [ ! -e none ]
'
test_done
