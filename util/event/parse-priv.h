/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVENT_PARSE_PRIV_H
#define EVENT_PARSE_PRIV_H
/*
 * Inside of the event parser: parse.c knows the grammar, parse-terms.c what stands between slashes,
 * parse-name.c what names mean.
 */
#include "util/event/pmu-priv.h"

struct mods {
	bool u, k, h, g, host, idle, pinned, exclusive, weak, sample_read, bpf, precise_max, retire,
		as_typed;
	int precise;
	size_t n;		/* letters */
	char text[16];		/* those that show in the name, no 0 at the end */
};
/* What stood after an event, until its group is known. */
struct own_mods {
	struct mods mods;
	size_t name_len;	/* of the name without them */
	bool slash;		/* they follow the name without a colon */
};

struct parse {
	struct event_list *l;
	const char *text, *p;	/* p: the next character */
	struct os *os;
	struct pmu_db *db;
	struct err *err;
	size_t first;		/* the first event that this text has added */
	bool pointed;		/* the error shows where the text is wrong */
	bool definition;	/* of a sysfs event: names no other one, nor itself */
	bool vendor;		/* all names are the vendor's */
	VEC(struct own_mods) own;	/* from first on */
};

/* parse-fail.c. The text that is wrong after lead, and below character "at" of it what the message
 * follows. */
void parse_point(struct str *out, const char *lead, const char *text, const char *at);
/* "event syntax error" with the caret below character at; -EINVAL. */
int parse_fail(struct parse *p, const char *at, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* More lines below it. */
void parse_fail_more(struct parse *p, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Letters up to , } or a blank. */
int parse_mods(struct parse *p, struct mods *m);
/* ":mods" after the events from number "from" on; after_slash: the colon may be missing. */
int parse_event_mods(struct parse *p, size_t from, bool after_slash);
/* Of event number i, whose attr has them: what a group adds is added to these. */
void parse_keep_mods(struct parse *p, size_t i);
/* Those of the group that begins with number "from", stood at "at". */
int parse_group_mods(struct parse *p, size_t from, const struct mods *m, const char *at);

/* The events from number "from" on stood in one group: they become one group for each PMU that
 * they need. */
void group_events(struct event_list *l, size_t from);
/* Leaders before their members, each group by itself. */
void group_sort(struct event_list *l, size_t from);

/* A term's value and where it stands. */
struct term {
	char *name, *value;	/* value NULL: none */
	const char *at, *value_at;
};
typedef VEC(struct term) term_vec;
/* from after the first slash to after the last */
int parse_terms(struct parse *p, term_vec *out);
void terms_release(term_vec *t);
/* Applies them to the event; pmu may be NULL (generic events). */
int terms_apply(struct parse *p, const term_vec *t, const struct pmu *pmu, struct event *e);

/* False: cpu= names none of the CPUs of its PMU. */
bool terms_allow_pmu(const struct event *e);

/* parse-pfm.c. An event by its vendor's name. */
int parse_vendor(struct parse *p);
/* What stands at "at" was no event of the kernel: true if it is one of the vendor. Then events from
 * number "from" on and the error are replaced by it. */
bool parse_vendor_name(struct parse *p, const char *at, size_t from);

/* parse-sensor.c. By its name alone: 1 where there are events of it, 0 where there are none. */
int parse_sensor_name(struct parse *p, const char *at, const char *name);
/* hwmon_CHIP/name/ and drm_DRIVER/name/; p stands after the first slash. */
int parse_sensor(struct parse *p, const char *at, const char *pmu);

/* hw, sw, cache, raw: fills type and config. */
bool name_generic(const char *name, struct perf_event_attr *attr);
/* An event that this PMU counts, on its CPUs. */
struct event *parse_add_on_pmu(struct parse *p, const struct perf_event_attr *attr,
			       const struct pmu *pmu, char *take_name);
/* "did you mean" for a name that is none. */
void name_suggest(struct parse *p, const char *name);

#endif
