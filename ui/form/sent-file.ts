import { MAX_SENT_FILE_BYTES } from '@pc/domain/sent-size.ts'

/** The problem of a file that is too large, shown before sending; undefined: it can be sent. */
export function fileSizeProblem(file: File): string | undefined {
  return file.size > MAX_SENT_FILE_BYTES
    ? `「${file.name}」は大きすぎます。${SENT_FILE_LIMIT}のファイルを選んでください。`
    : undefined
}

export const SENT_FILE_LIMIT = `${MAX_SENT_FILE_BYTES / 1_000_000}MBまで`

/** The content of a chosen file as the API expects it. */
export async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let start = 0; start < bytes.length; start += 8_192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8_192))
  }
  return btoa(text)
}
