#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// models.mjs ONNXRUN DIR [ID...]: models of models.tbl on isakern and on ONNX Runtime, in turns, with 1 and 2 threads.
//
// DIR is what fetch.sh prints. Run it in a folder in which onnxruntime-node is installed:
//   npm install --ignore-scripts onnxruntime-node@1.30.0
// Prints a table in Markdown: the nodes of the file and the calls of kernels that compute them, the error of isakern against
// ONNX Runtime, largest and mean, that of ONNX Runtime against itself where it quantizes, median milliseconds of both, their
// ratio (above 1: isakern is faster), and the geometric means of the ratios of each suite. Ends with status 1 if an error is too
// large.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { read, write } from './npy.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const [onnxrun, folder, ...wanted] = process.argv.slice(2);
const ROUNDS = 5, ROUND_MS = 120, LEAST = 0.01, MOVES = 4;
const OPTIONS = { interOpNumThreads: 1, logSeverityLevel: 3 };

function die(text) {
  console.error('models.mjs: ' + text);
  process.exit(2);
}

if (!folder && onnxrun !== '--peak') die('use: models.mjs ONNXRUN DIR [ID...]');
let ort;
try {
  ort = createRequire(resolve('package.json'))('onnxruntime-node');
} catch {
  die('no onnxruntime-node here; npm install --ignore-scripts onnxruntime-node@1.30.0');
}

const TYPES = new Map([[Float32Array, 'float32'], [BigInt64Array, 'int64'], [Uint8Array, 'bool']]);
const tensor = (i) => new ort.Tensor(TYPES.get(i.data.constructor), i.data, i.dims);

// For --peak: runs a model twice in this process, or none, and prints the peak of its memory in MB.
async function printPeak(file, ...given) {
  if (file) {
    const session = await ort.InferenceSession.create(file, { ...OPTIONS, intraOpNumThreads: 1 });
    const feeds = Object.fromEntries(given.map((g) => [g.slice(0, g.lastIndexOf('=')), tensor(read(g.slice(g.lastIndexOf('=') + 1)))]));
    for (let i = 0; i < 2; i++) await session.run(feeds);
  }
  // Not resourceUsage(), in whose peak is that of the parent.
  console.log(Number(readFileSync('/proc/self/status', 'utf8').match(/VmHWM:\s*(\d+)/)[1]) * 1024 / 1e6);
  process.exit(0);
}

function peak(...args) {
  const r = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--peak', ...args], { encoding: 'utf8' });
  if (r.status !== 0) die(`--peak ${args[0]}: ${r.stderr.trim()}`);
  return Number(r.stdout);
}

if (onnxrun === '--peak') await printPeak(...process.argv.slice(3));

function rows() {
  return readFileSync(join(here, 'models.tbl'), 'utf8').split('\n').filter((line) => line && line[0] !== '#').map((line) => {
    const [id, suite, weights, file, ...inputs] = line.split(/\s+/);
    const bits = { f32: 0, 8: 8, f16: 16 }[weights];
    return { id, suite, bits, bound: bits ? 1e-2 : 1e-4, file: join(folder, file), inputs };
  });
}

// A generator of its own, seeded by the model's name, so that its inputs are the same in each run: xorshift of 32 bits.
let state;
function seed(text) {
  state = [...text].reduce((h, c) => Math.imul(h ^ c.charCodeAt(0), 0x01000193), 0x811c9dc5) || 1;
}

function random() {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
}

function elements(kind, count) {
  const whole = { token: () => Math.floor(random() * 1000), ones: () => 1, from0: (i) => i, from64: (i) => 64 + i }[kind];
  if (kind === 'no' || kind === 'yes') return new Uint8Array(count).fill(kind === 'yes');
  if (kind === 'even') return Float32Array.from({ length: count }, random);
  if (kind === 'normal')
    return Float32Array.from({ length: count }, () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
  return BigInt64Array.from({ length: count }, (_, i) => BigInt(whole ? whole(i) : kind));
}

// All names that a name with {a,b} in it stands for.
function names(text) {
  const found = text.match(/^(.*?)\{(.*?)\}(.*)$/);
  return found ? found[2].split(',').flatMap((middle) => names(found[1] + middle + found[3])) : [text];
}

function inputs(row) {
  seed(row.id);
  const all = row.inputs.flatMap((spec) => {
    const [name, kind, shape] = spec.match(/^(.*)=(.*?):(.*)$/).slice(1);
    return names(name).map((n) => ({ name: n, kind, dims: shape ? shape.split('x').map(Number) : [] }));
  });
  return all.map((i) => ({ ...i, data: elements(i.kind, i.dims.reduce((a, b) => a * b, 1)) }));
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

function ours(row, args, threads) {
  const r = spawnSync(onnxrun, [row.file, ...args, '--threads', threads], { encoding: 'utf8' });
  if (r.status !== 0) die(`${row.id}: ${r.stderr.trim() || 'onnxrun was ended by ' + r.signal}`);
  return r.stdout;
}

async function theirs(session, feeds, runs) {
  const times = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    await session.run(feeds);
    times.push(performance.now() - start);
  }
  return median(times);
}

// Differences of two lists of outputs: the largest one of an output, relative to the largest element of that output but not
// to less than LEAST; and the root of the mean square, relative to that of the output. README.md gives the reasons.
function differences(wanted, gotten) {
  const worst = { most: 0, rms: 0 };
  wanted.forEach((want, i) => {
    const got = gotten[i];
    let most = LEAST, off = want.length === got.length ? 0 : Infinity, squares = 0, all = 0;
    for (let j = 0; j < want.length; j++) {
      const w = Number(want[j]), d = Math.abs(w - Number(got[j]));
      most = Math.max(most, Math.abs(w));
      off = Number.isNaN(d) ? Infinity : Math.max(off, d);
      squares += d * d;
      all += w * w;
    }
    worst.most = Math.max(worst.most, off / most);
    worst.rms = Math.max(worst.rms, off ? Math.sqrt(squares / (all || 1)) : 0);
  });
  return worst;
}

// The inputs with about half of the f32 elements moved to the next number, as another order of additions would move them.
function moved(feeds) {
  return Object.fromEntries(Object.entries(feeds).map(([name, tensor]) => {
    if (tensor.type !== 'float32') return [name, tensor];
    const data = new Float32Array(tensor.data), bits = new Int32Array(data.buffer);
    for (let i = 0; i < bits.length; i++) if (data[i] !== 0 && random() < 0.5) bits[i]++;
    return [name, new ort.Tensor('float32', data, tensor.dims)];
  }));
}

// How far ONNX Runtime is from itself, without its optimizations and with inputs that are moved.
async function own(row, session, feeds, want) {
  const plain = await ort.InferenceSession.create(row.file, { ...OPTIONS, intraOpNumThreads: 1, graphOptimizationLevel: 'disabled' });
  const others = [await plain.run(feeds)];
  await plain.release();
  for (let i = 0; i < MOVES; i++) others.push(await session.run(moved(feeds)));
  const all = others.map((o) => differences(want, session.outputNames.map((name) => o[name].data)));
  return { most: Math.max(...all.map((d) => d.most)), rms: Math.max(...all.map((d) => d.rms)) };
}

async function compare(row, scratch) {
  const given = inputs(row);
  const args = given.flatMap((input, i) => {
    write(join(scratch, `in${i}.npy`), input);
    return ['--input', `${input.name}=${join(scratch, `in${i}.npy`)}`];
  });
  const feeds = Object.fromEntries(given.map((i) => [i.name, tensor(i)]));
  const files = given.map((input, i) => `${input.name}=${join(scratch, `in${i}.npy`)}`);
  const result = { ...row, memory: { theirs: peak(row.file, ...files) - alone, ours: 0 } };
  for (const threads of [1, 2]) {
    const session = await ort.InferenceSession.create(row.file, { ...OPTIONS, intraOpNumThreads: threads });
    const outputs = await session.run(feeds);
    if (threads === 1) {
      [, result.nodes, result.calls] = ours(row, [...args, '--out', scratch, '--explain'], 1).match(/(\d+) nodes in the file.* (\d+) calls of kernels/);
      const want = session.outputNames.map((name) => outputs[name].data);
      result.error = differences(want, want.map((_, j) => read(join(scratch, j + '.npy')).data));
      if (row.bits) result.own = await own(row, session, feeds, want);
      result.is_far = row.bits ? result.error.rms > Math.max(row.bound, 2 * result.own.rms) : result.error.most > row.bound;
    }
    const runs = Math.max(1, Math.min(1000, Math.round(ROUND_MS / (await theirs(session, feeds, 3)))));
    const times = { ours: [], theirs: [] };
    for (let i = 0; i < ROUNDS; i++) {
      const [, ms, mb] = ours(row, [...args, '--bench', runs], threads).match(/median ([\d.]+) ms.*peak memory ([\d.]+) MB/);
      times.ours.push(Number(ms));
      result.memory.ours = Math.max(result.memory.ours, Number(mb));
      times.theirs.push(await theirs(session, feeds, runs));
    }
    result[threads] = { ours: median(times.ours), theirs: median(times.theirs) };
    await session.release();
  }
  return result;
}

const ratio = (r, threads) => r[threads].theirs / r[threads].ours;
const mean = (list) => Math.exp(list.map(Math.log).reduce((a, b) => a + b, 0) / list.length);
const chosen = rows().filter((r) => !wanted.length || wanted.includes(r.id));
const missing = wanted.filter((id) => !rows().some((r) => r.id === id));
if (missing.length) die(`no model ${missing[0]} in models.tbl`);
const scratch = mkdtempSync(join(tmpdir(), 'models-'));
const results = [];
const alone = peak();

console.log(`Models on ${cpus()[0].model}, ${cpus().length} CPUs; medians of ${ROUNDS} rounds in turns, milliseconds; onnxruntime-node ` +
            `${ort.env.versions.node ?? ort.env.versions.common}\n`);
console.log('| model | nodes → calls of kernels | error | its own | isakern, 1 thread | ONNX Runtime | ratio | isakern, 2 threads | ONNX Runtime | ratio | isakern, MB | ONNX Runtime | ratio |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|');
for (const row of chosen) {
  if (!existsSync(row.file)) {
    console.log(`| ${row.id} | left out, because fetch.sh has not fetched it |`);
    continue;
  }
  const r = await compare(row, scratch);
  results.push(r);
  const text = (d) => `${d.most.toExponential(1)} (${d.rms.toExponential(1)})`;
  console.log(`| ${r.id} | ${r.nodes} → ${r.calls} | ${text(r.error)}${r.is_far ? ' **too large**' : ''} | ${r.own ? text(r.own) : ''} | ` + [1, 2].map((t) =>
    `${r[t].ours.toFixed(3)} | ${r[t].theirs.toFixed(3)} | ${ratio(r, t).toFixed(2)}`).join(' | ') +
    ` | ${r.memory.ours.toFixed(1)} | ${r.memory.theirs.toFixed(1)} | ${(r.memory.ours / r.memory.theirs).toFixed(2)} |`);
}
rmSync(scratch, { recursive: true });
console.log('\n| suite | models | 1 thread | 2 threads | memory |\n|---|---|---|---|---|');
for (const suite of [...new Set(results.map((r) => r.suite))]) {
  const of = results.filter((r) => r.suite === suite);
  console.log(`| ${suite} | ${of.length} | ` + [1, 2].map((t) => mean(of.map((r) => ratio(r, t))).toFixed(2)).join(' | ') +
    ` | ${mean(of.map((r) => r.memory.ours / r.memory.theirs)).toFixed(2)} |`);
}
process.exit(results.some((r) => r.is_far) ? 1 : 0);
