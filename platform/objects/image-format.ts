/** The image formats that are accepted (security, threat 18): none can contain scripts. */
export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const
export type ImageFormat = (typeof IMAGE_FORMATS)[number]

export function imageFormatOf(mimeType: string): ImageFormat | undefined {
  return IMAGE_FORMATS.find(format => mimeType === `image/${format}`)
}

/** The format by the first bytes, whatever file name or type the sender claims; undefined: none of ours. */
export function sniffImage(bytes: Uint8Array): ImageFormat | undefined {
  const starts = (signature: readonly number[], from = 0) =>
    signature.every((byte, index) => bytes[from + index] === byte)
  if (starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png'
  if (starts([0xff, 0xd8, 0xff])) return 'jpeg'
  if (starts([0x52, 0x49, 0x46, 0x46]) && starts([0x57, 0x45, 0x42, 0x50], 8)) return 'webp'
  return undefined
}
