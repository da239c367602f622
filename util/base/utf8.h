/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H
/*
 * Recognising UTF-8 in untrusted bytes.
 */
#include "util/base/types.h"

/* Bytes of the well-formed character at p (1-4; of n > 0 bytes), 0 when it is none. No
 * surrogates, no overlong forms. */
size_t utf8_len(const void *p, size_t n);
/* Its code point; only for what utf8_len() accepted. */
u32 utf8_decode(const void *p, size_t len);
/* Whether a character beyond ASCII can be shown as it is: no C1 control, nor what turns the
 * writing direction or begins a line. */
bool utf8_is_shown(u32 c);

#endif
