import { downloadName } from '@pc/ui/data/download-name.ts'

/** Hands a file of the server to the browser's downloads. */
export function saveFile(file: { readonly fileName: string; readonly contentBase64: string }): void {
  const bytes = Uint8Array.from(atob(file.contentBase64), character => character.charCodeAt(0))
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  Object.assign(document.createElement('a'), { href: url, download: downloadName(file.fileName) }).click()
  // The download has been handed over by then; revoking at once cancels it in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
