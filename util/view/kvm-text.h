/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef VIEW_KVM_TEXT_H
#define VIEW_KVM_TEXT_H
/*
 * Exits of virtual CPUs as text, in the layout of upstream perf. Appends to a struct str; any
 * thread.
 */
#include "util/analysis/kvm.h"
#include "util/base/str.h"

/* pids: as they were given; NULL: all. */
void kvm_add_table(struct str *out, const struct table *t, const struct kvm_totals *totals,
		   const struct kvm_opts *opts, const char *pids);
/* Events that took long, as kvm_long_table() has them, and how many more there were. */
void kvm_add_long(struct str *out, const struct table *t, u64 n_more);

#endif
