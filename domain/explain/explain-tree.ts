import { formatMicroYen } from '../money/micro-yen.ts'
import { formatRate, rateFactor, rateText } from '../money/rate.ts'
import { formatYen, sumBy } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import type { OwnAdsDay } from '../settlement/own-ads.ts'
import type {
  PaidBucket,
  PoolShare,
  SettledMonth,
  SettledPayment,
  SettledPool,
  SettledPublisherPayment,
  TaxLine,
} from '../settlement/settlement-result.ts'
import { ROUND_DOWN, type SettlementRules } from '../settlement/settlement-rules.ts'
import type { PlannedTransfer } from '../transfer/transfer.ts'
import { withheldTaxesText } from '../transfer/withheld-taxes.ja.ts'
import {
  branch,
  dayLabel,
  EXPLAIN_SCALE,
  type ExplainNode,
  type ExplainSource,
  exactNode,
  inputForEveryone,
  inputForStaff,
  leaf,
  monthLabel,
  nonZero,
  ownAdsFormula,
  POOL_SHARE_FORMULA,
  rateInput,
  roundingNode,
} from './explain-node.ts'
import { POOL_LABELS } from './pool-labels.ja.ts'

/** A transfer as a tree: its payments with tax, less withholding and less a fee that the payee bears. */
export function explainTransfer(
  transfer: Omit<PlannedTransfer, 'records'>,
  transferOn: Day,
  payments: readonly ExplainNode[],
): ExplainNode {
  return branch('transfer', '振込額', transfer.transferAmountYen, {
    formula: '税込支払額の合計 − 源泉徴収税額 − 振込手数料（支払先負担分）',
    children: [
      ...payments,
      ...nonZero(
        leaf(
          'transfer/withholding',
          '源泉徴収税額',
          -transfer.withholdingYen,
          withholdingFormula(transfer, transferOn),
        ),
      ),
      ...nonZero(leaf('transfer/fee', '振込手数料', -transfer.feeBorneByPayeeYen, '支払先が負担する手数料')),
    ],
  })
}

function withholdingFormula(
  { nonResidentRate, hasTreatyForm }: Pick<PlannedTransfer, 'nonResidentRate' | 'hasTreatyForm'>,
  transferOn: Day,
): string {
  if (nonResidentRate === null) return `報酬額（税抜）に対する${withheldTaxesText(transferOn)}`
  const rate = rateText(nonResidentRate)
  // The rate of a tax treaty applies without the special income tax for reconstruction.
  return hasTreatyForm
    ? `非居住者・外国法人：報酬額（税抜）の全額 × ${rate}（租税条約に関する届出書）。所得税`
    : `非居住者・外国法人：報酬額（税抜）の全額 × ${rate}。${withheldTaxesText(transferOn)}`
}

/** The name of a publisher in a tree. */
export type NameOf = (publisherId: bigint) => string

/** What explaining a payment needs besides the payment. */
export interface ExplainBasis {
  /** The rules of the month. */
  readonly rules: Pick<SettlementRules, 'ownAdsRounding'>
  /** The days of a publisher; they sum to its own ads of the month. */
  readonly daysOf: (publisher: SettledPublisherPayment) => readonly OwnAdsDay[]
  readonly nameOf: NameOf
}

/** A payment with tax as a tree: its publishers, and one tax line for each rate. */
export function explainPayment(payment: SettledPayment, basis: ExplainBasis): ExplainNode {
  const id = `payment/${payment.agreementId}`
  const month = monthLabel(payment.revenueGeneratedAtMonth)
  return branch(id, `${month}の支払額（税込）`, payment.paymentIncludingTaxYen, {
    formula: 'パブリッシャーごとの支払額の合計 + 消費税額',
    source: { kind: 'payment', agreementId: payment.agreementId },
    children: [
      ...payment.publishers.map(publisher => explainPublisher(payment, publisher, basis)),
      ...payment.taxLines.map(line => taxNode(id, line, payment.paidBuckets)),
    ],
  })
}

/** The tax of one rate: the exact tax of each month, and one rounding over all of them. Returned months are marked. */
function taxNode(parentId: string, line: TaxLine, paidBuckets: SettledPayment['paidBuckets']): ExplainNode {
  const exactOf = ({ amountYen }: Pick<TaxLine, 'amountYen'>) =>
    (amountYen * BigInt(line.ratePercent) * EXPLAIN_SCALE) / 100n
  const exact = exactOf(line)
  const id = `${parentId}/tax-${line.ratePercent}`
  const months = paidBuckets.filter(bucket => bucket.ratePercent === line.ratePercent)
  const [first] = months
  const isOneMonth = months.length === 1 && first?.amountYen === line.amountYen
  return branch(id, `消費税（${line.ratePercent}%${line.amountYen < 0n ? '・返還' : ''}）`, line.taxYen, {
    formula: `${formatYen(line.amountYen)} × ${line.ratePercent}% を切捨て（税率ごとに1回）`,
    inputs: [
      inputForEveryone('対象額', `${formatYen(line.amountYen)}円`),
      inputForEveryone('税率', `${line.ratePercent}%`),
    ],
    children: [
      ...(isOneMonth
        ? [exactNode(`${id}/exact`, '端数処理前の税額', exact)]
        : months.map(bucket => monthTaxNode(id, bucket, exactOf(bucket)))),
      ...roundingNode(id, line.taxYen, exact, ROUND_DOWN),
    ],
  })
}

function monthTaxNode(parentId: string, { generatedMonth, amountYen, ratePercent }: PaidBucket, exact: bigint) {
  return {
    ...exactNode(
      `${parentId}/${generatedMonth}`,
      `${monthLabel(generatedMonth)}${amountYen < 0n ? 'の返還' : ''}`,
      exact,
    ),
    formula: `${formatYen(amountYen)} × ${ratePercent}%`,
  }
}

/** One publisher's payment as a tree: what it earned and what was carried in, less what is carried on. */
export function explainPublisher(
  payment: SettledPayment,
  publisher: SettledPublisherPayment,
  basis: ExplainBasis,
): ExplainNode {
  const { agreementId } = payment
  const { publisherId } = publisher
  const id = `publisher/${agreementId}/${publisherId}`
  return branch(id, `${basis.nameOf(publisherId)} の支払額`, publisher.paymentYen, {
    formula: '収益 + 調整額 + 前月繰越 − 次月繰越',
    source: { kind: 'publisher_payment', agreementId, publisherId },
    children: [
      revenueNode(id, payment, publisher, basis),
      ...adjustmentNodes(id, publisher),
      ...nonZero({
        ...leaf(`${id}/carried`, '前月繰越', publisher.carriedOverRevenueYen, '前月までの未払残高'),
        source: { kind: 'carried', agreementId, publisherId },
      }),
      ...nonZero(leaf(`${id}/next`, '次月繰越', -publisher.carriedOverToNextYen, '翌月以降に支払う残高')),
    ],
  })
}

function revenueNode(
  parentId: string,
  payment: SettledPayment,
  publisher: SettledPublisherPayment,
  basis: ExplainBasis,
): ExplainNode {
  const { agreementId } = payment
  const id = `${parentId}/revenue`
  const terms = (publisherId: bigint | null): ExplainSource => ({ kind: 'terms', agreementId, publisherId })
  const part = (name: string, label: string, amountYen: bigint, formula: string, source: ExplainSource) =>
    nonZero({ ...leaf(`${id}/${name}`, label, amountYen, formula), source })
  return branch(id, '収益', publisher.revenueYen, {
    formula: '自社広告分 + SSP分 + 動画SSP分 + ライブSSP分 + 固定額 + 最低保証調整',
    children: [
      ownAdsNode(id, payment, publisher, basis),
      ...publisher.poolShares.flatMap(share => nonZero(poolShareNode(id, share))),
      ...part(
        'fixed-rule',
        '固定額（パブリッシャー）',
        publisher.fixedOfRuleYen,
        '契約条件の固定額',
        terms(publisher.publisherId),
      ),
      ...part(
        'fixed-agreement',
        '固定額（契約の配分）',
        publisher.fixedOfAgreementYen,
        '契約の固定額を収益の比で配分',
        terms(null),
      ),
      ...part(
        'topup-rule',
        '最低保証調整（パブリッシャー）',
        publisher.topUpOfRuleYen,
        'パブリッシャーの最低保証額に不足する額',
        terms(publisher.publisherId),
      ),
      ...part(
        'topup-agreement',
        '最低保証調整（契約の配分）',
        publisher.topUpOfAgreementYen,
        '契約の最低保証額に不足する額を収益の比で配分',
        terms(null),
      ),
    ],
  })
}

/** Own ads as days after the rate, and one rounding of the month. 0 without days when the agreement has ended. */
function ownAdsNode(
  parentId: string,
  payment: SettledPayment,
  publisher: SettledPublisherPayment,
  { rules: { ownAdsRounding }, daysOf }: ExplainBasis,
): ExplainNode {
  const id = `${parentId}/own-ads`
  const factor = rateFactor(publisher.share.ownAdsRateUnits)
  const exact = publisher.ownAdsMicroYen * factor
  const rate = formatRate(publisher.share.ownAdsRateUnits)
  const days = daysOf(publisher)
  const daysMicroYen = sumBy(days, each => each.amountMicroYen)
  if (daysMicroYen !== publisher.ownAdsMicroYen) throw new RangeError('the days do not add up to the month')
  return branch(id, '自社広告分', publisher.adsRevenueYen, {
    formula: ownAdsFormula(ownAdsRounding),
    inputs: [inputForStaff('広告収益（分配前）', `${formatMicroYen(publisher.ownAdsMicroYen)}円`), rateInput(rate)],
    children: payment.isActive
      ? [
          ...days.map(each => dayNode(id, publisher.publisherId, each, factor)),
          ...roundingNode(id, publisher.adsRevenueYen, exact, ownAdsRounding),
        ]
      : [],
  })
}

function dayNode(parentId: string, publisherId: bigint, each: OwnAdsDay, factor: bigint): ExplainNode {
  return {
    ...exactNode(`${parentId}/${each.day}`, dayLabel(each.day), each.amountMicroYen * factor),
    formula: 'その日の広告収益 × 支払率',
    inputs: [inputForStaff('広告収益（分配前）', `${formatMicroYen(each.amountMicroYen)}円`)],
    source: { kind: 'day', publisherId, day: each.day },
  }
}

/** A rule's share of a pool. How the pool was divided, and what the platform keeps, is visible to staff only. */
function poolShareNode(parentId: string, share: PoolShare): ExplainNode {
  const id = `${parentId}/pool-${share.jobId}`
  const exact = share.allocatedYen * rateFactor(share.rateUnits) * (EXPLAIN_SCALE / 10_000n)
  const rate = formatRate(share.rateUnits)
  const rateNode = (name: string, label: string, yen: bigint) =>
    exactNode(`${id}/${name}`, label, yen * rateFactor(share.rateUnits) * (EXPLAIN_SCALE / 10_000n))
  return {
    ...branch(id, POOL_LABELS[share.kind], share.bookedYen, {
      formula: POOL_SHARE_FORMULA,
      inputs: [
        rateInput(rate),
        inputForStaff('重み', share.weight.toString()),
        inputForStaff('配分額', `${formatYen(share.allocatedYen)}円`),
      ],
      children:
        share.method === 'payment'
          ? [
              rateNode('quota', '比例配分', share.quotaYen),
              ...nonZero(rateNode('extra', '最大剰余の1円', share.extraYen)),
              ...roundingNode(id, share.shareYen, exact, ROUND_DOWN),
            ]
          : [],
    }),
    source: { kind: 'job', jobId: share.jobId, line: 0 },
    detailFor: 'staff',
  }
}

function adjustmentNodes(parentId: string, publisher: SettledPublisherPayment): readonly ExplainNode[] {
  return publisher.adjustments.map(row => ({
    ...leaf(
      `${parentId}/adjustment-${row.jobId}-${row.line}`,
      row.method === 'discard' ? '残高の破棄' : '調整額',
      row.appliedYen,
      row.originMonth === null ? '調整データの行' : `${monthLabel(row.originMonth)}の訂正`,
    ),
    inputs: row.method === 'discard' ? [inputForEveryone('指定額', `${formatYen(row.amountYen)}円`)] : [],
    source: { kind: 'job' as const, jobId: row.jobId, line: row.line },
  }))
}

/** Staff only: a pool as the sum of what each publisher got, what the rates kept back, and what was not paid out. */
export function explainPool(pool: SettledPool, month: SettledMonth, nameOf: NameOf): ExplainNode {
  const id = `pool/${pool.jobId}`
  const shares = month.payments.flatMap(payment =>
    payment.publishers.flatMap(publisher =>
      publisher.poolShares
        .filter(share => share.jobId === pool.jobId)
        .map(share => ({ agreementId: payment.agreementId, publisherId: publisher.publisherId, share })),
    ),
  )
  return {
    ...branch(id, `${POOL_LABELS[pool.kind]}の原資`, pool.poolYen, {
      formula: 'パブリッシャーへの計上額 + 当社留保分',
      source: { kind: 'job', jobId: pool.jobId, line: 0 },
      children: shares.map(({ agreementId, publisherId, share }) =>
        branch(
          `${id}/${agreementId}/${publisherId}`,
          `${nameOf(publisherId)}（契約 ${agreementId}）への配分`,
          share.allocatedYen,
          {
            formula: '原資 × 重み ÷ 重みの合計（最大剰余方式）',
            inputs: [
              inputForStaff('重み', share.weight.toString()),
              inputForStaff('支払率', formatRate(share.rateUnits)),
            ],
            children: [
              leaf(
                `${id}/${agreementId}/${publisherId}/booked`,
                'パブリッシャーへの計上額',
                share.bookedYen,
                '配分額 × 支払率',
              ),
              leaf(
                `${id}/${agreementId}/${publisherId}/retained`,
                '当社留保分',
                share.allocatedYen - share.bookedYen,
                '配分額 − 計上額',
              ),
            ],
          },
        ),
      ),
    }),
    detailFor: 'staff',
  }
}

export interface ContentAmount {
  readonly kind: 'article' | 'video'
  readonly contentId: bigint
  readonly title: string
  readonly amountMicroYen: bigint
}

/** The lowest level: a day as its largest articles or videos and the rest, after the rate. */
export function explainDay(
  publisherId: bigint,
  ofDay: OwnAdsDay,
  contents: readonly ContentAmount[],
  rateUnits: number,
  top: number,
): ExplainNode {
  const factor = rateFactor(rateUnits)
  const node = dayNode('day', publisherId, ofDay, factor)
  const largest = contents
    .toSorted((a, b) =>
      a.amountMicroYen === b.amountMicroYen
        ? a.contentId < b.contentId
          ? -1
          : 1
        : a.amountMicroYen > b.amountMicroYen
          ? -1
          : 1,
    )
    .slice(0, top)
  const restMicroYen = ofDay.amountMicroYen - sumBy(largest, each => each.amountMicroYen)
  return {
    ...node,
    children: [
      ...largest.map(
        (each): ExplainNode => ({
          ...exactNode(`${node.id}/${each.kind}-${each.contentId}`, each.title, each.amountMicroYen * factor),
          formula: each.kind === 'article' ? '記事の広告収益 × 支払率' : '動画の広告収益 × 支払率',
          source: { kind: each.kind, contentId: each.contentId, publisherId },
        }),
      ),
      ...nonZero(exactNode(`${node.id}/rest`, 'その他', restMicroYen * factor)),
    ],
  }
}
