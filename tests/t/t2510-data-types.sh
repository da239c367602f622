#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='perf annotate --data-type, perf report -s type: samples by type of data'
. "$(dirname "$0")/lib.sh"

test_require CC,PYTHON
[ "$(uname -m)" = x86_64 ] || test_skip_all 'the program has assembler of x86-64'

# Each access to a member stands on a line of its own, which says what it is of. The program is in
# assembler there, so that the line has one instruction that accesses memory, whatever the compiler.
cat >types.c <<'EOF'
#include <stdlib.h>
#define ADD(s, m) __asm__ volatile("add %1,%0" : "+r"(s) : "m"(m) : "memory")
#define BUMP(m) __asm__ volatile("addq $1,%0" : "+m"(m) : : "memory")

struct hot { long before; struct { long pad[3], nested; } in; long last; };
struct node { struct node *next; struct hot *hot; char pad[100]; int small; long key; };
typedef struct { long one; long two; } pair;
static struct hot global;
static pair table[64];

__attribute__((noinline)) long by_parameter(struct node *n, long rounds)
{
	long s = 0;

	while (rounds--) {
		ADD(s, n->key);				/* struct node.key */
		BUMP(n->key);				/* struct node.key */
	}
	return s;
}
__attribute__((noinline)) long by_chain(struct node *n, long rounds)
{
	long s = 0;

	while (rounds--) {
		struct hot *h = n->hot;			/* struct node.hot */
		ADD(s, h->last);			/* struct hot.last */
		BUMP(h->in.nested);			/* struct hot.nested */
	}
	return s;
}
__attribute__((noinline)) long by_list(struct node *n, long rounds)
{
	long s = 0;

	while (rounds--)
		for (struct node *p = n; p;) {
			ADD(s, p->key);			/* struct node.key */
			p = p->next;			/* struct node.next */
		}
	return s;
}
__attribute__((noinline)) long by_address(long rounds)
{
	long s = 0;

	while (rounds--) {
		ADD(s, global.before);			/* struct hot.before */
		BUMP(global.last);			/* struct hot.last */
		pair *at = &table[rounds & 63];
		BUMP(at->two);				/* pair.two */
	}
	return s;
}
/* Of 64 places in turn none is ever waited for: of one, written and read in each round, this is. */
__attribute__((noinline)) long by_element(pair *at, long rounds)
{
	long s = 0;

	while (rounds--) {
		ADD(s, at->two);			/* pair.two */
		BUMP(at->two);				/* pair.two */
		ADD(s, at->two);			/* pair.two */
		BUMP(at->two);				/* pair.two */
	}
	return s;
}
__attribute__((noinline)) long on_stack(long rounds)
{
	struct hot local = { 1 };
	long s = 0;

	while (rounds--) {
		ADD(s, local.before);			/* struct hot.before */
		BUMP(local.in.nested);			/* struct hot.nested */
	}
	return s;
}
int main(int argc, char **argv)
{
	long n = atol(argv[argc - 1]), s = 0;
	struct node *list = NULL;

	for (int i = 0; i < 100; i++) {
		struct node *p = calloc(1, sizeof(*p));

		p->next = list;
		p->hot = calloc(1, sizeof(*p->hot));
		list = p;
	}
	s = by_parameter(list, n) + by_chain(list, n) + by_list(list, n / 50) + by_address(n) +
		by_element(table, n) + on_stack(n);
	return s == 12345;
}
EOF

# NAME COMPILER...: of the sources in $sources, the first of which tells what it accesses
sources=types.c
check_program () {
	local name=$1; shift
	"$@" -g -o "$name" $sources &&
	perf record -q -e cpu-clock:u -F 2500 -o "$name.data" "./$name" 150000000 >/dev/null &&
	perf annotate -i "$name.data" -d "$name" --json >lines &&
	perf annotate -i "$name.data" -d "$name" --data-type --json >types &&
	python3 "$TEST_DIR/typefields.py" lines types 6 ${sources%% *}
}

for level in -O1 -O2 -O3; do
	test_expect_success "members by parameters, pointers, addresses and frames: gcc $level" "
		check_program gcc$level gcc $level
	"
done
test_expect_success CLANG 'members by parameters, pointers, addresses and frames: clang -O2' '
	check_program clang-O2 clang -O2
'
# Thread-local variables of the program, by their offsets, by numbers in registers and by the thread's pointer.
cat >threads.c <<'EOF'
#include <stdlib.h>
#define ADD(s, m) __asm__ volatile("add %1,%0" : "+r"(s) : "m"(m) : "memory")
#define BUMP(m) __asm__ volatile("addq $1,%0" : "+m"(m) : : "memory")

struct hot { long before; struct { long pad[3], nested; } in; long last; };
typedef struct { long one; long two; } pair;
struct inner { long pad[5], deep; };
struct middle { long pad[2]; struct inner *inner; };
struct outer { struct middle *middle; long seen; };
static __thread struct hot mine;
static __thread pair many[8] = { { 1, 1 } };
extern __thread pair other;
static pair table[8];

__attribute__((noinline)) long by_name(long rounds)
{
	long s = 0;

	while (rounds--) {
		ADD(s, mine.before);			/* struct hot.before */
		BUMP(mine.in.nested);			/* struct hot.nested */
	}
	return s;
}
__attribute__((noinline)) long by_index(long rounds)
{
	long s = 0;

	while (rounds--) {
		BUMP(many[rounds & 7].two);		/* pair.two */
		ADD(s, many[(rounds + 4) & 7].one);	/* pair.one */
	}
	return s;
}
__attribute__((noinline)) long by_import(long rounds)
{
	long s = 0;

	while (rounds--) {
		BUMP(other.two);			/* pair.two */
		ADD(s, other.one);			/* pair.one */
	}
	return s;
}
__attribute__((noinline)) long in_function(long rounds)
{
	static __thread struct hot own;
	struct hot *at = &own;
	long s = 0;

	__asm__ volatile("" : "+r"(rounds));
	while (rounds--) {
		ADD(s, at->last);			/* struct hot.last */
		BUMP(at->last);				/* struct hot.last */
	}
	return s;
}
__attribute__((noinline)) long by_chain(struct outer *o, long rounds)
{
	long s = 0;

	while (rounds--) {
		BUMP(o->seen);				/* struct outer.seen */
		struct inner *i = o->middle->inner;

		ADD(s, i->deep);			/* struct inner.deep */
		BUMP(i->deep);				/* struct inner.deep */
	}
	return s;
}
int main(int argc, char **argv)
{
	long n = atol(argv[argc - 1]), s;
	struct outer *o = calloc(1, sizeof(*o));

	o->middle = calloc(1, sizeof(*o->middle));
	o->middle->inner = calloc(1, sizeof(*o->middle->inner));
	s = by_name(n) + by_index(n) + by_import(n) + in_function(n) + by_chain(o, n);
	return s == 12345;
}
EOF
echo "typedef struct { long one; long two; } pair; __thread pair other = { 1, 2 };" >other.c
for level in "-O1" "-O2" "-O3" "-O2 -no-pie"; do
	test_expect_success "thread-local variables, a chain of pointers: gcc $level" "
		sources='threads.c other.c' check_program tls gcc $level && perf annotate -i tls.data --stdio --code-with-type by_name >out &&
		test_grep '%fs:.*# data-type: struct hot [+]0(x20 [(]in.nested| [(]before)[)]$' out
	"
done
test_expect_success 'without optimization, where all is on the stack, nothing is unknown' '
	gcc -g -O0 -o O0 types.c &&
	perf record -q -e cpu-clock:u -F 2500 -o O0.data ./O0 20000000 >/dev/null &&
	perf annotate -i O0.data -d O0 --data-type --type-stat >out &&
	test_grep "^total [0-9]+, ok [0-9]+ \([0-9.]+%\), bad [0-9]+ \([0-9.]+%\)$" out &&
	sed -n "4,/^$/p" out >why &&
	test_must_fail grep -E "no_var|no_typeinfo|bad_offset|no_dbginfo" why &&
	test_grep "^Annotate type: .struct node\*. in .*/O0 \([0-9]+ samples\):" out
'
test_expect_success 'the layout of a type' '
	perf annotate -i gcc-O2.data -d gcc-O2 --data-type=node -n >out &&
	test_grep "^Annotate type: .struct node. in .*/gcc-O2 \([0-9]+ samples\):$" out &&
	test_grep "^={76}$" out &&
	test_grep "^ Samples     offset       size  field$" out &&
	test_grep "^ *[0-9]+          0       0x80  struct node	 \{$" out &&
	test_grep "^ *[0-9]+          0        0x8      struct node\*	next;$" out &&
	test_grep "^ *0       0x10       0x64      char\[\]	pad;$" out &&
	test_grep "^ *[0-9]+       0x78        0x8      long int	key;$" out &&
	test_grep "^                                };$" out
'
test_expect_success 'report by type says the same as annotate' '
	perf report -i gcc-O2.data -d gcc-O2 -s type,typeoff,typecln --json >rows &&
	perf annotate -i gcc-O2.data -d gcc-O2 --data-type --json >types &&
	python3 - <<-\EOF
	import json
	def rows(x):
	    if isinstance(x, dict):
	        if "typeoff" in x:
	            yield x
	        for v in x.values():
	            yield from rows(v)
	    elif isinstance(x, list):
	        for v in x:
	            yield from rows(v)
	text = open("rows").read()
	got = {}
	for r in rows(json.loads(text)):
	    got[r["typeoff"]] = r["overhead"]
	assert "struct node +0x78 (key)" in got, got
	assert "struct hot +0x20 (in.nested)" in got, got
	assert "pair +0x8 (two)" in got, got
	types = json.load(open("types"))["types"]
	period = {}
	for t in types:
	    for m in t["members"]:
	        if m["depth"] and m["name"] in ("key", "next", "hot"):
	            period[m["name"]] = m["period"]
	key = got["struct node +0x78 (key)"]
	hot = got["struct node +0x8 (hot)"] if "struct node +0x8 (hot)" in got else 0
	if hot:
	    assert abs(hot / key - period["hot"] / period["key"]) < 0.02, (hot, key, period)
	EOF
'
test_expect_success 'statistics by instruction and by reason' '
	perf annotate -i gcc-O2.data -d gcc-O2 --insn-stat >out &&
	test_grep "^Annotate Instruction stats$" out &&
	test_grep "^  addq  *: +[0-9]+ +[0-9]+$" out &&
	perf annotate -i gcc-O2.data -d gcc-O2 --type-stat --json | python3 -c "
import json, sys
stat = { r[\"result\"]: r for r in json.load(sys.stdin)[\"type_stat\"] }
assert stat[\"ok\"][\"samples\"] > 0 and not stat[\"no_var\"][\"samples\"], stat"
'
test_expect_success 'a type that has no samples, code without debug information' '
	test_must_fail perf annotate -i gcc-O2.data --data-type=nothing 2>err &&
	test_grep "no sample in .gcc-O2.data. is an access to the type .nothing." err &&
	gcc -O2 -o bare types.c &&
	perf record -q -e cpu-clock:u -F 1000 -o bare.data ./bare 50000000 >/dev/null &&
	test_must_fail perf annotate -i bare.data -d bare --data-type 2>err &&
	test_grep "has no debug information" err
'
test_expect_success 'beside the code: --code-with-type' '
	perf annotate -i gcc-O2.data --stdio --code-with-type by_element >out && perf annotate -i gcc-O2.data --stdio by_element >plain &&
	test_grep "# data-type: .* [+]0x[0-9a-f]* [(]two[)]$" out && ! grep -q "data-type" plain && sed "s/\t\t# data-type: .*//" out | test_cmp plain - &&
	perf annotate -i gcc-O2.data --stdio2 --code-with-type by_element >out && perf annotate -i gcc-O2.data --stdio2 by_element >plain &&
	test_grep "# data-type: .* [(]two[)]$" out && sed "s/\t\t# data-type: .*//" out | test_cmp plain -
'
test_expect_success 'events of a group side by side' '
	perf record -q -e "{cpu-clock:u,page-faults:u}" -F 1000 -o group.data ./gcc-O2 150000000 >/dev/null &&
	perf annotate -i group.data -d gcc-O2 --data-type=hot >out &&
	test_grep "^ event\[0\] = cpu-clock:u$" out &&
	test_grep "^         Percent     offset       size  field$" out &&
	test_grep "^  100.00 +[0-9.]+          0       0x30  struct hot	 \{$" out
'
test_expect_success NEWEST 'rows of the newest upstream for loads' '
	"$NEWEST" annotate --objdump="$(command -v objdump)" -i gcc-O2.data --data-type=node --stdio -n \
		2>/dev/null >theirs &&
	perf annotate -i gcc-O2.data -d gcc-O2 --data-type=node -n >ours &&
	grep -E "next;|hot;" theirs >want && grep -E "next;|hot;" ours >got &&
	test_cmp want got
'
test_expect_success NEWEST 'types beside the code are those of the newest upstream' '
	"$NEWEST" annotate --objdump="$(command -v objdump)" -i gcc-O2.data --code-with-type --stdio by_element 2>/dev/null |
		sed -nE "s/^.*: +([0-9a-f]+):.*# data-type: (.*[^ ]) *$/\1 \2/p" >want && test -s want &&
	perf annotate -i gcc-O2.data --code-with-type --stdio by_element | sed -nE "s/^.*: +([0-9a-f]+):.*# data-type: (.*)$/\1 \2/p" >got && test_cmp want got
'
test_lazy_prereq MOUNTS 'needs its own mounts' 'unshare -m true'
test_expect_success MOUNTS 'a machine without libcapstone: objdump shows the code, types say what to install' '
	lib=$(ldconfig -p | sed -n "s/.*libcapstone[.]so[.]\([0-9]*\) .* => /\1 /p") && set -- $lib &&
	without() { unshare -m sh -c "mount --bind /dev/null $(readlink -f "$2") && perf annotate -i gcc-O2.data $3" -; } &&
	! readelf -d "$(readlink -f "$(command -v perf)")" | grep -q capstone &&
	test_must_fail without "$@" --data-type 2>err &&
	test_grep "types of data cannot be found: libcapstone cannot be loaded: .*libcapstone.so.$1: file too short" err &&
	test_grep "Hint: install the package libcapstone$1" err &&
	without "$@" "--stdio by_element" >out && test_grep "^ *[0-9.]* *: *[0-9a-f]*: *[a-z]" out
'

test_done
