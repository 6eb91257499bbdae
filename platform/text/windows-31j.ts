import { windows31jEncoder } from '@pc/domain/text/windows-31j.ts'

const decoder = new TextDecoder('shift_jis', { fatal: true })

/** A text as bytes of Windows-31J. */
export const encodeWindows31j = windows31jEncoder(bytes => decoder.decode(bytes))
