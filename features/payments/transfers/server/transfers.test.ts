import { createHash } from 'node:crypto'
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
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { computeMonth } from '../../core/server/compute-month.ts'
import { importHolidays } from '../../core/server/import-holidays.ts'

/** A finalised month to the bank and back, over HTTP: who may, once for one key, and what the audit log says. */
let system: SystemUnderTest
const token = new Map<string, string>()
const clock = fixedClock('2026-07-20T12:00:00+09:00')
const ROLES = ['admin', 'insight:admin', 'insight:editor', 'insight:viewer', 'insight:publisher_admin'] as const
const MONTH = 202606 as YearMonth

beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: clock })
  for (const role of ROLES) token.set(role, await system.tokenOf(system.rows.users[role].email))
  const { database, stats, money } = system.dependencies
  const { a, b } = system.rows
  const agreement = (id: bigint, organizationId: bigint, yen: bigint) => ({
    ...sampleAgreement(id, [{ ...sampleRule(id + 500n, yen), mediumId: 21n }]),
    mediumId: 21n,
    organizationId,
  })
  const agreements = [agreement(2101n, a.organizationId, 100_001n), agreement(2103n, b.organizationId, 50_009n)]
  await database.inScope(SYSTEM, async tx => {
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test'))
    await writeTransferSettings(tx)
    await writeAgreements(tx, [{ mediumId: 21n, agreements }])
  })
  await writeOwnAds(stats, [{ ...sampleMonth(MONTH, { agreements }), mediumId: 21n }], 77n)
  const key = { mediumId: 21n, month: MONTH }
  expect(await computeMonth(money.payments, key)).toMatchObject({ ok: true })
  const { uid } = system.rows.users['insight:admin']
  const closed = await closeMonth(money, key, uid)
  expect(closed).toMatchObject({ ok: true })
})
afterAll(() => system?.close())

const ask = (query: string, as: string, variables?: object): Promise<Answer> =>
  system.ask('insight', query, token.get(as), variables)
const codeOf = (answer: Answer) => answer.json.errors?.[0]?.extensions.code
const refusalOf = (answer: Answer) =>
  (answer.json.errors?.[0]?.extensions.refusals as readonly { code: string }[] | undefined)?.[0]?.code
const dataOf = <T>(answer: Answer): T => {
  if (answer.json.errors) throw new Error(answer.json.errors[0]!.message)
  return Object.values(answer.json.data as object)[0] as T
}
const REQUEST = { dueOn: '2026-07-31', transferOn: '2026-07-31' }
const CREATE = `mutation ($request: TransferRequest!, $key: String) {
  createTransferBatch(request: $request, idempotencyKey: $key) { id transferCount transferAmount transfers(limit: 9, offset: 0) { nodes { id partnerName accountNumber } } }
}`
const audited = () =>
  system.dependencies.database.inScope(SYSTEM, tx =>
    tx.selectFrom('auditLog').select(['action', 'rowId', 'actorUid', 'after']).orderBy('seq').execute(),
  )

describe('who may', () => {
  test('staff sees what is payable; only administrators of payments send', async () => {
    for (const role of ROLES) {
      const seen = await ask('{ payableDays { dueOn paymentCount } }', role)
      if (role === 'insight:publisher_admin') expect(codeOf(seen)).toBe('FORBIDDEN')
      else expect(dataOf(seen)).toEqual([{ dueOn: '2026-07-31', paymentCount: 2 }])
    }
    for (const role of ['insight:editor', 'insight:viewer', 'insight:publisher_admin']) {
      expect(codeOf(await ask(CREATE, role, { request: REQUEST }))).toBe('FORBIDDEN')
      const preview = 'query ($request: TransferRequest!) { previewTransfers(request: $request) { hash } }'
      expect(codeOf(await ask(preview, role, { request: REQUEST }))).toBe('FORBIDDEN')
    }
  })
})

describe('a branch that is no longer in the master', () => {
  const PREVIEW = `query ($request: TransferRequest!) { previewTransfers(request: $request) {
    transfers { branchName payments { monthlyPaymentId } } problems { code message payments { monthlyPaymentId } } } }`
  interface Preview {
    readonly transfers: readonly { branchName: string; payments: readonly { monthlyPaymentId: string }[] }[]
    readonly problems: readonly {
      readonly code: string
      readonly message: string
      readonly payments: readonly { monthlyPaymentId: string }[]
    }[]
  }
  const preview = (accountChanges: readonly object[] = []) =>
    ask(PREVIEW, 'insight:admin', { request: { ...REQUEST, accountChanges } })

  test('gets no money: the payee is named, and another account of the organisation can be chosen', async () => {
    const { database } = system.dependencies
    const setGone = (isGone: boolean) =>
      database.inScope(SYSTEM, tx => tx.updateTable('bankBranches').set({ isGone }).execute())
    await setGone(true)
    try {
      const { transfers, problems } = dataOf<Preview>(await preview())
      expect(transfers).toEqual([])
      expect(problems.map(each => each.code)).toEqual(['transfer/branch-gone', 'transfer/branch-gone'])
      expect(problems[0]?.message).toContain('統合や廃止で無くなりました')
      expect(refusalOf(await ask(CREATE, 'insight:admin', { request: REQUEST, key: 'gone' }))).toBeDefined()
      const monthlyPaymentId = problems[0]?.payments[0]?.monthlyPaymentId ?? ''
      const other = await database.inScope(SYSTEM, async tx => {
        const { bankAccountId } = await tx
          .selectFrom('monthlyPayments')
          .select('bankAccountId')
          .where('id', '=', BigInt(monthlyPaymentId))
          .executeTakeFirstOrThrow()
        const {
          id: _id,
          enabled: _enabled,
          searchText: _text,
          ...account
        } = await tx.selectFrom('bankAccounts').selectAll().where('id', '=', bankAccountId).executeTakeFirstOrThrow()
        const kana = { kana: 'シンシテン', hira: 'しんしてん', roma: 'shinshiten' }
        const branch = await tx
          .insertInto('bankBranches')
          .values({ bankId: account.bankId, code: '999', name: '新支店', ...kana })
          .returning('id')
          .executeTakeFirstOrThrow()
        const made = await tx
          .insertInto('bankAccounts')
          .values({ ...account, bankBranchId: branch.id })
          .returning('id')
          .executeTakeFirstOrThrow()
        return { id: String(made.id), goneId: String(bankAccountId) }
      })
      const changed = dataOf<Preview>(await preview([{ monthlyPaymentId, bankAccountId: other.id }]))
      expect(changed.transfers).toMatchObject([{ branchName: '新支店', payments: [{ monthlyPaymentId }] }])
      expect(changed.problems).toHaveLength(1)
      expect(refusalOf(await preview([{ monthlyPaymentId, bankAccountId: other.goneId }]))).toBe(
        'transfer/account-not-usable',
      )
      await setGone(false)
      // As long as the branch is there, the account of the finalised month stays.
      expect(refusalOf(await preview([{ monthlyPaymentId, bankAccountId: other.id }]))).toBe(
        'transfer/account-not-usable',
      )
    } finally {
      await setGone(false)
    }
    expect(dataOf<Preview>(await preview())).toMatchObject({ transfers: [{}, {}], problems: [] })
  })
})

describe('to the bank and back', () => {
  test('50 submissions of one key are one batch; its log names the maker', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ask(CREATE, 'insight:admin', { request: REQUEST, key: 'k1' })),
    )
    const made = answers.map(answer => dataOf<{ id: string; transferCount: number }>(answer))
    expect(new Set(made.map(each => each.id))).toEqual(new Set(['1']))
    expect(refusalOf(await ask(CREATE, 'insight:admin', { request: REQUEST, key: 'k2' }))).toBe(
      'transfer/nothing-to-pay',
    )
    expect(answers[0]!.text).not.toContain('1234567')
    const log = (await audited()).filter(row => row.action === 'create-transfers')
    expect(log).toMatchObject([
      { rowId: 'transfer-batch-1', actorUid: system.rows.users['insight:admin'].uid, after: { transfers: 2 } },
    ])
  })

  test('the file comes only after its export, is the same every time, and every download is logged', async () => {
    const file = () => ask('{ transferFile(id: "1") { fileName contentBase64 byteCount sha256 } }', 'insight:admin')
    expect(refusalOf(await file())).toBe('transfer/not-exported')
    const exported = await ask(
      'mutation { exportTransferBatch(id: "1") { exportedCount fileSha256 } }',
      'insight:admin',
    )
    const { fileSha256 } = dataOf<{ fileSha256: string }>(exported)
    expect(dataOf(exported)).toMatchObject({ exportedCount: 2 })
    const first = dataOf<{ contentBase64: string; sha256: string; byteCount: number; fileName: string }>(await file())
    expect(dataOf(await file())).toEqual(first)
    const bytes = Buffer.from(first.contentBase64, 'base64')
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(fileSha256)
    expect(first).toMatchObject({ sha256: fileSha256, byteCount: 5 * 122, fileName: 'sogo-furikomi_20260731_1.txt' })
    for (const role of ['insight:editor', 'insight:viewer', 'insight:publisher_admin']) {
      expect(codeOf(await ask('{ transferFile(id: "1") { sha256 } }', role))).toBe('FORBIDDEN')
    }
    const log = (await audited()).filter(row => row.action === 'download')
    expect(log.map(row => [row.rowId, row.after])).toEqual([
      ['transfer-batch-1', { bytes: 610, fileName: first.fileName }],
      ['transfer-batch-1', { bytes: 610, fileName: first.fileName }],
    ])
  })

  test('the filled-in table books what became of it, once', async () => {
    clock.set('2026-08-03T12:00:00+09:00')
    const template = dataOf<{ contentBase64: string; fileName: string }>(
      await ask('{ transferResultTemplate(id: "1") { contentBase64 fileName } }', 'insight:admin'),
    )
    const text = Buffer.from(template.contentBase64, 'base64').toString()
    expect(text).toMatch(/^\uFEFF振込番号,支払先,銀行,支店,振込額,結果,理由\r\n1,/)
    const filled = text.replace(/,,\r\n/, ',支払済み,\r\n').replace(/,,\r\n/, ',組戻し,口座名義相違\r\n')
    const file = { fileName: template.fileName, contentBase64: Buffer.from(filled).toString('base64') }
    const preview =
      'query ($file: TransferResultFile!) { previewTransferResult(file: $file) { missing rows { effect outcome } } }'
    expect(dataOf(await ask(preview, 'insight:admin', { file }))).toEqual({
      missing: 0,
      rows: [
        { effect: 'book', outcome: 'paid' },
        { effect: 'book', outcome: 'returned' },
      ],
    })
    const book =
      'mutation ($file: TransferResultFile!) { importTransferResult(file: $file) { paid returned unchanged unknown } }'
    expect(codeOf(await ask(book, 'insight:editor', { file }))).toBe('FORBIDDEN')
    expect(dataOf(await ask(book, 'insight:admin', { file }))).toEqual({
      paid: 1,
      returned: 1,
      unchanged: 0,
      unknown: 0,
    })
    expect(dataOf(await ask(book, 'insight:admin', { file }))).toEqual({
      paid: 0,
      returned: 0,
      unchanged: 2,
      unknown: 0,
    })
    const paid = await ask(
      '{ monthlyPayments(limit: 9, offset: 0, orderBy: ID_ASC, param: { mediumId: "21" }) { nodes { paymentStatus paidAtMonth paidOn returnedReason } } }',
      'insight:admin',
    )
    expect(dataOf<{ nodes: unknown }>(paid).nodes).toEqual([
      { paymentStatus: 'paid', paidAtMonth: '2026-07', paidOn: '2026-07-31', returnedReason: null },
      { paymentStatus: 'returned', paidAtMonth: null, paidOn: null, returnedReason: '口座名義相違' },
    ])
    const own = await ask(
      '{ monthlyPayments(limit: 9, offset: 0) { nodes { paymentStatus } } }',
      'insight:publisher_admin',
    )
    expect(dataOf<{ nodes: unknown }>(own).nodes).toEqual([{ paymentStatus: 'paid' }])
  })

  test('the journal is for staff, and its download is logged', async () => {
    const journal =
      '{ journalFile(month: "2026-06", scope: close, format: freee, encoding: utf8) { fileName byteCount } }'
    expect(dataOf(await ask(journal, 'insight:viewer'))).toMatchObject({ fileName: 'journal_close_2026-06_freee.csv' })
    expect(codeOf(await ask(journal, 'insight:publisher_admin'))).toBe('FORBIDDEN')
    expect((await audited()).at(-1)).toMatchObject({ action: 'download', rowId: 'journal-2026-06' })
  })
})
