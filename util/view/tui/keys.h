/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_TUI_KEYS_H
#define VIEW_TUI_KEYS_H
/*
 * Keys out of the bytes that terminals send: characters, the sequences of xterm, vt100, rxvt and
 * the Linux console (ECMA-48 CSI and SS3), and the mouse in its SGR form (xterm's 1006). Pure.
 */
#include "util/view/tui/screen.h"

/* Of the key at the front of the n bytes: how many it takes; code 0: one that nobody asked for.
 * 0: it has begun, and more bytes are due (an ESC alone is the key only if none come: whole). */
size_t keys_decode(const u8 *bytes, size_t n, bool whole, struct screen_key *out);

#endif
