(() => {
'use strict';

// What an agent wrote gets into the page as text alone: through textContent, and
// through nothing else. There is no innerHTML here, and the policy would stop what it
// let through.
const $ = id => document.getElementById(id);

function make(name, props, ...children) {
	const e = document.createElement(name);
	for (const [k, v] of Object.entries(props || {})) {
		if (k === 'class') e.className = v;
		else if (k === 'text') e.textContent = v;
		else if (v === true) e.setAttribute(k, '');
		else if (v !== false && v !== undefined) e.setAttribute(k, v);
	}
	e.append(...children.filter(c => c));
	return e;
}

const words = {pass: 'pass', fail: 'fail', void: 'void', notrun: 'not run', na: 'n/a'};
const letters = {p: 'pass', f: 'fail', v: 'void', n: 'notrun', '-': 'na'};
const number = n => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, '\u202f');
const count = (n, one, many) => number(n) + ' ' + (n === 1 ? one : many);

const index = JSON.parse($('index').textContent);
const table = $('matrix');
const links = [...table.querySelectorAll('a.slot')];
const labels = links.map(a => a.getAttribute('aria-label'));
const keyOf = i => links[i].getAttribute('href').slice('#attempt='.length);
const at = new Map(links.map((_, i) => [keyOf(i), i]));

let next = 0;
const rows = [...table.tBodies[0].rows].map((tr, u) => {
	const unit = index.units[u];
	const cells = [...tr.cells].slice(1, -1).map(td => {
		const first = next;
		next += td.querySelectorAll('a.slot').length;
		return {td, tally: td.querySelector('.tally'), slots: Array.from({length: next - first}, (_, n) => first + n)};
	});
	const name = [unit.c, unit.w, unit.v].filter(Boolean).join('/');
	return {tr, unit, cells, name, text: (name + ' ' + (unit.d || '')).toLowerCase(), u};
});
const rowOf = i => rows[index.attempts[i].u];

// The matrix: filters, order, keyboard.

const few = 60; // the style sheet knows it too
const many = 1000; // are laid out at a click without a wait
const filter = {find: $('find'), signal: $('signal'), model: $('model'), order: $('order'), outcome: ''};
let most = few; // rows are shown
let fit = []; // the rows that pass the filters, in their order
let shown = []; // those of them that are shown

function outcome(i) {
	const a = index.attempts[i];
	if (filter.signal.value === '') return a.o;
	return letters[a.g[index.units[a.u].s.indexOf(+filter.signal.value)]] || a.o;
}

function kinds(row, cells) {
	const has = new Set();
	let passed = true;
	for (const c of cells) {
		const own = new Set(c.slots.map(outcome));
		own.forEach(o => has.add(o));
		if (own.has('pass') && own.has('fail')) has.add('split');
		if (own.size > 1 || !own.has('pass')) passed = passed && own.size === 0;
	}
	has.delete('pass');
	if (passed) has.add('pass');
	return has;
}

const sum = (row, field) => Math.max(...row.considered.flatMap(c => c.slots.map(i => index.attempts[i][field] || 0)), 0);

function passes(row) {
	let n = 0, of = 0;
	for (const c of row.considered) for (const i of c.slots) { of++; if (outcome(i) === 'pass') n++; }
	return of ? n / of : 1;
}

// worst puts what failed first, then what is void, and what was not run.
function worst(row) {
	const has = new Set(row.considered.flatMap(c => c.slots.map(outcome)));
	return has.has('fail') ? passes(row) : has.has('void') ? 2 : has.has('notrun') ? 3 : 4;
}

const orders = {
	worst,
	plan: row => row.unit.p,
	time: row => -sum(row, 't'),
	tokens: row => -sum(row, 'k'),
};

function paint(row) {
	for (const c of row.cells) {
		let n = 0;
		const own = new Set();
		for (const i of c.slots) {
			const o = outcome(i);
			own.add(o);
			if (o === 'pass') n++;
			if (links[i].className !== 'slot ' + o) {
				links[i].className = 'slot ' + o;
				const a = index.attempts[i], says = o === a.o ? labels[i] : 'attempt ' + a.n + ': ' + words[o] + (a.x || '');
				links[i].setAttribute('aria-label', says);
				links[i].title = says;
			}
		}
		if (c.tally) c.tally.textContent = n + '/' + c.slots.length;
		c.td.classList.toggle('split', own.has('pass') && own.has('fail'));
	}
}

let painted = '', ordered = 'worst';

function apply() {
	const terms = filter.find.value.toLowerCase().split(/\s+/).filter(Boolean);
	const signal = filter.signal.value, model = filter.model ? filter.model.value : '';
	const numbers = {fail: 0, split: 0, void: 0, notrun: 0, pass: 0, '': 0};
	if (painted !== signal) { rows.forEach(paint); painted = signal; }
	fit = rows.filter(row => {
		row.considered = model === '' ? row.cells : [row.cells[+model]];
		if (signal !== '' && !row.unit.s.includes(+signal)) return false;
		if (!terms.every(t => row.text.includes(t))) return false;
		const has = kinds(row, row.considered);
		numbers['']++;
		for (const k of has) if (k in numbers) numbers[k]++;
		return filter.outcome === '' || has.has(filter.outcome);
	});
	const order = filter.order.value;
	const by = orders[order];
	if (by) {
		const keys = new Map(fit.map(row => [row, by(row)]));
		fit.sort((a, b) => keys.get(a) - keys.get(b) || a.u - b.u);
	} else {
		fit.sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : a.u - b.u);
	}
	const want = order + '|' + (order === 'plan' || order === 'name' ? '' : signal + '|' + model);
	if (ordered !== want) {
		ordered = want;
		table.tBodies[0].append(...fit.map(row => row.tr));
	}
	const visible = new Set(fit.slice(0, most));
	// What is left for later is not on the screen, and is in print.
	const fits = new Set(fit);
	for (const row of rows) {
		row.tr.hidden = !fits.has(row);
		row.tr.classList.toggle('later', !visible.has(row));
	}
	shown = fit.slice(0, most);
	[...table.tHead.rows[0].cells].slice(1, -1).forEach((th, n) => { th.hidden = model !== '' && n !== +model; });
	for (const row of rows) row.cells.forEach((c, n) => { c.td.hidden = model !== '' && n !== +model; });
	for (const b of document.querySelectorAll('[data-outcome]')) b.querySelector('b').textContent = number(numbers[b.dataset.outcome]);
	$('shown').textContent = fit.length === 0 ? 'No unit fits.' :
		count(fit.length, 'unit', 'units') + (fit.length < rows.length ? ' of ' + number(rows.length) : '') +
		(signal === '' ? '' : '; the squares show ' + index.signals[+signal]);
	const rest = fit.length - shown.length;
	$('more').hidden = rest === 0;
	$('more').textContent = 'show ' + number(Math.min(rest, many)) + ' more' + (rest > many ? ' of ' + number(rest) : '');
	rove(shown.length ? firstOf(shown[0]) : undefined);
}

const firstOf = row => row.considered.flatMap(c => c.slots)[0];
let focused; // the one square that Tab reaches

function rove(i) {
	if (focused !== undefined) links[focused].tabIndex = -1;
	focused = i;
	if (i !== undefined) links[i].tabIndex = 0;
}

function go(i) {
	if (i === undefined) return;
	rove(i);
	links[i].focus();
	links[i].scrollIntoView({block: 'nearest', behavior: 'instant'});
}

function move(rowStep, stepIn) {
	if (!shown.length) return;
	const row = focused === undefined ? undefined : rowOf(focused);
	let r = shown.indexOf(row);
	if (r < 0) return go(firstOf(shown[0]));
	const line = row.considered.flatMap(c => c.slots);
	const p = line.indexOf(focused);
	if (stepIn) return go(line[Math.max(0, Math.min(line.length - 1, p + stepIn))]);
	r = Math.max(0, Math.min(shown.length - 1, r + rowStep));
	const other = shown[r].considered.flatMap(c => c.slots);
	go(other[Math.min(other.length - 1, p)]);
}

table.addEventListener('keydown', e => {
	if (e.altKey || e.ctrlKey || e.metaKey) return;
	const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -1e9], End: [0, 1e9]}[e.key];
	if (!step || !e.target.classList.contains('slot')) return;
	e.preventDefault();
	move(...step);
});
table.addEventListener('focusin', e => {
	const i = links.indexOf(e.target);
	if (i >= 0 && i !== focused) rove(i);
});

for (const c of [filter.find, filter.signal, filter.model, filter.order]) {
	if (c) c.addEventListener('input', () => { most = few; apply(); });
}
for (const b of document.querySelectorAll('[data-outcome]')) {
	b.addEventListener('click', () => {
		filter.outcome = b.dataset.outcome;
		most = few;
		for (const o of document.querySelectorAll('[data-outcome]')) o.setAttribute('aria-pressed', o === b);
		apply();
	});
}
$('more').addEventListener('click', () => {
	const first = shown.length;
	most += many;
	apply();
	if (shown[first]) go(firstOf(shown[first]));
});
for (const a of links) a.tabIndex = -1;
apply();
table.classList.remove('raw');

// Links: #attempt=CASE/WORLD/VARIANT/MODEL/N&event=7&vs=…

function parse(hash) {
	const h = {};
	for (const part of hash.replace(/^#/, '').split('&')) {
		const [k, ...v] = part.split('=');
		h[k] = v.join('=');
	}
	return h;
}

// find is the attempt of a link, also of one that was spelt anew on its way here.
function find(key) {
	if (at.has(key)) return at.get(key);
	const spell = s => encodeURIComponent(s).replace(/[!~*'()]/g, c => '%' + c.charCodeAt(0).toString(16).toUpperCase()).replace(/%3A/g, ':');
	try {
		return at.get(key.split('/').map(s => /^%5f$/i.test(s) ? '%5F' : spell(decodeURIComponent(s))).join('/'));
	} catch { return undefined; }
}

const parsed = new Promise(done => {
	if (document.readyState !== 'loading') done();
	else document.addEventListener('DOMContentLoaded', () => done());
});

const unpacked = new Map();

// unpack is the trace of an attempt, or a sentence on why there is none.
async function unpack(i) {
	const a = index.attempts[i];
	if (!a.e) return a.o === 'notrun' ? 'It was not run.' : 'The report does not hold the trace of this attempt.';
	if (unpacked.has(i)) return unpacked.get(i);
	if (!$('t' + i)) await parsed;
	if (!$('t' + i)) return 'The report is cut off: the trace of this attempt is not in it.';
	if (!window.DecompressionStream) return 'This browser cannot unpack traces.';
	const text = atob($('t' + i).textContent.replaceAll('-', '+').replaceAll('_', '/'));
	const bytes = Uint8Array.from(text, c => c.charCodeAt(0));
	let trace;
	try {
		trace = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
	} catch (e) { return 'The trace of this attempt cannot be unpacked: ' + e.message; }
	if (unpacked.size > 20) unpacked.clear();
	unpacked.set(i, trace);
	return trace;
}

// command shows the same attempt in the terminal.
function command(i, ...more) {
	const a = index.attempts[i], u = index.units[a.u];
	const quote = s => /^[\w\-.,:\/@%+=]+$/.test(s) ? s : "'" + s.replaceAll("'", "'\\''") + "'";
	const line = ['deeds show', quote(index.run), quote(u.c)];
	if (u.w) line.push('--world', quote(u.w));
	if (u.v) line.push('--variant', quote(u.v));
	if (index.models.length > 1) line.push('--model', quote(a.m));
	return [...line, '--attempt', a.n, ...more].join(' ');
}

// The pane.

const pane = $('pane'), body = $('pane-body');
let open; // the attempt that is shown
let asked; // the link of it, as it is spelt in the address
let beside; // the one that it is compared with
let turn = 0; // of showing: what comes late is dropped
let current = -1; // the event that is looked at, in events
let events = []; // elements
let guilty = []; // those of them that a failed verdict points to
let hits = [];

const named = a => a.a || a.m; // with its agent, where the model alone does not say who it was

function place(i) {
	const a = index.attempts[i], u = index.units[a.u];
	return [u.w && 'world ' + u.w, u.v && 'variant ' + u.v, named(a), 'attempt ' + a.n + (a.x || '')].filter(Boolean).join(' · ');
}

function fragment() {
	const e = current >= 0 && beside === undefined ? '&event=' + events[current].dataset.n : '';
	return '#attempt=' + keyOf(open) + (beside === undefined ? '' : '&vs=' + keyOf(beside)) + e;
}

const sibling = i => rowOf(i).cells.find(c => c.slots.includes(i)).slots;

async function show() {
	const h = parse(location.hash);
	if (!h.attempt) {
		if (pane.open) { open = asked = undefined; pane.close(); }
		return;
	}
	const i = find(h.attempt), vs = h.vs ? find(h.vs) : undefined;
	if (i !== undefined && i === open && vs === beside && pane.open) {
		if (h.event) look(events.findIndex(e => e.dataset.n === h.event));
		return;
	}
	const mine = ++turn;
	open = i;
	asked = h.attempt;
	beside = vs;
	current = -1;
	events = [];
	guilty = [];
	hits = [];
	$('pane-find').value = '';
	$('pane-hits').textContent = '';
	if (i === undefined) {
		$('pane-title').textContent = 'Not in this report';
		$('pane-outcome').textContent = $('pane-place').textContent = '';
		$('pane-outcome').className = 'outcome';
		$('pane-attempts').replaceChildren();
		body.replaceChildren(make('p', {text: 'There is no attempt of that name in this report.'}));
	} else {
		head(i);
		body.replaceChildren(make('p', {class: 'soft', text: 'Unpacking …'}));
	}
	pane.classList.toggle('two', vs !== undefined);
	for (const id of ['guilty', 'unfold', 'against', 'copy', 'pane-find']) $(id).disabled = i === undefined;
	steps();
	if (!pane.open) pane.showModal();
	$('pane-title').focus();
	body.scrollTop = 0;
	if (i === undefined) return;
	const traces = await Promise.all([unpack(i), vs === undefined ? undefined : unpack(vs)]);
	if (mine !== turn) return;
	if (vs === undefined) one(i, traces[0]);
	else two(i, vs, traces);
	events = [...body.querySelectorAll('.event')];
	guilty = events.filter(e => e.classList.contains('guilty'));
	$('guilty').disabled = guilty.length === 0;
	$('guilty').textContent = guilty.length > 1 ? 'guilty events (' + guilty.length + ')' : 'guilty event';
	$('unfold').setAttribute('aria-pressed', 'false');
	body.scrollTop = 0;
	if (h.event) look(events.findIndex(e => e.dataset.n === h.event));
}

function head(i) {
	const a = index.attempts[i], u = index.units[a.u];
	$('pane-title').textContent = u.c;
	$('pane-outcome').textContent = words[a.o];
	$('pane-outcome').className = 'outcome ' + a.o;
	$('pane-place').textContent = place(i);
	const mine = sibling(i);
	$('pane-attempts').replaceChildren(...(mine.length < 2 ? [] : mine.map(s => {
		const b = index.attempts[s];
		return make('a', {class: 'chip', href: '#attempt=' + keyOf(s), 'aria-label': 'attempt ' + b.n + ': ' + words[b.o], 'aria-current': s === i ? 'true' : undefined},
			make('span', {class: 'slot ' + b.o}), String(b.n));
	})));
	const others = rowOf(i).cells.flatMap(c => c.slots).filter(s => s !== i);
	$('against').replaceChildren(make('option', {value: '', text: 'compare …'}), ...others.map(s => {
		const b = index.attempts[s];
		return make('option', {value: s, text: (named(b) === named(a) ? '' : named(b) + ' ') + 'attempt ' + b.n + ': ' + words[b.o], selected: s === beside});
	}));
}

// order is the attempts that pass the filters, one after the other.
const order = () => fit.flatMap(row => row.considered.flatMap(c => c.slots));

function steps() {
	const line = order(), p = line.indexOf(open);
	$('previous').disabled = p <= 0;
	$('following').disabled = p < 0 ? !line.length : p === line.length - 1;
}

function step(by) {
	const line = order(), p = line.indexOf(find(parse(location.hash).attempt || '')); // which is ahead of what is shown
	const i = line[p < 0 ? 0 : p + by];
	if (i !== undefined) location.hash = '#attempt=' + keyOf(i);
}

function one(i, trace) {
	const u = index.units[index.attempts[i].u];
	const parts = [u.d && make('p', {class: 'claim', text: u.d})];
	if (typeof trace === 'string') {
		parts.push(make('p', {class: 'detail', text: trace}), commandLine(i));
		body.replaceChildren(...parts.filter(Boolean));
		return;
	}
	parts.push(reason(trace.head), verdicts(trace) || failed(i), facts(trace.head.facts), make('h3', {text: 'What happened'}));
	if (trace.error) { // what is on record is all there is
		parts.push(make('p', {class: 'detail', text: trace.error}), ending(trace), commandLine(i));
		body.replaceChildren(...parts.filter(Boolean));
		return;
	}
	if (!trace.events.length) parts.push(make('p', {class: 'soft', text: 'Nothing happened.'}));
	for (const e of trace.events) {
		if (e.turn_title) parts.push(make('h4', {class: 'turn' + (e.depth ? ' d' + Math.min(e.depth, 3) : ''), text: e.turn_title}));
		parts.push(event(e, trace, i, true));
	}
	if (trace.left_out) parts.push(make('p', {class: 'cut', text: count(trace.left_out, 'event is', 'events are') + ' left out: ' + command(i, '--full')}));
	parts.push(files(trace.files, i), ending(trace), commandLine(i));
	body.replaceChildren(...parts.filter(Boolean));
}

function reason(h) {
	const text = [h.reason, h.detail].filter(Boolean).join(': ');
	const plays = h.reroll ? 'This is a reroll: it does not count. ' : h.play > 1 ? 'This is play ' + h.play + ': those before it were void. ' : '';
	return (plays || text) && make('p', {class: 'detail', text: plays + text});
}

// failed are the signals that an attempt failed, which is all that is known without verdicts.
function failed(i) {
	const names = index.units[index.attempts[i].u].s.filter((_, n) => (index.attempts[i].g || '')[n] === 'f');
	return names.length && make('p', {class: 'detail', text: 'failed ' + names.map(n => index.signals[n]).join(', ')});
}

const outcomes = {pass: 'pass', fail: 'fail', 'n/a': 'na'};

function verdicts(trace) {
	if (!trace.verdicts.length) return null;
	const row = v => {
		const what = make('div', {class: 'what'}, make('div', {text: v.signal + ': ' + v.name + (v.conditional ? ' (conditional)' : '')}));
		if (v.outcome !== 'pass' && v.want) what.append(make('pre', {text: 'want  ' + v.want}));
		if (v.outcome !== 'pass' && v.got) what.append(make('pre', {text: (v.want ? 'got   ' : '') + v.got}));
		const see = make('div', {class: 'see'});
		(v.events || []).forEach((n, k) => see.append(k ? ', ' : v.events.length > 1 ? 'events ' : 'event ', make('a', {href: '#attempt=' + keyOf(open) + '&event=' + n, 'data-event': n, text: n})));
		if (v.where) see.append(v.events && v.events.length ? ' · ' : '', make('span', {class: 'mono', text: v.where}));
		what.append(see);
		return make('li', {}, make('span', {class: 'word ' + (outcomes[v.outcome] || ''), text: v.outcome}), what);
	};
	const bad = trace.verdicts.filter(v => v.outcome !== 'pass'), good = trace.verdicts.filter(v => v.outcome === 'pass');
	const list = make('ul', {class: 'verdicts'}, ...bad.map(row));
	const section = make('div', {}, make('h3', {text: 'Verdicts'}), bad.length ? list : null);
	if (good.length) {
		section.append(make('details', {class: 'verdicts', open: bad.length === 0 && good.length < 5},
			make('summary', {text: count(good.length, 'expectation', 'expectations') + ' passed'}), make('ul', {class: 'verdicts'}, ...good.map(row))));
	}
	return section;
}

function facts(all) {
	const names = Object.keys(all || {}).sort();
	if (!names.length) return null;
	return make('div', {}, make('h3', {text: 'Facts of the world'}), make('dl', {}, ...names.flatMap(n => [make('dt', {text: n}), make('dd', {text: all[n]})])));
}

const prose = {text: true, thinking: true};

function event(e, trace, i, numbered) {
	const bad = e.blames && e.blames.length;
	const depth = e.depth ? ' below d' + Math.min(e.depth, 3) : '';
	const box = make('div', {class: 'event ' + (e.kind.match(/^[a-z]+$/) ? e.kind : '') + depth + (bad ? ' guilty' : '') + (e.title === '(nothing)' ? ' nothing' : ''), 'data-n': e.n});
	box.append(numbered ?
		make('a', {class: 'num', href: '#attempt=' + keyOf(i) + '&event=' + e.n, 'aria-label': 'event ' + e.n, 'data-event': e.n, text: e.n}) :
		make('span', {class: 'num', text: e.n}));
	const status = e.status ? make('span', {class: 'status' + (e.bad ? ' bad' : ''), text: e.status}) : make('span');
	const parts = e.parts || [];
	if (!parts.length) {
		box.append(make('div', {class: 'flat'}, make('span', {class: 'kind', text: e.kind}), make('span', {class: 'title', text: e.title}), status));
	} else {
		const inner = make('div', {class: 'parts'});
		for (const p of parts) inner.append(part(p, i, parts.length, e));
		box.append(make('details', {open: Boolean(bad) || e.bad || e.kind === 'says' || e.kind === 'user'},
			make('summary', {}, make('span', {class: 'kind', text: e.kind}),
				make('span', {class: 'title'}, make('span', {class: 'closed folds', text: e.title}), make('span', {class: 'opened', text: e.lead || ''})), status), inner));
	}
	if (bad) {
		box.append(make('div', {class: 'blame', text: 'guilty of ' + e.blames.map(b => trace.verdicts[b] ? trace.verdicts[b].signal + ': ' + trace.verdicts[b].name : 'a failed verdict').join('; ')}));
	}
	return box;
}

function part(p, i, of, e) {
	const kind = 'part ' + (prose[p.name] ? 'prose ' + p.name : '');
	const text = [make('pre', {text: p.text})];
	if (p.more) text.push(make('div', {class: 'cut', text: count(p.more, 'byte', 'bytes') + ' more: ' + command(i, '--event', e.n, '--full')}));
	const lines = p.text.split('\n').length;
	if (p.folded) return make('details', {class: kind}, make('summary', {text: p.name + (lines > 1 ? ', ' + count(lines, 'line', 'lines') : '')}), ...text);
	return make('div', {class: kind}, of === 1 && p.name === 'text' ? null : make('div', {class: 'name', text: p.name}), ...text);
}

function files(all, i) {
	const section = make('div', {}, make('h3', {text: 'Files'}));
	if (!all.length) section.append(make('p', {class: 'soft', text: 'No file changed.'}));
	for (const f of all) {
		const title = [make('span', {class: 'mono', text: f.path}), make('span', {class: 'soft', text: ' ' + f.change + (f.note ? ', ' + f.note : '')})];
		if (!f.diff) { section.append(make('div', {class: 'file'}, make('p', {}, ...title))); continue; }
		const pre = make('pre');
		for (const line of f.diff.replace(/\n$/, '').split('\n')) {
			pre.append(make('span', {class: {'+': 'add', '-': 'del', '@': 'hunk'}[line[0]] || 'ctx', text: line}));
		}
		section.append(make('details', {class: 'file', open: all.length < 6}, make('summary', {}, ...title), pre,
			f.more ? make('div', {class: 'cut', text: count(f.more, 'byte', 'bytes') + ' more: ' + command(i, '--full')}) : null));
	}
	return section;
}

function ending(trace) {
	const e = trace.ending;
	const cost = e.cost === undefined ? '' : '; $' + e.cost.toFixed(4) + ' ' + (e.cost_source || '');
	const all = [
		['ended by', [e.reason, e.detail].filter(Boolean).join(': ')],
		['took', trace.took + ', of which ' + trace.own + ' the agent’s own; ' + count(e.turns, 'turn', 'turns') + ', ' + count(e.calls, 'call', 'calls')],
		['tokens', number(e.prompt_tokens) + ' in, ' + number(e.completion_tokens) + ' out' + (e.unreported ? ' (' + count(e.unreported, 'answer', 'answers') + ' told none)' : '') + cost],
		['contained', e.containment || ''],
	].filter(f => f[1]);
	return make('div', {}, make('h3', {text: 'Ending'}), make('dl', {}, ...all.flatMap(([n, t]) => [make('dt', {text: n}), make('dd', {text: t})])));
}

const commandLine = i => make('p', {class: 'next'}, make('span', {class: 'soft', text: 'in the terminal '}), make('code', {text: command(i)}));

// Two attempts side by side. How an agent words what it says is no difference.

const like = e => e.kind === 'says' || e.kind === 'thinks' ? e.kind : e.kind + '\0' + e.title + '\0' + (e.bad ? 'bad' : '');

// Facts that were drawn for each attempt anew are no difference either: their names stand
// for them.
const drawnApart = (a, b) => Object.keys(a.head.facts || {}).filter(n => ((b.head.facts || {})[n] || a.head.facts[n]) !== a.head.facts[n] && a.head.facts[n]);

function spelling(trace, drawn) {
	const names = drawn.map(n => [trace.head.facts[n], '{' + n + '}']).sort((x, y) => y[0].length - x[0].length)
		.map(([value, name]) => [new RegExp('(?<![\\w.])' + value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '(?!\\w)', 'g'), name]);
	return e => [like(e), names.reduce((text, [value, name]) => text.replace(value, () => name), like(e))];
}

// Alike are events that are spelt the same, as they are or by the names of drawn facts.
const alike = (x, y) => x[0] === y[0] || x[1] === y[1];

// align pairs events by how they are spelt.
function align(x, y) {
	const pairs = [];
	let from = 0;
	while (from < x.length && from < y.length && alike(x[from], y[from])) { pairs.push([from, from]); from++; }
	const n = x.length - from, m = y.length - from;
	if (n * m > 4e6) {
		for (let k = 0; k < Math.max(n, m); k++) pairs.push([k < n ? from + k : -1, k < m ? from + k : -1]);
		return pairs;
	}
	const best = new Int32Array((n + 1) * (m + 1)), w = m + 1;
	for (let i = n - 1; i >= 0; i--) {
		for (let j = m - 1; j >= 0; j--) {
			best[i * w + j] = alike(x[from + i], y[from + j]) ? best[(i + 1) * w + j + 1] + 1 : Math.max(best[(i + 1) * w + j], best[i * w + j + 1]);
		}
	}
	let left = [], right = [];
	const flush = () => {
		for (let k = 0; k < Math.max(left.length, right.length); k++) pairs.push([k < left.length ? left[k] : -1, k < right.length ? right[k] : -1]);
		left = [];
		right = [];
	};
	for (let i = 0, j = 0; i < n || j < m;) {
		if (i < n && j < m && alike(x[from + i], y[from + j])) { flush(); pairs.push([from + i++, from + j++]); }
		else if (j === m || i < n && best[(i + 1) * w + j] >= best[i * w + j + 1]) left.push(from + i++);
		else right.push(from + j++);
	}
	flush();
	return pairs;
}

function two(i, vs, traces) {
	const lost = traces.findIndex(t => typeof t === 'string' || t.error);
	if (lost >= 0) {
		body.replaceChildren(make('p', {class: 'detail', text: place(lost ? vs : i) + ': ' + (traces[lost].error || traces[lost])}), commandLine(lost ? vs : i));
		return;
	}
	const [a, b] = traces;
	const side = (s, t) => make('div', {}, make('h3', {}, make('span', {class: 'outcome ' + index.attempts[s].o, text: words[index.attempts[s].o]}), ' ' + named(index.attempts[s]) + ', attempt ' + index.attempts[s].n),
		...t.verdicts.filter(v => v.outcome === 'fail').map(v => make('p', {class: 'soft', text: v.signal + ': ' + v.name})));
	const parts = [make('div', {class: 'pair sides'}, side(i, a), side(vs, b))];
	const drawn = drawnApart(a, b), x = a.events.map(spelling(a, drawn)), y = b.events.map(spelling(b, drawn));
	if (drawn.length) parts.push(make('p', {class: 'soft', text: 'Drawn for each, and taken for equal: ' + drawn.join(', ') + '.'}));
	let parted = false;
	for (const [l, r] of align(x, y)) {
		const same = l >= 0 && r >= 0 && alike(x[l], y[r]);
		if (!same && !parted) {
			parted = true;
			parts.push(make('p', {class: 'parting', text: 'first difference' + (l >= 0 ? ': event ' + a.events[l].n : ': event ' + b.events[r].n + ' of the other')}));
		}
		parts.push(make('div', {class: 'pair' + (same ? '' : ' apart')},
			l >= 0 ? event(a.events[l], a, i, false) : make('div'), r >= 0 ? event(b.events[r], b, vs, false) : make('div')));
	}
	if (!parted) parts.push(make('p', {class: 'soft', text: 'They do the same throughout.'}));
	body.replaceChildren(...parts);
	body.querySelectorAll('.event').forEach(e => { if (!e.classList.contains('guilty')) e.querySelectorAll(':scope > details').forEach(d => { d.open = false; }); });
}

// Moving about in a trace.

function look(n) {
	if (n < 0 || n >= events.length) return;
	if (current >= 0) events[current].classList.remove('here');
	current = n;
	const e = events[n];
	e.classList.add('here');
	const d = e.querySelector(':scope > details');
	if (d) d.open = true;
	e.scrollIntoView({block: e.offsetHeight > body.clientHeight * 0.7 ? 'start' : 'center', behavior: 'instant'});
	(e.querySelector('a.num') || e.querySelector('summary') || body).focus({preventScroll: true});
	if (location.hash !== fragment()) history.replaceState(history.state, '', fragment());
}

// jump goes to the next of some events, and round.
function jump(list, by) {
	if (!list.length) return;
	const places = list.map(e => events.indexOf(e));
	const n = by > 0 ? places.find(p => p > current) ?? places[0] : places.findLast(p => p < current) ?? places.at(-1);
	look(n);
}

function search() {
	const q = $('pane-find').value.toLowerCase();
	events.forEach(e => e.classList.remove('hit'));
	if (window.CSS && CSS.highlights) CSS.highlights.delete('found');
	hits = [];
	if (q === '') { $('pane-hits').textContent = ''; return; }
	const ranges = [];
	for (const e of events) {
		if (!e.textContent.toLowerCase().includes(q)) continue;
		hits.push(e);
		e.classList.add('hit');
		const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
		for (let t = walk.nextNode(); t && ranges.length < 5000; t = walk.nextNode()) {
			const text = t.data.toLowerCase();
			if (text.length !== t.data.length) continue;
			for (let p = text.indexOf(q); p >= 0 && ranges.length < 5000; p = text.indexOf(q, p + q.length)) {
				const r = new Range();
				r.setStart(t, p);
				r.setEnd(t, p + q.length);
				ranges.push(r);
				for (let d = t.parentElement.closest('details'); d && e.contains(d); d = d.parentElement.closest('details')) {
					if (!t.parentElement.closest('summary')) d.open = true;
				}
			}
		}
	}
	if (window.CSS && CSS.highlights && window.Highlight) CSS.highlights.set('found', new Highlight(...ranges));
	$('pane-hits').textContent = hits.length ? count(hits.length, 'event', 'events') : 'not found';
}

let soon;
$('pane-find').addEventListener('input', () => { clearTimeout(soon); soon = setTimeout(search, 80); });
$('pane-find').addEventListener('keydown', e => {
	if (e.key === 'Escape') { // which empties it, and closes the pane when it is empty
		e.preventDefault();
		if ($('pane-find').value === '') { pane.close(); return; }
		$('pane-find').value = '';
		search();
	}
	if (e.key !== 'Enter') return;
	e.preventDefault();
	clearTimeout(soon);
	search();
	jump(hits, e.shiftKey ? -1 : 1);
});
$('guilty').addEventListener('click', () => jump(guilty, 1));
$('unfold').addEventListener('click', () => {
	const now = $('unfold').getAttribute('aria-pressed') !== 'true';
	$('unfold').setAttribute('aria-pressed', now);
	body.querySelectorAll('.event details').forEach(d => { d.open = now; });
});
$('against').addEventListener('input', () => {
	const v = $('against').value;
	location.hash = '#attempt=' + keyOf(open) + (v === '' ? '' : '&vs=' + keyOf(+v));
});
$('copy').addEventListener('click', async () => {
	let done = true;
	try { await navigator.clipboard.writeText(location.href); } catch { done = false; }
	$('copy').textContent = done ? 'copied' : 'copy it from the address bar';
	setTimeout(() => { $('copy').textContent = 'copy link'; }, 2000);
});
$('previous').addEventListener('click', () => step(-1));
$('following').addEventListener('click', () => step(1));
$('close').addEventListener('click', () => pane.close());
pane.addEventListener('click', e => {
	if (e.target === pane && e.clientX < pane.getBoundingClientRect().left) pane.close();
});
body.addEventListener('click', e => {
	const link = e.target.closest('a[data-event]');
	if (!link || e.ctrlKey || e.metaKey || e.shiftKey) return;
	e.preventDefault();
	look(events.findIndex(x => x.dataset.n === link.dataset.event));
});
pane.addEventListener('close', () => {
	if (pane.open) return; // by another link, meanwhile
	const i = open;
	open = beside = undefined;
	turn++;
	body.replaceChildren();
	if (asked !== undefined && parse(location.hash).attempt === asked) history.pushState(null, '', location.href.split('#')[0]);
	asked = undefined;
	if (i !== undefined && rowOf(i).tr.checkVisibility()) go(i);
});

window.addEventListener('hashchange', show);
window.addEventListener('popstate', () => { if (pane.open && !parse(location.hash).attempt) show(); });

document.addEventListener('keydown', e => {
	if (e.altKey || e.ctrlKey || e.metaKey) return;
	if (e.target.matches('input, select, textarea')) {
		if (e.key === 'Escape' && !pane.open) e.target.blur();
		return;
	}
	const keys = pane.open ? {
		'/': () => $('pane-find').focus(),
		j: () => look(current + 1),
		k: () => look(Math.max(0, current - 1)),
		n: () => jump(hits.length ? hits : guilty, 1),
		N: () => jump(hits.length ? hits : guilty, -1),
		']': () => step(1),
		'[': () => step(-1),
		e: () => $('unfold').click(),
	} : {
		'/': () => filter.find.focus(),
		j: () => document.activeElement.classList.contains('slot') ? move(1, 0) : go(focused),
		k: () => document.activeElement.classList.contains('slot') ? move(-1, 0) : go(focused),
	};
	if (!keys[e.key]) return;
	e.preventDefault();
	keys[e.key]();
});

show();
})();
