// SPDX-License-Identifier: GPL-2.0-or-later
// Two libraries of one size, loaded and unloaded in turns, so that each has the place of the
// other; their functions have
// frames of other sizes. The program's work is called through them. Built with -DFRAME=n it is
// such a library.
// Arguments: rounds, loops of work in each, the two files. Prints in how many rounds the place
// was the last one's.
#include <stddef.h>

#ifdef FRAME
__attribute__((noinline)) void inner(void (*f)(long), long n);
void outer(void (*f)(long), long n);

void inner(void (*f)(long), long n)
{
	volatile char room[FRAME];

	room[0] = room[FRAME - 1] = 1;
	f(n);
	room[1] = 2;
}

void outer(void (*f)(long), long n)
{
	volatile char room[FRAME * 2];

	room[0] = 1;
	inner(f, n);
	room[1] = 2;
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned long sink;

static __attribute__((noinline)) void spin(long n)
{
	for (long i = 0; i < n; i++)
		sink += (unsigned long)i;
}

typedef void outer_fn(void (*)(long), long);

int main(int argc, char **argv)
{
	unsigned long last = 0;
	int same = 0;

	for (int i = 0; argc > 4 && i < strtol(argv[1], NULL, 10); i++) {
		void *lib = dlopen(argv[3 + i % 2], RTLD_NOW);
		outer_fn *outer = lib ? (outer_fn *)dlsym(lib, "outer") : NULL;

		if (!outer)
			return 1;
		same += (unsigned long)outer / 4096 == last;
		last = (unsigned long)outer / 4096;
		outer(spin, strtol(argv[2], NULL, 10));
		dlclose(lib);
	}
	printf("%d\n", same);
	return 0;
}
#endif
