// SPDX-License-Identifier: MIT
// Calls kernels as kernels.py says, a line of JSON each, and prints what they made:
//
//     call.js PACKAGE <JOBS
'use strict';
const isk = require(process.argv[2]);

const toHex = array => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('hex');

function fromHex({array, hex, packed}) {
	const bytes = new Uint8Array(Buffer.from(hex, 'hex'));
	return packed ? new isk.Packed(bytes) : new globalThis[array](bytes.buffer);
}

function plain(value) {
	if (ArrayBuffer.isView(value))
		return toHex(value);
	if (value instanceof isk.Packed)
		return toHex(value.bytes);
	return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value === null ? null
		: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

function run({kernel, inputs, options, sizes}) {
	const given = () => {
		const arrays = inputs.map(fromHex);
		const more = Object.fromEntries(Object.entries(options).map(([name, one]) => [name, one?.hex === undefined ? one : fromHex(one)]));
		return [arrays, more];
	};
	const call = named => {
		const [arrays, more] = given();
		const made = isk[kernel](...arrays, {...more, ...named});
		return {made: plain(made), changed: arrays.map(plain)};
	};
	const whole = call(sizes);
	// The same with no more sizes than the call asks for.
	const named = {};
	for (;;)
		try {
			return {whole, short: call(named), named};
		} catch (e) {
			const missing = e.message.match(/do not tell (?:.*, )?(\w+): name/)?.[1];
			if (!missing)
				throw e;
			named[missing] = sizes[missing];
		}
}

for (const line of require('fs').readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
	let answer;
	try {
		answer = run(JSON.parse(line));
	} catch (e) {
		answer = {error: `${e.name}: ${e.message}`};
	}
	console.log(JSON.stringify(answer));
}
