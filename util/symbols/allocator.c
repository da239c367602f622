// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/symbols/allocator.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/elf/elf.h"

static const struct known { const char *name; enum allocator_what what; } functions[] = {
	{ "malloc", ALLOCATOR_ALLOC }, { "calloc", ALLOCATOR_CALLOC },
	{ "realloc", ALLOCATOR_REALLOC },
	{ "free", ALLOCATOR_FREE }, { "cfree", ALLOCATOR_FREE }, { "free_sized", ALLOCATOR_FREE },
	{ "free_aligned_sized", ALLOCATOR_FREE }, { "memalign", ALLOCATOR_MEMALIGN },
	{ "aligned_alloc", ALLOCATOR_MEMALIGN }, { "posix_memalign", ALLOCATOR_POSIX_MEMALIGN },
	{ "valloc", ALLOCATOR_ALLOC }, { "pvalloc", ALLOCATOR_ALLOC },
};

/* Whose operators are their own. */
static const char *const own_markers[] = {
	"mallocx", "tc_malloc", "TCMallocInternalMalloc", "mi_malloc",
};
/* Their operators call malloc: libstdc++ and libc++, also where they were linked in. */
#define CXX_LIBRARY_MARKER "_ZSt15get_new_handlerv"
/* Only glibc has it, also where it was linked into a program. */
#define GLIBC_MARKER "__libc_memalign"

struct found { u64 rva; enum allocator_what what; };

struct search {
	VEC(struct found) functions, operators;
	bool allocator, glibc, cxx_library, has_new;
};

/* After the types of the size or the address: none of those that a program makes for arenas of its
 * own, or that take what they give from their caller (placement). */
static bool is_usual(const char *rest)
{
	return !*rest || str_has_prefix(rest, "RKSt9nothrow_t") ||
		str_has_prefix(rest, "St11align_val_t") || str_has_prefix(rest, "12__hot_cold_t");
}

/* "_Znwm", "_ZnamRKSt9nothrow_t", "_ZdlPvm": new takes the size, delete the address. */
static bool is_operator(const char *name, enum allocator_what *what)
{
	if (str_has_prefix(name, "_Znwm") || str_has_prefix(name, "_Znam") ||
	    str_has_prefix(name, "_Znwj") || str_has_prefix(name, "_Znaj")) {
		*what = ALLOCATOR_ALLOC;
		return is_usual(name + 5);
	}
	*what = ALLOCATOR_FREE;
	if (!str_has_prefix(name, "_ZdlPv") && !str_has_prefix(name, "_ZdaPv"))
		return false;
	name += 6;
	return is_usual(name + (*name == 'm' || *name == 'j'));
}

static int on_symbol(void *ctx, const struct elf_symbol *sym)
{
	struct search *s = ctx;
	enum allocator_what what;

	if (sym->shndx == SHN_UNDEF || !sym->value)
		return 0;
	if (sym->type != STT_FUNC && sym->type != STT_GNU_IFUNC)
		return 0;
	if (!strcmp(sym->name, GLIBC_MARKER))
		s->glibc = true;
	for (size_t i = 0; i < ARRAY_SIZE(own_markers); i++)
		if (!strcmp(sym->name, own_markers[i]))
			s->allocator = true;
	if (!strcmp(sym->name, CXX_LIBRARY_MARKER))
		s->cxx_library = true;
	for (size_t i = 0; i < ARRAY_SIZE(functions) && sym->type == STT_FUNC; i++)
		if (!strcmp(sym->name, functions[i].name))
			vec_push(&s->functions, ((struct found){ sym->value, functions[i].what }));
	if (!is_operator(sym->name, &what))
		return 0;
	s->has_new |= what == ALLOCATOR_ALLOC;
	vec_push(&s->operators, ((struct found){ sym->value, what }));
	return 0;
}

/* How many of the first bytes the kernel would single-step at a probe, which takes as long again as
 * the probe itself, although a push follows that it does not: ENDBR64, and "nothing to do for
 * NULL". Neither changes arguments or stack. x86-64. */
static u64 bytes_before_push(const struct elf *e, u64 off)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa }, test_rdi[] = { 0x48, 0x85, 0xff };
	u8 code[24] = { 0 };
	size_t n = 0;

	if (e->machine != EM_X86_64 || elf_pread((struct elf *)e, off, code, 20) < 20)
		return 0;
	if (!memcmp(code, endbr64, sizeof(endbr64)))
		n += sizeof(endbr64);
	if (!memcmp(code + n, test_rdi, sizeof(test_rdi))) {
		n += sizeof(test_rdi);
		if (code[n] == 0x0f && code[n + 1] == 0x84)
			n += 6;		/* je rel32 */
		else if (code[n] == 0x74)
			n += 2;		/* je rel8 */
		else
			return 0;
	}
	if (code[n] == 0x41)
		return code[n + 1] >= 0x50 && code[n + 1] <= 0x57 ? n : 0;
	return code[n] >= 0x50 && code[n] <= 0x57 ? n : 0;
}

/* In glibc malloc, calloc and free call none of the others; elsewhere that is known of malloc and
 * free alone. Operators that a program has of its own may call malloc and free; those of
 * allocators do not call free. */
static void add(allocator_functions *out, const struct elf *e, const struct search *s,
		const struct found *f, bool operator)
{
	u64 off = elf_rva_to_off(e, f->rva);
	struct allocator_function *to;

	if (off == UINT64_MAX)
		return;
	off += bytes_before_push(e, off);
	for vec_each(known, out)
		if (known->off == off)
			return;
	to = vec_add(out);
	to->off = off;
	to->what = f->what;
	if (f->what == ALLOCATOR_FREE)
		to->nests = operator && !s->allocator;
	else
		to->nests = (f->what != ALLOCATOR_ALLOC || operator) &&
			!(s->glibc && f->what == ALLOCATOR_CALLOC);
}

static bool is_program(const struct elf *e)
{
	if (e->type == ET_EXEC)
		return true;
	for (u32 i = 0; i < e->n_segs; i++)
		if (e->segs[i].type == PT_INTERP)
			return true;
	return false;
}

static bool defines_malloc(const struct search *s)
{
	for vec_each(f, &s->functions)
		if (f->what == ALLOCATOR_ALLOC || f->what == ALLOCATOR_FREE)
			return true;
	return false;
}

int allocator_find(allocator_functions *out, const char *path, struct err *err)
{
	struct search s = { .glibc = false };
	struct elf_sec *dynamic, *all;
	struct elf e;
	int ret = elf_open(&e, path, err);

	if (ret)
		return ret;
	/* of programs of 32 bits the arguments are elsewhere */
	dynamic = e.is64 ? elf_find_type(&e, SHT_DYNSYM) : NULL;
	if (dynamic)
		ret = elf_each_symbol(&e, dynamic, on_symbol, &s);
	/* what others may call is in the dynamic table; static programs have no such, and plugins
	 * may keep theirs to themselves */
	all = ret || !e.is64 || defines_malloc(&s) || (s.has_new && !is_program(&e)) ? NULL :
		elf_find_type(&e, SHT_SYMTAB);
	if (all)
		ret = elf_each_symbol(&e, all, on_symbol, &s);
	for vec_each(f, &s.functions)
		add(out, &e, &s, f, false);
	if (s.allocator || (s.has_new && !s.cxx_library))
		for vec_each(f, &s.operators)
			add(out, &e, &s, f, true);
	vec_free(&s.functions);
	vec_free(&s.operators);
	elf_close(&e);
	return ret ? err_set(err, -ret, "cannot read the symbols of '%s'", path) : 0;
}

char *allocator_loader(const char *program)
{
	char name[256] = "";
	struct elf e;

	if (elf_open(&e, program, NULL))
		return NULL;
	for (u32 i = 0; i < e.n_segs; i++)
		if (e.segs[i].type == PT_INTERP)
			elf_pread(&e, e.segs[i].off, name,
				  MIN(e.segs[i].file_bytes, sizeof(name) - 1));
	elf_close(&e);
	return name[0] == '/' ? xstrdup(name) : NULL;
}
