// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/base/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#ifdef PERF_STATIC
bool library_load(const char *soname, const struct library_function *functions, size_t n,
		  void *table, char *why, size_t size)
{
	for (size_t i = 0; i < n; i++) {
		if (!functions[i].linked) {
			snprintf(why, size, "a static perf loads no libraries (%s)", soname);
			return false;
		}
		memcpy((char *)table + functions[i].offset, &functions[i].linked,
		       sizeof(functions[i].linked));
	}
	return true;
}
#else
static bool find_function(void *lib, const struct library_function *f, void *table)
{
	void *address = dlsym(lib, f->name);

	memcpy((char *)table + f->offset, &address, sizeof(address));
	return address;
}

bool library_load(const char *soname, const struct library_function *functions, size_t n,
		  void *table, char *why, size_t size)
{
	void *lib = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
	bool ok = lib;

	for (size_t i = 0; ok && i < n; i++)
		ok = find_function(lib, &functions[i], table);
	if (!ok) {
		const char *text = dlerror();

		snprintf(why, size, "%s", text ? text : soname);
		if (lib)
			dlclose(lib);
	}
	return ok;
}
#endif
