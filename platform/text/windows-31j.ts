import { windows31jEncoder } from '@pc/domain/text/windows-31j.ts'

const decoder = new TextDecoder('shift_jis', { fatal: true })

/** Encodes a text as Windows-31J (cp932). */
export const encodeWindows31j = windows31jEncoder(bytes => decoder.decode(bytes))
