import type { Day } from '@pc/domain/month/day.ts'
import { dayText, isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { Button } from '@pc/ui/elements/button.tsx'
import { Badge, type BadgeTone, Card } from '@pc/ui/elements/card.tsx'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import type { ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInstant, formatInteger, NO_VALUE } from '@pc/ui/text/format.ts'
import { useState } from 'react'
import { agreementEditPath } from '../../../agreements/links.ts'
import styles from '../../core/web/payments.module.css'
import { RegisterMailDialog } from './register-email-dialog.tsx'
import { RegisterImport } from './register-import.tsx'
import type { RegisterWatch, WatchedNumber } from './registration-words.ts'
import type { InvoiceRegisterWatchQuery } from './registrations.gen.ts'

const STATUSES: Readonly<Record<WatchedNumber['standing'], { label: string; tone: BadgeTone }>> = {
  ended: { label: '登録が終了', tone: 'bad' },
  impossible: { label: '番号の誤り', tone: 'bad' },
  ending: { label: '終了予定', tone: 'warn' },
  unseen: { label: '未確認', tone: 'warn' },
  valid: { label: '登録あり', tone: 'ok' },
}
const ORDER = ['ended', 'impossible', 'ending', 'unseen', 'valid'] as const

/** The payees' registration numbers compared with the public register, with the amounts that a lost registration affects. */
export function RegistrationsView({ data, viewer, retry, error }: ScreenProps<object, InvoiceRegisterWatchQuery>) {
  const media = useMedia()
  const [writing, setWriting] = useState<WatchedNumber>()
  const watch = data?.invoiceRegisterWatch
  return (
    <>
      <ScreenTop
        title="登録番号の確認"
        note="適格請求書発行事業者の登録番号を、国税庁の公表サイトのデータと照らし合わせます。"
      >
        {viewer.can('write:update', 'insight:dividend.') && <RegisterImport onImported={retry} />}
      </ScreenTop>
      {!watch && error !== undefined && <FailedContent onRetry={retry} />}
      {!watch && error === undefined && <Skeleton height={320} />}
      {watch && (
        <Card title="支払先の登録番号" note={<StatusCounts counts={watch.counts} />} flush>
          <DataTable<WatchedNumber>
            caption="支払先の登録番号"
            rows={watch.nodes}
            rowKey={row => row.agreementId}
            columns={columnsOf(media.nameOf, setWriting)}
            empty={{
              title: '登録番号のある契約はありません',
              hint: '契約に登録番号を入力すると、ここに表示されます。',
            }}
          />
        </Card>
      )}
      {writing && <RegisterMailDialog row={writing} onClose={() => setWriting(undefined)} />}
    </>
  )
}

function StatusCounts({ counts }: { counts: RegisterWatch['counts'] }) {
  return (
    <span className={styles.standings}>
      {ORDER.filter(standing => counts[standing] > 0).map(standing => (
        <Badge key={standing} tone={STATUSES[standing].tone}>
          {`${STATUSES[standing].label} ${formatInteger(counts[standing])}件`}
        </Badge>
      ))}
    </span>
  )
}

function columnsOf(mediumName: (id: string) => string, onWrite: (row: WatchedNumber) => void): Column<WatchedNumber>[] {
  return [
    {
      id: 'partner',
      header: '支払先・契約',
      isHeading: true,
      cell: row => (
        <>
          <a href={`#${agreementEditPath(row.agreementId)}`}>{row.partnerName}</a>
          <small className={styles.partner}>
            {`${mediumName(row.mediumId)} / ${row.agreementName} / ${row.agreementCode}`}
          </small>
        </>
      ),
    },
    {
      id: 'standing',
      header: '登録',
      cell: row => (
        <span className={styles.status}>
          <Badge tone={STATUSES[row.standing].tone}>{STATUSES[row.standing].label}</Badge>
          {row.endedOn && <small>{`${dayText(row.endedOn as Day)}から無効`}</small>}
        </span>
      ),
    },
    { id: 'number', header: '登録番号', cell: row => <span className="num">{row.registrationNumber}</span> },
    {
      id: 'revenue',
      header: '直近の収益（税抜・円）',
      isFigure: true,
      description: '計算済みのいちばん新しい月の収益と調整額',
      cell: row => (row.month == null ? NO_VALUE : `${formatInteger(row.revenue)}`),
    },
    {
      id: 'lost',
      header: '控除できない消費税（円／月）',
      isFigure: true,
      description: '登録がない場合に、その月の消費税のうち仕入税額控除できない額。支払額は変わりません。',
      cell: row => (isDoubtful(row) && row.month != null ? formatInteger(row.lostTax) : NO_VALUE),
    },
    { id: 'month', header: '対象の月', cell: row => isoMonthText(row.month, NO_VALUE) },
    {
      id: 'checked',
      header: '確認した日時',
      cell: row => (row.checkedAt == null ? 'まだ確認していません' : formatInstant(row.checkedAt)),
    },
    {
      id: 'mail',
      header: '連絡',
      cell: row =>
        isDoubtful(row) ? (
          <Button tone="quiet" onClick={() => onWrite(row)} aria-label={`連絡文を作る（${row.partnerName}）`}>
            連絡文を作る
          </Button>
        ) : (
          NO_VALUE
        ),
    },
  ]
}

const isDoubtful = ({ standing }: WatchedNumber) => standing !== 'valid' && standing !== 'unseen'
