import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { RowLink } from '@pc/ui/list/list-screen.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Message, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import type { ImportCondition } from '../import-condition.ts'
import { ImportFile } from './import-file.tsx'
import { ImportPreview } from './import-preview.tsx'
import { ImportsDocument, type ImportsQuery, type ImportsQueryVariables } from './imports.gen.ts'
import styles from './imports.module.css'
import { PAGE_SIZE, stateOf } from './row-states.ts'
import { importAddress, WaitingImports } from './waiting-imports.tsx'

type PastImport = ImportsQuery['imports']['nodes'][number]

export const importsQuery = {
  document: ImportsDocument,
  variables: ({ id, state, page }: ImportCondition): ImportsQueryVariables => ({
    id: id ?? '0',
    hasPreview: id !== undefined,
    state: stateOf(state) ?? null,
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  }),
}

/** The import screen: choose a kind, upload a file, check the preview, confirm. */
export function ImportsView(props: ScreenProps<ImportCondition, ImportsQuery>) {
  const { data, condition, setCondition } = props
  const top = <ScreenTop title="登録データの取り込み" note="表計算ソフトのファイルから、まとめて登録・変更します。" />
  if (!data)
    return (
      <>
        {top}
        {props.isLoading ? <Skeleton height={360} /> : <FailedContent onRetry={props.retry} />}
      </>
    )
  const kind = data.importKinds.find(({ name }) => name === condition.kind) ?? data.importKinds[0]
  if (!kind)
    return (
      <>
        {top}
        <Message title="取り込めるデータがありません">取り込みの権限を、管理者に確認してください。</Message>
      </>
    )
  return (
    <>
      {top}
      <div className={styles.stack}>
        <WaitingImports
          waiting={data.waiting}
          userId={props.viewer.id}
          onDiscarded={id => {
            if (id === condition.id) setCondition({ id: undefined, state: '', page: 1 })
            props.retry()
          }}
        />
        <ImportFile
          kinds={data.importKinds}
          kind={kind}
          onKind={name => setCondition({ kind: name, id: undefined, state: '', page: 1 })}
          onPreview={id => setCondition({ kind: kind.name, id, state: '', page: 1 })}
        />
        {condition.id !== undefined && (
          <ImportPreview
            preview={data.importPreview ?? undefined}
            rows={data.importRows ?? undefined}
            condition={condition}
            userId={props.viewer.id}
            isLoading={props.isLoading}
            setCondition={setCondition}
            onConfirmed={props.retry}
          />
        )}
        <Card title="これまでの取り込み" flush>
          <DataTable
            caption="これまでの取り込み"
            columns={COLUMNS}
            rows={data.imports.nodes}
            rowKey={row => row.id}
            empty={{ title: '取り込みはまだありません', hint: 'ファイルを送信すると、ここに表示されます。' }}
          />
        </Card>
      </div>
    </>
  )
}

const COLUMNS: Column<PastImport>[] = [
  {
    id: 'kind',
    header: '種類',
    isHeading: true,
    cell: row => <RowLink address={importAddress(row.id, row.kind?.name)}>{row.kind?.title ?? NO_VALUE}</RowLink>,
  },
  {
    id: 'state',
    header: '状態',
    cell: row => (row.confirmedAt ? <Badge tone="ok">取り込み済み</Badge> : <Badge tone="warn">未確定</Badge>),
  },
  { id: 'file', header: 'ファイル', cell: row => row.fileName },
  { id: 'new', header: '新規', isFigure: true, cell: row => formatInteger(row.newCount) },
  { id: 'changed', header: '変更', isFigure: true, cell: row => formatInteger(row.changedCount) },
  { id: 'refused', header: '取り込めない行', isFigure: true, cell: row => formatInteger(row.refusedCount) },
  { id: 'by', header: '送信した人', cell: row => row.uploadedByEmail },
  {
    id: 'confirmed',
    header: '確定',
    cell: row => (row.confirmedAt ? `${formatInstant(row.confirmedAt)} ${row.confirmedByEmail ?? ''}` : NO_VALUE),
  },
]
