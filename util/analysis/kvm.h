/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ANALYSIS_KVM_H
#define ANALYSIS_KVM_H
/*
 * Why virtual CPUs left their guests, and how long until they entered them again: from kvm:kvm_exit
 * to kvm:kvm_entry of the same thread, and what of it was access to devices (kvm:kvm_mmio,
 * kvm:kvm_pio). One owner, one thread.
 */
#include "util/base/err.h"
#include "util/base/num.h"
#include "util/base/table.h"
#include "util/stream/sink.h"

enum kvm_kind { KVM_VMEXIT, KVM_MMIO, KVM_IOPORT, KVM_N_KINDS };
enum kvm_key { KVM_BY_SAMPLES, KVM_BY_TIME };

struct kvm_opts {
	enum kvm_kind kind;
	enum kvm_key key;
	int vcpu;			/* only this one; -1: all */
	/* only of these processes; NULL: of all; sorted, borrowed */
	const int_vec *pids;
	bool amd;			/* the machine's, where events do not tell */
	/* events of at least so long are kept apart, without those in which the virtual CPU had
	 * nothing to do; 0: none */
	u64 long_ns;
};

struct kvm_totals { u64 n, ns, n_bad; };	/* n_bad: events without the needed fields */

/* "EPT_VIOLATION"; NULL: no such code has a name. */
const char *kvm_vmx_exit(u64 code);
const char *kvm_svm_exit(u64 code);
const char *kvm_arm64_exit(u64 code);
const char *kvm_arm64_trap(u64 ec);

struct kvm;
struct kvm *kvm_new(const struct kvm_opts *opts, const struct event_list *events, bool swap);
void kvm_free(struct kvm *k);			/* NULL is fine */
struct sink *kvm_sink(struct kvm *k);		/* borrowed */
const struct kvm_totals *kvm_totals(const struct kvm *k);
/* A row a reason: name, samples, total_ns, min_ns, max_ns, mean_ns, stddev_percent. */
void kvm_table(struct kvm *k, struct table *out);
/* Of opts.long_ns, a row an event since the start or the restart, up to KVM_MOST_LONG: time_ns
 * (when it ended), pid, vcpu, name, ns. How many more there were. */
#define KVM_MOST_LONG 100
u64 kvm_long_table(const struct kvm *k, struct table *out);
/* Counts from nothing; which virtual CPUs are out of their guests stays known. Tables of before are
 * no longer valid. */
void kvm_restart(struct kvm *k);
/* -ENOENT: the recording has no events of that kind. */
int kvm_need_events(const struct event_list *events, const char *path, struct err *err);

#endif
