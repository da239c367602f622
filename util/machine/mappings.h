/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MACHINE_MAPPINGS_H
#define MACHINE_MAPPINGS_H
/*
 * All that is mapped in an address space, for who lists it.
 */
#include "util/base/vec.h"
#include "util/machine/machine.h"

typedef VEC(const struct mapping *) mappings;

/* As the space is at the end of the recording, by address; what a fork shares with its parent, too.
 * Borrowed from the machine; the caller frees the list. */
void space_mappings(const struct space *s, mappings *out);

#endif
