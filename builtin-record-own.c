// SPDX-License-Identifier: GPL-2.0-or-later
// Commands that record by perf record, and have flags of their own before its options, or events
// that not every kernel has.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-record.h"
#include "util/base/xalloc.h"
#include "util/cli/options.h"
#include "util/os/os.h"

static bool is_own(const struct option_def *d, const char *word)
{
	if (!strcmp(word, "-h") || str_has_prefix(word, "--list-opts"))
		return true;
	if (!str_has_prefix(word, "--"))
		return false;
	word += 2;
	word += str_has_prefix(word, "no-") ? 3 : 0;
	for (; d->kind != OPT_KIND_END; d++)
		if (d->name && !strcmp(d->name, word))
			return true;
	return false;
}

/* Without one the settings in the configuration count all the same. */
int record_own_flags(const struct cli_cmd *cmd, int argc, const char **argv, bool *help)
{
	const char **own;
	int n = 0, ret;

	while (n + 1 < argc && is_own(cmd->tables[0].defs, argv[n + 1]))
		n++;
	own = xcalloc((size_t)n + 2, sizeof(*own));
	memcpy(own, argv, ((size_t)n + 1) * sizeof(*own));
	ret = cli_parse(cmd, n + 1, own);
	free(own);
	*help = ret < 0 && n && (!strcmp(argv[n], "-h") || !strcmp(argv[n], "--list-opts"));
	return *help ? 0 : ret < 0 ? ret : n;
}

int record_find_events(struct os *os, const char *const *names, word_list *out,
		       struct err *err)
{
	if (os_tracefs(os, err))
		return -EIO;
	for (const char *const *p = names; *p; p++) {
		const size_t n = strcspn(*p, ":");
		char *system = xstrndup(*p, n);

		if (os_has_tracepoint(os, system, *p + n + 1))
			vec_push(out, xasprintf("%s/call-graph=no/", *p));
		free(system);
	}
	return 0;
}
