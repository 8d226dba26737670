// SPDX-License-Identifier: BSD-2-Clause
import type {Options} from './platen.js';

export function read(
  picture: ImageBitmap | ImageData | HTMLImageElement | HTMLCanvasElement | OffscreenCanvas | Blob,
  options?: Options,
): Promise<string>;
