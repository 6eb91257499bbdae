import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import { addMonths, type YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { saveOpeningBalances } from '@pc/features/agreements/server/save-opening-balances.ts'
import { PAYOUT_COLUMNS } from '@pc/features/payment-settings/server/payment-setting-store.ts'
import {
  removeDatedLine,
  type SettingWrite,
  savePayoutSetting,
} from '@pc/features/payment-settings/server/save-payment-setting.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { createManualOperation } from '@pc/features/payments/manual-operations/server/create-manual-operation.ts'
import type { ManualOperationInput } from '@pc/features/payments/manual-operations/server/manual-operation-entry.ts'
import { runManualOperation } from '@pc/features/payments/manual-operations/server/run-manual-operation.ts'
import { monthCloseBoard } from '@pc/features/payments/month-close/server/close-board.ts'
import { type Change, recordChange } from '@pc/platform/audit/record-change.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import { writeAgreements, writeOwnAds, writeSettings } from '@pc/testing/books/settlement-books.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { accepted } from './transfer-fixture.ts'

/** A person who changed the data behind a month has prepared it and cannot close it alone. */
const { stats, books, inBooks } = await openBooks()
const { payments, userUid } = books
const SEP = 202609 as YearMonth
const note = (tx: Transaction, ...changes: Change[]) =>
  recordChange(tx, { uid: userUid, actingAsUid: null, sourceAddress: '::1', requestId: 'test' }, ...changes)
/** Runs work as that person's mutation would; records are written last. */
const refusedChange = new Error('refused')
async function asUser<T extends { readonly ok: boolean }>(work: (write: SettingWrite) => Promise<T>): Promise<T> {
  let done: T | undefined
  await inBooks(async tx => {
    const changes: Change[] = []
    const write = {
      tx,
      record: (change: Change) => changes.push(change),
      recordNothing() {},
      permit: { viewer: { uid: userUid } },
    }
    done = await work(write as never)
    if (!done.ok) throw refusedChange
    await note(tx, ...changes)
  }).catch((error: unknown) => {
    if (error !== refusedChange) throw error
  })
  return done!
}
let other = ''
const agreementOf = (mediumId: bigint) =>
  sampleAgreement(mediumId, [{ ...sampleRule(mediumId * 100n + 1n, 50_000n), mediumId }], {
    ...{ mediumId, organizationId: mediumId },
  })
let batchNo = 0n
async function prepare(mediumId: bigint, month = SEP) {
  const input = sampleMonth(month, { mediumId, agreements: [agreementOf(mediumId)] })
  if (month === SEP) await inBooks(tx => writeAgreements(tx, [input]))
  batchNo += 1n
  await writeOwnAds(stats.store, [input], batchNo)
  await compute(mediumId, month)
}
const compute = async (mediumId: bigint, month = SEP) => accepted(await computeMonth(payments, { mediumId, month }))
async function secondPerson(mediumId: bigint, month = SEP, uid = userUid) {
  const board = await monthCloseBoard({ ...payments, statementReasons: async () => [] }, month, uid)
  return board.find(row => row.mediumId === mediumId)!.checks.find(({ kind }) => kind === 'second_person')!.state
}
const close = (mediumId: bigint, month = SEP, uid = userUid) => closeMonth(books, { mediumId, month }, uid)
const REFUSED = { ok: false, refusals: [{ code: 'payment/second-person-needed' }] }

beforeAll(async () => {
  payments.clock.set('2026-10-10T12:00:00+09:00')
  await inBooks(async tx => {
    const settings = { payoutThresholdYen: 1n, businessDayShift: 'previous', rules: 'returns_per_rate' } as const
    await writeSettings(tx, { settings, taxTable: STANDARD_TAX_TABLE })
    await tx.updateTable('paymentSettings').set({ needsTwoPersons: true }).execute()
    const user = { email: 'second@example.jp', emailVerifiedAt: new Date() }
    other = (await tx.insertInto('users').values(user).returning('uid').executeTakeFirstOrThrow()).uid
  })
})

const rowOf = (mediumId: bigint) => ({
  ...{ resource: 'insight:agreement.' as const, action: 'update' as const, rowId: mediumId },
})
const terms = (validFromMonth: number, fixedRevenueYen: number) => ({ validFromMonth, fixedRevenueYen })
/** Enters a deduction of the month, or resets all entries. */
async function enter(mediumId: bigint, kind: 'csv' | 'reset', uid: string) {
  const row = { agreementId: `${mediumId}`, publisherId: `${mediumId * 100n + 1n}`, amount: '-30000', weight: '' }
  const rawRows = kind === 'csv' ? [{ ...row, reason: 'correction', originMonth: '' }] : []
  const common = { mediumId, month: SEP, method: 'payment', extraRevenueYen: null, extraRevenueMonth: '', notes: '' }
  const input = { ...common, kind } as ManualOperationInput
  const id = accepted(
    await inBooks(tx => createManualOperation(tx, books.manualOperations, { input, rawRows, userUid: uid })),
  )
  await runManualOperation(books.manualOperations, id)
}
/** What a person does to the books of a medium, and whether it changes the month's payments. */
const CHANGES: readonly (readonly [string, boolean, (mediumId: bigint) => Promise<unknown>])[] = [
  ['nothing', false, async () => {}],
  [
    'an opening balance',
    true,
    mediumId =>
      asUser(write =>
        saveOpeningBalances(write, [
          {
            ...{ agreementId: mediumId, publisherId: mediumId * 100n + 1n, originMonth: 202608 as YearMonth },
            ...{ bookedMonth: SEP, amountYen: 90_000_000n, isQualified: false },
          },
        ]),
      ),
  ],
  [
    'terms of the month',
    true,
    id =>
      inBooks(tx =>
        note(tx, {
          ...rowOf(id),
          before: { terms: [terms(202601, 0)] },
          after: { terms: [terms(202601, 0), terms(SEP, 9)] },
        }),
      ),
  ],
  [
    'terms of a later month',
    false,
    id =>
      inBooks(tx =>
        note(tx, {
          ...rowOf(id),
          before: { terms: [terms(202601, 0)] },
          after: { terms: [terms(202601, 0), terms(addMonths(SEP, 1), 9)] },
        }),
      ),
  ],
  [
    'the name of an agreement',
    false,
    id =>
      inBooks(tx =>
        note(tx, {
          ...rowOf(id),
          before: { name: 'a', terms: [terms(202601, 0)] },
          after: { name: 'b', terms: [terms(202601, 0)] },
        }),
      ),
  ],
  [
    'a payment that is stopped',
    true,
    id =>
      inBooks(tx =>
        note(tx, { ...rowOf(id), before: { isPaymentDisabled: false }, after: { isPaymentDisabled: true } }),
      ),
  ],
  [
    'a deduction that somebody else entered is taken back',
    true,
    async id => {
      await enter(id, 'csv', other)
      await enter(id, 'reset', userUid)
    },
  ],
  [
    'an own deduction is taken back',
    false,
    async id => {
      await enter(id, 'csv', userUid)
      await enter(id, 'reset', userUid)
    },
  ],
  [
    'the rate of a publisher',
    true,
    id =>
      inBooks(async tx => {
        const rule = await tx
          .selectFrom('agreementPublisherRules')
          .select('id')
          .where('mediumId', '=', id)
          .executeTakeFirstOrThrow()
        const after = { validFromMonth: SEP, paymentRate: 9000 }
        await note(tx, {
          resource: 'insight:agreement_publisher_rule.',
          action: 'update',
          rowId: rule.id,
          before: {},
          after,
        })
      }),
  ],
]

test.each(CHANGES.map((change, at) => [...change, BigInt(at + 1)] as const))(
  '%s: is the person who did it a preparer? %s',
  async (_what, isPreparing, change, mediumId) => {
    await prepare(mediumId)
    await change(mediumId)
    await compute(mediumId)
    expect(await secondPerson(mediumId)).toBe(isPreparing ? 'red' : 'green')
    if (isPreparing) expect(await close(mediumId)).toMatchObject(REFUSED)
    expect(await close(mediumId, SEP, isPreparing ? other : userUid)).toMatchObject({ ok: true })
  },
)

test('what was moved out of the month is a change of it', async () => {
  const moved = { before: { validFromMonth: SEP }, after: { validFromMonth: addMonths(SEP, 1) } }
  await prepare(20n)
  expect(await secondPerson(20n)).toBe('green')
  await inBooks(tx =>
    note(tx, { resource: 'insight:dividend.', action: 'update', rowId: 'settings/settlement_rule', ...moved }),
  )
  expect(await secondPerson(20n)).toBe('red')
  expect(await close(20n)).toMatchObject(REFUSED)
})

test('the rule ends with a month that has not begun; at once where nobody else could close', async () => {
  const line = await inBooks(tx => tx.selectFrom('paymentSettings').select(PAYOUT_COLUMNS).executeTakeFirstOrThrow())
  const save = (validFromMonth: number, needsTwoPersons: boolean) =>
    asUser(write => savePayoutSetting({ ...line, validFromMonth, needsTwoPersons }, undefined, write, payments.clock))
  const tooEarly = {
    ok: false,
    refusals: [{ code: 'payment-setting/second-person-begun', data: { earliest: '2026-11' } }],
  }
  await inBooks(tx => sql`insert into roles (name) values ('admin') on conflict do nothing`.execute(tx))
  await inBooks(tx => tx.insertInto('userRoles').values({ uid: other, roleName: 'admin' }).execute())
  expect(await save(202611, false), 'it has not begun').toMatchObject({ ok: true })
  const remove = (month: number) =>
    asUser(write => removeDatedLine('payout', month as YearMonth, undefined, write, payments.clock))
  expect(await remove(202611)).toMatchObject({ ok: true })
  expect(await save(202610, false)).toMatchObject(tooEarly)
  await inBooks(tx => tx.updateTable('users').set({ enabled: false }).where('uid', '=', other).execute())
  expect(await save(202610, false), 'nobody else could close').toMatchObject({ ok: true })
})
