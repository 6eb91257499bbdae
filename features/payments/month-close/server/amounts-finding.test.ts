import { addMonths, type YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { today } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { settlementBooks, writeAgreements, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, expect, test } from 'vitest'
import { computeMonth } from '../../core/server/compute-month.ts'
import { findSubjectHash } from './acknowledgeable-findings.ts'
import { acknowledgeCheck } from './acknowledgements.ts'
import { type BoardCheck, monthCloseBoard } from './close-board.ts'
import type { CheckKind } from './close-checks.ts'

/** Months of two agreements: closed ones in which little changes, and then one in which something does. */
const tested = await testDatabase()
const stats = await openTestDuckDb()
const { database } = tested
const books = await settlementBooks(database, stats.store)
const { payments, userUid } = books
afterAll(async () => {
  await stats.drop()
  await tested.drop()
})

const FIRST = 202603 as YearMonth
const earning = (small: bigint, large: bigint) => [
  sampleAgreement(1n, [sampleRule(101n, small)]),
  sampleAgreement(2n, [sampleRule(201n, large)], { organizationId: 2n }),
]
let batchNo = 0n
async function compute(month: YearMonth, small: bigint, large: bigint): Promise<void> {
  batchNo += 1n
  await writeOwnAds(stats.store, [sampleMonth(month, { agreements: earning(small, large) })], batchNo)
  expect(await computeMonth(payments, { mediumId: 1n, month })).toMatchObject({ ok: true })
}
async function checkOf(month: YearMonth, kind: CheckKind): Promise<BoardCheck> {
  const board = await monthCloseBoard({ ...payments, statementReasons: async () => [] }, month, userUid)
  return board[0]!.checks.find(check => check.kind === kind)!
}
const amountsOf = (month: YearMonth) => checkOf(month, 'amounts')
async function acknowledge(month: YearMonth, subjectSha256: string | null, reason: string) {
  const found = await findSubjectHash(database, { mediumId: 1n, month }, 'amounts', today(payments.clock))
  return database.inScope(SYSTEM, tx =>
    acknowledgeCheck(
      tx,
      { clock: payments.clock, actorUid: userUid },
      {
        ...{ mediumId: 1n, month, checkKind: 'amounts', label: '金額の変動' },
        ...{ subjectSha256: subjectSha256 ?? '', reason },
      },
      found,
    ),
  )
}

test('what is far from its usual amount is said until somebody knows why', async () => {
  await database.inScope(SYSTEM, tx => writeAgreements(tx, [{ mediumId: 1n, agreements: earning(1n, 1n) }]))
  for (const [at, large] of [2_000_000n, 2_600_000n, 1_500_000n].entries()) {
    const month = addMonths(FIRST, at)
    await compute(month, 500_000n, large)
    expect(await amountsOf(month)).toMatchObject({ state: 'green', detail: '比べられる月がまだありません。' })
    expect(await checkOf(month, 'previous_month')).toMatchObject({
      ...{ state: 'green', detail: at === 0 ? '最初に締める月です。' : '前月は確定しています。' },
    })
    expect(await closeMonth(books, { mediumId: 1n, month }, userUid)).toMatchObject({ ok: true })
  }

  const month = addMonths(FIRST, 3)
  await compute(month, 1_500_000n, 2_000_000n)
  expect(await amountsOf(month)).toMatchObject({
    state: 'green',
    detail: 'いつもの額の範囲です。',
    subjectSha256: null,
  })

  await compute(month, 500_001n, 1n)
  const odd = await amountsOf(month)
  expect(odd).toMatchObject({
    state: 'amber',
    detail: expect.stringMatching(
      /^収益がいつもの額と大きく異なる契約が1件あります（.+：2,000,001円、いつもは500,000円）。基準は、過去6か月の中央値の3倍を超えるか3分の1を下回り、差が100,000円以上です。/,
    ),
    link: '/histories/payments-by-agreement/month=2026-06&mediumId=1',
    acknowledgements: [],
  })

  expect(await acknowledge(month, odd.subjectSha256, ' ')).toMatchObject({ ok: false })
  expect(await acknowledge(month, 'nonsense', '特集があった')).toMatchObject({ ok: false })
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => acknowledge(month, odd.subjectSha256, '特集があった')),
  )
  expect(answers.filter(answer => answer.ok && answer.value)).toHaveLength(1)
  expect(await amountsOf(month)).toMatchObject({ state: 'green', acknowledgements: [{ reason: '特集があった' }] })
  const log = await database.inScope(SYSTEM, tx =>
    tx.selectFrom('monthCloseLog').select('detail').where('action', '=', 'acknowledged').execute(),
  )
  expect(log).toEqual([{ detail: '「金額の変動」を確認済みにしました。理由：特集があった' }])

  // More came: nobody has looked at that.
  await compute(month, 100_000n, 1n)
  expect(await amountsOf(month)).toMatchObject({ state: 'amber', acknowledgements: [] })

  // A total of twice the usual one goes before its agreements.
  await compute(month, 1n, 4_000_000n)
  const total = await amountsOf(month)
  expect(total).toMatchObject({
    state: 'amber',
    detail: expect.stringMatching(
      /^媒体の収益の合計（.+円）が、いつもの額（2,500,000円）と大きく異なります（過去6か月の中央値の2倍を/,
    ),
  })
  expect(await closeMonth(books, { mediumId: 1n, month }, userUid), 'it does not stop the close').toMatchObject({
    ok: true,
  })
  expect(await acknowledge(month, total.subjectSha256, '遅い'), 'it is final').toMatchObject({
    ok: false,
    refusals: [{ code: 'payment/acknowledgement-outdated' }],
  })
  expect(await amountsOf(month), 'who accepted what stays to be read').toMatchObject({
    state: 'green',
    detail: '確定済みです。',
    subjectSha256: null,
    acknowledgements: [
      { reason: '特集があった', byEmail: 'keiri@example.jp', at: new Date('2028-01-10T12:00:00+09:00') },
    ],
  })
  expect(await checkOf(month, 'pools')).toMatchObject({ acknowledgements: [] })
})

test('what is paid is compared as well: a balance of the system before is no revenue of the month', async () => {
  const month = addMonths(FIRST, 4)
  const newcomer = sampleAgreement(3n, [sampleRule(301n, 0n)], { organizationId: 3n })
  await database.inScope(SYSTEM, tx => writeAgreements(tx, [{ mediumId: 1n, agreements: [newcomer] }]))
  await compute(month, 500_000n, 2_000_000n)
  expect(await amountsOf(month)).toMatchObject({ state: 'green' })
  const balance = {
    ...{ agreementId: 3n, publisherId: newcomer.rules[0]!.publisherId, originMonth: addMonths(FIRST, -1) },
    ...{ bookedMonth: month, amountYen: 900_000_000n, isQualified: false },
  }
  await database.inScope(SYSTEM, tx => tx.insertInto('openingBalances').values(balance).execute())
  expect(await computeMonth(payments, { mediumId: 1n, month })).toMatchObject({ ok: true })
  expect(await amountsOf(month)).toMatchObject({
    state: 'amber',
    detail: expect.stringMatching(
      /^媒体の支払額の合計（9\d\d,\d{3},\d{3}円）が、いつもの額（.+円）と大きく異なります（過去6か月の中央値の2倍を/,
    ),
  })
})
