import type { useApolloClient } from '@apollo/client/react'
import { downloadName } from '@pc/ui/data/download-name.ts'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { StatementBundleDocument, StatementFileDocument, type StatementFileQueryVariables } from './statements.gen.ts'

type Client = ReturnType<typeof useApolloClient>
interface SentFile {
  readonly fileName: string
  readonly mimeType: string
  readonly base64: string
}

/** Every download is requested again: the server notes it, and nothing is kept here. */
export async function saveStatement(
  client: Client,
  id: string,
  format: StatementFileQueryVariables['format'],
): Promise<void> {
  await save(async () => {
    const query = { query: StatementFileDocument, variables: { id, format }, fetchPolicy: 'no-cache' } as const
    return (await client.query(query)).data?.statementFile
  })
}

export async function saveBundle(client: Client, ids: readonly string[]): Promise<void> {
  await save(async () => {
    const query = {
      query: StatementBundleDocument,
      variables: { ids: [...ids] },
      fetchPolicy: 'no-cache',
    } as const
    return (await client.query(query)).data?.statementBundle
  })
}

async function save(load: () => Promise<SentFile | null | undefined>): Promise<void> {
  try {
    const file = await load()
    if (!file) throw new Error('no file arrived')
    download(file)
    showToast({ tone: 'success', message: `「${file.fileName}」を保存しました。` })
  } catch {
    showToast({ tone: 'error', message: 'ファイルを作成できませんでした。もう一度お試しください。' })
  }
}

function download({ fileName, mimeType, base64 }: SentFile): void {
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  const url = URL.createObjectURL(new Blob([bytes], { type: mimeType }))
  const anchor = Object.assign(document.createElement('a'), { href: url, download: downloadName(fileName) })
  anchor.click()
  // The download has been handed over by then; revoking at once cancels it in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
