'use strict';
(function () {
const $ = id => document.getElementById(id);
const M = JSON.parse($('meta').textContent);
const COLS = M.n_columns, LOG = M.scale === 'log2';
const LEFT = 74, BOTTOM = 26, TOP = 8;
const fmt = new Intl.NumberFormat('en');
const canvas = $('graph'), ctx = canvas.getContext('2d');

// Rows from the lowest that has something.
const FIRST = LOG ? M.cells.reduce((m, c) => Math.min(m, c[1]), M.n_rows - 1) : 0, ROWS = M.n_rows - FIRST;
const grid = new Float64Array(COLS * ROWS);
let most = 1;
for (const [c, r, n] of M.cells) {
	grid[c * ROWS + r - FIRST] = n;
	most = Math.max(most, n);
}

// chosen: columns c0 to c1, rows r0 to r1, or null; cursor: where the keys are
const state = { shades: 'log', lines: 'some', chosen: null };
let cursor = null, anchor = null, hover = null, drag = null, width = 0, height = 0;

const dark = () => document.documentElement.dataset.theme === 'dark';
function span(ns) {
	const cut = (v, u) => (v < 10 ? v.toFixed(2) : v < 100 ? v.toFixed(1) : v.toFixed(0)) + ' ' + u;
	return ns < 1e3 ? ns + ' ns' : ns < 1e6 ? cut(ns / 1e3, 'µs') : ns < 1e9 ? cut(ns / 1e6, 'ms') : cut(ns / 1e9, 's');
}
const edge = r => LOG ? (r + FIRST ? Math.pow(2, r + FIRST) : 0) : r * M.row_ns;
const at = c => ((M.from_ns + c * M.column_ns) / 1e9).toFixed(3) + ' s';
const pct = (a, b) => b ? (100 * a / b).toFixed(2) + '%' : '-';

// ---- drawing ----

const cellWidth = () => (width - LEFT - 6) / COLS, cellHeight = () => (height - TOP - BOTTOM) / ROWS;
const xOf = c => LEFT + c * cellWidth(), yOf = r => height - BOTTOM - (r + 1) * cellHeight();

function color(n) {
	const k = state.shades === 'log' ? Math.log(n + 1) / Math.log(most + 1) : n / most;
	return dark() ? `hsl(${28 - 8 * k},${55 + 40 * k}%,${20 + 48 * k}%)` : `hsl(${34 - 24 * k},${70 + 20 * k}%,${86 - 46 * k}%)`;
}

function drawAxes() {
	const soft = dark() ? '#a49c8f' : '#6b645a', step = Math.max(1, Math.ceil(16 / cellHeight())),
		wide = Math.max(1, Math.ceil(90 / cellWidth()));
	ctx.fillStyle = soft;
	ctx.textAlign = 'right';
	for (let r = 0; r <= ROWS; r += step)
		ctx.fillText(span(edge(r)), LEFT - 8, Math.min(height - BOTTOM, height - BOTTOM - r * cellHeight() + 4));
	ctx.textAlign = 'left';
	for (let c = 0; c < COLS; c += wide) {
		ctx.fillRect(xOf(c), height - BOTTOM, 1, 5);
		ctx.fillText(at(c), xOf(c) + 2, height - 8);
	}
}

// How high a time is, between the edges of its row.
function heightOf(ns) {
	const r = LOG ? Math.log2(Math.max(ns, 1)) - FIRST : ns / M.row_ns;
	return height - BOTTOM - Math.max(0, Math.min(ROWS, r)) * cellHeight();
}

const lines = [['p50_ns', 'p50', '#1f7a4d', '#6fdc9f'], ['p99_ns', 'p99', '#1f55a8', '#85b6ff'], ['max_ns', 'max', '#8a2be2', '#d3a4ff']];
function drawLine([key, , light, night]) {
	ctx.strokeStyle = dark() ? night : light;
	ctx.lineWidth = 1.6;
	ctx.beginPath();
	let open = false;
	for (let c = 0; c < COLS; c++) {
		if (!M.columns[c].n) {
			open = false;
			continue;
		}
		const y = heightOf(M.columns[c][key]);
		if (!open)
			ctx.moveTo(xOf(c), y);
		else
			ctx.lineTo(xOf(c), y);
		ctx.lineTo(xOf(c + 1), y);
		open = true;
	}
	ctx.stroke();
}

function outline(a, style, thick) {
	ctx.strokeStyle = style;
	ctx.lineWidth = thick;
	ctx.strokeRect(xOf(a.c0), yOf(a.r1), (a.c1 - a.c0 + 1) * cellWidth(), (a.r1 - a.r0 + 1) * cellHeight());
}

function paint() {
	const k = window.devicePixelRatio || 1, box = $('scroll');
	width = box.clientWidth;
	height = box.clientHeight;
	canvas.width = Math.round(width * k);
	canvas.height = Math.round(height * k);
	canvas.style.height = height + 'px';
	ctx.setTransform(k, 0, 0, k, 0, 0);
	ctx.font = '11px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif';
	ctx.fillStyle = dark() ? '#1f1e1b' : '#fff';
	ctx.fillRect(LEFT, TOP, width - LEFT - 6, height - TOP - BOTTOM);
	const w = cellWidth(), h = cellHeight(), gap = w > 4 && h > 4 ? 1 : 0;
	for (let c = 0; c < COLS; c++)
		for (let r = 0; r < ROWS; r++) {
			const n = grid[c * ROWS + r];
			if (!n)
				continue;
			ctx.globalAlpha = state.chosen && !inside(state.chosen, c, r) ? 0.35 : 1;
			ctx.fillStyle = color(n);
			ctx.fillRect(xOf(c), yOf(r), Math.max(w - gap, 1), Math.max(h - gap, 1));
		}
	ctx.globalAlpha = 1;
	drawAxes();
	if (state.lines === 'some')
		lines.forEach(drawLine);
	const ink = dark() ? '#fff' : '#231f1a';
	if (hover)
		outline({ c0: hover.c, c1: hover.c, r0: hover.r, r1: hover.r }, ink, 1.2);
	if (state.chosen)
		outline(state.chosen, ink, 2);
}

// ---- words ----

const inside = (a, c, r) => c >= a.c0 && c <= a.c1 && r >= a.r0 && r <= a.r1;
const nOf = (c, r) => grid[c * ROWS + r];

function words(c, r) {
	return at(c) + ', ' + span(edge(r)) + ' to ' + span(edge(r + 1)) + ': ' + fmt.format(nOf(c, r));
}

// Of what is chosen, as exactly as cells are: the upper edge of the row in which it is.
function chosenRows() {
	const a = state.chosen, n = new Float64Array(ROWS);
	for (let c = a.c0; c <= a.c1; c++)
		for (let r = a.r0; r <= a.r1; r++)
			n[r] += nOf(c, r);
	return n;
}
function percentile(rows, all, p) {
	let left = Math.max(1, Math.ceil(p * all / 100 - 1e-9));
	for (let r = 0; r < ROWS; r++) {
		left -= rows[r];
		if (left <= 0)
			return '< ' + span(edge(r + 1));
	}
	return '-';
}

function showTable() {
	const rows = state.chosen && chosenRows(), all = rows ? rows.reduce((s, v) => s + v, 0) : 0, body = $('rows'), L = M.latency;
	const add = (...cells) => {
		const tr = document.createElement('tr');
		for (const c of cells) {
			const td = document.createElement('td');
			td.textContent = c;
			tr.append(td);
		}
		body.append(tr);
	};
	body.textContent = '';
	add(fmt.format(L.n), rows ? fmt.format(all) : '', 'pairs');
	for (const [key, p, name] of [['p50_ns', 50, 'p50'], ['p90_ns', 90, 'p90'], ['p99_ns', 99, 'p99'], ['p999_ns', 99.9, 'p99.9'],
		['max_ns', 100, 'max']])
		add(span(L[key]), rows && all ? percentile(rows, all, p) : '', name);
	add(fmt.format(M.unpaired_starts), '', 'did not end');
	add(fmt.format(M.unpaired_ends), '', 'did not begin');
	if (M.without_fields)
		add(fmt.format(M.without_fields), '', 'without their fields');
	$('status').textContent = fmt.format(L.n) + ' pairs · ' + M.what + (rows ? ' · chosen ' + fmt.format(all) + ' (' + pct(all, L.n) + '), ' +
		at(state.chosen.c0) + ' to ' + at(state.chosen.c1 + 1) : '');
}

function showLegend() {
	const box = $('legend'), ns = 'http://www.w3.org/2000/svg';
	box.textContent = '';
	for (const [, name, light, night] of lines) {
		const s = document.createElement('span'), svg = document.createElementNS(ns, 'svg'), r = document.createElementNS(ns, 'rect');
		for (const [k, v] of Object.entries({ width: 11, height: 11, 'aria-hidden': 'true' }))
			svg.setAttribute(k, v);
		for (const [k, v] of Object.entries({ width: 11, height: 3, y: 4, fill: dark() ? night : light }))
			r.setAttribute(k, v);
		svg.append(r);
		s.append(svg, name);
		box.append(s);
	}
}

function showTip(p, x, y) {
	const tip = $('tip');
	tip.hidden = !p;
	if (!p)
		return;
	const b = document.createElement('b'), dl = document.createElement('dl'), col = M.columns[p.c];
	tip.textContent = '';
	b.textContent = fmt.format(nOf(p.c, p.r)) + (nOf(p.c, p.r) === 1 ? ' pair' : ' pairs');
	for (const [k, v] of [['time', at(p.c)], ['took', span(edge(p.r)) + ' to ' + span(edge(p.r + 1))], ['of its column',
		pct(nOf(p.c, p.r), col.n)], ['column', fmt.format(col.n) + ', p50 ' + span(col.p50_ns) + ', p99 ' + span(col.p99_ns) +
		', max ' + span(col.max_ns)]]) {
		const dt = document.createElement('dt'), dd = document.createElement('dd');
		dt.textContent = k;
		dd.textContent = v;
		dl.append(dt, dd);
	}
	tip.append(b, dl);
	tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + 'px';
	tip.style.top = (y + 18 + tip.offsetHeight > innerHeight ? Math.max(4, y - tip.offsetHeight - 12) : y + 18) + 'px';
}

// ---- what is chosen ----

function box(a, b) {
	return { c0: Math.min(a.c, b.c), c1: Math.max(a.c, b.c), r0: Math.min(a.r, b.r), r1: Math.max(a.r, b.r) };
}

function writeHash() {
	const h = new URLSearchParams(), a = state.chosen;
	if (a)
		h.set('s', [a.c0, a.c1, a.r0, a.r1].join('-'));
	if (state.shades !== 'log')
		h.set('sh', state.shades);
	if (state.lines !== 'some')
		h.set('l', state.lines);
	const text = h.toString();
	try {
		history.replaceState(null, '', text ? '#' + text : location.pathname + location.search);
	} catch (e) {
		location.hash = text;
	}
}
function readHash() {
	const h = new URLSearchParams(location.hash.slice(1)), s = /^(\d+)-(\d+)-(\d+)-(\d+)$/.exec(h.get('s') || '');
	Object.assign(state, { shades: h.get('sh') === 'linear' ? 'linear' : 'log', lines: h.get('l') === 'none' ? 'none' : 'some', chosen: null });
	if (s && +s[1] <= +s[2] && +s[2] < COLS && +s[3] <= +s[4] && +s[4] < ROWS)
		state.chosen = { c0: +s[1], c1: +s[2], r0: +s[3], r1: +s[4] };
}

function update() {
	$('shades').value = state.shades;
	$('lines').value = state.lines;
	$('clear').disabled = !state.chosen;
	showLegend();
	showTable();
	paint();
	writeHash();
}
function change(what) {
	Object.assign(state, what);
	update();
}

function hit(e) {
	const b = canvas.getBoundingClientRect(), c = Math.floor((e.clientX - b.left - LEFT) / cellWidth()),
		r = Math.floor((height - BOTTOM - (e.clientY - b.top)) / cellHeight());
	return { c: Math.max(0, Math.min(COLS - 1, c)), r: Math.max(0, Math.min(ROWS - 1, r)), on: c >= 0 && c < COLS && r >= 0 && r < ROWS };
}

canvas.addEventListener('pointerdown', e => {
	const p = hit(e);
	if (e.button || !p.on)
		return;
	drag = p;
	canvas.setPointerCapture(e.pointerId);
	change({ chosen: box(p, p) });
});
canvas.addEventListener('pointermove', e => {
	const p = hit(e);
	if (drag) {
		showTip(null);
		change({ chosen: box(drag, p) });
		return;
	}
	hover = p.on ? p : null;
	showTip(hover, e.clientX, e.clientY);
	$('live').textContent = hover ? words(p.c, p.r) : '';
	paint();
});
canvas.addEventListener('pointerup', () => { drag = null; });
canvas.addEventListener('pointercancel', () => { drag = null; });
canvas.addEventListener('pointerleave', () => {
	hover = null;
	showTip(null);
	paint();
});

const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
function move(key, widen) {
	const [dc, dr] = moves[key];
	cursor = cursor ? { c: Math.max(0, Math.min(COLS - 1, cursor.c + dc)), r: Math.max(0, Math.min(ROWS - 1, cursor.r + dr)) } :
		{ c: 0, r: 0 };
	if (!widen || !anchor)
		anchor = cursor;
	$('live').textContent = words(cursor.c, cursor.r);
	change({ chosen: box(anchor, cursor) });
}

function setTheme(t) {
	document.documentElement.dataset.theme = t;
}
function toggleTheme() {
	setTheme(dark() ? 'light' : 'dark');
	update();
}
function clear() {
	cursor = anchor = null;
	change({ chosen: null });
}

document.addEventListener('keydown', e => {
	if (e.ctrlKey || e.metaKey || e.altKey || $('keys').open || e.target.tagName === 'SELECT')
		return;
	const acts = { Escape: clear, d: toggleTheme, '?': () => $('keys').showModal(), l: () => change({ lines: state.lines === 'some' ? 'none' :
		'some' }) };
	if (acts[e.key]) {
		e.preventDefault();
		acts[e.key]();
	} else if (moves[e.key] && e.target.tagName !== 'BUTTON') {
		e.preventDefault();
		move(e.key, e.shiftKey);
	}
});

function begin() {
	$('title').textContent = M.title || 'Heat map';
	$('title').title = M.title || '';
	$('sub').textContent = M.subtitle || '';
	document.title = (M.title || 'Heat map') + ' – heat map';
	$('shades').onchange = () => change({ shades: $('shades').value });
	$('lines').onchange = () => change({ lines: $('lines').value });
	$('clear').onclick = clear;
	$('theme').onclick = toggleTheme;
	$('help').onclick = () => $('keys').showModal();
	setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
	new ResizeObserver(() => requestAnimationFrame(paint)).observe($('scroll'));
	window.addEventListener('hashchange', () => { readHash(); update(); });
	readHash();
	update();
}
begin();
})();
