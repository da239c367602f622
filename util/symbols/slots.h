/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_SLOTS_H
#define SYMBOLS_SLOTS_H
/*
 * Words of a file that the dynamic linker fills in (its global offset table): what they will say
 * of this file's own variables. One owner; frozen once it is made.
 */
#include "util/symbols/dso.h"

enum slot_kind {
	SLOT_ADDRESS,		/* value: an address of the file (rva) */
	/* value: an offset in the file's part of each thread's memory */
	SLOT_THREAD_ARGS,	/* what __tls_get_addr is called with, to get the address of that */
	SLOT_THREAD_DISTANCE,	/* how far that is from the thread's pointer */
	SLOT_THREAD_DESCRIPTOR,	/* of a function that gives the distance */
};
struct slot { u8 kind; u64 value; };

struct slots;
/* Of x86-64 and arm64. NULL: there are none. */
struct slots *dso_slots(struct dso *d);
void slots_free(struct slots *s);		/* NULL is fine */
const struct slot *slots_find(const struct slots *s, u64 rva);	/* NULL: none is there */

#endif
