import { downloadName } from './download-name.ts'

/** Hands a file over to the browser's downloads. */
export function saveFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const anchor = Object.assign(document.createElement('a'), { href: url, download: downloadName(fileName) })
  anchor.click()
  // The download has been handed over by then; revoking at once cancels it in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
