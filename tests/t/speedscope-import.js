// SPDX-License-Identifier: GPL-2.0-or-later
// speedscope-import.js BUNDLE TEXT [NAME]: what speedscope's own importer makes of a "perf script" text, or of a file of that NAME, which
// tells its format: each profile with its number of samples (equal ones in a row are one), and the functions with the most time of their
// own, and with callees. The importer is called inside of the published bundle.
const fs = require('fs');
const vm = require('vm');
const zlib = require('zlib');
let code = fs.readFileSync(process.argv[2], 'utf8');
const importer = process.argv[4] ? /async function (\w+)\(t\)\{let e=await t\.name\(\),n=await t\.readAsArrayBuffer/.exec(code) :
	/function (\w+)\(t\)\{let e=new Map,n=null;for\(let a of \w+\(t\)\)\{if\(a==null\|\|/.exec(code);
if (!importer) {
	console.error('this bundle has another shape');
	process.exit(77);
}
const init = /var (\w+)=\w+\(\(\)=>\{"use strict";[^}]*\}\);/g;
init.lastIndex = importer.index;
const m = init.exec(code);
// The importer and what it needs are ready there; the page itself is never started.
code = code.slice(0, m.index + m[0].length) + `globalThis.importText=t=>{${m[1]}();return ${importer[1]}(t)};})();`;
const context = vm.createContext({ console: { ...console, log() {} }, globalThis: undefined, TextDecoder, TextEncoder, URL, FinalizationRegistry, Uint8Array, ArrayBuffer });
vm.runInContext('var globalThis = this; ' + code.replace('"use strict";', ''), context);
const bytes = fs.readFileSync(process.argv[3]);
// as speedscope's reader of files has it
function source() {
	const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? zlib.gunzipSync(bytes) : bytes, text = plain.toString();
	const content = { splitLines: () => text.split('\n'), firstChunk: () => text, parseAsJSON: () => JSON.parse(text) };
	return { ...content, name: async () => process.argv[4], readAsArrayBuffer: async () => plain.buffer.slice(plain.byteOffset, plain.byteOffset + plain.length),
		readAsText: async () => content };
}
function show(group) {
	const own = new Map(), total = new Map();
	let samples = 0;
	for (const p of group.profiles) {
		console.log(`profile ${p.getName()}: ${p.samples.length} samples`);
		samples += p.samples.length;
		p.forEachFrame(f => {
			own.set(f.name, (own.get(f.name) || 0) + f.getSelfWeight());
			total.set(f.name, (total.get(f.name) || 0) + f.getTotalWeight());
		});
	}
	console.log(`samples ${samples}`);
	const top = (map, mark) => [...map].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 20)
		.forEach(([n, w]) => console.log(`${mark}${n} ${w.toFixed(6)}`));
	top(own, '');
	top(total, 'with callees: ');
}
Promise.resolve(context.importText(source())).then(show).catch(e => { console.error(e); process.exit(1); });
