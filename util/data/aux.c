// SPDX-License-Identifier: GPL-2.0-or-later
// AUX data (traces that the CPU writes by itself) is counted, and a warning of the reader says
// that it is not decoded, unless somebody does that.
#include <stdio.h>

#include "util/data/data-priv.h"

static const char *aux_name(u32 kind)
{
	static const char *const names[] = { [1] = "Intel PT", [2] = "Intel BTS",
					     [3] = "CoreSight ETM", [4] = "ARM SPE",
					     [5] = "s390 CPU-MF", [6] = "HiSilicon PTT",
					     [7] = "POWER dispatch trace log" };

	return kind < ARRAY_SIZE(names) && names[kind] ? names[kind] : NULL;
}

static char *aux_text(const struct data_aux *a)
{
	const char *name = aux_name(a->kind);
	char unknown[40];

	snprintf(unknown, sizeof(unknown), a->reported ? "AUX (kind %u)" : "AUX", a->kind);
	if (!a->bytes)
		return xasprintf("%s data in samples is not decoded: samples and records are all "
				 "that is shown", name ? name : unknown);
	return xasprintf("%llu bytes of %s data are not decoded: samples and records are all that "
			 "is shown", (unsigned long long)a->bytes,
			 name ? name : unknown);
}

/* Upstream perf as Debian builds it has no OpenCSD. */
static const char *aux_hint(u32 kind)
{
	if (kind == 1 || kind == 4)
		return "perf script --itrace decodes it; perf script -D shows its packets";
	return kind == 2 ? "upstream perf decodes it: perf script --itrace" : NULL;
}

bool data_has_aux_samples(const struct data_reader *r)
{
	return event_list_samples(&r->events, PERF_SAMPLE_AUX);
}

static void settle_warning(struct data_reader *r, struct data_aux *a)
{
	struct data_warning *w;

	if (a->decoded || (!a->bytes && !data_has_aux_samples(r)))
		return;
	if (!a->warning) {
		vec_push(&r->warnings, ((struct data_warning){ NULL, NULL, false }));
		a->warning = r->warnings.n;
	}
	w = &r->warnings.v[a->warning - 1];
	free(w->text);
	free(w->hint);
	w->hint = xstrdup(aux_hint(a->kind));
	w->text = aux_text(a);
}

void data_note_aux(struct data_reader *r, u32 file, u64 off, u32 type, u64 what)
{
	struct data_aux *a = &r->priv->aux;
	const u64 key = (u64)file << 48 | off;

	pthread_mutex_lock(&r->priv->lock);
	if (!hmap_get(&a->seen, key)) {
		hmap_put(&a->seen, key, a);
		if (type == WIRE_AUXTRACE) {
			a->bytes += what;
		} else {
			a->kind = (u32)what;
			a->reported = true;
		}
		settle_warning(r, a);
	}
	pthread_mutex_unlock(&r->priv->lock);
}

u32 data_aux_kind(const struct data_reader *r)
{
	return r->priv->aux.kind;
}

void data_aux_is_decoded(struct data_reader *r)
{
	struct data_aux *a = &r->priv->aux;
	struct data_warning *w = a->warning ? &r->warnings.v[a->warning - 1] : NULL;

	a->decoded = true;
	if (!w)
		return;
	free(w->text);
	free(w->hint);
	memmove(w, w + 1, (r->warnings.n - a->warning) * sizeof(*w));
	r->warnings.n--;
	a->warning = 0;
}

void data_add_records(struct data_reader *r, int fd, u64 bytes)
{
	struct data_file f = { .path = xstrdup("what was decoded of the trace"), .fd = fd,
			       .to = bytes, .decoded = true };

	vec_push(&r->files, f);
	vec_clear(&r->priv->marks);
	r->priv->marks_done = false;
	event_list_index(&r->events);
}
