// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/script/python-api.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/library.h"

enum { OLDEST = 8, NEWEST = 30 };	/* of Python 3 */

#define FUNCTION(type, name, args) { #name, offsetof(struct py, name), NULL },
static const struct library_function functions[] = {
	PY_FUNCTIONS(FUNCTION)
	{ "PyExc_SystemExit", offsetof(struct py, PyExc_SystemExit), NULL },
	{ "PyExc_KeyboardInterrupt", offsetof(struct py, PyExc_KeyboardInterrupt), NULL },
	{ "_Py_NoneStruct", offsetof(struct py, _Py_NoneStruct), NULL },
};

static struct { bool loaded; struct py py; } the;

const struct py *python_api(void)
{
	return &the.py;
}

/* Extension modules have the functions of libpython from the program that loaded them, not from a
 * library that they name. */
static bool load(const char *soname, char *why, size_t size)
{
	if (!dlopen(soname, RTLD_NOW | RTLD_GLOBAL)) {
		snprintf(why, size, "%s", dlerror());
		return false;
	}
	return library_load(soname, functions, ARRAY_SIZE(functions), &the.py, why, size);
}

static bool load_minor(int minor, char *why, size_t size)
{
	char soname[40];

	snprintf(soname, sizeof(soname), "libpython3.%d.so.1.0", minor);
	return load(soname, why, size);
}

/* The Python that programs of this system are run by, whose packages are where it looks for them;
 * 0: unknown. */
static int system_minor(void)
{
	char target[64];
	ssize_t n = readlink("/usr/bin/python3", target, sizeof(target) - 1);
	const char *name;

	if (n <= 0)
		return 0;
	target[n] = '\0';
	name = strrchr(target, '/');
	name = name ? name + 1 : target;
	return strncmp(name, "python3.", 8) ? 0 : (int)strtol(name + 8, NULL, 10);
}

/* Which one the user asked for, in the configuration. */
static int load_named(const char *library, struct err *err)
{
	char why[256] = "";

	the.loaded = load(library, why, sizeof(why));
	if (the.loaded)
		return 0;
	err_set(err, ENOTSUP, "scripts in Python cannot be run: '%s' cannot be loaded: %s", library,
		why);
	err_hint(err, "script.libpython in the configuration names it: Python 3.%d or newer is "
		      "needed", OLDEST);
	return -ENOTSUP;
}

int python_load_here(struct err *err)
{
	char why[256] = "";

	if (!the.loaded)
		the.loaded = library_load(NULL, functions, ARRAY_SIZE(functions), &the.py, why,
					  sizeof(why));
	return the.loaded ? 0 : err_set(err, ENOTSUP, "this Python cannot have the module perf: "
					"%s", why);
}

int python_load(const char *library, struct err *err)
{
	int minor = system_minor();
	char why[256] = "", first[256] = "";

	if (the.loaded)
		return 0;
	if (library)
		return load_named(library, err);
	if (minor >= OLDEST)
		the.loaded = load_minor(minor, first, sizeof(first));
	for (int i = NEWEST; i >= OLDEST && !the.loaded; i--)
		the.loaded = i != minor && load_minor(i, why, sizeof(why));
	if (the.loaded)
		return 0;
	err_set(err, ENOTSUP, "scripts in Python cannot be run: libpython cannot be loaded: %s",
		*first ? first : why);
	err_hint(err, "install the package libpython3.%d (Python 3.%d or newer)",
		 minor >= OLDEST ? minor : 11, OLDEST);
	return -ENOTSUP;
}
