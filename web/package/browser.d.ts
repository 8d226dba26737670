// SPDX-License-Identifier: BSD-2-Clause
import type {Options} from './platen.js';

type Drawable = ImageBitmap | ImageData | HTMLImageElement | HTMLCanvasElement | OffscreenCanvas | Blob;

export function read(picture: Drawable, options: Options & {format: 'pdf'}): Promise<Uint8Array>;
export function read(picture: Drawable, options?: Options): Promise<string>;
