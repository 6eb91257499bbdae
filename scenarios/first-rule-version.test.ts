import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { recomputationViolations } from '@pc/domain/payment/books-invariants.ts'
import { canonicalText, parseCanonicalText } from '@pc/domain/payment/canonical-text.ts'
import { lateDifferences } from '@pc/domain/settlement/late-difference.ts'
import { ruleKeyText } from '@pc/domain/settlement/rule-map.ts'
import { sampleAdjustment, sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { settleMonth } from '@pc/domain/settlement/settle-month.ts'
import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import { settlementViolations } from '@pc/domain/settlement/settlement-invariants.ts'
import type { SettledMonth } from '@pc/domain/settlement/settlement-result.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { readStoredMonth } from '@pc/features/payments/core/server/stored-month.ts'
import { verifyMediumChain } from '@pc/features/payments/month-close/server/finalized-chain.ts'
import { monthViolations } from '@pc/features/payments/month-close/server/month-invariants.ts'
import { previewReport } from '@pc/features/payments/month-close/server/preview-report.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import {
  bookManualOperations,
  holdRulesFrom,
  settlementBooks,
  writeAgreements,
  writeOwnAds,
} from '@pc/testing/books/settlement-books.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { expect, test } from 'vitest'

/** What the first version of the rules settled stays unchanged: in its bytes, in the books and in the hash chain. */

interface Frozen {
  readonly input: MonthInput
  readonly settled: SettledMonth
}

/** Written by the program when it had one version: months with returns, several rates and deductions. */
async function frozenMonths(): Promise<readonly Frozen[]> {
  const text = await readFile(path.join(import.meta.dirname, 'golden/first-rule-version.jsonl'), 'utf8')
  return text
    .trim()
    .split('\n')
    .map(line => parseCanonicalText(line) as Frozen)
}

test('months frozen before returns had lines of their own give the same bytes, and pass every check', async () => {
  const months = await frozenMonths()
  expect(months).toHaveLength(5)
  for (const { input, settled } of months) {
    const again = settleMonth(input)
    expect(again.ok && canonicalText(again.value)).toBe(canonicalText(settled))
    expect(recomputationViolations(input, settled)).toEqual([])
    expect(settlementViolations(settled, input, null)).toEqual([])
    // Late figures are compared with the month's version: the same figures change nothing.
    const figures = input.agreements.flatMap(({ agreementId, rules }) =>
      rules.map(rule => [ruleKeyText({ ...rule, agreementId }), rule.ownAdsMicroYen] as const),
    )
    expect(lateDifferences({ input, settled }, new Map(figures), new Map())).toEqual({ ok: true, value: [] })
    // The other version would have settled them differently, which the checks detect.
    const other = settleMonth({ ...input, settings: { ...input.settings, rules: 'returns_per_rate' } })
    expect(other.ok && canonicalText(other.value)).not.toBe(canonicalText(settled))
    expect(other.ok && settlementViolations(other.value, input, null)).not.toEqual([])
  }
})

test('a closed month keeps its version, the next one pays what it carried by the new one', async () => {
  const [tested, stats] = [await testDatabase(), await openTestDuckDb()]
  try {
    const { database } = tested
    const books = await settlementBooks(database, stats.store)
    const months = [202609, 202610].map(month =>
      sampleMonth(month, {
        agreements: [sampleAgreement(1n, [sampleRule(11n, 100_000n)]), sampleAgreement(2n, [sampleRule(21n, 10_000n)])],
        adjustments:
          month === 202609
            ? [sampleAdjustment(2n, 21n, -40_000n)]
            : [sampleAdjustment(1n, 11n, -25_000n, { originMonth: 202609 as MonthInput['month'] })],
      }),
    )
    const [september, october] = months.map(({ mediumId, month }) => ({ mediumId, month }))
    await database.inScope(SYSTEM, async tx => {
      await writeAgreements(tx, [months[0]!])
      await holdRulesFrom(tx, 202610)
    })
    await writeOwnAds(stats.store, months, 1n)
    const parts = { database, stats: stats.store }
    const settle = async (index: number) => {
      const { mediumId, month } = months[index]!
      await bookManualOperations(books, months[index]!)
      expect(await computeMonth(books.payments, { mediumId, month })).toMatchObject({ ok: true })
      expect(await closeMonth(books, { mediumId, month }, books.userUid)).toMatchObject({ ok: true })
    }
    const read = () => database.inScope(SYSTEM, tx => readStoredMonth(tx, september!))

    await settle(0)
    const before = await read()
    expect(before!.input.settings).not.toHaveProperty('rules')
    expect(JSON.parse(before!.state.head!).settings).toEqual({ payoutThresholdYen: '1n', businessDayShift: 'previous' })

    await settle(1)
    const stored = await database.inScope(SYSTEM, tx => readStoredMonth(tx, october!))
    expect(stored!.input.settings.rules).toBe('returns_per_rate')
    const monthsPaid = stored!.settled.payments[0]!.paidBuckets.map(each => [
      each.generatedMonth,
      each.amountYen,
      each.deductibleTaxYen,
    ])
    expect(monthsPaid).toEqual([
      [202609, -25_000n, -2_000n],
      [202610, 100_000n, 7_000n],
    ])

    expect(await database.inScope(SYSTEM, tx => verifyMediumChain(tx, 1n))).toEqual([])
    for (const key of [september!, october!]) expect(await monthViolations(parts, key)).toEqual([])
    expect(canonicalText((await read())!.settled)).toBe(canonicalText(before!.settled))
    const report = await previewReport(parts, september!.month)
    expect(report).toContain('  保存された計算と同じです。')
  } finally {
    await stats.drop()
    await tested.drop()
  }
})
