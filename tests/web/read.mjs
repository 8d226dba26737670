// SPDX-License-Identifier: BSD-2-Clause
// The module under Node, beside the program: read.mjs PACKAGE PLATEN SOURCE
// Every drawn page gives the same bytes in every format, and what cannot be read gives an error.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [folder, platen, source] = process.argv.slice(2).map((path) => resolve(path));
const {Reader} = await import(pathToFileURL(join(folder, 'platen.js')));
const file = (name) => readFileSync(resolve(folder, name));
const open = (change = {}) => Reader.open(file('platen.wasm'),
  {model: file('eng.platen'), quick: file('eng.quick.platen'), language: file('eng.lm.platen'), identifier: file('eng.lang.platen'),
    detector: file('regions.platen'), ...change});
const program = (args, cwd) => execFileSync(platen, ['--no-config', '-q', '--model', join(folder, 'eng.platen'), ...args],
  {cwd, env: {...process.env, PLATEN_MODELS: folder}, maxBuffer: 1 << 28});

/** A picture in the file "page", as the module is given it, and as the program reads it. */
function prepare(path, work, tint) {
  const picture = program(['-p', 'gray', '-f', 'pnm', '-o', '-', path], work);
  const [head, type, width, height] = picture.subarray(0, 64).toString('latin1').match(/^P([45])\s+(\d+)\s+(\d+)\s(?:255\s)?/);
  const bytes = picture.subarray(head.length), row = Math.ceil(width / 8);
  const grey = (i) => type === '5' ? bytes[i]
    : bytes[Math.floor(i / width) * row + (i % width >> 3)] >> (7 - i % width % 8) & 1 ? 0 : 255;
  const n = width * height, data = new Uint8Array(4 * n), rgb = Buffer.alloc(3 * n);
  for (let i = 0; i < n; i++)
    for (let c = 0; c < 4; c++) {
      const v = grey(i);
      data[4 * i + c] = c === 3 ? 255 : Math.round(v * (1 - tint * c));
      if (c < 3) rgb[3 * i + c] = data[4 * i + c];
    }
  writeFileSync(join(work, 'page'), Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), rgb]));
  return {data, width: +width, height: +height};
}

const work = mkdtempSync(join(tmpdir(), 'platen-web-'));
try {
  const reader = await open();
  const pages = join(source, 'samples/pages');
  for (const [i, name] of readdirSync(pages).filter((n) => /\.(png|jpg)$/.test(n)).entries()) {
    const picture = prepare(join(pages, name), work, i % 2 ? .1 : 0);
    for (const format of ['json', 'hocr', 'alto', 'page', 'tsv', 'md', 'txt']) {
      const told = program(['-f', format, '-o', '-', 'page'], work).toString();
      assert.equal(reader.read({...picture, data: picture.data.slice()}, {format}), told, `${name}, ${format}`);
      if (i) break; // the formats have the same tree before them: one page tells
    }
    const seen = program(['-p', 'gray | regions', '-f', 'json', '-o', '-', 'page'], work).toString();
    assert.equal(reader.read({...picture, data: picture.data.slice()}, {pipeline: 'gray | regions', format: 'json'}), seen, `${name}, regions`);
    console.log(`ok: ${name}`);
  }
  const photo = join(pages, 'photo.jpg'), jpeg = file(photo), picture = prepare(photo, work, 0);
  const pdf = Buffer.from(reader.read({...picture, data: picture.data.slice()}, {format: 'pdf', jpeg}));
  writeFileSync(join(work, 'page.pdf'), pdf);
  assert(pdf.includes(jpeg), 'the document has the bytes of the picture');
  assert.equal(execFileSync('qpdf', ['--check', 'page.pdf'], {cwd: work}).toString().match(/No syntax.*/)?.[0],
    'No syntax or stream encoding errors found; the file may still contain');
  const words = (text) => text.split(/\s+/).filter(Boolean).sort().join(' ');
  assert.equal(words(execFileSync('pdftotext', ['page.pdf', '-'], {cwd: work}).toString()),
    words(reader.read({...picture, data: picture.data.slice()})), 'the words of the document');
  console.log('ok: a document');
  const white = {data: new Uint8Array(400).fill(255), width: 10, height: 10};
  assert.equal(reader.read(white), '');
  assert.throws(() => reader.read(white, {format: 'png'}), /unknown format 'png'/);
  assert.throws(() => reader.read(white, {format: 'pdf'}), /needs the picture as a JPEG of 10 x 10 pixels/);
  assert.throws(() => reader.read(white, {format: 'pdf', jpeg}), /needs the picture as a JPEG of 10 x 10 pixels/);
  assert.throws(() => reader.read(white, {pipeline: 'grey'}), /unknown preprocess operation 'grey'/);
  assert.throws(() => reader.read(white, {pipeline: 'gray | regions:model=other'}), /regions needs a network of its own/);
  assert.throws(() => reader.read(white, {pipeline: 'gray | db:model=other'}), /db needs a network of its own/);
  assert.throws(() => reader.read({...white, width: 11}), RangeError);
  assert.throws(() => reader.read({data: new Uint8Array(0), width: 0, height: 0}), /empty/);
  assert.equal(reader.read(white), '', 'it reads on after errors');
  reader.close();
  const alone = await open({detector: undefined});
  assert.equal(alone.read(white), '', 'the presets go without the detector');
  assert.throws(() => alone.read(white, {pipeline: 'gray | regions'}), /regions needs a network of its own/);
  alone.close();
  await assert.rejects(open({detector: file('eng.platen').subarray(0, 1000)}), /the file has 1000/);
  await assert.rejects(open({model: file('eng.platen').subarray(0, 1000)}), /the header tells \d+ bytes, the file has 1000/);
  console.log('ok: errors');
} finally {
  rmSync(work, {recursive: true});
}
