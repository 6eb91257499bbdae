import { downloadName } from './download-name.ts'

/** Saves a file through the browser's downloads. */
export function saveFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const anchor = Object.assign(document.createElement('a'), { href: url, download: downloadName(fileName) })
  anchor.click()
  // Revoking the address at once would cancel the download in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
