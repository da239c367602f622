/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_PROGLOAD_H
#define BPF_PROGLOAD_H
/*
 * Loads the programs of a libbpf object that attach by the kernel's types (SEC("tp_btf/NAME")) in a
 * third of the time that libbpf takes alone: it is given only the types that the object reads
 * (kbtf.h), and the kernel verifies programs on two processors.
 *
 *	progload_new -> open the object with progload_btf_path() as its types -> progload_types
 *	-> bpf_object__load -> progload_run -> progload_attach
 *
 * bpf_object__load makes the maps and relocates the programs. It does not load them: they are taken
 * from it, and programs that do nothing are left in their place. The numbers of descriptors of maps
 * are in the instructions by then; which map such a number is may still be changed before
 * progload_run. One owner, and one at a time in a process: libbpf has one list of kinds of
 * sections.
 */
#include "util/os/os.h"

struct bpf_object;
struct progload;

/* What libbpf says goes to the log (-v bpf=2), also without the rest. */
void progload_log(void);
struct progload *progload_new(void);			/* NULL with errno; once in a process */
/* The same for an object whose programs libbpf loads: no more than its types. */
struct progload *progload_new_types(void);
void progload_free(struct progload *p);			/* closes the programs; NULL is fine */
const char *progload_btf_path(const struct progload *p);	/* borrowed until progload_free */
/* only: the kernel's structs that it reads, all of which exist; NULL: they are looked for among
 * all. */
int progload_types(struct progload *p, const struct bpf_object *obj, const char *const *only,
		   size_t n_only, const struct os *os,
		   struct err *err);
int progload_run(struct progload *p);			/* 0 or -errno */
/* A descriptor for the caller to close, which detaches; -ENOENT: there is no such program, or it
 * was not to be loaded. */
int progload_attach(const struct progload *p, const char *program);
/* Those of names that were to be loaded, in this order; links: of n descriptors, 0: none. 0 or
 * -errno. */
int progload_attach_all(const struct progload *p, const char *const *programs, int n, int *links);
void progload_detach_all(int *links, int n);		/* the last ones first */
/* How often the kernel left one of them out because it was running on that CPU. */
u64 progload_missed(const struct progload *p);
/* After loading has failed with -errno: err gets the reason that was found. False: there is none,
 * or it is a matter of rights, which the caller knows better. reason is released. */
bool progload_reason(int ret, struct err *reason, struct err *err);

#endif
