// SPDX-License-Identifier: GPL-2.0-or-later
#include "util/view/timechart-svg.h"

#include <stdlib.h>

#include "util/base/num.h"
#include "util/base/xalloc.h"

enum { LEFT = 170, TOP = 56, LANE = 26, BAR = 18, RIGHT = 20 };

struct svg {
	const struct timechart *t;
	const struct timechart_view *v;
	struct sched_task *const *tasks;
	size_t n_tasks;
	struct str *out;
	u64 from_ns, to_ns;
	double px_per_ns;
	u64 min_ns;			/* narrower bars are summed */
	u64 long_ns;			/* --highlight DURATION, 0: none */
	int y;
};

static void add_xml(struct str *out, const char *text)
{
	struct str safe = STR_INIT;

	str_add_safe(&safe, text);
	for (size_t i = 0; i < safe.len; i++) {
		switch (safe.buf[i]) {
		case '<': str_add(out, "&lt;"); break;
		case '>': str_add(out, "&gt;"); break;
		case '&': str_add(out, "&amp;"); break;
		case '"': str_add(out, "&quot;"); break;
		case '\'': str_add(out, "&#39;"); break;
		default: str_addch(out, safe.buf[i]);
		}
	}
	str_release(&safe);
}

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

static const char head[] =
	"<style>\n"
	"text{font:12px sans-serif;fill:#222}text.n{cursor:pointer}text.s{font-size:10px;"
	"fill:#777}text.h{font:bold 15px sans-serif}\n"
	".k3{fill:#2e9e5b}.k4{fill:#8e5cc2}.k5{fill:#d1495b}.k6{fill:#1b998b}.k7{fill:#5e60ce}.k8{fill:#b0b7bf}.fail{stroke:#c0392b}\n"
	".r{fill:#3b73c4}.w{fill:#e8b90f}.b{fill:#c0392b}.z{fill:#f4f5f7}.hi{fill:#e6550d}.sel{fill:#d6247c}\n"
	"line.g{stroke:#ccd;stroke-width:1;vector-effect:non-scaling-stroke}\n"
	"</style>\n";

/* The script works on the group "chart", whose x coordinates run from 0 to W at a zoom of 1. */
static const char script[] =
	"<script><![CDATA[\n"
	"(function(){var svg=document.documentElement,c=document.getElementById('chart'),a=document.getElementById('axis'),\n"
	"st=document.getElementById('status'),"
	"W=+svg.dataset.w,T=+svg.dataset.ns,T0=+svg.dataset.t0,L=+svg.dataset.left,k=1,o=0,drag=null;\n"
	"function fmt(ns){return ns<1e3?ns.toFixed(0)+' ns':ns<1e6?(ns/1e3).toFixed(1)+"
	"' us':ns<1e9?(ns/1e6).toFixed(3)+' ms':(ns/1e9).toFixed(3)+' s'}\n"
	"function draw(){o=Math.min(Math.max(o,0),W-W/k);"
	"c.setAttribute('transform','scale('+k+' 1) translate('+(-o)+' 0)');axis()}\n"
	"function axis(){while(a.firstChild)a.removeChild(a.firstChild);"
	"var span=T/k,step=Math.pow(10,Math.floor(Math.log10(span/4)));\n"
	"if(span/step>20)step*=5;else if(span/step>8)step*=2;var b=o/W*T;\n"
	"for(var t=Math.ceil(b/step)*step;t<=b+span;"
	"t+=step){var x=(t/T*W-o)*k,e=document.createElementNS('http://www.w3.org/2000/svg','text');\n"
	"e.setAttribute('x',x);e.setAttribute('y',-6);e.setAttribute('class','s');"
	"e.textContent=((T0+t)/1e9).toFixed(6);a.appendChild(e)}}\n"
	"function px(e){return (e.clientX-svg.getBoundingClientRect().left)*svg.viewBox.baseVal.width"
	"/svg.getBoundingClientRect().width-L}\n"
	"svg.addEventListener('wheel',function(e){var x=px(e),at=o+x/k;"
	"k=Math.min(Math.max(k*(e.deltaY<0?1.25:.8),1),1e5);o=at-x/k;draw();e.preventDefault()},{passive:false});\n"
	"svg.addEventListener('mousedown',function(e){drag={x:px(e),o:o}});\n"
	"svg.addEventListener('mouseup',function(){drag=null});\n"
	"svg.addEventListener('mousemove',function(e){if(drag){o=drag.o-(px(e)-drag.x)/k;draw();return}\n"
	"var d=e.target.dataset;"
	"if(d&&d.f!==undefined){st.textContent=e.target.getAttribute('data-n')+'  '+((T0+ +d.f)/1e9).toFixed(6)+"
	"' s + '+fmt(+d.d)+(d.u?'  ('+d.u+'% of it, summed)':'')}});\n"
	"svg.addEventListener('dblclick',function(){k=1;o=0;draw()});\n"
	"function mark(n){document.querySelectorAll('rect[data-t]').forEach(function(r){r.classList.toggle('sel',"
	"n!==null&&r.dataset.t===n)})}\n"
	"var sel=null;"
	"document.querySelectorAll('text.n').forEach(function(e){e.addEventListener('click',"
	"function(){sel=sel===e.dataset.t?null:e.dataset.t;mark(sel)})});\n"
	"draw()})();\n"
	"]]></script>\n";

static const struct { const char *cls, *does, *legend; } kinds[BAR_KINDS] = {
	[BAR_RUNNING] = { "r", "runs", "running" },
	[BAR_WAITING] = { "w", "waits for a CPU", "waiting for a CPU" },
	[BAR_BLOCKED] = { "b", "is blocked", "blocked (uninterruptible)" },
	[BAR_READ] = { "k3", "reads", "read" },
	[BAR_WRITE] = { "k4", "writes", "write" },
	[BAR_SYNC] = { "k5", "syncs", "sync" },
	[BAR_RECV] = { "k6", "receives", "receive" },
	[BAR_SEND] = { "k7", "sends", "send" },
	[BAR_POLL] = { "k8", "polls", "poll" },
};

static const char *kind_class(const struct svg *g, const struct bar *b)
{
	const char *name = g->tasks[b->task]->comm;

	if (g->long_ns ? b->to_ns - b->from_ns >= g->long_ns : g->v->highlight && !strcmp(g->v->highlight, name))
		return "hi";
	return kinds[b->kind < BAR_KINDS ? b->kind : 0].cls;
}

static void add_bar_element(struct svg *g, const struct bar *b, int y, int height)
{
	const struct sched_task *task = g->tasks[b->task];
	u64 dt = b->to_ns - b->from_ns;
	unsigned share = dt ? (unsigned)(100 * b->busy_ns / dt) : 100;
	double w = (double)(b->kind >= BAR_READ ? MAX(dt, g->v->io_min_ns) : dt) * g->px_per_ns;

	str_addf(g->out, "<rect class=\"%s\" x=\"%.3f\" y=\"%d\" width=\"%.3f\" height=\"%d\"", kind_class(g, b),
		 (double)(b->from_ns - g->from_ns) * g->px_per_ns, y, MAX(w, .2), height);
	if (b->summed)
		str_addf(g->out, " fill-opacity=\"%.2f\" data-u=\"%u\"", .25 + .75 * share / 100.0, share);
	str_addf(g->out, " data-t=\"%d\" data-f=\"%llu\" data-d=\"%llu\" data-n=\"", b->task,
		 (unsigned long long)(b->from_ns - g->from_ns), (unsigned long long)dt);
	add_xml(g->out, task->comm);
	str_addf(g->out, ":%u %s", task->tid, kinds[b->kind].does);
	if (b->bytes)
		str_addf(g->out, " %llu bytes", (unsigned long long)b->bytes);
	if (b->failed)
		str_add(g->out, b->summed ? " (some failed)" : " (failed)");
	str_addf(g->out, ", CPU %d\"/>\n", b->cpu);
}

/* Bars narrower than min_ns, and with gaps below it, become one. */
static void add_bars(struct svg *g, const struct bar *bars, size_t n, u8 kind, int y, int height)
{
	u64 near_ns = kind >= BAR_READ ? MAX(g->min_ns, g->v->io_merge_ns) : g->min_ns;
	struct bar cur = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct bar *b = &bars[i];

		if (b->kind != kind)
			continue;
		if (cur.to_ns && b->from_ns - cur.to_ns < near_ns &&
		    (b->to_ns - b->from_ns < near_ns || cur.to_ns - cur.from_ns < near_ns)) {
			if (b->busy_ns > cur.busy_ns)
				cur.task = b->task;
			cur.busy_ns += b->busy_ns;
			cur.bytes += b->bytes;
			cur.failed |= b->failed;
			cur.to_ns = b->to_ns;
			cur.summed = 1;
			continue;
		}
		if (cur.to_ns)
			add_bar_element(g, &cur, y, height);
		cur = *b;
	}
	if (cur.to_ns)
		add_bar_element(g, &cur, y, height);
}

static void add_background(struct svg *g)
{
	str_addf(g->out, "<rect class=\"z\" x=\"0\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n", g->y,
		 (double)(g->to_ns - g->from_ns) * g->px_per_ns, BAR);
}

struct ranked { size_t index; u64 ns; };

static int cmp_ranked(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static bool task_wanted(const struct timechart_view *v, const struct sched_task *task)
{
	char *copy, *save = NULL;
	bool hit = false;
	u64 pid;

	if (!v->processes)
		return true;
	copy = xstrdup(v->processes);
	for (char *w = strtok_r(copy, ",", &save); w && !hit; w = strtok_r(NULL, ",", &save))
		hit = !strcmp(w, task->comm) || (parse_u64(w, &pid) && (pid == task->pid || pid == task->tid));
	free(copy);
	return hit;
}

/* The tasks that ran or waited most, in order of appearance. */
static size_t choose_tasks(const struct svg *g, struct ranked **out)
{
	const struct lane *lanes;
	size_t n = timechart_tasks(g->t, &lanes), k = 0, want = g->v->max_tasks > 0 ? (size_t)g->v->max_tasks : 15;
	struct ranked *r = xcalloc(n + 1, sizeof(*r));

	for (size_t i = 0; i < n && i < g->n_tasks; i++) {
		if ((lanes[i].bars.n || lanes[i].io.n) && task_wanted(g->v, g->tasks[i]))
			r[k++] = (struct ranked){ i, lanes[i].run_ns + lanes[i].wait_ns + lanes[i].block_ns + lanes[i].io_ns };
	}
	qsort(r, k, sizeof(*r), cmp_ranked);
	k = MIN(k, want);
	for (size_t i = 0; i < k; i++)
		r[i].ns = 0;
	qsort(r, k, sizeof(*r), cmp_ranked);
	*out = r;
	return k;
}

static void add_label(struct svg *g, const char *name, const char *detail, int task)
{
	if (task >= 0)
		str_addf(g->out, "<text class=\"n\" data-t=\"%d\" x=\"8\" y=\"%d\">", task, g->y + 13);
	else
		str_addf(g->out, "<text x=\"8\" y=\"%d\">", g->y + 13);
	add_xml(g->out, name);
	str_add(g->out, "<title>");
	add_xml(g->out, name);
	str_addch(g->out, ' ');
	add_xml(g->out, detail);
	str_add(g->out, "</title></text>\n");
}

static void lane_detail(struct str *out, const struct lane *l, u64 wall_ns)
{
	str_reset(out);
	str_add(out, "ran ");
	add_span_text(out, l->run_ns);
	str_addf(out, " (%.1f%%)", wall_ns ? 100.0 * (double)l->run_ns / (double)wall_ns : 0);
	if (l->wait_ns) {
		str_add(out, ", waited ");
		add_span_text(out, l->wait_ns);
	}
	if (l->block_ns) {
		str_add(out, ", blocked ");
		add_span_text(out, l->block_ns);
	}
	if (l->io_ns) {
		str_add(out, ", in I/O calls ");
		add_span_text(out, l->io_ns);
	}
}

/* Labels first, outside of what is zoomed; then the bars: both walk the same lanes. */
static void add_lanes(struct svg *g, bool labels, const struct ranked *chosen, size_t n_chosen)
{
	const struct lane *cpus, *tasks;
	size_t n_cpus = g->v->tasks_only ? 0 : timechart_cpus(g->t, &cpus);
	struct str detail = STR_INIT, name = STR_INIT;

	timechart_tasks(g->t, &tasks);
	g->y = TOP;
	for (size_t i = 0; i < n_cpus; i++, g->y += LANE) {
		str_reset(&name);
		str_addf(&name, "CPU %zu", i);
		lane_detail(&detail, &cpus[i], g->to_ns - g->from_ns);
		if (labels) {
			add_label(g, name.buf, str_cstr(&detail), -1);
			continue;
		}
		add_background(g);
		add_bars(g, cpus[i].bars.v, cpus[i].bars.n, BAR_RUNNING, g->y, BAR);
	}
	g->y += n_cpus && n_chosen ? 12 : 0;
	for (size_t i = 0; i < n_chosen; i++, g->y += LANE) {
		const struct lane *l = &tasks[chosen[i].index];

		str_reset(&name);
		str_addf(&name, "%s:%u", g->tasks[chosen[i].index]->comm, g->tasks[chosen[i].index]->tid);
		lane_detail(&detail, l, g->to_ns - g->from_ns);
		if (labels) {
			add_label(g, name.buf, str_cstr(&detail), (int)chosen[i].index);
			continue;
		}
		add_background(g);
		/* Both kinds share the lane. */
		int half = l->bars.n && l->io.n ? BAR / 2 : 0;

		for (u8 kind = BAR_RUNNING; kind <= BAR_BLOCKED; kind++)
			add_bars(g, l->bars.v, l->bars.n, kind, g->y, BAR - half);
		for (u8 kind = BAR_READ; kind < BAR_KINDS; kind++)
			add_bars(g, l->io.v, l->io.n, kind, g->y + half, BAR - half);
	}
	str_release(&detail);
	str_release(&name);
}

/* Raises the least width of a bar until the elements fit. */
static void add_chart(struct svg *g, const struct ranked *chosen, size_t n_chosen, size_t max)
{
	size_t mark = g->out->len;

	for (g->min_ns = 0;; g->min_ns = g->min_ns ? g->min_ns * 2 : MAX((g->to_ns - g->from_ns) / 1000000, (u64)1)) {
		size_t n = 0;

		add_lanes(g, false, chosen, n_chosen);
		for (const char *p = g->out->buf + mark; (p = strstr(p, "<rect")); p++)
			n++;
		if (n <= max || g->min_ns > g->to_ns - g->from_ns)
			return;
		g->out->len = mark;
		g->out->buf[mark] = '\0';
	}
}

/* Whether a kind's name belongs below the title: those of the scheduler always, those of I/O when it was recorded. */
static bool any_io(const struct svg *g)
{
	const struct lane *lanes;
	size_t n = timechart_tasks(g->t, &lanes);

	for (size_t i = 0; i < n; i++) {
		if (lanes[i].io.n)
			return true;
	}
	return false;
}

static void add_legend(struct svg *g, const char *title, int width)
{
	size_t n = any_io(g) ? BAR_KINDS : BAR_READ;
	int x = n == BAR_READ ? width - 460 : MAX(width - 960, 180);

	str_addf(g->out, "<text class=\"h\" x=\"8\" y=\"20\">");
	add_xml(g->out, title);
	str_add(g->out, "</text>\n");
	for (size_t i = 0; i < n; i++) {
		str_addf(g->out, "<rect class=\"%s\" x=\"%d\" y=\"10\" width=\"12\" height=\"12\"/><text x=\"%d\" y=\"20\">%s</text>\n",
			 kinds[i].cls, x, x + 16, kinds[i].legend);
		x += 40 + 7 * (int)strlen(kinds[i].legend);
	}
}

void timechart_svg(const struct timechart *t, const struct sched *s, const struct timechart_view *v, struct str *out)
{
	const struct sched_stats *st = sched_get_stats(s);
	struct svg g = { .t = t, .v = v, .out = out };
	int width = v->width > 400 ? v->width : 1200, inner = width - LEFT - RIGHT, height;
	struct ranked *chosen = NULL;
	size_t n_chosen, n_cpus;
	const struct lane *cpus;

	g.n_tasks = sched_tasks(s, &g.tasks);
	g.from_ns = st->first_ns == UINT64_MAX ? 0 : st->first_ns;
	g.to_ns = MAX(st->last_ns, g.from_ns + 1);
	g.px_per_ns = (double)inner / (double)(g.to_ns - g.from_ns);
	if (v->highlight && !parse_u64(v->highlight, &g.long_ns))
		g.long_ns = 0;
	n_chosen = v->cpus_only ? 0 : choose_tasks(&g, &chosen);
	n_cpus = v->tasks_only ? 0 : timechart_cpus(t, &cpus);
	height = TOP + (int)(n_cpus + n_chosen) * LANE + 48;
	str_addf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
		 "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" data-w=\"%d\" data-left=\"%d\" data-t0=\"%llu\" data-ns=\"%llu\">\n%s",
		 width, height, width, height, inner, LEFT, (unsigned long long)g.from_ns,
		 (unsigned long long)(g.to_ns - g.from_ns), head);
	str_addf(out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height);
	add_legend(&g, v->title ? v->title : "perf timechart", width);
	add_lanes(&g, true, chosen, n_chosen);
	str_addf(out, "<svg x=\"%d\" y=\"0\" width=\"%d\" height=\"%d\"><g id=\"chart\">\n", LEFT, inner, height);
	add_chart(&g, chosen, n_chosen, v->max_elements ? v->max_elements : 20000);
	str_addf(out, "</g></svg>\n<g id=\"axis\" transform=\"translate(%d %d)\"></g>\n<text id=\"status\" class=\"s\" x=\"8\" y=\"%d\">"
		 "wheel: zoom, drag: move, double click: all, click on a task's name: mark it</text>\n%s</svg>\n", LEFT, TOP,
		 height - 14, script);
	free(chosen);
}
