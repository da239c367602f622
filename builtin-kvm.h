/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_KVM_H
#define BUILTIN_KVM_H
/*
 * The parts of perf kvm: builtin-kvm-stat.c has what "perf kvm stat" does, builtin-kvm.c the rest.
 */
#include "util/cli/common.h"
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

int kvm_stat(int argc, const char **argv, void *ctx);	/* as cli_run_sub() starts it */

#endif
