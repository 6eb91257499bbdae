import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, Card } from '@pc/ui/elements/card.tsx'
import { Pager, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { Message, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, formatInteger } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import type { ImportCondition } from '../import-condition.ts'
import { Running } from './import-file.tsx'
import type { ImportsQuery } from './imports.gen.ts'
import styles from './imports.module.css'
import { PAGE_SIZE, STATES, stateOf } from './row-states.ts'
import { useImportOrder, useTableDownload } from './use-file-order.ts'

type Preview = NonNullable<ImportsQuery['importPreview']>
type Rows = NonNullable<ImportsQuery['importRows']>
type Row = Rows['nodes'][number]

/** The server's hourly limit of invitation emails. */
const MAX_INVITATIONS = 20

interface ImportPreviewProps {
  preview: Preview | undefined
  rows: Rows | undefined
  condition: ImportCondition
  userId: string
  isLoading: boolean
  setCondition: (change: Partial<ImportCondition>) => void
  onConfirmed: () => void
}

/** Shows what each row of the file would change, and confirms the import. */
export function ImportPreview(props: ImportPreviewProps) {
  const { preview, rows, condition, setCondition } = props
  if (!preview || !rows)
    return props.isLoading ? (
      <Skeleton height={240} />
    ) : (
      <Message title="この取り込みは見つかりません">一覧から選び直すか、ファイルを送信してください。</Message>
    )
  const counts = [
    ['new', preview.newCount],
    ['changed', preview.changedCount],
    ['unchanged', preview.unchangedCount],
    ['refused', preview.refusedCount],
  ] as const
  const all = counts.reduce((sum, [, count]) => sum + count, 0)
  const options = [
    { value: '', label: `すべて（${formatInteger(all)}）` },
    ...counts.map(([state, count]) => ({ value: state, label: `${STATES[state][0]}（${formatInteger(count)}）` })),
  ] as const
  return (
    <Card title={`3. 確認して取り込む：${preview.kind?.title ?? ''}`} note={preview.fileName}>
      <dl className={styles.counts}>
        {counts.map(([state, count]) => (
          <div key={state}>
            <dt>{STATES[state][0]}</dt>
            <dd className="num">{formatInteger(count)}行</dd>
          </div>
        ))}
      </dl>
      <Confirmation {...props} preview={preview} />
      <div className={styles.choices}>
        <SelectFilter
          label="表示する行"
          options={options}
          value={stateOf(condition.state) ?? ''}
          onChange={state => setCondition({ state, page: 1 })}
        />
        {preview.refusedCount > 0 && <RefusedDownload preview={preview} />}
      </div>
      <DataTable
        caption="取り込む行"
        columns={COLUMNS}
        rows={rows.nodes}
        rowKey={row => String(row.rowNumber)}
        empty={{
          title: preview.confirmedAt ? '行の内容は残っていません' : '該当する行がありません',
          hint: preview.confirmedAt
            ? '取り込んだ内容は、それぞれの画面と操作の記録で確認できます。'
            : '表示する行を選び直してください。',
        }}
      />
      <Pager
        page={condition.page}
        size={PAGE_SIZE}
        total={preview.confirmedAt && stateOf(condition.state) !== 'refused' ? 0 : rows.total}
        onPage={page => setCondition({ page })}
      />
    </Card>
  )
}

function RefusedDownload({ preview }: { preview: Preview }) {
  const download = useTableDownload()
  const request = { kind: preview.kind?.name, content: 'refused', importId: preview.id }
  return (
    <Button onClick={() => void download(`${preview.kind?.name}_refused`, request, 'xlsx')}>
      取り込めない行をダウンロード
    </Button>
  )
}

function Confirmation({ preview, userId, setCondition, onConfirmed }: ImportPreviewProps & { preview: Preview }) {
  const { send, progress, cancel } = useImportOrder()
  const [withoutRefused, setWithoutRefused] = useState(false)
  const [sendsInvitations, setSendsInvitations] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])
  const count = preview.newCount + preview.changedCount
  if (preview.confirmedAt)
    return (
      <p role="status">
        {`${formatInstant(preview.confirmedAt)}に ${preview.confirmedByEmail ?? ''} が取り込みました。`}
      </p>
    )
  if (progress) return <Running label="登録しています…" progress={progress} onCancel={cancel} />
  const invites = preview.kind?.invites === true && preview.newCount > 0
  const isForOther = preview.kind?.confirmedByOther === true && preview.uploadedByUid === userId
  const save = async () => {
    setProblems([])
    const isSure = await confirm({
      title: `${preview.kind?.title ?? ''}を取り込みますか？`,
      body: `新規${formatInteger(preview.newCount)}行、変更${formatInteger(preview.changedCount)}行を登録します。`,
      action: '取り込む',
    })
    if (!isSure) return
    const body = { importId: preview.id, previewSha256: preview.previewSha256, withoutRefused, sendsInvitations }
    const upload = new Blob([JSON.stringify(body)], { type: 'application/json' })
    const address = new URLSearchParams({ confirm: '1', kind: preview.kind?.name ?? '' })
    const answered = await send(`/imports?${address}`, upload)
    if (answered.messages) setProblems(answered.messages)
    else if (answered.isStopped) {
      // The server may have saved before the cancellation arrived; the reloaded preview shows it.
      setProblems(['中止しました。登録されたかどうかは、再表示された状態で確認してください。'])
      onConfirmed()
    } else if (answered.isNewPreview && answered.importId) {
      setProblems([
        'プレビューの後に登録内容が変わりました。何も取り込んでいません。新しいプレビューを確認してください。',
      ])
      setCondition({ id: answered.importId, state: '', page: 1 })
    } else {
      showToast({ tone: 'success', message: `${formatInteger(count)}行を取り込みました。` })
      onConfirmed()
    }
  }
  return (
    <div className={styles.confirmation}>
      {problems.length > 0 && (
        <ul className={styles.problems} role="alert">
          {problems.map(problem => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {preview.refusedCount > 0 && (
        <label>
          <input type="checkbox" checked={withoutRefused} onChange={event => setWithoutRefused(event.target.checked)} />
          {`取り込めない行（${formatInteger(preview.refusedCount)}行）を除いて取り込む`}
        </label>
      )}
      {invites && (
        <>
          <p>
            {`招待する人は${formatInteger(preview.newCount)}人です。招待メールは、あとでユーザー管理の「招待」の画面の「再送」から送れます（1時間に${MAX_INVITATIONS}通まで）。`}
          </p>
          <label>
            <input
              type="checkbox"
              checked={sendsInvitations}
              disabled={preview.newCount > MAX_INVITATIONS}
              onChange={event => setSendsInvitations(event.target.checked)}
            />
            {`取り込みと同時に招待メールを${formatInteger(preview.newCount)}通送る`}
          </label>
        </>
      )}
      {isForOther ? (
        <p>
          口座の取り込みは、送信した人とは別の承認者が確定します。この画面の一覧から開いて確定するよう、依頼してください。
        </p>
      ) : count === 0 ? (
        <p>新規・変更の行がないため、取り込むものはありません。</p>
      ) : (
        <Button tone="primary" disabled={preview.refusedCount > 0 && !withoutRefused} onClick={() => void save()}>
          {`${formatInteger(count)}行を取り込む`}
        </Button>
      )}
    </div>
  )
}

const COLUMNS: Column<Row>[] = [
  { id: 'row', header: '行', isFigure: true, isHeading: true, width: 64, cell: row => formatInteger(row.rowNumber) },
  {
    id: 'state',
    header: '結果',
    width: 120,
    cell: row => <Badge tone={STATES[row.state][1]}>{STATES[row.state][0]}</Badge>,
  },
  {
    id: 'what',
    header: '内容',
    cell: row => (
      <div className={styles.what}>
        {row.refusals.map(({ header, text }) => (
          <p key={`${header}${text}`} className={styles.reason}>
            {header && <strong>{`${header}：`}</strong>}
            {text}
          </p>
        ))}
        {row.changes.map(({ header, before, after }) => (
          <p key={header}>
            <strong>{`${header}：`}</strong>
            <del>{before || '（空）'}</del> → <ins>{after || '（空）'}</ins>
          </p>
        ))}
        {row.changes.length === 0 && (
          <p className={styles.cells}>
            {row.cells
              .filter(({ text }) => text !== '')
              .slice(0, 6)
              .map(({ header, text }) => `${header}：${text}`)
              .join(' ／ ')}
          </p>
        )}
      </div>
    ),
  },
]
