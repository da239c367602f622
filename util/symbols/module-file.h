/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYMBOLS_MODULE_FILE_H
#define SYMBOLS_MODULE_FILE_H
/*
 * What a recorder wants of a kernel module's file before anybody reports: the code that the module
 * runs only while it is loaded (.init.text and its like), as the kernel lays it out.
 */
#include "util/base/vec.h"
#include "util/symbols/dso.h"

/* off: from the beginning of the init code */
struct module_function { char *name; u64 off, bytes; };
struct module_init { u64 bytes; VEC(struct module_function) functions; };

/* Reads a .ko file, or a packed one. id of 0 bytes: any. -ESTALE: it is of another build-id;
 * -errno: there is none, or it is damaged. Any thread. */
int module_init_read(const char *path, const struct build_id *id, struct module_init *mi);
void module_init_release(struct module_init *mi);

#endif
