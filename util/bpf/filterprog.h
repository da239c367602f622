/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BPF_FILTERPROG_H
#define BPF_FILTERPROG_H
/*
 * The BPF program that decides which samples of an event are written (wire/filterrec.h). It is
 * loaded for this process alone, or, by who may not load any, taken from where root has pinned it
 * for everybody. One owner.
 *
 * While another BPF program runs on that CPU, or a map is written, the kernel runs none and drops
 * the sample; nobody counts those.
 */
#include "util/os/os.h"
#include "util/wire/filterrec.h"

#define FILTERPROG_DIR "perf_filter"	/* of os_bpffs_add() */

struct filterprog;

int filterprog_open(struct filterprog **out, const struct os *os, struct err *err);
/* Its filters go; events that have the program keep all samples from now on. NULL is fine. */
void filterprog_close(struct filterprog *p);
/* Filter number n of this process. 0 or -errno, as all below. */
int filterprog_set(struct filterprog *p, u32 n, const struct filterrec *f);
/* An opened event, which is not on yet, and its kernel id get that filter; -EEXIST: it has a BPF
 * program already. */
int filterprog_attach(struct filterprog *p, u32 n, u64 id, int fd);
u64 filterprog_dropped(const struct filterprog *p, u32 n);	/* so far */

/* For ordinary users: everything is at OS_BPFFS/FILTERPROG_DIR until it is unpinned. */
int filterprog_pin(const struct os *os, struct err *err);
int filterprog_unpin(struct err *err);	/* -ENOENT: it is not pinned */

#endif
