import type { PoolShare, SettledPayment, SettledPublisherPayment } from '../settlement/settlement-result.ts'
import {
  branch,
  type ExplainNode,
  leaf,
  monthLabel,
  nonZero,
  ownAdsFormula,
  POOL_SHARE_FORMULA,
} from './explain-node.ts'
import { type ExplainBasis, explainPayment, explainPublisher } from './explain-tree.ts'

/** Every amount of a publisher's part that lists of payments show. */
export const PUBLISHER_COLUMNS = [
  'productAdsRevenue',
  'sspRevenue',
  'videoSSPRevenue',
  'liveSSPRevenue',
  'fixedRevenueApplied',
  'minimumTopUpRevenue',
  'revenue',
  'manualAdjustmentRevenue',
  'carriedOverRevenue',
  'cumulativeRevenue',
  'payment',
  'carriedOverToNext',
] as const
export type PublisherColumn = (typeof PUBLISHER_COLUMNS)[number]

/** Tax is rounded once per statement, so it belongs to the payment and not to a publisher's part. */
export const PAYMENT_COLUMNS = [...PUBLISHER_COLUMNS, 'paymentTax', 'paymentIncludingTax'] as const
export type PaymentColumn = (typeof PAYMENT_COLUMNS)[number]

const LABELS: Readonly<Record<PaymentColumn, string>> = {
  productAdsRevenue: '自社広告分',
  sspRevenue: 'SSP分',
  videoSSPRevenue: '動画SSP分',
  liveSSPRevenue: 'ライブSSP分',
  fixedRevenueApplied: '固定額',
  minimumTopUpRevenue: '最低保証調整',
  revenue: '収益',
  manualAdjustmentRevenue: '調整額',
  carriedOverRevenue: '前月繰越',
  cumulativeRevenue: '累計',
  payment: '支払額（税抜）',
  carriedOverToNext: '次月繰越',
  paymentTax: '消費税額',
  paymentIncludingTax: '支払額（税込）',
}

const AMOUNTS = {
  productAdsRevenue: 'adsRevenueYen',
  sspRevenue: 'sspRevenueYen',
  videoSSPRevenue: 'videoSspRevenueYen',
  liveSSPRevenue: 'liveSspRevenueYen',
  fixedRevenueApplied: 'fixedRevenueAppliedYen',
  minimumTopUpRevenue: 'minimumTopUpRevenueYen',
  revenue: 'revenueYen',
  manualAdjustmentRevenue: 'manualAdjustmentRevenueYen',
  carriedOverRevenue: 'carriedOverRevenueYen',
  cumulativeRevenue: 'cumulativeRevenueYen',
  payment: 'paymentYen',
  carriedOverToNext: 'carriedOverToNextYen',
} as const satisfies Record<PublisherColumn, keyof SettledPayment & keyof SettledPublisherPayment>

const FORMULAS: Readonly<Record<Exclude<PublisherColumn, 'productAdsRevenue'>, string>> = {
  sspRevenue: POOL_SHARE_FORMULA,
  videoSSPRevenue: POOL_SHARE_FORMULA,
  liveSSPRevenue: POOL_SHARE_FORMULA,
  fixedRevenueApplied: '契約条件の固定額',
  minimumTopUpRevenue: '最低保証額 − それまでの収益（0円未満にはなりません）',
  revenue: '自社広告分 + SSP分 + 動画SSP分 + ライブSSP分 + 固定額 + 最低保証調整',
  manualAdjustmentRevenue: '調整データの行の合計',
  carriedOverRevenue: '前月までの累計 − 前月までの支払額',
  cumulativeRevenue: '前月繰越 + 収益 + 調整額',
  payment: '累計 − 次月繰越',
  carriedOverToNext: '累計 − 支払額',
}

/** One amount of a payment as the sum of its publishers' parts; each part can be opened down to the day. */
export function explainPaymentColumn(payment: SettledPayment, column: PaymentColumn, basis: ExplainBasis): ExplainNode {
  const whole = explainPayment(payment, basis)
  if (column === 'paymentIncludingTax') return whole
  const id = `${whole.id}/${column}`
  const label = `${monthLabel(payment.revenueGeneratedAtMonth)}の${LABELS[column]}`
  if (column === 'paymentTax') {
    const children = whole.children.filter(child => child.id.startsWith(`${whole.id}/tax-`))
    return branch(id, label, payment.paymentTaxYen, { formula: '税率ごとの消費税額の合計', children })
  }
  return branch(id, label, payment[AMOUNTS[column]], {
    formula: 'パブリッシャーごとの額の合計',
    source: { kind: 'payment', agreementId: payment.agreementId },
    children: payment.publishers.map(publisher => explainPublisherColumn(payment, publisher, column, basis)),
  })
}

/** One amount of a publisher's part as a tree: its branches are found by their ids of `explain-tree.ts`. */
export function explainPublisherColumn(
  payment: SettledPayment,
  publisher: SettledPublisherPayment,
  column: PublisherColumn,
  basis: ExplainBasis,
): ExplainNode {
  const whole = explainPublisher(payment, publisher, basis)
  if (column === 'payment') return whole
  const { agreementId } = payment
  const { publisherId } = publisher
  return branch(
    `${whole.id}/${column}`,
    `${basis.nameOf(publisherId)} の${LABELS[column]}`,
    publisher[AMOUNTS[column]],
    {
      formula: column === 'productAdsRevenue' ? ownAdsFormula(basis.rules.ownAdsRounding) : FORMULAS[column],
      source: { kind: 'publisher_payment', agreementId, publisherId },
      children: partsOf(whole, publisher, column),
    },
  )
}

const POOL_KINDS: Partial<Record<PublisherColumn, PoolShare['kind']>> = {
  sspRevenue: 'ssp',
  videoSSPRevenue: 'ssp_video',
  liveSSPRevenue: 'ssp_live',
}

/** The branches of the whole tree that make up this amount. */
function partsOf(
  whole: ExplainNode,
  publisher: SettledPublisherPayment,
  column: PublisherColumn,
): readonly ExplainNode[] {
  const revenue = whole.children.filter(child => child.id === `${whole.id}/revenue`)
  const adjustments = whole.children.filter(child => child.id.startsWith(`${whole.id}/adjustment-`))
  const carried = whole.children.filter(child => child.id === `${whole.id}/carried`)
  const ofRevenue = (...names: readonly string[]) => {
    const ids = new Set(names.map(name => `${whole.id}/revenue/${name}`))
    return revenue.flatMap(node => node.children.filter(child => ids.has(child.id)))
  }
  const kind = POOL_KINDS[column]
  if (kind) {
    const shares = publisher.poolShares.filter(share => share.kind === kind)
    return ofRevenue(...shares.map(share => `pool-${share.jobId}`))
  }
  switch (column) {
    case 'productAdsRevenue':
      return ofRevenue('own-ads')
    case 'fixedRevenueApplied':
      return ofRevenue('fixed-rule', 'fixed-agreement')
    case 'minimumTopUpRevenue':
      return ofRevenue('topup-rule', 'topup-agreement')
    case 'revenue':
      return revenue.flatMap(node => node.children)
    case 'manualAdjustmentRevenue':
      return adjustments
    case 'carriedOverRevenue':
      return carried
    case 'carriedOverToNext':
      return [
        ...carried,
        ...revenue,
        ...adjustments,
        ...nonZero(leaf(`${whole.id}/paid`, '支払額（税抜）', -publisher.paymentYen, 'この月に支払う額')),
      ]
    default:
      return [...carried, ...revenue, ...adjustments]
  }
}
