import type { Day } from '@pc/domain/month/day.ts'
import { dayText, isoMonthText } from '@pc/domain/month/day-text.ja.ts'
import type { CsvCell } from '@pc/ui/data/csv.ts'
import { Badge, type BadgeTone } from '@pc/ui/elements/card.tsx'
import { isPublisherUser, useViewer } from '@pc/ui/session/viewer.tsx'
import { NO_VALUE } from '@pc/ui/text/format.ts'
import type { OptionalColumn } from '@pc/ui/views/chosen-columns.tsx'
import type { ReactNode } from 'react'
import { askAddress } from '../../../questions/links.ts'
import { statementsAddress } from '../../../statements/links.ts'
import { EstimateDifference, ExplainedYen } from '../../core/web/explained-yen.tsx'
import styles from '../../core/web/payments.module.css'
import type { MonthlyPaymentsQuery } from './payments.gen.ts'

export type PaymentRow = NonNullable<MonthlyPaymentsQuery['monthlyPayments']>['nodes'][number]

/** The amounts that every list of payments can show: the parts of the revenue, and the balance up to the payment. */
interface AmountRow {
  readonly id: string
  readonly revenueGeneratedAtMonth: string
  readonly productAdsRevenue: number
  readonly sspRevenue: number
  readonly videoSSPRevenue: number
  readonly liveSSPRevenue: number
  readonly fixedRevenueApplied: number
  readonly minimumTopUpRevenue: number
  readonly revenue: number
  readonly estimatedRevenue?: number | null
  readonly hasBeenFinalized: boolean
  readonly manualAdjustmentRevenue: number
  readonly carriedOverRevenue: number
  readonly cumulativeRevenue: number
  readonly carriedOverToNext: number
  readonly payment: number
}

const AMOUNTS = {
  productAdsRevenue: '自社広告（円）',
  sspRevenue: 'SSP（円）',
  videoSSPRevenue: '動画SSP（円）',
  liveSSPRevenue: 'ライブSSP（円）',
  fixedRevenueApplied: '固定額（円）',
  minimumTopUpRevenue: '最低保証調整（円）',
  revenue: '収益（円）',
  manualAdjustmentRevenue: '調整額（円）',
  carriedOverRevenue: '前月繰越（円）',
  cumulativeRevenue: '累計（円）',
  payment: '支払額（税抜・円）',
  carriedOverToNext: '次月繰越（円）',
} as const satisfies Partial<Record<keyof AmountRow, string>>
type AmountKey = keyof typeof AMOUNTS
const DEFINITIONS: Readonly<Record<AmountKey, string>> = {
  productAdsRevenue: '自社広告による収益',
  sspRevenue: 'SSPの原資から配分した収益',
  videoSSPRevenue: '動画SSPの原資から配分した収益',
  liveSSPRevenue: 'ライブSSPの原資から配分した収益',
  fixedRevenueApplied: '契約の固定額',
  minimumTopUpRevenue: '最低保証に足りない分の上乗せ',
  revenue: '発生月の収益の合計（税抜）',
  manualAdjustmentRevenue: '訂正や無効トラフィックの控除など',
  carriedOverRevenue: '前月までに支払われず、繰り越された額',
  cumulativeRevenue: '前月繰越 + 収益 + 調整額',
  payment: '支払う額（消費税を含まない）',
  carriedOverToNext: '今回は支払わず、次月に繰り越す額',
}
const SORTED: Partial<Record<AmountKey, string>> = { revenue: 'REVENUE', payment: 'PAYMENT' }

function amountColumn<Row extends AmountRow>(key: AmountKey): OptionalColumn<Row> {
  const order = SORTED[key]
  return {
    id: order ?? key,
    header: AMOUNTS[key],
    definition: DEFINITIONS[key],
    isFigure: true,
    ...(order === undefined ? {} : { isSortedByServer: true }),
    cell: row => <ExplainedYen id={row.id} column={key} label={AMOUNTS[key]} amount={row[key]} />,
  }
}

export function amountColumns<Row extends AmountRow>(...keys: readonly AmountKey[]): OptionalColumn<Row>[] {
  return keys.map(key => amountColumn<Row>(key))
}

/** The difference between the final amount and what the reports showed before the month was final. */
export function estimateColumn<Row extends AmountRow>(): OptionalColumn<Row> {
  return {
    id: 'estimate',
    header: '速報との差（円）',
    definition: '確定した額 − 確定前に見えていた速報値',
    isFigure: true,
    cell: row => (
      <EstimateDifference
        id={row.id}
        estimateYen={row.estimatedRevenue ?? null}
        finalYen={row.hasBeenFinalized ? row.revenue + row.manualAdjustmentRevenue : undefined}
      />
    ),
  }
}

/** Only lists of whole payments have it, because tax is rounded once per payment. */
const TAX: OptionalColumn<PaymentRow> = {
  id: 'tax',
  header: '消費税（円）',
  definition: '支払額（税抜）にかかる消費税',
  isFigure: true,
  cell: row => <ExplainedYen id={row.id} column="paymentTax" label="消費税" amount={row.paymentTax} />,
}

const INCLUDING: OptionalColumn<PaymentRow> = {
  id: 'including',
  header: '支払額（税込・円）',
  definition: '支払う額（消費税を含む）',
  isFigure: true,
  cell: row => (
    <ExplainedYen id={row.id} column="paymentIncludingTax" label="支払額（税込）" amount={row.paymentIncludingTax} />
  ),
}

/** All columns of a payment. The default ones fit beside the menu on a laptop: state, amount paid and date. */
export function paymentColumns(
  mediumName: (id: string) => string,
  agreementCell: (row: PaymentRow, mediumName: string) => ReactNode,
): OptionalColumn<PaymentRow>[] {
  return [
    {
      id: 'agreement',
      header: '契約',
      definition: '契約名と媒体・支払先',
      isHeading: true,
      cell: row => agreementCell(row, mediumName(row.mediumId)),
    },
    ...shownFirst<PaymentRow>([
      monthColumn(),
      {
        id: 'state',
        header: '状態',
        definition: '支払の状態と、支払わない場合の理由',
        cell: row => <PaymentState row={row} />,
      },
      INCLUDING,
      {
        id: 'due',
        header: '支払期日',
        definition: '契約の支払サイトによる期日',
        cell: row => dayText(row.dueOn as Day),
      },
      ...amountColumns<PaymentRow>('revenue'),
      estimateColumn(),
    ]),
    mediumColumn(mediumName),
    ...amountColumns<PaymentRow>('manualAdjustmentRevenue', 'carriedOverRevenue', 'cumulativeRevenue', 'payment'),
    TAX,
    ...amountColumns<PaymentRow>('carriedOverToNext'),
    ...revenueParts<PaymentRow>(),
    { id: 'paid', header: '支払月', definition: '支払った月', cell: row => isoMonthText(row.paidAtMonth, NO_VALUE) },
  ]
}

/** The columns, all shown unless a person has chosen others. */
export function shownFirst<Row>(columns: readonly OptionalColumn<Row>[]): OptionalColumn<Row>[] {
  return columns.map(column => ({ ...column, isDefault: true }))
}

/** The columns of the parts of the revenue, in the order of the statement. */
export function revenueParts<Row extends AmountRow>(): OptionalColumn<Row>[] {
  return amountColumns<Row>(
    ...(['productAdsRevenue', 'sspRevenue', 'videoSSPRevenue', 'liveSSPRevenue'] as const),
    ...(['fixedRevenueApplied', 'minimumTopUpRevenue'] as const),
  )
}

export function monthColumn<Row extends Pick<AmountRow, 'revenueGeneratedAtMonth'>>(): OptionalColumn<Row> {
  return {
    id: 'MONTH',
    header: '発生月',
    definition: '収益が発生した月',
    isSortedByServer: true,
    cell: row => isoMonthText(row.revenueGeneratedAtMonth, NO_VALUE),
  }
}

export function mediumColumn<Row extends { readonly mediumId: string }>(
  nameOf: (id: string) => string,
): OptionalColumn<Row> {
  return { id: 'medium', header: '媒体', definition: '収益が発生した媒体', cell: row => nameOf(row.mediumId) }
}

const STATUS_TONES: Readonly<Record<PaymentRow['paymentStatus'], BadgeTone>> = {
  accruing: 'mute',
  computed: 'mute',
  scheduled: 'warn',
  carried_over: 'mute',
  held: 'bad',
  exported: 'warn',
  paid: 'ok',
  returned: 'bad',
}

/** The state of a payment, and why nothing is paid. */
function PaymentState({ row }: { row: PaymentRow }) {
  const viewer = useViewer()
  const mayAsk = isPublisherUser(viewer) && viewer.can('write:create', 'insight:question.')
  return (
    <span className={styles.status}>
      <span className={styles.badgeLine}>
        <Badge tone={STATUS_TONES[row.paymentStatus]}>{row.paymentStatusLabel}</Badge>
        {mayAsk && (
          <a href={askAddress({ kind: 'payment', id: row.id, column: 'paymentIncludingTax' })}>
            質問する
            <span className="visually-hidden">{`（${isoMonthText(row.revenueGeneratedAtMonth, NO_VALUE)} ${row.monthlyAgreementSnapshot.agreementName}）`}</span>
          </a>
        )}
      </span>
      {row.reasonText && <small>{row.reasonText}</small>}
      {row.statement && (
        <a href={statementsAddress({ paymentId: row.id, id: row.statement.id })}>
          {`支払通知書：${row.statement.stateLabel}`}
          {row.statement.state === 'issued' && `（${dayText(row.statement.deemedOn as Day)}まで）`}
        </a>
      )}
    </span>
  )
}

/** The heading cell of a row: agreement, medium and payee, whatever columns a person has chosen. */
export function AgreementName({ row, mediumName }: { row: PaymentRow; mediumName: string }) {
  const { agreementName, agreementCode, partnerName } = row.monthlyAgreementSnapshot
  return (
    <>
      {agreementName}
      <small className={styles.partner}>{mediumName}</small>
      <small className={styles.partner}>{`${partnerName} / ${agreementCode}`}</small>
    </>
  )
}

interface CsvColumn<Row> {
  readonly header: string
  cell(row: Row): CsvCell
}

export function csvAmounts<Row extends AmountRow>(): CsvColumn<Row>[] {
  const amounts = Object.entries(AMOUNTS).map(([key, header]) => ({
    header,
    cell: (row: Row): CsvCell => row[key as AmountKey],
  }))
  return [...amounts, { header: '速報値（円）', cell: row => row.estimatedRevenue }]
}

export function paymentCsvColumns(mediumName: (id: string) => string): CsvColumn<PaymentRow>[] {
  return [
    { header: '発生月', cell: row => row.revenueGeneratedAtMonth },
    { header: '契約', cell: row => row.monthlyAgreementSnapshot.agreementName },
    { header: '契約コード', cell: row => row.monthlyAgreementSnapshot.agreementCode },
    { header: '支払先', cell: row => row.monthlyAgreementSnapshot.partnerName },
    { header: '登録番号', cell: row => row.monthlyAgreementSnapshot.invoiceRegistrationNumber },
    { header: '媒体', cell: row => mediumName(row.mediumId) },
    { header: '状態', cell: row => row.paymentStatusLabel },
    { header: '理由', cell: row => row.reasonText },
    ...csvAmounts<PaymentRow>(),
    { header: '税率（%）', cell: row => row.taxRate },
    { header: '消費税（円）', cell: row => row.paymentTax },
    { header: '支払額（税込・円）', cell: row => row.paymentIncludingTax },
    { header: '支払期日', cell: row => row.dueOn },
    { header: '支払月', cell: row => row.paidAtMonth },
  ]
}
