#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
test_description='samples by type of data where recordings cannot be made here: arm64 code, thread-local variables of libraries, the copies that CPUs have of variables of the kernel and its modules'
. "$(dirname "$0")/lib.sh"

test_require CC,PYTHON
# fields FILE ARCH SOURCE LEAST FUNCTION...: each instruction sampled once
fields () {
	local file=$1 arch=$2 source=$3 least=$4; shift 4
	python3 "$TEST_DIR/every.py" "$file" x.data "$arch" "$@" && perf annotate ${kernel:+-k} $kernel -i x.data --json >lines && perf annotate ${kernel:+-k} $kernel -i x.data --data-type --json >types &&
	python3 "$TEST_DIR/typefields.py" lines types $least "$source" last
}

# ---- arm64: what is in registers, in frames, at addresses (adrp and add, or the global offset table), in each thread's memory
test_lazy_prereq ARM64_CC 'needs aarch64-linux-gnu-gcc (package gcc-aarch64-linux-gnu)' 'command -v aarch64-linux-gnu-gcc && aarch64-linux-gnu-objdump --version'
test_lazy_prereq ARM64_CLANG 'needs clang and lld with arm64, and aarch64-linux-gnu-objdump' \
	'echo "int f(void) { return 1; }" >p.c && clang --target=aarch64-linux-gnu -nostdlib -shared -fuse-ld=lld -o p.so p.c && aarch64-linux-gnu-objdump --version'
cat >arm.c <<'EOF'
#define READ(s, m) do { long t_; __asm__ volatile("ldr %0,%1" : "=r"(t_) : "m"(m) : "memory"); s += t_; } while (0)
#define WRITE(s, m) __asm__ volatile("str %1,%0" : "=m"(m) : "r"(s) : "memory")

struct hot { long before; struct { long pad[3], nested; } in; long last; };
struct node { struct node *next; struct hot *hot; char pad[100]; int small; long key; };
typedef struct { long one; long two; } pair;
struct hot global;
static pair table[64];
static __thread struct hot mine;
__thread pair many[8] = { { 1, 1 } };
extern __thread pair other;

__attribute__((noinline)) long by_parameter(struct node *n, long rounds)
{
	long s = 0;

	while (rounds--) {
		READ(s, n->key);			/* struct node.key */
		WRITE(s, n->key);			/* struct node.key */
	}
	return s;
}
__attribute__((noinline)) long by_chain(struct node *n, long rounds)
{
	long s = 0;

	while (rounds--) {
		struct hot *h = n->hot;			/* struct node.hot */
		READ(s, h->last);			/* struct hot.last */
		WRITE(s, h->in.nested);			/* struct hot.nested */
	}
	return s;
}
__attribute__((noinline)) long by_list(struct node *n, long rounds)
{
	long s = 0;

	while (rounds--)
		for (struct node *p = n; p;) {
			READ(s, p->key);		/* struct node.key */
			p = p->next;			/* struct node.next */
		}
	return s;
}
__attribute__((noinline)) long by_address(long rounds)
{
	long s = 0;

	while (rounds--) {
		READ(s, global.before);			/* struct hot.before */
		WRITE(s, global.last);			/* struct hot.last */
		pair *at = &table[rounds & 63];
		WRITE(s, at->two);			/* pair.two */
	}
	return s;
}
__attribute__((noinline)) long by_element(pair *at, long rounds)
{
	long s = 0;

	while (rounds--) {
		READ(s, at->two);			/* pair.two */
		WRITE(s, at++->one);			/* pair.one */
	}
	return s;
}
long away(void *p, long n);
__attribute__((noinline)) long on_stack(long rounds)
{
	struct hot local;

	__asm__ volatile("" : "=m"(local));
	long s = 0;

	while (rounds--) {
		READ(s, local.before);			/* struct hot.before */
		WRITE(s, local.in.nested);		/* struct hot.nested */
	}
	return s + away(&local, s);
}
__attribute__((noinline)) long thread_local(long rounds)
{
	long s = 0;

	while (rounds--) {
		READ(s, mine.before);			/* struct hot.before */
		WRITE(s, mine.in.nested);		/* struct hot.nested */
		READ(s, many[rounds & 7].two);		/* pair.two */
		READ(s, other.two);			/* pair.two */
		s += away(0, s);
	}
	return s;
}
struct node *find(struct node *n);
__attribute__((noinline)) long over_calls(struct node *n, struct hot *h, long rounds)
{
	long s = 0;

	while (rounds--) {
		struct node *f = find(n);
		READ(s, f->key);			/* struct node.key */
		READ(s, h->last);			/* struct hot.last */
		READ(s, n->hot);			/* struct node.hot */
	}
	return s;
}
EOF
cat >rest.c <<'EOF'
struct node;
typedef struct { long one; long two; } pair;
__thread pair other = { 1, 2 };
long away(void *p, long n) { __asm__ volatile("" : : "r"(p) : "memory"); return n; }
struct node *find(struct node *n) { return n; }
long by_parameter(void *, long), by_chain(void *, long), by_list(void *, long), by_address(long), by_element(void *, long), on_stack(long);
long thread_local(long), over_calls(void *, void *, long);
void _start(void)
{
	long n = 5;

	by_parameter(0, n), by_chain(0, n), by_list(0, n), by_address(n), by_element(0, n), on_stack(n), thread_local(n), over_calls(0, 0, n);
}
EOF
functions="by_parameter by_chain by_list by_address by_element on_stack thread_local over_calls"
arm () { "$@" -g -nostdlib -o arm arm.c rest.c && fields arm aarch64 arm.c 8 $functions; }
for how in "-O1 -static" "-O2 -static" "-O3 -static" "-O2 -fPIC -shared" "-O1 -fPIC -shared -mtls-dialect=trad"; do
	test_expect_success ARM64_CC "arm64: gcc $how" "arm aarch64-linux-gnu-gcc $how"
done
test_expect_success ARM64_CC 'arm64: the types beside the code; names of types in perf report' '
	arm aarch64-linux-gnu-gcc -O2 -static && perf annotate -i x.data --stdio --no-source --code-with-type by_chain >out && test_grep "ldr +x[0-9]+, \[x[0-9]+, #40\].*# data-type: struct hot [+]0x28 [(]last[)]$" out &&
	perf report -i x.data --stdio -s type,typeoff >out && test_grep "struct node +struct node [+]0x78 [(]key[)]" out
'
test_expect_success ARM64_CC 'arm64: without optimization, where all is on the stack, only thread-local memory and saved registers are unknown' '
	aarch64-linux-gnu-gcc -g -O0 -nostdlib -static -o arm arm.c rest.c && python3 "$TEST_DIR/every.py" arm x.data aarch64 ${functions/thread_local/} && perf annotate -i x.data --type-stat --json >stat.json && python3 -c "
import json
stat = { r[\"result\"]: r[\"samples\"] for r in json.load(open(\"stat.json\"))[\"type_stat\"] }
assert stat[\"ok\"] > 100 and stat[\"no_var\"] <= 8 and not stat.get(\"bad_offset\") and not stat.get(\"no_typeinfo\"), stat"
'
for how in "-O2 -static" "-O2 -fPIC -shared"; do
	test_expect_success ARM64_CLANG "arm64: clang $how" "arm clang --target=aarch64-linux-gnu -fuse-ld=lld $how"
done

# ---- thread-local variables of libraries: __tls_get_addr with a variable or the library's part, descriptors, distances
cat >lib.c <<'EOF'
#include <stdlib.h>
#define ADD(s, m) __asm__ volatile("add %1,%0" : "+r"(s) : "m"(m) : "memory")
#define BUMP(m) __asm__ volatile("addq $1,%0" : "+m"(m) : : "memory")
struct hot { long before; struct { long pad[3], nested; } in; long last; };
typedef struct { long one; long two; } pair;
static __thread struct hot mine;
static __thread pair many[8] = { { 1, 1 } };
__thread pair other = { 1, 2 };
struct hot shared;
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
__attribute__((noinline)) long by_export(long rounds)
{
	long s = 0;

	while (rounds--) {
		BUMP(other.two);			/* pair.two */
		ADD(s, other.one);			/* pair.one */
		BUMP(shared.last);			/* struct hot.last */
	}
	return s;
}
long library(long n) { return by_name(n) + by_index(n) + by_export(n); }
EOF
library () { "$@" -g -fPIC -shared -o lib.so lib.c && fields lib.so x86_64 lib.c 5 by_name by_index by_export; }
for how in "-O1" "-O2" "-O3" "-O2 -mtls-dialect=gnu2" "-O2 -ftls-model=initial-exec"; do
	test_expect_success X86_64 "thread-local variables of a library: gcc $how" "library gcc $how"
done
test_expect_success X86_64,CLANG 'thread-local variables of a library: clang' 'library clang -O2'

# ---- the kernel: a small one of our own, of which each CPU has a copy of some variables
cat >percpu.c <<'EOF'
struct task { long pad[3]; long state; struct task *next; };
struct cpu_hot { long count; struct task *current; long top; };
__attribute__((section(".data..percpu"))) struct cpu_hot hot;
__attribute__((section(".data..percpu"))) unsigned long this_cpu_off;
__attribute__((section(".data..percpu"))) long numbers[8];
unsigned long __per_cpu_offset[64];
#define READ(s, m) do { long t_; __asm__ volatile("mov %1,%0" : "=r"(t_) : "m"(m) : "memory"); s += t_; } while (0)
#define PERCPU(to, m) __asm__ volatile("mov %%gs:%P1,%0" : "=r"(to) : "m"(m))
#define PERCPU_RIP(to, m) __asm__ volatile("mov %%gs:%a1,%0" : "=r"(to) : "i"(&(m)))
#define THIS_CPU(p) __asm__ volatile("add %%gs:%P1,%0" : "+r"(p) : "m"(this_cpu_off))

long by_name(long n)
{
	struct task *t;
	long s = 0, v;

	while (n--) {
		PERCPU(v, hot.top);			/* struct cpu_hot.top */
		s += v;
		PERCPU_RIP(v, hot.count);		/* struct cpu_hot.count */
		s += v;
		PERCPU(t, hot.current);			/* struct cpu_hot.current */
		READ(s, t->state);			/* struct task.state */
		READ(s, t->next);			/* struct task.next */
	}
	return s;
}
long by_pointer(long n)
{
	long s = 0;

	while (n--) {
		struct cpu_hot *p = &hot;

		__asm__("" : "+r"(p));
		THIS_CPU(p);
		READ(s, p->top);			/* struct cpu_hot.top */
	}
	return s;
}
long by_cpu(long cpu, long n)
{
	long s = 0;

	while (n--) {
		struct cpu_hot *p = (void *)((char *)&hot + __per_cpu_offset[cpu]);

		READ(s, p->count);			/* struct cpu_hot.count */
		READ(s, p->current);			/* struct cpu_hot.current */
	}
	return s;
}
void start(void) { by_name(3); by_pointer(3); by_cpu(1, 3); }
EOF
cat >kernel.lds <<'EOF'
SECTIONS {
	. = 0xffffffff81000000; _text = .; _stext = .;
	.text : { *(.text*) }
	.rodata : { *(.rodata*) *(.eh_frame) }
	.data : { *(.data) *(.bss) *(COMMON) }
	.data..percpu 0x1000 : AT(0x3000000) { *(.data..percpu) }
}
EOF
kernel () {	# WHERE: how far from where its file says it ran
	gcc -g -O2 -mcmodel=kernel -fno-pie -no-pie -fno-asynchronous-unwind-tables -nostdlib -static -Wl,-T,kernel.lds,--build-id=none,-e,start -o vmlinux percpu.c 2>/dev/null &&
	kernel=vmlinux fields vmlinux+$1 x86_64 percpu.c 5 by_name by_pointer by_cpu
}
test_expect_success X86_64 "CPUs' copies of the kernel's variables" 'kernel 0'
test_expect_success X86_64 "CPUs' copies of the kernel's variables: a kernel that was loaded elsewhere" 'kernel 0x2000000'
# The same of arm64: the variables lie in the kernel, a CPU's copies are as far from them as a register says.
cat >armcpu.c <<'EOF'
struct task { long pad[3]; long state; struct task *next; };
struct cpu_hot { long count; struct task *current; long top; };
__attribute__((section(".data..percpu"))) struct cpu_hot hot;
__attribute__((section(".data..percpu"))) long numbers[8];
unsigned long __per_cpu_offset[64];
struct task init_task;
#define READ(s, m) do { long t_; __asm__ volatile("ldr %0,%1" : "=r"(t_) : "m"(m) : "memory"); s += t_; } while (0)
static inline unsigned long my_offset(void) { unsigned long o; __asm__("mrs %0, tpidr_el1" : "=r"(o)); return o; }
#define THIS(p) ((typeof(p))({ unsigned long p_; __asm__("" : "=r"(p_) : "0"(p)); p_ + my_offset(); }))

long by_name(long n)
{
	long s = 0;

	while (n--) {
		struct task *t;

		READ(s, THIS(&hot)->top);		/* struct cpu_hot.top */
		READ(s, THIS(&hot)->count);		/* struct cpu_hot.count */
		t = THIS(&hot)->current;		/* struct cpu_hot.current */
		READ(s, t->state);			/* struct task.state */
		READ(s, t->next);			/* struct task.next */
	}
	return s;
}
long by_current(long n)
{
	struct task *t;
	long s = 0;

	__asm__("mrs %0, sp_el0" : "=r"(t));
	while (n--)
		READ(s, t->state);			/* struct task.state */
	return s;
}
long by_cpu(long cpu, long n)
{
	long s = 0;

	while (n--) {
		struct cpu_hot *p = (void *)((char *)&hot + __per_cpu_offset[cpu]);

		READ(s, p->count);			/* struct cpu_hot.count */
		READ(s, p->current);			/* struct cpu_hot.current */
	}
	return s;
}
void start(void) { by_name(3); by_current(3); by_cpu(1, 3); }
EOF
cat >armkernel.lds <<'EOF'
SECTIONS {
	. = 0xffff800080000000; _text = .; _stext = .;
	.text : { *(.text*) }
	.rodata : { *(.rodata*) *(.eh_frame) }
	.data : { *(.data) *(.bss) *(COMMON) }
	.data..percpu : { *(.data..percpu) }
}
EOF
arm_kernel () {
	aarch64-linux-gnu-gcc -g "$2" -fno-pie -no-pie -nostdlib -static -Wl,-T,armkernel.lds,--build-id=none,-e,start -o vmlinux armcpu.c 2>/dev/null &&
	kernel=vmlinux fields vmlinux+$1 aarch64 armcpu.c 5 by_name by_current by_cpu
}
test_expect_success ARM64_CC "CPUs' copies of an arm64 kernel's variables" 'arm_kernel 0 -O2 && arm_kernel 0 -O1'
test_expect_success ARM64_CC "CPUs' copies of an arm64 kernel's variables: a kernel that was loaded elsewhere" 'arm_kernel 0x2000000 -O2'
# ---- a module of it: its file is relocated as the kernel does it, and of code that ran kallsyms says where its variables were
cat >module.c <<'EOF'
struct task { long pad[3]; long state; struct task *next; };
struct cpu_hot { long count; struct task *current; long top; };
struct own { long first; int second; struct task *waiting; };
#define PER_CPU __attribute__((section(".data..percpu")))
__attribute__((section(".gnu.linkonce.this_module"))) char __this_module[64] = "module";
PER_CPU long before[4] = { 1 };
PER_CPU static struct cpu_hot hot;
PER_CPU long numbers[8];
static struct own shared = { 1, 2 };
static struct own zero[4];
extern unsigned long this_cpu_off, __per_cpu_offset[];
#ifdef __x86_64__
#define READ(s, m) do { long t_; __asm__ volatile("mov %1,%0" : "=r"(t_) : "m"(m) : "memory"); s += t_; } while (0)
#define PERCPU(to, m) __asm__ volatile("mov %%gs:%P1,%0" : "=r"(to) : "m"(m))
#define PERCPU_RIP(to, m) __asm__ volatile("mov %%gs:%a1,%0" : "=r"(to) : "i"(&(m)))
#define THIS(p) ({ typeof(p) p_ = (p); __asm__("" : "+r"(p_)); __asm__ volatile("add %%gs:%P1,%0" : "+r"(p_) : "m"(this_cpu_off)); p_; })
#else
#define READ(s, m) do { long t_; __asm__ volatile("ldr %0,%1" : "=r"(t_) : "m"(m) : "memory"); s += t_; } while (0)
static inline __attribute__((always_inline)) unsigned long my_offset(void) { unsigned long o; __asm__("mrs %0, tpidr_el1" : "=r"(o)); return o; }
#define THIS(p) ((typeof(p))({ unsigned long p_; __asm__("" : "=r"(p_) : "0"(p)); p_ + my_offset(); }))
#define PERCPU(to, m) __asm__ volatile("ldr %0,%1" : "=r"(to) : "m"(*THIS(&(m))))
#define PERCPU_RIP PERCPU
#endif

long by_name(long n)
{
	struct task *t;
	long s = 0, v;

	while (n--) {
		PERCPU(v, hot.top);			/* struct cpu_hot.top */
		s += v;
		PERCPU_RIP(v, hot.count);		/* struct cpu_hot.count */
		s += v;
		PERCPU(t, hot.current);			/* struct cpu_hot.current */
		READ(s, t->state);			/* struct task.state */
		READ(s, t->next);			/* struct task.next */
	}
	return s;
}
long by_pointer(long n)
{
	long s = 0;

	while (n--)
		READ(s, THIS(&hot)->top);		/* struct cpu_hot.top */
	return s;
}
long by_cpu(long cpu, long n)
{
	long s = 0;

	while (n--) {
		struct cpu_hot *p = (void *)((char *)&hot + __per_cpu_offset[cpu]);

		READ(s, p->count);			/* struct cpu_hot.count */
		READ(s, p->current);			/* struct cpu_hot.current */
	}
	return s;
}
long by_address(long n)
{
	long s = 0;

	while (n--) {
		READ(s, shared.waiting);		/* struct own.waiting */
		READ(s, zero[n & 3].first);		/* struct own.first */
	}
	return s + by_cpu(n, s);
}
EOF
module () {	# PREFIX ARCH FLAG...
	local prefix=$1 arch=$2; shift 2
	${prefix}gcc -g -fno-pie -fno-asynchronous-unwind-tables -fno-inline -c -o module.o module.c "$@" && ${prefix}ld -r --build-id -o module.ko module.o &&
	fields module.ko $arch module.c 7 by_name by_pointer by_cpu by_address
}
# The same as it ran, its variables in four places; without symbols, which kallsyms has (those of each CPU as absolute ones).
cat >run.lds <<'EOF'
SECTIONS {
	.text 0xffffffffc0400000 : { *(.text*) }
	.data 0xffffffffc0812000 : { *(.data) }
	.bss 0xffffffffc0900000 : { *(.bss) }
	.data..percpu 0x2f040 : { *(.data..percpu) }
	.rest 0xffffffffc0a00000 : { *(.gnu.linkonce.this_module) *(.rodata*) *(.eh_frame) }
}
EOF
run_module () {
	mkdir -p ran && ld -static --build-id=none --defsym this_cpu_off=0x1d000 --defsym __per_cpu_offset=0xffffffff82a00000 -e by_name -T run.lds -o ran/kcore module.ko &&
	nm ran/kcore | sed -E "/this_cpu_off|__per_cpu_offset/d; s/^(00000000000[0-9a-f]*) ./\1 a/; s/$/\t[module]/" >ran/kallsyms && strip -s ran/kcore &&
	printf "\4" | dd of=ran/kcore bs=1 seek=16 conv=notrunc 2>/dev/null
}
test_expect_success X86_64 "a module's variables, and its copies for CPUs: its file" 'module "" x86_64 -mcmodel=kernel -O1 && module "" x86_64 -mcmodel=kernel -O2'
test_expect_success X86_64 'its functions and its variables have their names there' '
	perf annotate -i x.data --stdio --no-source --code-with-type by_address >out && test_grep "# [0-9a-f]+ <shared[+]0x10>.*# data-type: struct own [+]0x10 [(]waiting[)]$" out &&
	test_grep "(call|jmp) +ffffffffc04[0-9a-f]+ <by_cpu>" out
'
test_expect_success X86_64 'the code that ran, and kallsyms' '
	run_module && from="--kallsyms ran/kallsyms" && test_grep " a hot" ran/kallsyms && perf annotate $from -i x.data --json >lines && perf annotate $from -i x.data --data-type --json >types &&
	python3 "$TEST_DIR/typefields.py" lines types 7 module.c last && perf annotate $from -i x.data --stdio --no-source --code-with-type by_name >out && test_grep "gs:0x2f[0-9a-f]+,.*# data-type: struct cpu_hot [+]0x10 [(]top[)]$" out
'
test_expect_success X86_64 'a kernel whose kallsyms has no variables (CONFIG_KALLSYMS_ALL=n): none is invented' '
	sed -i "/ [adbrADBR] /d" ran/kallsyms && perf annotate --kallsyms ran/kallsyms -i x.data --stdio --no-source --code-with-type by_name >out && test_grep "gs:0x2f" out && ! grep "gs:.*data-type" out
'
test_expect_success ARM64_CC "an arm64 module's variables, and its copies for CPUs" 'module aarch64-linux-gnu- aarch64 -O1 && module aarch64-linux-gnu- aarch64 -O2'
test_done
