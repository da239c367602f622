// SPDX-License-Identifier: GPL-2.0-or-later
// Which names are mangled, by their prefixes; the work is libiberty's.
#include <stdlib.h>
#include <string.h>

#include "util/base/str.h"
#include "util/base/xalloc.h"
#include "util/symbols/demangle-priv.h"

bool demangle_candidate(const char *s)
{
	while (*s == '_' && s[1] == '_')
		s++;		/* Mach-O and some linkers add underscores */
	return s[0] == '_' && (s[1] == 'Z' || s[1] == 'R' || s[1] == 'D');
}

/* "_ZN3fooEv@plt" and "_Z3barv.cold", ".part.0": the clone marks of GCC are libiberty's matter, the marks of ours are not. */
char *demangle(const char *mangled)
{
	if (!demangle_candidate(mangled))
		return NULL;
	const char *at = strchr(mangled, '@');

	if (!at)
		return demangle_name(mangled);
	char *bare = xstrndup(mangled, at - mangled);
	char *plain = demangle_name(bare);

	free(bare);
	if (!plain)
		return NULL;
	char *both = xasprintf("%s%s", plain, at);

	free(plain);
	return both;
}
