// SPDX-License-Identifier: GPL-2.0-or-later
// Demangling by libiberty: Itanium C++, Rust (legacy and v0), D.
#include <stdlib.h>
#include <string.h>

#include "util/symbols/demangle-priv.h"

/* libiberty/demangle.h cannot be included: its libiberty.h has macros and functions named like those of our base. */
extern char *cplus_demangle_v3(const char *mangled, int options);
extern char *rust_demangle(const char *mangled, int options);
extern char *dlang_demangle(const char *mangled, int options);
#define DMGL_NO_OPTS 0
#define DMGL_PARAMS 1
#define DMGL_ANSI 2

/* libiberty's own time grows with the square of pathological names. */
#define MAX_MANGLED_BYTES 32768

/* Legacy Rust is Itanium's nesting with a hash as its last part: "...17h" and 16 hex digits "E". */
static bool is_legacy_rust(const char *s)
{
	size_t n = strlen(s);
	const char *dot = strstr(s, "E.");	/* ".llvm.123" and the like behind */

	if (dot)
		n = dot + 1 - s;
	return n > 20 && s[n - 1] == 'E' && !strncmp(s + n - 20, "17h", 3);
}

char *demangle_name(const char *mangled)
{
	char *out = NULL;

	if (strlen(mangled) > MAX_MANGLED_BYTES)
		return NULL;
	if (mangled[0] == '_' && mangled[1] == 'R')
		out = rust_demangle(mangled, DMGL_NO_OPTS);
	else if (mangled[0] == '_' && mangled[1] == 'D')
		out = dlang_demangle(mangled, DMGL_NO_OPTS);
	else if (is_legacy_rust(mangled))
		out = rust_demangle(mangled, DMGL_NO_OPTS);
	if (!out && mangled[1] != 'D')
		out = cplus_demangle_v3(mangled, DMGL_PARAMS | DMGL_ANSI);
	if (out && !out[0]) {
		free(out);
		out = NULL;
	}
	return out;
}
