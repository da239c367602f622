/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_KVM_H
#define BUILTIN_KVM_H
/*
 * The parts of perf kvm: builtin-kvm-stat.c has "perf kvm stat record" and report,
 * builtin-kvm-live.c live, builtin-kvm-options.c what report and live have in common, builtin-kvm.c
 * the rest.
 */
#include "util/analysis/kvm.h"
#include "util/base/words.h"
#include "util/cli/common.h"
#include "util/cli/groups.h"
#include "util/cli/options.h"
#include "util/stream/guests.h"

struct kvm_cmd {			/* what stands before the sub-command's name */
	struct cli_common common;
	const char *input, *output;	/* NULL: kvm_file() */
	bool host, no_guest;
	struct stream_guests guests;	/* of report */
};

/* The recording's usual name. */
static inline const char *kvm_file(const struct kvm_cmd *c)
{
	return !c->host ? "perf.data.guest" : c->no_guest ? "perf.data.host" : "perf.data.kvm";
}

struct kvm_stat_opts {
	struct kvm_cmd kvm;
	const char *event, *key, *pids;
	bool force, stdio;
	struct kvm_opts model;
	struct table_output data;
	int_vec pid_list;		/* the caller releases it */
};
/* The tracepoints that this kernel has, and NULL at the end; < 0: there are none. */
int kvm_stat_events(word_list *out, struct err *err);
/* What event, key and pids say, into model. */
int kvm_stat_parse(struct kvm_stat_opts *o, struct err *err);
bool kvm_is_amd(const char *cpuid);		/* NULL is fine */
void kvm_stat_add(const struct kvm_stat_opts *o, struct kvm *k, struct str *out);

int kvm_stat_live(int argc, const char **argv, void *ctx);	/* as cli_run_sub() starts them */
int kvm_stat(int argc, const char **argv, void *ctx);

#endif
