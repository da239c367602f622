// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/disasm/capstone-lib.h"

#include <errno.h>
#include <pthread.h>

#include "util/base/library.h"
#include "util/disasm/disasm-priv.h"

#define TEXT(x) #x
#define SONAME(major) "libcapstone.so." TEXT(major)

#define FUNCTION(name) LIBRARY_ENTRY(cs_##name, offsetof(struct capstone, name))
static const struct library_function functions[] = {
	FUNCTION(open), FUNCTION(close), FUNCTION(option), FUNCTION(malloc), FUNCTION(free),
	FUNCTION(disasm_iter), FUNCTION(regs_access),
};

static struct { pthread_once_t once; bool loaded; struct capstone lib; char why[200]; } the = {
	.once = PTHREAD_ONCE_INIT,
};

static void load(void)
{
	the.loaded = library_load(SONAME(CS_API_MAJOR), functions, ARRAY_SIZE(functions), &the.lib,
				  the.why, sizeof(the.why));
}

const struct capstone *capstone_lib(void)
{
	pthread_once(&the.once, load);
	return the.loaded ? &the.lib : NULL;
}

int capstone_check(struct err *err)
{
	if (capstone_lib())
		return 0;
	err_set(err, ENOTSUP, "libcapstone cannot be loaded: %s", the.why);
	err_hint(err, "install the package libcapstone%d", CS_API_MAJOR);
	return -ENOTSUP;
}
