// SPDX-License-Identifier: GPL-2.0-or-later
// flame-page.js MODULES WHAT PAGE [ARG]	a page of perf flame in headless Chromium; prints what was found. MODULES has playwright-core
// (and axe-core for "axe").
'use strict';
const path = require('path');
const [, , modules, what, page, arg] = process.argv;
const { chromium } = require(path.join(modules, 'playwright-core'));

async function main() {
	const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });
	const context = await browser.newContext({ viewport: { width: 1400, height: 800 }, colorScheme: what === 'dark' ? 'dark' : 'light' });
	const p = await context.newPage();
	const url = 'file://' + path.resolve(page.split('#')[0]), hash = page.includes('#') ? page.slice(page.indexOf('#')) : '';
	let requests = 0;
	p.on('request', r => { if (!r.url().startsWith(url) && !r.url().startsWith('data:')) { requests++; console.log('request ' + r.url()); } });
	p.on('console', m => console.log('console: ' + m.text()));
	p.on('pageerror', e => console.log('error: ' + e.message));
	p.on('dialog', d => { console.log('dialog: ' + d.message()); d.dismiss(); });
	await p.goto(url + hash);
	const settle = () => p.evaluate(() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r))));
	const text = id => p.locator('#' + id).textContent();
	const rows = () => p.$$eval('#rows tr', trs => trs.map(tr => [...tr.cells].map(c => c.textContent).join(' ')));
	const at = () => p.evaluate(() => location.hash), hashNow = at;
	const acts = {
		async table() {		// self, total and name of each function
			for (const r of await rows())
				console.log(r);
		},
		async names() {		// what is shown of hostile names, and that nothing of them became an element
			console.log(await p.title());
			console.log(await text('title'));
			for (const o of await p.$$eval('#task option', v => v.map(e => e.textContent)))
				console.log('task ' + o);
			console.log('elements ' + await p.locator('.evil, img, iframe, object, link[rel=stylesheet]').count());
		},
		async search() {
			await p.keyboard.press('/');
			await p.keyboard.type(arg);
			await p.waitForTimeout(150);
			console.log(await text('share'));
			console.log((await rows()).length + ' rows');
		},
		async use() {
			const box = await p.locator('#graph').boundingBox(), span = await p.locator('#time').boundingBox();
			const bottom = box.y + box.height - 12;
			await p.mouse.move(box.x + box.width / 2, bottom);
			await settle();
			console.log('tip ' + await p.locator('#tip b').textContent());
			await p.locator('#graph').focus();
			await p.keyboard.press('ArrowUp');
			await p.keyboard.press('ArrowUp');
			await p.keyboard.press('Enter');
			console.log('zoomed ' + await p.locator('#crumbs button').count() + ' ' + /z=\d/.test(await at()));
			await p.keyboard.press('Escape');
			console.log('back ' + await p.locator('#crumbs button').count());
			for (const v of ['inverted', 'sandwich', 'calls']) {
				await p.locator(`[data-view=${v}]`).click();
				await settle();
				console.log(v + ' ' + await p.locator(`[data-view=${v}]`).getAttribute('aria-pressed') + ' ' +
					await p.evaluate(() => { const c = document.getElementById('graph'), d = c.getContext('2d').getImageData(0, 0,
						c.width, c.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n > 20000; }));
			}
			const all = await text('status');
			await p.mouse.move(span.x + 140 + (span.width - 140) * 0.3, span.y + 20);
			await p.mouse.down();
			await p.mouse.move(span.x + 140 + (span.width - 140) * 0.6, span.y + 20, { steps: 4 });
			await p.mouse.up();
			const some = await text('status');
			console.log('span ' + (some !== all) + ' ' + /t=\d+-\d+/.test(await at()));
			const link = await at();
			await p.goto('about:blank');
			await p.goto(url + link);
			console.log('link ' + (await text('status') === some));
			await p.locator('#spanclear').click();
			console.log('whole ' + (await text('status') === all));
			await p.locator('#theme').click();
			console.log('theme ' + await p.evaluate(() => document.documentElement.dataset.theme));
			for (const g of ['comm', 'thread', 'none'])
				await p.locator('#group').selectOption(g);
			await p.locator('#color').selectOption('dso');
			console.log('color ' + /c=dso/.test(await at()));
		},
		async heat() {		// from a place in the first column, at arg of its height, to one at the next arg of the second
			const [low, up] = process.argv.slice(5).map(Number), b = await p.locator('#heat').boundingBox();
			const meta = await p.evaluate(() => JSON.parse(document.getElementById('meta').textContent)), label = 132;
			const px = Math.min(40, (b.width - label) / Math.ceil((meta.heat0 + (meta.to - meta.from) / meta.slice + 1) / meta.heat));
			const at = (c, k) => [b.x + label + (c + 0.5) * px, b.y + 4 + (b.height - 22) * (1 - k)], all = await text('status');
			await p.mouse.move(...at(0, low));
			await p.mouse.down();
			await p.mouse.move(...at(1, up), { steps: 4 });
			await p.mouse.up();
			const t = /t=(\d+)-(\d+)/.exec(await hashNow()), first = meta.from - meta.from % meta.slice;
			console.log('span ' + (first + t[1] * meta.slice) + ' ' + (first + (Number(t[2]) + 1) * meta.slice));
			const some = await text('status');
			console.log('samples ' + /^[0-9,]+/.exec(some)[0].replace(/,/g, ''));
			for (const r of await rows())
				console.log('row ' + r);
			const link = await hashNow();
			await p.goto('about:blank');
			await p.goto(url + link);
			console.log('link ' + (await text('status') === some));
			await p.locator('#heat').focus();
			await p.keyboard.press('ArrowRight');
			const one = /t=(\d+)-(\d+)/.exec(await hashNow());
			console.log('keys ' + (one[1] === one[2]));
			await p.keyboard.press('Shift+ArrowUp');
			const two = /t=(\d+)-(\d+)/.exec(await hashNow());
			console.log('shift ' + (two[1] === one[1] && Number(two[2]) === Number(one[2]) + 1));
			await p.keyboard.press('Escape');
			console.log('whole ' + (await text('status') === all));
		},
		async latency() {
			const b = await p.locator('#graph').boundingBox(), cells = () => p.$$eval('#rows tr', trs => trs.map(tr => tr.cells[1].textContent));
			console.log('whole ' + (await p.$$eval('#rows tr', trs => trs[0].cells[0].textContent)).replace(/,/g, ''));
			await p.mouse.move(b.x + 90, b.y + 20);
			await p.mouse.down();
			await p.mouse.move(b.x + b.width - 20, b.y + b.height - 40, { steps: 4 });
			await p.mouse.up();
			console.log('drag ' + (/^[0-9,]+$/.test((await cells())[0]) && / [nµm]?s$/.test((await cells())[1])));
			const link = await hashNow(), was = (await cells()).join();
			await p.goto('about:blank');
			await p.goto(url + link);
			console.log('link ' + ((await cells()).join() === was));
			await p.keyboard.press('Escape');
			console.log('cleared ' + ((await cells()).join('') === ''));
			await p.locator('#graph').focus();
			await p.keyboard.press('ArrowRight');
			await p.keyboard.press('Shift+ArrowRight');
			console.log('keys ' + /s=0-1-0-0/.test(await hashNow()));
			await p.keyboard.press('l');
			console.log('lines ' + await p.locator('#lines').inputValue());
			await p.keyboard.press('d');
			console.log('theme ' + await p.evaluate(() => document.documentElement.dataset.theme));
		},
		async waits() {		// the longest one, all of them, and the stacks of its time
			const table = id => p.$$eval('#' + id + ' tbody tr', trs => trs.map(tr => [...tr.cells].map(c => c.textContent).join(' | ')));
			const all = await text('status');
			await p.keyboard.press('w');
			console.log('hidden ' + await p.locator('#why').isHidden() + ' ' + await p.locator('#graph').isHidden());
			for (const id of ['waitlist', 'waitcauses', 'waitchain'])
				for (const row of await table(id))
					console.log(id + ' ' + row);
			const lanes = await p.$$eval('#waitchain .lane i', v => v.map(e => Math.round(e.getBoundingClientRect().width)));
			console.log('lanes ' + (lanes.every(w => w >= 2) && Math.max(...lanes) > 100));
			const link = await hashNow(), head = await text('waithead');
			await p.goto('about:blank');
			await p.goto(url + link);
			console.log('link ' + (await text('waithead') === head));
			await p.locator('#waitlist tbody tr').last().locator('button').click();
			console.log('other ' + (await text('waithead') !== head));
			await p.locator('#waithead button').click();
			console.log('stacks ' + await p.locator('#why').isHidden() + ' ' + /t=\d+-\d+/.test(await hashNow()));
			await p.keyboard.press('w');
			await p.keyboard.press('Escape');
			await p.keyboard.press('Escape');
			console.log('back ' + (await text('status') === all) + ' ' + await p.locator('#graph').isVisible());
		},
		async axe() {
			const { source } = require(path.join(modules, 'axe-core'));
			// the page lets no script in: the checker gets one that does
			const open = await context.newPage(), cdp = await context.newCDPSession(open);
			await cdp.send('Page.setBypassCSP', { enabled: true });
			await open.goto(url + hash);
			await open.evaluate(source);
			const r = await open.evaluate(() => window.axe.run());
			for (const v of r.violations)
				if (v.impact === 'serious' || v.impact === 'critical')
					console.log(v.id + ': ' + v.nodes.map(n => n.html.slice(0, 120)).join(' | '));
		},
		async time() {		// first paint; ms of a zoom and of a search
			const t = await p.evaluate(() => performance.getEntriesByType('paint').map(e => e.name + ' ' + Math.round(e.startTime)).join(', '));
			console.log(t + ', loaded ' + await p.evaluate(() => Math.round(performance.timing.loadEventEnd - performance.timing.navigationStart)));
			for (const x of [0.3, 0.5, 0.2])	// ms until it is done, and until it is painted
				console.log('zoom ' + await p.evaluate(async x => {
					const c = document.getElementById('graph'), b = c.getBoundingClientRect(), a = performance.now();
					c.dispatchEvent(new MouseEvent('click', { clientX: b.left + b.width * x, clientY: b.bottom - 50, bubbles: true }));
					const told = performance.now() - a;
					await new Promise(requestAnimationFrame);
					return Math.round(told) + ' ' + Math.round(performance.now() - a) + ' ' + location.hash.slice(0, 60);
				}, x));
			for (const k of ['i', 'c', 's', 'c', 'f'])
				console.log(k + ' ' + await p.evaluate(key => { const a = performance.now(); document.dispatchEvent(new KeyboardEvent('keydown',
					{ key, bubbles: true })); return Math.round(performance.now() - a); }, k));
		},
		async shot() {
			await p.waitForTimeout(200);
			await p.screenshot({ path: arg });
		},
	};
	acts.dark = acts.shot;
	await acts[what]();
	await settle();
	if (requests)
		console.log(requests + ' requests');
	await browser.close();
}
main().catch(e => { console.log(String(e.stack)); process.exit(1); });
