/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_TYPES_H
#define BASE_TYPES_H
/*
 * Fixed-width integer names, and the few macros that every room uses.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
/* The names are numbered so that one may stand inside the other without a shadow. */
#define MIN(a, b) TYPES_PICK_(a, b, <, __COUNTER__)
#define MAX(a, b) TYPES_PICK_(a, b, >, __COUNTER__)
#define TYPES_PICK_(a, b, op, nr) TYPES_PICK2_(a, b, op, nr)
#define TYPES_PICK2_(a, b, op, nr) \
	({ __typeof__(a) pick_a##nr = (a); __typeof__(b) pick_b##nr = (b); \
	   pick_a##nr op pick_b##nr ? pick_a##nr : pick_b##nr; })
#define ALIGN_UP(x, a) (((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define UNUSED __attribute__((unused))
#define NSEC_PER_SEC 1000000000ULL

#endif
