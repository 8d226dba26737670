// SPDX-License-Identifier: BSD-2-Clause
/** platen in WebAssembly: pictures of pages become text. Works in browsers, workers and Node. */

/** What the module asks of its host: a place for messages that end it, and nothing else. */
function host(memory) {
  return {
    fd_write(fd, vectors, count, written) {
      const view = new DataView(memory().buffer);
      let text = '', bytes = 0;
      for (let i = 0; i < count; i++) {
        const at = view.getUint32(vectors + 8 * i, true), n = view.getUint32(vectors + 8 * i + 4, true);
        text += new TextDecoder().decode(new Uint8Array(memory().buffer, at, n));
        bytes += n;
      }
      if (text) console.error(text);
      view.setUint32(written, bytes, true);
      return 0;
    },
    fd_seek: () => 70, // ESPIPE
    fd_close: () => 0,
  };
}

/** A model and the module that reads with it. One picture at a time. */
export class Reader {
  #wasm;
  #reader;

  /**
   * Opens a reader.
   * @param {BufferSource|WebAssembly.Module|Response|Promise<Response>} module platen.wasm
   * @param {{model: BufferSource, language?: BufferSource, identifier?: BufferSource, detector?: BufferSource, quick?: BufferSource}} files
   *        NAME.platen, NAME.lm.platen, NAME.lang.platen, regions.platen, without which the presets find lines by rules, and
   *        NAME.quick.platen, which saves time
   */
  static async open(module, files) {
    const response = typeof Response !== 'undefined' && (module instanceof Response || module instanceof Promise);
    let exports;
    const imports = {wasi_snapshot_preview1: host(() => exports.memory)};
    const made = response ? await WebAssembly.instantiateStreaming(module, imports)
                          : await WebAssembly.instantiate(module, imports);
    exports = (made.instance ?? made).exports;
    exports._initialize();
    const reader = new Reader();
    reader.#wasm = exports;
    const parts = [files.model, files.language, files.identifier, files.detector, files.quick].map((bytes) => reader.#put(bytes));
    const lists = [parts.map((p) => p.at), parts.map((p) => p.bytes)].map((list) => reader.#put(new Uint32Array(list)));
    reader.#reader = exports.pl_web_open(...lists.map((list) => list.at));
    for (const list of lists) exports.pl_web_free(list.at);
    if (!reader.#reader) throw new Error(reader.#string(exports.pl_web_message()));
    return reader;
  }

  /**
   * Reads a picture.
   * @param {{data: Uint8ClampedArray|Uint8Array, width: number, height: number}} picture as ImageData
   *        has it: red, green, blue, alpha
   * @param {{pipeline?: string, format?: string, dpi?: number, jpeg?: Uint8Array}} [options] jpeg: for pdf the same picture as a
   *        JPEG, which goes into the document as it is
   * @returns {string|Uint8Array} the page in the format, txt where none is given; of pdf its bytes
   */
  read({data, width, height}, {pipeline = '@document', format = 'txt', dpi = 0, jpeg = null} = {}) {
    if (data.length !== 4 * width * height)
      throw new RangeError(`${data.length} bytes are no ${width} x ${height} pixels of four bytes`);
    const w = this.#wasm;
    const taken = [data, this.#text(pipeline), this.#text(format), jpeg].map((bytes) => this.#put(bytes));
    const [pixels, spec, name, picture] = taken, page = new ArrayBuffer(32), view = new DataView(page); // struct pl_web_page
    view.setFloat64(0, dpi, true);
    [pixels.at, picture.at, picture.bytes, width, height].forEach((n, i) => view.setUint32(8 + 4 * i, n, true));
    taken.push(this.#put(new Uint8Array(page)));
    try {
      if (w.pl_web_read(this.#reader, taken.at(-1).at, spec.at, name.at)) throw new Error(this.#string(w.pl_web_message()));
      const result = new Uint8Array(w.memory.buffer, w.pl_web_text(this.#reader), w.pl_web_text_bytes(this.#reader));
      return format === 'pdf' ? result.slice() : new TextDecoder().decode(result);
    } finally {
      for (const part of taken) w.pl_web_free(part.at);
    }
  }

  /** Gives back what the reader holds. */
  close() {
    this.#wasm.pl_web_close(this.#reader);
    this.#reader = 0;
  }

  #text(s) {
    return new TextEncoder().encode(s + '\0');
  }

  #put(bytes) {
    if (!bytes) return {at: 0, bytes: 0};
    const from = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
                                           : new Uint8Array(bytes);
    const at = this.#wasm.pl_web_alloc(from.length);
    if (!at) throw new RangeError(`no memory for ${from.length} bytes`);
    new Uint8Array(this.#wasm.memory.buffer, at, from.length).set(from);
    return {at, bytes: from.length};
  }

  #string(at) {
    const bytes = new Uint8Array(this.#wasm.memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
}
