const HEAD = /^%PDF-[12]\.\d[\r\n \t]/
/** Where its parts are found stands at the end of every PDF, before at most some hundred bytes of something else. */
const TAIL_BYTES = 2_048

/**
 * Whether bytes are a PDF from their first to their last part; what is in between is not looked at.
 * Tested by `platform/objects/document-uploads.test.ts`.
 */
export function isPdf(bytes: Uint8Array): boolean {
  const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1')
  if (!HEAD.test(text(0, 16))) return false
  const tail = text(Math.max(0, bytes.length - TAIL_BYTES), bytes.length)
  return /startxref\s+\d+\s+%%EOF\s*[\s\S]*$/.test(tail)
}
