// SPDX-License-Identifier: GPL-2.0-or-later
// A program with operators new and delete of its own, one pair of which calls malloc and free, the
// others do not: FUNCTION LIVE PEAK ALLOCATED FREED TIMES.
#include <cstdio>
#include <cstdlib>
#include <new>

static char pool[1 << 20] __attribute__((aligned(16)));
static size_t used;
static void *volatile kept[200];
struct big { char bytes[600]; };
struct arena { char bytes[4096]; };

/* Not what malloc has returned. */
void *operator new(size_t n) { return static_cast<char *>(malloc(n + 16)) + 16; }
void operator delete(void *p) noexcept { if (p) free(static_cast<char *>(p) - 16); }
void operator delete(void *p, size_t) noexcept { operator delete(p); }

void *operator new[](size_t n)
{
	void *p = pool + used;

	used += (n + 31) & ~static_cast<size_t>(15);
	return p;
}

void operator delete[](void *p) noexcept { kept[199] = p; }
void operator delete[](void *p, size_t) noexcept { kept[199] = p; }

/* A place within what there is already. */
void *operator new(size_t, arena &a) { return a.bytes; }

__attribute__((noinline)) void keep_new()
{
	for (int i = 0; i < 100; i++)
		kept[i] = new big;
}

__attribute__((noinline)) void churn_new()
{
	for (int i = 0; i < 50; i++) {
		big *volatile p = new big;

		delete p;
	}
}

__attribute__((noinline)) void churn_array()
{
	for (int i = 0; i < 30; i++) {
		char *volatile p = new char[700];

		delete[] p;
	}
}

__attribute__((noinline)) void churn_malloc()
{
	for (int i = 0; i < 20; i++) {
		void *volatile p = malloc(7);

		free(p);
	}
}

__attribute__((noinline)) void place_new()
{
	static arena a;

	kept[150] = new (a) big;
}

int main()
{
	keep_new();
	churn_new();
	churn_array();
	churn_malloc();
	place_new();
	printf("keep_new 60000 60000 60000 0 100\n");
	printf("churn_new 0 0 30000 30000 50\n");
	printf("churn_array 0 0 21000 21000 30\n");
	printf("churn_malloc 0 0 140 140 20\n");
	return 0;
}
