/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef BUILTIN_DAEMON_H
#define BUILTIN_DAEMON_H
/*
 * What the files of perf daemon share: its options, and what its configuration says.
 */
#include "util/cli/common.h"
#include "util/cli/config.h"
#include "util/daemon/plan.h"

struct daemon_cmd {
	const char *config, *base, *base_of_files, *sep, *session;
	bool foreground;
	struct cli_common common;
};

/* The configuration that the daemon goes by. One owner. */
struct daemon_config {
	char *named;		/* --config, absolute; NULL: the usual files */
	VEC(char *) files;	/* those that are read when they are there, absolute, NULL-ended */
};

int daemon_config_init(struct daemon_config *c, const char *named, struct err *err);
/* The plan as the files have it now. ctx: the config. An error names file and line. */
int daemon_config_load(void *ctx, struct daemon_plan *plan, struct err *err);
/* --base, or daemon.base; the caller frees. */
int daemon_config_base(const struct daemon_config *c, const struct daemon_cmd *cmd, char **out,
		       struct err *err);
void daemon_config_release(struct daemon_config *c);

#endif
