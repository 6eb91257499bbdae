import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { RowLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { importCondition } from '../import-condition.ts'
import { IMPORTS_PATH } from '../links.ts'
import { DiscardImportDocument } from './discard-import.gen.ts'
import type { ImportsQuery } from './imports.gen.ts'

type Waiting = ImportsQuery['waiting']
type WaitingImport = Waiting['nodes'][number]

const PREVIEW_MS = 24 * 3_600_000

/** Unconfirmed previews: the person's own, and those of others that need another person's confirmation. */
export function WaitingImports(props: { waiting: Waiting; userId: string; onDiscarded: (id: string) => void }) {
  const { waiting, userId, onDiscarded } = props
  const send = useSubmission(DiscardImportDocument)
  const discard = async (row: WaitingImport) => {
    const isAgreed = await confirm({
      title: `「${row.fileName}」の取り込みを破棄しますか？`,
      body: 'まだ何も登録されていません。ファイルを送信し直せば、もう一度確認できます。',
      action: '破棄する',
    })
    if (!isAgreed) return
    try {
      await send({ id: row.id })
      showToast({ tone: 'success', message: `「${row.fileName}」の取り込みを破棄しました。` })
    } catch {
      // The client's error handling has shown the refusal.
    }
    onDiscarded(row.id)
  }
  if (waiting.total === 0) return null
  return (
    <Card
      title={`確定していない取り込みが${formatInteger(waiting.total)}件あります`}
      note="確定するまで、何も登録されません。期限を過ぎると消えます"
      flush
    >
      <DataTable
        caption="確定していない取り込み"
        columns={columnsFor(userId, discard)}
        rows={waiting.nodes}
        rowKey={row => row.id}
        empty={{ title: '確定していない取り込みはありません', hint: '' }}
      />
    </Card>
  )
}

export function importAddress(id: string, kind: string | undefined): string {
  return addressOf(IMPORTS_PATH, importCondition.format({ kind: kind ?? '', id, state: '', page: 1 }))
}

function columnsFor(userId: string, discard: (row: WaitingImport) => Promise<void>): Column<WaitingImport>[] {
  return [
    {
      id: 'kind',
      header: '種類',
      isHeading: true,
      cell: row => <RowLink address={importAddress(row.id, row.kind?.name)}>{row.kind?.title ?? NO_VALUE}</RowLink>,
    },
    { id: 'file', header: 'ファイル', cell: row => row.fileName },
    { id: 'new', header: '新規', isFigure: true, cell: row => formatInteger(row.newCount) },
    { id: 'changed', header: '変更', isFigure: true, cell: row => formatInteger(row.changedCount) },
    { id: 'refused', header: '取り込めない行', isFigure: true, cell: row => formatInteger(row.refusedCount) },
    { id: 'by', header: '送信した人', cell: row => row.uploadedByEmail },
    {
      id: 'until',
      header: '期限',
      cell: row => formatInstant(new Date(Date.parse(row.uploadedAt) + PREVIEW_MS).toISOString()),
    },
    {
      id: 'next',
      header: '次の作業',
      cell: row =>
        row.kind?.confirmedByOther && row.uploadedByUid === userId ? 'ほかの承認者が確定' : '内容を確認して確定',
    },
    {
      id: 'actions',
      header: '操作',
      cell: row => (
        <Button tone="quiet" aria-label={`「${row.fileName}」の取り込みを破棄する`} onClick={() => void discard(row)}>
          破棄する
        </Button>
      ),
    },
  ]
}
