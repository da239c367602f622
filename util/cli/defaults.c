// SPDX-License-Identifier: GPL-2.0-or-later
// Options' defaults out of the configuration files: "[report] sort = comm" is perf report --sort
// comm.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "util/cli/config.h"
#include "util/cli/options-priv.h"

char *opt_setting_name(const char *name)
{
	char *copy = xstrdup(name);

	for (char *c = copy; *c; c++)
		*c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
	return copy;
}

/* Is that (of opt_setting_name()) the setting of this option of the command? */
static bool opt_is_setting(const struct cli_cmd *cmd, const struct option_def *d, const char *name)
{
	const size_t len = strcspn(cmd->name, " ");

	if (!d->name || d->flags & OPT_IN_FILE)
		return d->name && !strcmp(d->name, name);
	return !strncmp(name, cmd->name, len) && name[len] == '.' &&
		!strcmp(name + len + 1, d->name);
}

static const char *set_default(const struct option_table *t, const struct option_def *d,
			       const u64 *own, const char *value,
			       struct err *err)
{
	void *field = (char *)t->base + d->off;
	struct opt_use use = { d, t->base, field, d->arg ? value : NULL, false };
	bool on;

	if (!d->arg || (d->flags & OPT_OPTARG)) {
		if (config_bool(value, &on)) {
			use.arg = NULL;
			use.unset = !on;
		} else if (!d->arg) {
			return "neither true nor false";
		}
	}
	if (!use.arg && d->arg && !use.unset)
		use.arg = d->dflt;
	if (use.unset && d->kind == OPT_KIND_CALL && !opt_negatable(d))
		return "it cannot be switched off";
	if (d->kind == OPT_KIND_CALL)
		return d->call(&use, err) < 0 ? "not accepted" : NULL;
	if (use.unset)
		opt_clear(d, field, own);
	else if (!d->arg)
		opt_set(d, field);
	else if (use.arg)
		return opt_store(d, field, use.arg);
	return NULL;
}

static int apply_item(const struct cli_cmd *cmd, const opt_saved *saved,
		      const struct config_item *it, const char *name, bool in_file,
		      struct err *err)
{
	for opt_each(t, d, cmd) {
		struct err reason = ERR_INIT;
		const char *wrong;

		if (!(d->flags & OPT_IN_FILE) == in_file || !opt_is_setting(cmd, d, name))
			continue;
		wrong = set_default(t, d, opt_saved_of(cmd, saved, t, d), it->value, &reason);
		if (wrong)
			err_set(err, EINVAL, "bad value '%s' of '%s' at line %d of '%s': %s",
				it->value, it->name, it->line, it->file,
				reason.msg ? reason.msg : wrong);
		err_release(&reason);
		return wrong ? -EINVAL : 1;
	}
	return 0;
}

int opt_defaults(const struct cli_cmd *cmd, const opt_saved *saved, struct err *err)
{
	const struct config *config = config_used();
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < config->items.n; i++) {
		const struct config_item *it = &config->items.v[i];
		char *name = opt_setting_name(it->name);

		ret = apply_item(cmd, saved, it, name, true, err);
		if (!ret)
			ret = apply_item(cmd, saved, it, name, false, err);
		free(name);
	}
	return ret < 0 ? ret : 0;
}
