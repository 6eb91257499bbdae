import sharp from 'sharp'
import { type ImageFormat, sniffImage } from './image-format.ts'

export const MAX_IMAGE_BYTES = 5 * 1024 * 1024
/** Of the uploaded picture: a small file can decode to any number of pixels (decompression bomb). */
const MAX_PIXELS = 25_000_000
/** Longest side, in pixels, of the stored picture. Larger pictures are scaled down. */
const MAX_SIDE = 2_048
const MAX_SECONDS = 8
/** Pictures are decoded two at a time, so that a burst of uploads leaves the machine to everybody else. */
const MAX_RUNNING = 2

// Only decoders of accepted formats can run, whatever format a file claims to have.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })
sharp.cache(false)
sharp.concurrency(1)

export type Reencoded =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly problem: 'not-the-type' | 'unreadable' | 'too-many-pixels' }

/**
 * Decodes a picture and encodes it again in the same format. Only pixels survive: no metadata and no data hidden behind
 * or inside the picture.
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

/** Encodes pixels (row by row, three bytes each: red, green, blue) as a WebP file. */
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
