#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf report --header: BPF programs and their parts by their whole names and own tags'
. "$(dirname "$0")/lib.sh"

test_require ROOT,BPF,NEWEST,PERF_SW,PYTHON
export LC_ALL=C.UTF-8

# Programs with parts: those of trace, for as long as its workload waits.
test_expect_success 'a recording of upstream, made while BPF programs with parts are loaded' '
	perf trace -o trace.out -e openat -- sh -c "touch started; for i in \$(seq 100); do [ -e stop ] && exit; sleep 0.1; done" &
	trace=$! &&
	for i in $(seq 100); do [ -e started ] && break; sleep 0.1; done &&
	"$NEWEST" record -q -a -e cpu-clock -c 10000000 -o up.data -- true; touch stop; wait $trace &&
	"$NEWEST" report --header-only -I -i up.data 2>/dev/null | grep -A 200 "^# bpf_prog_info" >expect &&
	test_grep "sub_prog 1: bpf_prog_[0-9a-f]{16}_[a-z_]+ addr 0x" expect
'

test_expect_success 'the header is the same text' '
	perf report --header-only -I -i up.data | grep -A 200 "^# bpf_prog_info" >actual && test_cmp expect actual
'

test_expect_success 'without type information: the name that the kernel keeps, and F for the parts' '
	python3 - <<-\EOT &&
	import struct
	data = bytearray(open("up.data", "rb").read())
	btf = struct.pack("<H", 0xeb9f)
	open("nobtf.data", "wb").write(data.replace(btf + b"\1\0", b"\0\0\1\0"))
	EOT
	perf report --header-only -I -i nobtf.data >out 2>err && test_grep "sub_prog 1: bpf_prog_[0-9a-f]{16}_F addr 0x" out &&
	test_grep "sub_prog 0: bpf_prog_[0-9a-f]{16}_sys_enter addr" out
'

test_done
