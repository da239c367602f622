// SPDX-License-Identifier: GPL-2.0-or-later
// With -DPLUGIN a library with an allocator of its own, else a program that loads such a one and
// prints what is allocated there: FUNCTION LIVE PEAK ALLOCATED FREED TIMES.
// heaplate LIBRARY [MS]: used so many ms after it was loaded.
#ifdef PLUGIN
#include <stddef.h>

#ifdef HIDDEN
#define OWN __attribute__((visibility("hidden")))
#else
#define OWN
#endif

static char pool[1 << 20] __attribute__((aligned(16)));
static size_t used;
static void *volatile kept[100];

OWN void *malloc(size_t n)
{
	void *p = pool + used;

	used += (n + 31) & ~(size_t)15;
	return p;
}

OWN void free(void *p)
{
	kept[99] = p;
}

void plugin_keep(void);
void plugin_keep(void)
{
	for (int i = 0; i < 90; i++)
		kept[i] = malloc(500);
	for (int i = 0; i < 20; i++)
		free(kept[i]);
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	/* its own functions first */
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : NULL;
	void (*keep)(void);

	if (!library)
		return 1;
	keep = (void (*)(void))dlsym(library, "plugin_keep");
	if (!keep)
		return 1;
	if (argc > 2)
		usleep(1000 * (unsigned)strtol(argv[2], NULL, 10));
	keep();
	printf("plugin_keep 35000 45000 45000 10000 90\n");
	return 0;
}
#endif
