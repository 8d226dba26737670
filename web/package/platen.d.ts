// SPDX-License-Identifier: BSD-2-Clause
export interface Picture {
  data: Uint8ClampedArray | Uint8Array;
  width: number;
  height: number;
}

export type Format = 'txt' | 'layout' | 'json' | 'ndjson' | 'tsv' | 'box' | 'hocr' | 'alto' | 'page' | 'md' | 'pdf';

export interface Options {
  /** Operations of the three stages, or a preset; "@document" where none is given. */
  pipeline?: string;
  /** "txt" where none is given. */
  format?: Format;
  /** Of the picture, in dots per inch; 0 = unknown. */
  dpi?: number;
  /** For pdf: the same picture as a JPEG, which goes into the document as it is. */
  jpeg?: Uint8Array;
}

export interface Models {
  model: BufferSource;
  language?: BufferSource;
  identifier?: BufferSource;
  /** Without it the presets find lines by rules alone. */
  detector?: BufferSource;
  /** A smaller network that reads lines first; without it they take longer. */
  quick?: BufferSource;
}

export class Reader {
  static open(module: BufferSource | Response | Promise<Response>, files: Models): Promise<Reader>;
  read(picture: Picture, options: Options & {format: 'pdf'}): Uint8Array;
  read(picture: Picture, options?: Options): string;
  close(): void;
}
