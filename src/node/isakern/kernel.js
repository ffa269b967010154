// SPDX-License-Identifier: MIT
// A kernel as a function of typed arrays. Inputs come first, in the order of C, and one object names everything else. Sizes are
// taken from the lengths of arrays, and outputs are made, unless that object has them.
'use strict';
const native = require('./isakern.node');
const Packed = require('./packed.js');
const {CLASSES, checkArray, checkNames, checkObject, checkSize, checkValue, classOf, holds, lengthOf, shown} = require('./arguments.js');
const {fieldsOf, structs} = require('./structs.js');
const {types, shapes, kernels} = require('./tables.json');

const RESULTS = ['void', 'status', 'size'];
// The class of an output of bits, if no input has bits.
const BITS = {8: 'Uint8Array', 16: 'Uint16Array', 32: 'Uint32Array', 64: 'BigUint64Array'};
const present = given => given !== undefined && given !== null;

// The arguments of one call stand in an array, in the order of C: first as they are given (undefined: left out), then complete.
class Kernel {
	#native = null;

	constructor(name) {
		const {shape, types: own, told} = kernels[name], {result, arguments: all} = shapes[shape];
		const place = argument => all.findIndex(a => a.name === argument);
		this.name = name;
		this.told = told;
		this.result = result;
		this.own = own;
		// sizes, strides and turns are places of arguments; -1: there is none.
		this.all = all.map((a, i) => ({...a, place: i, element: own[a.type] || a.type, isArray: a.role === 'in' || a.role === 'out',
			sizes: (a.extents || []).map(([size]) => place(size)), strides: (a.extents || []).map(([, stride]) => stride ? place(stride) : -1),
			turn: a.turned ? place(a.turned[0]) : -1}));
		const having = role => this.all.filter(a => a.role === role);
		this.arrays = this.all.filter(a => a.isArray);
		this.inputs = this.arrays.filter(a => !a.null && (a.role === 'in' || a.inout));
		this.outputs = this.arrays.filter(a => a.role === 'out' && !a.inout);
		// The outputs, or what is changed in place.
		this.made = this.outputs.length ? this.outputs : this.inputs.filter(a => a.inout);
		this.named = this.all.filter(a => !this.inputs.includes(a) && !a.counts_bytes && !(a.packed && a.role === 'out'));
		this.names = this.named.map(a => a.name);
		this.valued = having('value');
		this.sized = having('size').filter(a => !a.counts_bytes);
		this.strided = having('stride');
		this.structured = having('struct');
		this.conv = this.structured.find(a => a.type === 'isk_conv');
		this.packed = this.arrays.filter(a => a.packed && a.role === 'in' && !a.measured);
		// Arrays whose lengths tell sizes: those of elements that share bytes do not.
		this.telling = this.arrays.filter(a => a.sizes.length && !a.packed && types[a.element].memory >= 8);
		this.bits = this.inputs.find(a => types[a.element].array === '');
	}

	get native() {
		return this.#native ||= native.kernel(this.name);
	}

	// The arguments as they are given.
	read(given) {
		const {inputs, name} = this, found = new Array(this.all.length).fill(undefined);
		if (given.length < inputs.length || given.length > inputs.length + 1)
			throw new TypeError(`${name}: ${given.length} arguments are given; there are ${[...inputs.map(a => a.name), '{...}'].join(', ')}`);
		for (let i = 0; i < inputs.length; i++)
			found[inputs[i].place] = this.array(inputs[i], given[i]);
		const options = given[inputs.length];
		if (options === undefined)
			return found;
		checkObject(name, 'the last argument', options);
		checkNames(name, 'the last argument', options, this.names);
		for (const a of this.named) {
			const one = options[a.name];
			if (one !== undefined)
				found[a.place] = !a.isArray || one === null && a.null ? one : this.array(a, one);
		}
		return found;
	}

	array(a, given) {
		if (!a.packed)
			return checkArray(this.name, a.name, a.element, given);
		if (!Packed.is(given))
			throw new TypeError(`${this.name}: '${a.name}' is ${shown(given)}; it must be a Packed`);
		if (given.type !== a.element)
			throw new TypeError(`${this.name}: '${a.name}' is a Packed of ${given.type}; it must be one of ${a.element}`);
		return given;
	}

	// Whether arrays have the classes of this kernel.
	takes(given) {
		const options = given[this.inputs.length];
		const fits = (a, one) => a.packed ? Packed.is(one) && one.type === a.element : holds(a.element, classOf(one));
		return given.length >= this.inputs.length && this.inputs.every((a, i) => fits(a, given[i]))
			&& this.named.every(a => !a.isArray || !present(options?.[a.name]) || fits(a, options[a.name]));
	}

	checkValues(found) {
		for (const a of this.valued) {
			if (found[a.place] === undefined) {
				if (!a.along && !a.turns)
					throw new TypeError(`${this.name}: '${a.name}' is missing; name it in the last argument, as in {${a.name}: 1}`);
				found[a.place] = 0;
			}
			found[a.place] = checkValue(this.name, a, a.element, this.own[a.within], found[a.place]);
		}
	}

	// Whether an array is there, and no stride of it is named.
	isDense(a, found) {
		return present(found[a.place]) && a.strides.every(stride => stride < 0 || found[stride] === undefined);
	}

	// Sets the sizes that are not named, by packed matrices and by the lengths of arrays without gaps.
	findSizes(found) {
		let unknown = 0;
		for (const a of this.sized)
			if (found[a.place] === undefined)
				unknown++;
			else
				checkSize(this.name, a.name, found[a.place]);
		for (const a of this.packed)
			a.sizes.forEach((size, i) => {
				if (found[size] === undefined) {
					found[size] = i ? found[a.place].n : found[a.place].k;
					unknown--;
				}
			});
		while (unknown) {
			const before = unknown;
			for (const a of this.telling)
				if (this.isDense(a, found) && this.learn(a, found))
					unknown--;
			if (unknown === before) {
				const names = this.sized.filter(a => found[a.place] === undefined).map(a => a.name);
				throw new TypeError(`${this.name}: arrays alone do not tell ${names.join(', ')}: name one of them, as in {${names.pop()}: 1}`);
			}
		}
	}

	// Sets the one size that an array's length tells, since the others are known; false if there is none.
	learn(a, found) {
		let missing = -1, others = 1;
		for (const size of a.sizes)
			if (found[size] !== undefined)
				others *= found[size];
			else if (missing < 0)
				missing = size;
			else
				return false;
		if (missing < 0 || !others)
			return false;
		const length = lengthOf(found[a.place]);
		if (length % others)
			throw new RangeError(`${this.name}: '${a.name}' has ${length} elements, which is no multiple of ${others}`);
		found[missing] = length / others;
		return true;
	}

	// An array without gaps has exactly the elements that sizes ask for, because a longer one is probably the wrong one.
	checkLengths(found) {
		for (const a of this.telling)
			if (this.isDense(a, found)) {
				const length = lengthOf(found[a.place]);
				if (length !== a.sizes.reduce((all, size) => all * found[size], 1))
					throw new RangeError(`${this.name}: '${a.name}' has ${length} elements; it must have ${
						a.sizes.map(size => `${this.all[size].name} (${found[size]})`).join(' times ')}`);
			}
	}

	// Strides that are not named are those of arrays without gaps. Rows of elements that share bytes begin with a byte.
	findStrides(found) {
		for (const a of this.strided)
			if (found[a.place] !== undefined)
				checkSize(this.name, a.name, found[a.place]);
		for (const a of this.strided.length ? this.arrays : []) {
			let sizes = a.sizes;
			// The last two sizes are exchanged in a matrix that is stored transposed.
			if (a.turn >= 0 && (a.turned[1] ? Number(found[a.turn]) & a.turned[1] : Number(found[a.turn])))
				sizes = [...sizes.slice(0, -2), ...sizes.slice(-2).reverse()];
			for (let i = sizes.length - 1, inner = 1; i >= 0; inner *= found[sizes[i--]])
				if (a.strides[i] >= 0)
					found[a.strides[i]] ??= inner + (types[a.element].memory < 8 ? inner % 2 : 0);
		}
	}

	// Structs as arrays of their fields. One that describes a convolution is complete before the operations on its results.
	readStructs(found) {
		const sizes = {};
		for (const a of this.structured.length ? this.all : [])
			if (a.role === 'size' || a.role === 'stride')
				sizes[a.name] = found[a.place];
		sizes.between = sizes.stride_c;
		for (const a of this.structured) {
			if (!present(found[a.place])) {
				if (!a.null)
					throw new TypeError(`${this.name}: '${a.name}' is missing; name it in the last argument, as an object with ${
						structs[a.type].map(f => f.name).join(', ')}`);
				found[a.place] = null;
				continue;
			}
			// The columns of a convolution's result are its channels, and its rows are pixels.
			const result = this.conv && a !== this.conv ? this.output(found) : sizes;
			found[a.place] = fieldsOf(this.name, a.name, a.type, found[a.place], result, this.outputs[0].element);
		}
	}

	output(found) {
		const conv = found[this.conv.place], {height, width} = native.convOutput(this.name, conv);
		const field = name => conv[structs.isk_conv.findIndex(f => f.name === name)];
		if (this.outputs[0].measured?.startsWith('image'))
			return {m: field('images') * field('height') * field('width'), n: field('channels'), apart: field('ldx') || field('channels')};
		return {m: field('images') * height * width, n: field('out_channels'), apart: field('ldy') || field('out_channels')};
	}

	make(a, found) {
		if (a.packed) {
			const of = argument => found[this.all.findIndex(b => b.name === argument)] ?? null;
			const bytes = native.packedSize(this.name, types[a.element].number, of('k') ?? 0, of('n') ?? 0, of('groups'), of('conv'),
				Number(Boolean(a.measured?.startsWith('transposed'))));
			if (!bytes)
				throw new RangeError(`${this.name}: there is no packed matrix of these sizes`);
			return this.allocate(a, CLASSES.Uint8Array, bytes);
		}
		let elements = 1;
		if (a.measured) {
			const {m, n, apart} = this.output(found);
			elements = m && n ? (m - 1) * apart + n : 0;
		}
		for (let i = a.sizes.length - 1; i >= 0; i--) {
			const count = found[a.sizes[i]];
			elements = count && elements ? (count - 1) * (a.strides[i] < 0 ? elements : found[a.strides[i]]) + elements : 0;
		}
		const {array, memory} = types[a.element];
		const Class = CLASSES[array || this.bits && classOf(found[this.bits.place]) || BITS[memory]];
		return this.allocate(a, Class, memory < 8 ? Math.ceil(elements / 2) : elements);
	}

	allocate(a, Class, elements) {
		try {
			return new Class(elements);
		} catch {
			throw new RangeError(`${this.name}: '${a.name}' would have ${elements} elements, for which there is no memory`);
		}
	}

	call(given) {
		const found = this.read(given);
		this.checkValues(found);
		this.findSizes(found);
		this.checkLengths(found);
		this.findStrides(found);
		this.readStructs(found);
		for (const a of this.outputs)
			if (found[a.place] === undefined) {
				found[a.place] = this.make(a, found);
				if (a.packed)
					found[this.all.findIndex(b => b.counts_bytes)] = found[a.place].length;
			}
		const made = this.made.map(a => found[a.place]);
		for (const a of this.arrays)
			if (a.packed && a.role === 'in')
				found[a.place] = found[a.place].bytes;
		return this.returned(this.native(...found), made);
	}

	returned(result, made) {
		if (this.result === 'size' || typeof result === 'bigint' && this.own[this.result] !== 's64')
			return Number(result);
		if (!RESULTS.includes(this.result))
			return result;
		if (made.length !== 1)
			return Object.fromEntries(this.made.map((a, i) => [a.name, made[i]]));
		return this.made[0].packed ? new Packed(made[0]) : made[0];
	}
}

// The kernel of an operation that the classes of arrays mean.
function choose(op, some, given) {
	const found = some.filter(k => k.takes(given));
	if (found.length === 1 && found[0].told)
		return found[0];
	const isArray = one => classOf(one) || Packed.is(one) || Array.isArray(one);
	const classes = given.filter(isArray).map(shown).join(', ') || 'these arguments';
	if (!found.length)
		throw new TypeError(`${op}: no kernel takes ${classes}; there are ${some.map(k => k.name).join(', ')}`);
	const names = found.map(k => k.name).join(', ');
	throw new TypeError(`${op}: ${classes} may mean ${names}: call the kernel by its whole name${
		found.length > 1 && found.every(k => k.told) ? ', or give the output' : ''}`);
}

module.exports = {Kernel, choose};
