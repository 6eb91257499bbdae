const HEAD = /^%PDF-[12]\.\d[\r\n \t]/
/** The trailer of a PDF is at its end, sometimes followed by some hundred bytes of other data. */
const TAIL_BYTES = 2_048

/**
 * Whether bytes begin and end as a PDF does. The content is not checked.
 * Tested by `platform/objects/document-uploads.test.ts`.
 */
export function isPdf(bytes: Uint8Array): boolean {
  const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1')
  if (!HEAD.test(text(0, 16))) return false
  const tail = text(Math.max(0, bytes.length - TAIL_BYTES), bytes.length)
  return /startxref\s+\d+\s+%%EOF\s*[\s\S]*$/.test(tail)
}
