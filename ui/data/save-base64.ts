import { saveFile } from './save-file.ts'

/** Hands a file that an API answers in base64 over to the browser's downloads. In a file of its own: the first load needs none. */
export function saveBase64(fileName: string, base64: string, mimeType = 'application/octet-stream'): void {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  saveFile(fileName, new Blob([bytes], { type: mimeType }))
}
