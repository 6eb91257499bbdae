import { useApolloClient } from '@apollo/client/react'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, type BadgeTone } from '@pc/ui/elements/card.tsx'
import { Dialog } from '@pc/ui/feedback/dialog.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { base64Of, fileSizeProblem, SENT_FILE_LIMIT } from '@pc/ui/form/sent-file.ts'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { IconFileUpload } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { DayInput } from '../../core/web/day-input.tsx'
import { transferBatchPath } from '../../links.ts'
import { ImportTransferResultDocument } from './import-transfer-result.gen.ts'
import { PreviewTransferResultDocument, type PreviewTransferResultQuery } from './preview-transfer-result.gen.ts'
import { textOf } from './transfer-create-dialog.tsx'
import styles from './transfers.module.css'

type Preview = NonNullable<PreviewTransferResultQuery['previewTransferResult']>
type Row = Preview['rows'][number] & { readonly line: number }

/** Reads the bank's answer, shows line by line what it would book, then books it. */
export function TransferResultDialog({ today, onClose }: { today: string; onClose: () => void }) {
  const client = useApolloClient()
  const send = useSubmission(ImportTransferResultDocument)
  const [on, setOn] = useState('')
  const [file, setFile] = useState<File>()
  const [preview, setPreview] = useState<Preview>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (!file) return
    let isWanted = true
    setPreview(undefined)
    const tooLarge = fileSizeProblem(file)
    setProblem(tooLarge)
    if (tooLarge) return
    setBusy(true)
    const read = async () => {
      try {
        const { data } = await client.query({
          query: PreviewTransferResultDocument,
          variables: await sentFile(file, on),
          fetchPolicy: 'no-cache',
          errorPolicy: 'none',
        })
        if (isWanted) setPreview(data?.previewTransferResult)
      } catch (error) {
        if (isWanted) setProblem(textOf(error, 'ファイルを確認できませんでした。もう一度お試しください。'))
      }
      if (isWanted) setBusy(false)
    }
    void read()
    return () => {
      isWanted = false
    }
  }, [client, file, on])
  const book = async () => {
    if (!file) return
    setBusy(true)
    try {
      const { importTransferResult: booked } = await send(await sentFile(file, on))
      const unknown = booked.unknown > 0 ? `、判断できない行 ${formatInteger(booked.unknown)}件` : ''
      showToast({
        tone: 'success',
        message: `支払済み ${formatInteger(booked.paid)}件、組戻し ${formatInteger(booked.returned)}件を登録しました${unknown}。`,
      })
      onClose()
    } catch (error) {
      setProblem(textOf(error, '登録できませんでした。もう一度お試しください。'))
      setBusy(false)
    }
  }
  const count = (effect: Row['effect']) => preview?.rows.filter(row => row.effect === effect).length ?? 0
  const canBook = count('book') > 0 && count('conflict') === 0 && !isBusy
  return (
    <Dialog
      size="large"
      title="銀行の結果を取り込む"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>キャンセル</Button>
          <Button tone="primary" disabled={!canBook} onClick={() => void book()}>
            {count('book') > 0 ? `${formatInteger(count('book'))}件の結果を登録する` : '結果を登録する'}
          </Button>
        </>
      }
    >
      <div className={styles.dialog}>
        <FileDrop file={file} onFile={setFile} />
        <DayInput
          label="処理された日（任意）"
          value={on}
          max={today}
          hint="空欄の場合、支払済みは振込指定日、組戻しは今日の日付で登録します。"
          onChange={setOn}
        />
        {problem && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        {isBusy && !preview && (
          <p role="status" className={styles.hint}>
            ファイルを確認しています…
          </p>
        )}
        {preview && (
          <>
            <p role="status" className={styles.figures}>
              {`登録する ${formatInteger(count('book'))}件 / 登録済み ${formatInteger(count('unchanged'))}件 / 判断できない ${formatInteger(count('unknown'))}件 / 登録できない ${formatInteger(count('conflict'))}件`}
            </p>
            {preview.missing > 0 && (
              <p className={styles.hint}>
                {`結果待ちの振込のうち${formatInteger(preview.missing)}件は、このファイルに結果がありません。`}
              </p>
            )}
            {count('conflict') > 0 && (
              <p className={styles.problem} role="alert">
                登録できない行があります。備考の理由を確認してください。このファイルからは何も登録できません。
              </p>
            )}
            <div className={styles.scroll}>
              <DataTable
                caption="取り込む結果"
                columns={COLUMNS}
                rows={preview.rows.map((row, index) => ({ ...row, line: index + 1 }))}
                rowKey={row => String(row.line)}
                empty={{ title: '読み取れる行がありません' }}
              />
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}

async function sentFile(file: File, on: string) {
  return { file: { fileName: file.name, contentBase64: await base64Of(file), on: on === '' ? null : on } }
}

/** A place to drop one file, or to choose it with mouse or keyboard. */
function FileDrop({ file, onFile }: { file: File | undefined; onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false)
  const id = useId()
  return (
    <label
      className={styles.drop}
      htmlFor={id}
      data-over={isOver || undefined}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        const [dropped] = event.dataTransfer.files
        if (dropped) onFile(dropped)
      }}
    >
      <IconFileUpload size={24} aria-hidden />
      <span>
        <b>{file ? file.name : '結果のファイルをここにドロップするか、選択してください'}</b>
        <small>
          銀行から受け取った全銀形式のファイル、または「結果の記入用CSV」（UTF-8・Shift_JIS）。CSVの「結果」には「支払済み」か「組戻し」と記入します。
          {SENT_FILE_LIMIT}
        </small>
      </span>
      <input
        id={id}
        type="file"
        className="visually-hidden"
        accept=".txt,.csv,.dat,text/plain,text/csv"
        onChange={event => {
          const [chosen] = event.target.files ?? []
          if (chosen) onFile(chosen)
          event.target.value = ''
        }}
      />
    </label>
  )
}

function ResultNote({ row }: { row: Row }) {
  const id = row.recalledBatchId
  return (
    <span className={styles.wrap}>
      {row.note ?? row.reason}
      {id !== null && <a href={addressOf(transferBatchPath(id))}>{`振込データ${id}を開く`}</a>}
    </span>
  )
}

const OUTCOMES = { paid: '支払済み', returned: '組戻し', unknown: '不明' } as const
const EFFECTS: Readonly<Record<Row['effect'], { readonly label: string; readonly tone: BadgeTone }>> = {
  book: { label: '登録する', tone: 'ok' },
  unchanged: { label: '登録済み', tone: 'mute' },
  unknown: { label: '判断できない', tone: 'warn' },
  conflict: { label: '登録できない', tone: 'bad' },
}
const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'effect',
    header: '扱い',
    cell: row => <Badge tone={EFFECTS[row.effect].tone}>{EFFECTS[row.effect].label}</Badge>,
  },
  { id: 'id', header: '振込番号', isHeading: true, cell: row => row.transferId },
  { id: 'payee', header: '支払先', cell: row => row.partnerName ?? NO_VALUE },
  { id: 'amount', header: '振込額（円）', isFigure: true, cell: row => formatInteger(row.transferAmount) },
  { id: 'outcome', header: '結果', cell: row => OUTCOMES[row.outcome] },
  { id: 'note', header: '備考', cell: row => <ResultNote row={row} /> },
]
