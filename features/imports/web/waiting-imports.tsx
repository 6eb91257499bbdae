import { Card } from '@pc/ui/card.tsx'
import { addressOf } from '@pc/ui/define-route.ts'
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/format.ts'
import { RowLink } from '@pc/ui/list/list-screen.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { importCondition } from '../import-condition.ts'
import { IMPORTS_PATH } from '../links.ts'
import type { ImportsQuery } from './imports.gen.ts'

type Waiting = ImportsQuery['waiting']
type WaitingImport = Waiting['nodes'][number]

const PREVIEW_MS = 24 * 3_600_000

/** What was sent and not confirmed: by oneself, or by somebody who needs another person for it. */
export function WaitingImports({ waiting, userId }: { waiting: Waiting; userId: string }) {
  if (waiting.total === 0) return null
  return (
    <Card
      title={`確定していない取り込みが${formatInteger(waiting.total)}件あります`}
      note="確定するまで、何も登録されません。期限を過ぎると消えます"
      flush
    >
      <DataTable
        caption="確定していない取り込み"
        columns={columnsFor(userId)}
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

function columnsFor(userId: string): Column<WaitingImport>[] {
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
  ]
}
