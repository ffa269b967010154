#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// How many times as fast the npm package is as plain JavaScript and as WebAssembly, which clang compiles from kernels.c:
//
//     bench/node/speed.js [PACKAGE]      default: build/src/node/isakern
//
// The three take turns, and the median of the ratios counts. Outputs are given, so that none is made in any of them.
'use strict';
const {execFileSync} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const isk = require(path.resolve(process.argv[2] || path.join(__dirname, '../../build/src/node/isakern')));

const ROUNDS = 15, SECONDS = 0.004;

const inJavaScript = {
	exp(y, x) {
		for (let i = 0; i < x.length; i++)
			y[i] = Math.exp(x[i]);
	},
	dot(a, b) {
		let sum = 0;
		for (let i = 0; i < a.length; i++)
			sum += a[i] * b[i];
		return sum;
	},
	softmax(y, x) {
		let most = -Infinity, sum = 0;
		for (let i = 0; i < x.length; i++)
			most = Math.max(most, x[i]);
		for (let i = 0; i < x.length; i++)
			sum += y[i] = Math.exp(x[i] - most);
		for (let i = 0; i < x.length; i++)
			y[i] /= sum;
	},
	matmul(c, a, b, n) {
		c.fill(0);
		for (let i = 0; i < n; i++)
			for (let p = 0; p < n; p++)
				for (let j = 0, one = a[i * n + p]; j < n; j++)
					c[i * n + j] += one * b[p * n + j];
	},
};

// The functions of kernels.c, and their memory.
function webAssembly() {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'isakern-wasm-'));
	try {
		const file = path.join(folder, 'kernels.wasm');
		execFileSync('clang', ['--target=wasm32', '-msimd128', '-O3', '-funroll-loops', '-nostdlib', '-Wl,--no-entry', '-Wl,--export=dot',
			'-Wl,--export=matmul', '-Wl,--initial-memory=67108864', '-o', file, path.join(__dirname, 'kernels.c')]);
		return new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(file))).exports;
	} catch (e) {
		console.error(`no WebAssembly (Debian: clang, lld): ${e.message.split('\n')[0]}`);
		return null;
	} finally {
		fs.rmSync(folder, {recursive: true});
	}
}

function seconds(call, times) {
	const began = process.hrtime.bigint();
	for (let i = 0; i < times; i++)
		call();
	return Number(process.hrtime.bigint() - began) / 1e9 / times;
}

const median = numbers => numbers.sort((a, b) => a - b)[numbers.length >> 1];

// The seconds of our call, and the ratios of others' to it.
function compare(ours, others) {
	const calls = [ours, ...others], times = calls.map(call => {
		seconds(call, 200);
		return Math.max(1, Math.round(SECONDS / seconds(call, 20)));
	});
	const rounds = Array.from({length: ROUNDS}, () => calls.map((call, i) => seconds(call, times[i])));
	return [median(rounds.map(r => r[0])), ...others.map((_, i) => median(rounds.map(r => r[i + 1] / r[0])))];
}

const wasm = webAssembly();
const floats = n => Float32Array.from({length: n}, (_, i) => (i * 37 % 101) / 101 - 0.5);

// Arrays in the memory of WebAssembly, behind its stack, with the address of each.
function inside(...arrays) {
	let at = 1 << 20;
	return arrays.map(array => {
		const copy = new Float32Array(wasm.memory.buffer, at, array.length);
		copy.set(array);
		at += (array.byteLength + 63) & ~63;
		return copy.byteOffset;
	});
}

const show = (name, size, [time, js, other]) =>
	console.log(`| ${name} | ${size} | ${(time * 1e6).toPrecision(3)} | ${js.toFixed(2)} | ${other === undefined ? '' : other.toFixed(2)} |`);

console.log(`isakern ${isk.info().version}, ${isk.info().isa}; node ${process.version}; ${os.cpus()[0].model}\n`);
console.log('| kernel | size | µs | JavaScript | WebAssembly |\n|---|---:|---:|---:|---:|');
for (const n of [16, 100, 1000, 10000, 1000000]) {
	const x = floats(n), y = new Float32Array(n), options = {y}, rows = {y, cols: n};
	show('exp_f32', n, compare(() => isk.exp_f32(x, options), [() => inJavaScript.exp(y, x)]));
	show('softmax_f32', n, compare(() => isk.softmax_f32(x, rows), [() => inJavaScript.softmax(y, x)]));
	const others = [() => inJavaScript.dot(x, y)];
	if (wasm) {
		const [a, b] = inside(x, y);
		others.push(() => wasm.dot(a, b, n));
	}
	show('dot_f32', n, compare(() => isk.dot_f32(x, y), others));
}
for (const n of [8, 64, 256]) {
	const a = floats(n * n), b = floats(n * n), c = new Float32Array(n * n), options = {c, k: n};
	const others = [() => inJavaScript.matmul(c, a, b, n)];
	if (wasm) {
		const [at, left, right] = inside(c, a, b);
		others.push(() => wasm.matmul(at, left, right, n, n, n));
	}
	show('matmul_f32', `${n}x${n}x${n}`, compare(() => isk.matmul_f32(a, b, options), others));
}
