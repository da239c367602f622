// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/event/iio.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/event/pmu-priv.h"

#define PMU_NAME "uncore_iio"
#define BYTES_EACH 4
#define MB 1048576

void iio_ports_release(iio_port_vec *v)
{
	for vec_each(p, v)
		free(p->pmu);
	vec_free(v);
}

/* "0000:3a", in hexadecimal digits: the segment and the bus. */
static bool parse_port(const char *text, u32 *segment, u32 *bus)
{
	char *end;
	unsigned long s, b;

	if (!isxdigit((unsigned char)text[0]))
		return false;
	s = strtoul(text, &end, 16);
	if (*end != ':' || !isxdigit((unsigned char)end[1]))
		return false;
	b = strtoul(end + 1, &end, 16);
	if (*end || s > 0xffffffff || b > 0xff)
		return false;
	*segment = (u32)s;
	*bus = (u32)b;
	return true;
}

/* --- what the machine has --- */

static int by_place(const void *a, const void *b)
{
	const struct os_cpu *x = a, *y = b;

	return x->socket != y->socket ? (x->socket > y->socket) - (x->socket < y->socket) :
		x->die != y->die ? (x->die > y->die) - (x->die < y->die) : x->cpu - y->cpu;
}

/* Dies are numbered through the sockets. -1: the machine has fewer. */
static int die_of_cpu(const os_cpu_vec *topo, int cpu)
{
	int die = -1;

	for (size_t i = 0; i < topo->n; i++) {
		const struct os_cpu *c = &topo->v[i];

		if (!i || c->socket != c[-1].socket || c->die != c[-1].die)
			die++;
		if (c->cpu == cpu)
			return die;
	}
	return -1;
}

/* Of the CPUs that count for all dies that of one; where the topology is not known, in order. */
static int cpu_of_die(const struct pmu *pmu, const os_cpu_vec *topo, int die)
{
	for vec_each(cpu, &pmu->cpus)
		if (die_of_cpu(topo, *cpu) == die)
			return *cpu;
	return !topo->n && die >= 0 && (size_t)die < pmu->cpus.n ? pmu->cpus.v[die] : -1;
}

static int by_die(const void *a, const void *b)
{
	const struct iio_port *x = a, *y = b;

	return (x->die > y->die) - (x->die < y->die);
}

static void add_ports(struct os *os, const struct pmu *pmu, const os_cpu_vec *topo,
		      iio_port_vec *out)
{
	char *dir = xasprintf(PMU_DIR "/%s", pmu->name);
	const size_t from = out->n;
	os_names names = { 0 };

	os_list_dir(os, dir, &names, NULL);
	for vec_each(name, &names) {
		struct iio_port p = { .cpu = -1 };
		struct str s = STR_INIT;
		char *path = xasprintf("%s/%s", dir, *name);

		if (str_has_prefix(*name, "die") && parse_int(*name + 3, &p.die) && p.die >= 0 &&
		    !os_read_file(os, path, &s, NULL)) {
			s.buf[strcspn(s.buf, " \n")] = 0;
			if (parse_port(s.buf, &p.segment, &p.bus)) {
				snprintf(p.name, sizeof(p.name), "%04x:%02x", p.segment, p.bus);
				p.pmu = xstrdup(pmu->name);
				p.cpu = cpu_of_die(pmu, topo, p.die);
				vec_push(out, p);
			}
		}
		str_release(&s);
		free(path);
	}
	if (out->n > from)
		qsort(out->v + from, out->n - from, sizeof(*out->v), by_die);
	os_names_release(&names);
	free(dir);
}

int iio_ports(struct os *os, struct pmu_db *db, iio_port_vec *out, struct err *err)
{
	os_cpu_vec topo = { 0 };
	pmu_vec pmus = { 0 };

	os_topology(os, &topo, NULL);
	if (topo.n)
		qsort(topo.v, topo.n, sizeof(*topo.v), by_place);
	pmu_match(db, PMU_NAME, &pmus);
	for vec_each(p, &pmus)
		add_ports(os, *p, &topo, out);
	if (!out->n && pmus.n) {
		err_set(err, ENOTSUP, "the kernel does not say which PCIe root ports the PMUs "
			PMU_NAME "_* are of");
		err_hint(err, "newer kernels have files die* in " PMU_DIR "/%s",
			 pmus.v[0]->name);
	} else if (!out->n) {
		err_set(err, ENOTSUP, "this machine has no counters of PCIe root ports");
		err_hint(err, "Intel's servers have them, as " PMU_NAME "_* in " PMU_DIR "; 'perf "
			 "stat -a -I 1000 -e block:block_rq_issue,block:block_rq_complete' counts "
			 "the requests of disks each second");
	}
	vec_free(&pmus);
	vec_free(&topo);
	return out->n ? 0 : -ENOTSUP;
}

/* --- those that are wanted --- */

/* Moves it over; 1: it is there already, 0: there is none. */
static int take_port(iio_port_vec *from, iio_port_vec *to, u32 segment, u32 bus)
{
	for vec_each(p, to)
		if (p->segment == segment && p->bus == bus)
			return 1;
	for vec_each(p, from) {
		if (!p->pmu || p->segment != segment || p->bus != bus)
			continue;
		vec_push(to, *p);
		p->pmu = NULL;
		return 1;
	}
	return 0;
}

int iio_ports_choose(iio_port_vec *v, const char *list, char **missing, struct err *err)
{
	char *words = xstrdup(list), *save = NULL;
	iio_port_vec chosen = { 0 };
	struct str lacking = STR_INIT;
	int ret = 0;

	*missing = NULL;
	for (char *w = strtok_r(words, ",", &save); w && !ret; w = strtok_r(NULL, ",", &save)) {
		u32 segment, bus;

		if (!parse_port(w, &segment, &bus)) {
			ret = err_set(err, EINVAL, "'%s' is no root port", w);
			err_hint(err, "they are written as 0000:3a, the segment and the bus in "
				 "hexadecimal digits; 'perf iostat list' shows those that there "
				 "are");
		} else if (!take_port(v, &chosen, segment, bus)) {
			str_addf(&lacking, "%s%s", lacking.len ? ", " : "", w);
		}
	}
	if (!ret && !chosen.n) {
		ret = err_set(err, ENOENT, "there is no root port %s", lacking.len ?
			      str_cstr(&lacking) : "in an empty list");
		err_hint(err, "'perf iostat list' shows those that there are");
	}
	if (!ret && lacking.len)
		*missing = xstrdup(str_cstr(&lacking));
	iio_ports_release(v);
	*v = chosen;
	str_release(&lacking);
	free(words);
	return ret;
}

int iio_port_add_events(const struct iio_port *p, struct event_list *l, struct os *os,
			struct pmu_db *db, struct err *err)
{
	static const struct { u8 event, umask; } of[IIO_COUNTS] = {
		[IIO_IN_READ] = { 0x83, 0x4 }, [IIO_IN_WRITE] = { 0x83, 0x1 },
		[IIO_OUT_READ] = { 0xc0, 0x4 }, [IIO_OUT_WRITE] = { 0xc0, 0x1 },
	};
	const size_t from = l->events.n;
	struct str s = STR_INIT;
	int ret;

	/* all of the stack's ports (ch_mask), and all that these send (fc_mask) */
	for (size_t i = 0; i < IIO_COUNTS; i++) {
		str_addf(&s, "%s%s/event=0x%x,umask=0x%x,ch_mask=0xf,fc_mask=0x7", i ? "," : "{",
			 p->pmu, of[i].event, of[i].umask);
		if (p->cpu >= 0)
			str_addf(&s, ",cpu=%d", p->cpu);
		str_addch(&s, '/');
	}
	str_addch(&s, '}');
	ret = event_parse(l, str_cstr(&s), os, db, err);
	for (size_t i = from; !ret && i < l->events.n; i++) {
		struct event *e = l->events.v[i];

		e->scale = (double)BYTES_EACH / MB;
		free(e->unit);
		e->unit = xstrdup("MB");
	}
	str_release(&s);
	return ret;
}
