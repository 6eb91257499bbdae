import type { Day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { Card } from '@pc/ui/elements/card.tsx'
import { ScreenTop } from '@pc/ui/elements/list-top.tsx'
import { SumBoxes } from '@pc/ui/elements/sum-boxes.tsx'
import { SecondaryLink } from '@pc/ui/list/list-screen.tsx'
import { addressOf, type ScreenProps } from '@pc/ui/routing/define-route.ts'
import { FailedContent, Skeleton } from '@pc/ui/routing/screen-states.tsx'
import { isStaffViewer } from '@pc/ui/session/viewer.tsx'
import type { Column } from '@pc/ui/table/column.ts'
import { DataTable } from '@pc/ui/table/data-table.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import styles from '../../core/web/payments.module.css'
import { PAYMENTS_BY_AGREEMENT_PATH, PAYMENTS_FOR_PUBLISHERS_PATH } from '../../links.ts'
import type { CashForecastQuery } from './cash-forecast.gen.ts'

type Forecast = NonNullable<CashForecastQuery['cashForecast']>
type Payee = Forecast['payees'][number]
type Due = Forecast['dueDates'][number]

/** What leaves the account on the next due dates; for a payee what it will get. */
export function CashForecastView({ data, viewer, error, retry }: ScreenProps<object, CashForecastQuery>) {
  const forecast = data?.cashForecast
  const isStaff = isStaffViewer(viewer)
  return (
    <>
      <ScreenTop
        title="支払予定"
        note={
          isStaff
            ? '次の3回の支払期日に支払う額です（税込。源泉徴収と振込手数料を差し引く前）。'
            : '次の3回の支払期日にお支払いする額です（税込。源泉徴収と振込手数料を差し引く前）。確定した月だけを表示します。'
        }
      >
        <SecondaryLink address={addressOf(isStaff ? PAYMENTS_BY_AGREEMENT_PATH : PAYMENTS_FOR_PUBLISHERS_PATH)}>
          支払の一覧へ
        </SecondaryLink>
      </ScreenTop>
      {!forecast && error !== undefined && <FailedContent onRetry={retry} />}
      {!forecast && error === undefined && <Skeleton height={320} />}
      {forecast && (
        <div className={styles.forecast}>
          <DueDates forecast={forecast} isStaff={isStaff} />
          <Card title={isStaff ? '支払先ごとの予定' : 'お支払いの予定'} flush>
            <DataTable<Payee>
              caption="支払先ごとの支払予定"
              rows={forecast.payees}
              rowKey={row => row.organizationId}
              columns={columnsOf(forecast, isStaff)}
              empty={{
                title: '支払の予定はありません',
                hint: isStaff ? '月を計算すると、ここに表示されます。' : '月が確定すると、ここに表示されます。',
              }}
            />
          </Card>
        </div>
      )}
    </>
  )
}

const totalOf = (due: Due) => due.confirmed + due.draft

function DueDates({ forecast, isStaff }: { forecast: Forecast; isStaff: boolean }) {
  return (
    <SumBoxes
      sums={[
        ...(forecast.overdue > 0
          ? [
              {
                label: '期日を過ぎた未払',
                amountYen: forecast.overdue,
                note: '組戻しになったか、まだ振り込んでいない支払です',
                isBad: true,
              },
            ]
          : []),
        ...forecast.dueDates.map(due => ({
          label: `${dayText(due.dueOn as Day)}期日`,
          amountYen: totalOf(due),
          note: isStaff ? splitText(due) : undefined,
        })),
      ]}
    />
  )
}

function splitText({ confirmed, draft }: Due): string {
  if (draft === 0) return 'すべて確定しています'
  return `確定 ${formatInteger(confirmed)}円 + 見込み ${formatInteger(draft)}円`
}

function columnsOf({ dueDates, overdue }: Forecast, isStaff: boolean): Column<Payee>[] {
  return [
    { id: 'partner', header: '支払先', isHeading: true, cell: row => row.partnerName },
    ...(overdue > 0
      ? [
          {
            id: 'overdue',
            header: '期日を過ぎた未払（円）',
            isFigure: true,
            cell: (row: Payee) => formatInteger(row.overdue),
          },
        ]
      : []),
    ...dueDates.map((due, index) => ({
      id: due.dueOn,
      header: `${dayText(due.dueOn as Day)}（円）`,
      isFigure: true,
      description: isStaff ? 'この日が期日の支払。確定していない月は、最後に計算した額です' : 'この日が期日のお支払い',
      cell: (row: Payee) => <DueAmount due={row.amounts[index]} isStaff={isStaff} />,
    })),
    { id: 'total', header: '合計（円）', isFigure: true, cell: row => formatInteger(row.total) },
  ]
}

function DueAmount({ due, isStaff }: { due: Due | undefined; isStaff: boolean }) {
  if (!due) return null
  return (
    <>
      {formatInteger(totalOf(due))}
      {isStaff && due.draft > 0 && <small className={styles.partner}>{`うち見込み ${formatInteger(due.draft)}`}</small>}
    </>
  )
}
