// SPDX-License-Identifier: MIT
'use strict';
const native = require('./isakern.node');
const {checkArray} = require('./arguments.js');
const {types} = require('./tables.json');

const NAMES = new Map(Object.entries(types).map(([name, {number}]) => [number, name]));

class Packed {
	#bytes;

	constructor(bytes) {
		this.#bytes = checkArray('Packed', 'bytes', 'u8', bytes);
		const {type, k, n, group} = native.packed(bytes);
		Object.assign(this, {type: NAMES.get(type), k, n, group});
		Object.freeze(this);
	}

	get bytes() {
		return this.#bytes;
	}

	static is(given) {
		return given !== null && typeof given === 'object' && #bytes in given;
	}
}

module.exports = Packed;
