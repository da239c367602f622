// SPDX-License-Identifier: GPL-2.0-or-later
// Settings for what lies below the commands: the build-id cache, debuginfod, the pager.
#include <stdlib.h>

#include "util/cli/config.h"
#include "util/cli/pager.h"

/* "~/x" is in the user's home; all else is as it stands there. */
static char *expand_home(const char *path)
{
	const char *home = getenv("HOME");

	return home && *home && str_has_prefix(path, "~/") ? xasprintf("%s%s", home, path + 1) :
		xstrdup(path);
}

static void apply_pager(const char *command)
{
	char *name = xasprintf("pager.%s", command);
	const char *value = config_get(config_used(), name);
	bool on;

	if (value && !config_bool(value, &on))
		cli_pager_choose(value);
	else if (value && !on)
		cli_pager_choose(NULL);
	free(name);
}

void config_apply(const char *command)
{
	const struct config *c = config_used();
	const char *dir = config_get(c, "buildid.dir"),
		*urls = config_get(c, "buildid-cache.debuginfod");

	if (dir && *dir) {
		char *path = expand_home(dir);

		/* of perf --buildid-dir and the user, it is there already */
		setenv("PERF_BUILDID_DIR", path, 0);
		free(path);
	}
	if (urls && *urls && strcmp(urls, "system"))
		/* distributions set one for everybody, the file is the user's */
		setenv("DEBUGINFOD_URLS", urls, 1);
	apply_pager(command);
}
