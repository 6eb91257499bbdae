export interface DownloadedFile {
  readonly fileName: string
  readonly lines: number
}

let note: (file: DownloadedFile) => void = () => {}

/** Who is told of every file that a page makes: the audit log, through the API. */
export function noteDownloadsWith(next: typeof note): void {
  note = next
}

export function noteDownload(file: DownloadedFile): void {
  note(file)
}
