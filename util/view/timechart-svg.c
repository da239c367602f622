// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/timechart-svg.h"

#include <math.h>
#include <stdlib.h>

#include "util/analysis/sched-select.h"
#include "util/base/num.h"
#include "util/base/xalloc.h"
#include "util/view/timechart-page.h"
#include "util/view/xml.h"

enum { LEFT = 170, TOP = 76, TRACK = 26, BAR = 18, RIGHT = 20 };
#define MAX_LINES 1000		/* wake-ups */

struct svg {
	const struct timechart *t;
	const struct timechart_view *v;
	struct sched_task *const *tasks;
	size_t n_tasks;
	struct str *out;
	u64 from_ns, to_ns;
	double px_per_ns;
	u64 quantum_ns;			/* cells in which short bars are summed */
	u64 long_ns;			/* --highlight DURATION, 0: none */
	u64 max_khz;
	bool has_idle, has_freq, has_io, has_sched;
	bool *named;			/* by task: its name is needed */
	bool *chained;			/* by number of the chain: its text is needed */
	int y, bar_y, bar_h;		/* track, and where in it the next bars go */
	bool on_cpu;			/* the track is a CPU's */
	/* by cell: px of the track that summed bars have taken already, from below */
	u8 *filled;
	size_t n_cells;
};

static void add_span_text(struct str *out, u64 ns)
{
	if (ns < 1000)
		str_addf(out, "%llu ns", (unsigned long long)ns);
	else if (ns < 1000000)
		str_addf(out, "%.1f us", (double)ns / 1e3);
	else if (ns < NSEC_PER_SEC)
		str_addf(out, "%.3f ms", (double)ns / 1e6);
	else
		str_addf(out, "%.3f s", (double)ns / 1e9);
}

/* cls is a class of the style, and the name of what is said of it; idle states have classes c0
 * to c4. */
static const struct { const char *cls, *does, *legend; } kinds[BAR_KINDS] = {
	[BAR_RUNNING] = { "r", "runs", "running" },
	[BAR_WAITING] = { "w", "waits for a CPU", "waiting for a CPU" },
	[BAR_BLOCKED] = { "b", "is blocked", "blocked (uninterruptible)" },
	[BAR_IOWAIT] = { "o", "is blocked by I/O", "blocked by I/O" },
	[BAR_READ] = { "k4", "reads", "read" },
	[BAR_WRITE] = { "k5", "writes", "write" },
	[BAR_SYNC] = { "k6", "syncs", "sync" },
	[BAR_RECV] = { "k7", "receives", "receive" },
	[BAR_SEND] = { "k8", "sends", "send" },
	[BAR_POLL] = { "k9", "polls", "poll" },
	[BAR_IDLE] = { "c", "sleeps in state", "idle state (darker: deeper)" },
	[BAR_FREQ] = { "f", "runs at", "frequency" },
};

static bool is_io(u8 kind)
{
	return kind >= BAR_IO_FIRST && kind <= BAR_IO_LAST;
}

static void add_class(struct svg *g, const struct bar *b)
{
	const char *name = b->task >= 0 ? g->tasks[b->task]->comm : "";

	if (b->kind == BAR_IDLE)
		str_addf(g->out, "c%llu", (unsigned long long)MIN(b->value, (u64)4));
	else if (b->kind != BAR_FREQ &&
		 (g->long_ns ? b->longest_ns >= g->long_ns : g->v->highlight &&
		  !strcmp(g->v->highlight, name)))
		str_add(g->out, "hi");
	else
		str_add(g->out, kinds[b->kind].cls);
	if (b->failed)
		str_add(g->out, " fail");
}

/* As high as its share of the time, above those of other kinds in the same cell. */
static int summed_height(struct svg *g, const struct bar *b, unsigned share, int *y)
{
	u64 cell = g->quantum_ns ? b->from_ns / g->quantum_ns - g->from_ns / g->quantum_ns : 0;
	int h = MAX(1, (g->bar_h * (int)MIN(share, 100u) + 50) / 100), below = cell < g->n_cells ?
		g->filled[cell] : 0;

	h = MIN(h, MAX(1, g->bar_h - below));
	*y += MAX(0, g->bar_h - below - h);
	if (cell < g->n_cells)
		g->filled[cell] = (u8)MIN(below + h, g->bar_h);
	return h;
}

static void add_bar(void *ctx, const struct bar *b)
{
	struct svg *g = ctx;
	u64 from = MAX(b->from_ns, g->from_ns), dt = MAX(b->to_ns, from) - from;
	unsigned share = dt ? (unsigned)(100 * b->busy_ns / dt) : 100;
	double w = (double)(is_io(b->kind) ? MAX(dt, g->v->io_min_ns) : dt) * g->px_per_ns;
	int y = g->y + g->bar_y, h = g->bar_h;

	if (b->kind == BAR_FREQ && g->max_khz) {
		h = MAX(1, (int)((u64)g->bar_h * b->value / g->max_khz));
		y += g->bar_h - h;
	} else if (b->summed && b->kind <= BAR_IOWAIT) {
		h = summed_height(g, b, share, &y);
	}
	str_add(g->out, "<rect class=\"");
	add_class(g, b);
	str_addf(g->out, "\" x=\"%.3f\" y=\"%d\" width=\"%.3f\" height=\"%d\"",
		 (double)(from - g->from_ns) * g->px_per_ns, y,
		 MAX(w, .2), h);
	if (b->summed && b->kind > BAR_IOWAIT)
		str_addf(g->out, " fill-opacity=\"%.2f\"", .25 + .75 * MIN(share, 100u) / 100.0);
	if (b->summed)
		str_addf(g->out, " data-u=\"%u\"", MIN(share, 100u));
	if (b->task >= 0) {
		g->named[b->task] = true;
		str_addf(g->out, " data-t=\"%d\"", b->task);
	}
	str_addf(g->out, " data-f=\"%llu\" data-d=\"%llu\" data-p=\"%d\"",
		 (unsigned long long)(from - g->from_ns),
		 (unsigned long long)dt, b->cpu);
	if (g->on_cpu && b->kind == BAR_RUNNING)
		str_add(g->out, " data-c=\"\"");
	if (b->chain) {
		g->chained[b->chain] = true;
		str_addf(g->out, " data-s=\"%u\"", b->chain);
	}
	if (is_io(b->kind) && b->value)
		str_addf(g->out, " data-b=\"%llu\"", (unsigned long long)b->value);
	else if (!is_io(b->kind) && b->kind >= BAR_IDLE)
		str_addf(g->out, " data-v=\"%llu\"", (unsigned long long)b->value);
	str_add(g->out, b->failed ? " data-e=\"1\"/>\n" : "/>\n");
}

/* Calls that are near each other become one. */
static size_t merge_near(const struct bar *v, size_t n_bars, u64 near_ns, struct bar **out)
{
	struct bar *m = xcalloc(n_bars + 1, sizeof(*m));
	size_t n = 0;

	for (size_t i = 0; i < n_bars; i++) {
		struct bar *last = n ? &m[n - 1] : NULL;

		if (!last || v[i].from_ns - last->to_ns > near_ns) {
			m[n++] = v[i];
			continue;
		}
		last->busy_ns += v[i].busy_ns;
		last->value += v[i].value;
		last->failed |= v[i].failed;
		last->to_ns = MAX(last->to_ns, v[i].to_ns);
		last->summed = true;
	}
	*out = m;
	return n;
}

/* The bars of a kind; not drawn when out is NULL. Returns how many. */
static size_t add_kind(struct svg *g, const struct timechart_row *l, u8 kind,
		       void (*out)(void *ctx, const struct bar *b))
{
	const struct bar *v = l->bars[kind].v;
	struct bar *merged = NULL;
	size_t n = l->bars[kind].n;

	if (is_io(kind) && g->v->io_merge_ns && n)
		n = merge_near(v, n, g->v->io_merge_ns, &merged);
	n = bars_thinned(merged ? merged : v, n, g->quantum_ns, out, g);
	free(merged);
	return n;
}

struct row { u8 kind; int y, h; };	/* of a track: 0 to BAR px */
#define MAX_ROWS BAR_KINDS

/* Which kinds a track shows, and where. I/O has the lower half where both were recorded: what
 * comes in above, what goes out below. */
static size_t row_rows(const struct svg *g, bool is_cpu, struct row rows[MAX_ROWS])
{
	int io_y = g->has_sched && g->has_io ? BAR / 2 : 0, io_h = BAR - io_y;
	int power = g->has_idle + g->has_freq, run_h = power ? BAR - 4 * power : BAR;
	size_t n = 0;

	if (is_cpu) {
		rows[n++] = (struct row){ BAR_RUNNING, 0, run_h };
		if (g->has_idle)
			rows[n++] = (struct row){ BAR_IDLE, run_h, 4 };
		if (g->has_freq)
			rows[n++] = (struct row){ BAR_FREQ, BAR - 4, 4 };
		return n;
	}
	for (u8 kind = BAR_RUNNING; kind <= BAR_IOWAIT; kind++)
		rows[n++] = (struct row){ kind, 0, g->has_io ? BAR / 2 : BAR };
	rows[n++] = (struct row){ BAR_POLL, io_y, io_h };
	for (u8 kind = BAR_READ; kind < BAR_POLL; kind++) {
		bool outgoing = kind == BAR_WRITE || kind == BAR_SEND || kind == BAR_SYNC;

		rows[n++] = (struct row){ kind, outgoing ? io_y + io_h / 2 : io_y, io_h / 2 };
	}
	return n;
}

struct ranked { size_t index; u64 ns; };
struct plan {			/* the tracks, from above */
	struct ranked *tasks;
	int *cpus;
	size_t n_tasks, n_cpus;
};

static int cmp_ranked(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static bool task_wanted(const struct timechart_view *v, const struct sched_task *task)
{
	return !v->processes || sched_task_listed(v->processes, task);
}

/* The tasks that ran or waited most, in order of appearance. */
static void plan_tasks(const struct svg *g, struct plan *p)
{
	const struct timechart_row *tracks;
	size_t n = timechart_tasks(g->t, &tracks), k = 0, want = g->v->max_tasks > 0 ?
		(size_t)g->v->max_tasks : 15;
	struct ranked *r = xcalloc(n + 1, sizeof(*r));

	for (size_t i = 0; i < n && i < g->n_tasks; i++) {
		u64 ns = tracks[i].ns[BAR_RUNNING] + tracks[i].ns[BAR_WAITING] +
			tracks[i].ns[BAR_BLOCKED] + tracks[i].ns[BAR_IOWAIT] +
			 timechart_row_io_ns(&tracks[i]);

		if (ns && task_wanted(g->v, g->tasks[i]))
			r[k++] = (struct ranked){ i, ns };
	}
	qsort(r, k, sizeof(*r), cmp_ranked);
	k = MIN(k, want);
	for (size_t i = 0; i < k; i++)
		r[i].ns = 0;
	qsort(r, k, sizeof(*r), cmp_ranked);
	p->tasks = r;
	p->n_tasks = k;
}

static void plan_cpus(const struct svg *g, struct plan *p)
{
	const struct timechart_row *tracks;
	size_t n = timechart_cpus(g->t, &tracks);
	bool *done = xcalloc(n + 1, sizeof(*done));

	p->cpus = xcalloc(n + 1, sizeof(*p->cpus));
	for (size_t i = 0; i < g->v->n_order; i++) {
		int cpu = g->v->cpu_order[i];

		if (cpu >= 0 && (size_t)cpu < n && !done[cpu]) {
			done[cpu] = true;
			p->cpus[p->n_cpus++] = cpu;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (!done[i])
			p->cpus[p->n_cpus++] = (int)i;
	}
	free(done);
}

static void add_label(struct svg *g, const char *name, const char *detail, int task)
{
	if (task >= 0)
		str_addf(g->out, "<text class=\"n\" data-t=\"%d\" x=\"8\" y=\"%d\">", task,
			 g->y + 13);
	else
		str_addf(g->out, "<text x=\"8\" y=\"%d\">", g->y + 13);
	xml_add(g->out, name);
	str_add(g->out, "<title>");
	xml_add(g->out, name);
	str_addch(g->out, ' ');
	xml_add(g->out, detail);
	str_add(g->out, "</title></text>\n");
}

static void row_detail(struct str *out, const struct timechart_row *l, u64 wall_ns)
{
	static const struct { u8 kind; const char *text; } parts[] = {
		{ BAR_WAITING, ", waited " }, { BAR_BLOCKED, ", blocked " },
			{ BAR_IOWAIT, ", blocked by I/O " },
		{ BAR_IDLE, ", in idle states " },
	};

	str_reset(out);
	str_add(out, "ran ");
	add_span_text(out, l->ns[BAR_RUNNING]);
	str_addf(out, " (%.1f%%)", wall_ns ? 100.0 * (double)l->ns[BAR_RUNNING] / (double)wall_ns :
		 0);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!l->ns[parts[i].kind])
			continue;
		str_add(out, parts[i].text);
		add_span_text(out, l->ns[parts[i].kind]);
	}
	if (timechart_row_io_ns(l)) {
		str_add(out, ", in I/O calls ");
		add_span_text(out, timechart_row_io_ns(l));
	}
}

static int cpu_y(size_t i)
{
	return TOP + (int)i * TRACK;
}

static int task_y(const struct plan *p, size_t i)
{
	return TOP + (int)(p->n_cpus + i) * TRACK + (p->n_cpus ? 12 : 0);
}

/* Outside of what is zoomed. */
static void add_labels(struct svg *g, const struct plan *p)
{
	struct str detail = STR_INIT, name = STR_INIT;
	const struct timechart_row *cpus, *tasks;

	timechart_cpus(g->t, &cpus);
	timechart_tasks(g->t, &tasks);
	for (size_t i = 0; i < p->n_cpus; i++) {
		str_reset(&name);
		str_addf(&name, "CPU %d", p->cpus[i]);
		row_detail(&detail, &cpus[p->cpus[i]], g->to_ns - g->from_ns);
		g->y = cpu_y(i);
		add_label(g, name.buf, str_cstr(&detail), -1);
	}
	for (size_t i = 0; i < p->n_tasks; i++) {
		const struct sched_task *task = g->tasks[p->tasks[i].index];

		str_reset(&name);
		str_addf(&name, "%s:%u", task->comm, task->tid);
		row_detail(&detail, &tasks[task->index], g->to_ns - g->from_ns);
		g->y = task_y(p, i);
		add_label(g, name.buf, str_cstr(&detail), task->index);
	}
	str_release(&detail);
	str_release(&name);
}

static void add_background(struct svg *g, u64 from_ns, u64 to_ns)
{
	from_ns = MIN(MAX(from_ns, g->from_ns), g->to_ns);
	to_ns = MIN(MAX(to_ns, from_ns), g->to_ns);
	str_addf(g->out, "<rect class=\"z\" x=\"%.3f\" y=\"%d\" width=\"%.3f\" height=\"%d\"/>\n",
		 (double)(from_ns - g->from_ns) * g->px_per_ns, g->y,
		 (double)(to_ns - from_ns) * g->px_per_ns, BAR);
}

static size_t add_timechart_row(struct svg *g, const struct timechart_row *l, bool is_cpu,
				void (*out)(void *ctx, const struct bar *b))
{
	struct row rows[MAX_ROWS];
	size_t n_rows = row_rows(g, is_cpu, rows), n = 0;

	g->on_cpu = is_cpu;
	if (g->n_cells && out)
		memset(g->filled, 0, g->n_cells);
	for (size_t i = 0; i < n_rows; i++) {
		g->bar_y = rows[i].y;
		g->bar_h = rows[i].h;
		n += add_kind(g, l, rows[i].kind, out);
	}
	return n;
}

static size_t add_tracks(struct svg *g, const struct plan *p,
			void (*out)(void *ctx, const struct bar *b))
{
	const struct timechart_row *cpus, *tasks;
	size_t n = 0;

	timechart_cpus(g->t, &cpus);
	timechart_tasks(g->t, &tasks);
	for (size_t i = 0; i < p->n_cpus; i++) {
		g->y = cpu_y(i);
		if (out)
			add_background(g, g->from_ns, g->to_ns);
		n += add_timechart_row(g, &cpus[p->cpus[i]], true, out);
	}
	for (size_t i = 0; i < p->n_tasks; i++) {
		const struct sched_task *task = g->tasks[p->tasks[i].index];

		g->y = task_y(p, i);
		if (out)
			add_background(g, task->first_ns, task->state == SCHED_DEAD &&
				       task->out_ns ? task->out_ns : g->to_ns);
		n += add_timechart_row(g, &tasks[task->index], false, out);
	}
	return n;
}

/* From the track of who woke to that of who was woken, where both have one. */
static void add_wakeups(struct svg *g, const struct plan *p)
{
	const struct wakeup_mark *w;
	size_t n = timechart_wakeups(g->t, &w), n_lines = 0, step;
	int *y = xcalloc(g->n_tasks + 1, sizeof(*y));

	for (size_t i = 0; i < p->n_tasks; i++)
		y[p->tasks[i].index] = task_y(p, i);
	for (size_t i = 0; i < n; i++)
		n_lines += y[w[i].waker] && y[w[i].task];
	step = n_lines / MAX_LINES + 1;
	n_lines = 0;
	for (size_t i = 0; i < n; i++) {
		int from = y[w[i].waker], to = y[w[i].task];
		double x = (double)(w[i].t_ns - g->from_ns) * g->px_per_ns;

		if (!from || !to || n_lines++ % step)
			continue;
		str_addf(g->out, "<line class=\"wk\" x1=\"%.3f\" x2=\"%.3f\" y1=\"%d\" y2=\"%d\" "
				 "data-t=\"%d\" data-by=\"%d\"/>\n", x, x,
			 from < to ? from + BAR : from, from < to ? to : to + BAR, w[i].task,
			 w[i].waker);
	}
	free(y);
}

/* Sums more of what is short until the bars fit. */
static void add_chart(struct svg *g, const struct plan *p)
{
	size_t max = g->v->max_elements ? g->v->max_elements : 20000;

	g->quantum_ns = 0;
	while (add_tracks(g, p, NULL) > max && g->quantum_ns <= g->to_ns)
		g->quantum_ns = g->quantum_ns ? g->quantum_ns * 2 :
		MAX((g->to_ns - g->from_ns) >> 20, (u64)1);
	g->n_cells = g->quantum_ns ? (size_t)(g->to_ns / g->quantum_ns - g->from_ns /
					      g->quantum_ns) + 1 : 0;
	g->filled = xcalloc(g->n_cells + 1, 1);
	add_tracks(g, p, add_bar);
	add_wakeups(g, p);
	free(g->filled);
}

static void add_names(struct svg *g)
{
	str_add(g->out, "<defs>\n");
	for (size_t i = 0; i < g->n_tasks; i++) {
		if (!g->named[i])
			continue;
		str_addf(g->out, "<desc id=\"t%zu\">", i);
		xml_add(g->out, g->tasks[i]->comm);
		str_addf(g->out, ":%u</desc>\n", g->tasks[i]->tid);
	}
	for (u32 i = 1; i <= timechart_chains(g->t); i++) {
		if (!g->chained[i])
			continue;
		str_addf(g->out, "<desc id=\"s%u\">", i);
		xml_add(g->out, timechart_chain(g->t, i));
		str_add(g->out, "</desc>\n");
	}
	str_add(g->out, "</defs>\n");
}

static bool kind_shown(const struct svg *g, int kind)
{
	if (kind == BAR_IDLE || kind == BAR_FREQ)
		return kind == BAR_IDLE ? g->has_idle : g->has_freq;
	if (is_io((u8)kind))
		return g->has_io;
	return g->has_sched && (kind == BAR_RUNNING || !g->v->cpus_only);
}

static void add_legend(struct svg *g, const char *title)
{
	int x = 8;

	str_add(g->out, "<text class=\"h\" x=\"8\" y=\"20\">");
	xml_add(g->out, title);
	str_addf(g->out, "</text>\n<text id=\"status\" x=\"%d\" y=\"20\"></text>\n", LEFT + 220);
	for (int i = 0; i < BAR_KINDS; i++) {
		if (!kind_shown(g, i))
			continue;
		str_addf(g->out, "<rect class=\"%s\" x=\"%d\" y=\"30\" width=\"12\" "
				 "height=\"12\"/><text x=\"%d\" y=\"40\">%s</text>\n",
			 i == BAR_IDLE ? "c2" : kinds[i].cls, x, x + 16, kinds[i].legend);
		x += 34 + 7 * (int)strlen(kinds[i].legend);
	}
}

/* As the script does it, for viewers without one. */
static void add_axis(struct svg *g, int bottom)
{
	double span = (double)(g->to_ns - g->from_ns), step = pow(10, floor(log10(span / 4)));
	int digits;

	step *= span / step > 20 ? 5 : span / step > 8 ? 2 : 1;
	digits = MAX(0, 9 - (int)floor(log10(step)));
	str_addf(g->out, "<g id=\"axis\" transform=\"translate(%d %d)\">\n", LEFT, TOP);
	for (double t = 0; t <= span; t += step) {
		double x = t * g->px_per_ns;

		str_addf(g->out, "<line class=\"g\" x1=\"%.1f\" x2=\"%.1f\" y1=\"-4\" y2=\"%d\"/>",
			 x, x, bottom - TOP);
		if (x + 60 <= span * g->px_per_ns)
			str_addf(g->out, "<text class=\"s\" x=\"%.1f\" y=\"-6\">%.*f</text>", x,
				 MIN(digits, 9),
				 ((double)g->from_ns + t) / 1e9);
		str_addch(g->out, '\n');
	}
	str_add(g->out, "</g>\n");
}

static void svg_scan(struct svg *g)
{
	const struct timechart_row *cpus, *tasks;
	size_t n_cpus = timechart_cpus(g->t, &cpus), n_tasks = timechart_tasks(g->t, &tasks);

	for (size_t i = 0; i < n_cpus; i++) {
		g->has_idle |= cpus[i].bars[BAR_IDLE].n > 0;
		g->has_freq |= cpus[i].bars[BAR_FREQ].n > 0;
		g->has_sched |= cpus[i].bars[BAR_RUNNING].n > 0;
		for vec_each(b, &cpus[i].bars[BAR_FREQ])
			g->max_khz = MAX(g->max_khz, b->value);
	}
	for (size_t i = 0; i < n_tasks; i++)
		g->has_io |= timechart_row_io_ns(&tasks[i]) > 0;
}

static void add_head(struct svg *g, int width, int height, int inner)
{
	str_addf(g->out, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
		 "height=\"%d\" viewBox=\"0 0 %d %d\" "
		 "data-w=\"%d\" data-left=\"%d\" data-t0=\"%llu\" data-ns=\"%llu\"", width, height,
		 width, height, inner, LEFT,
		 (unsigned long long)g->from_ns, (unsigned long long)(g->to_ns - g->from_ns));
	for (int i = 0; i < BAR_KINDS; i++) {
		if (i == BAR_IDLE) {
			for (int state = 0; state <= 4; state++)
				str_addf(g->out, " data-s-c%d=\"%s\"", state, kinds[i].does);
		} else {
			str_addf(g->out, " data-s-%s=\"%s\"", kinds[i].cls, kinds[i].does);
		}
	}
	str_addf(g->out, ">\n%s<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", timechart_style,
		 width, height);
}

void timechart_svg(const struct timechart *t, const struct sched *s, const struct timechart_view *v,
		   struct str *out)
{
	const struct sched_stats *st = sched_get_stats(s);
	struct svg g = { .t = t, .v = v, .out = out };
	int width = v->width > 400 ? v->width : 1200, inner = width - LEFT - RIGHT, height;
	struct plan p = { 0 };

	g.n_tasks = sched_tasks(s, &g.tasks);
	g.named = xcalloc(g.n_tasks + 1, sizeof(*g.named));
	g.chained = xcalloc((size_t)timechart_chains(t) + 1, sizeof(*g.chained));
	g.from_ns = st->first_ns == UINT64_MAX ? 0 : st->first_ns;
	g.to_ns = MAX(st->last_ns, g.from_ns + 1);
	g.px_per_ns = (double)inner / (double)(g.to_ns - g.from_ns);
	if (v->highlight && !parse_u64(v->highlight, &g.long_ns))
		g.long_ns = 0;
	svg_scan(&g);
	if (!v->cpus_only)
		plan_tasks(&g, &p);
	if (!v->tasks_only)
		plan_cpus(&g, &p);
	height = task_y(&p, p.n_tasks) + 36;
	add_head(&g, width, height, inner);
	add_legend(&g, v->title ? v->title : "perf timechart");
	str_addf(out, "<text class=\"a\" id=\"search\" x=\"%d\" y=\"20\">search</text><text "
		      "class=\"a\" id=\"all\" x=\"%d\" y=\"20\">"
		 "show all</text>\n", width - 130, width - 76);
	add_axis(&g, height - 24);
	add_labels(&g, &p);
	str_addf(out, "<svg x=\"%d\" y=\"0\" width=\"%d\" height=\"%d\"><g id=\"chart\">\n", LEFT,
		 inner, height);
	add_chart(&g, &p);
	str_add(out, "</g><g id=\"labels\"></g></svg>\n");
	add_names(&g);
	str_addf(out, "<rect id=\"range\" x=\"0\" y=\"%d\" width=\"0\" height=\"%d\"/>\n<g "
		      "id=\"tip\"></g>\n"
		 "<text class=\"s\" x=\"8\" y=\"%d\">wheel: zoom, drag: move, shift and drag: zoom "
		 "into, double click: all, "
		 "click on a task&#39;s name: mark it, /: search</text>\n%s</svg>\n", TOP,
		 height - TOP - 24, height - 10,
		 timechart_script);
	free(p.tasks);
	free(p.cpus);
	free(g.named);
	free(g.chained);
}
