// SPDX-License-Identifier: MIT
// Records the probabilities that an independent implementation computes for a sound, for test_vad.py:
//   npm install --ignore-scripts onnxruntime-node@1.30.0, then in that folder
//   node vad_record.mjs DIR > vad_probabilities.json
// with DIR from examples/vad/fetch.sh. Each line is the probability of a chunk; the last chunk is filled up with silence.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const ort = createRequire(resolve('package.json'))('onnxruntime-node');
const file = (name) => readFileSync(resolve(process.argv[2], name));
const session = await ort.InferenceSession.create(file('silero_vad_v5.onnx'));
const wav = file('jfk.wav');
const start = wav.indexOf('data') + 8;
const samples = new Float32Array((wav.length - start) >> 1).map((_, i) => wav.readInt16LE(start + 2 * i) / 32768);
const chunk = 512, context = 64;
let state = new ort.Tensor('float32', new Float32Array(2 * 128), [2, 1, 128]);
let last = new Float32Array(context);
const probabilities = [];
for (let at = 0; at < samples.length; at += chunk) {
  const x = new Float32Array(context + chunk);
  x.set(last);
  x.set(samples.subarray(at, at + chunk), context);
  last = x.slice(chunk);
  const out = await session.run({ input: new ort.Tensor('float32', x, [1, x.length]), state,
    sr: new ort.Tensor('int64', BigInt64Array.of(16000n), []) });
  state = out.stateN;
  probabilities.push(Number(out.output.data[0].toPrecision(9)));
}
console.log('[\n' + probabilities.join(',\n') + '\n]');
