// SPDX-License-Identifier: BSD-2-Clause
/** The worker of browser.js: opens the English model beside it once, then reads picture after picture. */
import {Reader} from './platen.js';

async function bytes(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: status ${answer.status}`);
  return answer.arrayBuffer();
}

async function open() {
  const [module, model, quick, language, identifier] =
    await Promise.all(['platen.wasm', 'eng.platen', 'eng.quick.platen', 'eng.lm.platen', 'eng.lang.platen'].map(bytes));
  return Reader.open(module, {model, quick, language, identifier});
}

const reader = open();
reader.catch(() => {}); // told to each who asks

onmessage = async ({data: {id, picture, options}}) => {
  try {
    postMessage({id, result: (await reader).read(picture, options)});
  } catch (e) {
    postMessage({id, error: e.message});
  }
};
