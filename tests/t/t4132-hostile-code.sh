#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='binaries whose unwind tables, DWARF, packed sections or headers lie: every engine ends, in little memory'
. "$(dirname "$0")/lib.sh"

test_require PYTHON
export PYTHONDONTWRITEBYTECODE=1

# limited COMMAND...: in bounded time and memory (a sanitizer's shadow has no bounds); output in out, messages in err.
limited () {
	(
		case $BUILD in *asan*) ;; *) ulimit -v 1500000 ;; esac
		exec timeout -k 1 60 "$@"
	) >out 2>err
	local rc=$?
	[ $rc = 0 ] || { echo "status $rc: $*"; tail -20 err; return 1; }
	! grep -aq "$(printf "[\033\007]")" out err || { echo "terminal sequences: $*"; return 1; }
}

test_expect_success 'the files, and a recording that ran code of each' '
	python3 "$TEST_DIR/hostile-code.py" 0123456789abcdef0123456789abcdef01234567 && [ -s d.data ] && [ -s cfi-skip-self ] &&
	n=$(ls cfi-* cie-* dwarf-* file-* | wc -l) && [ "$n" -gt 100 ]
'

# Each file is hit twice, by a function that has a name or not; no sample is lost.
for engine in cfi libdw libunwind; do
	test_expect_success "stacks by $engine" '
		limited perf script -i d.data --no-inline --unwind $engine -F comm,ip,sym &&
		[ "$(grep -acE "^ *(cfi-|cie-|dwarf-|file-|sparse)" out)" = $((2 * (n + 2))) ] && test_grep "^Warning: no symbols for " err
	'
done

test_expect_success 'tables that make sense are followed to the end of the stack: 64 return addresses' '
	limited perf script -i d.data --no-inline -F comm,ip,sym &&
	awk "/^ *cfi-/ { on = /cfi-fine/; n += on; next } on && / f\$/ { f++ } END { print n, f; exit !(n == 2 && f == 130) }" out
'

test_expect_success 'lines and inlined frames' '
	limited perf script -i d.data -F comm,ip,sym,srcline &&
	limited perf report --stdio -i d.data -s comm,sym,srcline && test_grep "dwarf-nested" out
'

test_expect_success 'build-ids, and a recording made anew' '
	limited perf inject -b -i d.data -o o.data && limited perf buildid-list -i o.data &&
	limited perf inject --mmap2-buildids -i d.data -o o.data && limited perf script -i o.data --no-inline -F comm,ip
'

test_expect_success 'perf probe, of the debug information' '
	for f in dwarf-* file-bomb-*; do
		timeout -k 1 60 perf probe -x ./$f -F >out 2>err; rc=$?
		[ $rc = 0 ] && [ -s out ] || { [ $rc = 1 ] && grep -q "^Error: " err; } || { echo "$f: status $rc"; cat err; return 1; }
		timeout -k 1 60 perf probe -x ./$f -L f >out 2>err; rc=$?
		[ $rc = 0 ] && [ -s out ] || { [ $rc = 1 ] && grep -q "^Error: " err; } || { echo "$f: status $rc"; cat err; return 1; }
	done
'
test_done
