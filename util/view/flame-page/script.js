'use strict';
(function () {
const $ = id => document.getElementById(id);
const M = JSON.parse($('meta').textContent);
const DIFF = !!M.sides, F = M.names.length, N = M.nodes;
const ROW = 19, ALL = -1;

// ---- the data ----

// The numbers of the page, one by one: base64, of which a piece at a time is made bytes.
function reader(text) {
	const code = new Uint8Array(128), PIECE = 1 << 16, b = new Uint8Array(PIECE + 16);
	let from = 0, at = 0, length = 0;
	'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.split('').forEach((c, i) => { code[c.charCodeAt(0)] = i; });
	function more() {
		b.copyWithin(0, at, length);
		length -= at;
		at = 0;
		const to = Math.min(text.length - 3, from + PIECE / 4 * 4 - 64);
		for (; from < to && length + 3 <= b.length; from += 4) {
			const w = code[text.charCodeAt(from)] << 18 | code[text.charCodeAt(from + 1)] << 12 | code[text.charCodeAt(from + 2)] << 6 |
				code[text.charCodeAt(from + 3)];
			b[length++] = w >> 16;
			b[length++] = w >> 8;
			b[length++] = w;
		}
	}
	return () => {
		if (length - at < 10)
			more();
		let c = b[at++];
		if (c < 128)
			return c;
		let v = c & 127, k = 128;
		do {
			c = b[at++];
			v += (c & 127) * k;
			k *= 128;
		} while (c & 128);
		return v;
	};
}

// By node, parents first; end: after all below it. By sum, in the order of nodes. Of each there may be millions.
const parent = new Int32Array(N), frame = F < 1 << 15 ? new Int16Array(N) : new Int32Array(N), end = new Int32Array(N);
let depth = new Uint16Array(N);
const sTrack = M.tracks.length / 4 <= 256 ? new Uint8Array(M.sums) : new Uint32Array(M.sums), sSlice = new Uint32Array(M.sums),
	sNode = new Uint32Array(M.sums), sCount = new Float64Array(M.sums), sPeriod = new Float64Array(M.sums);
let every = -1;		// what each sample weighs; 0: not all the same
(function decode() {
	const num = reader($('data').textContent), path = [0];
	let level = 0;
	frame[0] = ALL;
	for (let i = 1; i < N; i++) {
		const n = num(), left = n % 2, d = level + 1 - (left ? num() : 0);
		if (d > 65535 && depth.BYTES_PER_ELEMENT < 4)
			depth = Int32Array.from(depth);
		while (level >= d)
			end[path[level--]] = i;
		frame[i] = (n - left) / 2;
		parent[i] = path[level];
		depth[i] = level = d;
		path[level] = i;
	}
	while (level >= 0)
		end[path[level--]] = N;
	const each = new Float64Array(M.tracks.length / 4);	// by track
	let track = 0, slice = 0, node = 0;
	for (let i = 0; i < M.sums; i++) {
		const head = num(), moved = head % 2, other = (head - moved) / 2 % 2, same = (head - moved - 2 * other) / 4 % 2,
			n = (head - moved - 2 * other - 4 * same) / 8;
		if (moved)
			node += num();
		if (other)
			track = num();
		slice = moved || other ? num() : slice + num();
		sTrack[i] = track;
		sSlice[i] = slice;
		sNode[i] = node;
		sCount[i] = n;
		if (same) {
			sPeriod[i] = each[track] * n;
			continue;
		}
		const period = num(), one = period % n ? 0 : period / n;
		sPeriod[i] = period;
		each[track] = one;
		every = every < 0 || every === one ? one : 0;
	}
	every = Math.max(every, 0);
})();
const tracks = [];
for (let i = 0; i * 4 < M.tracks.length; i++)
	tracks.push({ i, event: M.tracks[4 * i], pid: M.tracks[4 * i + 1], tid: M.tracks[4 * i + 2], comm: M.comms[M.tracks[4 * i + 3]],
		side: DIFF ? M.sides[i] : 0, total: 0, count: 0 });
for (let i = 0; i < M.sums; i++) {
	tracks[sTrack[i]].total += sPeriod[i];
	tracks[sTrack[i]].count += sCount[i];
}
const nSlices = sSlice.reduce((m, s) => Math.max(m, s), 0) + 1;
const isTime = M.events.map(e => /^(cpu-clock|task-clock|off-cpu)/.test(e));

// ---- what is shown ----

const state = { event: 0, task: '', tid: '', view: M.inverted ? 'inverted' : 'calls', up: !M.icicle, group: 'none',
	color: DIFF ? 'self' : 'kind', weight: DIFF ? 'both' : 'period', q: '', from: -1, to: -1, fn: -1, zoom: [], zoomUp: [], theme: '', wait: -1 };
if (M.event)
	state.event = Math.max(0, M.events.indexOf(M.event));
const defaults = Object.assign({}, state);
let sums;		// of the samples that are shown: self, total, count by node; old: the same of the other side
let panes = [];		// what is drawn: { D, z, up, row }
let labels = [];	// names of groups, after those of frames
let matches = null;	// by frame
let selected = null;	// { pane, node }
let hover = null;

const nameOf = l => l === ALL ? 'all' : l < F ? M.names[l] : labels[l - F];
const fmt = new Intl.NumberFormat('en');
const pct = (a, b) => b ? (100 * a / b).toFixed(a && 100 * a / b < 0.1 ? 3 : 2) + '%' : '-';
function amount(v) {
	if (!isTime[state.event])
		return fmt.format(Math.round(v));
	return v < 1e6 ? (v / 1e3).toFixed(1) + ' µs' : v < 1e9 ? (v / 1e6).toFixed(1) + ' ms' : (v / 1e9).toFixed(2) + ' s';
}
const seconds = ns => ns < 1e6 ? (ns / 1e3).toFixed(0) + ' µs' : ns < 1e9 ? (ns / 1e6).toFixed(1) + ' ms' : (ns / 1e9).toFixed(3) + ' s';

function trackShown(l) {
	return l.event === state.event && (!state.task || l.comm === state.task) && (!state.tid || String(l.tid) === state.tid);
}

// Arrays of numbers by node, in place of those of the samples that were shown before.
const arrays = {};
function zeros(name) {
	if (!arrays[name])
		return arrays[name] = new Float64Array(N);
	return arrays[name].fill(0);
}

function upward(t) {
	for (let i = N; i-- > 1;)
		t[parent[i]] += t[i];
	return t;
}

// What each sample of the tracks weighs; 0: not all the same.
function weightOfEach(on, from, to, w) {
	if (every || w === sCount)
		return w === sCount ? 1 : every;
	let each = -1;
	for (let i = 0; i < w.length; i++)
		if (on[sTrack[i]] && sSlice[i] >= from && sSlice[i] <= to && w[i] !== each * sCount[i]) {
			if (each >= 0)
				return 0;
			each = w[i] / sCount[i];
		}
	return Math.max(each, 0);
}

// Sums of the tracks by node.
function byNode(to, on, first, last, w) {
	for (let i = 0; i < w.length; i++)
		if (on[sTrack[i]] && sSlice[i] >= first && sSlice[i] <= last)
			to[sNode[i]] += w[i];
	return to;
}
const span = () => state.from < 0 ? [0, nSlices] : [state.from, state.to];
const weights = () => state.weight === 'samples' ? sCount : sPeriod;

// The samples of the tracks: by node total, and count where they do not all weigh the same, which is each.
function addTracks(on, name) {
	const [from, to] = span(), w = weights(), each = weightOfEach(on, from, to, w);
	return { each, total: upward(byNode(zeros(name + ' total'), on, from, to, w)),
		count: each ? null : upward(byNode(zeros(name + ' count'), on, from, to, sCount)) };
}

const countOf = (s, i) => s.count ? s.count[i] : Math.round(s.total[i] / s.each) || 0;

// Of both sides, a and b, what is shown.
const ofSide = (on, k) => on.map((v, l) => v && tracks[l].side === k);
const weighs = side => state.weight !== (side ? 'old' : 'new');
function addSides(on) {
	const a = addTracks(ofSide(on, 0), 'a'), b = addTracks(ofSide(on, 1), 'b'), total = zeros('both total'), count = zeros('both count');
	for (let i = 0; i < N; i++) {
		total[i] = (weighs(0) ? a.total[i] : 0) + (weighs(1) ? b.total[i] : 0);
		count[i] = countOf(a, i) + countOf(b, i);
	}
	return { total, count, each: 0, a, b };
}
let shownTracks = null;
const addUp = on => DIFF ? addSides(on) : addTracks(on, 'all');

// ---- trees to draw ----
// frame: label; total, count, and self where that is not what those below it leave, in the order of drawing, parents first; end: after
// all below it; whole: its nodes are those of the whole tree

function selfOf(D, i) {
	if (D.self)
		return D.self[i];
	let v = D.total[i];
	for (let k = i + 1; k < D.end[i]; k = D.end[k])
		v -= D.total[k];
	return v;
}

function plainTree() {
	return { n: N, frame, parent, depth, end, total: sums.total, count: sums.count, each: sums.each, whole: true };
}

function newTree() {
	return { n: 0, frame: [], parent: [], depth: [], end: [], total: [], self: [], count: [] };
}

function push(D, p, label, total, self, count) {
	const i = D.n++;
	D.frame.push(label);
	D.parent.push(p);
	D.depth.push(i ? D.depth[p] + 1 : 0);
	D.total.push(total);
	D.self.push(self);
	D.count.push(count);
	D.end.push(i + 1);
	return i;
}

function closeTree(D) {
	for (let i = D.n; i-- > 1;)
		D.end[D.parent[i]] = Math.max(D.end[D.parent[i]], D.end[i]);
	return D;
}

// The tracks that are shown, by name or thread.
function trackGroups() {
	const groups = new Map();
	for (const l of tracks) {
		const key = state.group === 'comm' ? l.comm : l.comm + ' ' + l.tid;
		if (trackShown(l))
			groups.set(key, (groups.get(key) || new Set()).add(l.i));
	}
	return groups;
}

// Those of a track, in the order of nodes.
let sumsByTrack = null;
function sumsOf(track) {
	if (!sumsByTrack) {
		const next = new Uint32Array(tracks.length + 1), order = new Uint32Array(sTrack.length);
		for (let i = 0; i < sTrack.length; i++)
			next[sTrack[i] + 1]++;
		for (let l = 0; l < tracks.length; l++)
			next[l + 1] += next[l];
		const starts = next.slice();
		for (let i = 0; i < sTrack.length; i++)
			order[next[sTrack[i]]++] = i;
		sumsByTrack = { order, starts };
	}
	return sumsByTrack.order.subarray(sumsByTrack.starts[track], sumsByTrack.starts[track + 1]);
}

// The nodes where samples of the tracks are, those above them, and what is there; t and c: of N zeros, which they are again.
function partOf(key, ids, t, c, seen) {
	const w = weights(), found = [0], [from, to] = span();
	seen[0] = 1;
	for (const id of ids) {
		const counts = !DIFF || weighs(tracks[id].side);
		for (const i of sumsOf(id)) {
			if (sSlice[i] < from || sSlice[i] > to)
				continue;
			t[sNode[i]] += counts ? w[i] : 0;
			c[sNode[i]] += sCount[i];
			for (let k = sNode[i]; !seen[k]; k = parent[k]) {
				seen[k] = 1;
				found.push(k);
			}
		}
	}
	const nodes = Int32Array.from(found).sort(), total = new Float64Array(nodes.length), count = new Float64Array(nodes.length);
	for (let j = nodes.length; j-- > 0;) {
		const k = nodes[j];
		total[j] = t[k];
		count[j] = c[k];
		t[k] = c[k] = seen[k] = 0;
		if (k) {
			t[parent[k]] += total[j];
			c[parent[k]] += count[j];
		}
	}
	return { key, nodes, total, count };
}

// One tree below each name or thread.
function groupedTree() {
	const t = new Float64Array(N), c = new Float64Array(N), seen = new Uint8Array(N), place = new Int32Array(N);
	const parts = [...trackGroups()].map(([key, ids]) => partOf(key, ids, t, c, seen)).filter(part => part.total[0]);
	parts.sort((a, b) => b.total[0] - a.total[0]);
	const n = parts.reduce((m, part) => m + part.nodes.length, 1);
	const D = { n, frame: new Int32Array(n), parent: new Int32Array(n), depth: new Int32Array(n), end: new Int32Array(n),
		total: new Float64Array(n), count: new Float64Array(n), labels: parts.map(part => part.key) };
	D.frame[0] = ALL;
	D.total[0] = sums.total[0];
	D.count[0] = countOf(sums, 0);
	let at = 1;
	parts.forEach(({ nodes, total, count }, g) => {
		D.total.set(total, at);
		D.count.set(count, at);
		for (const k of nodes) {
			D.frame[at] = k ? frame[k] : F + g;
			D.depth[at] = depth[k] + 1;
			D.parent[at] = k ? place[parent[k]] : 0;
			D.end[at] = at + 1;
			place[k] = at++;
		}
	});
	return closeTree(D);
}

// Stacks by frame are places from from to to in common arrays: a node, what is there, and how many samples, where these do not all
// weigh the same. Those of the nodes above take their places: most are too narrow to be seen, thus first is counted what each frame has,
// and then those that have the least (and one that is asked for) are put there, and are the groups. What is above none of them: self.
// slot: of F times -1, which it is again.
const above = { total: new Float64Array(F), n: new Int32Array(F) };
function callersOf(P, g, slot, least, label) {
	const groups = [], labels = [], n = g.to - g.from, { nodes, w, c, old } = P;
	let self = 0, most = g.from;
	for (let i = 0; i < n; i++) {
		const up = old.nodes[i] = parent[nodes[g.from + i]], l = frame[up], v = old.w[i] = w[g.from + i];
		if (c)
			old.c[i] = c[g.from + i];
		if (!up) {
			self += v;
			continue;
		}
		if (!above.n[l]++)
			labels.push(l);
		above.total[l] += v;
	}
	for (const l of labels) {
		if (above.total[l] >= least || l === label) {
			slot[l] = groups.length;
			groups.push({ label: l, total: above.total[l], count: c ? 0 : Math.round(above.total[l] / sums.each), from: most, to: most });
			most += above.n[l];
		}
		above.total[l] = above.n[l] = 0;
	}
	for (let i = 0; i < n && most > g.from; i++) {
		const up = old.nodes[i], at = up ? slot[frame[up]] : -1;
		if (at < 0)
			continue;
		const k = groups[at], to = k.to++;
		nodes[to] = up;
		w[to] = old.w[i];
		if (c)
			k.count += c[to] = old.c[i];
	}
	for (const k of groups)
		slot[k.label] = -1;
	return { groups, self };
}

function calleesOf(P, g, slot) {
	const groups = [];
	let self = 0;
	for (const node of g.nodes) {
		self += sums.total[node];
		for (let k = node + 1; k < end[node]; k = end[k]) {
			const total = sums.total[k], count = countOf(sums, k);
			self -= total;
			if (!total && !count)
				continue;
			if (slot[frame[k]] < 0) {
				slot[frame[k]] = groups.length;
				groups.push({ label: frame[k], total: 0, count: 0, nodes: [] });
			}
			const to = groups[slot[frame[k]]];
			to.total += total;
			to.count += count;
			to.nodes.push(k);
		}
	}
	for (const k of groups)
		slot[k.label] = -1;
	return { groups, self };
}

const heavierFirst = (a, b) => b.total - a.total || a.label - b.label;

// Stacks of many places joined by their frames: up to the callers, or down to the callees. Only what is wide enough to be seen is
// followed; of a zoomed one only it and what is below it, measured by that.
function joinedTree(P, by, path) {
	const D = newTree(), slot = new Int32Array(F).fill(-1), todo = [], starts = P.groups.slice(), { total } = P;
	push(D, 0, ALL, total, 0, P.count);
	starts.sort(heavierFirst);
	function queue(groups, p, level) {
		for (let i = groups.length; i-- > 0;)
			if (level >= path.length || path[level] === groups[i].label)
				todo.push({ g: groups[i], p, level });
	}
	queue(starts, 0, 0);
	let least = total / 4000;
	while (todo.length) {
		const { g, p, level } = todo.pop();
		if (level === path.length - 1)
			least = g.total / 4000;
		if (g.total < least && level >= path.length)
			continue;
		const id = push(D, p, g.label, g.total, 0, g.count), { groups, self } = by(P, g, slot, least, path[level + 1]);
		D.self[id] = self;
		groups.sort(heavierFirst);
		queue(groups, id, level + 1);
	}
	return closeTree(D);
}

// Groups of stacks for callersOf, and room for them.
function newPlaces(groups) {
	const n = groups.reduce((m, g) => m + g.to - g.from, 0), most = groups.reduce((m, g) => Math.max(m, g.to - g.from), 0);
	const room = k => ({ nodes: new Int32Array(k), w: new Float64Array(k), c: sums.count ? new Float64Array(k) : null });
	return Object.assign(room(n), { groups, old: room(most), total: groups.reduce((m, g) => m + g.total, 0),
		count: groups.reduce((m, g) => m + g.count, 0) });
}

// The places with samples in the order of their frames (a node for each of its sums), and the groups that these are.
function byFrame() {
	const [from, to] = span(), w = weights(), next = new Int32Array(F + 1), groups = [], total = new Float64Array(F), count = new Float64Array(F);
	const counts = tracks.map(l => !DIFF || weighs(l.side));
	const passes = i => sNode[i] && shownTracks[sTrack[i]] && sSlice[i] >= from && sSlice[i] <= to;
	for (let i = 0; i < w.length; i++)
		if (passes(i))
			next[frame[sNode[i]] + 1]++;
	for (let f = 0; f < F; f++)
		next[f + 1] += next[f];
	const begin = next.slice(), n = next[F], all = { nodes: new Int32Array(n), w: new Float64Array(n), c: sums.count ? new Float64Array(n) : null, groups };
	for (let i = 0; i < w.length; i++) {
		if (!passes(i))
			continue;
		const node = sNode[i], f = frame[node], at = next[f]++;
		all.nodes[at] = node;
		total[f] += all.w[at] = counts[sTrack[i]] ? w[i] : 0;
		count[f] += sCount[i];
		if (all.c)
			all.c[at] = sCount[i];
	}
	for (let f = 0; f < F; f++)
		if (begin[f + 1] > begin[f])
			groups.push({ label: f, total: total[f], count: count[f], from: begin[f], to: begin[f + 1] });
	return all;
}

// Those that begin as the path does.
function invertedPlaces(all, path) {
	const P = newPlaces(path.length ? all.groups.filter(g => g.label === path[0]) : all.groups);
	let at = 0;
	P.groups = P.groups.map(g => {
		const from = at;
		for (const k of ['nodes', 'w', 'c'])
			if (P[k])
				P[k].set(all[k].subarray(g.from, g.to), from);
		at += g.to - g.from;
		return Object.assign({}, g, { from, to: at });
	});
	P.total = all.groups.reduce((m, g) => m + g.total, 0);
	P.count = all.groups.reduce((m, g) => m + g.count, 0);
	return P;
}

// The outermost frames of a function: what is below them is counted once.
function functionGroups(fn) {
	const g = { label: fn, total: 0, count: 0, nodes: [], from: 0, to: 0 };
	for (let i = 1; i < N;) {
		if (frame[i] !== fn) {
			i++;
			continue;
		}
		const count = countOf(sums, i);
		if (sums.total[i] || count) {
			g.total += sums.total[i];
			g.count += count;
			g.nodes.push(i);
		}
		i = end[i];
	}
	g.to = g.nodes.length;
	return g.to ? [g] : [];
}

function callerPlaces(groups) {
	const nodes = groups.length ? groups[0].nodes : [], P = newPlaces(groups);
	nodes.forEach((node, i) => {
		P.nodes[i] = node;
		P.w[i] = sums.total[node];
		if (P.c)
			P.c[i] = sums.count[node];
	});
	return P;
}

function follow(D, path) {
	let at = 0, n = 0;
	for (const label of path) {
		let k = at + 1;
		while (k < D.end[at] && D.frame[k] !== label)
			k = D.end[k];
		if (k >= D.end[at])
			break;
		at = k;
		n++;
	}
	path.length = n;
	return at;
}

function pathTo(D, i) {
	const p = [];
	for (; i; i = D.parent[i])
		p.push(D.frame[i]);
	return p.reverse();
}

// What was made of these samples, until others are shown; the oldest goes.
const KEPT = 12;
const made = new Map();
function kept(what, of, make) {
	const key = what + ' ' + JSON.stringify(of), v = made.get(key) || make();
	made.delete(key);
	made.set(key, v);
	if (made.size > KEPT)
		made.delete(made.keys().next().value);
	return v;
}

function invertedTree(path) {
	return kept('inverted', [path], () => joinedTree(invertedPlaces(kept('by frame', [], byFrame), path), callersOf, path));
}

// What the key for the inverted view needs is made when nobody waits.
let later = 0;
function prepare() {
	clearTimeout(later);
	later = setTimeout(() => {
		kept('by frame', [], byFrame);
		later = setTimeout(() => invertedTree([]), 50);
	}, 300);
}

function makePanes() {
	panes = [];
	selected = hover = null;
	labels = [];
	if (state.view === 'sandwich') {
		if (state.fn < 0)
			state.fn = heaviest();
		const up = kept('callers of', [state.fn, state.zoomUp], () => joinedTree(callerPlaces(functionGroups(state.fn)), callersOf, state.zoomUp)),
			down = kept('callees of', [state.fn, state.zoom], () => joinedTree(newPlaces(functionGroups(state.fn)), calleesOf, state.zoom));
		// both begin with the function itself
		if (!state.zoomUp.length)
			state.zoomUp = [state.fn];
		if (!state.zoom.length)
			state.zoom = [state.fn];
		panes.push({ D: up, up: true, path: state.zoomUp }, { D: down, up: false, path: state.zoom });
	} else if (state.view === 'inverted') {
		panes.push({ D: invertedTree(state.zoom), up: state.up, path: state.zoom });
	} else if (state.group === 'none') {
		panes.push({ D: kept('calls', [], plainTree), up: state.up, path: state.zoom });
	} else {
		const D = kept('grouped', [state.group], groupedTree);
		labels = D.labels;
		panes.push({ D, up: state.up, path: state.zoom });
	}
	for (const p of panes) {
		const { length } = p.path;
		p.z = follow(p.D, p.path);
		if (p.path.length < length && state.view !== 'calls' && (p.path.length || state.view === 'inverted')) {
			makePanes();	// what is beside the path was not followed
			return;
		}
	}
}

// ---- functions ----

let functions = [];
// Sums of w of the tracks by frame.
function ownByFrame(on, w) {
	const v = new Float64Array(F), [from, to] = span();
	for (let i = 0; i < w.length; i++)
		if (sNode[i] && on[sTrack[i]] && sSlice[i] >= from && sSlice[i] <= to)
			v[frame[sNode[i]]] += w[i];
	return v;
}
function addFunctions() {
	const total = new Float64Array(F), open = new Int32Array(F), path = [], w = weights();
	const [a, b] = [0, 1].map(k => DIFF ? ownByFrame(ofSide(shownTracks, k), w) : null),
		[na, nb] = [0, 1].map(k => DIFF ? ownByFrame(ofSide(shownTracks, k), sCount) : null),
		self = DIFF ? a.map((v, f) => (weighs(0) ? v : 0) + (weighs(1) ? b[f] : 0)) : ownByFrame(shownTracks, w);
	let level = 0;
	for (let i = 1; i < N; i++) {
		const f = frame[i], d = depth[i];
		for (; level >= d; level--)
			open[path[level]]--;
		if (!open[f]++)
			total[f] += sums.total[i];
		path[level = d] = f;
	}
	functions = [];
	for (let f = 0; f < F; f++)
		if (total[f]) {
			const r = { f, self: self[f], total: total[f] };
			if (DIFF)
				Object.assign(r, { a: a[f], b: b[f], change: b[f] - a[f], z: (nb[f] - na[f]) / Math.sqrt(nb[f] + na[f] || 1) });
			functions.push(r);
		}
}

function heaviest() {
	let best = functions[0];
	for (const r of functions)
		if (r.self > best.self && M.kinds[r.f] !== 4 || M.kinds[best.f] === 4)
			best = r;
	return best ? best.f : -1;
}

// ---- colours ----

const kinds = ['user space', 'kernel', 'inlined', 'JIT', 'no name'];
const dark = () => document.documentElement.dataset.theme === 'dark';
function hash(s) {
	let h = 2166136261;
	for (let i = 0; i < s.length; i++)
		h = Math.imul(h ^ s.charCodeAt(i), 16777619);
	return (h ^ h >>> 15) >>> 0;
}
const hues = { light: [[16, 30, 92, 71], [204, 22, 74, 73], [146, 26, 46, 68], [268, 26, 66, 80], [36, 8, 10, 79]],
	dark: [[16, 28, 68, 59], [204, 22, 56, 62], [146, 26, 36, 56], [268, 26, 48, 68], [36, 8, 7, 55]] };
const dsoHues = [22, 205, 150, 275, 345, 50, 185, 95, 310, 235];
let dsoRank = [], cache = [], cacheKey = '';
const hsl = (h, s, l) => `hsl(${h},${s}%,${l}%)`;
function kindColor(k, h) {
	const [hue, spread, sat, light] = hues[dark() ? 'dark' : 'light'][k];
	return hsl(hue + h % spread, sat, light + (h >>> 12) % 7 - 3);
}
function dsoColor(d, h) {
	const r = dsoRank[d];
	return r < dsoHues.length ? hsl(dsoHues[r] + h % 12, dark() ? 50 : 68, (dark() ? 59 : 73) + (h >>> 12) % 7 - 3) :
		hsl(36, 6, (dark() ? 56 : 78) + (h >>> 12) % 5 - 2);
}
function labelColor(l) {
	if (l === ALL || l >= F)
		return dark() ? '#8d867b' : '#ddd5c8';
	const key = state.color + document.documentElement.dataset.theme;
	if (key !== cacheKey) {
		cache = new Array(F);
		cacheKey = key;
	}
	if (!cache[l]) {
		const h = hash(M.names[l]);
		cache[l] = state.color === 'dso' ? dsoColor(M.dso[l], h) : kindColor(M.kinds[l], h);
	}
	return cache[l];
}
const GREY = () => dark() ? '#77726a' : '#d9d4ca';
// Red: more than before, blue: less; grey: no more than chance explains (3 standard deviations of the numbers of samples).
function changeColor(was, is, nWas, nIs) {
	const z = (nIs - nWas) / Math.sqrt(nIs + nWas || 1);
	if (Math.abs(z) < 3)
		return GREY();
	const k = Math.min(1, Math.abs(is - was) / Math.max(was, is, 1) * 2), light = dark() ? 62 - 12 * k : 84 - 26 * k;
	return hsl(z > 0 ? 6 : 214, 50 + 40 * k, light);
}
const byFunction = new Map();
const ownOf = (s, i) => selfOf({ total: s.total, end }, i);
const ownCount = (s, i) => s.count ? selfOf({ total: s.count, end }, i) : Math.round(ownOf(s, i) / s.each) || 0;
function colorOf(D, i) {
	const l = D.frame[i];
	if (!DIFF || l === ALL || l >= F)
		return labelColor(l);
	if (D.whole && state.color === 'total')
		return changeColor(sums.a.total[i], sums.b.total[i], countOf(sums.a, i), countOf(sums.b, i));
	if (D.whole && state.color === 'self')
		return changeColor(ownOf(sums.a, i), ownOf(sums.b, i), ownCount(sums.a, i), ownCount(sums.b, i));
	const r = byFunction.get(l);
	return r && Math.abs(r.z) >= 3 ? changeColor(r.a, r.b, 0, r.z > 0 ? 99 : -99) : GREY();
}

// ---- drawing ----

const canvas = $('graph'), ctx = canvas.getContext('2d'), scroll = $('scroll');
let width = 0, height = 0, rows = 0, wide = new Map(), pending = false;
const FONT = '12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif';

function textWidth(s) {
	let w = wide.get(s);
	if (w === undefined) {
		if (wide.size > 50000)
			wide.clear();
		wide.set(s, w = ctx.measureText(s).width);
	}
	return w;
}

function fitText(s, room) {
	if (s.length > 400)
		s = s.slice(0, 400);
	const w = textWidth(s);
	if (w <= room)
		return s;
	let n = Math.floor(s.length * room / w) - 1;
	while (n > 1 && ctx.measureText(s.slice(0, n) + '…').width > room)
		n--;
	return n > 1 ? s.slice(0, n) + '…' : '';
}

const minPx = M.minwidth >= 0 ? Math.max(M.minwidth, 0.05) : 0.4;

// What is below node z and at least so heavy, in the order of drawing, and where it begins in z.
function walk(D, z, least, visit) {
	const next = [], { total, depth, end } = D;
	next[depth[z] + 1] = 0;
	for (let i = z + 1; i < end[z];) {
		const d = depth[i], x = next[d];
		next[d] = x + total[i];
		if (total[i] < least) {
			i = end[i];
			continue;
		}
		next[d + 1] = x;
		visit(i++, x);
	}
}

// Of a tree: those of its nodes that have at least this part of all, and where each begins.
const PARTS = [262144, 65536, 16384, 4096, 1024];
function wideList(D, part) {
	const nodes = [], x = [];
	walk(D, 0, D.total[0] / part, (i, at) => {
		nodes.push(i);
		x.push(at);
	});
	return { nodes, x };
}

// The first place in the list that is not before the node.
function placeOf(list, node) {
	let a = 0, b = list.length;
	while (a < b) {
		const m = a + b >> 1;
		if (list[m] < node)
			a = m + 1;
		else
			b = m;
	}
	return a;
}

function startOf(D, z) {
	let x = 0;
	for (let i = z; i; i = D.parent[i])
		for (let k = D.parent[i] + 1; k < i; k = D.end[k])
			x += D.total[k];
	return x;
}

// As walk. In trees of millions of nodes most are too narrow to be seen, and are not even looked at.
function eachBelow(D, z, least, visit) {
	let k = PARTS.length;
	while (k-- > 0 && D.total[0] / PARTS[k] > least);
	if (k < 0) {
		walk(D, z, least, visit);
		return;
	}
	D.wide = D.wide || [];
	const { nodes, x } = D.wide[k] || (D.wide[k] = wideList(D, PARTS[k])), x0 = startOf(D, z);
	for (let at = placeOf(nodes, z + 1); at < nodes.length && nodes[at] < D.end[z]; at++)
		if (D.total[nodes[at]] >= least)
			visit(nodes[at], x[at] - x0);
}

const narrowest = p => minPx * (p.D.total[p.z] || 1) / width;

// How deep what is wide enough goes, below the zoomed frame.
function deepest(p) {
	const { D, z } = p;
	let most = D.depth[z];
	eachBelow(D, z, narrowest(p), i => { most = Math.max(most, D.depth[i]); });
	return most;
}

function layout() {
	const sandwich = state.view === 'sandwich';
	width = scroll.clientWidth;
	height = scroll.clientHeight;
	for (const p of panes) {
		p.skip = sandwich ? 1 : 0;	// 'all' is not shown
		p.rows = deepest(p) + 1 - p.skip;
	}
	// where the row of the outermost frame is drawn; the function of a sandwich is in both panes, and drawn once
	if (sandwich) {
		rows = panes[0].rows + panes[1].rows - 1;
		panes[0].base = panes[1].base = (panes[0].rows - 1) * ROW + 3;
	} else {
		rows = panes[0].rows;
		panes[0].base = panes[0].up ? Math.max(rows * ROW + 6, height) - ROW - 3 : 3;
	}
	$('space').style.height = Math.max(rows * ROW + 6, height) + 'px';
	const k = window.devicePixelRatio || 1;
	canvas.width = Math.round(width * k);
	canvas.height = Math.round(height * k);
	canvas.style.height = height + 'px';
	ctx.setTransform(k, 0, 0, k, 0, 0);
}

const yOf = (p, level) => p.base + (p.up ? -1 : 1) * (level - p.skip) * ROW - scroll.scrollTop;

function roundRect(x, y, w, h) {
	if (w < 4) {
		ctx.fillRect(x, y, w, h);
		return;
	}
	ctx.beginPath();
	ctx.roundRect(x, y, w, h, 2.5);
	ctx.fill();
}

function drawFrame(p, i, x, w, faded) {
	const { D } = p, y = yOf(p, D.depth[i]), l = D.frame[i];
	if (y > height || y + ROW < 0)
		return;
	const hit = matches && l >= 0 && l < F && matches[l];
	ctx.globalAlpha = faded ? 0.55 : matches && !hit ? 0.4 : 1;
	ctx.fillStyle = hit ? '#e15fd0' : colorOf(D, i);
	const gap = w > 3 ? 1 : 0;
	roundRect(x, y, Math.max(w - gap, 0.5), ROW - 1);
	ctx.globalAlpha = faded || matches && !hit ? 0.75 : 1;
	if (w > 24) {
		const s = fitText(nameOf(l), w - 9);
		ctx.fillStyle = faded || matches && !hit ? (dark() ? '#e8e2d8' : '#231f1a') : '#1d1710';
		if (s)
			ctx.fillText(s, x + 4.5, y + 13);
	}
	ctx.globalAlpha = 1;
	const middle = state.view === 'sandwich' && D.depth[i] === p.skip;
	const mark = middle ? 2 : selected && selected.pane === p && selected.node === i ? 2 : hover && hover.pane === p && hover.node === i ? 1 : 0;
	if (mark) {
		ctx.strokeStyle = dark() ? '#fff' : '#231f1a';
		ctx.lineWidth = mark === 2 ? 2 : 1.2;
		ctx.strokeRect(x + 0.5, y + 0.5, Math.max(w - 1 - gap, 1), ROW - 2);
	}
}

function drawPane(p) {
	const { D, z, skip } = p, scale = width / (D.total[z] || 1);
	for (let a = z; a; a = D.parent[a])
		if (D.depth[D.parent[a]] >= skip)
			drawFrame(p, D.parent[a], 0, width, true);
	if (D.depth[z] >= skip)
		drawFrame(p, z, 0, width, false);
	eachBelow(D, z, narrowest(p), (i, x) => drawFrame(p, i, x * scale, D.total[i] * scale, false));
}

function paint() {
	pending = false;
	ctx.clearRect(0, 0, width, height);
	ctx.font = FONT;
	for (const p of panes)
		drawPane(p);
	if (!panes.length || !panes[0].D.total[0]) {
		ctx.fillStyle = dark() ? '#a49c8f' : '#6b645a';
		ctx.fillText('No samples in this choice.', 16, 28);
	}
}
function draw() {
	if (!pending) {
		pending = true;
		requestAnimationFrame(paint);
	}
}

function hitTest(px, py) {
	for (const p of panes) {
		const { D, z } = p, step = Math.floor((py - p.base + scroll.scrollTop) / ROW), level = (p.up ? -step : step) + p.skip;
		if (level < p.skip)
			continue;
		if (level <= D.depth[z]) {
			let a = z;
			while (D.depth[a] > level)
				a = D.parent[a];
			return { pane: p, node: a };
		}
		const at = px / width * D.total[z];
		let a = z, x = 0;
		while (D.depth[a] < level) {
			let k = a + 1;
			for (; k < D.end[a] && x + D.total[k] <= at; k = D.end[k])
				x += D.total[k];
			if (k >= D.end[a])
				break;
			a = k;
		}
		if (D.depth[a] === level && D.total[a] * width / (D.total[z] || 1) >= minPx)
			return { pane: p, node: a };
	}
	return null;
}

// ---- words about a frame ----

function facts(p, i) {
	const { D } = p, l = D.frame[i], all = sums.total[0], out = [];
	const r = l >= 0 && l < F ? byFunction.get(l) : null;
	out.push(['in this place', pct(D.total[i], all) + ' · ' + amountOf(D.total[i])]);
	if (D.total[p.z] !== all && p.z)
		out.push(['of the zoomed', pct(D.total[i], D.total[p.z])]);
	if (state.view === 'calls' || p === panes[1])
		out.push(['self', pct(selfOf(D, i), all) + ' · ' + amountOf(selfOf(D, i))]);
	out.push(['samples', fmt.format(countOf(D, i))]);
	if (DIFF && D.whole) {
		out.push(['old → new', amount(sums.a.total[i]) + ' → ' + amount(sums.b.total[i]) + ' (' + signed(sums.b.total[i] -
			sums.a.total[i]) + ')']);
		out.push(['self', amount(ownOf(sums.a, i)) + ' → ' + amount(ownOf(sums.b, i))]);
	}
	if (r)
		out.push(['function', pct(r.total, all) + ' total, ' + pct(r.self, all) + ' self']);
	if (l >= 0 && l < F) {
		out.push(['kind', kinds[M.kinds[l]] + (M.dsos[M.dso[l]] ? ', ' + M.dsos[M.dso[l]] : '')]);
		if (M.lines[2 * l + 1])
			out.push([M.kinds[l] === 2 ? 'called at' : 'source', M.files[M.lines[2 * l]] + ':' + M.lines[2 * l + 1]]);
	}
	return out;
}
const amountOf = v => state.weight === 'samples' ? fmt.format(v) : amount(v);
const signed = v => (v > 0 ? '+' : v < 0 ? '−' : '±') + amountOf(Math.abs(v));

function showTip(at, x, y) {
	const tip = $('tip');
	if (!at) {
		tip.hidden = true;
		return;
	}
	tip.textContent = '';
	const b = document.createElement('b'), dl = document.createElement('dl');
	b.textContent = nameOf(at.pane.D.frame[at.node]);
	for (const [k, v] of facts(at.pane, at.node)) {
		const dt = document.createElement('dt'), dd = document.createElement('dd');
		dt.textContent = k;
		dd.textContent = v;
		dl.append(dt, dd);
	}
	tip.append(b, dl);
	tip.hidden = false;
	const w = tip.offsetWidth, h = tip.offsetHeight;
	tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - w - 8)) + 'px';
	tip.style.top = (y + 18 + h > innerHeight ? Math.max(4, y - h - 12) : y + 18) + 'px';
}

function tell(at) {
	$('live').textContent = at ? nameOf(at.pane.D.frame[at.node]) + ': ' + pct(at.pane.D.total[at.node], sums.total[0]) +
		', ' + fmt.format(countOf(at.pane.D, at.node)) + ' samples' : '';
}

// ---- parts around the graph ----

function showCrumbs() {
	const nav = $('crumbs'), p = panes[panes.length - 1];
	nav.textContent = '';
	const path = [0];
	for (let i = p.z; i; i = p.D.parent[i])
		path.splice(1, 0, i);
	path.forEach((i, k) => {
		if (k) {
			const sep = document.createElement('i');
			sep.textContent = '›';
			nav.append(sep);
		}
		if (path.length > 9 && k > 2 && k < path.length - 5) {
			if (nav.lastElementChild.textContent === '›' && k > 3)
				nav.lastElementChild.remove();
			if (k === 3)
				nav.append('…');
			return;
		}
		const b = document.createElement('button');
		b.type = 'button';
		b.textContent = state.view === 'sandwich' && !i ? 'sandwich' : nameOf(p.D.frame[i]);
		b.title = b.textContent;
		b.onclick = () => zoomTo(p, i);
		nav.append(b);
	});
}

let order = DIFF ? 'change' : 'self', orderUp = false;
function showTable() {
	const q = matches, list = functions.filter(r => !q || q[r.f]);
	const key = { self: r => r.self, total: r => r.total, change: r => Math.abs(r.change), old: r => r.a, new: r => r.b }[order];
	// changes that chance explains come after all others
	const sure = r => order === 'change' && Math.abs(r.z) >= 3 ? 1 : 0;
	list.sort((a, b) => (sure(b) - sure(a) || key(b) - key(a)) * (orderUp ? -1 : 1) || a.f - b.f);
	const body = $('rows'), all = sums.total[0];
	body.textContent = '';
	$('caption').textContent = (q ? fmt.format(list.length) + ' of ' : '') + fmt.format(functions.length) + ' functions';
	for (const r of list.slice(0, 200)) {
		const tr = document.createElement('tr'), cells = DIFF ? [amountOf(r.a), amountOf(r.b), signed(r.change)] :
			[pct(r.self, all), pct(r.total, all)];
		for (const c of cells) {
			const td = document.createElement('td');
			td.textContent = c;
			tr.append(td);
		}
		if (DIFF && Math.abs(r.z) >= 3)
			tr.lastChild.className = r.change > 0 ? 'more' : 'less';
		const td = document.createElement('td'), b = document.createElement('button');
		b.type = 'button';
		b.textContent = M.names[r.f];
		b.title = M.names[r.f] + (M.dsos[M.dso[r.f]] ? ' (' + M.dsos[M.dso[r.f]] + ')' : '') + ': callers and callees';
		b.onclick = () => sandwich(r.f);
		td.append(b);
		tr.append(td);
		if (q)
			tr.className = 'hit';
		body.append(tr);
	}
}

function tableHead() {
	$('table').className = DIFF ? 'diff' : '';
	const cols = DIFF ? [['old', 'Old'], ['new', 'New'], ['change', 'Change']] : [['self', 'Self'], ['total', 'Total']];
	for (const [key, text] of cols) {
		const th = document.createElement('th'), b = document.createElement('button');
		th.className = 'num';
		th.scope = 'col';
		b.type = 'button';
		b.textContent = text;
		b.onclick = () => {
			orderUp = order === key && !orderUp;
			order = key;
			showTable();
		};
		th.append(b);
		$('cols').append(th);
	}
	const th = document.createElement('th');
	th.textContent = 'Function';
	th.scope = 'col';
	$('cols').append(th);
}

function swatch(color) {
	const ns = 'http://www.w3.org/2000/svg', s = document.createElementNS(ns, 'svg'), r = document.createElementNS(ns, 'rect');
	s.setAttribute('width', 11);
	s.setAttribute('height', 11);
	s.setAttribute('aria-hidden', 'true');
	r.setAttribute('width', 11);
	r.setAttribute('height', 11);
	r.setAttribute('rx', 2.5);
	r.setAttribute('fill', color);
	s.append(r);
	return s;
}

function showLegend() {
	const box = $('legend'), of = new Map(), all = sums.total[0];
	box.textContent = '';
	function item(color, text) {
		const s = document.createElement('span'), b = document.createElement('b');
		b.textContent = text;
		b.title = text;
		s.append(swatch(color), b);
		box.append(s);
	}
	if (DIFF) {
		item(hsl(6, 85, dark() ? 52 : 62), 'more than before');
		item(hsl(214, 85, dark() ? 52 : 62), 'less');
		item(GREY(), 'no more than chance');
		return;
	}
	for (const r of functions) {
		const k = state.color === 'dso' ? M.dso[r.f] : M.kinds[r.f];
		of.set(k, (of.get(k) || 0) + r.self);
	}
	const list = [...of].sort((a, b) => b[1] - a[1]);
	list.slice(0, 10).forEach(([k, w]) => item(state.color === 'dso' ? dsoColor(k, 0) : kindColor(k, 0),
		(100 * w / (all || 1)).toFixed(1) + '% ' + (state.color === 'dso' ? M.dsos[k] || 'unknown' : kinds[k])));
}

function rankDsos() {
	const w = new Float64Array(M.dsos.length);
	for (const r of functions)
		w[M.dso[r.f]] += r.self;
	dsoRank = [];
	[...w.keys()].sort((a, b) => w[b] - w[a]).forEach((d, i) => { dsoRank[d] = i; });
	cacheKey = '';
}

// ---- times ----

const tcanvas = $('time'), tctx = tcanvas.getContext('2d'), AREA = 44, TRACK = 15, LABEL = 132;
let threads = [], drag = null;

function makeThreads() {
	threads = tracks.filter(l => l.event === state.event && (!state.task || l.comm === state.task)).sort((a, b) => b.total - a.total);
	$('times').hidden = !M.timed || nSlices < 2 || DIFF;
}

// The busiest threads; those that have no lane are counted.
const lanes = () => threads.slice(0, M.heat ? 3 : threads.length > 7 ? 6 : 7);

// What all threads used in each of so many parts of the time, and each of those shown.
function addTimes(bins, shown) {
	const row = new Int32Array(tracks.length).fill(-1), all = new Float64Array(bins), each = shown.map(() => new Float64Array(bins));
	const counts = tracks.map(l => l.event === state.event && (!state.task || l.comm === state.task)),
		chosen = tracks.map(l => !state.tid || String(l.tid) === state.tid);
	shown.forEach((l, i) => { row[l.i] = i; });
	for (let i = 0; i < sNode.length; i++) {
		const l = sTrack[i];
		if (!counts[l])
			continue;
		const b = Math.min(bins - 1, Math.floor(sSlice[i] * bins / nSlices));
		if (chosen[l])
			all[b] += sPeriod[i];
		if (row[l] >= 0)
			each[row[l]][b] += sPeriod[i];
	}
	return { all, each };
}

function drawTimes() {
	drawHeat();
	if ($('times').hidden)
		return;
	const w = tcanvas.parentElement.clientWidth - 32, shown = lanes(), h = AREA + shown.length * TRACK + 18,
		k = window.devicePixelRatio || 1, room = w - LABEL, bins = Math.max(1, Math.min(nSlices, Math.floor(room / 2)));
	tcanvas.width = Math.round(w * k);
	tcanvas.height = Math.round(h * k);
	tcanvas.style.height = h + 'px';
	tctx.setTransform(k, 0, 0, k, 0, 0);
	tctx.font = '11px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif';
	const { all, each } = kept('times', [bins], () => addTimes(bins, shown));
	const most = all.reduce((m, v) => Math.max(m, v), 0) || 1, px = room / bins, soft = dark() ? '#a49c8f' : '#6b645a';
	tctx.fillStyle = dark() ? '#d98a4e' : '#e8935a';
	tctx.beginPath();
	tctx.moveTo(LABEL, AREA);
	for (let b = 0; b < bins; b++) {
		const y = AREA - (AREA - 6) * all[b] / most;
		tctx.lineTo(LABEL + b * px, y);
		tctx.lineTo(LABEL + (b + 1) * px, y);
	}
	tctx.lineTo(LABEL + room, AREA);
	tctx.fill();
	tctx.fillStyle = soft;
	tctx.fillText(M.events[state.event], 0, 14, LABEL - 10);
	tctx.fillText(fmt.format(threads.length) + (threads.length === 1 ? ' thread' : ' threads'), 0, 29);
	let top = 1;
	each.forEach(e => e.forEach(v => { top = Math.max(top, v); }));
	shown.forEach((l, i) => {
		const y = AREA + 3 + i * TRACK, on = !state.tid || String(l.tid) === state.tid;
		tctx.fillStyle = on ? (dark() ? '#ece7de' : '#231f1a') : soft;
		tctx.fillText(`${l.comm} ${l.tid}`, 0, y + 10, LABEL - 10);
		tctx.fillStyle = dark() ? '#292723' : '#f1ece3';
		tctx.fillRect(LABEL, y, room, TRACK - 3);
		tctx.fillStyle = dark() ? '#ffa05c' : '#c9571a';
		for (let b = 0; b < bins; b++)
			if (each[i][b]) {
				tctx.globalAlpha = (on ? 1 : 0.3) * (0.25 + 0.75 * Math.min(1, each[i][b] / top));
				tctx.fillRect(LABEL + b * px, y, Math.max(px, 1), TRACK - 3);
			}
		tctx.globalAlpha = 1;
	});
	// the scale
	const span = M.to - M.from, raw = span / 6, base = Math.pow(10, Math.floor(Math.log10(raw || 1))),
		step = raw / base > 5 ? base * 10 : raw / base > 2 ? base * 5 : base * 2;
	tctx.fillStyle = soft;
	for (let t = 0; t <= span && step > 0; t += step) {
		const x = LABEL + t / (nSlices * M.slice) * room;
		if (x < w - 30)
			tctx.fillText(t ? seconds(t).replace(/\.?0+ /, ' ') : '0', x + 2, h - 4);
		tctx.fillRect(x, h - 14, 1, 5);
	}
	if (state.from >= 0) {
		const a = LABEL + state.from / nSlices * room, b = LABEL + (state.to + 1) / nSlices * room;
		tctx.fillStyle = dark() ? 'rgba(23,22,20,.66)' : 'rgba(250,248,244,.72)';
		tctx.fillRect(LABEL, 0, a - LABEL, h - 15);
		tctx.fillRect(b, 0, w - b, h - 15);
		tctx.strokeStyle = dark() ? '#ffa05c' : '#b4470f';
		tctx.lineWidth = 1.5;
		tctx.strokeRect(a, 1, Math.max(b - a, 2), h - 17);
	}
	$('span').classList.toggle('on', state.from >= 0);
	if (state.from >= 0)
		$('spantext').textContent = M.heat ? clock(state.from) + ' – ' + clock(state.to + 1) : seconds(state.from * M.slice) + ' – ' +
			seconds((state.to + 1) * M.slice);
}

function sliceAt(e) {
	const r = tcanvas.getBoundingClientRect();
	return Math.max(0, Math.min(nSlices - 1, Math.floor((e.clientX - r.left - LABEL) / (r.width - LABEL) * nSlices)));
}
tcanvas.addEventListener('pointerdown', e => {
	const r = tcanvas.getBoundingClientRect(), i = Math.floor((e.clientY - r.top - AREA - 3) / TRACK);
	if (e.clientX - r.left < LABEL) {
		const l = threads[i];
		if (i >= 0 && l && i < lanes().length)
			change({ tid: state.tid === String(l.tid) ? '' : String(l.tid) });
		return;
	}
	drag = sliceAt(e);
	tcanvas.setPointerCapture(e.pointerId);
});
tcanvas.addEventListener('pointermove', e => {
	if (drag === null)
		return;
	const s = sliceAt(e);
	state.from = Math.min(s, drag);
	state.to = Math.max(s, drag);
	drawTimes();
});
tcanvas.addEventListener('pointerup', e => {
	if (drag === null)
		return;
	const s = sliceAt(e), one = s === drag;
	const from = Math.min(s, drag), to = Math.max(s, drag);
	drag = null;
	change(one ? { from: -1, to: -1 } : { from, to });
});
tcanvas.addEventListener('keydown', e => {
	const d = { ArrowLeft: -1, ArrowRight: 1 }[e.key], step = Math.max(1, Math.round(nSlices / 50));
	if (!d)
		return;
	e.preventDefault();
	const from = state.from < 0 ? 0 : state.from, to = state.from < 0 ? Math.min(nSlices - 1, 5 * step) : state.to;
	if (state.from < 0)
		change({ from, to });
	else if (e.shiftKey)
		change({ from, to: Math.max(from, Math.min(nSlices - 1, to + d * step)) });
	else if (from + d * step >= 0 && to + d * step < nSlices)
		change({ from: from + d * step, to: to + d * step });
});
$('spanclear').onclick = () => change({ from: -1, to: -1 });

// ---- samples by second, and by their place in it ----
// Cell k is slice k - heat0: up a column, then the next one.

const hcanvas = $('heat'), hctx = hcanvas.getContext('2d'), HROW = 4, HTOP = 4, HBOTTOM = 18;
const nCells = M.heat ? nSlices + M.heat0 : 0, nColumns = M.heat ? Math.ceil(nCells / M.heat) : 0;
let heat = null, hdrag = -1, hcursor = -1, hstart = -1, hhover = -1;
const clock = s => ((M.from - M.from % M.slice + s * M.slice) / 1e9).toFixed(3) + ' s';

// Columns that are narrower than a pixel are drawn together.
function heatSize() {
	const room = Math.max(1, hcanvas.parentElement.clientWidth - 32 - LABEL), join = Math.max(1, Math.ceil(nColumns / room));
	return { join, px: Math.min(40, room / Math.ceil(nColumns / join)) };
}

function drawHeat() {
	$('heatbox').hidden = !M.heat;
	if (!M.heat)
		return;
	const R = M.heat, h = R <= 60 ? HROW : Math.max(1, Math.floor(240 / R)), k = window.devicePixelRatio || 1, { join, px } = heatSize(),
		w = hcanvas.parentElement.clientWidth - 32, tall = Math.max(R * h, 60), high = tall / R;
	hcanvas.width = Math.round(w * k);
	hcanvas.height = Math.round((tall + HTOP + HBOTTOM) * k);
	hcanvas.style.height = tall + HTOP + HBOTTOM + 'px';
	hctx.setTransform(k, 0, 0, k, 0, 0);
	hctx.font = '11px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif';
	heat = { join, px, high, tall, n: new Float64Array(Math.ceil(nColumns / join) * R) };
	for (let i = 0; i < sNode.length; i++)
		if (trackShown(tracks[sTrack[i]])) {
			const a = sSlice[i] + M.heat0;
			heat.n[Math.floor(Math.floor(a / R) / join) * R + a % R] += sCount[i];
		}
	const most = heat.n.reduce((m, v) => Math.max(m, v), 0) || 1, soft = dark() ? '#a49c8f' : '#6b645a', columns = heat.n.length / R;
	hctx.fillStyle = dark() ? '#292723' : '#f6f1e8';
	hctx.fillRect(LABEL, HTOP, columns * px, tall);
	for (let c = 0; c < columns; c++)
		for (let r = 0; r < R; r++) {
			const v = heat.n[c * R + r], t = Math.sqrt(v / most);
			if (!v)
				continue;
			hctx.fillStyle = dark() ? `hsl(${28 - 8 * t},${55 + 40 * t}%,${22 + 46 * t}%)` : `hsl(${34 - 24 * t},${70 + 20 * t}%,${86 - 46 * t}%)`;
			hctx.fillRect(LABEL + c * px, HTOP + tall - (r + 1) * high, Math.max(px - (px > 4 ? 1 : 0), 0.5), Math.max(high - (high > 3 ? 0.5 : 0), 0.5));
		}
	drawHeatAxes(w, columns, soft);
	drawHeatSpan();
}

function drawHeatAxes(w, columns, soft) {
	const { px, tall, join } = heat, first = Math.floor(M.from / 1e9), step = Math.max(1, Math.ceil(64 / px));
	hctx.fillStyle = soft;
	hctx.fillText('within the second', 0, HTOP + 10, LABEL - 10);
	for (const ms of [0, 250, 500, 750])
		hctx.fillText(ms + ' ms', LABEL - 44, HTOP + tall - tall * ms / 1000);
	for (let c = 0; c < columns; c += step)
		if (LABEL + c * px < w - 40)
			hctx.fillText(first + c * join + ' s', LABEL + c * px, HTOP + tall + 13);
}

// A column of what is chosen: where in it that begins and ends.
function drawHeatSpan() {
	const { join, px, high, tall } = heat, R = M.heat, mark = (from, to, style, line) => {
		hctx.strokeStyle = style;
		hctx.lineWidth = line;
		const c0 = Math.floor(Math.floor(from / R) / join), c1 = Math.floor(Math.floor(to / R) / join);
		for (let c = c0; c <= c1; c++) {
			const low = c === c0 && join === 1 ? from % R : 0, up = c === c1 && join === 1 ? to % R : R - 1;
			hctx.fillStyle = dark() ? 'rgba(255,255,255,.16)' : 'rgba(20,60,160,.16)';
			hctx.fillRect(LABEL + c * px, HTOP + tall - (up + 1) * high, px, (up - low + 1) * high);
			hctx.strokeRect(LABEL + c * px + 0.5, HTOP + tall - (up + 1) * high, Math.max(px - 1, 1), (up - low + 1) * high);
		}
	};
	if (state.from >= 0)
		mark(state.from + M.heat0, state.to + M.heat0, dark() ? '#9cc2ff' : '#1f55a8', 1);
	if (hhover >= 0)
		mark(hhover, hhover, dark() ? '#fff' : '#231f1a', 1.2);
}

// -1: beside the map
function cellAt(e, near) {
	const b = hcanvas.getBoundingClientRect(), R = M.heat, x = (e.clientX - b.left - LABEL) / heat.px, y = (HTOP + heat.tall - (e.clientY - b.top)) /
		heat.high, on = x >= 0 && x < heat.n.length / R && y >= 0 && y < R;
	if (!on && !near)
		return -1;
	return Math.max(0, Math.min(heat.n.length / R - 1, Math.floor(x))) * heat.join * R + Math.max(0, Math.min(R - 1, Math.floor(y)));
}
function choose(a, b) {
	const last = c => heat.join > 1 ? c - c % M.heat + M.heat * heat.join - 1 : c, lim = v => Math.max(0, Math.min(nSlices - 1, v - M.heat0));
	return { from: lim(Math.min(a, b)), to: lim(last(Math.max(a, b))) };
}
function heatWords(cell) {
	const c = Math.floor(Math.floor(cell / M.heat) / heat.join), n = heat.n[c * M.heat + cell % M.heat];
	return clock(cell - M.heat0) + ': ' + fmt.format(n) + (n === 1 ? ' sample' : ' samples');
}

hcanvas.addEventListener('pointerdown', e => {
	const a = cellAt(e, false);
	if (a < 0 || e.button)
		return;
	hdrag = e.shiftKey && state.from >= 0 ? state.from + M.heat0 : a;
	hcursor = hstart = a;
	hcanvas.setPointerCapture(e.pointerId);
});
hcanvas.addEventListener('pointermove', e => {
	const a = cellAt(e, hdrag >= 0);
	hhover = a;
	$('live').textContent = a < 0 ? '' : heatWords(a);
	if (hdrag >= 0)
		Object.assign(state, choose(hdrag, a));
	drawTimes();
});
hcanvas.addEventListener('pointerup', e => {
	if (hdrag < 0)
		return;
	const from = hdrag;
	hdrag = -1;
	change(choose(from, cellAt(e, true)));
});
hcanvas.addEventListener('pointercancel', () => { hdrag = -1; });
hcanvas.addEventListener('pointerleave', () => {
	hhover = -1;
	drawHeat();
});
hcanvas.addEventListener('keydown', e => {
	const d = { ArrowLeft: -M.heat, ArrowRight: M.heat, ArrowUp: 1, ArrowDown: -1 }[e.key];
	if (!d)
		return;
	e.preventDefault();
	if (hcursor < 0)
		hcursor = M.heat0 + (state.from < 0 ? 0 : state.from);
	else if (hcursor + d >= M.heat0 && hcursor + d < nCells)
		hcursor += d;
	if (!e.shiftKey || hstart < 0)
		hstart = hcursor;
	$('live').textContent = heatWords(hcursor);
	change(choose(hstart, hcursor));
});

// ---- search ----

function search() {
	const box = $('q'), out = $('share');
	matches = null;
	out.textContent = '';
	box.classList.remove('bad');
	box.setAttribute('aria-invalid', 'false');
	if (!state.q)
		return;
	let re;
	try {
		re = new RegExp(state.q, /[A-Z]/.test(state.q) ? '' : 'i');
	} catch (e) {
		box.classList.add('bad');
		box.setAttribute('aria-invalid', 'true');
		out.textContent = 'no pattern';
		return;
	}
	matches = new Uint8Array(F);
	for (let f = 0; f < F; f++)
		matches[f] = re.test(M.names[f]) ? 1 : 0;
	let part = 0;
	for (let i = 1; i < N;) {
		if (matches[frame[i]]) {
			part += sums.total[i];
			i = end[i];
		} else {
			i++;
		}
	}
	out.textContent = pct(part, sums.total[0]);
}

function nextMatch(d) {
	const p = panes[panes.length - 1];
	if (!matches || !p)
		return;
	const { D, z } = p, n = D.end[z] - z;
	let i = selected && selected.pane === p ? selected.node : z;
	for (let k = 0; k < n; k++) {
		i += d;
		if (i >= D.end[z])
			i = z;
		if (i < z)
			i = D.end[z] - 1;
		const l = D.frame[i];
		if (l >= 0 && l < F && matches[l] && D.total[i] * width / D.total[z] >= minPx) {
			select(p, i);
			return;
		}
	}
}

// ---- going about ----

function select(p, i) {
	selected = { pane: p, node: i };
	const y = yOf(p, p.D.depth[i]);
	if (y < 0)
		scroll.scrollTop += y - ROW;
	else if (y + ROW > height)
		scroll.scrollTop += y + 2 * ROW - height;
	tell(selected);
	draw();
}

function zoomTo(p, i) {
	const path = pathTo(p.D, i), key = p === panes[0] && panes.length > 1 ? 'zoomUp' : 'zoom';
	change({ [key]: path });
}

function sandwich(f) {
	if (f >= 0 && f < F)
		change({ view: 'sandwich', fn: f, zoom: [], zoomUp: [] });
}

function move(key) {
	const p = selected ? selected.pane : panes[panes.length - 1];
	let i = selected ? selected.node : p.z;
	const { D } = p, seen = k => D.total[k] * width / (D.total[p.z] || 1) >= minPx;
	const outward = key === (p.up ? 'ArrowDown' : 'ArrowUp');
	if (!selected) {
		select(p, i);
		return;
	}
	if (key === 'ArrowUp' || key === 'ArrowDown') {
		if (outward) {
			i = D.depth[i] > p.skip ? D.parent[i] : i;
			if (state.view === 'sandwich' && i === selected.node && D.depth[i] === p.skip) {
				const other = panes[p === panes[0] ? 1 : 0];
				select(other, other.z);
				return;
			}
		} else {
			let best = -1;
			for (let k = i + 1; k < D.end[i]; k = D.end[k])
				if (seen(k) && (best < 0 || D.total[k] > D.total[best]))
					best = k;
			i = best < 0 ? i : best;
		}
	} else {
		const d = key === 'ArrowRight' ? 1 : -1, level = D.depth[i];
		let k = i;
		do
			k += d;
		while (k > p.z && k < D.end[p.z] && !(D.depth[k] === level && seen(k)));
		if (k > p.z && k < D.end[p.z])
			i = k;
	}
	select(p, i);
}

canvas.addEventListener('pointermove', e => {
	const r = canvas.getBoundingClientRect(), at = hitTest(e.clientX - r.left, e.clientY - r.top);
	if (at && hover && at.pane === hover.pane && at.node === hover.node) {
		showTip(at, e.clientX, e.clientY);
		return;
	}
	hover = at;
	canvas.style.cursor = at ? 'pointer' : 'default';
	showTip(at, e.clientX, e.clientY);
	tell(at);
	draw();
});
canvas.addEventListener('pointerleave', () => {
	hover = null;
	showTip(null);
	draw();
});
canvas.addEventListener('click', e => {
	const r = canvas.getBoundingClientRect(), at = hitTest(e.clientX - r.left, e.clientY - r.top);
	if (at)
		zoomTo(at.pane, at.node);
});
scroll.addEventListener('scroll', draw, { passive: true });

function back() {
	const p = panes[panes.length - 1], least = state.view === 'sandwich' ? 1 : 0;
	if (state.wait >= 0)
		change({ wait: -1 });
	else if (state.zoom.length > least || state.zoomUp.length > least)
		change({ zoom: [], zoomUp: [] });
	else if (state.q)
		change({ q: '' });
	else if (state.from >= 0)
		change({ from: -1, to: -1 });
	else if (state.view === 'sandwich')
		change({ view: 'calls' });
	else if (selected && p) {
		selected = null;
		draw();
	}
}

document.addEventListener('keydown', e => {
	if (e.ctrlKey || e.metaKey || e.altKey || $('keys').open)
		return;
	const typing = /^(INPUT|SELECT)$/.test(e.target.tagName);
	if (e.key === 'Escape') {
		if (typing)
			e.target.blur();
		back();
		return;
	}
	if (typing) {
		if (e.key === 'Enter' && e.target === $('q'))
			nextMatch(e.shiftKey ? -1 : 1);
		return;
	}
	const at = hover || selected, label = at ? at.pane.D.frame[at.node] : -1;
	const acts = { '/': () => $('q').focus(), '?': () => $('keys').showModal(), n: () => nextMatch(1), N: () => nextMatch(-1),
		c: () => change({ view: 'calls', zoom: [], zoomUp: [] }), i: () => change({ view: 'inverted', zoom: [], zoomUp: [] }),
		s: () => at ? sandwich(label) : change({ view: 'sandwich', zoom: [], zoomUp: [] }),
		f: () => change({ up: !state.up }), d: toggleTheme, w: toggleWaits, 0: () => change(Object.assign({}, defaults, { theme: state.theme,
			zoom: [], zoomUp: [] })) };
	if (acts[e.key]) {
		e.preventDefault();
		acts[e.key]();
		return;
	}
	if (e.target === tcanvas || e.target === hcanvas || e.target.tagName === 'BUTTON' || state.wait >= 0)
		return;
	if (e.key.startsWith('Arrow')) {
		e.preventDefault();
		move(e.key);
	} else if (e.key === 'Enter' && selected) {
		zoomTo(selected.pane, selected.node);
	}
});

// ---- waits: what perf sched why says of the longest ones ----

const waits = JSON.parse($('waitdata').textContent || '[]');
const waitColor = { runs: [25, 75], work: [25, 75], lock: [285, 45], cpu: [45, 85], quota: [45, 85], disk: [210, 70], timer: [150, 35],
	network: [190, 60], interrupt: [190, 60], stopped: [0, 60], 'page-faults': [330, 60], memory: [330, 60], sleep: [220, 20], unknown: [0, 0] };

function cellOf(row, text, name) {
	const td = document.createElement('td');
	td.textContent = text;
	if (name)
		td.className = name;
	row.append(td);
	return td;
}

function rowsOf(id, list, add) {
	const body = $(id).tBodies[0];
	body.textContent = '';
	for (const each of list) {
		const tr = document.createElement('tr');
		add(tr, each);
		body.append(tr);
	}
}

function laneOf(tr, w, [at, ns, , what, kind]) {
	const lane = document.createElement('div'), bar = document.createElement('i'), [hue, full] = waitColor[kind] || [0, 0];
	lane.className = 'lane';
	bar.style.left = 100 * at / w.delay + '%';
	bar.style.width = 100 * ns / w.delay + '%';
	if (what === 1)
		bar.style.background = 'hsl(' + hue + ' ' + full + '% ' + (dark() ? 60 : 45) + '%)';
	lane.append(bar);
	cellOf(tr, '', 'bar').append(lane);
}

function showChain(w) {
	rowsOf('waitchain', w.chain, (tr, part) => {
		const [at, ns, level, what, , task, text] = part;
		tr.className = what === 1 ? 'part' : 'hold';
		cellOf(tr, seconds(at));
		cellOf(tr, what ? seconds(ns) : '(' + seconds(ns) + ')');
		laneOf(tr, w, part);
		cellOf(tr, what === 2 ? '… ' + text : task + ' ' + text).style.paddingLeft = 8 + 14 * level + 'px';
	});
}

// The stacks of the time of a wait, of the task that waited.
function stacksOf(w) {
	const first = Math.floor((w.from - M.from) / M.slice), last = Math.floor((w.from + w.delay - M.from) / M.slice);
	change({ wait: -1, from: Math.min(Math.max(first, 0), nSlices - 1), to: Math.min(Math.max(last, 0), nSlices - 1) });
}

function showWait(w) {
	$('waithead').textContent = w.comm + ' ' + w.tid + ': ' + seconds(w.delay) + ' ';
	if (M.timed) {
		const b = document.createElement('button');
		b.type = 'button';
		b.textContent = 'stacks of this time';
		b.onclick = () => stacksOf(w);
		$('waithead').append(b);
	}
	$('waitnote').textContent = 'from ' + (w.from / 1e9).toFixed(6) + ' s to ' + ((w.from + w.delay) / 1e9).toFixed(6) + ' s' +
		(w.lost ? '; events were lost meanwhile (' + w.lost + ' times): parts may be wrong' : '');
	rowsOf('waitcauses', w.causes, (tr, [share, ns, parts, text]) => {
		cellOf(tr, share.toFixed(2) + '%');
		cellOf(tr, seconds(ns));
		cellOf(tr, fmt.format(parts));
		cellOf(tr, text);
	});
	showChain(w);
}

function showWaits() {
	const on = waits.length && state.wait >= 0;
	$('waits').setAttribute('aria-pressed', !!on);
	$('why').hidden = !on;
	$('scroll').hidden = $('crumbs').hidden = on;
	if (!on)
		return;
	rowsOf('waitlist', waits.map((w, i) => [w, i]), (tr, [w, i]) => {
		const b = document.createElement('button');
		tr.className = i === state.wait ? 'on' : '';
		cellOf(tr, (w.from / 1e9).toFixed(6));
		cellOf(tr, seconds(w.delay));
		b.type = 'button';
		b.textContent = w.comm + ' ' + w.tid;
		b.onclick = () => change({ wait: i });
		b.setAttribute('aria-pressed', i === state.wait);
		cellOf(tr, '', 'task').append(b);
		cellOf(tr, w.first);
	});
	showWait(waits[state.wait]);
}

const toggleWaits = () => waits.length && change({ wait: state.wait < 0 ? 0 : -1 });

// ---- the state, in the page's address ----

const keys = { event: 'e', task: 'k', tid: 'th', view: 'v', group: 'g', color: 'c', weight: 'w', q: 'q', theme: 'th_' };
function writeHash() {
	const h = new URLSearchParams();
	for (const k of ['event', 'task', 'tid', 'view', 'group', 'color', 'weight', 'q'])
		if (state[k] !== defaults[k])
			h.set(keys[k], state[k]);
	if (state.up !== defaults.up)
		h.set('up', state.up ? 1 : 0);
	if (state.from >= 0)
		h.set('t', state.from + '-' + state.to);
	if (state.view === 'sandwich')
		h.set('f', state.fn);
	if (state.wait >= 0)
		h.set('wait', state.wait);
	if (state.zoom.length)
		h.set('z', state.zoom.join('.'));
	if (state.zoomUp.length && state.view === 'sandwich')
		h.set('zu', state.zoomUp.join('.'));
	const text = h.toString();
	try {
		history.replaceState(null, '', text ? '#' + text : location.pathname + location.search);
	} catch (e) {
		location.hash = text;
	}
}
function readHash() {
	const h = new URLSearchParams(location.hash.slice(1)), ids = k => (h.get(k) || '').split('.').filter(Boolean).map(Number);
	Object.assign(state, defaults, { theme: state.theme, zoom: ids('z'), zoomUp: ids('zu') });
	for (const k of ['task', 'tid', 'view', 'group', 'color', 'weight', 'q'])
		if (h.has(keys[k]))
			state[k] = h.get(keys[k]);
	if (!/^(calls|inverted|sandwich)$/.test(state.view))
		state.view = 'calls';
	const e = Number(h.get('e'));
	if (h.has('e') && e >= 0 && e < M.events.length)
		state.event = e;
	if (h.has('up'))
		state.up = h.get('up') === '1';
	const t = /^(\d+)-(\d+)$/.exec(h.get('t') || '');
	if (t && +t[1] <= +t[2] && +t[2] < nSlices)
		Object.assign(state, { from: +t[1], to: +t[2] });
	const f = Number(h.get('f'));
	if (h.has('f') && f >= 0 && f < F)
		state.fn = f;
	const w = Number(h.get('wait'));
	if (h.has('wait') && w >= 0 && w < waits.length)
		state.wait = Math.floor(w);
}

function change(what) {
	Object.assign(state, what);
	if (Object.keys(what).every(k => k === 'wait')) {
		showControls();
		showWaits();
		show();
		return;
	}
	if ('view' in what)
		state.wait = -1;
	if ('view' in what && !('zoom' in what))
		state.zoom = state.zoomUp = [];
	if ('event' in what || 'task' in what)
		state.tid = 'tid' in what ? what.tid : '';
	if ('group' in what)
		state.zoom = [];
	if (Object.keys(what).every(k => k === 'zoom' || k === 'zoomUp'))
		zoomed();
	else
		update();
}

// Only where the graph begins has changed.
function zoomed() {
	if (state.view === 'calls') {
		panes[0].path = state.zoom;
		panes[0].z = follow(panes[0].D, state.zoom);
		selected = hover = null;
	} else {
		makePanes();
	}
	show();
}

// What follows from which samples are shown, and from nothing else.
let shown = '', counted = '';
function addSums() {
	const key = JSON.stringify(['event', 'task', 'tid', 'weight', 'from', 'to'].map(k => state[k]));
	if (key === shown)
		return;
	shown = key;
	const on = new Uint8Array(tracks.length);
	tracks.forEach(l => { on[l.i] = trackShown(l) ? 1 : 0; });
	made.clear();
	shownTracks = on;
	sums = addUp(on);
}

function addSamples() {
	addSums();
	if (counted === shown)
		return;
	counted = shown;
	addFunctions();
	byFunction.clear();
	functions.forEach(r => byFunction.set(r.f, r));
	rankDsos();
	makeThreads();
	prepare();
}

function update() {
	addSamples();
	makePanes();
	search();
	showLegend();
	showTable();
	drawTimes();
	showControls();
	showWaits();
	show();
}

function show() {
	if (state.wait >= 0) {
		writeHash();
		return;
	}
	layout();
	if (panes.length > 1)
		scroll.scrollTop = Math.max(0, (panes[0].rows * ROW) - height / 2);
	else
		scroll.scrollTop = panes[0].up ? 1e9 : 0;
	showCrumbs();
	showTip(null);
	paint();
	writeHash();
}

function showControls() {
	$('event').value = state.event;
	$('task').value = state.task;
	$('group').value = state.group;
	$('group').disabled = state.view !== 'calls';
	$('color').value = state.color;
	$('weight').value = state.weight;
	if (document.activeElement !== $('q'))
		$('q').value = state.q;
	document.querySelectorAll('[data-view]').forEach(b => b.setAttribute('aria-pressed', state.wait < 0 &&
		b.dataset.view === state.view));
	$('flip').disabled = state.view === 'sandwich';
	const n = countOf(sums, 0);
	$('status').textContent = fmt.format(n) + (n === 1 ? ' sample' : ' samples') + (state.weight === 'samples' ? '' : ' · ' +
		amount(sums.total[0])) + (M.events[state.event] === 'off-cpu' ? ' off CPU' : isTime[state.event] ? ' on CPU' : ' ' + M.events[state.event]);
}

function setTheme(t) {
	document.documentElement.dataset.theme = t;
	state.theme = t;
}
function toggleTheme() {
	setTheme(dark() ? 'light' : 'dark');
	update();
}

function fill(select, list) {
	for (const [value, text] of list) {
		const o = document.createElement('option');
		o.value = value;
		o.textContent = text;
		select.append(o);
	}
}

function begin() {
	$('title').textContent = M.title || 'Flame graph';
	$('title').title = M.title || '';
	$('sub').textContent = M.subtitle || '';
	document.title = (M.title || 'Flame graph') + (M.heat ? ' – heat map' : ' – flame graph');
	$('heatkey').hidden = $('heattext').hidden = !M.heat;
	fill($('event'), M.events.map((e, i) => [i, e]));
	$('l-event').hidden = M.events.length < 2;
	const w = new Map();
	tracks.forEach(l => w.set(l.comm, (w.get(l.comm) || 0) + l.count));
	fill($('task'), [['', 'all']].concat([...w].sort((a, b) => b[1] - a[1]).slice(0, 500).map(([c]) => [c, c])));
	$('l-task').hidden = w.size < 2;
	fill($('color'), DIFF ? [['self', 'change, self'], ['total', 'change, with callees']] : [['kind', 'by kind'], ['dso', 'by file']]);
	fill($('weight'), DIFF ? [['both', 'old and new'], ['new', 'new'], ['old', 'old']] : [['period', 'event'], ['samples', 'samples']]);
	tableHead();
	for (const k of ['event', 'task', 'group', 'color', 'weight'])
		$(k).onchange = () => change({ [k]: k === 'event' ? Number($(k).value) : $(k).value });
	document.querySelectorAll('[data-view]').forEach(b => { b.onclick = () => change({ view: b.dataset.view }); });
	$('flip').onclick = () => change({ up: !state.up });
	$('theme').onclick = toggleTheme;
	$('waits').hidden = $('waitkey').hidden = $('waittext').hidden = !waits.length;
	$('waits').onclick = toggleWaits;
	$('help').onclick = () => $('keys').showModal();
	let late = 0;
	$('q').oninput = () => {
		clearTimeout(late);
		late = setTimeout(() => {
			state.q = $('q').value;
			search();
			showTable();
			writeHash();
			draw();
		}, 60);
	};
	setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
	let size = 0;
	new ResizeObserver(() => {
		clearTimeout(size);
		size = setTimeout(() => {
			if (state.wait < 0) {
				layout();
				paint();
			}
			drawTimes();
		}, 30);
	}).observe(scroll);
	window.addEventListener('hashchange', () => { readHash(); update(); });
	window.addEventListener('beforeprint', () => { if (state.wait < 0) { layout(); paint(); } });
	readHash();
	// of large trees the graph alone comes first
	if (N > 1 << 18 && !DIFF && state.view === 'calls' && state.color === 'kind') {
		addSums();
		makePanes();
		showControls();
		show();
		requestAnimationFrame(() => setTimeout(update));
	} else {
		update();
	}
}
begin();
})();
