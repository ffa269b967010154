// SPDX-License-Identifier: MIT
// isakern for Node. docs/node.md has the conventions, and index.d.ts all functions.
'use strict';
const native = require('./isakern.node');
const Packed = require('./packed.js');
const {Kernel, choose} = require('./kernel.js');
const {kernels} = require('./tables.json');

function named(name, call) {
	return Object.defineProperty(call, 'name', {value: name});
}

const byName = new Map(), byOp = new Map();
// Most programs use few kernels, so the rest of what a kernel needs is made on its first call.
const kernelOf = name => byName.get(name) || byName.set(name, new Kernel(name)).get(name);

for (const [name, {op}] of Object.entries(kernels)) {
	exports[name] = named(name, (...given) => kernelOf(name).call(given));
	byOp.set(op, [...byOp.get(op) || [], name]);
}
for (const [op, names] of byOp)
	exports[op] ||= named(op, (...given) => choose(op, names.map(kernelOf), given).call(given));

exports.Packed = Packed;
exports.info = () => native.info();
exports.why = kernel => {
	if (byOp.has(kernel) && !(kernel in kernels))
		throw new RangeError(`why: there is no kernel '${kernel}'; the operation has ${byOp.get(kernel).join(', ')}`);
	return native.why(kernel);
};
