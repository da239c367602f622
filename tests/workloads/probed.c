// SPDX-License-Identifier: GPL-2.0-or-later
// Says what probes on its functions must show: a line for each call. probed [CALLS]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct inner {
	int a;
	unsigned bits : 5;
	unsigned more : 7;
	char name[12];
};

struct node {
	struct node *next;
	struct inner in;
	struct inner *pin;
	short arr[4];
	union { int ui; float uf; };
	unsigned char grid[2][3];
	char *str;
};

int global_count = 40;
static struct node first, second;
static struct inner apart = { .a = -7, .bits = 19, .more = 85, .name = "apart" };

__attribute__((noinline)) long leaf(int n, const char *s, struct node *np, unsigned char c)
{
	volatile long sum = n;

	sum += strlen(s) + c;
	sum += np->arr[n & 3];
	return sum;
}

static inline __attribute__((always_inline)) int twice(int x)
{
	global_count += x;
	return global_count * 2;
}

__attribute__((noinline)) int one(int x) { return twice(x) + 1; }
__attribute__((noinline)) int two(int x) { return twice(x + 1) + 2; }

int main(int argc, char **argv)
{
	int calls = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 3;
	char text[32];

	first.next = &second;
	first.pin = &apart;
	first.str = text;
	first.ui = 12345;
	second.in.a = 77;
	for (int i = 0; i < 4; i++)
		first.arr[i] = -100 - i;
	for (int i = 0; i < 6; i++)
		first.grid[i / 3][i % 3] = 10 + i;
	for (int i = 0; i < calls; i++) {
		snprintf(text, sizeof(text), "text%d", i);
		first.in.bits = i + 1;
		first.in.more = 100 - i;
		long r = leaf(i, text, &first, 200 + i);

		printf("leaf n=%d s_string=\"%s\" c=0x%x bits=%d more=%d arr=%d grid=0x%x ", i,
		       text, 200 + i, first.in.bits,
		       first.in.more, first.arr[2], first.grid[1][2]);
		printf("name=\"%s\" a=%d pa=%d ui=%d global_count=%d str=\"%s\" ret=%ld\n",
		       apart.name, second.in.a, apart.a, first.ui,
		       global_count, first.str, r);
	}
	printf("sum %d\n", one(1) + two(2));
	return 0;
}
