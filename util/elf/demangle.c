// SPDX-License-Identifier: GPL-2.0-or-later
// Which names are mangled, by their prefixes; the work is libiberty's, but for OCaml's names.
#include <stdlib.h>
#include <string.h>

#include "util/base/str.h"
#include "util/base/xalloc.h"
#include "util/elf/demangle.h"

/* OCaml's: "camlModule__Sub__name_123". C functions of its runtime go on with a small letter or
 * "_". */
static bool is_ocaml(const char *s)
{
	return !strncmp(s, "caml", 4) && s[4] >= 'A' && s[4] <= 'Z';
}

bool demangle_candidate(const char *s)
{
	if (s[0] == 'c')
		return is_ocaml(s);
	if (s[0] == '_' && s[1] == 'G')
		return !strncmp(s, "_GLOBAL_", 8) && s[8] && (s[9] == 'I' || s[9] == 'D') &&
			s[10] == '_';	/* of whole files */
	while (*s == '_' && s[1] == '_')
		s++;		/* Mach-O and some linkers add underscores */
	return s[0] == '_' && (s[1] == 'Z' || s[1] == 'R' || s[1] == 'D');
}

/* Legacy Rust is Itanium's nesting with a hash as its last part: "...17h" and 16 hex digits "E".
 * NULL, or the end of that. */
static const char *legacy_rust_end(const char *s)
{
	for (const char *h = strstr(s, "17h"); h; h = strstr(h + 1, "17h"))
		if (strspn(h + 3, "0123456789abcdef") == 16 && h[19] == 'E' &&
		    (!h[20] || h[20] == '.' || h[20] == '@'))
			return h + 20;
	return NULL;
}

/* Where what is mangled ends, when libiberty would not understand what follows, or would drop
 * it: "@plt", "@@V1", and after Rust names ".cold" and the like. The clone marks of C++ names are
 * its own matter. */
static const char *mangled_end(const char *mangled)
{
	const char *end = mangled[1] == 'R' ? mangled + strcspn(mangled, ".@") :
		legacy_rust_end(mangled);

	return end ? end : mangled + strcspn(mangled, "@");
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "__" stands between modules; "$2b" is the character of that code: "Stdlib.+_69" */
static char *demangle_ocaml(const char *s)
{
	struct str out = STR_INIT;

	for (s += 4; *s; s++) {
		const int high = *s == '$' ? hex_digit(s[1]) : -1, low = high < 0 ? -1 :
			hex_digit(s[2]);

		if (s[0] == '_' && s[1] == '_' && s[2] && s[2] != '_') {
			str_addch(&out, '.');
			s++;
		} else if (low >= 0 && high * 16 + low > ' ') {
			str_addch(&out, (char)(high * 16 + low));
			s += 2;
		} else {
			str_addch(&out, *s);
		}
	}
	return str_detach(&out);
}

/* ".llvm.1234" alone says nothing to people. */
static bool is_worth_showing(const char *mark)
{
	return strncmp(mark, ".llvm.", 6) || mark[6 + strspn(mark + 6, "0123456789")];
}

char *demangle(const char *mangled)
{
	const char *mark;
	char *bare, *plain, *both;

	if (!demangle_candidate(mangled))
		return NULL;
	if (is_ocaml(mangled))
		return demangle_ocaml(mangled);
	mark = mangled_end(mangled);
	if (!*mark)
		return demangle_name(mangled);
	bare = xstrndup(mangled, mark - mangled);
	plain = demangle_name(bare);
	free(bare);
	if (!plain || !is_worth_showing(mark))
		return plain;
	both = xasprintf("%s%s", plain, mark);
	free(plain);
	return both;
}
