/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_KBTF_H
#define BPF_KBTF_H
/*
 * What a BPF object needs of the kernel's type information (/sys/kernel/btf/vmlinux; the format is
 * in Documentation/bpf/btf.rst of the kernel): the structs that it reads, as type information of
 * their own of some kilobytes, and the numbers of the types that its programs attach to. A library
 * that reads all 150,000 types to find these takes 40 ms, this takes 2. Any thread.
 */
#include "util/os/os.h"

struct kbtf_typedef {
	const char *name;
	u32 id;			/* filled in; 0: there is none */
};

struct kbtf_wants {
	/* structs and unions by name; one that does not exist is left out */
	const char *const *records;
	size_t n_records;
	struct kbtf_typedef *typedefs;
	size_t n_typedefs;
	/* the first one of each name is wanted, and all exist: nothing is read after them */
	bool first;
};

/* Appends to out the wanted structs and unions with all that lies inside of them; pointers in
 * them are pointers to void. The bytes are not trusted. false: they are no type information of this
 * byte order, or have kinds of types that are newer than this. */
bool kbtf_cut(struct span vmlinux, const struct kbtf_wants *w, struct str *out);
/* The same of the running kernel. */
int kbtf_cut_running(const struct os *os, const struct kbtf_wants *w, struct str *out,
		     struct err *err);

#endif
