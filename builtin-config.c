// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/infile.h"
#include "util/base/outfile.h"
#include "util/cli/config.h"
#include "util/cli/error.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"

struct config_opts {
	bool list, system, user, unset, check;
};

static int list_items(const struct config *c)
{
	struct str s = STR_INIT;

	for (size_t i = 0; i < c->items.n; i++) {
		const struct config_item *it = &c->items.v[i];

		/* a later setting of the same name is the one that counts */
		if (config_get(c, it->name) != it->value)
			continue;
		str_add_safe(&s, it->name);
		str_addch(&s, '=');
		str_add_safe(&s, it->value);
		str_addch(&s, '\n');
	}
	cli_pager_start();
	fputs(str_cstr(&s), stdout);
	str_release(&s);
	return 0;
}

static int show_item(const struct config *c, const char *name)
{
	const char *value = strchr(name, '.') ? config_get(c, name) : NULL;

	if (!strchr(name, '.'))
		return cli_errorf("the setting's name has no section: '%s' (it is SECTION.KEY)",
				  name);
	if (!value)
		return CLI_FAILED;
	printf("%s=%s\n", name, value);
	return 0;
}

/* value NULL: the setting is removed. */
static int change_item(bool system, const char *name, const char *value, struct err *err)
{
	const struct outfile_opts o = { .how = OUTFILE_WHOLE, .mode = 0666 };
	struct str path = STR_INIT, text = STR_INIT, out = STR_INIT;
	int ret = config_path(system, &path, err);

	if (ret >= 0 && access(str_cstr(&path), F_OK) == 0)
		ret = infile_read(str_cstr(&path), INFILE_TRUSTED, 1 << 20, &text, err);
	if (ret >= 0)
		ret = config_edit(str_cstr(&text), name, value, &out, err);
	if (ret >= 0)
		ret = outfile_write(str_cstr(&path), &o, str_cstr(&out), out.len, err);
	str_release(&path);
	str_release(&text);
	str_release(&out);
	return ret;
}

static int do_word(const struct config_opts *o, const struct config *c, const char *word)
{
	struct err err = ERR_INIT;
	const char *eq = strchr(word, '=');
	char *name;
	int status = 0;

	if (!eq && !o->unset)
		return show_item(c, word);
	if (eq && !eq[1])
		return cli_errorf("no value after '%s'", word);
	name = xstrndup(word, eq ? (size_t)(eq - word) : strlen(word));
	if (change_item(o->system, name, o->unset ? NULL : eq + 1, &err) < 0)
		status = cli_error(&err);
	free(name);
	err_release(&err);
	return status;
}

static void print_checked(const char *text, bool known)
{
	printf("%s: %s\n", known ? "note" : "unknown", text);
}

static int load(const struct config_opts *o, struct config *c, struct err *err)
{
	struct str path = STR_INIT;
	int ret;

	if (!o->system && !o->user)
		return config_load(c, err);
	ret = config_path(o->system, &path, err);
	if (ret >= 0 && access(str_cstr(&path), F_OK) == 0)
		ret = config_load_file(c, str_cstr(&path), err);
	str_release(&path);
	return ret;
}

static const struct option_def config_options[] = {
	OPT_FLAG('l', "list", struct config_opts, list, "list all settings (the default)"),
	OPT_FLAG(0, "system", struct config_opts, system, "read and write /etc/perfconfig only"),
	OPT_FLAG(0, "user", struct config_opts, user, "read and write ~/.perfconfig only"),
	OPT_FLAG(0, "check", struct config_opts, check,
		 "name settings that are unknown (then status 1) or have no effect"),
	OPT_FLAG(0, "unset", struct config_opts, unset, "remove the settings that are named"),
	OPT_END
};

int config_command(const struct perf_command *commands, int argc, const char **argv)
{
	static const char *const usage[] = { "[<file-option>] [options] [section.name[=value] ...]",
					     NULL };
	struct config_opts o = { false };
	const struct option_table tables[] = { { config_options, &o }, { NULL, NULL } };
	const struct cli_cmd cmd = { .name = "config", .usage = usage, .tables = tables };
	struct config c = { .items = { NULL, 0, 0 } };
	struct err err = ERR_INIT;
	int n = cli_parse(&cmd, argc, argv), status = 0;

	if (n < 0)
		return cli_status(n);
	if (o.system && o.user)
		return cli_usage_error(&cmd, "only one config file at a time");
	if (o.list && n)
		return cli_usage_error_opt(&cmd, "list", "--list takes no arguments");
	if (o.check && n)
		return cli_usage_error_opt(&cmd, "check", "--check takes no arguments");
	if (load(&o, &c, &err) < 0)
		status = cli_error(&err);
	else if (o.check)
		status = config_check(commands, &c, print_checked) ? CLI_FAILED : 0;
	else if (!n)
		status = list_items(&c);
	for (int i = 0; i < n && !status; i++)
		status = do_word(&o, &c, argv[i]);
	config_release(&c);
	err_release(&err);
	return status;
}
