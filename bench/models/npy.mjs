// SPDX-License-Identifier: MIT
// Files of NumPy, version 1, of f32, s64 and bool.
import { readFileSync, writeFileSync } from 'node:fs';

const kinds = { '<f4': Float32Array, '<i8': BigInt64Array, '|b1': Uint8Array };

export function write(path, { data, dims }) {
  const descr = Object.keys(kinds).find((k) => data instanceof kinds[k]);
  let head = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${dims.map((d) => d + ',').join(' ')}), }`;
  head += ' '.repeat(63 - ((10 + head.length) % 64)) + '\n';
  const front = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, head.length & 255, head.length >> 8]);
  writeFileSync(path, Buffer.concat([front, Buffer.from(head, 'latin1'), Buffer.from(data.buffer, data.byteOffset, data.byteLength)]));
}

export function read(path) {
  const file = readFileSync(path), length = file.readUInt16LE(8), head = file.toString('latin1', 10, 10 + length);
  const dims = head.match(/'shape': \((.*?)\)/)[1].split(',').filter((d) => d.trim()).map(Number);
  const bytes = file.buffer.slice(file.byteOffset + 10 + length, file.byteOffset + file.length);
  return { data: new kinds[head.match(/'descr': '(.*?)'/)[1]](bytes), dims };
}
