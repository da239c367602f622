// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/arena.h"

TEST(aligned_zeroed_and_apart)
{
	struct arena a = { 0 };
	u8 *p[3000];
	size_t total = 0;

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < ARRAY_SIZE(p); i++) {
			size_t n = i % 97 ? i % 300 : 40000;

			p[i] = arena_alloc(&a, n);
			CHECK_EQ((uintptr_t)p[i] % 16, 0);
			for (size_t k = 0; k < n; k++)
				CHECK_EQ(p[i][k], 0);
			memset(p[i], (int)(i % 251) + 1, n);
			total += n;
		}
		for (size_t i = 0; i < ARRAY_SIZE(p); i++) {
			size_t n = i % 97 ? i % 300 : 40000;

			for (size_t k = 0; k < n; k++)
				CHECK_EQ(p[i][k], i % 251 + 1);
		}
		CHECK_EQ(a.used_bytes, total);
		arena_reset(&a);
		CHECK_EQ(a.used_bytes, 0);
		total = 0;
	}
	arena_release(&a);
	arena_release(&a);
	CHECK(!a.head);
}

TEST(strings)
{
	struct arena a = { 0 };

	CHECK_STR(arena_strdup(&a, "hello"), "hello");
	CHECK_STR(arena_strndup(&a, "hello", 3), "hel");
	CHECK_STR(arena_strndup(&a, "hello", 30), "hello");
	CHECK_STR(arena_strdup(&a, ""), "");
	CHECK_EQ((uintptr_t)arena_alloc(&a, 1) % 16, 0);
	CHECK_MEM(arena_dup(&a, "a\0b", 3), "a\0b", 3);
	CHECK(arena_dup(&a, NULL, 0) != NULL);
	arena_release(&a);
}

TEST(reset_keeps_a_block)
{
	struct arena a = { 0 };

	arena_reset(&a);
	void *p = arena_alloc(&a, 100);

	arena_reset(&a);
	CHECK_EQ(arena_alloc(&a, 100), p);
	arena_release(&a);
}

TEST(intern_equal_is_same)
{
	struct intern *t = intern_new();
	char text[16] = "main";
	const char *p = intern_str(t, text);

	CHECK(p != text);
	CHECK_STR(p, "main");
	text[0] = 'p';
	CHECK_STR(p, "main");
	CHECK_EQ(intern_str(t, "main"), p);
	CHECK_EQ(intern_strn(t, "mainly", 4), p);
	CHECK(intern_str(t, "mai") != p);
	CHECK(intern_str(t, "mainx") != p);
	CHECK_STR(intern_str(t, ""), "");
	CHECK_EQ(intern_strn(t, "x", 0), intern_str(t, ""));
	intern_free(t);
	intern_free(NULL);
}

#define INTERN_NAMES 5000
#define INTERN_THREADS 4

struct intern_job {
	struct intern *t;
	unsigned first;
	const char *got[INTERN_NAMES];
};

static void *intern_all(void *arg)
{
	struct intern_job *j = arg;
	char name[32];

	for (unsigned i = 0; i < INTERN_NAMES; i++) {
		unsigned k = (i + j->first) % INTERN_NAMES;

		snprintf(name, sizeof(name), "function_%u", k);
		j->got[k] = intern_str(j->t, name);
	}
	return NULL;
}

TEST(intern_from_threads)
{
	struct intern_job *jobs = calloc(INTERN_THREADS, sizeof(*jobs));
	pthread_t threads[INTERN_THREADS];
	struct intern *t = intern_new();
	char name[32];

	for (unsigned i = 0; i < INTERN_THREADS; i++) {
		jobs[i].t = t;
		jobs[i].first = i * 1234;
		CHECK_EQ(pthread_create(&threads[i], NULL, intern_all, &jobs[i]), 0);
	}
	for (unsigned i = 0; i < INTERN_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (unsigned k = 0; k < INTERN_NAMES; k++) {
		snprintf(name, sizeof(name), "function_%u", k);
		CHECK_STR(jobs[0].got[k], name);
		for (unsigned i = 1; i < INTERN_THREADS; i++)
			CHECK_EQ(jobs[i].got[k], jobs[0].got[k]);
	}
	intern_free(t);
	free(jobs);
}
