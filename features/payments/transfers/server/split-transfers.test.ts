import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { writeAgreements, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { writeTransferSettings } from '@pc/testing/books/transfer-settings-fixture.ts'
import { type Answer, type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeMonth } from '../../core/server/compute-month.ts'
import { importHolidays } from '../../core/server/import-holidays.ts'

/** A payment above the bank's limit, over HTTP. Every test goes on where the one before ended. */
let system: SystemUnderTest
let admin = ''
let editor = ''
const clock = fixedClock('2026-07-20T12:00:00+09:00')
const MONTH = 202606 as YearMonth

beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: clock })
  const { users, a } = system.rows
  admin = await system.tokenOf(users['insight:admin'].email)
  editor = await system.tokenOf(users['insight:editor'].email)
  const { database, stats, money } = system.dependencies
  // 2,000,000 yen with tax.
  const rule = { ...sampleRule(2601n, 1_818_182n), mediumId: 21n }
  const agreements = [{ ...sampleAgreement(2101n, [rule]), mediumId: 21n, organizationId: a.organizationId }]
  await database.inScope(SYSTEM, async tx => {
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test'))
    await writeTransferSettings(tx)
    await tx.updateTable('transferSources').set({ transferLimitYen: 1_000_000n }).execute()
    await writeAgreements(tx, [{ mediumId: 21n, agreements }])
  })
  await writeOwnAds(stats, [{ ...sampleMonth(MONTH, { agreements }), mediumId: 21n }], 77n)
  const key = { mediumId: 21n, month: MONTH }
  expect(await computeMonth(money.payments, key)).toMatchObject({ ok: true })
  expect(await closeMonth(money, key, users['insight:admin'].uid)).toMatchObject({ ok: true })
})
afterAll(() => system?.close())

const ask = (query: string, variables?: object, token = admin): Promise<Answer> =>
  system.ask('insight', query, token, variables)
const dataOf = <T>(answer: Answer): T => {
  if (answer.json.errors) throw new Error(answer.json.errors[0]!.message)
  return Object.values(answer.json.data as object)[0] as T
}
const refusalOf = (answer: Answer) =>
  (answer.json.errors?.[0]?.extensions.refusals as readonly { code: string }[] | undefined)?.[0]?.code
const TRANSFERS = `transfers(limit: 9, offset: 0) { nodes { id state hasReturnedRecord
  records { id batchId amount fee state stateLabel replacesId isSentAgain } } }`
const readBatch = async (id: string) =>
  dataOf<object>(await ask(`{ transferBatch(id: "${id}") { partlyReturnedCount sentAgainCount ${TRANSFERS} } }`))
const SETTLE = `mutation ($ids: [ID!]!, $state: TransferState!, $key: String) {
  settleTransfers(ids: $ids, state: $state, on: "2026-08-03", reason: "銀行の画面", idempotencyKey: $key) }`
const RESEND = `mutation ($on: Date!, $key: String) {
  resendTransferRecords(transferId: "1", transferOn: $on, idempotencyKey: $key) { id sentAgainCount sentAgainAmount } }`

test('the preview says in how many records it is sent', async () => {
  const request = { dueOn: '2026-07-31', transferOn: '2026-07-31' }
  const preview =
    'query ($request: TransferRequest!) { previewTransfers(request: $request) { transferLimit transfers { recordAmounts } } }'
  expect(dataOf(await ask(preview, { request }))).toEqual({
    transferLimit: 1_000_000,
    transfers: [{ recordAmounts: [1_000_000, 1_000_000] }],
  })
  const create =
    'mutation ($request: TransferRequest!) { createTransferBatch(request: $request) { id splitRecordCount transferLimit } }'
  expect(dataOf(await ask(create, { request }))).toEqual({ id: '1', splitRecordCount: 2, transferLimit: 1_000_000 })
  dataOf(await ask('mutation { exportTransferBatch(id: "1") { id } }'))
})

test('the table to fill in names each record; what it says of one is booked for that one', async () => {
  clock.set('2026-08-03T12:00:00+09:00')
  const template = dataOf<{ contentBase64: string; fileName: string }>(
    await ask('{ transferResultTemplate(id: "1") { contentBase64 fileName } }'),
  )
  const text = Buffer.from(template.contentBase64, 'base64').toString()
  expect(text).toMatch(/\r\n1-1,.+,1000000,,\r\n1-2,.+,1000000,,\r\n$/)
  const filled = text.replace(/,,\r\n/, ',支払済み,\r\n').replace(/,,\r\n/, ',組戻し,限度額超過\r\n')
  const file = { fileName: template.fileName, contentBase64: Buffer.from(filled).toString('base64') }
  const preview =
    'query ($file: TransferResultFile!) { previewTransferResult(file: $file) { rows { transferId effect } } }'
  expect(dataOf(await ask(preview, { file }))).toEqual({
    rows: [
      { transferId: '1-1', effect: 'book' },
      { transferId: '1-2', effect: 'book' },
    ],
  })
  const book = 'mutation ($file: TransferResultFile!) { importTransferResult(file: $file) { paid returned unchanged } }'
  expect(dataOf(await ask(book, { file }))).toEqual({ paid: 1, returned: 1, unchanged: 0 })
  expect(dataOf(await ask(book, { file }))).toEqual({ paid: 0, returned: 0, unchanged: 2 })
  expect(await readBatch('1')).toMatchObject({
    partlyReturnedCount: 1,
    transfers: {
      nodes: [
        {
          state: 'exported',
          hasReturnedRecord: true,
          records: [
            { id: '1-1', state: 'paid' },
            { id: '1-2', state: 'returned' },
          ],
        },
      ],
    },
  })
})

test('sending it again is for who may pay, and once for one key', async () => {
  const on = '2026-08-04'
  expect((await ask(RESEND, { on, key: 'r1' }, editor)).json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  expect(refusalOf(await ask(RESEND, { on: '2026-08-02', key: 'r0' }))).toBe('transfer/day-past')
  const made = await Promise.all(Array.from({ length: 5 }, () => ask(RESEND, { on, key: 'r1' })))
  expect(made.map(each => dataOf(each))).toEqual(
    Array(5).fill({ id: '2', sentAgainCount: 1, sentAgainAmount: 1_000_000 }),
  )
  expect(refusalOf(await ask(RESEND, { on, key: 'r2' }))).toBe('transfer/nothing-returned')
  expect(await readBatch('2')).toMatchObject({
    sentAgainCount: 1,
    transfers: {
      nodes: [
        {
          id: '1',
          hasReturnedRecord: false,
          records: [{}, { isSentAgain: true }, { id: '1-3', batchId: '2', replacesId: '1-2', fee: 660 }],
        },
      ],
    },
  })
  const cancel = 'mutation { cancelTransferBatch(id: "2", reason: "窓口で支払う") { id } }'
  dataOf(await ask(cancel))
  expect(await readBatch('1')).toMatchObject({ partlyReturnedCount: 1 })
})

test('or it is paid in another way, record by record', async () => {
  expect(refusalOf(await ask(SETTLE, { ids: ['1'], state: 'paid', key: 's0' }))).toBe('transfer/record-returned')
  expect(refusalOf(await ask(SETTLE, { ids: ['1-9'], state: 'paid', key: 's1' }))).toBe('transfer/not-found')
  expect(dataOf(await ask(SETTLE, { ids: ['1-2'], state: 'paid', key: 's2' }))).toBe(1)
  expect(refusalOf(await ask(SETTLE, { ids: ['1-2'], state: 'paid', key: 's3' }))).toBe('transfer/state-not-allowed')
  expect(await readBatch('1')).toMatchObject({
    partlyReturnedCount: 0,
    transfers: {
      nodes: [
        {
          state: 'paid',
          records: [{}, {}, { state: 'cancelled' }, { id: '1-4', state: 'paid', replacesId: '1-2', fee: 0 }],
        },
      ],
    },
  })
  const log = await system.dependencies.database.inScope(SYSTEM, tx =>
    tx.selectFrom('auditLog').select(['action', 'rowId']).where('rowId', 'like', 'transfer%').execute(),
  )
  expect(log.map(each => `${each.action} ${each.rowId}`)).toEqual(
    expect.arrayContaining([
      'mark_paid transfer-1-1',
      'mark_returned transfer-1-2',
      'resend-records transfer-batch-2',
      'mark_paid transfer-1-2',
      'mark_paid transfer-1',
    ]),
  )
})
