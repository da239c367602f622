/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_VEC_H
#define BASE_VEC_H
/*
 * A growable array, typed by macro:	struct { VEC_FIELDS(int); } or	VEC(int) name;
 * Zeroed memory is an empty vector. One owner. Elements move on growth: keep indexes, not pointers.
 */
#include "util/base/xalloc.h"

#define VEC(type) struct { type *v; size_t n, cap; }

void *vec_grow_(void *v, size_t *cap, size_t need, size_t elem_bytes);

#define vec_reserve(vec, need) \
	((void)((need) > (vec)->cap && \
		((vec)->v = vec_grow_((vec)->v, &(vec)->cap, (need), sizeof(*(vec)->v)))))
#define vec_push(vec, x) \
	do { vec_reserve(vec, (vec)->n + 1); (vec)->v[(vec)->n++] = (x); } while (0)
/* A zeroed new element at the end; yields its pointer. */
#define vec_add(vec) \
	({ vec_reserve(vec, (vec)->n + 1); \
	   memset(&(vec)->v[(vec)->n], 0, sizeof(*(vec)->v)); &(vec)->v[(vec)->n++]; })
#define vec_pop(vec) ((vec)->v[--(vec)->n])
#define vec_last(vec) (&(vec)->v[(vec)->n - 1])
#define vec_clear(vec) ((void)((vec)->n = 0))
#define vec_free(vec) \
	do { free((vec)->v); (vec)->v = NULL; (vec)->n = (vec)->cap = 0; } while (0)
#define vec_each(it, vec) (__typeof__(&*(vec)->v) it = (vec)->v; it < (vec)->v + (vec)->n; it++)

#include <stdlib.h>
#include <string.h>

#endif
