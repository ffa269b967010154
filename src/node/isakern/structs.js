// SPDX-License-Identifier: MIT
// Structs of C from objects: the values of their fields, in their order.
'use strict';
const {checkArray, checkInteger, checkNames, checkNumber, checkObject, checkSize, lengthOf, shown} = require('./arguments.js');
const {structs} = require('./tables.json');

// What the tables do not tell: fields that are not 0 if they are left out, and the types and lengths of arrays. A length is a
// number or a function of the sizes of the call, and may be one of several.
const NONE_IS_1 = new Set(['stride_h', 'stride_w', 'dilation_h', 'dilation_w', 'groups']);
const columns = sizes => sizes.n;
const rows = sizes => sizes.m;
const LENGTHS = {
	b_zero: ['s32', 1, columns],
	scale: ['real', 1, columns],
	bias: ['real', columns],
	row_scale: ['real', rows],
	row_zero: ['s32', rows],
};
const LEAST = -(2 ** 31), MOST = 2 ** 31 - 1;

function word(kernel, {name, words}, given) {
	if (typeof given !== 'string' || !Object.hasOwn(words, given))
		throw new RangeError(`${kernel}: '${name}' is ${shown(given)}; it must be one of ${Object.keys(words).join(', ')}`);
	return words[given];
}

function number(kernel, {name, type}, given) {
	if (type === 'size_t')
		return checkSize(kernel, name, given);
	return type === 'int32_t' ? checkInteger(kernel, name, given, LEAST, MOST) : checkNumber(kernel, name, given);
}

// The elements that rows of `columns` elements take, `apart` elements from one to the next.
const span = (rows, columns, apart) => rows && columns ? (rows - 1) * apart + columns : 0;

function array(kernel, {name}, given, [type, ...lengths], sizes, real) {
	checkArray(kernel, name, type === 'real' ? real : type, given);
	const allowed = lengths.map(one => typeof one === 'function' ? one(sizes) : one);
	if (!allowed.includes(lengthOf(given)))
		throw new RangeError(`${kernel}: '${name}' has ${lengthOf(given)} elements; it must have ${allowed.join(' or ')}`);
	return given;
}

// An array with rows, such as the other operand of isk_post, of which there may be several, `between` elements apart.
function matrix(kernel, name, given, type, rows, columns, apart, {batch = 1, between = 0}) {
	checkArray(kernel, name, type, given);
	if (apart < columns)
		throw new RangeError(`${kernel}: 'ld${name}' is ${apart}; it must be ${columns} or more`);
	const elements = batch && span(rows, columns, apart) && (batch - 1) * between + span(rows, columns, apart);
	if (lengthOf(given) < elements)
		throw new RangeError(`${kernel}: '${name}' has ${lengthOf(given)} elements; it must have ${elements}`);
}

// struct is the name of C. sizes are those of the output, and type is that of its elements.
function fieldsOf(kernel, argument, struct, given, sizes, type) {
	checkObject(kernel, `'${argument}'`, given);
	const fields = structs[struct], real = type === 'f64' ? 'f64' : 'f32';
	checkNames(kernel, `'${argument}'`, given, fields.filter(f => f.kind !== 'count').map(f => f.name));
	// Each property is read once, because a getter could give another value later.
	const read = Object.fromEntries(fields.map(f => [f.name, given[f.name]]));
	if (struct === 'isk_post' && read.other !== undefined && read.other !== null)
		matrix(kernel, 'other', read.other, type, sizes.m, sizes.n, read.ldother = checkSize(kernel, 'ldother', read.ldother ?? sizes.n), sizes);
	if (struct === 'isk_groups') {
		if (!(checkSize(kernel, 'group', read.group) > 0))
			throw new RangeError(`${kernel}: 'group' is ${read.group}; it must be 32, 64 or 128`);
		matrix(kernel, 'scale', read.scale, 'f32', Math.ceil(sizes.k / read.group), sizes.n,
			read.ldscale = checkSize(kernel, 'ldscale', read.ldscale ?? sizes.n), {});
	}
	return fields.map(field => {
		if (field.kind === 'count')
			return read[field.of] ? lengthOf(read[field.of]) : 0;
		const value = read[field.name];
		if (value === undefined || value === null)
			return field.kind === 'array' ? null : NONE_IS_1.has(field.name) ? 1 : 0;
		if (field.kind === 'word')
			return word(kernel, field, value);
		if (field.kind === 'number')
			return number(kernel, field, value);
		return struct === 'isk_post' && field.name !== 'other' ? array(kernel, field, value, LENGTHS[field.name], sizes, real) : value;
	});
}

module.exports = {fieldsOf, structs};
