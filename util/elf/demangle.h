/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ELF_DEMANGLE_H
#define ELF_DEMANGLE_H
/*
 * Names of functions as people write them. Any thread.
 */
#include "util/base/types.h"

/* Itanium C++, Rust (legacy, v0), D, OCaml; NULL when it is no mangled name; the caller frees. */
char *demangle(const char *mangled);
bool demangle_candidate(const char *s);		/* cheap: may be a mangled name */
char *demangle_name(const char *mangled);	/* NULL: not mangled; the caller frees */
/* Whether the plain text of a D name can be no longer than that: its back references may stand
 * for any length. */
bool demangle_d_is_bounded(const char *mangled, u64 max_bytes);

#endif
