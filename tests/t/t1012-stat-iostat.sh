#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf stat --iostat and perf iostat: PCIe root ports, on a machine made of files and of counters that know their values'
. "$(dirname "$0")/lib.sh"

# A server of two sockets with three IIO stacks in each; its counters are of the library fake-counters.so.
port () { mkdir -p fake/$1/format && echo $2 >fake/$1/type && echo 0,1 >fake/$1/cpumask && echo $3 >fake/$1/die0 && echo $4 >fake/$1/die1 &&
	( cd fake/$1/format && echo config:0-7 >event && echo config:8-15 >umask && echo config:36-43 >ch_mask && echo config:44-46 >fc_mask ); }
make_machine () {
	rm -rf fake && mkdir -p fake/software fake/tracepoint && echo 1 >fake/software/type && echo 2 >fake/tracepoint/type &&
	port uncore_iio_0 60 0000:00 0000:80 && port uncore_iio_1 61 0000:17 0000:85 && port uncore_iio_2 62 0000:3a 0000:ae
}
test_lazy_prereq FAKE 'needs root, its own mounts and a C compiler' '[ "$(id -u)" = 0 ] && unshare -m true && cc --version'
test_lazy_prereq NONE 'this machine has such counters' '! ls -d /sys/bus/event_source/devices/uncore_iio_*'
test_have FAKE && cc -shared -fPIC -O1 -o fake-counters.so "$TEST_DIR/fake-counters.c" && make_machine
test_lazy_prereq FAKE2 'needs two CPUs with numbers 0 and 1, in one socket or two' 'test_have FAKE && [ -d /sys/devices/system/cpu/cpu1/topology ] && [ -f fake-counters.so ]'
# The two CPUs as two sockets: the die of a port says which of them counts.
cat >inside.sh <<'EOS'
mount --bind fake /sys/bus/event_source/devices && for i in 0 1; do
	for f in physical_package_id:$i die_id:0 core_id:0; do
		echo ${f#*:} >f.$i.${f%:*} && { [ ! -e /sys/devices/system/cpu/cpu$i/topology/${f%:*} ] || mount --bind f.$i.${f%:*} /sys/devices/system/cpu/cpu$i/topology/${f%:*}; } || exit 99
	done
done
{ [ ! -e /sys/devices/system/node/possible ] || { echo 0-1 >nodes && mount --bind nodes /sys/devices/system/node/possible; }; } && exec "$@"
EOS
inside () { unshare -m sh inside.sh "$@"; }
counted () { inside env LD_PRELOAD=$PWD/fake-counters.so FAKE_LOG=$PWD/log "$BUILD/perf" "$@"; }

test_expect_success FAKE2 'list: dies, PMUs and ports' '
	inside "$BUILD/perf" stat --iostat=list >out && printf "%s\n" "S0-uncore_iio_0<0000:00>" "S1-uncore_iio_0<0000:80>" "S0-uncore_iio_1<0000:17>" \
		"S1-uncore_iio_1<0000:85>" "S0-uncore_iio_2<0000:3a>" "S1-uncore_iio_2<0000:ae>" >expect && test_cmp expect out &&
	inside "$BUILD/perf" iostat list >out && test_cmp expect out
'

# A counter of type T on CPU C has (T * 1000000 + the low 16 bits of config) * (C + 1) events of 4 bytes.
test_expect_success FAKE2 'what is opened: four counters of a port, in one group, on the CPU of its die alone' '
	rm -f log && counted stat --iostat -o out true && grep -v "type=1 " log | sed "s/ fd=.*//" >got && for t in 60 61 62; do for c in 0 1; do
		for e in 483 183 4c0 1c0; do echo "type=$t config=70f00000$(printf %04x 0x$e) cpu=$c"; done; done; done >expect && test_cmp expect got
'
test_expect_success FAKE2 'the values, as text and CSV' '
	counted stat --iostat -o out true && grep -A20 port out >rows && cat >expect <<-\EOF && sed "/^$/,\$d; s/ *$//" rows >got && test_cmp expect got &&
	    port             Inbound Read(MB)    Inbound Write(MB)    Outbound Read(MB)   Outbound Write(MB)
	0000:00                  229                 229                 229                 229
	0000:80                  458                 458                 458                 458
	0000:17                  233                 233                 233                 233
	0000:85                  465                 465                 465                 465
	0000:3a                  237                 237                 237                 237
	0000:ae                  473                 473                 473                 473
	EOF
	counted iostat 0:3a,0000:17 -x, -o out true && grep : out | grep -v started >got && printf "%s\n" 0000:3a,237,237,237,237, 0000:17,233,233,233,233, >expect && test_cmp expect got &&
	test_grep "^port,Inbound Read\(MB\),Inbound Write\(MB\),Outbound Read\(MB\),Outbound Write\(MB\),$" out
'
test_expect_success FAKE2,PYTHON 'JSON; intervals have what came since the one before' '
	counted iostat 0000:17 -I 20 -j -o out sleep 0.07 && python3 - out <<-\EOF &&
	import json, sys
	rows = [json.loads(l) for l in open(sys.argv[1])]
	assert len(rows) >= 2 and all(list(r) == ["interval", "port", "Inbound Read(MB)", "Inbound Write(MB)", "Outbound Read(MB)", "Outbound Write(MB)"] for r in rows), rows
	assert [r["Inbound Read(MB)"] for r in rows] == ["233"] + ["0"] * (len(rows) - 1), rows
	EOF
	counted iostat 0000:17 -I 20 -x, -o out sleep 0.07 && test_grep "^ +0\.[0-9]{9},0000:17,233,233,233,233,$" out && test_grep "^time,port,Inbound" out &&
	counted iostat 0000:17 -I 20 -o out sleep 0.07 && test_grep "^ #          time    port             Inbound Read" out && test_grep "^     0\.[0-9]{9} 0000:17                  233   " out
'

newest () { R=$(dirname "$NEWEST")/root-sid; L=$R/usr/lib/x86_64-linux-gnu; inside env PERF_EXEC_PATH=$R/usr/lib/perf-core $L/ld-linux-x86-64.so.2 \
	--preload $PWD/fake-counters.so --library-path $L:$R/lib/x86_64-linux-gnu $R/usr/bin/perf "$@"; }
test_lazy_prereq NEWEST_FAKE 'needs the newest upstream perf, and a kernel with NUMA' 'test_have FAKE2,NEWEST && [ -e /sys/devices/system/node/possible ]'
test_expect_success NEWEST_FAKE 'the newest upstream perf says the same of them' '
	for a in "" "-x,"; do
		newest stat --iostat -o theirs $a true && counted stat --iostat -o ours $a true && for f in theirs ours; do grep -E "port|0000:" $f >$f.rows || return 1; done &&
		test_cmp theirs.rows ours.rows || return 1
	done
'

test_expect_success FAKE2 'what is not there, and what does not go together' '
	counted stat --iostat=0000:17,0000:99 -o out true 2>err && test_grep "^Warning: there is no root port 0000:99; .perf iostat list. shows" err && test_grep "^0000:17 " out &&
	test_status 1 counted stat --iostat=0000:99 true 2>err && test_grep "^Error: there is no root port 0000:99$" err &&
	test_status 1 counted stat --iostat=0000:17,xyz true 2>err && test_grep "^Error: .xyz. is no root port$" err && test_grep "^Hint: they are written as 0000:3a" err &&
	counted stat --iostat=0000:17 -e cs -o out true 2>err && test_grep "those of -e are not counted" err && ! grep cs out &&
	for o in "-p 1" "-C 0" "-M cs_per_second" --metric-only "--format openmetrics" -n; do
		test_status 129 counted stat --iostat $o true 2>err && test_grep "Error: --iostat" err || { echo "$o"; cat err; return 1; }
	done && test_status 1 counted stat record --iostat true 2>err && test_grep "no --iostat" err &&
	rm fake/uncore_iio_*/die* && test_status 1 counted iostat list 2>err && test_grep "^Error: the kernel does not say which PCIe root ports" err && make_machine
'
test_expect_success NONE 'a machine without: one message, and what shows the work of disks' '
	for c in "iostat" "iostat list" "stat --iostat true" "stat --iostat=list"; do
		test_status 1 perf $c 2>err && test_grep "^Error: this machine has no counters of PCIe root ports$" err && test_grep "^Hint: Intel.s servers have them" err || return 1
	done
'
test_done
