// SPDX-License-Identifier: MIT
// What the npm package does beside calling kernels: outputs, structs, packed matrices, choices by class, and refusals.
//
//     door.js PACKAGE
'use strict';
const vm = require('vm');
const {Worker} = require('worker_threads');
const {done, equal, ok, refused} = require('./tap.js');
const isk = require(process.argv[2]);

const f32 = (...numbers) => Float32Array.from(numbers);
const counted = n => Float32Array.from({length: n}, (_, i) => i);
const x = f32(-2, -1, 0, 1, 2);

// Outputs and results
equal(isk.square(x), f32(4, 1, 0, 1, 4), 'an output is made');
const y = new Float32Array(5);
ok(isk.square(x, {y}) === y && y[0] === 4, 'an output that is given');
const own = f32(1, 2);
ok(isk.square(own, {y: own}) === own && own[1] === 4, 'in place');
ok(isk.axpy(y, x, {alpha: 1}) === y && y[0] === 2, 'what is changed in place is returned');
equal(isk.topk(f32(1, 5, 3), {cols: 3, k: 2}), {values: f32(5, 3), indices: [1n, 2n].map(n => `${n}`)},
	'several outputs, by their names');
equal(isk.layernorm_stats_f32(f32(1, 3), {cols: 2, epsilon: 0, mean: null}), {y: f32(-1, 1), mean: null, rstd: f32(1)},
	'an output that is left out');
equal([isk.sum(x), isk.argmax(x), isk.sum(BigInt64Array.of(1n, 2n))], [0, 4, '3n'], 'numbers, and a BigInt for 64 bits');
equal(isk.copy(Int16Array.of(1, -1)), Int16Array.of(1, -1), 'bits keep the class of their array');
equal(isk.random_b32({n: 1, seed: 1n}).constructor.name, 'Uint32Array',
	'bits of no array are unsigned, and an offset is 0 if left out');
equal(isk.sum(vm.runInNewContext('Float32Array.of(1, 2)')), 3, 'an array of another realm');
equal(isk.softmax(f32(1, 1, 9, 9, 9, 9), {cols: 2, ldx: 4, rows: 2, y: f32(0, 0, 0, 0)}), f32(.5, .5, .5, .5),
	'rows that are a stride apart');
equal(isk.cvt_s8_s4(Int8Array.of(1, 2, 3)), Uint8Array.of(0x21, 3), 'two elements in a byte');
equal(isk.argsort(f32(1, 3, 2), {cols: 3, descending: true}), [1, 2, 0].map(String), 'a flag may be a boolean');
equal(isk.sum(new Float32Array(0)), 0, 'no elements');

// Packed matrices
const packed = isk.gemm_pack(counted(12), {n: 4});
equal([packed.type, packed.k, packed.n, packed.group], ['f32', 3, 4, 0], 'the numbers of a packed matrix');
equal(isk.gemm(f32(1, 0, 0, 0, 1, 0), new isk.Packed(packed.bytes)), counted(8), 'a packed matrix from its bytes');
const turned = isk.gemm_pack(f32(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11), {n: 4, transposed: 1});
equal(turned.bytes, packed.bytes, 'the transpose, packed');
equal(isk.gemm(f32(1, 0, 0), packed, {post: {scale: f32(2), bias: f32(1, 1, 1, 1), binary: 'add', other: f32(1, 2, 3, 4)}}), f32(2, 5, 8, 11),
	'operations behind a product');
equal(isk.gemm_u8s8_u8(Uint8Array.of(1, 1), isk.gemm_pack(Int8Array.of(2, 3), {n: 1}), {post: {out_scale: 1}}), Uint8Array.of(5),
	'a product that is quantized');
const grouped = isk.gemm_pack_groups_s8(new Int8Array(64).fill(2), {n: 1, groups: {group: 32, scale: f32(1, 10)}});
equal([grouped.group, isk.gemm_f32s8(new Float32Array(64).fill(1), grouped)[0]], [32, 704], 'scales of groups');
equal(isk.matmul(f32(1, 2), f32(1, 2, 3, 4), {k: 2}), f32(7, 10), 'a product of plain matrices');
equal(isk.matmul(f32(1, 2), f32(1, 3, 2, 4), {k: 2, transposed: 2}), f32(7, 10), 'the same with one transposed');

// Convolutions
const conv = {images: 1, height: 4, width: 4, channels: 1, out_channels: 2, kernel_h: 3, kernel_w: 3};
const weights = isk.conv_pack_f32(new Float32Array(18).fill(1), {conv});
const image = new Float32Array(16).fill(1);
equal(isk.conv_f32(image, weights, {conv, post: {bias: f32(1, 2)}}), f32(10, 11, 10, 11, 10, 11, 10, 11), 'a convolution');
equal(isk.conv_f32(image, isk.conv_pack_f32(new Float32Array(18).fill(1), {conv: {...conv, stride_w: 2}}), {conv: {...conv, stride_w: 2, ldy: 3}}).length, 5,
	'a convolution with a stride, and pixels apart');

// Queries
equal(isk.why('exp_f32').filter(one => one.bound).map(one => one.isa), [isk.why('exp_bf16').find(one => one.bound).isa],
	'why: one variant is bound');
ok(isk.why('exp_f32').every(one => one.isa && typeof one.reason === 'string'), 'why: each has a reason');
ok(Object.keys(isk).length > isk.info().kernels && isk.info().version, 'info: each kernel has a function');
equal([isk.exp.name, isk.exp_f32.name], ['exp', 'exp_f32'], 'functions have names');

// Refusals
refused(TypeError, "exp_f32: 'x' is Float64Array; it must be a Float32Array", () => isk.exp_f32(Float64Array.of(1)));
refused(TypeError, "exp_f32: 'x' is an Array; it must be a Float32Array", () => isk.exp_f32([1]));
refused(TypeError, "exp_f32: 'x' is undefined", () => isk.exp_f32(undefined));
refused(TypeError, 'exp_f32: 0 arguments are given; there are x, {...}', () => isk.exp_f32());
refused(TypeError, "exp_f32: the last argument has no 'out'; there are y, n", () => isk.exp_f32(x, {out: y}));
refused(TypeError, 'exp_f32: the last argument is Float32Array; it must be an object', () => isk.exp_f32(x, x));
refused(TypeError, 'exp: no kernel takes Int8Array; there are exp_f32', () => isk.exp(Int8Array.of(1)));
refused(TypeError, 'exp: no kernel takes an Array; there are exp_f32', () => isk.exp([1]));
refused(TypeError, 'exp: Uint16Array may mean exp_bf16, exp_f16: call the kernel', () => isk.exp(Uint16Array.of(1)));
refused(TypeError, 'cvt: Int8Array may mean cvt_s8_f32', () => isk.cvt(Int8Array.of(1)));
refused(RangeError, "add_f32: 'b' has 2 elements; it must have n (5)", () => isk.add(x, f32(1, 2)));
refused(RangeError, "exp_f32: 'x' has 5 elements; it must have n (4)", () => isk.exp(x, {n: 4}));
refused(RangeError, 'exp_f32: argument 0, \'y\', overlaps', () => isk.exp(x.subarray(1), {y: x.subarray(0, 4)}));
refused(TypeError, 'softmax_f32: arrays alone do not tell rows, cols: name one of them, as in {cols: 1}', () => isk.softmax(x));
for (const [name, cols] of Object.entries({NaN: NaN, '-1': -1, '1.5': 1.5, Infinity: Infinity, '1e+300': 1e300}))
	refused(RangeError, `softmax_f32: 'cols' is ${name}; it must be an integer from 0 to 9007199254740991`, () => isk.softmax(x, {cols}));
refused(TypeError, "softmax_f32: 'cols' is \"2\"; it must be a number", () => isk.softmax(x, {cols: '2'}));
refused(RangeError, "softmax_f32: 'x' has 5 elements, which is no multiple of 2", () => isk.softmax(x, {cols: 2}));
refused(TypeError, "leaky_relu_f32: 'alpha' is missing; name it in the last argument, as in {alpha: 1}", () =>
	isk.leaky_relu(x));
refused(TypeError, "leaky_relu_f32: 'alpha' is \"much\"; it must be a number", () => isk.leaky_relu(x, {alpha: 'much'}));
refused(TypeError, "leaky_relu_f32: 'alpha' is null; it must be a number", () => isk.leaky_relu(x, {alpha: null}));
refused(RangeError, "leaky_relu_f32: 'alpha' is 1e+39; it must be within the range of float32", () =>
	isk.leaky_relu(x, {alpha: 1e39}));
refused(RangeError, "quantize_f32_u8: 'scale' is 0; it must be positive and finite", () =>
	isk.quantize_f32_u8(x, {scale: 0, zero: 1}));
refused(RangeError, "quantize_f32_u8: 'zero' is 256; it must be an integer from 0 to 255", () =>
	isk.quantize_f32_u8(x, {scale: 1, zero: 256}));
refused(RangeError, "argsort_f32: 'descending' is -1; it must be an integer from 0 to 2147483647", () =>
	isk.argsort(x, {cols: 5, descending: -1}));
refused(RangeError, "random_b32: 'seed' is 9223372036854775808", () => isk.random_b32({n: 1, seed: 2n ** 63n}));
refused(RangeError, "random_b32: 'seed' is 9007199254740992; it must", () => isk.random_b32({n: 1, seed: 2 ** 53}));
refused(RangeError, 'gather_b32_s64: an index is out of range', () => isk.gather(x, BigInt64Array.of(5n)));
refused(RangeError, "random_b32: 'y' would have 1000000000000000 elements", () => isk.random_b32({n: 1e15, seed: 1}));
refused(RangeError, "softmax_f32: argument 0, 'y', has rows that overlap", () =>
	isk.softmax(f32(1, 2, 3, 4), {cols: 2, y: new Float32Array(4), ldy: 1}));
const detached = new Float32Array(4);
structuredClone(detached.buffer, {transfer: [detached.buffer]});
refused(TypeError, "exp_f32: the ArrayBuffer of 'x' is detached", () => isk.exp(detached));
refused(TypeError, "exp_f32: the ArrayBuffer of 'y' is detached", () => isk.exp(x, {y: detached}));
refused(TypeError, "exp_f32: 'x' is on a SharedArrayBuffer", () => isk.exp(new Float32Array(new SharedArrayBuffer(8))));
refused(TypeError, "gemm_f32: 'packed' is Float32Array; it must be a Packed", () => isk.gemm_f32(x, x));
refused(TypeError, "gemm_f32: 'packed' is a Packed of s8; it must be one of f32", () => isk.gemm_f32(x, grouped));
refused(RangeError, "gemm_f32: 'a' has 5 elements, which is no multiple of 3", () => isk.gemm(x, packed));
const damaged = Uint8Array.from(packed.bytes);
damaged[100] ^= 1;
refused(RangeError, "Packed: 'bytes': not a packed matrix", () => new isk.Packed(damaged));
refused(RangeError, "Packed: 'bytes': not a packed matrix", () => new isk.Packed(packed.bytes.subarray(0, 80)));
refused(TypeError, "Packed: 'bytes' is Float32Array; it must be a Uint8Array", () => new isk.Packed(x));
const row = f32(1, 2, 3);
refused(RangeError, "gemm_f32: 'act' is \"selu\"; it must be one of none, relu", () =>
	isk.gemm(row, packed, {post: {act: 'selu'}}));
refused(RangeError, "gemm_f32: 'bias' has 5 elements; it must have 4", () => isk.gemm(row, packed, {post: {bias: x}}));
refused(RangeError, "gemm_f32: 'scale' has 5 elements; it must have 1 or 4", () => isk.gemm(row, packed, {post: {scale: x}}));
refused(TypeError, "gemm_f32: 'bias' is Float64Array; it must be a Float32Array", () =>
	isk.gemm(row, packed, {post: {bias: new Float64Array(4)}}));
refused(RangeError, "gemm_f32: 'other' has 3 elements; it must have 4", () =>
	isk.gemm(row, packed, {post: {binary: 'add', other: row}}));
equal(isk.matmul_batch(f32(1, 2), f32(1, 1), {batch: 2, m: 1, k: 1, post: {binary: 'add', other: f32(10, 20)}}), f32(11, 22),
	'a batch, with operands of its own');
refused(RangeError, "matmul_batch_f32: 'other' has 1 elements; it must have 2", () =>
	isk.matmul_batch(f32(1, 2), f32(1, 1), {batch: 2, m: 1, k: 1, post: {binary: 'add', other: f32(10)}}));
refused(TypeError, "gemm_f32: 'post' has no 'scales'; there are first_column", () =>
	isk.gemm(row, packed, {post: {scales: 1}}));
refused(TypeError, "conv_f32: 'conv' is missing; name it in the last argument, as an object with images", () =>
	isk.conv_f32(image, weights));
refused(RangeError, "conv_f32: argument 1, 'x', has 60 bytes; the sizes ask for 64", () =>
	isk.conv_f32(image.subarray(1), weights, {conv}));
refused(RangeError, "conv_f32: 'conv':", () => isk.conv_f32(image, weights, {conv: {...conv, groups: 3}}));
refused(RangeError, "gemm_pack_groups_s8: 'scale' has 1 elements; it must have 2", () =>
	isk.gemm_pack_groups_s8(new Int8Array(64), {n: 1, groups: {group: 32, scale: f32(1)}}));
refused(RangeError, "why: there is no kernel 'foo'", () => isk.why('foo'));
refused(RangeError, "why: there is no kernel 'exp'; the operation has exp_f32, ", () => isk.why('exp'));

// Objects that lie: the lengths and memory that count are those that the engine has.
const liar = f32(1, 2, 3, 4);
Object.defineProperty(liar, 'length', {value: 1e9});
equal(isk.sum(liar), 10, 'a length that is not that of the array');
refused(TypeError, "gemm_f32: the ArrayBuffer of 'bias' is detached", () => {
	const bias = new Float32Array(4);
	isk.gemm(row, packed, {post: {bias, get act() { structuredClone(bias.buffer, {transfer: [bias.buffer]}); return 'relu'; }}});
});

// Worker threads, each with an addon of its own, and the module of ECMAScript
const inWorker = new Promise(resolve => new Worker(`require('worker_threads').parentPort.postMessage(
	require(${JSON.stringify(process.argv[2])}).sum(Float32Array.of(1, 2)))`, {eval: true}).on('message', resolve).on('error', resolve));
inWorker.then(sum => {
	equal(sum, 3, 'a call in a worker thread');
	return import('file://' + process.argv[2] + '/index.mjs');
}).then(module => {
	ok(module.exp_f32 === isk.exp_f32 && module.default === isk && module.Packed === isk.Packed, 'the names that can be imported are the same functions');
	equal(Object.keys(module).filter(name => name !== 'default').sort(), Object.keys(isk).sort(), 'and they are all of them');
	done();
});
