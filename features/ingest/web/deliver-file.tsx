import { Button } from '@pc/ui/elements/button.tsx'
import { Card } from '@pc/ui/elements/card.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { INGEST_DATASETS, type IngestDataset } from '../ingest-condition.ts'
import { ingestBatchPath } from '../links.ts'
import { ingestTemplate } from '../uploads.ts'
import styles from './deliver-file.module.css'
import { DeliveryReport } from './delivery-report.tsx'
import { datasetChoiceText } from './ingest-words.ts'
import { type Delivery, type DeliveryActions, useDelivery } from './use-delivery.ts'

/** GraphQL enum names use an underscore, the upload endpoint a hyphen. */
const nameOf = (dataset: IngestDataset) => dataset.replaceAll('_', '-')

/** Uploads a file, shows the server's dry run, and publishes it when the person confirms. */
export function DeliverFile({ onPublished }: { onPublished: () => void }) {
  const actions = useDelivery(onPublished)
  const { delivery } = actions
  return (
    <div className={styles.panel}>
      <Card title="ファイルを取り込む" note="内容を確認してから取り込みます。確認だけでは何も変わりません。">
        <DropZone actions={actions} />
        <div className={styles.state} aria-live="polite">
          <State delivery={delivery} actions={actions} />
        </div>
        {delivery.step === 'empty' && <Templates />}
      </Card>
    </div>
  )
}

function DropZone({ actions }: { actions: DeliveryActions }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const over = (is: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(is)
  }
  if (!['empty', 'failed', 'published'].includes(actions.delivery.step)) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragEnter={over(true)}
      onDragOver={over(true)}
      onDragLeave={over(false)}
      onDrop={event => {
        over(false)(event)
        actions.choose([...event.dataTransfer.files])
      }}
    >
      <IconUpload size={24} aria-hidden />
      <p>ここにファイルをドロップしてください</p>
      <input
        ref={input}
        type="file"
        aria-label="統計データのファイル"
        className="visually-hidden"
        tabIndex={-1}
        onChange={event => {
          actions.choose([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <Button onClick={() => input.current?.click()}>ファイルを選ぶ</Button>
      <p className={styles.hint}>CSV（UTF-8）、NDJSON、Parquet。gzip か zstd で圧縮したものも使えます。2GBまで。</p>
    </div>
  )
}

function State({ delivery, actions }: { delivery: Delivery; actions: DeliveryActions }) {
  switch (delivery.step) {
    case 'empty':
      return null
    case 'uploading':
      return (
        <Progress
          label={`${delivery.file.name} を送っています`}
          share={delivery.share < 1 ? delivery.share : undefined}
          onCancel={actions.cancel}
        />
      )
    case 'checking':
    case 'publishing': {
      const { step, share } = delivery.progress
      const isCheck = delivery.step === 'checking'
      const label = step === 'wait' ? '順番を待っています' : step === 'publish' ? '反映しています' : '検査しています'
      // A publication that has begun cannot be cancelled.
      return <Progress label={label} share={share} onCancel={isCheck ? actions.cancel : undefined} />
    }
    case 'failed':
      return (
        <div className={styles.problem} role="alert">
          <p>
            <b>{delivery.file.name}</b> {delivery.message}
          </p>
          {delivery.repeat && <Button onClick={delivery.repeat}>もう一度試す</Button>}
        </div>
      )
    case 'unknown':
      return (
        <>
          <p className={styles.problem} role="alert">
            {delivery.upload.message}
          </p>
          <DatasetChoice value="" onChange={dataset => actions.change({ dataset, quarantine: false })} />
          <Button onClick={actions.cancel}>やめる</Button>
        </>
      )
    case 'published':
      return (
        <p className={styles.done} role="status">
          {`${delivery.file.name}: ${delivery.answer.message}`}
          {delivery.answer.batch && (
            <a href={addressOf(ingestBatchPath(delivery.answer.batch.batchNo))}>取り込みの詳細</a>
          )}
        </p>
      )
    case 'checked':
      return (
        <DeliveryReport
          {...delivery}
          actions={actions}
          choice={
            <DatasetChoice
              value={delivery.options.dataset}
              onChange={dataset => actions.change({ dataset, quarantine: false })}
            />
          }
        />
      )
  }
}

function DatasetChoice({ value, onChange }: { value: string; onChange: (dataset: string) => void }) {
  return (
    <label className={styles.choice}>
      <span>ファイルのデータセット</span>
      <select className="control" value={value} onChange={event => onChange(event.target.value)}>
        {value === '' && <option value="">選んでください</option>}
        {INGEST_DATASETS.map(dataset => (
          <option key={dataset} value={nameOf(dataset)}>
            {datasetChoiceText(dataset)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Progress(props: { label: string; share: number | undefined; onCancel: (() => void) | undefined }) {
  const { label, share } = props
  return (
    <div className={styles.progress}>
      <span>{share === undefined ? `${label}…` : `${label}… ${Math.floor(share * 100)}%`}</span>
      <progress aria-label={label} max={1} {...(share === undefined ? {} : { value: share })} />
      {props.onCancel && <Button onClick={props.onCancel}>キャンセル</Button>}
    </div>
  )
}

function Templates() {
  return (
    <div className={styles.templates}>
      <p>
        ひな形（CSV、記入例つき）:
        {INGEST_DATASETS.map(dataset => (
          <a key={dataset} href={ingestTemplate(nameOf(dataset))} download={`${nameOf(dataset)}.csv`}>
            {datasetChoiceText(dataset)}
          </a>
        ))}
      </p>
      <p>
        支払額は「パブリッシャーの日別」（summary-daily）から計算します。記事・動画の日別とイベントは、レポートだけに使います。
      </p>
      <p>
        毎日届けるときは、APIキーを使って配信システムから送れます。
        <a href={`/docs/ingest.html#${encodeURIComponent('送信方法')}`} target="_blank" rel="noreferrer">
          取り込みの手引き
        </a>
      </p>
    </div>
  )
}
