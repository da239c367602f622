// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Demangling by libiberty: Itanium C++, Rust (legacy and v0), D.
 * Names come from untrusted files, and back references make a text of 200 bytes stand for one of
 * terabytes. So: 1. What is printed comes in pieces, and the printing is left when it becomes too
 * long. 2. What libiberty walks through before it prints is measured first (tree_is_small), and
 * what it parses again and again is counted (MAX_CONVERSIONS). 3. Its recursion follows the name:
 * longer ones get a thread with a stack to match. A name that passes none of these stays as it is.
 */
/* its libiberty.h declares another function of this name than ours */
#define xmemdup libiberty_xmemdup
#include <libiberty/demangle.h>
#undef xmemdup
#undef ARRAY_SIZE

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/hash.h"
#include "util/base/str.h"
#include "util/base/xalloc.h"
#include "util/elf/demangle.h"

/* libiberty's own time grows with the square of pathological names */
#define MAX_MANGLED_BYTES 32768
#define MAX_PLAIN_BYTES (256 * 1024)
#define MAX_TREE_STEPS (4 * 1024 * 1024)
#define MAX_CONVERSIONS 12		/* each may double the time of parsing */
/* names up to here fit any thread: the limit of libiberty itself is 1024 */
#define OWN_STACK_BYTES 1000
/* measured: 1,300 for "PPPP...", 2,900 for nested templates */
#define STACK_A_BYTE 4096

/* Legacy Rust is Itanium's nesting with a hash as its last part: "...17h" and 16 hex digits "E". */
static bool is_legacy_rust(const char *s)
{
	size_t n = strlen(s);

	return n > 20 && s[n - 1] == 'E' && !strncmp(s + n - 20, "17h", 3);
}

/* --- what comes out, in pieces */

struct plain { struct str text; jmp_buf too_long; };

static void take_piece(const char *piece, size_t n, void *ctx)
{
	struct plain *p = ctx;

	if (p->text.len + n > MAX_PLAIN_BYTES)
		/* nothing is held there: libiberty prints from its stack */
		longjmp(p->too_long, 1);
	str_addn(&p->text, piece, n);
}

/* --- how much there is to walk, each part as often as it is reached */

struct measure { struct hmap known; };

static void *as_value(u64 n)
{
	return (void *)(uintptr_t)(n + 1);
}

static bool has_two_parts(enum demangle_component_type type)
{
	switch (type) {
	case DEMANGLE_COMPONENT_QUAL_NAME: case DEMANGLE_COMPONENT_LOCAL_NAME:
	case DEMANGLE_COMPONENT_TYPED_NAME:
	case DEMANGLE_COMPONENT_TEMPLATE: case DEMANGLE_COMPONENT_FUNCTION_TYPE:
	case DEMANGLE_COMPONENT_ARRAY_TYPE:
	case DEMANGLE_COMPONENT_PTRMEM_TYPE: case DEMANGLE_COMPONENT_VECTOR_TYPE:
	case DEMANGLE_COMPONENT_ARGLIST:
	case DEMANGLE_COMPONENT_TEMPLATE_ARGLIST: case DEMANGLE_COMPONENT_INITIALIZER_LIST:
	case DEMANGLE_COMPONENT_UNARY:
	case DEMANGLE_COMPONENT_BINARY: case DEMANGLE_COMPONENT_BINARY_ARGS:
	case DEMANGLE_COMPONENT_TRINARY:
	case DEMANGLE_COMPONENT_TRINARY_ARG1: case DEMANGLE_COMPONENT_TRINARY_ARG2:
	case DEMANGLE_COMPONENT_COMPOUND_NAME:
	case DEMANGLE_COMPONENT_VENDOR_TYPE_QUAL: case DEMANGLE_COMPONENT_LITERAL:
	case DEMANGLE_COMPONENT_CONSTRUCTION_VTABLE:
	case DEMANGLE_COMPONENT_POINTER: case DEMANGLE_COMPONENT_REFERENCE:
	case DEMANGLE_COMPONENT_RVALUE_REFERENCE:
	case DEMANGLE_COMPONENT_CONST: case DEMANGLE_COMPONENT_VOLATILE:
	case DEMANGLE_COMPONENT_RESTRICT:
	case DEMANGLE_COMPONENT_COMPLEX: case DEMANGLE_COMPONENT_IMAGINARY:
	case DEMANGLE_COMPONENT_CAST:
	case DEMANGLE_COMPONENT_CONVERSION: case DEMANGLE_COMPONENT_NULLARY:
	case DEMANGLE_COMPONENT_DECLTYPE:
	case DEMANGLE_COMPONENT_PACK_EXPANSION: case DEMANGLE_COMPONENT_THROW_SPEC:
	case DEMANGLE_COMPONENT_NOEXCEPT:
	case DEMANGLE_COMPONENT_TRANSACTION_SAFE: case DEMANGLE_COMPONENT_CONST_THIS:
	case DEMANGLE_COMPONENT_VOLATILE_THIS:
	case DEMANGLE_COMPONENT_REFERENCE_THIS: case DEMANGLE_COMPONENT_RVALUE_REFERENCE_THIS:
	case DEMANGLE_COMPONENT_RESTRICT_THIS: case DEMANGLE_COMPONENT_VENDOR_EXPR:
		return true;
	default:
		return false;	/* a leaf, or one that no name can hold twice */
	}
}

static u64 steps_below(struct measure *m, const struct demangle_component *c)
{
	void *known = c ? hmap_get(&m->known, (uintptr_t)c) : NULL;
	u64 n = 1;

	if (!c)
		return 0;
	if (known)
		return (uintptr_t)known - 1;
	hmap_put(&m->known, (uintptr_t)c, as_value(n));		/* a circle is a leaf */
	if (has_two_parts(c->type))
		n += steps_below(m, c->u.s_binary.left) + steps_below(m, c->u.s_binary.right);
	n = MIN(n, (u64)1 << 40);
	hmap_put(&m->known, (uintptr_t)c, as_value(n));
	return n;
}

static bool tree_is_small(const char *mangled, int options)
{
	struct measure m = { 0 };
	void *mem = NULL;
	const struct demangle_component *top = cplus_demangle_v3_components(mangled, options, &mem);
	bool ok = top && steps_below(&m, top) <= MAX_TREE_STEPS;

	hmap_release(&m.known);
	free(mem);
	return ok;
}

static size_t count_of(const char *text, const char *what)
{
	size_t n = 0;

	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

/* Only the patterns of pack expansions are walked before something is printed, and only back
 * references let them grow. */
static bool is_worth_measuring(const char *mangled)
{
	return (strstr(mangled, "Dp") || strstr(mangled, "sp")) && count_of(mangled, "_") > 16;
}

static bool cxx_demangle(const char *mangled, struct plain *p)
{
	const int options = DMGL_PARAMS | DMGL_ANSI | DMGL_NO_RECURSE_LIMIT;

	return count_of(mangled, "cvT") <= MAX_CONVERSIONS &&
		(!is_worth_measuring(mangled) || tree_is_small(mangled, options)) &&
	       cplus_demangle_v3_callback(mangled, options, take_piece, p);
}

static bool d_demangle(const char *mangled, struct plain *p)
{
	char *out = demangle_d_is_bounded(mangled, MAX_PLAIN_BYTES) ?
		dlang_demangle(mangled, DMGL_NO_OPTS) : NULL;
	bool ok = out != NULL;

	if (ok)
		str_add(&p->text, out);
	free(out);
	return ok;
}

static char *demangle_here(const char *mangled)
{
	struct plain *p = xnew(struct plain);
	char *volatile out = NULL;

	if (!setjmp(p->too_long)) {
		bool ok = false;

		if (mangled[0] == '_' && mangled[1] == 'D')
			ok = d_demangle(mangled, p);
		else if ((mangled[0] == '_' && mangled[1] == 'R') || is_legacy_rust(mangled))
			ok = rust_demangle_callback(mangled, DMGL_NO_OPTS, take_piece, p);
		if (!ok && mangled[1] != 'D') {
			str_reset(&p->text);
			ok = cxx_demangle(mangled, p);
		}
		if (ok && p->text.len)
			out = xstrndup(p->text.buf, p->text.len);
	}
	str_release(&p->text);
	free(p);
	return out;
}

struct job { const char *mangled; char *out; };

static void *run_job(void *ctx)
{
	struct job *j = ctx;

	j->out = demangle_here(j->mangled);
	return NULL;
}

char *demangle_name(const char *mangled)
{
	struct job j = { mangled, NULL };
	size_t n = strlen(mangled);
	pthread_attr_t attr;
	pthread_t thread;

	if (n <= OWN_STACK_BYTES)
		return demangle_here(mangled);
	if (n > MAX_MANGLED_BYTES || pthread_attr_init(&attr))
		return NULL;
	if (!pthread_attr_setstacksize(&attr, n * STACK_A_BYTE + (1 << 20)) &&
	    !pthread_create(&thread, &attr, run_job, &j))
		pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
	return j.out;
}
