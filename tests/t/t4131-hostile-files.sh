#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# asan: yes
test_description='binaries that lie: sizes, names, links that never end cost neither time nor memory, and one message'
. "$(dirname "$0")/lib.sh"

test_require PYTHON,CC,X86_64
mkfifo fifo

# limited COMMAND...: in bounded time and memory (a sanitizer's shadow has no bounds); output in out, messages in err.
limited () {
	(
		case $BUILD in *asan*) ;; *) ulimit -v 2000000 ;; esac
		exec timeout -k 1 60 "$@"
	) >out 2>err
	local rc=$?
	case $rc in
	0|1) ;;
	124|137) echo "it hangs: $*"; return 1 ;;
	*) echo "status $rc: $*"; tail -20 err; return 1 ;;
	esac
	[ $rc = 0 ] || [ -s err ] || { echo "mute: $*"; return 1; }
	! grep -aq "$(printf "[\033\007]")" out err || { echo "terminal sequences: $*"; return 1; }
}

cat >spin.c <<'EOT'
static volatile unsigned long x;
int main(void) { for (unsigned i = 0; i < 200000000; i++) x += i; return 0; }
EOT

test_expect_success 'the files' '
	python3 "$TEST_DIR/hostile-elf.py" 0123456789abcdef0123456789abcdef01234567 && [ -s cxx ] && mkdir files && mv cxx rust dlang \
		deep escape names symtab z100g z3g zall zdebug mini notes link-* alt-* fifo files/
'

test_expect_success 'perf probe reads none of them for ever' '
	for f in files/*; do
		[ -f "$f" ] || continue
		for how in -F "-D main" "-L main"; do limited perf probe -x "$f" $how || return 1; [ -s out ] || [ -s err ] || { echo "mute: $f $how"; return 1; }; done
	done
'

test_expect_success 'names that would fill the memory stay as they are' '
	limited perf probe -x files/names -F && test_grep "^Error: .*damaged symbol table" err && test_grep "^Hint: " err &&
	for f in cxx rust dlang; do limited perf probe -x files/$f -F "_*" && test_grep "^_[ZRD]" out || return 1; done
'

test_expect_success 'the build-id cache takes them, or says why not' '
	for f in files/*; do
		[ -f "$f" ] || continue
		rm -rf cache && limited perf --buildid-dir "$PWD/cache" buildid-cache -a "$f" || return 1
	done
'

# A recording whose program became one of them: with its build-id, so that it is believed.
test_expect_success PERF_SW 'report and script read none of them for ever' '
	cc -g -O1 -no-pie -Wl,-Ttext-segment=0x400000 -o spin spin.c && perf record -q -N --call-graph dwarf,1024,raw -e cpu-clock:u \
		-c 2000000 -o m.data ./spin && perf script -i m.data -F ip,sym | grep main >/dev/null &&
	id=$(perf buildid-list -i m.data | sed -n "s/ .*spin$//p") && [ ${#id} = 40 ] &&
	mkdir made && (cd made && python3 "$TEST_DIR/hostile-elf.py" "$id" && mkfifo fifo) && mkdir -p "fs$PWD" && cp -r made/* "fs$PWD/" &&
	for f in made/*; do
		[ -f "$f" ] || continue
		cp "$f" "fs$PWD/spin" &&
		limited perf report --stdio -i m.data --symfs fs -F +srcline && [ -s out ] &&
		limited perf script -i m.data --symfs fs -F +srcline && [ -s out ] &&
		limited perf script -i m.data --symfs fs --no-inline --unwind libdw && [ -s out ] || return 1
	done &&
	cp made/names "fs$PWD/spin" && limited perf report --stdio -i m.data --symfs fs &&
	test_grep "^Warning: no symbols for .*damaged symbol table" err
'
test_done
