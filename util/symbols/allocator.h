/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_ALLOCATOR_H
#define SYMBOLS_ALLOCATOR_H
/*
 * The functions of a binary that allocate and free memory, by their names: malloc and its like of C
 * libraries and allocators (glibc, musl, jemalloc, tcmalloc, mimalloc), also where they were linked
 * into a program or a library. Operators new and delete are among them where they are an
 * allocator's, a program's or a plugin's own: those of libstdc++ and libc++ call malloc.
 */
#include "util/base/err.h"
#include "util/base/vec.h"

/* What its arguments are. */
enum allocator_what {
	ALLOCATOR_ALLOC,		/* (bytes) */
	ALLOCATOR_CALLOC,		/* (n, bytes) */
	ALLOCATOR_REALLOC,		/* (old, bytes) */
	ALLOCATOR_MEMALIGN,		/* (alignment, bytes) */
	ALLOCATOR_POSIX_MEMALIGN,	/* (where the address goes, alignment, bytes) */
	ALLOCATOR_FREE,			/* (address) */
};

struct allocator_function {
	/* in the file, of the function's begin or shortly after it, where its arguments and the
	 * stack are still as they were */
	u64 off;
	enum allocator_what what;
	bool nests;			/* it may call others of them */
};

/* Each address once: many names are of the same. */
typedef VEC(struct allocator_function) allocator_functions;

/* 0, also where there are none; -errno where the file cannot be read as an ELF file. */
int allocator_find(allocator_functions *out, const char *path, struct err *err);
/* The loader of a program that is linked dynamically; NULL: it has none, or is no ELF file. The
 * caller frees. */
char *allocator_loader(const char *program);

#endif
