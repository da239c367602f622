#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh [PATTERN]	runs the fuzz targets under clang's libFuzzer, one after the other, FUZZ_SECONDS (60) each: first with the address
# and undefined behaviour sanitizers, then those that use no library but libc also with the memory sanitizer (libelf, libdw, zlib and
# libtraceevent are not instrumented: what uses them is looked at by "make memcheck").
#
# Seeds: the corpus of each target, recordings of tests/data/small, a small program compiled here; a dictionary NAME.dict beside this
# script. What is found stays in build-fuzz/found/; make it small with "build-fuzz/libfuzzer-NAME -minimize_crash=1 FILE" and put it into
# tests/fuzz/corpus/NAME/, which the check runs with any compiler. The last line is "N targets, N with findings".

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
no_libraries="num rd text config jitdump btf"

# build DIR SANITIZERS TARGET...
build () {
	local dir=$1 san=$2
	shift 2
	ASAN_OPTIONS=detect_leaks=0 nice make -s -j"$jobs" O="$dir" CC="${FUZZ_CC:-$clang}" CFLAGS="-O1 -g -fno-omit-frame-pointer $san" \
		"${@/#/$dir/libfuzzer-}" >"$tmp/make" 2>&1 || { cat "$tmp/make"; exit 1; }
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

# seeds TARGET DIR
seeds () {
	local i=0 f
	mkdir -p "$2"
	case $1 in
	data) cp tests/data/small/*.data "$2" ;;
	commands)
		for f in tests/data/small/*.data tests/fuzz/corpus/data/*; do
			for i in $(seq 0 15); do
				case $f:$i in *pipe*) printf "\\x8$(printf %x "$i")" ;; *) printf "\\x0$(printf %x "$i")" ;; esac | cat - "$f" >"$2/$i-$(basename "$f")"
			done
		done ;;
	symbols) small_program && printf '\002' | cat - "$tmp/p" >"$2/elf"
		small_program -gdwarf-4 && printf '\002' | cat - "$tmp/p" >"$2/elf4"
		head -n 30 /proc/kallsyms | { printf '\000'; cat; } >"$2/kallsyms" ;;
	probe) small_program
		for f in 'add' 'add:1 by n->value' '_start%return' 'add;by*' 'p.c:3 name=n->name:string'; do
			printf '%s\0' "$f" | cat - "$tmp/p" >"$2/elf$((i += 1))"
		done ;;
	btf) ! [ -r /sys/kernel/btf/vmlinux ] || head -c 200 /sys/kernel/btf/vmlinux >"$2/head" ;;
	esac
}

echo 'leak:libtraceevent' >"$tmp/supp"	# of damaged formats

# fuzz DIR TARGET
fuzz () {
	local dir=$1 name=$2 leaks=1
	[ "$name" != commands ] || leaks=0		# perf leaves its memory to the kernel
	mkdir -p build-fuzz/found "$dir/work/$name"
	seeds "$name" "$tmp/seeds-$name"
	local args=(-max_total_time="$seconds" -timeout=25 -rss_limit_mb=2600 -detect_leaks=$leaks -close_fd_mask=3
		    -artifact_prefix="build-fuzz/found/$name-" -print_final_stats=1)
	[ ! -f "tests/fuzz/$name.dict" ] || args+=(-dict="tests/fuzz/$name.dict")
	if ASAN_OPTIONS=detect_leaks=$leaks LSAN_OPTIONS=suppressions=$tmp/supp:print_suppressions=0 "$dir/libfuzzer-$name" "${args[@]}" "$dir/work/$name" "tests/fuzz/corpus/$name" "$tmp/seeds-$name" >"$tmp/log" 2>&1; then
		printf '%-10s %-10s %s runs\n' "$name" "${dir#build-}" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$tmp/log")"
		return 0
	fi
	echo "$name (${dir#build-}): found"
	grep -v '^#[0-9]*[[:space:]]*\(NEW\|REDUCE\|pulse\|INITED\|RELOAD\)' "$tmp/log" | tail -n 60
	return 1
}

all=$(for f in tests/fuzz/fuzz-*"$pattern"*.c; do basename "$f" .c; done | sed 's/^fuzz-//')
n=0 bad=0
build build-fuzz "$address" $all
for name in $all; do
	n=$((n + 1))
	fuzz build-fuzz "$name" || bad=$((bad + 1))
done
plain=$(for name in $all; do case " $no_libraries " in *" $name "*) echo "$name" ;; esac; done)
if [ -n "$plain" ]; then
	build build-msan "$memory" $plain
	for name in $plain; do
		n=$((n + 1))
		fuzz build-msan "$name" || bad=$((bad + 1))
	done
fi
echo "$n targets, $bad with findings"
[ $bad = 0 ]
