// SPDX-License-Identifier: GPL-2.0-or-later
// perf stat --iostat: what PCIe devices and CPUs read and write, by root port.
#include <stdlib.h>
#include <string.h>

#include "builtin-stat.h"
#include "util/analysis/stat/iostat.h"
#include "util/cli/error.h"
#include "util/view/iostat-text.h"

static int set_iostat(const struct opt_use *u, struct err *err UNUSED)
{
	struct stat_cmd *c = u->base;
	struct stat_iostat *s = &c->iostat;

	s->on = !u->unset;
	s->list = u->arg && !strcmp(u->arg, "list");
	s->wanted = s->list ? NULL : u->arg;
	return 0;
}

const struct option_def stat_iostat_options[] = {
	OPT_CALL_OPTARG_NO(0, "iostat", "ports|list", NULL, set_iostat,
			   "print the MB that went through PCIe root ports (these: "
			   "0000:17,0000:3a; list: which there are)"),
	OPT_END
};

int stat_iostat_list(struct stat_cmd *c)
{
	struct err err = ERR_INIT;
	int status = 0;

	if (iio_ports(&c->os, c->db, &c->iostat.ports, &err)) {
		status = cli_error(&err);
		err_release(&err);
		return status;
	}
	for vec_each(p, &c->iostat.ports)
		printf("S%d-%s<%s>\n", p->die, p->pmu, p->name);
	return 0;
}

int stat_iostat_prepare(struct stat_cmd *c, struct err *err)
{
	iio_port_vec *ports = &c->iostat.ports;
	char *missing = NULL;
	int ret = iio_ports(&c->os, c->db, ports, err);

	if (!ret && c->iostat.wanted)
		ret = iio_ports_choose(ports, c->iostat.wanted, &missing, err);
	if (missing)
		cli_warn("there is no root port %s; 'perf iostat list' shows those that there are",
			 missing);
	free(missing);
	if (!ret && c->events.list.events.n) {
		cli_warn("--iostat has events of its own: those of -e are not counted");
		event_list_truncate(&c->events.list, 0);
	}
	for (size_t i = 0; !ret && i < ports->n; i++)
		ret = iio_port_add_events(&ports->v[i], &c->events.list, &c->os, c->db, err);
	/* PMUs of one kind are not added up: each has ports of its own */
	c->count.stat.no_merge = true;
	return ret;
}

void stat_iostat_add(struct stat_cmd *c, const struct stat_row *rows, size_t n, s64 time_ns,
		     struct str *out)
{
	struct stat_output *o = &c->output;
	iostat_rows of = { 0 };

	iostat_from_stat(rows, n, &c->iostat.ports, &of);
	if (o->iostat_head_due)
		view_iostat_head(&o->data, time_ns >= 0, out);
	o->iostat_head_due = false;
	view_iostat_rows(&o->data, &of, time_ns, out);
	vec_free(&of);
}
