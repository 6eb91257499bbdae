import { day } from '@pc/domain/month/day.ts'
import { addMonths, type YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { today } from '@pc/platform/clock.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { settlementBooks, writeAgreements, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeMonth } from '../../core/server/compute-month.ts'
import { accountsFinding } from './accounts-finding.ts'
import { findSubjectHash } from './acknowledgeable-findings.ts'
import { acknowledgeCheck, subjectHash } from './acknowledgements.ts'
import { amountsFinding } from './amounts-finding.ts'
import { monthCloseBoard } from './close-board.ts'
import type { CheckKind } from './close-checks.ts'
import { lawFinding } from './law-finding.ts'
import { registrationFinding } from './registration-finding.ts'

/** A month in which much is unusual: what is acknowledged is what was shown, all of it, and nothing else. */
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
const OPEN = addMonths(FIRST, 3)
const key = { mediumId: 1n, month: OPEN }
const earning = (yen: readonly bigint[]) =>
  yen.map((each, at) =>
    sampleAgreement(BigInt(at + 1), [sampleRule(BigInt(at + 1) * 100n + 1n, each)], {
      organizationId: BigInt(at + 1),
    }),
  )
let batchNo = 0n
async function compute(month: YearMonth, ...yen: bigint[]) {
  batchNo += 1n
  await writeOwnAds(stats.store, [sampleMonth(month, { agreements: earning(yen) })], batchNo)
  expect(await computeMonth(payments, { mediumId: 1n, month })).toMatchObject({ ok: true })
}
const checkOf = async (kind: CheckKind) => {
  const board = await monthCloseBoard({ ...payments, statementReasons: async () => [] }, OPEN, userUid)
  return board[0]!.checks.find(check => check.kind === kind)!
}
async function acknowledge(checkKind: CheckKind, subjectSha256: string) {
  const found = await findSubjectHash(database, key, checkKind, today(payments.clock))
  const check = { ...key, checkKind, label: checkKind, subjectSha256, reason: '特集があった' }
  return database.inScope(SYSTEM, tx =>
    acknowledgeCheck(tx, { clock: payments.clock, actorUid: userUid }, check, found),
  )
}
/** Changes as a recomputation would make them, taken back afterwards. */
const undone = async (work: (tx: Transaction) => Promise<void>) => {
  const undo = new Error('undo')
  await expect(
    database.inScope(SYSTEM, async tx => {
      await work(tx)
      throw undo
    }),
  ).rejects.toBe(undo)
}

beforeAll(async () => {
  await database.inScope(SYSTEM, tx => writeAgreements(tx, [{ mediumId: 1n, agreements: earning([1n, 1n, 1n, 1n]) }]))
  for (let at = 0; at < 3; at += 1) {
    const month = addMonths(FIRST, at)
    await compute(month, 500_000n, 2_000_000n, 200_000n, 200_000n)
    expect(await closeMonth(books, { mediumId: 1n, month }, userUid)).toMatchObject({ ok: true })
  }
  await compute(OPEN, 6_000_000n, 1n, 200_000n, 200_000n)
  // Derived columns are not kept in step below.
  await withClient(tested.adminUrl, async client => {
    for (const table of ['monthly_payments', 'monthly_paid_buckets', 'bank_accounts', 'agreements']) {
      await client.query(`alter table ${table} disable trigger user`)
      const { rows } = await client.query<{ name: string }>(
        "select conname as name from pg_constraint where contype = 'c' and conrelid = $1::regclass",
        [table],
      )
      for (const { name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
    }
  })
})

test('the total and the payees are named together, and acknowledged together', async () => {
  const odd = await checkOf('amounts')
  expect(odd.detail).toMatch(/^媒体の収益の合計.+収益がいつもの額と大きく異なる契約が2件あります/)
  await undone(async tx => {
    const before = await amountsFinding(tx, key)
    // The same total, all of it to another payee.
    await sql`update monthly_payments set revenue_yen = case agreement_id when 1 then 1 else 6000000 end
      where month = ${OPEN} and agreement_id in (1, 2)`.execute(tx)
    expect((await amountsFinding(tx, key)).subject).not.toBe(before.subject)
  })
})

test('a payment that is far from the usual one is named beside what was earned', async () => {
  await undone(async tx => {
    const before = await amountsFinding(tx, key)
    await sql`update monthly_payments set payment_yen = payment_yen + 900000000
      where month = ${OPEN} and agreement_id = 3`.execute(tx)
    const after = await amountsFinding(tx, key)
    expect(after.detail).toContain('支払額がいつもの額と大きく異なる契約が1件あります')
    expect(after.detail).toContain('900,200,000円、いつもは200,000円')
    expect(after.detail).toContain('媒体の支払額の合計')
    expect(after.subject).not.toBe(before.subject)
  })
})

test('only what the board shows can be acknowledged', async () => {
  const outdated = { ok: false, refusals: [{ code: 'payment/acknowledgement-outdated' }] }
  expect(await acknowledge('invariants', 'a'.repeat(64))).toMatchObject(outdated)
  expect(await acknowledge('amounts', subjectHash('amounts', 'total earned\n1 1 1'))).toMatchObject(outdated)
  const { subjectSha256 } = await checkOf('amounts')
  expect(await acknowledge('pools', subjectSha256!)).toMatchObject(outdated)
  expect(await acknowledge('amounts', subjectSha256!)).toMatchObject({ ok: true })
  expect(await checkOf('amounts')).toMatchObject({ state: 'green' })
})

test('a second account of several payees needs a new acknowledgement', async () => {
  await undone(async tx => {
    const number = (account: bigint, value: string) =>
      sql`update bank_accounts set number = ${value} where id = ${account}`.execute(tx)
    for (const [account, value] of [
      [9001n, '1111111'],
      [9002n, '1111111'],
      [9003n, '2222222'],
      [9004n, '3333333'],
    ] as const)
      await number(account, value)
    const before = await accountsFinding(tx, key)
    expect(before.detail).toContain('同じ口座')
    await number(9004n, '2222222')
    const after = await accountsFinding(tx, key)
    expect(after.subject, 'two more payees have one account').not.toBe(before.subject)
  })
})
test('an acknowledged account of several payees does not hide a holder that no file can hold', async () => {
  await undone(async tx => {
    const before = await accountsFinding(tx, key)
    expect(before.detail).toContain('同じ口座')
    await sql`update bank_accounts set holder = 'ｶ@ﾄﾘﾋｷ' where id = 9003`.execute(tx)
    const after = await accountsFinding(tx, key)
    expect(after.subject, 'nothing excuses it').toBeUndefined()
    expect(after.detail).toMatch(/同じ口座.+使えない文字/)
  })
})
test('nor a transfer that no file holds', async () => {
  await undone(async tx => {
    const before = await accountsFinding(tx, key)
    await sql`update monthly_payments set payment_tax_yen = 1000000000000 - payment_yen, payment_including_tax_yen = 1000000000000
      where month = ${OPEN} and agreement_id = 3`.execute(tx)
    const after = await accountsFinding(tx, key)
    expect(after.subject).not.toBe(before.subject)
    expect(after.detail).toMatch(/同じ口座.+上限/)
  })
})

test('a reduction that grows needs a new acknowledgement', async () => {
  await undone(async tx => {
    await sql`update agreements set freelance_coverage = 'covered' where id = 3`.execute(tx)
    const reduce = (yen: bigint) =>
      sql`update monthly_payments set manual_adjustment_revenue_yen = ${yen} where month = ${OPEN} and agreement_id = 3`.execute(
        tx,
      )
    await reduce(-100n)
    const before = await lawFinding(tx, key, day('2026-07-05'))
    expect(before.subject).toBeDefined()
    await reduce(-150_000n)
    expect((await lawFinding(tx, key, day('2026-07-05'))).subject).not.toBe(before.subject)
  })
})

test('a payee whose tax treatment nobody has decided needs an acknowledgement, beside what the law says', async () => {
  await undone(async tx => {
    const found = () => lawFinding(tx, key, day('2026-07-05'))
    expect(await found()).toMatchObject({ state: 'green' })
    await sql`update agreements set tax_treatment_confirmed_at = null where id = 3`.execute(tx)
    const one = await found()
    expect(one).toMatchObject({ state: 'amber', link: '/managements/agreements/edit/3' })
    expect(one.detail).toContain('税区分（法人・個人、居住地、適格請求書発行事業者の登録）が未確認の契約が1件')
    expect(one.subject).toBe('unconfirmed\n3')
    // Nothing to pay is nothing to ask.
    await sql`update monthly_payments set payment_yen = 0, payment_tax_yen = 0, payment_including_tax_yen = 0
      where agreement_id = 3 and month = ${OPEN}`.execute(tx)
    expect(await found()).toMatchObject({ state: 'green' })
    await sql`update agreements set tax_treatment_confirmed_at = null`.execute(tx)
    const others = await found()
    expect(others.subject).toMatch(/^unconfirmed\n/)
    expect(others.subject, 'another one').not.toBe(one.subject)
    await sql`update agreements set freelance_coverage = 'covered' where id = 2`.execute(tx)
    await sql`update monthly_payments set fee_paid_by = 'publisher' where month = ${OPEN} and agreement_id = 2`.execute(
      tx,
    )
    const red = await found()
    expect(red).toMatchObject({ state: 'red' })
    expect(red.subject).toBeUndefined()
    expect(red.detail).toContain('未確認の契約')
  })
})

test('a holder longer than 30 bytes is named', async () => {
  await undone(async tx => {
    for (let id = 9001n; id <= 9004n; id += 1n)
      await sql`update bank_accounts set number = ${`${1000000n + id}`} where id = ${id}`.execute(tx)
    expect(await accountsFinding(tx, key)).toMatchObject({ state: 'green' })
    await sql`update bank_accounts set holder = ${'ｶ'.repeat(31)} where id = 9003`.execute(tx)
    expect(await accountsFinding(tx, key)).toMatchObject({ state: 'amber' })
  })
})

test('the yearly limit counts months of the tax period, whenever and in whatever medium they are paid', async () => {
  await undone(async tx => {
    await sql`insert into media (id, name) overriding system value values (2, 'm2')`.execute(tx)
    const isAbove = async () => (await registrationFinding(tx, key, [])).detail.includes('上限')
    await sql`update monthly_paid_buckets b set is_qualified = false, amount_yen = 600000000 - tax_yen
      from monthly_payments p where p.id = b.monthly_payment_id and p.agreement_id = 3
        and p.month in (${addMonths(OPEN, -1)}, ${OPEN})`.execute(tx)
    expect(await isAbove(), 'earlier final months').toBe(true)
    await sql`update monthly_payments set month = ${addMonths(OPEN, 1)}, medium_id = 2
      where agreement_id = 3 and month = ${addMonths(OPEN, -1)}`.execute(tx)
    expect(await isAbove(), 'later ones of another medium').toBe(true)
    await sql`update monthly_paid_buckets set generated_month = 202512 where month = ${addMonths(OPEN, -1)}`.execute(tx)
    expect(await isAbove(), 'of the period before').toBe(false)
  })
})

test('an unlawful draft cannot be turned green by an acknowledgement', async () => {
  await undone(async tx => {
    await sql`update agreements set freelance_coverage = 'covered' where id = 3`.execute(tx)
    await sql`update monthly_payments set fee_paid_by = 'publisher' where month = ${OPEN} and agreement_id = 3`.execute(
      tx,
    )
    const found = await lawFinding(tx, key, day('2026-07-05'))
    expect(found.state).toBe('red')
    expect(found.subject).toBeUndefined()
  })
})
test('a payee above the yearly limit does not hide a number that is not valid any more', async () => {
  await undone(async tx => {
    await sql`update monthly_paid_buckets set is_qualified = false, amount_yen = 2000000000 where month = ${OPEN}`.execute(
      tx,
    )
    const claim = { agreementId: 2n, number: 'T7123456789012', isRegistered: false }
    expect((await registrationFinding(tx, key, [claim as never])).detail).toContain('登録が有効でない')
  })
})
