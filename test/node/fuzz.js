// SPDX-License-Identifier: MIT
// Random calls of all kernels: each returns or throws a TypeError or a RangeError that names its kernel, and writes nothing
// beside its arrays. Half of the arguments are plausible, so that kernels are reached.
//
//     fuzz.js PACKAGE CALLS [SEED]
'use strict';
const {done, ok} = require('./tap.js');
const [folder, calls, seed] = process.argv.slice(2);
const isk = require(folder);
const {types, shapes, structs, kernels} = require(folder + '/tables.json');

let state = BigInt(seed || 1);
function random(n) {
	state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
	return Number(state >> 33n) % n;
}
const pick = some => some[random(some.length)];

const CLASSES = [Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array,
	BigUint64Array];
const NUMBERS = [0, 1, 2, 3, 4, 8, 16, 31, 64, -1, -0, 0.5, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 32 + 1, 2 ** 53 - 1, 2 ** 53, 1e300,
	5e-324, 1n, -1n, 2n ** 63n, 2n ** 70n];
const ODD = [undefined, null, true, '', '4', 'relu', [], [1, 2], {}, {length: 4}, () => 1, Symbol('s'), new Date(0),
	new DataView(new ArrayBuffer(8))];
const GUARD = 64, MARK = 0xa5;
const detached = new Float32Array(8);
structuredClone(detached.buffer, {transfer: [detached.buffer]});
const conv = {images: 1, height: 4, width: 4, channels: 1, out_channels: 1, kernel_h: 3, kernel_w: 3};
const packs = [isk.gemm_pack(new Float32Array(16).fill(1), {n: 4}), isk.gemm_pack_bf16(new Uint16Array(16), {n: 4}),
	isk.gemm_pack(new Int8Array(16), {n: 4}), isk.gemm_pack_f16(new Uint16Array(16), {n: 4}), isk.conv_pack_f32(new Float32Array(9), {conv})];
// An argument of a role is named in one of so many calls.
const GIVEN = {in: 3, out: 3, stride: 4, size: 2, value: 1, struct: 1};
let guarded = [];

// An array with marks before and behind it.
function array(Class, length) {
	const width = Class.BYTES_PER_ELEMENT, bytes = new Uint8Array(2 * GUARD + length * width).fill(MARK);
	const made = new Class(bytes.buffer, GUARD, length);
	for (let i = 0; i < length; i++)
		made[i] = width === 8 && Class !== Float64Array ? BigInt(random(5)) : random(5);
	guarded.push([bytes, GUARD + length * width]);
	return made;
}

function anything() {
	switch (random(6)) {
	case 0: return pick(NUMBERS);
	case 1: return pick(ODD);
	case 2: return detached;
	case 3: return pick(packs);
	default: return array(pick(CLASSES), pick([0, 1, 3, 4, 12, 16, 64]));
	}
}

function plausibleField({kind, words}) {
	if (kind === 'array')
		return array(pick([Float32Array, Int32Array]), pick([1, 4]));
	return kind === 'word' ? pick(Object.keys(words)) : pick([0, 1, 1, 2, 3, 4]);
}

function plausible(kernel, a) {
	const name = kernel.types[a.type] || a.type;
	switch (a.role) {
	case 'in':
	case 'out': {
		if (a.packed)
			return pick(packs);
		const fits = one => types[name].array ? one.name === types[name].array : one.BYTES_PER_ELEMENT * 8 === types[name].memory;
		return array(pick(CLASSES.filter(fits)), pick([4, 4, 16, 16, 12, 64]));
	}
	case 'struct':
		return Object.fromEntries(structs[a.type].filter(() => random(3)).map(field => [field.name, plausibleField(field)]));
	case 'value':
		return pick([0, 1, 2, 0.5]);
	default:
		return pick([1, 2, 3, 4, 4, 4, 16]);
	}
}

const names = Object.keys(kernels), outcomes = {returned: 0, TypeError: 0, RangeError: 0}, wrong = [];
for (let i = 0; i < Number(calls); i++) {
	const name = pick(names), kernel = kernels[name], shape = shapes[kernel.shape];
	// One call in two has only plausible arguments, the others one or more of any kind.
	const wild = random(2) ? 0 : 1 + random(4);
	const one = a => random(8) < wild ? anything() : plausible(kernel, a);
	guarded = [];
	const given = [], options = {};
	for (const a of shape.arguments) {
		const is_array = ['in', 'out'].includes(a.role);
		if (is_array && !a.null && (a.role === 'in' || a.inout))
			given.push(one(a));
		else if (!a.counts_bytes && !(a.packed && a.role === 'out') && random(GIVEN[a.role]) === 0)
			options[a.name] = one(a);
	}
	if (wild && random(10) === 0)
		given.splice(random(given.length + 1), random(2), anything());
	try {
		isk[random(4) ? name : kernel.op](...given, wild && random(10) === 0 ? anything() : options);
		outcomes.returned++;
	} catch (e) {
		outcomes[e.name]++;
		if (!['TypeError', 'RangeError'].includes(e.name) || !e.message.startsWith(kernel.op) && !e.message.startsWith('Packed'))
			wrong.push(`${name}: ${e.stack}`);
	}
	for (const [bytes, end] of guarded)
		if (bytes.subarray(0, GUARD).some(one => one !== MARK) || bytes.subarray(end).some(one => one !== MARK))
			wrong.push(`${name}: wrote beside an array`);
}
ok(!wrong.length, `${calls} random calls: ${JSON.stringify(outcomes)}`, wrong.join('\n'));
ok(Object.values(outcomes).every(count => count > calls / 10), 'calls of each outcome');
done();
