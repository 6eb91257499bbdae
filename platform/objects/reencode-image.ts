import sharp from 'sharp'
import { type ImageFormat, sniffImage } from './image-format.ts'

export const MAX_IMAGE_BYTES = 5 * 1024 * 1024
/** Of the picture as it came; a small file can unfold to any number of pixels. */
const MAX_PIXELS = 25_000_000
/** Longest side of what is kept. */
const MAX_SIDE = 2_048
const MAX_SECONDS = 8
/** Pictures are decoded two at a time, so that a burst of uploads leaves the machine to everybody else. */
const MAX_RUNNING = 2

// Decoders of formats that are not taken in do not run at all, whatever a file pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })
sharp.cache(false)
sharp.concurrency(1)

export type Reencoded =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly problem: 'not-the-type' | 'unreadable' | 'too-many-pixels' }

/**
 * The pixels of a picture, written again in the same format: nothing else of the file survives, neither metadata nor
 * whatever stood behind or inside the picture.
 * Tested by `platform/objects/image-uploads.test.ts`.
 */
export async function reencodeImage(bytes: Uint8Array, format: ImageFormat): Promise<Reencoded> {
  if (sniffImage(bytes) !== format) return { ok: false, problem: 'not-the-type' }
  return inTurn(() => reencode(bytes, format))
}

async function reencode(bytes: Uint8Array, format: ImageFormat): Promise<Reencoded> {
  try {
    const source = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true, pages: 1 })
    const { width, height, format: found } = await source.metadata()
    if (found !== format) return { ok: false, problem: 'not-the-type' }
    if (width * height > MAX_PIXELS) return { ok: false, problem: 'too-many-pixels' }
    const resized = source
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: MAX_SECONDS })
    const written =
      format === 'png'
        ? resized.png({ compressionLevel: 9 })
        : format === 'jpeg'
          ? resized.jpeg({ quality: 88 })
          : resized.webp({ quality: 88 })
    return { ok: true, bytes: await written.toBuffer() }
  } catch (error) {
    const isTooLarge = error instanceof Error && /pixel limit/i.test(error.message)
    return { ok: false, problem: isTooLarge ? 'too-many-pixels' : 'unreadable' }
  }
}

/** A picture of our own as a WebP file: its pixels row by row, three bytes each (red, green, blue). */
export function encodePicture({
  width,
  height,
  rgb,
}: {
  width: number
  height: number
  rgb: Uint8Array
}): Promise<Buffer> {
  return inTurn(() =>
    sharp(rgb, { raw: { width, height, channels: 3 } })
      .webp({ quality: 80 })
      .toBuffer(),
  )
}

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MAX_RUNNING) await new Promise<void>(resolve => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
