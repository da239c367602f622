/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SYSCALLS_BTF_H
#define SYSCALLS_BTF_H
/*
 * Structs of the kernel that have no printer of their own, written by the type information of the
 * running kernel (/sys/kernel/btf/vmlinux; the format is in Documentation/bpf/btf.rst of the
 * kernel). The bytes are not trusted. One owner.
 */
#include "util/syscalls/syscalls.h"

struct sys_btf;
/* Takes the text. NULL when it is no type information of this byte order. */
struct sys_btf *sys_btf_new(struct str *take);
void sys_btf_free(struct sys_btf *b);	/* NULL is fine */
/* "{ .a: 1, .b: { .c: 2 } }", as far as there are bytes. false, and nothing written: no such
 * struct or union. */
bool sys_btf_add(const struct sys_btf *b, const char *type, struct span bytes,
		 const struct syscall_style *style, struct str *out);
/* The name of an enumerator; NULL: there is none with this value, or no such enum. Borrowed. */
const char *sys_btf_enum(const struct sys_btf *b, const char *type, u64 value);

#endif
