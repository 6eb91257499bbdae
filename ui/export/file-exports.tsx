import { createContext, type ReactNode, use } from 'react'
import type { RuntimeConfig } from '../runtime-config.ts'
import type { Session } from '../session/session.ts'
import type { ExportOrder, ExportProgress } from './export-order.ts'

/** Fetches a file while the server writes it. The token is sent in a header, never in an address. */
export type FileExports = (
  order: ExportOrder,
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
) => Promise<{ readonly file: Blob; readonly rows: number }>

/** Makes the function; its code loads with the first file. */
export function makeFileExports(
  config: Pick<RuntimeConfig, 'insightApiOrigin' | 'clientVersion'>,
  session: Pick<Session, 'idToken' | 'renew'>,
): FileExports {
  return async (...order) => {
    const { fetchFile } = await import('./fetch-file.ts')
    return fetchFile(config, session, ...order)
  }
}

const FileExportsContext = createContext<FileExports | undefined>(undefined)

export function FileExportsProvider({ exports, children }: { exports: FileExports; children: ReactNode }) {
  return <FileExportsContext value={exports}>{children}</FileExportsContext>
}

/** Undefined: files are not available here. */
export function useFileExports(): FileExports | undefined {
  return use(FileExportsContext)
}
