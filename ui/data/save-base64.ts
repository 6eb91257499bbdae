import { saveFile } from './save-file.ts'

/** Saves a file that an API returned in base64. In its own module, because the first load does not need it. */
export function saveBase64(fileName: string, base64: string, mimeType = 'application/octet-stream'): void {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  saveFile(fileName, new Blob([bytes], { type: mimeType }))
}
