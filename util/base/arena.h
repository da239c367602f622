/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H
/*
 * struct arena: bump allocation, freed as a whole; pointers stay put. struct intern: strings made
 * unique, so that equal strings are equal pointers; they live as long as the table.
 */
#include "util/base/types.h"

struct arena_block;
struct arena {
	struct arena_block *head;
	size_t used_bytes;	/* handed out in total */
};

void *arena_alloc(struct arena *a, size_t size);	/* 16-byte aligned, zeroed */
void *arena_dup(struct arena *a, const void *p, size_t n);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
void arena_reset(struct arena *a);			/* empty; keeps one block for reuse */
void arena_release(struct arena *a);

struct intern;
struct intern *intern_new(void);
void intern_free(struct intern *t);
/* Any thread. The result lives as long as the table. */
const char *intern_str(struct intern *t, const char *s);
const char *intern_strn(struct intern *t, const char *s, size_t n);

#endif
