import { downloadName } from './download-name.ts'

/** Hands a file over to the browser's downloads. */
export function saveFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const anchor = Object.assign(document.createElement('a'), { href: url, download: downloadName(fileName) })
  anchor.click()
  // The download has been handed over by then; revoking at once cancels it in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** The same for a file that an API answers in base64. */
export function saveBase64(fileName: string, base64: string, mimeType = 'application/octet-stream'): void {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  saveFile(fileName, new Blob([bytes], { type: mimeType }))
}
