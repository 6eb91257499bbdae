import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { SelectFilter } from '@pc/ui/elements/list-top.tsx'
import type { ExportFormat, ExportProgress } from '@pc/ui/export/export-order.ts'
import { formatInteger } from '@pc/ui/text/format.ts'
import { type DragEvent, useRef, useState } from 'react'
import type { ImportsQuery } from './imports.gen.ts'
import styles from './imports.module.css'
import { useImportOrder, useTableDownload } from './use-file-order.ts'

type Kind = ImportsQuery['importKinds'][number]

const FORMATS: readonly { value: ExportFormat; label: string }[] = [
  { value: 'xlsx', label: 'Excel（.xlsx）' },
  { value: 'csv', label: 'CSV（UTF-8）' },
  { value: 'csv-cp932', label: 'CSV（Shift_JIS）' },
]
const MAX_MB = 20

interface ImportFileProps {
  kinds: readonly Kind[]
  kind: Kind
  onKind: (name: string) => void
  onPreview: (id: string) => void
}

/** Chooses the kind, offers its templates, and takes the file. */
export function ImportFile({ kinds, kind, onKind, onPreview }: ImportFileProps) {
  const [format, setFormat] = useState<ExportFormat>('xlsx')
  const download = useTableDownload()
  const { send, progress, cancel } = useImportOrder()
  const [problems, setProblems] = useState<readonly string[]>([])
  const load = async (file: File) => {
    setProblems([])
    if (file.size > MAX_MB * 1_048_576) {
      setProblems([`「${file.name}」は大きすぎます（上限 ${MAX_MB} MB）。使っていない行やシートを削除してください。`])
      return
    }
    const address = new URLSearchParams({ kind: kind.name, name: file.name })
    // Without a content type: the server recognises the format by the content.
    const answered = await send(`/imports?${address}`, new Blob([file]))
    if (answered.importId) onPreview(answered.importId)
    else setProblems(answered.isStopped ? ['中止しました。何も登録されていません。'] : (answered.messages ?? []))
  }
  return (
    <>
      <Card title="1. 種類を選び、ファイルを用意する" note="空のシステムでは、上の種類から順に取り込みます">
        <div className={styles.choices}>
          <SelectFilter
            label="種類"
            options={kinds.map((one, at) => ({ value: one.name, label: `${at + 1}. ${one.title}` }))}
            value={kind.name}
            onChange={onKind}
          />
          <SelectFilter label="ファイルの形式" options={FORMATS} value={format} onChange={setFormat} />
          <Button onClick={() => void download(`${kind.name}_template`, { kind: kind.name, content: 'empty' }, format)}>
            空のテンプレート
          </Button>
          <Button onClick={() => void download(kind.name, { kind: kind.name, content: 'filled' }, format)}>
            登録済みのデータ
          </Button>
        </div>
        <p>{kind.description}</p>
        <details>
          <summary>列の説明を見る</summary>
          <dl className={styles.columns}>
            {kind.columns.map(column => (
              <div key={column.header}>
                <dt>
                  {column.header}
                  {column.isRequired && '（必須）'}
                </dt>
                <dd>
                  {column.definition}
                  {column.example !== '' && ` 例：${column.example}`}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      </Card>
      <Card title="2. ファイルを送信して、内容を確認する" note="この時点では何も登録されません">
        {progress ? (
          <Running label="1行ずつ確認しています…" progress={progress} onCancel={cancel} />
        ) : (
          <DropZone title={kind.title} onFile={file => void load(file)} />
        )}
        {problems.length > 0 && (
          <ul className={styles.problems} role="alert">
            {problems.map(problem => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
      </Card>
    </>
  )
}

/** Takes a file by drag and drop, or by a button. */
function DropZone({ title, onFile }: { title: string; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file) onFile(file)
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is beside the button, which the keyboard reaches
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        accept=".xlsx,.csv,text/csv"
        aria-label={`${title}のファイル`}
        className="visually-hidden"
        tabIndex={-1}
        onChange={event => {
          const file = event.target.files?.[0]
          if (file) onFile(file)
          event.target.value = ''
        }}
      />
      <p>{`${title}のファイル（.xlsx か .csv、${MAX_MB} MBまで）をここにドロップするか、選択してください。`}</p>
      <Button tone="primary" onClick={() => input.current?.click()}>
        ファイルを選ぶ
      </Button>
    </div>
  )
}

interface RunningProps {
  label: string
  progress: ExportProgress
  onCancel: () => void
}

export function Running({ label, progress: { rows, total }, onCancel }: RunningProps) {
  return (
    <div className={styles.running} role="status">
      <p>
        {total === 0 ? 'ファイルを読み取っています…' : label}
        {total > 0 && <span className="num">{` ${formatInteger(rows)} / ${formatInteger(total)}行`}</span>}
      </p>
      <progress aria-label="進み具合" max={Math.max(total, 1)} value={rows} />
      <Button onClick={onCancel}>中止する</Button>
    </div>
  )
}
