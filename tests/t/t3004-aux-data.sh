#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='AUX data (traces of the hardware): what is not decoded is said once, with its kind and size'
. "$(dirname "$0")/lib.sh"

export LC_ALL=C.UTF-8
pt=perf_data_converter-perf.data.intel_pt-4.14-af0962 etm=platform_system_extras-perf_etm.data-f8a043
etm2=platform_system_extras-perf.data-2f50ef

# says FILE LINE COMMAND...: the only line of COMMAND's stderr that speaks of AUX data
says () {
	local file=$1 line=$2
	shift 2
	perf "$@" -i "$file" >out 2>err
	grep "not decoded" err >got
	echo "Warning: $line" >want
	test_cmp want got || { echo "perf $*"; cat err; return 1; }
}
rest='samples and records are all that is shown'

# each_command FILE LINE [OPTION that script and report are to have]
each_command () {
	says "$1" "$2" script $3 && says "$1" "$2" script -D && says "$1" "$2" report --stdio $3 && says "$1" "$2" report -D $3 &&
	says "$1" "$2" report --stats $3 && says "$1" "$2" report --tasks $3 && says "$1" "$2" buildid-list -H && says "$1" "$2" trace &&
	says "$1" "$2" data convert --force --to-json json.out &&
	# these do not read the records
	says "$1" "$2" evlist && says "$1" "$2" evlist -v && says "$1" "$2" buildid-list &&
	says "$1" "$2" report --header-only && says "$1" "$2" script --header-only
}

test_expect_success CORPUS 'Intel PT: all commands that read the recording, and who decodes it' '
	F=$CORPUS/$pt/perf.data
	[ -e "$F" ] || { test_skip "not in this corpus"; return; }
	each_command "$F" "149968 bytes of Intel PT data are not decoded: $rest" --no-itrace && perf script --no-itrace -i "$F" >out 2>err &&
	test_grep "^Hint: perf script --itrace decodes it" err && [ "$(wc -l <out)" = 15 ] &&
	perf script -i "$F" >out 2>err && test_must_fail grep "not decoded" err && [ "$(wc -l <out)" -gt 100 ] &&
	perf script -D -i "$F" | awk "/PERF_RECORD_AUXTRACE size/ { for (i = 1; i < NF; i++) if (\$i == \"size:\") print \$(i + 1) }" >sizes &&
	[ $(($(paste -sd+ sizes))) = 149968 ]
'

test_expect_success CORPUS 'CoreSight in recordings of simpleperf: nothing is said to be damaged' '
	[ -e "$CORPUS/$etm/perf.data" ] || { test_skip "not in this corpus"; return; }
	each_command "$CORPUS/$etm/perf.data" "384 bytes of CoreSight ETM data are not decoded: $rest" &&
	says "$CORPUS/$etm2/perf.data" "800 bytes of CoreSight ETM data are not decoded: $rest" script &&
	for f in $etm $etm2; do
		perf script -i "$CORPUS/$f/perf.data" >out 2>err && [ "$(wc -l <err)" = 1 ] && perf evlist -i "$CORPUS/$f/perf.data" 2>err &&
			[ "$(wc -l <err)" = 1 ] || { cat err; return 1; }
	done &&
	perf report --header-only -I -i "$CORPUS/$etm/perf.data" 2>err && [ "$(wc -l <err)" = 1 ]
'

# A stream with AUX data of a kind that nobody knows, and of none.
test_expect_success PYTHON 'in a pipe; of an unknown kind; in samples' '
	cat >make.py <<-\EOT &&
	import struct, sys
	def rec(type, body, misc=0):
	    return struct.pack("<IHH", type, misc, 8 + len(body)) + body
	def attr(sample_type):
	    a = struct.pack("<IIQQQQQ", 1, 112, 0, 1000, sample_type, 0, 1 << 18) + bytes(64)
	    return rec(64, a + struct.pack("<Q", 1))
	def info(kind):
	    return rec(70, struct.pack("<II", kind, 0))
	def aux(n, at):
	    return rec(71, struct.pack("<QQQIIII", n, at, 0, 0, 0, 0, 0)) + bytes(n)
	head = b"PERFILE2" + struct.pack("<Q", 16)
	which = sys.argv[1]
	sample_type = 0x10007 | (1 << 20 if which == "samples" else 0)
	out = head + attr(sample_type)
	out += {"unknown": info(99) + aux(64, 0) + aux(128, 64), "none": aux(8, 0), "samples": info(4), "idle": info(1)}[which]
	sys.stdout.buffer.write(out)
	EOT
	for w in unknown none samples idle; do python3 make.py $w >$w.data || return 1; done &&
	says unknown.data "192 bytes of AUX (kind 99) data are not decoded: $rest" script &&
	for c in script evlist buildid-list; do
		perf $c -i - <unknown.data >out 2>err && test_grep "^Warning: 192 bytes of AUX .kind 99. data" err || return 1
		says unknown.data "192 bytes of AUX (kind 99) data are not decoded: $rest" $c || return 1
	done &&
	says none.data "8 bytes of AUX data are not decoded: $rest" script &&
	says samples.data "ARM SPE data in samples is not decoded: $rest" script &&
	perf script -i idle.data >out 2>err && test_cmp /dev/null err
'

# The index of the file is believed only where the records are.
test_expect_success CORPUS,PYTHON 'an index that lies' '
	F=$CORPUS/$pt/perf.data
	[ -e "$F" ] || { test_skip "not in this corpus"; return; }
	cat >lie.py <<-\EOT &&
	import struct, sys
	d = bytearray(open(sys.argv[1], "rb").read())
	data_off, data_bytes = struct.unpack_from("<QQ", d, 40)
	bits = struct.unpack_from("<4Q", d, 72)
	section = bin(bits[0] & ((1 << 18) - 1)).count("1")	# AUXTRACE is feature 18
	off, n = struct.unpack_from("<QQ", d, data_off + data_bytes + section * 16)
	for i in range(struct.unpack_from("<Q", d, off)[0]):
	    struct.pack_into("<Q", d, off + 8 + i * 16, [0, 1 << 63, len(d) - 8, data_off][i % 4])
	open("lie.data", "wb").write(d)
	EOT
	python3 lie.py "$F" && perf evlist -i lie.data >out 2>err && perf evlist -i "$F" >want 2>err2 && test_cmp want out &&
	test_must_fail grep "not decoded" err
'

test_done
