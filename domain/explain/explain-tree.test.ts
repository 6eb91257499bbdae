import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { magnitude } from '../money/yen.ts'
import { addDays, day } from '../month/day.ts'
import { firstDayOf, type YearMonth } from '../month/year-month.ts'
import type { OwnAdsDay } from '../settlement/own-ads.ts'
import { followingMonth, randomMonth, randomSource } from '../settlement/random-month.ts'
import {
  paymentOf,
  sampleAdjustment,
  sampleAgreement,
  sampleMonth,
  sampleRule,
  settled,
} from '../settlement/sample-month.ts'
import type { MonthInput } from '../settlement/settlement-input.ts'
import type { SettledPayment, SettledPublisherPayment } from '../settlement/settlement-result.ts'
import { ROUND_DOWN, settlementRulesOf } from '../settlement/settlement-rules.ts'
import {
  EXPLAIN_SCALE,
  type ExplainNode,
  explainedYen,
  explainRows,
  publisherView,
  unbalancedNodes,
} from './explain-node.ts'
import {
  type ExplainBasis,
  explainDay,
  explainPayment,
  explainPool,
  explainPublisher,
  explainTransfer,
} from './explain-tree.ts'

function splitIntoDays(
  payment: SettledPayment,
  publisher: SettledPublisherPayment,
  seed: number,
): readonly OwnAdsDay[] {
  const random = randomSource(seed)
  let restMicroYen = publisher.ownAdsMicroYen
  const first = firstDayOf(payment.revenueGeneratedAtMonth)
  return Array.from({ length: 28 }, (_, index) => {
    const amountMicroYen = index === 27 ? restMicroYen : (restMicroYen * BigInt(random.below(100))) / 1000n
    restMicroYen -= amountMicroYen
    return { day: addDays(first, index), amountMicroYen }
  })
}
const nameOf = (publisherId: bigint) => `パブリッシャー ${publisherId}`
const randomBasis = (input: MonthInput, payment: SettledPayment, seed: number): ExplainBasis => ({
  rules: settlementRulesOf(input.settings),
  daysOf: publisher => splitIntoDays(payment, publisher, seed),
  nameOf,
})
const isFloored = ({ rules }: ExplainBasis) => rules.ownAdsRounding === ROUND_DOWN
function texts(node: ExplainNode): string[] {
  return [
    node.label,
    node.formula,
    ...node.inputs.flatMap(input => [input.name, input.value]),
    ...node.children.flatMap(texts),
  ]
}
function roundings(node: ExplainNode): ExplainNode[] {
  return [...(node.id.endsWith('/rounding') ? [node] : []), ...node.children.flatMap(roundings)]
}
function find(node: ExplainNode, label: string): ExplainNode | undefined {
  if (node.label === label) return node
  for (const child of node.children) {
    const found = find(child, label)
    if (found) return found
  }
  return undefined
}

describe('explain every yen', () => {
  test('children sum to their parent at every node of random months, for staff and for publishers', () => {
    fc.assert(
      fc.property(fc.integer(), seed => {
        let input: ReturnType<typeof followingMonth> = randomMonth(seed)
        for (let step = 1; input && step <= 3; step += 1) {
          const month = settled(input)
          for (const payment of month.payments) {
            const basis = randomBasis(input, payment, seed)
            const tree = explainPayment(payment, basis)
            expect(tree.amount).toBe(payment.paymentIncludingTaxYen * EXPLAIN_SCALE)
            expect(unbalancedNodes(tree)).toEqual([])
            expect(unbalancedNodes(publisherView(tree, true))).toEqual([])
            // Rounding is less than a yen, so that no wrong part can hide in it.
            for (const { amount, id } of roundings(tree)) {
              // A return is given back. How own ads are rounded depends on the month's rules.
              const isCutOff = id.includes('/pool-') || (id.includes('/own-ads') && isFloored(basis))
              expect(amount === 0n || (amount > 0n && isCutOff), id).toBe(false)
              expect(magnitude(amount), id).toBeLessThan(EXPLAIN_SCALE)
            }
          }
          for (const pool of month.pools) {
            const tree = explainPool(pool, month, nameOf)
            expect(tree.amount).toBe(pool.poolYen * EXPLAIN_SCALE)
            expect(unbalancedNodes(tree)).toEqual([])
            expect(publisherView(tree, true).children).toEqual([])
          }
          input = followingMonth(seed + step, input, month)
        }
      }),
      { numRuns: 300 },
    )
  })

  const share = { ownAdsRateUnits: 5000, sspRateUnits: 4000, isTargetForSspAllocation: true }
  const input = sampleMonth(202606, {
    agreements: [sampleAgreement(1n, [sampleRule(101n, 0n, { ownAdsMicroYen: 44_567_900_022n, share })])],
    poolJobs: [
      {
        jobId: 1n,
        kind: 'ssp',
        method: 'payment',
        poolYen: 100_001n,
        weights: [{ agreementId: 1n, publisherId: 101n, weight: 7n }],
      },
    ],
  })
  const payment = paymentOf(settled(input), 1n)
  const days = [12_345_678_901n, 23_456_789_012n, 8_765_432_109n].map((amountMicroYen, index) => ({
    day: day(`2026-06-0${index + 1}`),
    amountMicroYen,
  }))
  const basis = { rules: settlementRulesOf(input.settings), daysOf: () => days, nameOf }
  const tree = explainPayment(payment, basis)

  test('E1: the rounding of the month is a line of its own', () => {
    const ownAds = find(tree, '自社広告分')!
    expect(ownAds.children.map(child => [child.label, explainedYen(child)])).toEqual([
      ['6月1日', '6,172.8394505'],
      ['6月2日', '11,728.394506'],
      ['6月3日', '4,382.7160545'],
      ['端数（切捨て）', '-0.950011'],
    ])
    expect(explainedYen(ownAds)).toBe('22,283')
  })

  test('own ads are rounded as the rules of the month call it, pools and tax are cut off', () => {
    const rounding = {
      word: '切上げ',
      divide: (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor,
    }
    const other = explainPayment(payment, { ...basis, rules: { ownAdsRounding: rounding } })
    expect(find(other, '自社広告分')!.formula).toBe('広告収益 × 支払率 を月に1回切上げ')
    expect(roundings(other).map(({ label, formula }) => [label, formula])).toEqual([
      ['端数（切上げ）', '円未満を切上げ'],
      ['端数（切捨て）', '円未満を切捨て'],
      ['端数（切捨て）', '円未満を切捨て'],
    ])
  })

  test('an agreement that has ended earns nothing of its days, not even less than a yen', () => {
    const rule = sampleRule(101n, 0n, { ownAdsMicroYen: 900_000n, share })
    const carried = [{ generatedMonth: 202605 as YearMonth, amountYen: 1n }]
    const ended = { terminatedOn: day('2026-05-31') }
    const over = settled(sampleMonth(202606, { agreements: [sampleAgreement(1n, [{ ...rule, carried }], ended)] }))
    const daysOf = () => [{ day: day('2026-06-01'), amountMicroYen: 900_000n }]
    const ownAds = find(explainPayment(paymentOf(over, 1n), { ...basis, daysOf }), '自社広告分')
    expect(ownAds).toMatchObject({ amount: 0n, children: [] })
  })

  test('a publisher sees neither gross nor pool nor margin; rates only with the right to read them', () => {
    const seen = texts(publisherView(tree, true)).join('|')
    for (const hidden of ['44,567.900022', '100,001', '100001', '分配前', '配分額（', '重み', '留保', '比例配分'])
      expect(seen).not.toContain(hidden)
    expect(seen).toContain('50.0%')
    const withoutRates = texts(publisherView(tree, false)).join('|')
    expect(withoutRates).not.toContain('50.0%')
    expect(withoutRates).not.toContain('40.0%')
    expect(texts(tree).join('|')).toContain('44,567.900022')
  })

  test('the tax of a rate names its months, and which of them are given back', () => {
    const carried = [{ generatedMonth: 201909 as YearMonth, amountYen: -33n }]
    const adjustments = [sampleAdjustment(1n, 101n, -25_001n, { originMonth: 202608 as YearMonth })]
    const agreements = [sampleAgreement(1n, [sampleRule(101n, 100_000n, { carried })])]
    const paid = paymentOf(settled(sampleMonth(202610, { agreements, adjustments })), 1n)
    const paidDays = [{ day: day('2026-10-01'), amountMicroYen: 100_000_000_000n }]
    const rows = explainRows(explainPayment(paid, { ...basis, daysOf: () => paidDays })).filter(
      row => row[3]?.includes('%') || row[1] === '端数（切捨て）',
    )
    expect(rows.slice(-6)).toEqual([
      ['1', '消費税（10%）', '7,499', '74,999 × 10% を切捨て（税率ごとに1回）'],
      ['2', '2026年8月分の返還', '-2,500.1', '-25,001 × 10%'],
      ['2', '2026年10月分', '10,000', '100,000 × 10%'],
      ['2', '端数（切捨て）', '-0.9', '円未満を切捨て'],
      ['1', '消費税（8%・返還）', '-2', '-33 × 8% を切捨て（税率ごとに1回）'],
      // For one month alone the rounding is that of the rate.
      ['2', '端数（切捨て）', '0.64', '円未満を切捨て'],
    ])
  })

  test('a transfer is its payments less what is taken off', () => {
    const transfer = {
      bankAccountId: 1n,
      dueOn: day('2026-07-31'),
      feePaidBy: 'publisher' as const,
      payeeKind: 'individual' as const,
      ...{ payeeResidence: 'resident' as const, nonResidentRate: null, hasTreatyForm: false },
      paymentYen: payment.paymentYen,
      paymentIncludingTaxYen: payment.paymentIncludingTaxYen,
      withholdingYen: 6_359n,
      feeYen: 660n,
      feeBorneByPayeeYen: 660n,
      transferAmountYen: payment.paymentIncludingTaxYen - 7_019n,
      parts: [],
    }
    const node = explainTransfer(transfer, day('2026-12-31'), [tree])
    expect(unbalancedNodes(node)).toEqual([])
    expect(node.children.map(child => child.label)).toEqual([
      '2026年6月分の支払額（税込）',
      '源泉徴収税額',
      '振込手数料',
    ])
    const withheldOn = (on: string) => explainTransfer(transfer, day(on), [tree]).children[1]
    expect(withheldOn('2026-12-31')).toMatchObject({
      formula: expect.stringContaining('復興特別所得税（所得税額の2.1%）'),
    })
    expect(withheldOn('2027-01-01')).toMatchObject({
      formula: expect.stringContaining('防衛特別所得税（所得税額の1%）'),
    })
    const abroad = { payeeResidence: 'non_resident' as const, nonResidentRate: 2042, hasTreatyForm: false }
    const formulaOf = (decided: Partial<typeof abroad>) =>
      explainTransfer({ ...transfer, ...abroad, ...decided }, day('2026-12-31'), [tree]).children[1]?.formula
    expect(formulaOf({})).toBe(
      '非居住者・外国法人：報酬額（税抜）の全額 × 20.42%。所得税、復興特別所得税（所得税額の2.1%）',
    )
    expect(formulaOf({ nonResidentRate: 1000, hasTreatyForm: true })).toBe(
      '非居住者・外国法人：報酬額（税抜）の全額 × 10%（租税条約に関する届出書）。所得税',
    )
  })

  test('a day is its largest articles and the rest', () => {
    const contents = [1n, 2n, 3n].map(contentId => ({
      kind: 'article' as const,
      contentId,
      title: `記事${contentId}`,
      amountMicroYen: contentId * 1_000_000_001n,
    }))
    const node = explainDay(101n, days[0]!, contents, 5000, 2)
    expect(unbalancedNodes(node)).toEqual([])
    expect(node.children.map(child => child.label)).toEqual(['記事3', '記事2', 'その他'])
    expect(node.amount).toBe(find(tree, '6月1日')!.amount)
  })

  test('the tree as rows', () => {
    const rows = explainRows(tree)
    expect(rows.slice(0, 4).map(row => row.slice(0, 3))).toEqual([
      ['0', '2026年6月分の支払額（税込）', '68,511'],
      ['1', 'パブリッシャー 101 の支払額', '62,283'],
      ['2', '収益', '62,283'],
      ['3', '自社広告分', '22,283'],
    ])
  })

  test('days that do not add up, and unbalanced trees, are noticed', () => {
    expect(() => explainPublisher(payment, payment.publishers[0]!, { ...basis, daysOf: () => days.slice(1) })).toThrow(
      RangeError,
    )
    expect(unbalancedNodes({ ...tree, amount: tree.amount + 1n })).toHaveLength(1)
  })
})

describe('what a reader sees of a part', () => {
  const nodesOf = (node: ExplainNode): ExplainNode[] => [node, ...node.children.flatMap(nodesOf)]

  test('an adjustment says whether it is one, a correction of a month or a balance given up', () => {
    const seen = new Set<string>()
    for (let seed = 1; seed <= 120; seed += 1) {
      const input = randomMonth(seed)
      for (const payment of settled(input).payments)
        for (const publisher of payment.publishers) {
          const tree = explainPublisher(payment, publisher, randomBasis(input, payment, seed))
          const at = new Map(nodesOf(tree).map(node => [node.id, node]))
          for (const row of publisher.adjustments) {
            const node = at.get(`${tree.id}/adjustment-${row.jobId}-${row.line}`)
            expect(node?.label).toBe(row.method === 'discard' ? '残高の破棄' : '調整額')
            expect(node?.inputs.map(input => input.name)).toEqual(row.method === 'discard' ? ['指定額'] : [])
            expect(node?.formula).toMatch(row.originMonth === null ? /^調整データの行$/ : /^\d+年\d+月分の訂正$/)
            seen.add(`${row.method === 'discard'} ${row.originMonth === null}`)
          }
          // A pool with given lines ends there; a divided one can be opened down to the rounding.
          for (const share of publisher.poolShares.filter(each => each.bookedYen !== 0n)) {
            const node = at.get(`${tree.id}/revenue/pool-${share.jobId}`)
            expect(node?.children.length === 0).toBe(share.method !== 'payment')
          }
        }
    }
    expect([...seen].some(each => each.startsWith('true'))).toBe(true)
    expect([...seen].some(each => each.startsWith('false'))).toBe(true)
  })

  test('of a day the largest come first, of equal ones the older, each by its kind', () => {
    const content = (contentId: bigint, amountMicroYen: bigint, kind: 'article' | 'video' = 'article') => ({
      ...{ kind, contentId, title: `${contentId}`, amountMicroYen },
    })
    const given = [content(9n, 5n), content(2n, 5n), content(5n, 5n), content(7n, 8n, 'video'), content(1n, 1n)]
    for (const contents of [given, given.toReversed()]) {
      const tree = explainDay(3n, { day: day('2026-06-01'), amountMicroYen: 30n }, contents, 5000, 4)
      const shown = tree.children.slice(0, 4)
      expect(shown.map(node => node.label)).toEqual(['7', '2', '5', '9'])
      expect(shown.map(node => node.formula.slice(0, 2))).toEqual(['動画', '記事', '記事', '記事'])
      expect(unbalancedNodes(tree)).toEqual([])
    }
  })
})
