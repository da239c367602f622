// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/record/output.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/event/tracepoint.h"

void output_init(struct output *out, const struct record_output *o, int clockid,
		 const struct record_listener *listener, const struct os *os,
		 const struct event_list *list)
{
	*out = (struct output){ .o = o, .clockid = clockid, .listener = listener, .os = os,
				.list = list, .path = o->path ? o->path : "perf.data" };
	if (!o->no_buildid && !o->no_buildid_cache && strcmp(out->path, "-"))
		out->held = pinned_files_new(os);
}

void output_release(struct output *out)
{
	if (out->open)
		data_writer_release(&out->w);
	out->open = false;
	output_scan_release(&out->scan);
	pinned_files_free(out->held);
	for (size_t i = 0; i < out->done.n; i++)
		free(out->done.v[i]);
	vec_free(&out->done);
	str_release(&out->tracing);
}

void output_observe(struct output *out, void (*fn)(void *ctx, const struct perf_event_header *rec),
		    void *ctx)
{
	out->tap = (struct output_tap){ fn, ctx, NULL };
	out->scan.tap = out->tap;
}

static u64 clock_ns(int clockid)
{
	struct timespec ts = { 0, 0 };

	clock_gettime(clockid, &ts);
	return (u64)ts.tv_sec * NSEC_PER_SEC + (u64)ts.tv_nsec;
}

/* Pipe mode has no end at which features could be written: they go first. */
static int write_features(struct output *out, struct err *err)
{
	struct data_features f;
	int ret = 0;

	data_features_init(&f);
	output_features(out, &f);
	for (int i = 1; i < FEAT_KNOWN_NR && !ret; i++)
		if (data_has(&f, i) && i != FEAT_SAMPLE_TIME && i != FEAT_BUILD_ID &&
		    i != FEAT_TRACING_DATA)
			ret = data_write_feature(&out->w, &f, i, out->list, err);
	data_features_release(&f);
	return ret;
}

int output_open(struct output *out, struct err *err)
{
	struct data_writer_opts wo = { .keep_old = true, .by_default = !out->o->path,
				       .pipe = !strcmp(out->path, "-"),
				     .comp_level = out->o->comp_level, .async = true };
	int ret;

	output_scan_release(&out->scan);
	output_scan_init(&out->scan, out->list->events.n ? &out->list->events.v[0]->attr : NULL,
			 out->held);
	out->scan.tap = out->tap;
	out->raw_bytes = 0;
	out->opened_ns = os_now_ns();
	if (out->clockid != RECORD_NO_CLOCKID) {
		out->clock_tod_ns = clock_ns(CLOCK_REALTIME);
		out->clock_ns = clock_ns(out->clockid);
	}
	ret = data_writer_open(&out->w, out->path, &wo, err);
	if (ret)
		return ret;
	out->open = true;
	ret = data_writer_events(&out->w, out->list,
				 (struct span){ (const u8 *)out->tracing.buf, out->tracing.len },
				 err);
	if (!ret && wo.pipe)
		ret = write_features(out, err);
	return ret;
}

int output_write_seen(struct output *out, struct span a, struct span b, struct err *err)
{
	int ret;

	if (out->failed)
		return -EIO;
	ret = data_writev(&out->w, a, b, err);
	out->raw_bytes += a.len + b.len;
	out->failed = ret != 0;
	return ret;
}

int output_write(struct output *out, struct span a, struct span b, struct err *err)
{
	if (out->failed)
		return -EIO;
	if (!output_scan_spans(&out->scan, a, b)) {
		out->failed = true;
		return err_set(err, EINVAL, RECORD_BAD_RING);
	}
	return output_write_seen(out, a, b, err);
}

int output_round(struct output *out, struct err *err)
{
	int ret;

	if (out->failed)
		return -EIO;
	output_scan_compact(&out->scan, out->os);
	ret = data_write_round(&out->w, err);
	out->failed = ret != 0;
	return ret;
}

/* perf.data.2026112103070245: the local time to a hundredth of a second. */
static char *dated_name(const char *path, int later)
{
	struct timespec ts;
	struct tm tm;
	char date[32];

	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_nsec += (long)later * 10000000;
	ts.tv_sec += ts.tv_nsec / (long)NSEC_PER_SEC;
	ts.tv_nsec %= (long)NSEC_PER_SEC;
	localtime_r(&ts.tv_sec, &tm);
	strftime(date, sizeof(date), "%Y%m%d%H%M%S", &tm);
	return xasprintf("%s.%s%02d", path, date, (int)(ts.tv_nsec / 10000000));
}

static int give_final_name(struct output *out, const char **name, struct err *err)
{
	char *to = dated_name(out->path, 0);

	/* two in a hundredth of a second */
	for (int i = 1; access(to, F_OK) == 0 && i < 1000; i++) {
		free(to);
		to = dated_name(out->path, i);
	}
	if (rename(out->path, to)) {
		int ret = err_sys(err, errno, "cannot rename '%s' to '%s'", out->path, to);

		free(to);
		return ret;
	}
	vec_push(&out->done, to);
	*name = to;
	if (out->o->switch_max_files && out->done.n > (size_t)out->o->switch_max_files) {
		unlink(out->done.v[0]);
		free(out->done.v[0]);
		memmove(out->done.v, out->done.v + 1, (out->done.n - 1) * sizeof(*out->done.v));
		out->done.n--;
	}
	return 0;
}

int output_finish(struct output *out, const char **name, struct err *err)
{
	const struct record_output *o = out->o;
	const bool dated = o->timestamp_filename || o->switch_on_signal || o->switch_bytes ||
		o->switch_ns;
	struct data_features f;
	int ret;

	data_features_init(&f);
	output_features(out, &f);
	ret = data_writer_finish(&out->w, &f, out->list, out->failed ? NULL : err);
	data_features_release(&f);
	if (!ret && !o->no_buildid && !o->no_buildid_cache && !out->w.pipe)
		output_fill_cache(out);
	out->final_bytes = out->w.data_bytes;
	out->final_unpacked_bytes = out->w.raw_bytes;
	data_writer_release(&out->w);
	out->open = false;
	out->n_files++;
	*name = out->path;
	if (dated && strcmp(out->path, "-")) {
		int r = give_final_name(out, name, ret || out->failed ? NULL : err);

		ret = ret ? ret : r;
	}
	return ret;
}

void output_abort(struct output *out)
{
	if (!out->open)
		return;
	data_writer_abort(&out->w);
	data_writer_release(&out->w);
	out->open = false;
}
