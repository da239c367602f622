/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_DEMANGLE_PRIV_H
#define SYMBOLS_DEMANGLE_PRIV_H
#include "util/symbols/dso.h"

bool demangle_candidate(const char *s);		/* cheap: may be a mangled name */
char *demangle_name(const char *mangled);	/* NULL: not mangled; the caller frees */
/* Whether the plain text of a D name can be no longer than that: its back references may stand for any length. */
bool demangle_d_is_bounded(const char *mangled, u64 max_bytes);

#endif
