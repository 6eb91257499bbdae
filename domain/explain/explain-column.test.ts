import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstDayOf } from '../month/year-month.ts'
import { followingMonth, randomMonth } from '../settlement/random-month.ts'
import { settled } from '../settlement/sample-month.ts'
import type { MonthInput } from '../settlement/settlement-input.ts'
import type { SettledPayment } from '../settlement/settlement-result.ts'
import { settlementRulesOf } from '../settlement/settlement-rules.ts'
import { explainPaymentColumn, explainPublisherColumn, PAYMENT_COLUMNS, PUBLISHER_COLUMNS } from './explain-column.ts'
import { EXPLAIN_SCALE, type ExplainNode, unbalancedNodes } from './explain-node.ts'
import { type ExplainBasis, explainPayment, explainPublisher } from './explain-tree.ts'

const nameOf = (id: bigint) => `パブリッシャー${id}`
const basisOf = (input: MonthInput, { revenueGeneratedAtMonth }: SettledPayment): ExplainBasis => ({
  rules: settlementRulesOf(input.settings),
  daysOf: ({ ownAdsMicroYen }) => [{ day: firstDayOf(revenueGeneratedAtMonth), amountMicroYen: ownAdsMicroYen }],
  nameOf,
})
const idsOf = (node: ExplainNode): string[] => [node.id, ...node.children.flatMap(idsOf)]

/** The field behind each column of a list of payments. */
const SHOWN = {
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
} as const

test('every column that a list shows can be explained', () => {
  expect([...PUBLISHER_COLUMNS]).toEqual(Object.keys(SHOWN))
  expect([...PAYMENT_COLUMNS]).toEqual([...Object.keys(SHOWN), 'paymentTax', 'paymentIncludingTax'])
})

test('each column comes to the amount shown, and its parts to it, over random months in a row', () => {
  fc.assert(
    fc.property(fc.integer(), seed => {
      let input: ReturnType<typeof followingMonth> = randomMonth(seed)
      for (let step = 1; input && step <= 3; step += 1) {
        const month = settled(input)
        for (const payment of month.payments) {
          const basis = basisOf(input, payment)
          for (const column of PUBLISHER_COLUMNS) {
            const tree = explainPaymentColumn(payment, column, basis)
            expect(tree.amount).toBe(payment[SHOWN[column]] * EXPLAIN_SCALE)
            expect(unbalancedNodes(tree)).toEqual([])
            expect(tree.children).toHaveLength(payment.publishers.length)
            for (const publisher of payment.publishers) {
              const part = explainPublisherColumn(payment, publisher, column, basis)
              expect(part.amount).toBe(publisher[SHOWN[column]] * EXPLAIN_SCALE)
              expect(unbalancedNodes(part)).toEqual([])
              // An amount other than 0 has parts; it is never its own only part.
              if (part.amount !== 0n) expect(part.children.length, column).toBeGreaterThan(0)
            }
          }
          const tax = explainPaymentColumn(payment, 'paymentTax', basis)
          expect(tax.amount).toBe(payment.paymentTaxYen * EXPLAIN_SCALE)
          expect(unbalancedNodes(tax)).toEqual([])
          expect(tax.children.every(child => child.id.includes('/tax-'))).toBe(true)
          expect(explainPaymentColumn(payment, 'paymentIncludingTax', basis)).toEqual(explainPayment(payment, basis))
        }
        input = followingMonth(seed + step, input, month)
      }
    }),
    { numRuns: 60 },
  )
})

test('a column is explained by its own branches of the whole, and by no other', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const input = randomMonth(seed)
    for (const payment of settled(input).payments)
      for (const publisher of payment.publishers) {
        const basis = basisOf(input, payment)
        const whole = explainPublisher(payment, publisher, basis)
        expect(explainPublisherColumn(payment, publisher, 'payment', basis)).toEqual(whole)
        const partsOf = (column: (typeof PUBLISHER_COLUMNS)[number]) =>
          explainPublisherColumn(payment, publisher, column, basis).children.map(child =>
            child.id.slice(whole.id.length + 1),
          )
        const jobs = (kind: string) =>
          publisher.poolShares.filter(share => share.kind === kind).map(share => `revenue/pool-${share.jobId}`)
        const allowed = {
          productAdsRevenue: ['revenue/own-ads'],
          sspRevenue: jobs('ssp'),
          videoSSPRevenue: jobs('ssp_video'),
          liveSSPRevenue: jobs('ssp_live'),
          fixedRevenueApplied: ['revenue/fixed-rule', 'revenue/fixed-agreement'],
          minimumTopUpRevenue: ['revenue/topup-rule', 'revenue/topup-agreement'],
          carriedOverRevenue: ['carried'],
        } as const
        for (const [column, names] of Object.entries(allowed))
          for (const part of partsOf(column as keyof typeof allowed)) expect(names, column).toContain(part)
        for (const part of partsOf('manualAdjustmentRevenue')) expect(part).toMatch(/^adjustment-/)
        for (const part of partsOf('revenue')) expect(part).toMatch(/^revenue\/[^/]+$/)
        for (const part of partsOf('cumulativeRevenue')) expect(part).toMatch(/^(carried|revenue|adjustment-[^/]+)$/)
        const label = explainPublisherColumn(payment, publisher, 'sspRevenue', basis).label
        expect(label).toBe(`${nameOf(publisher.publisherId)} のSSP分`)
        const ids = idsOf(explainPublisherColumn(payment, publisher, 'carriedOverToNext', basis))
        expect(ids.includes(`${whole.id}/paid`)).toBe(publisher.paymentYen !== 0n)
      }
  }
})

test('each column has a name, a rule and a source of its own', () => {
  const input = randomMonth(7)
  const payment = settled(input).payments.find(each => each.publishers.length > 1)!
  const basis = basisOf(input, payment)
  const { agreementId } = payment
  const [publisher] = payment.publishers
  const { publisherId } = publisher!
  const wholes = PAYMENT_COLUMNS.map(column => explainPaymentColumn(payment, column, basis))
  const parts = PUBLISHER_COLUMNS.filter(column => column !== 'payment').map(column =>
    explainPublisherColumn(payment, publisher!, column, basis),
  )
  for (const nodes of [wholes, parts]) {
    expect(new Set(nodes.map(node => node.id)).size).toBe(nodes.length)
    expect(new Set(nodes.map(node => node.label)).size).toBe(nodes.length)
    for (const node of nodes) expect(node.formula, node.label).toMatch(/./)
  }
  for (const { label } of wholes.slice(0, -1)) expect(label).toMatch(/^\d{4}年\d{1,2}月分の./)
  for (const { label, source } of parts) {
    expect(label).toMatch(new RegExp(`^${nameOf(publisherId)} の.`))
    expect(source).toEqual({ kind: 'publisher_payment', agreementId, publisherId })
  }
  for (const { source } of wholes.slice(0, PUBLISHER_COLUMNS.length))
    expect(source).toEqual({ kind: 'payment', agreementId })
  const labelOf = (column: (typeof PAYMENT_COLUMNS)[number]) =>
    wholes[PAYMENT_COLUMNS.indexOf(column)]!.label.replace(/^.*月分の/, '')
  expect(labelOf('paymentTax')).toBe('消費税額')
  expect(labelOf('carriedOverToNext')).toBe('次月繰越')
})
