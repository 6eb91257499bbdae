import type { useApolloClient } from '@apollo/client/react'
import { saveBase64 } from '@pc/ui/data/save-base64.ts'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { StatementBundleDocument, StatementFileDocument, type StatementFileQueryVariables } from './statements.gen.ts'

type Client = ReturnType<typeof useApolloClient>
interface SentFile {
  readonly fileName: string
  readonly mimeType: string
  readonly base64: string
}

/** Downloads a statement. It is never cached, so that the server records every download and no copy stays here. */
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
    saveBase64(file.fileName, file.base64, file.mimeType)
    showToast({ tone: 'success', message: `「${file.fileName}」を保存しました。` })
  } catch {
    showToast({ tone: 'error', message: 'ファイルを作成できませんでした。もう一度お試しください。' })
  }
}
