// SPDX-License-Identifier: GPL-2.0-or-later
// perf kallsyms: where names of the running kernel are.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "util/cli/common.h"
#include "util/cli/error.h"
#include "util/cli/options.h"
#include "util/record/synth.h"
#include "util/symbols/dso.h"
#include "util/symbols/kallsyms-search.h"

struct search {
	struct os os;
	struct symbols_opts opts;
	struct dso_store *store;
	module_list modules;
	bool modules_read;
};

static u64 module_start(struct search *s, const char *name)
{
	if (!s->modules_read) {
		s->modules_read = true;
		module_list_read(&s->os, &s->modules);
	}
	for (size_t i = 0; i < s->modules.n; i++)
		if (!strcmp(s->modules.v[i].name, name))
			return s->modules.v[i].start_va;
	return 0;
}

/* "NAME: MODULE FILE START-END (addresses in the file's symbol table)" */
static void print_place(void *ctx, const struct kallsym_place *p)
{
	struct search *s = ctx;
	const char *file = "[kernel.kallsyms]";
	char *label = xasprintf("[%s]", p->module ? p->module : "kernel");
	u64 base = 0;

	if (p->module) {
		file = dso_file(dso_get(s->store, &(struct dso_key){ .kind = DSO_MODULE,
								     .path = label }));
		base = module_start(s, p->module);
	}
	printf("%s: %s %s %#llx-%#llx (%#llx-%#llx)\n", p->name, label, file ? file : label,
	       (unsigned long long)p->start_va,
	       (unsigned long long)p->end_va, (unsigned long long)(p->start_va - base),
	       (unsigned long long)(p->end_va - base));
	free(label);
}

/* "a,b" and "a b" are two names; text owns them. */
static void split_names(char *text, const char ***names, size_t *n)
{
	VEC(const char *) v = { 0 };
	char *name;

	while ((name = strsep(&text, ", ")))
		if (*name)
			vec_push(&v, name);
	*names = v.v;
	*n = v.n;
}

static int search(struct search *s, char *text)
{
	struct err err = ERR_INIT;
	const char **names;
	size_t n;
	int ret = 0;
	u64 *found;

	split_names(text, &names, &n);
	found = xcalloc(n + 1, sizeof(*found));
	if (kallsyms_search(&s->os, &(struct kallsyms_names){ names, n, found }, print_place, s,
			    &err))
		ret = cli_error(&err);
	else
		for (size_t i = 0; i < n; i++)
			if (!found[i]) {
				printf("%s: not found\n", names[i]);
				ret = CLI_FAILED;
			}
	free(found);
	free(names);
	err_release(&err);
	return ret;
}

int cmd_kallsyms(int argc, const char **argv)
{
	static const char *const usage[] = { "[<options>] <symbol>[,<symbol>...]", NULL };
	struct cli_common common = { 0 };
	struct search s = { .opts = { .buildid_dir = "", .live = true } };
	const struct option_table tables[] = { cli_common_group(&common), { 0 } };
	const struct cli_cmd cmd = { .name = "kallsyms", .usage = usage, .tables = tables };
	struct str text = STR_INIT;
	int n = cli_parse(&cmd, argc, argv), ret;

	if (n < 0)
		return cli_status(n);
	for (int i = 0; i < n; i++)
		str_addf(&text, "%s ", argv[i]);
	if (!text.len)
		return cli_usage_error(&cmd, "which symbol?");
	os_init(&s.os);
	s.store = dso_store_new(&s.os, &s.opts);
	ret = search(&s, text.buf);
	module_list_release(&s.modules);
	dso_store_free(s.store);
	os_release(&s.os);
	str_release(&text);
	return ret;
}
