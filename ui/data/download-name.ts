const MARK = '【練習】'

/** The name under which a file is saved; in a practice system it is marked. */
export function downloadName(fileName: string): string {
  const isPractice = document.documentElement.dataset.practice !== undefined
  return isPractice && !fileName.startsWith(MARK) ? `${MARK}${fileName}` : fileName
}
