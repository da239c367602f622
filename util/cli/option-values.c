// SPDX-License-Identifier: GPL-2.0-or-later
// The fields that options store in: set, cleared, kept for --no-x. For the command line
// (options.c) and the configuration (defaults.c).
#include "util/base/num.h"
#include "util/cli/options-priv.h"

static int choice_index(const char *words, const char *arg)
{
	size_t len = strlen(arg);
	int i = 0, hit = -1, hits = 0;

	for (const char *w = words; *arg; i++) {
		size_t n = strcspn(w, "|");

		if (n == len && !strncmp(w, arg, len))
			return i;
		if (n > len && !strncmp(w, arg, len)) {
			hit = i;
			hits++;
		}
		if (!w[n])
			break;
		w += n + 1;
	}
	return hits == 1 ? hit : -1;
}

/* The bytes of a field that takes a value; 0: --no-x does not go back to a saved one. */
static size_t value_bytes(const struct option_def *d)
{
	switch (d->kind) {
	case OPT_KIND_INT: case OPT_KIND_CHOICE: return sizeof(int);
	case OPT_KIND_U64: case OPT_KIND_DURATION: case OPT_KIND_SIZE: return sizeof(u64);
	case OPT_KIND_DOUBLE: return sizeof(double);
	case OPT_KIND_STRING: return sizeof(const char *);
	}
	return 0;
}

void opt_save(const struct cli_cmd *cmd, opt_saved *out)
{
	for opt_each(t, d, cmd) {
		const size_t n = value_bytes(d);
		u64 *word = vec_add(out);

		*word = 0;
		if (n)
			memcpy(word, (char *)t->base + d->off, n);
	}
}

const u64 *opt_saved_of(const struct cli_cmd *cmd, const opt_saved *saved,
			const struct option_table *table,
			const struct option_def *def)
{
	size_t i = 0;

	for opt_each(t, d, cmd) {
		if (t == table && d == def)
			return &saved->v[i];
		i++;
	}
	return NULL;
}

void opt_set(const struct option_def *d, void *field)
{
	switch (d->kind) {
	case OPT_KIND_FLAG: *(bool *)field = true; break;
	case OPT_KIND_BIT: *(u64 *)field |= d->val; break;
	case OPT_KIND_COUNT: (*(int *)field)++; break;
	case OPT_KIND_SET: *(int *)field = (int)d->val; break;
	}
}

void opt_clear(const struct option_def *d, void *field, const u64 *dflt)
{
	switch (d->kind) {
	case OPT_KIND_FLAG: *(bool *)field = false; break;
	case OPT_KIND_BIT: *(u64 *)field &= ~d->val; break;
	case OPT_KIND_COUNT: case OPT_KIND_SET: *(int *)field = 0; break;
	case OPT_KIND_LIST: vec_clear((opt_list *)field); break;
	default: memcpy(field, dflt, value_bytes(d));
	}
}

const char *opt_store(const struct option_def *d, void *field, const char *arg)
{
	int index;

	switch (d->kind) {
	case OPT_KIND_INT:
		if (!parse_int(arg, field))
			return "expects a numerical value";
		return d->flags & OPT_UNSIGNED && *(int *)field < 0 ?
			"expects an unsigned numerical value" : NULL;
	case OPT_KIND_U64: return parse_u64(arg, field) ? NULL : "expects a numerical value";
	case OPT_KIND_DOUBLE: return parse_double(arg, field) ? NULL : "expects a numerical value";
	case OPT_KIND_DURATION: return parse_duration(arg, d->val, field) ? NULL :
		"expects a time such as 100ms or 2s";
	case OPT_KIND_SIZE: return parse_size(arg, field) ? NULL :
		"expects a size such as 64k or 16M";
	case OPT_KIND_STRING: *(const char **)field = arg; return NULL;
	case OPT_KIND_LIST: vec_push((opt_list *)field, arg); return NULL;
	case OPT_KIND_CHOICE:
		index = choice_index(d->arg, arg);
		if (index < 0)
			return "expects one of the words below";
		*(int *)field = index;
		return NULL;
	}
	return NULL;
}
