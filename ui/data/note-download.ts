export interface DownloadedFile {
  readonly fileName: string
  readonly lines: number
}

let note: (file: DownloadedFile) => void = () => {}

/** Notes every file that a page makes in the audit log, through the API. */
export function noteDownloadsWith(next: typeof note): void {
  note = next
}

export function noteDownload(file: DownloadedFile): void {
  note(file)
}
