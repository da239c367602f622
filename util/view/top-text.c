// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/top-text.h"

static double share(u64 part, u64 all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void add_modes(struct str *out, const struct top_counts *c)
{
	str_addf(out, "kernel:%4.1f%%  ", share(c->kernel, c->n));
	if (c->guest_kernel || c->guest_user)
		str_addf(out, "us:%4.1f%%  guest kernel:%4.1f%% guest us:%4.1f%% ",
			 share(c->user, c->n), share(c->guest_kernel, c->n),
			 share(c->guest_user, c->n));
	str_addf(out, "exact: %4.1f%% ", share(c->exact, c->n));
}

void top_title_text(struct str *out, const struct top_title *t, size_t columns)
{
	const double rate = t->seconds > 0 ? (double)t->counts.n / t->seconds : 0;

	str_addf(out, "   PerfTop:%8.0f irqs/sec  ", rate);
	add_modes(out, &t->counts);
	str_addf(out, "lost: %llu/%llu drop: 0/0 [", (unsigned long long)t->lost_now,
		 (unsigned long long)t->lost);
	if (t->freq_hz)
		str_addf(out, "%lluHz ", (unsigned long long)t->freq_hz);
	else if (t->period)
		str_addf(out, "%llu ", (unsigned long long)t->period);
	str_add_safe(out, t->event);
	str_add(out, "],  (");
	str_add_safe(out, t->target);
	str_addf(out, ")  throttled: %llu  own CPU: %.1f%%\n", (unsigned long long)t->throttled,
		 t->own_pct);
	str_addchn(out, '-', columns);
	str_add(out, "\n\n");
}

void top_rows_text(struct str *out, struct hist *h, const struct event *e,
		   const struct hist_view_opts *view, const struct text_opts *text)
{
	struct text_opts o = *text;
	struct table t = { 0 };

	o.no_titles = true;
	o.total = hist_total(h, e).period;
	hist_table(h, e, view, &t);
	text_table(out, &t, &o);
	table_release(&t);
}

void top_keys_text(struct str *out, const struct top_key *keys)
{
	str_add(out, "\nMapped keys:\n");
	for (const struct top_key *k = keys; k->key; k++) {
		if (k->key == 'q')
			str_addf(out, "\t[qQ]    %s\n", k->text);
		else
			str_addf(out, "\t[%c]     %s", k->key, k->text);
		if (k->value) {
			str_addchn(out, ' ', 35 - MIN(strlen(k->text), (size_t)34));
			str_add(out, "\t(");
			str_add_safe(out, k->value);
			str_add(out, ")");
		}
		if (k->key != 'q')
			str_add(out, "\n");
	}
	str_add(out, "\nEnter selection, or unmapped key to continue: ");
}
