// SPDX-License-Identifier: MIT
// Records outputs of an independent implementation for test_onnxrun.py:
//   npm install --ignore-scripts onnxruntime-node@1.30.0, then in that folder
//   node onnx_record.mjs DIR > onnx_outputs.json
// with DIR from examples/ocr/fetch.sh. Of each output it keeps 200 elements and the largest one.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const ort = createRequire(resolve('package.json'))('onnxruntime-node');
const models = { 'ch_PP-OCRv4_det_infer.onnx': [1, 3, 160, 224], 'ch_PP-OCRv4_rec_infer.onnx': [1, 3, 48, 160],
  'ch_ppocr_mobile_v2.0_cls_infer.onnx': [2, 3, 48, 192] };
const recorded = {};

// Lines of dark blocks on white, which look like text from afar.
function pixel(i, width, height) {
  const col = i % width, row = Math.floor(i / width) % height;
  return (row >> 4) % 3 === 1 && ((col >> 2) * 7 + (row >> 2) * 3) % 5 < 2 ? -2 : 2 + (i % 7) / 50;
}

for (const [name, dims] of Object.entries(models)) {
  const session = await ort.InferenceSession.create(readFileSync(resolve(process.argv[2], name)));
  const count = dims.reduce((a, b) => a * b);
  const x = Float32Array.from({ length: count }, (_, i) => pixel(i, dims[3], dims[2]));
  const out = (await session.run({ x: new ort.Tensor('float32', x, dims) }))[session.outputNames[0]];
  const step = Math.max(1, Math.floor(out.data.length / 200));
  recorded[name] = { input: dims, output: out.dims, most: out.data.reduce((a, b) => Math.max(a, Math.abs(b)), 0),
    samples: Array.from({ length: Math.min(200, out.data.length) }, (_, i) => [i * step, Number(out.data[i * step].toPrecision(9))]) };
}
console.log('{\n' + Object.entries(recorded).map(([n, r]) => `"${n}": ${JSON.stringify(r)}`).join(',\n') + '\n}');
