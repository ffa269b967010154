// SPDX-License-Identifier: MIT
// Checks of what people give: each exception names the function, the argument, and what is allowed.
'use strict';
const native = require('./isakern.node');
const {types} = require('./tables.json');

const CLASSES = {Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array,
	BigUint64Array};
const MOST_WORD = 2 ** 31 - 1;
// The getters that all typed arrays share. Properties of an array itself, or of a subclass, could say something else.
const getter = name => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name).get;
const tag = getter(Symbol.toStringTag), length = getter('length');
// The name of the class of a typed array, also of one from another realm; undefined for all other values.
const classOf = given => tag.call(given);
const lengthOf = given => length.call(given);

function shown(given) {
	if (typeof given === 'string')
		return JSON.stringify(given);
	if (typeof given === 'bigint')
		return `${given}n`;
	if (given === null || typeof given !== 'object' && typeof given !== 'function')
		return String(given);
	return classOf(given) || (Array.isArray(given) ? 'an Array' : typeof given === 'function' ? 'a function' : 'an object');
}

// The classes of typed arrays that may hold elements of a type, in words.
function allowed(type) {
	const {array, memory} = types[type];
	return array || `typed array with elements of ${memory / 8} byte${memory === 8 ? '' : 's'}`;
}

// Whether a class of typed arrays may hold elements of a type. Bits may be of any class of their width.
function holds(type, name) {
	const {array, memory} = types[type];
	return array ? name === array : CLASSES[name]?.BYTES_PER_ELEMENT * 8 === memory;
}

function checkArray(kernel, name, type, given) {
	const found = classOf(given);
	if (found === undefined || !holds(type, found))
		throw new TypeError(`${kernel}: '${name}' is ${shown(given)}; it must be a ${allowed(type)}`);
	if (!lengthOf(given))
		native.checkArray(kernel, name, given);
	return given;
}

function checkNumber(kernel, name, given) {
	if (typeof given !== 'number')
		throw new TypeError(`${kernel}: '${name}' is ${shown(given)}; it must be a number`);
	return given;
}

// A number of elements, or a distance between them.
function checkSize(kernel, name, given) {
	if (!Number.isSafeInteger(checkNumber(kernel, name, given)) || given < 0)
		throw new RangeError(`${kernel}: '${name}' is ${given}; it must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}`);
	return given;
}

function checkInteger(kernel, name, given, least, most) {
	if (typeof given !== 'number' && typeof given !== 'bigint')
		throw new TypeError(`${kernel}: '${name}' is ${shown(given)}; it must be an integer`);
	// A number beyond 2^53 need not be the integer that was meant.
	if (typeof given === 'number' && !Number.isSafeInteger(given) || given < least || given > most)
		throw new RangeError(`${kernel}: '${name}' is ${given}; it must be an integer from ${least} to ${most}`);
	return given;
}

function limits({kind, bits}) {
	const half = 2n ** BigInt(bits - 1);
	return kind === 'signed' ? [-half, half - 1n] : [0n, 2n * half - 1n];
}

// A value. type is an element type, or a word of C; within, the type whose integers are allowed.
function checkValue(kernel, {name, positive}, type, within, given) {
	const element = types[type];
	if (!element)
		return checkInteger(kernel, name, typeof given === 'boolean' ? Number(given) : given, 0, MOST_WORD);
	if (element.kind !== 'float')
		return checkInteger(kernel, name, given, ...limits(types[within] || element));
	checkNumber(kernel, name, given);
	const held = element.lanes === 'f32' ? Math.fround(given) : given;
	if (positive && !(held > 0 && Number.isFinite(held)))
		throw new RangeError(`${kernel}: '${name}' is ${given}; it must be positive and finite`);
	if (Number.isFinite(given) && !Number.isFinite(held))
		throw new RangeError(`${kernel}: '${name}' is ${given}; it must be within the range of float32`);
	return given;
}

function checkObject(kernel, name, given) {
	if (given === null || typeof given !== 'object' || Array.isArray(given) || ArrayBuffer.isView(given))
		throw new TypeError(`${kernel}: ${name} is ${shown(given)}; it must be an object`);
	return given;
}

function checkNames(kernel, name, given, known) {
	for (const key of Object.keys(given))
		if (!known.includes(key))
			throw new TypeError(`${kernel}: ${name} has no '${key}'; there are ${known.join(', ') || 'none'}`);
}

module.exports = {CLASSES, checkArray, checkInteger, checkNames, checkNumber, checkObject, checkSize, checkValue, classOf, holds, lengthOf,
	shown};
