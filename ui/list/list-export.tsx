import { ExportMenu } from '../export/export-menu.tsx'
import { type FileExports, FileExportsProvider } from '../export/file-exports.tsx'
import { type ListFile, writeListFile } from './list-file.ts'

/**
 * Export menu of a list. Unlike for reports, the browser writes the file, from rows that it fetches with the list's
 * query.
 */
export function ListExport({ file, total }: { file: ListFile<unknown>; total: number }) {
  const write: FileExports = ({ body }, onProgress, signal) =>
    writeListFile(file, body.format ?? 'csv', onProgress, signal)
  return (
    <FileExportsProvider exports={write}>
      <ExportMenu fileName={file.fileName} path="/list" request={{}} total={total} note={NOTE} />
    </FileExportsProvider>
  )
}

const NOTE = '表示中の条件と並び順で、ページに分かれている行も含めてすべて書き出します。'
