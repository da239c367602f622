#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh [PATTERN]	runs the fuzz targets under clang's libFuzzer, one after the other, FUZZ_SECONDS
# (60) each, or FUZZ_TOTAL seconds over all, of which the larger ones get more: first with the
# address and undefined behaviour sanitizers, then, those that can do without the libraries
# (libelf, libdw, libtraceevent and the compressors are not instrumented), with the memory
# sanitizer. "make memcheck" looks at what those miss.
#
# Targets (fuzz-NAME.c says what each byte is for):
#	commands	a recording, as a file or through a pipe, read by the commands that read one
#	options		the languages of their options: sort keys, fields, times, lists, filters
#	data		a recording, each record and header section of it
#	symbols probe	ELF, DWARF, call frame information, kallsyms, perf maps; probe
#			specifications, alone and against a binary
#	event		event strings; formats of tracepoints
#	jitdump inject	a jitdump file, by itself and through inject --jit
#	itrace pt	packets of traces in the AUX area; what those of Intel PT mean, with code
#	tree		files of /proc, /sys and tracefs, and the probe cache
#	deferred stitch	user parts of call chains that come later; call stacks of the CPU that go on with
#			those before them
#	btf config num rd text
# An archive's bytes are only read by tar.
#
# Seeds: the corpus of each target, recordings of tests/data/small, a small program compiled here; a
# dictionary NAME.dict beside this script. What helped stays in build-fuzz/work/ for the next time.
# What is found stays in build-fuzz/found/; make it small with "build-fuzz/libfuzzer-NAME
# -minimize_crash=1 FILE" and put it into tests/fuzz/corpus/NAME/, which the check runs with any
# compiler. Each line tells the sanitizers, the seconds and how many inputs were run; the last one
# is "N runs, N with findings".

top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
seconds=${FUZZ_SECONDS:-60} pattern=${1:-} jobs=${FUZZ_JOBS:-2}
clang=${CLANG:-clang}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/fuzz.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT

echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p && n > 1000000; }' >"$tmp/probe.c"
if ! "$clang" -fsanitize=fuzzer,address,undefined -o "$tmp/probe" "$tmp/probe.c" 2>"$tmp/why"; then
	cat "$tmp/why" >&2
	version=$("$clang" --version 2>/dev/null | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
	echo "fuzz: $clang has no libFuzzer here: install the packages clang and libclang-rt-${version:+$version-}dev" >&2
	exit 1
fi

undefined=undefined,float-cast-overflow,nullability
# NULL + 0 is what an empty vector's end is; compilers take it as NULL, and C will.
address="-fsanitize=fuzzer-no-link,address,$undefined -fno-sanitize-recover=$undefined -fno-sanitize=pointer-overflow"
memory="-fsanitize=fuzzer-no-link,memory -fsanitize-memory-track-origins"
no_libraries="num rd stitch text config jitdump itrace pt btf event probe symbols data tree inject"
without="NO_ZSTD=1 NO_LZMA=1 NO_LIBIBERTY=1 NO_LIBBPF=1 NO_PYTHON=1 NO_DEBUGINFOD=1 NO_CAPSTONE=1"

# build DIR SANITIZERS VARIABLES TARGET...
build () {
	local dir=$1 san=$2 vars=$3
	shift 3
	# shellcheck disable=SC2086
	ASAN_OPTIONS=detect_leaks=0 nice make -s -j"$jobs" O="$dir" $vars CC="${FUZZ_CC:-$clang}" \
		CFLAGS="-O1 -g -fno-omit-frame-pointer $san" \
		"${@/#/$dir/libfuzzer-}" >"$tmp/make" 2>&1 || {
		cat "$tmp/make"
		exit 1
	}
}

small_program () {
	cat >"$tmp/p.c" <<-\EOT
		struct node { struct node *next; int value; char name[8]; } list;
		static inline __attribute__((always_inline)) int twice(int n) { return n * 2; }
		__attribute__((noinline)) int add(struct node *n, int by) { for (; n; n = n->next) by += twice(n->value); return by; }
		void _start(void) { list.value = add(&list, 3); }
	EOT
	"$clang" -g -O1 -nostdlib -static -Wl,--build-id -Wl,-z,noseparate-code "$@" -o "$tmp/p" "$tmp/p.c" 2>/dev/null
}

# What tests make recordings of: events of the kernel, waits, accesses of memory, heaps.
made_recordings () {
	mkdir -p "$tmp/made"
	(
		export PYTHONDONTWRITEBYTECODE=1
		cd "$tmp/made" || exit
		sed -n "/^cat >story <</,/^EOF$/{ /^cat >/d; /^EOF$/d; p }" "$top/tests/t/t0016-recordings.sh" | python3 "$top/tests/t/tpenc.py" kernel.data
		python3 "$top/tests/t/why.py" . && python3 "$top/tests/t/tpenc.py" why.data <pipes
		printf '%s\n' 'node 0 0-1' 'map 100 0x7f0000000000 0x10000 //anon' 'comm 100 100 first' \
			'1000 0 100 100 0x401000 0x7f0000000040 40 load,hit,l3,hitm' | python3 "$top/tests/t/memstory.py" mem.data
		printf '%s\n' '1000 100 comm first' '2000 100 alloc 0x40 64 ffffffff81100020' | python3 "$top/tests/t/heapdata.py" heap.data 512
	) >/dev/null 2>&1
}

# byte NUMBER
byte () {
	# shellcheck disable=SC2059
	printf "\\$(printf %03o "$1")"
}

n_commands=$(sed -n '/commands\[\] = {/,/^};/p' tests/fuzz/fuzz-commands.c | grep -c '{ cmd_')

# seeds TARGET DIR
seeds () {
	local i=0 f first
	mkdir -p "$2" "tests/fuzz/corpus/$1"
	case $1 in
	data) cp tests/data/small/*.data "$2" ;;
	commands)
		made_recordings
		for f in tests/data/small/*.data tests/fuzz/corpus/data/* "$tmp"/made/*.data; do
			case $f in *pipe*) first=128 ;; *) first=0 ;; esac
			for i in $(seq 0 $((n_commands - 1))); do
				{ byte $((first + i)); cat "$f"; } >"$2/$i-$(basename "$f")"
			done
		done ;;
	symbols) small_program && printf '\002' | cat - "$tmp/p" >"$2/elf"
		small_program -gdwarf-4 && printf '\002' | cat - "$tmp/p" >"$2/elf4"
		head -n 30 /proc/kallsyms | { printf '\000'; cat; } >"$2/kallsyms" ;;
	probe) small_program
		for f in 'add' 'add:1 by n->value' '_start%return' 'add;by*' 'p.c:3 name=n->name:string'; do
			i=$((i + 1))
			printf '%s\0' "$f" | cat - "$tmp/p" >"$2/elf$i"
		done ;;
	btf) ! [ -r /sys/kernel/btf/vmlinux ] || head -c 200 /sys/kernel/btf/vmlinux >"$2/head" ;;
	esac
}

echo 'leak:libtraceevent' >"$tmp/supp"	# of damaged formats

weight () {
	case $1 in
	commands) echo 8 ;;
	data|options) echo 3 ;;
	symbols|probe|event|tree|inject) echo 2 ;;
	*) echo 1 ;;
	esac
}

# seconds_of TARGET
seconds_of () {
	[ -n "$FUZZ_TOTAL" ] || { echo "$seconds"; return; }
	echo $((FUZZ_TOTAL * $(weight "$1") / weights + 1))
}

# fuzz DIR TARGET
fuzz () {
	local dir=$1 name=$2 leaks=1 begin=$SECONDS log=$tmp/log
	local args=(-max_total_time="$(seconds_of "$name")" -timeout=25 -rss_limit_mb=2600
		    -malloc_limit_mb=256 -close_fd_mask=3 -print_final_stats=1
		    -artifact_prefix="build-fuzz/found/$name-")
	case $name in commands|options)	# perf leaves its memory to the kernel, and takes long enough
		leaks=0
		args+=(-entropic=0) ;;
	esac
	mkdir -p build-fuzz/found "$dir/work/$name"
	seeds "$name" "$tmp/seeds-$name"
	[ ! -f "tests/fuzz/$name.dict" ] || args+=(-dict="tests/fuzz/$name.dict")
	if TMPDIR=$tmp ASAN_OPTIONS=detect_leaks=$leaks \
		LSAN_OPTIONS=suppressions=$tmp/supp:print_suppressions=0 \
		nice -n 19 "$dir/libfuzzer-$name" -detect_leaks=$leaks "${args[@]}" \
		"$dir/work/$name" "tests/fuzz/corpus/$name" "$tmp/seeds-$name" >"$log" 2>&1; then
		printf '%-10s %-10s %5s s %10s runs\n' "$name" "${dir#build-}" $((SECONDS - begin)) \
			"$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
		return 0
	fi
	echo "$name (${dir#build-}): found"
	grep -av '^#[0-9]*[[:space:]]*\(NEW\|REDUCE\|pulse\|INITED\|RELOAD\)' "$log" | tail -n 60
	return 1
}

all=$(for f in tests/fuzz/fuzz-*"$pattern"*.c; do basename "$f" .c; done | sed 's/^fuzz-//')
plain=$(for name in $all; do case " $no_libraries " in *" $name "*) echo "$name" ;; esac; done)
weights=0 n=0 bad=0
for name in $all $plain; do weights=$((weights + $(weight "$name"))); done

# shellcheck disable=SC2086
build build-fuzz "$address" "" $all
for name in $all; do
	n=$((n + 1))
	fuzz build-fuzz "$name" || bad=$((bad + 1))
done
# shellcheck disable=SC2086
[ -z "$plain" ] || build build-msan "$memory" "$without" $plain
for name in $plain; do
	n=$((n + 1))
	fuzz build-msan "$name" || bad=$((bad + 1))
done
echo "$n runs, $bad with findings"
[ $bad = 0 ]
