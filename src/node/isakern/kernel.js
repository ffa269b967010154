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
const product = (sizes, names) => names.reduce((all, name) => all * sizes[name], 1);

class Kernel {
	#native = null;

	constructor(name) {
		const {shape, types: own, told} = kernels[name], {result, arguments: all} = shapes[shape];
		this.name = name;
		this.told = told;
		this.result = result;
		this.own = own;
		this.all = all.map((a, i) => ({...a, place: i, element: own[a.type] || a.type, isArray: ['in', 'out'].includes(a.role),
			dimensions: (a.extents || []).map(([size]) => size), strides: (a.extents || []).map(([, stride]) => stride)}));
		this.arrays = this.all.filter(a => a.isArray);
		this.inputs = this.arrays.filter(a => !a.null && (a.role === 'in' || a.inout));
		this.outputs = this.arrays.filter(a => a.role === 'out' && !a.inout);
		// The outputs, or what is changed in place.
		this.made = this.outputs.length ? this.outputs : this.inputs.filter(a => a.inout);
		this.named = this.all.filter(a => !this.inputs.includes(a) && !a.counts_bytes && !(a.packed && a.role === 'out'));
		this.names = this.named.map(a => a.name);
		this.conv = this.all.find(a => a.type === 'isk_conv');
	}

	get native() {
		return this.#native ||= native.kernel(this.name);
	}

	// The arguments by name, as they are given.
	read(given) {
		const {inputs, name} = this, found = {};
		if (given.length < inputs.length || given.length > inputs.length + 1)
			throw new TypeError(`${name}: ${given.length} arguments are given; there are ${[...inputs.map(a => a.name), '{...}'].join(', ')}`);
		inputs.forEach((a, i) => found[a.name] = this.array(a, given[i]));
		const options = given[inputs.length];
		if (options === undefined)
			return found;
		checkObject(name, 'the last argument', options);
		checkNames(name, 'the last argument', options, this.names);
		for (const a of this.named) {
			const one = options[a.name];
			if (one !== undefined)
				found[a.name] = !a.isArray ? one : one === null && a.null ? null : this.array(a, one);
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

	// The sizes that are named, and those that lengths of arrays without strides of their own tell.
	sizes(found) {
		const sizes = {}, unknown = new Set();
		for (const a of this.all)
			if (a.role === 'size' && !a.counts_bytes) {
				if (found[a.name] !== undefined)
					sizes[a.name] = checkSize(this.name, a.name, found[a.name]);
				else
					unknown.add(a.name);
			}
		for (const a of this.arrays)
			if (a.packed && a.role === 'in' && !a.measured)
				a.dimensions.forEach((size, i) => this.learn(sizes, unknown, size, found[a.name][i ? 'n' : 'k']));
		const telling = this.arrays.filter(a => present(found[a.name]) && !a.packed && this.isDense(a, found) && types[a.element].memory >= 8);
		for (let more = unknown.size > 0; more;) {
			more = false;
			for (const a of telling) {
				const missing = a.dimensions.filter(size => unknown.has(size));
				if (missing.length !== 1)
					continue;
				const length = lengthOf(found[a.name]), others = product(sizes, a.dimensions.filter(size => size !== missing[0]));
				if (!others)
					continue;
				if (length % others)
					throw new RangeError(`${this.name}: '${a.name}' has ${length} elements, which is no multiple of ${others}`);
				this.learn(sizes, unknown, missing[0], length / others);
				more = unknown.size > 0;
			}
		}
		if (unknown.size)
			throw new TypeError(`${this.name}: arrays alone do not tell ${[...unknown].join(', ')}: name one of them, as in {${[...unknown].pop()}: 1}`);
		return sizes;
	}

	learn(sizes, unknown, size, count) {
		if (unknown.delete(size))
			sizes[size] = count;
	}

	// Whether an array has no stride that is named.
	isDense(a, found) {
		return a.dimensions.length > 0 && a.strides.every(stride => !stride || found[stride] === undefined);
	}

	// The sizes of an array, outermost first; the last two are exchanged if it is stored transposed.
	dimensions(a, values) {
		const names = [...a.dimensions];
		if (a.turned) {
			const [value, bit] = a.turned, turned = Number(values[value]);
			if (bit ? turned & bit : turned)
				names.push(...names.splice(-2).reverse());
		}
		return names;
	}

	// Distances that are not named are those of arrays without gaps. Rows of elements that share bytes begin with a byte.
	strides(found, sizes, values) {
		const strides = {};
		for (const a of this.arrays) {
			const names = this.dimensions(a, values);
			a.strides.forEach((stride, i) => {
				if (!stride || strides[stride] !== undefined)
					return;
				const inner = product(sizes, names.slice(i + 1));
				strides[stride] = found[stride] === undefined ? inner + (types[a.element].memory < 8 ? inner % 2 : 0)
					: checkSize(this.name, stride, found[stride]);
			});
		}
		return strides;
	}

	values(found) {
		const values = {};
		for (const a of this.all) {
			if (a.role !== 'value')
				continue;
			let given = found[a.name];
			if (given === undefined) {
				if (!a.along && !a.turns)
					throw new TypeError(`${this.name}: '${a.name}' is missing; name it in the last argument, as in {${a.name}: 1}`);
				given = 0;
			}
			values[a.name] = checkValue(this.name, a, a.element, this.own[a.within], given);
		}
		return values;
	}

	structs(found, sizes, strides) {
		const made = {}, type = this.outputs[0]?.element;
		for (const a of this.all) {
			if (a.role !== 'struct')
				continue;
			if (!present(found[a.name])) {
				if (!a.null)
					throw new TypeError(`${this.name}: '${a.name}' is missing; name it in the last argument, as an object with ${
						structs[a.type].map(f => f.name).join(', ')}`);
				made[a.name] = null;
				continue;
			}
			// The columns of a convolution's result are its channels, and its rows are pixels.
			const output = this.conv && a !== this.conv && this.output(made);
			const result = output ? {m: output.pixels, n: output.channels} : {...sizes, between: strides.stride_c};
			made[a.name] = fieldsOf(this.name, a.name, a.type, found[a.name], result, type);
		}
		return made;
	}

	field(made, name) {
		return made[this.conv.name][structs.isk_conv.findIndex(f => f.name === name)];
	}

	output(made) {
		const {height, width} = native.convOutput(this.name, made[this.conv.name]);
		const channels = this.field(made, 'out_channels');
		return {pixels: this.field(made, 'images') * height * width, channels, apart: this.field(made, 'ldy') || channels};
	}

	// An array without gaps has exactly the elements that sizes ask for, because a longer one is probably the wrong one.
	checkLengths(found, sizes) {
		for (const a of this.arrays) {
			const given = found[a.name];
			if (!present(given) || a.packed || a.measured || types[a.element].memory < 8 || !this.isDense(a, found))
				continue;
			if (lengthOf(given) !== product(sizes, a.dimensions))
				throw new RangeError(`${this.name}: '${a.name}' has ${lengthOf(given)} elements; it must have ${
					a.dimensions.map(size => `${size} (${sizes[size]})`).join(' times ')}`);
		}
	}

	make(a, sizes, strides, made) {
		const {name} = this;
		if (a.packed) {
			const of = structure => made[this.all.find(b => b.type === structure)?.name] ?? null;
			const bytes = native.packedSize(name, types[a.element].number, sizes.k ?? 0, sizes.n ?? 0, of('isk_groups'), of('isk_conv'));
			if (!bytes)
				throw new RangeError(`${name}: there is no packed matrix of these sizes`);
			return this.allocate(a, CLASSES.Uint8Array, bytes);
		}
		let elements = 1;
		if (a.measured) {
			const {pixels, channels, apart} = this.output(made);
			elements = pixels && channels ? (pixels - 1) * apart + channels : 0;
		}
		for (let i = a.dimensions.length - 1; i >= 0; i--) {
			const count = sizes[a.dimensions[i]];
			elements = count && elements ? (count - 1) * (a.strides[i] ? strides[a.strides[i]] : elements) + elements : 0;
		}
		const {array, memory} = types[a.element];
		return this.allocate(a, CLASSES[array || this.classOfBits || BITS[memory]], memory < 8 ? Math.ceil(elements / 2) : elements);
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
		// Outputs of bits have the class of the first input of bits.
		const bits = this.inputs.find(a => types[a.element]?.array === '');
		this.classOfBits = bits && classOf(found[bits.name]);
		const values = this.values(found), sizes = this.sizes(found), strides = this.strides(found, sizes, values);
		this.checkLengths(found, sizes);
		const made = this.structs(found, sizes, strides);
		for (const a of this.outputs)
			if (found[a.name] === undefined)
				found[a.name] = this.make(a, sizes, strides, made);
		const packed = this.outputs.find(a => a.packed);
		const result = this.native(...this.all.map(a => {
			if (a.isArray)
				return a.packed && a.role === 'in' ? found[a.name].bytes : found[a.name] ?? null;
			if (a.counts_bytes)
				return found[packed.name].length;
			return (a.role === 'size' ? sizes : a.role === 'stride' ? strides : a.role === 'struct' ? made : values)[a.name];
		}));
		return this.returned(result, found);
	}

	returned(result, found) {
		if (this.result === 'size' || typeof result === 'bigint' && this.own[this.result] !== 's64')
			return Number(result);
		if (!RESULTS.includes(this.result))
			return result;
		const out = this.made.map(a => a.packed ? new Packed(found[a.name]) : found[a.name]);
		return out.length === 1 ? out[0] : Object.fromEntries(this.made.map((a, i) => [a.name, out[i]]));
	}
}

// The kernel of an operation that the classes of arrays mean.
function choose(op, some, given) {
	const found = some.filter(k => k.takes(given));
	if (found.length === 1 && found[0].told)
		return found[0];
	const classes = given.filter(one => classOf(one) || Packed.is(one)).map(shown).join(', ') || 'these arguments';
	if (!found.length)
		throw new TypeError(`${op}: no kernel takes ${classes}; there are ${some.map(k => k.name).join(', ')}`);
	const names = found.map(k => k.name).join(', ');
	throw new TypeError(`${op}: ${classes} may mean ${names}: call the kernel by its whole name${
		found.length > 1 && found.every(k => k.told) ? ', or give the output' : ''}`);
}

module.exports = {Kernel, choose};
