#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf probe -D on the C library: the definitions of the newest upstream perf, or better ones for a reason that can be checked'
. "$(dirname "$0")/lib.sh"
. "$TEST_DIR/probe-compare.sh"

test_require NEWEST,X86_64,OBJDUMP,ELFUTILS
libc=$(ldconfig -p | awk '/libc\.so\.6.*x86-64/ { print $NF; exit }')
id=$(readelf -n "$libc" 2>/dev/null | sed -n 's/.*Build ID: //p')
test_lazy_prereq LIBCDBG 'needs the debug information of the C library (package libc6-dbg)' \
	'test -n "$id" && test -r "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"'
test_require LIBCDBG

ln -s "$libc" libc

specs () {
	local f l
	for f in malloc free fclose fopen qsort getenv; do
		echo "$f"; echo "$f%return"; echo "$f \$params"
		for l in 2 5 8; do echo "$f:$l"; done
	done
	printf '%s\n' 'malloc bytes' 'malloc bytes:u32' 'free mem' 'calloc' 'calloc $params' 'realloc $params' 'realloc%return $retval' 'fclose fp' \
		'fclose fp->_flags' 'fclose fp->_fileno' 'fopen filename:string' 'fopen filename:string mode:string' 'qsort n s' 'getenv name:string' 'puts' \
		'puts str:string' 'fwrite $params' 'fread $params' 'strtol' 'setenv $params' 'printf format:string' 'x=malloc bytes' 'g:x=malloc bytes' \
		'malloc+4' 'exit status' 'atoi nptr:string'
}

test_expect_success 'each definition is upstream perf'\''s, or has a reason' '
	compare libc && grep -c "^same" libc.verdicts && ! grep "^worse" libc.verdicts
'
test_done
