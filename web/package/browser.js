// SPDX-License-Identifier: BSD-2-Clause
/** Reads pictures in a worker, so that the page stays responsive; nothing leaves the machine. */

let worker, count = 0;
const waiting = new Map();

function start() {
  worker = new Worker(new URL('./worker.js', import.meta.url), {type: 'module'});
  worker.onmessage = ({data: {id, result, error}}) => {
    const {done, failed} = waiting.get(id);
    waiting.delete(id);
    if (error) failed(new Error(error));
    else done(result);
  };
  worker.onerror = (event) => {
    for (const {failed} of waiting.values()) failed(new Error(event.message || 'the worker did not start'));
    waiting.clear();
    worker = undefined;
  };
}

/** The pixels of what a browser can draw; for a document, which holds the picture, they are a JPEG, too. */
async function pixels(picture, document) {
  if (picture instanceof ImageData && !document) return {pixels: picture};
  const canvas = new OffscreenCanvas(picture.naturalWidth ?? picture.width, picture.naturalHeight ?? picture.height);
  const context = canvas.getContext('2d', {willReadFrequently: true});
  if (picture instanceof ImageData) context.putImageData(picture, 0, 0);
  else context.drawImage(picture, 0, 0);
  const jpeg = document && new Uint8Array(await (await canvas.convertToBlob({type: 'image/jpeg', quality: .85})).arrayBuffer());
  return {pixels: context.getImageData(0, 0, canvas.width, canvas.height), jpeg};
}

/**
 * Reads a picture; calls are answered in their order.
 * @param {ImageBitmap|ImageData|HTMLImageElement|HTMLCanvasElement|OffscreenCanvas|Blob} picture
 * @param {{pipeline?: string, format?: string, dpi?: number}} [options] as of Reader.read()
 * @returns {Promise<string|Uint8Array>} the page in the format; of pdf its bytes
 */
export async function read(picture, options = {}) {
  const drawn = picture instanceof Blob ? await createImageBitmap(picture) : picture;
  const {pixels: {data, width, height}, jpeg} = await pixels(drawn, options.format === 'pdf');
  if (!worker) start();
  const id = ++count;
  return new Promise((done, failed) => {
    waiting.set(id, {done, failed});
    worker.postMessage({id, picture: {data, width, height}, options: {...options, jpeg}});
  });
}
